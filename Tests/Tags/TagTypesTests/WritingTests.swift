import CliptagBasics
import NDEF
import Testing

@testable import TagTypes

@Suite("Planning, writing, verifying, erasing")
struct WritingTests {
  static let products = [Type2Layout.ntag213, .ntag215, .ntag216, .ultralight]

  /// Writes a message and returns the report.
  private func write(
    _ message: NDEFMessage, to model: ModelTag
  ) async throws(TagError) -> WriteReport {
    let tag = try await Type2Tag.identify(over: model)
    return try await tag.planWrite(message, over: model).execute(over: model)
  }

  @Test("a message is written and another reader finds it", arguments: products)
  func writes(layout: Type2Layout) async throws {
    let model = ModelTag(layout)
    let report = try await write(example, to: model)
    #expect(report.tag.content == .message(example.bytes))
    #expect(report.byteCount == 38)
    #expect(!report.wasAlreadyCorrect)
    #expect(await messageByAnotherReader(model.memory) == example.bytes)
    #expect(await model.selections == 1)
  }

  @Test("a new NTAG215 takes 16 exchanges with its locks, 11 pages and reading back")
  func economy() async throws {
    let model = ModelTag(.ntag215)
    let tag = try await Type2Tag.identify(over: model)
    let plan = try await tag.planWrite(example, over: model)
    #expect(plan.changedPages == Array(4...14))
    #expect(plan.expectedExchanges == 14)
    let report = try await plan.execute(over: model)
    #expect(report.pagesWritten == 11)
    #expect(report.exchanges == 14)
    #expect(plan.tag.exchanges + report.exchanges == 16)
    #expect(await model.commands.count + model.selections == 16)
    #expect(await model.writes == [4] + Array(5...14) + [4])
  }

  @Test("a tag that holds the message already takes two exchanges and is not written")
  func alreadyCorrect() async throws {
    let model = ModelTag(.ntag215)
    _ = try await write(example, to: model)
    await model.setFaults(.init())
    let report = try await write(example, to: model)
    #expect(report.wasAlreadyCorrect)
    #expect(report.pagesWritten == 0)
    #expect(await model.commands.map { $0[0] } == [0x3A, 0x3A])
  }

  @Test("the report knows every lock, also those that no written page is under")
  func reportsLocks() async throws {
    for layout in [Type2Layout.ntag213, .ntag216] {
      let model = ModelTag(layout)
      let page = try #require(layout.dynamicLockPage)
      await model.store([0x80, 0x00], at: page)
      let report = try await write(example, to: model)
      #expect(report.tag.isLocked)
      #expect(report.tag.isPasswordProtected == false)
      #expect(try await write(example, to: model).tag.isLocked)
    }
  }

  @Test("a blank tag whose formatting stopped in the middle of its first page is still blank")
  func halfFormatted() async throws {
    for bytes: [UInt8] in [[3], [3, 0], [3, 0, 0xFE], [3, 0, 0, 0], [0, 0, 0xFE]] {
      let model = ModelTag(.ultralight)
      await model.store(bytes, at: 4)
      let tag = try await Type2Tag.identify(over: model)
      #expect(tag.content == .unformatted(holdsData: false), "\(bytes)")
      _ = try await write(example, to: model)
      #expect(await messageByAnotherReader(model.memory) == example.bytes)
    }
    for bytes: [UInt8] in [[3, 1], [3, 0, 0xFE, 1], [0xFE]] {
      let model = ModelTag(.ultralight)
      await model.store(bytes, at: 4)
      let tag = try await Type2Tag.identify(over: model)
      #expect(tag.content == .unformatted(holdsData: true), "\(bytes)")
    }
  }

  @Test("only pages that differ are written, between withdrawing and publishing the length")
  func onlyDifferences() async throws {
    let model = ModelTag(.ntag215)
    _ = try await write(NDEFMessage(uri: "https://example.com/menu/dinner/item/1234"), to: model)
    await model.setFaults(.init())
    let report = try await write(
      NDEFMessage(uri: "https://example.com/menu/dinner/item/1235"), to: model)
    #expect(report.pagesWritten == 2)
    #expect(await model.writes == [4, 13, 4])
  }

  @Test("when only the page with the length differs, it alone is written")
  func onlyLengthPage() async throws {
    let model = ModelTag(.ntag215)
    _ = try await write(NDEFMessage(uri: "https://example.com/menu"), to: model)
    // The length page holds the record header too: give the record a long type-length mark.
    await model.store([0x03, 0x11, 0xD1, 0x01], at: 4)
    await model.setFaults(.init())
    let report = try await write(NDEFMessage(uri: "https://example.com/menu"), to: model)
    #expect(report.pagesWritten == 1)
    #expect(await model.writes == [4])
  }

  @Test("a blank Ultralight is formatted, and the plan says that this cannot be undone")
  func formats() async throws {
    let model = ModelTag(.ultralight)
    let tag = try await Type2Tag.identify(over: model)
    let plan = try await tag.planWrite(example, over: model)
    #expect(plan.irreversible.count == 1)
    #expect(plan.steps.map(\.purpose).prefix(3) == [.withdraw, .format, .data])
    #expect(plan.steps.last?.purpose == .publish)
    _ = try await plan.execute(over: model)
    #expect(await model.page(3) == [0xE1, 0x10, 0x06, 0x00])
  }

  @Test("an unformatted tag that holds data is only formatted when that is asked for")
  func foreignData() async throws {
    let model = ModelTag(.ultralight)
    await model.store([1, 2, 3, 4], at: 9)
    let tag = try await Type2Tag.identify(over: model)
    #expect(tag.content == .unformatted(holdsData: true))
    await #expect(throws: TagError.Code.notNDEF) {
      try await codeOf { () async throws(TagError) in
        _ = try await tag.planWrite(example, over: model)
      }
    }
    let plan = try await tag.planWrite(example, over: model, overwritingForeignData: true)
    _ = try await plan.execute(over: model)
    #expect(await messageByAnotherReader(model.memory) == example.bytes)
  }

  @Test("a plan changes nothing", arguments: products)
  func planIsDry(layout: Type2Layout) async throws {
    let model = ModelTag(layout)
    let before = await model.memory
    let tag = try await Type2Tag.identify(over: model)
    let plan = try await tag.planWrite(example, over: model)
    #expect(await model.memory == before)
    #expect(await model.writes.isEmpty)
    for step in plan.steps where step.page != plan.steps.last?.page {
      let address = try #require(step.page) * 4
      #expect(step.before == Array(before[address..<address + 4]))
    }
  }

  @Test("the longest message fits and one byte more does not", arguments: products)
  func capacity(layout: Type2Layout) async throws {
    let model = ModelTag(layout)
    let capacity = try await Type2Tag.identify(over: model).capacity
    let overhead = capacity > 258 ? 8 : 5
    let fits = NDEFMessage(uri: "https://" + String(repeating: "x", count: capacity - overhead))
    #expect(fits.bytes.count == capacity)
    _ = try await write(fits, to: model)
    #expect(await messageByAnotherReader(model.memory) == fits.bytes)
    let before = await model.memory
    let tooLong = NDEFMessage(
      uri: "https://" + String(repeating: "x", count: capacity - overhead + 1))
    await #expect(throws: TagError.Code.tagTooSmall) {
      try await codeOf { () async throws(TagError) in _ = try await write(tooLong, to: model) }
    }
    #expect(await model.memory == before)
  }

  @Test("messages of every length around 254 are written", arguments: 248...262)
  func lengthForms(count: Int) async throws {
    let model = ModelTag(.ntag216)
    let message = NDEFMessage(uri: "https://" + String(repeating: "x", count: count))
    _ = try await write(message, to: model)
    #expect(await messageByAnotherReader(model.memory) == message.bytes)
    _ = try await write(example, to: model)
    #expect(await messageByAnotherReader(model.memory) == example.bytes)
  }

  @Test("erasing leaves an empty message in one write; erasing again writes nothing")
  func erases() async throws {
    let model = ModelTag(.ntag215)
    _ = try await write(example, to: model)
    for expected in [[4], []] {
      await model.setFaults(.init())
      let plan = try await Type2Tag.identify(over: model).planErase(over: model)
      let report = try await plan.execute(over: model)
      #expect(await model.writes == expected)
      #expect(report.wasAlreadyCorrect == expected.isEmpty)
      #expect(await messageByAnotherReader(model.memory) == [])
      #expect(await model.page(4)[..<3] == [0x03, 0x00, 0xFE])
    }
  }

  @Test("a page that stores another byte fails verification and is named")
  func verifies() async throws {
    var faults = ModelTag.Faults()
    faults.wrongPages = [9]
    let model = ModelTag(.ntag215, faults: faults)
    do {
      _ = try await write(example, to: model)
      Issue.record("verified")
    } catch {
      #expect(error.code == .verifyFailed)
      #expect(error.page == 9)
    }
  }

  @Test("one garbled answer while reading back does not fail verification")
  func garbledVerification() async throws {
    var faults = ModelTag.Faults()
    faults.cutAnswers = [14]
    faults.lostAnswers = [15]
    let report = try await write(example, to: ModelTag(.ntag215, faults: faults))
    #expect(report.tag.content == .message(example.bytes))
  }

  @Test("a write that is refused twice and then taken is no failure")
  func retries() async throws {
    var faults = ModelTag.Faults()
    faults.refusedWrites = [7: 2]
    let report = try await write(example, to: ModelTag(.ntag215, faults: faults))
    #expect(report.tag.content == .message(example.bytes))
    #expect(report.exchanges == 16)
  }

  @Test("a page that is refused for no visible reason is named", arguments: [5, 9, 4])
  func refused(page: Int) async throws {
    var faults = ModelTag.Faults()
    faults.refusedWrites = [page: 1000]
    let model = ModelTag(.ntag215, faults: faults)
    do {
      _ = try await write(example, to: model)
      Issue.record("written")
    } catch {
      #expect(error.code == .writeRefused)
      #expect(error.page == page)
      #expect(error.uid == ModelTag.uid)
    }
    #expect(await messageByAnotherReader(model.memory) == [])
  }

  @Test("a plan for one tag is not executed on another")
  func otherTag() async throws {
    let model = ModelTag(.ntag215)
    let plan = try await Type2Tag.identify(over: model).planWrite(example, over: model)
    let other = ModelTag(.ntag215, uid: [4, 1, 2, 3, 4, 5, 6])
    let before = await other.memory
    await #expect(throws: TagError.Code.tagChanged) {
      try await codeOf { () async throws(TagError) in _ = try await plan.execute(over: other) }
    }
    #expect(await other.memory == before)
  }

  @Test("a cancelled task stops before the next page and says how to go on")
  func cancelled() async throws {
    let model = ModelTag(.ntag215)
    let plan = try await Type2Tag.identify(over: model).planWrite(example, over: model)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await plan.execute(over: model)
    }
    let result = await task.result
    #expect(throws: TagError(.cancelled, "", hint: "")) { _ = try result.get() }
    #expect(await model.writes.isEmpty)
  }

  @Test("a dump holds every page", arguments: products)
  func dump(layout: Type2Layout) async throws {
    for refusesToRollOver in [false, true] {
      var faults = ModelTag.Faults()
      faults.refusesToRollOver = refusesToRollOver
      let model = ModelTag(layout, faults: faults)
      let dump = try await Type2Tag.identify(over: model).dump(over: model)
      var memory = await model.memory
      if let page = layout.configurationPage {
        memory.replaceSubrange(
          (page + 2) * 4..<(page + 4) * 4, with: [UInt8](repeating: 0, count: 8))
      }
      #expect(dump.pages.compactMap { $0 }.flatMap { $0 } == memory)
      #expect(dump.pages.count == layout.pageCount)
    }
  }
}
