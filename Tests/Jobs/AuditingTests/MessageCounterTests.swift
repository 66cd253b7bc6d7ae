import Auditing
import CodeScanning
import Foundation
import Invocation
import JourneyFixtures
import Registry
import Synchronization
import Testing
import Verifying

/// The counter of a Secure Unique NFC message moves once for each observation, on every way of
/// reading.
@Suite("Counters of messages") struct MessageCounterTests {
  enum Entrance: CaseIterable { case picture, live, tag, text }

  /// NXP AN12196, section 4.4: counter 61 of the tag 04DE5F1EACC040.
  private static let rest =
    "fruta.example.com/order/cupertino?e=EF963FF7828658A599F3041510671E88&c=94EED9EE65337086"
  private static let url = "https://" + rest
  private static let keys = """
    messages:
      - prefix: https://fruta.example.com/order
        piccData: e
        mac: c
        metaReadKey: "00000000000000000000000000000000"
        fileReadKey: "00000000000000000000000000000000"
    """

  private struct Listed: LiveSource {
    let name = "listed"
    let description = "a list"
    let isDone = Shared(false)

    func next(while isWanted: () -> Bool) throws(LiveSourceError) -> LiveReading? {
      isDone.exchange(true) ? nil : .text(MessageCounterTests.url, symbology: .qr)
    }
  }

  private final class Shared: Sendable {
    private let value: Mutex<Bool>
    init(_ value: Bool) { self.value = Mutex(value) }
    func exchange(_ other: Bool) -> Bool {
      value.withLock { value in
        defer { value = other }
        return value
      }
    }
  }

  private func observe(
    _ entrance: Entrance, by verifier: Verifier, on walk: WalkSession? = nil
  ) async throws -> [VerifiedCode] {
    switch entrance {
    case .picture:
      let path = NSTemporaryDirectory() + "counter-\(UUID().uuidString).png"
      try Fixtures.picture(of: [Self.url], module: 4).write(to: URL(filePath: path))
      return await codes(verifier.observations(of: [path]), by: verifier, on: walk)
    case .live: return await codes(verifier.observations(of: Listed()), by: verifier, on: walk)
    case .tag:
      let record =
        [0xD1, 0x01, UInt8(Self.rest.utf8.count + 1), 0x55, 0x04] + Array(Self.rest.utf8)
      let tag = try TagInMemory(uid: [0x04, 0xDE, 0x5F, 0x1E, 0xAC, 0xC0, 0x40]) {
        $0.hold(message: record)
      }
      let seen = await verifier.observe(tag, from: "reader")
      return await walk?.take(seen, by: verifier).codes ?? seen.codes
    case .text: return [try await verifier.verify(Self.url, source: "argument")]
    }
  }

  private func codes(
    _ observations: Observations, by verifier: Verifier, on walk: WalkSession? = nil
  ) async -> [VerifiedCode] {
    var codes: [VerifiedCode] = []
    for await seen in observations {
      codes += await walk?.take(seen, by: verifier).codes ?? seen.codes
    }
    return codes
  }

  @Test(
    "it is moved once, and the next observation is a copy, whatever the entrance",
    arguments: Entrance.allCases, [false, true])
  func once(entrance: Entrance, onAWalk: Bool) async throws {
    let registry = try Fixtures.registry()
    let moves = Mutex(0)
    var verifier = Verifier(check: registry.check, location: .waived)
    verifier.options.messages = SecureMessageCheck(
      keys: try SecureMessageKeys.read(Data(Self.keys.utf8)),
      counting: .remembering { () throws(RegistryError) in
        moves.withLock { $0 += 1 }
        return registry
      })
    func walk(_ name: String) throws -> WalkSession? {
      onAWalk ? try WalkSession(named: name, by: "walker", in: registry) : nil
    }
    let walk1 = try walk("walk")
    verifier = walk1?.verifier(verifier) ?? verifier
    let first = try await observe(entrance, by: verifier, on: walk1)
    #expect(first.map(\.secureMessage?.result) == [.valid])
    #expect(first.map(\.verdict) == [.accepted] || onAWalk)
    #expect(moves.withLock { $0 } == 1)
    #expect(try registry.tagCounters().map(\.counter) == [61])
    // Another walk, because one takes the same picture once.
    let walk2 = try walk("next")
    verifier = walk2?.verifier(verifier) ?? verifier
    let second = try await observe(entrance, by: verifier, on: walk2)
    #expect(second.map(\.secureMessage?.result) == [.replayed])
    #expect(second.map(\.verdict) == [.rejected])
    #expect(moves.withLock { $0 } == 2)
    guard onAWalk, entrance != .text else { return }
    let stops = try registry.walks().map { try registry.lastStop(of: $0.id) }
    #expect(stops == [1, 1])
  }

  @Test("codes of several pictures are counted in the order of the pictures")
  func order() async throws {
    let registry = try Fixtures.registry()
    let path = NSTemporaryDirectory() + "counter-\(UUID().uuidString)"
    try Fixtures.picture(of: [Self.url], module: 24).write(to: URL(filePath: path + "-large.png"))
    try Fixtures.picture(of: [Self.url], module: 4).write(to: URL(filePath: path + "-small.png"))
    var verifier = Verifier(check: registry.check, location: .waived)
    verifier.options.messages = SecureMessageCheck(
      keys: try SecureMessageKeys.read(Data(Self.keys.utf8)),
      counting: .remembering { () throws(RegistryError) in registry })
    let seen = await codes(
      verifier.observations(of: [path + "-large.png", path + "-small.png"]), by: verifier)
    #expect(seen.map(\.secureMessage?.result) == [.valid, .replayed])
  }
}
