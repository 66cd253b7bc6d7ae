import Foundation
import Testing

/// Everything that spawns the built command.
///
/// A few tests run at a time: hundreds of processes at once would exceed the time limits.
@Suite(FewAtATime()) enum CommandSuite {}

/// Lets only a few tests run at the same time: as many as `Tests/Scripts/run-tests.sh`, for runs without it.
struct FewAtATime: SuiteTrait, TestTrait, TestScoping {
  private static let gate = Gate(places: 6 * ProcessInfo.processInfo.activeProcessorCount)

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Self.gate.enter()
    do {
      try await function()
    } catch {
      await Self.gate.leave()
      throw error
    }
    await Self.gate.leave()
  }

  private actor Gate {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(places: Int) { free = places }

    func enter() async {
      if free > 0 {
        free -= 1
      } else {
        await withCheckedContinuation { waiting.append($0) }
      }
    }

    func leave() {
      if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
  }
}
