import NDEF
import Testing

@testable import TagTypes

/// The commands and selections that operations cost, counted at the tag.
@Suite("Exchanges a tag costs")
struct ExchangeCountTests {
  private func issue(
    _ message: NDEFMessage, on model: ModelTag
  ) async throws -> (plan: WritePlan, commands: [UInt8], count: Int) {
    await model.setFaults(.init())
    let plan = try await Type2Tag.identify(over: model).planWrite(message, over: model)
    _ = try await plan.execute(over: model)
    let commands = await model.commands
    return (plan, commands.map { $0[0] }, commands.count + (await model.selections))
  }

  @Test("a new NTAG215 takes sixteen, from the selection to verified")
  func new() async throws {
    let (plan, commands, count) = try await issue(example, on: ModelTag(.ntag215))
    #expect(
      commands == [0x3A, 0x3A] + [UInt8](repeating: 0xA2, count: 12) + [0x3A])
    #expect(count == 16)
    #expect(plan.tag.exchanges + plan.expectedExchanges == 16)
  }

  @Test(
    "a tag that is right already takes two, with its locks and password known",
    arguments: [Type2Layout.ntag213, .ntag215, .ntag216])
  func right(layout: Type2Layout) async throws {
    let model = ModelTag(layout)
    _ = try await issue(example, on: model)
    for isLocked in [false, true] {
      if isLocked {
        await model.store([0x01, 0, 0, 0xBD], at: try #require(layout.dynamicLockPage))
      }
      let (plan, commands, count) = try await issue(example, on: model)
      #expect(plan.isAlreadyCorrect)
      #expect(commands == [0x3A, 0x3A])
      #expect(count == 2)
      #expect(plan.tag.isLocked == isLocked)
      #expect(plan.tag.isPasswordProtected == false)
      #expect(plan.tag.type2?.configuration != nil)
    }
  }

  @Test("a re-encoded tag takes its changed pages and three, and one selection")
  func reencoded() async throws {
    let model = ModelTag(.ntag215)
    _ = try await issue(example, on: model)
    for (uri, pages) in [
      ("https://example.com/menu/dinner/item/1235", [4, 13, 4]),
      ("https://example.com/menu/supper", [4, 5, 10, 11, 4]),
    ] {
      let (plan, commands, count) = try await issue(NDEFMessage(uri: uri), on: model)
      // The page with the length changes twice if other pages change, too.
      #expect(plan.steps.compactMap(\.page) == pages)
      #expect(commands.count == plan.steps.count + 3)
      #expect(count == plan.steps.count + 4)
    }
  }

  @Test("reading a tag with its configuration takes two, and one more for a long message")
  func reading() async throws {
    let model = ModelTag(.ntag216)
    _ = try await issue(example, on: model)
    let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
    #expect(tag.exchanges == 2)
    #expect(tag.version == nil)
    let asked = try await tag.readingVersion(over: model)
    #expect(asked.exchanges == 3)
    #expect(asked.version == Type2Layout.ntag216.version)
    #expect(try await asked.readingVersion(over: model).exchanges == 3)
    _ = try await issue(
      NDEFMessage(uri: "https://" + String(repeating: "x", count: 200)), on: model)
    let long = try await Type2Tag.identify(over: model, includingConfiguration: true)
    #expect(long.exchanges == 3)
  }

  @Test("a MIFARE Ultralight takes five, new or in use")
  func ultralight() async throws {
    let model = ModelTag(.ultralight)
    #expect(try await Type2Tag.identify(over: model).exchanges == 5)
    let (_, commands, _) = try await issue(example, on: model)
    #expect(!commands.contains(0x60) && !commands.contains(0x1A))
    let used = try await Type2Tag.identify(over: model, includingConfiguration: true)
    #expect(used.layout == .ultralight)
    #expect(used.exchanges == 5)
  }

  @Test("products that share their container with another are asked for their version")
  func ambiguous() async throws {
    for layout in [
      Type2Layout.ntag210, .ntag212, .ultralightEV1Small, .ultralightEV1Large,
    ] {
      let model = ModelTag(layout)
      _ = try await issue(NDEFMessage(uri: "https://a.example"), on: model)
      let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
      #expect(tag.layout == layout)
      #expect(tag.exchanges == 3)
      #expect(tag.configuration != nil)
    }
  }
}

@Suite("Telling products apart")
struct RecognitionTests {
  private func prepared(_ layout: Type2Layout) async throws -> ModelTag {
    let model = ModelTag(layout)
    let plan = try await Type2Tag.identify(over: model).planWrite(example, over: model)
    _ = try await plan.execute(over: model)
    return model
  }

  @Test("a container of one product on another product does not make it that product")
  func wrongContainer() async throws {
    let model = try await prepared(.ultralightEV1Large)
    await model.store([0xE1, 0x10, 0x12, 0x00], at: 3)
    #expect(try await Type2Tag.identify(over: model).layout == .ultralightEV1Large)
    let larger = try await prepared(.ntag216)
    await larger.store([0xE1, 0x10, 0x3E, 0x00], at: 3)
    #expect(try await Type2Tag.identify(over: larger).layout == .ntag216)
  }

  @Test("an unknown product with the container and the message of an NTAG215 stays unknown")
  func unknown() async throws {
    let layout = Type2Layout.other(pageCount: 200, container: [0xE1, 0x10, 0x3E, 0x00])
    let model = ModelTag(layout, memory: ModelTag.factory(layout))
    await model.store([0xE1, 0x10, 0x3E, 0x00], at: 3)
    await model.store([0x03, 0x03, 0xD0, 0x00, 0x00, 0xFE, 0, 0], at: 4)
    let tag = try await Type2Tag.identify(over: model)
    #expect(!tag.layout.isKnownProduct && tag.name == "like MIFARE Ultralight EV1 MF0UL21")
    #expect(tag.content == .message([0xD0, 0, 0]))
    #expect(tag.memory[0x82] == nil, "what was read in vain is not kept")
  }

  @Test("a password over the configuration is found although the version must be asked for")
  func closedConfiguration() async throws {
    let model = try await prepared(.ntag215)
    await model.store([0x04, 0, 0, 0x82, 0x80, 0, 0, 0], at: 0x83)
    let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
    #expect(tag.layout == .ntag215)
    #expect(tag.isPasswordProtected == true)
    #expect(tag.content == .message(example.bytes))
  }

  @Test(
    "a password over the first pages does not turn an NTAG into a MIFARE Ultralight",
    arguments: [Type2Layout.ntag210, .ntag213, .ultralightEV1Small], [4, 5, 7, 9, 14])
  func closedMemory(layout: Type2Layout, page: Int) async throws {
    let model = ModelTag(layout)
    let configuration = try #require(layout.configurationPage)
    await model.store([0, 0, 0, UInt8(page), 0x80, 0, 0, 0], at: configuration)
    let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
    #expect(tag.layout == layout)
    #expect(tag.isPasswordProtected == true)
  }

  @Test("one disturbed FAST_READ does not turn another product into a MIFARE Ultralight")
  func disturbed() async throws {
    for layout in Type2Layout.all where layout.version != nil {
      var faults = ModelTag.Faults()
      faults.cutAnswers = [0]
      let model = ModelTag(layout, faults: faults)
      let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
      #expect(tag.layout == layout)
    }
  }

  @Test("a new MIFARE Ultralight C is not taken for a smaller product and formatted as one")
  func ultralightC() async throws {
    let model = ModelTag(.ultralightC)
    let tag = try await Type2Tag.identify(over: model)
    #expect(tag.layout == .ultralightC)
    #expect(tag.capacity == 142)
    #expect(tag.isPasswordProtected == nil)
    let plan = try await tag.planWrite(example, over: model)
    let report = try await plan.execute(over: model)
    #expect(report.tag.isPasswordProtected == false)
    #expect(await model.page(3) == [0xE1, 0x10, 0x12, 0x00])
    let used = try await Type2Tag.identify(over: model)
    #expect(used.layout == .ultralightC)
    #expect(used.content == .message(example.bytes))
  }

  @Test("the key of a MIFARE Ultralight C counts as a password", arguments: [true, false])
  func tripleDES(closesReading: Bool) async throws {
    let model = try await prepared(.ultralightC)
    await model.store([6, 0, 0, 0, closesReading ? 0 : 1, 0, 0, 0], at: 0x2A)
    let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
    #expect(tag.layout == .ultralightC)
    #expect(tag.isPasswordProtected == true)
    await #expect(throws: TagError.Code.tagPassword) {
      try await codeOf { () async throws(TagError) in
        _ = try await tag.planWrite(NDEFMessage(uri: "https://b.example"), over: model)
      }
    }
    let dump = try await tag.dump(over: model)
    #expect(dump.pages.count == 48)
    #expect(dump.pages[44...].allSatisfy { $0 == nil }, "the key never reads")
  }

  @Test("the lock bits of a MIFARE Ultralight C stand in groups of three behind one that is not")
  func ultralightCLocks() async throws {
    for (bit, pages) in [
      (1, 0x10...0x13), (2, 0x14...0x17), (3, 0x18...0x1B), (5, 0x1C...0x1F), (6, 0x20...0x23),
      (7, 0x24...0x27),
    ] {
      let model = try await prepared(.ultralightC)
      await model.store([1 << UInt8(bit), 0, 0, 0], at: 0x28)
      let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
      for page in 0x10...0x27 {
        #expect(tag.protection(of: page) == (pages.contains(page) ? .locked : .open))
      }
      #expect(tag.isLocked)
    }
    for bit in [0, 4] {
      let model = try await prepared(.ultralightC)
      await model.store([1 << UInt8(bit), 0, 0, 0], at: 0x28)
      #expect(try await !Type2Tag.identify(over: model, includingConfiguration: true).isLocked)
    }
  }
}
