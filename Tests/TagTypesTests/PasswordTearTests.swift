import NDEF
import Testing

@testable import TagTypes

/// A tag is pulled away, swapped or disturbed after every possible number of commands of setting,
/// changing and removing a password.
@Suite("Torn passwords")
struct PasswordTearTests: PasswordJobs {
  enum Job: String, CaseIterable {
    case set, change, remove
  }

  private static let rule = PasswordRule(firstPage: 6, protectsReading: true, wrongPasswordLimit: 7)

  private func start(_ job: Job) async throws -> ModelTag {
    let model = try await modelWithExample(.ntag213)
    if job != .set { _ = try await set(model, old, Self.rule) }
    await model.setFaults(.init())
    return model
  }

  private func run(_ job: Job, _ model: ModelTag) async throws(TagError) -> PasswordReport {
    switch job {
    case .set: try await set(model, old, Self.rule)
    case .change: try await change(model, to: Self.rule)
    case .remove: try await remove(model)
    }
  }

  private func length(_ job: Job) async throws -> Int {
    let model = try await start(job)
    _ = try await run(job, model)
    return await model.commands.count + model.selections
  }

  /// The tag is armed with the password it had, open, or armed with the one it shall have; and the
  /// next run ends right.
  private func expectFinished(_ job: Job, _ model: ModelTag, after count: Int) async throws {
    await model.setFaults(.init())
    #expect(await messageByAnotherReader(model.memory) == example.bytes)
    let memory = await model.memory
    let isArmed = memory[0x29 * 4 + 3] != 0xFF
    let stored = Array(memory[0x2B * 4..<0x2B * 4 + 4])
    if isArmed { #expect([old.password, new.password].contains(stored), "\(job) after \(count)") }
    let report = try await run(job, model)
    let configuration = try #require(report.tag.configuration)
    let page = await model.page(0x2B)
    switch job {
    case .set: #expect(page == old.password)
    case .change: #expect(page == new.password)
    case .remove: #expect(page == [0xFF, 0xFF, 0xFF, 0xFF])
    }
    #expect(configuration.firstProtectedPage == (job == .remove ? nil : 6), "after \(count)")
    #expect(configuration.wrongPasswordLimit == (job == .remove ? 0 : 7))
    #expect(await model.wrongPasswords <= 1)
  }

  @Test("pulled away after any command, the next run ends right", arguments: Job.allCases)
  func tear(job: Job) async throws {
    let length = try await length(job)
    for count in 0...length {
      for half in [nil, 0, 1, 2, 3, 4] {
        let model = try await start(job)
        var faults = ModelTag.Faults()
        faults.vanishesAfter = count
        faults.lastCommandCounts = half == 4
        faults.lastWriteByteCount = half == 4 ? nil : half
        await model.setFaults(faults)
        do throws(TagError) {
          _ = try await run(job, model)
          #expect(count >= length)
        } catch {
          #expect([.tornWrite, .tagLost].contains(error.code), "\(error)")
          if error.code == .tagLost { #expect(await model.writes.isEmpty) }
        }
        try await expectFinished(job, model, after: count)
      }
    }
  }

  @Test("swapped at any command, no other tag is taken for it", arguments: Job.allCases)
  func swapped(job: Job) async throws {
    for count in 0..<(try await length(job)) {
      let model = try await start(job)
      var faults = ModelTag.Faults()
      faults.swappedAfter = count
      await model.setFaults(faults)
      let error = await errorOf { () async throws(TagError) in _ = try await run(job, model) }
      // PWD_AUTH is not repeated, so a tag that is gone then is not looked for.
      #expect([.tagChanged, .tagLost, .tornWrite].contains(error?.code))
      try await expectFinished(job, model, after: count)
    }
  }

  @Test("a reader that fails at any command is reported", arguments: Job.allCases)
  func readerFails(job: Job) async throws {
    for count in 0..<(try await length(job)) {
      let model = try await start(job)
      var faults = ModelTag.Faults()
      faults.readerFailsAt = count
      await model.setFaults(faults)
      let error = await errorOf { () async throws(TagError) in _ = try await run(job, model) }
      #expect(error?.code == .readerFailed)
      try await expectFinished(job, model, after: count)
    }
  }
}
