import NDEF
import Testing

@testable import TagTypes

@Suite("Type 4 tags: planning, writing, verifying, erasing")
struct Type4WritingTests {
  private static let longURL = "https://example.org/" + String(repeating: "lorem/", count: 30)
  private static let long = NDEFMessage(uri: longURL)

  /// Returns a tag whose commands carry 34h bytes, as many real tags do, so that long messages need
  /// several.
  private static func small(_ message: [UInt8] = []) -> ModelType4Tag {
    ModelType4Tag(
      container: ModelType4Tag.container(size: 0x200),
      file: [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message, size: 0x200)
  }

  private func plan(
    _ message: NDEFMessage, on model: ModelType4Tag
  ) async throws(TagError) -> WritePlan {
    try await Tag.identify(over: model).planWrite(message, over: model)
  }

  private func write(
    _ message: NDEFMessage, to model: ModelType4Tag
  ) async throws(TagError) -> WriteReport {
    try await plan(message, on: model).execute(over: model)
  }

  @Test("a message that one command carries is written with one, and read back after a field cycle")
  func oneCommand() async throws {
    let model = ModelType4Tag()
    let plan = try await plan(example, on: model)
    #expect(plan.steps.count == 1)
    #expect(plan.steps.first?.offset == 1)
    #expect(plan.irreversible.isEmpty && plan.changedPages.isEmpty)
    await model.setFaults(.init())
    let report = try await plan.execute(over: model)
    #expect(report.tag.content == .message(example.bytes))
    #expect(report.pagesWritten == 1)
    #expect(report.exchanges == plan.expectedExchanges)
    #expect(report.exchanges == 7)
    #expect(await model.commands.count + model.selections == 7)
    #expect(await model.sent(0xD6).count == 1)
    #expect(await model.fieldCycles == 1)
    #expect(report.wasReadAfterFieldCycle)
    #expect(await model.message == example.bytes)
  }

  @Test("a plan changes nothing")
  func planIsDry() async throws {
    let model = Self.small()
    let before = await model.ndef
    _ = try await plan(Self.long, on: model)
    #expect(await model.ndef == before)
    #expect(await model.sent(0xD6, 0xD7).isEmpty)
  }

  @Test("a tag that holds the message already is not written")
  func alreadyCorrect() async throws {
    let model = ModelType4Tag()
    _ = try await write(example, to: model)
    await model.setFaults(.init())
    let report = try await write(example, to: model)
    #expect(report.wasAlreadyCorrect)
    #expect(report.pagesWritten == 0)
    #expect(await model.sent(0xD6).isEmpty)
    #expect(await model.commands.count == 8)
  }

  @Test("only what differs is sent")
  func onlyDifferences() async throws {
    let model = ModelType4Tag()
    _ = try await write(NDEFMessage(uri: "https://example.com/menu/dinner/item/1234"), to: model)
    await model.setFaults(.init())
    _ = try await write(NDEFMessage(uri: "https://example.com/menu/dinner/item/1239"), to: model)
    #expect(await model.sent(0xD6).map { Array($0[2...]) } == [[0x00, 0x27, 0x01, 0x39]])
  }

  @Test("a longer message goes in pieces of MLc: length 0 first, the length last")
  func pieces() async throws {
    let model = Self.small(example.bytes)
    let plan = try await plan(Self.long, on: model)
    #expect(plan.steps.first?.purpose == .withdraw)
    #expect(plan.steps.last?.purpose == .publish)
    #expect(plan.steps.last?.offset == 0)
    #expect(plan.steps.dropFirst().dropLast().allSatisfy { $0.purpose == .data })
    #expect(plan.steps.allSatisfy { $0.after.count <= 0x34 })
    await model.setFaults(.init())
    let report = try await plan.execute(over: model)
    #expect(report.exchanges == plan.expectedExchanges)
    #expect(await model.message == Self.long.bytes)
    #expect(await model.sent(0xB0).allSatisfy { $0[4] <= 0x3B })
  }

  @Test("no UPDATE BINARY is longer than the reader carries")
  func carried() async throws {
    let model = ModelType4Tag(maximumAnswerByteCount: 60)
    _ = try await write(Self.long, to: model)
    #expect(await model.message == Self.long.bytes)
    #expect(await model.sent(0xD6).allSatisfy { $0[4] <= 55 })
  }

  @Test("an extended file is written behind offset 7FFF")
  func extended() async throws {
    let message = NDEFMessage(uri: "https://" + String(repeating: "x", count: 0x8200))
    let model = ModelType4Tag(
      container: ModelType4Tag.container(
        version: 0x30, read: 0xFF, write: 0xFF, size: 0x9000, extended: true), size: 0x9000)
    let report = try await write(message, to: model)
    #expect(report.tag.content == .message(message.bytes))
    #expect(await Array(model.ndef[4..<4 + message.bytes.count]) == message.bytes)
    #expect(await !model.sent(0xD7).isEmpty)
    #expect(await model.sent(0xD6).allSatisfy { $0[2] < 0x80 })
  }

  @Test("the longest message fits and one byte more does not")
  func capacity() async throws {
    let model = ModelType4Tag()
    let fits = NDEFMessage(uri: "https://" + String(repeating: "x", count: 254 - 5))
    #expect(fits.bytes.count == 254)
    _ = try await write(fits, to: model)
    #expect(await model.message == fits.bytes)
    let tooLong = NDEFMessage(uri: "https://" + String(repeating: "x", count: 254 - 4))
    await #expect(throws: TagError.Code.tagTooSmall) {
      try await codeOf { () async throws(TagError) in _ = try await write(tooLong, to: model) }
    }
    #expect(await model.message == fits.bytes)
  }

  @Test("erasing sets the length to 0 with one command; erasing again sends none")
  func erases() async throws {
    let model = ModelType4Tag()
    _ = try await write(example, to: model)
    for count in [1, 0] {
      await model.setFaults(.init())
      let plan = try await Tag.identify(over: model).planErase(over: model)
      let report = try await plan.execute(over: model)
      #expect(report.tag.content == .empty)
      #expect(await model.sent(0xD6).count == count)
      #expect(await model.message == [])
    }
  }

  @Test(
    "access bytes forbid writing before anything is sent",
    arguments: [
      (0xFF, TagError.Code.tagLocked), (0x80, .tagPassword), (0xFE, .tagPassword),
    ] as [(UInt8, TagError.Code)])
  func access(writeAccess: UInt8, code: TagError.Code) async throws {
    let model = ModelType4Tag(
      container: ModelType4Tag.container(size: 0x100, writeAccess: writeAccess))
    let tag = try await Tag.identify(over: model)
    #expect(tag.isLocked == (code == .tagLocked))
    #expect(tag.isPasswordProtected == (code == .tagPassword))
    await #expect(throws: code) {
      try await codeOf { () async throws(TagError) in
        _ = try await tag.planWrite(example, over: model)
      }
    }
    #expect(await model.sent(0xD6).isEmpty)
  }

  @Test("a tag that reads as wanted needs no write access")
  func lockedAndRight() async throws {
    let file = [0x00, UInt8(example.bytes.count)] + example.bytes
    let model = ModelType4Tag(
      container: ModelType4Tag.container(size: 0x100, writeAccess: 0xFF), file: file)
    #expect(try await write(example, to: model).wasAlreadyCorrect)
  }

  @Test(
    "what the tag says to UPDATE BINARY is named",
    arguments: [
      (0x6982, TagError.Code.tagPassword), (0x6A84, .writeRefused), (0x6985, .writeRefused),
      (0x6581, .writeRefused), (0x6123, .writeRefused),
    ] as [(UInt16, TagError.Code)])
  func updateStatus(status: UInt16, code: TagError.Code) async throws {
    let model = ModelType4Tag()
    var faults = ModelType4Tag.Faults()
    faults.updateStatus = status
    await model.setFaults(faults)
    do {
      _ = try await write(example, to: model)
      Issue.record("written")
    } catch {
      #expect(error.code == code)
      #expect(error.message.contains(String(status, radix: 16, uppercase: true)))
      #expect(error.offset == (code == .writeRefused ? 1 : nil))
    }
    // A memory failure may pass; every other status decides.
    #expect(await model.sent(0xD6).count == (status == 0x6581 ? 3 : 1))
  }

  @Test("a status that no tag gives is asked for again, and never taken for a refusal")
  func garbledStatus() async throws {
    let model = ModelType4Tag()
    var faults = ModelType4Tag.Faults()
    faults.updateStatus = 0x9100
    await model.setFaults(faults)
    do {
      _ = try await write(example, to: model)
      Issue.record("written")
    } catch {
      #expect(error.code == .writeRefused)
      #expect(error.message.contains("nothing was written"))
    }
    #expect(await model.sent(0xD6).count == 3)
  }

  @Test("a byte that is stored wrong fails verification, with its offset")
  func verifies() async throws {
    let model = ModelType4Tag()
    var faults = ModelType4Tag.Faults()
    faults.wrongOffset = 9
    await model.setFaults(faults)
    do {
      _ = try await write(example, to: model)
      Issue.record("verified")
    } catch {
      #expect(error.code == .verifyFailed)
      #expect(error.offset == 9)
      #expect(error.message.contains("offset 9"))
    }
  }

  @Test("a tag with a random UID is read back without a field cycle, and the report says so")
  func randomUID() async throws {
    let model = ModelType4Tag(uid: [0x08, 0x12, 0x34, 0x56])
    let report = try await write(example, to: model)
    #expect(!report.wasReadAfterFieldCycle)
    #expect(await model.message == example.bytes)
    #expect(await model.selections == 1)
    #expect(await model.fieldCycles == 0)
  }

  @Test("a plan for one tag is not executed on another")
  func otherTag() async throws {
    let plan = try await plan(example, on: ModelType4Tag())
    let other = ModelType4Tag(uid: [4, 1, 2, 3, 4, 5, 6])
    await #expect(throws: TagError.Code.tagChanged) {
      try await codeOf { () async throws(TagError) in _ = try await plan.execute(over: other) }
    }
    #expect(await other.commands.isEmpty)
  }
}

/// A Type 4 tag is pulled away, swapped or disturbed after every possible number of commands.
@Suite("Type 4 tags: torn writes")
struct Type4TearTests {
  private static let short = NDEFMessage(uri: "https://www.example.org/").bytes
  private static let longURL = "https://example.org/" + String(repeating: "lorem/", count: 30)
  private static let messages = [example, NDEFMessage(uri: longURL)]
  private static let older = NDEFMessage(
    uri: "https://" + String(repeating: "ipsum/", count: 45)
  ).bytes
  /// The tag's previous contents: empty, a short message, a long one, a torn one.
  private static let starts: [[UInt8]] = [
    [0, 0], [0, UInt8(short.count)] + short,
    [UInt8(older.count >> 8), UInt8(older.count & 0xFF)] + older, [0xFF, 0xFF, 0xD1],
  ]

  private static func model(_ start: [UInt8]) -> ModelType4Tag {
    ModelType4Tag(container: ModelType4Tag.container(size: 0x200), file: start, size: 0x200)
  }

  @Test(
    """
    a tag pulled away after any command reads as the old message, empty or the new one, and the \
    next run finishes it
    """,
    arguments: starts, messages)
  func tear(start: [UInt8], message: NDEFMessage) async throws {
    let fresh = Self.model(start)
    let old = await fresh.message
    let plan = try await Tag.identify(over: fresh).planWrite(message, over: fresh)
    for count in 0..<plan.expectedExchanges {
      let model = Self.model(start)
      var faults = ModelType4Tag.Faults()
      faults.vanishesAfter = count
      await model.setFaults(faults)
      do throws(TagError) {
        _ = try await plan.execute(over: model)
        Issue.record("reported success after \(count)")
      } catch {
        // Two selections come first.
        #expect(error.code == (count < 2 ? .tagLost : .tornWrite), "\(count)")
        #expect(error.message.contains("nothing was written") == (count < 2))
      }
      let seen = await model.message
      #expect(seen == old || seen == [] || seen == message.bytes, "after \(count)")
      await model.setFaults(.init())
      let again = try await Tag.identify(over: model).planWrite(message, over: model)
      _ = try await again.execute(over: model)
      #expect(await model.message == message.bytes)
    }
  }

  @Test(
    "a command cut anywhere never mixes two messages, and the next run finishes what it left",
    arguments: starts, messages)
  func halfUpdate(start: [UInt8], message: NDEFMessage) async throws {
    let fresh = Self.model(start)
    let old = await fresh.message
    let plan = try await Tag.identify(over: fresh).planWrite(message, over: fresh)
    for (index, step) in plan.steps.enumerated() {
      // The two bytes of a length are assumed to change at once.
      for byteCount in 0..<step.after.count where step.offset != 0 || byteCount != 1 {
        let model = Self.model(start)
        var faults = ModelType4Tag.Faults()
        faults.vanishesAfter = 2 + index
        faults.lastUpdateByteCount = byteCount
        await model.setFaults(faults)
        await #expect(throws: TagError.Code.tornWrite) {
          try await codeOf { () async throws(TagError) in _ = try await plan.execute(over: model) }
        }
        await model.setFaults(.init())
        let next = try await Tag.identify(over: model).planWrite(message, over: model)
        let seen = await model.message
        #expect(
          seen == old || seen == [] || seen == message.bytes || next.onlyPublishes,
          "\(index), \(byteCount)")
        _ = try await next.execute(over: model)
        #expect(await model.message == message.bytes)
      }
    }
  }

  @Test("a new tag takes one command, one with other bytes in the way two")
  func commandCount() async throws {
    for (start, count) in zip(Self.starts, [1, 2, 2, 2]) {
      let model = Self.model(start)
      let plan = try await Tag.identify(over: model).planWrite(example, over: model)
      #expect(plan.steps.count == count)
    }
  }

  @Test("a damaged message of another length is not taken for our own half-write")
  func foreignDamage() async throws {
    let model = Self.model([0x00, 0x20] + [UInt8](repeating: 0xD1, count: 0x20))
    let plan = try await Tag.identify(over: model).planWrite(example, over: model)
    #expect(!plan.onlyPublishes)
  }

  @Test("a tag swapped at any command is never written, and the error says tag-changed")
  func swapped() async throws {
    let fresh = Self.model([0, 0])
    let plan = try await Tag.identify(over: fresh).planWrite(Self.messages[1], over: fresh)
    for count in 0..<plan.expectedExchanges {
      let model = Self.model([0, 0])
      var faults = ModelType4Tag.Faults()
      faults.swappedAfter = count
      await model.setFaults(faults)
      await #expect(throws: TagError.Code.tagChanged) {
        try await codeOf { () async throws(TagError) in _ = try await plan.execute(over: model) }
      }
      #expect(await model.commands.count <= count)
    }
  }

  @Test("an answer lost or refused once at any command does not stop the write")
  func transientFaults() async throws {
    for count in 0..<15 {
      for isLost in [true, false] {
        let model = Self.model([0, 0])
        let plan = try await Tag.identify(over: model).planWrite(Self.messages[1], over: model)
        var faults = ModelType4Tag.Faults()
        if isLost { faults.lostAnswers = [count] } else { faults.refusals = [count] }
        await model.setFaults(faults)
        let report = try await plan.execute(over: model)
        #expect(report.tag.content == .message(Self.messages[1].bytes))
      }
    }
  }

  @Test("a command that never gets through is given up after three attempts")
  func bound() async throws {
    let model = Self.model([0, 0])
    let plan = try await Tag.identify(over: model).planWrite(example, over: model)
    var faults = ModelType4Tag.Faults()
    faults.refusals = Set(0..<1000)
    await model.setFaults(faults)
    await #expect(throws: TagError.Code.writeRefused) {
      try await codeOf { () async throws(TagError) in _ = try await plan.execute(over: model) }
    }
    #expect(await model.commands.isEmpty)
    #expect(await model.message == [])
  }
}
