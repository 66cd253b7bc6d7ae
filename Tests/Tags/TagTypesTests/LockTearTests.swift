import NDEF
import Testing

@testable import TagTypes

/// A tag is pulled away, swapped or disturbed after every possible number of commands of a lock.
@Suite("Torn locks")
struct LockTearTests {
  static let layouts: [Type2Layout] = [
    .ntag213, .ntag215, .ntag210, .ultralight, .ultralightEV1Large, .ultralightC,
  ]

  private func lock(_ model: ModelTag) async throws(TagError) -> LockReport {
    let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
    return try await tag.planLock(of: example.bytes, over: model).execute(over: model)
  }

  /// Expects that the next run, on a tag without faults, locks everything.
  private func expectFinished(_ model: ModelTag, after count: Int) async throws {
    #expect(await messageByAnotherReader(model.memory) == example.bytes, "after \(count)")
    await model.setFaults(.init())
    let report = try await lock(model)
    #expect(report.tag.type2?.lockState == .permanent, "after \(count)")
    if let configuration = report.tag.type2?.configuration { #expect(configuration.isLocked) }
    #expect(await model.page(3)[3] == 0x0F)
  }

  /// Returns the number of commands and selections of a whole lock.
  private func length(_ layout: Type2Layout) async throws -> Int {
    let model = try await modelWithExample(layout)
    let report = try await lock(model)
    return report.exchanges
  }

  @Test("a lock whose answer did not come may be set: the count says at least how many are")
  func unansweredLock() async throws {
    let length = try await length(.ntag215)
    var messages: Set<String> = []
    for count in 0..<length {
      for isDone in [false, true] {
        let model = try await modelWithExample(.ntag215)
        let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
        let plan = try await tag.planLock(of: example.bytes, over: model)
        await model.setFaults(
          ModelTag.Faults(vanishesAfter: count, lastCommandCounts: isDone))
        do throws(TagError) {
          _ = try await plan.execute(over: model)
          Issue.record("not torn after \(count)")
        } catch {
          messages.insert(error.message)
          // The last step whose page holds the bytes that the step writes.
          var done = 0
          for (index, step) in plan.steps.enumerated()
          where await model.page(step.page).elementsEqual(step.after) {
            done = index + 1
          }
          let told = (0...plan.steps.count).last { error.message.contains("\($0) of 6 locks") }
          let isExact =
            !error.message.contains("at least") && !error.message.contains("is unknown")
          if let told {
            #expect(isExact ? told == done : told <= done, "\(count): \(error.message), \(done)")
          } else {
            #expect(!isExact || done == plan.steps.count, "\(count): \(error.message), \(done)")
          }
        }
      }
    }
    #expect(messages.contains { $0.contains("at least 5 of 6 locks were set") }, "\(messages)")
    #expect(messages.contains { $0.contains("the state of the first of 6 locks is unknown") })
  }

  @Test(
    "pulled away after any command, the message is whole and the next run finishes the lock",
    arguments: layouts)
  func tear(layout: Type2Layout) async throws {
    let length = try await length(layout)
    for count in 0...length {
      for half in [nil, 0, 1, 2, 3, 4] {
        let model = try await modelWithExample(layout)
        let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
        let plan = try await tag.planLock(of: example.bytes, over: model)
        var faults = ModelTag.Faults()
        faults.vanishesAfter = count
        faults.lastCommandCounts = half == 4
        faults.lastWriteByteCount = half == 4 ? nil : half
        await model.setFaults(faults)
        do throws(TagError) {
          _ = try await plan.execute(over: model)
          #expect(count >= length)
        } catch {
          #expect(error.code == .tornWrite, "\(error)")
          #expect(error.hint.contains("run the command again"))
          #expect(!error.message.contains("nothing was written"))
        }
        try await expectFinished(model, after: count)
      }
    }
  }

  @Test("a tag swapped at any command is noticed, and the next run finishes the first one")
  func swapped() async throws {
    for count in 0..<(try await length(.ntag215)) {
      let model = try await modelWithExample(.ntag215)
      let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
      let plan = try await tag.planLock(of: example.bytes, over: model)
      var faults = ModelTag.Faults()
      faults.swappedAfter = count
      await model.setFaults(faults)
      let error = await errorOf { () async throws(TagError) in
        _ = try await plan.execute(over: model)
      }
      #expect(error?.code == .tagChanged)
      try await expectFinished(model, after: count)
    }
  }

  @Test("an answer lost once, or cut short once, at any command does not stop the lock")
  func disturbed() async throws {
    for count in 0..<(try await length(.ntag215)) {
      for isCut in [false, true] {
        let model = try await modelWithExample(.ntag215)
        let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
        let plan = try await tag.planLock(of: example.bytes, over: model)
        var faults = ModelTag.Faults()
        if isCut { faults.cutAnswers = [count] } else { faults.lostAnswers = [count] }
        await model.setFaults(faults)
        let report = try await plan.execute(over: model)
        #expect(report.tag.type2?.lockState == .permanent)
      }
    }
  }

  @Test("a reader that fails at any command is reported, and the next run finishes the lock")
  func readerFails() async throws {
    for count in 0..<(try await length(.ntag213)) {
      let model = try await modelWithExample(.ntag213)
      let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
      let plan = try await tag.planLock(of: example.bytes, over: model)
      var faults = ModelTag.Faults()
      faults.readerFailsAt = count
      await model.setFaults(faults)
      let error = await errorOf { () async throws(TagError) in
        _ = try await plan.execute(over: model)
      }
      // If the field cannot be switched, the tag counts as gone.
      #expect(error?.code == .readerFailed)
      try await expectFinished(model, after: count)
    }
  }

  @Test("a page that refuses is named, the lock is not reported, and the next run finishes it")
  func refused() async throws {
    for page in [0x84, 3, 0x82, 2] {
      let model = try await modelWithExample(.ntag215)
      var faults = ModelTag.Faults()
      faults.refusedWrites = [page: 3]
      await model.setFaults(faults)
      let error = await errorOf { () async throws(TagError) in _ = try await lock(model) }
      #expect(error?.code == .writeRefused)
      #expect(error?.page == page)
      try await expectFinished(model, after: page)
    }
  }

  @Test("a configuration that is stored wrongly every time fails the check before anything else")
  func storedWrongly() async throws {
    let model = try await modelWithExample(.ntag215)
    var faults = ModelTag.Faults()
    faults.wrongPages = [0x84]
    await model.setFaults(faults)
    let error = await errorOf { () async throws(TagError) in _ = try await lock(model) }
    #expect(error?.code == .verifyFailed)
    #expect(error?.page == 0x84)
    #expect(await Set(model.writes) == [0x84])
  }

  @Test("one refusal of a probe is no proof: it has to be repeated")
  func disturbedProbe() async throws {
    let model = try await modelWithExample(.ntag215)
    var faults = ModelTag.Faults()
    faults.ignoresLocks = true
    faults.refusedWrites = [15: 1]
    await model.setFaults(faults)
    let error = await errorOf { () async throws(TagError) in _ = try await lock(model) }
    #expect(error?.code == .verifyFailed)
    #expect(error?.page == 15)
  }

  @Test("cancelled before any command, nothing is written")
  func cancelled() async throws {
    let model = try await modelWithExample(.ntag215)
    let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
    let plan = try await tag.planLock(of: example.bytes, over: model)
    let task = Task {
      await errorOf { () async throws(TagError) in _ = try await plan.execute(over: model) }
    }
    task.cancel()
    let error = await task.value
    if let error { #expect(error.code == .cancelled) }
    try await expectFinished(model, after: 0)
  }
}
