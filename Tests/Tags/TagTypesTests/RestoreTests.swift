import CliptagBasics
import NDEF
import Testing

@testable import TagTypes

@Suite("Restoring a dump")
struct RestoreTests {
  static let message = NDEFMessage(uri: "https://example.com/menu/dinner").bytes
  static let other: [UInt8] = [0x04, 0xDB, 0x0B, 0xDA, 0x99, 0x3C, 0x80]

  /// Returns the dump of a tag with a message after the factory's blocks.
  static func dump(
    _ layout: Type2Layout = .ntag213, message: [UInt8] = message,
    prepare: (ModelTag) async -> Void = { _ in }
  ) async throws -> Type2Dump {
    let model = ModelTag(layout, uid: other)
    let tag = try await Type2Tag.identify(over: model)
    let plan = try await tag.plan(message, over: model, overwritingForeignData: false)
    _ = try await plan.execute(over: model)
    await prepare(model)
    return try await Type2Tag.identify(over: model).dump(over: model)
  }

  static func plan(
    _ dump: Type2Dump, on model: ModelTag, _ options: RestoreOptions = RestoreOptions()
  ) async throws -> RestorePlan {
    try await Type2Tag.identify(over: model).planRestore(dump, options: options, over: model)
  }

  @Test(
    "a saved dump gives its message without the tag",
    arguments: [Type2Layout.ntag213, .ntag215, .ntag216, .ultralightEV1Large])
  func dumpedMessage(layout: Type2Layout) async throws {
    let dump = try await Self.dump(layout)
    #expect(dump.content == .message(Self.message))
    let unnamed = try #require(Type2Dump(uid: dump.uid, name: "a tag", pages: dump.pages))
    #expect(unnamed.content == .message(Self.message))
    var pages = dump.pages
    pages[5] = nil
    let holed = try #require(Type2Dump(uid: dump.uid, name: dump.name, pages: pages))
    #expect(holed.content == .unreadable(page: 5))
    let cut = try #require(
      Type2Dump(uid: dump.uid, name: dump.name, pages: Array(dump.pages[..<6])))
    #expect(cut.content == .unreadable(page: 6))
  }

  @Test(
    "every user page comes back, and nothing outside them changes",
    arguments: [Type2Layout.ntag213, .ntag215, .ntag216, .ntag210, .ntag212, .ultralightEV1Large])
  func wholeArea(layout: Type2Layout) async throws {
    let dump = try await Self.dump(layout)
    let model = ModelTag(layout)
    await model.store([0xFE, 1, 2, 3], at: layout.userPages.upperBound)
    let before = await model.memory
    let plan = try await Self.plan(dump, on: model)
    #expect(plan.content == .message(Self.message))
    _ = try await plan.write.execute(over: model)
    for page in layout.userPages { #expect(await model.page(page) == dump.pages[page]) }
    let after = await model.memory
    for page in 0..<layout.pageCount where page > 3 && !layout.userPages.contains(page) {
      #expect(after[page * 4..<page * 4 + 4] == before[page * 4..<page * 4 + 4])
    }
    #expect(try await Self.plan(dump, on: model).write.isAlreadyCorrect)
  }

  @Test("the length becomes 0 first, and alone makes the message seen at the end")
  func order() async throws {
    let dump = try await Self.dump()
    let steps = try await Self.plan(dump, on: try await Self.holding(Self.old)).write.steps
    #expect(steps.first?.page == 5 && steps.first?.purpose == .withdraw)
    #expect(steps.first?.after == [0x34, 0x03, 0x00, 0xD1])
    #expect(steps.last?.page == 5 && steps.last?.purpose == .publish)
    let last = try #require(steps.last)
    #expect(zip(last.before, last.after).count { $0 != $1 } == 1)
    #expect(Set(steps.dropFirst().dropLast().map(\.purpose)) == [.data])
  }

  @Test("where other blocks lie in front of the message, page 4 hides and shows it")
  func otherBlocks() async throws {
    let dump = try await Self.dump()
    let model = ModelTag(.ntag213)
    await model.store([0x03, 0x03, 0xD0, 0x00, 0x00, 0xFE, 0x00, 0x00], at: 4)
    let steps = try await Self.plan(dump, on: model).write.steps
    #expect(steps.first?.after == [0x03, 0x00, 0xD0, 0x00])
    #expect(steps.last?.page == 4 && steps.last?.after == [0x01, 0x03, 0xA0, 0x0C])
    _ = try await Self.plan(dump, on: model).write.execute(over: model)
    #expect(messageByAnotherReader(await model.memory) == Self.message)
  }

  static let old = NDEFMessage(uri: "https://example.org/old").bytes

  @Test("a tag pulled away at any step holds the old message, none or the dump's, and is finished")
  func torn() async throws {
    let old = Self.old
    let dump = try await Self.dump()
    let count = try await Self.plan(dump, on: try await Self.holding(old)).write.expectedExchanges
    for limit in 0..<count {
      for byteCount in [nil, 0, 1, 2, 3] {
        let model = try await Self.holding(old)
        let plan = try await Self.plan(dump, on: model)
        await model.setFaults(
          .init(
            vanishesAfter: limit, lastCommandCounts: byteCount == nil,
            lastWriteByteCount: byteCount))
        await #expect(throws: TagError.self) { _ = try await plan.write.execute(over: model) }
        let held = messageByAnotherReader(await model.memory)
        #expect([old, [], Self.message].contains(held), "after \(limit) commands")
        await model.setFaults(.init())
        _ = try await Self.plan(dump, on: model).write.execute(over: model)
        #expect(messageByAnotherReader(await model.memory) == Self.message)
      }
    }
  }

  static func holding(_ message: [UInt8]) async throws -> ModelTag {
    let model = ModelTag(.ntag213)
    let tag = try await Type2Tag.identify(over: model)
    _ = try await tag.plan(message, over: model, overwritingForeignData: false)
      .execute(over: model)
    return model
  }

  @Test(
    "a dump without a message is refused before it takes the message from a tag",
    arguments: [
      [0, 0, 0, 0], [0x03, 0xFE, 0xD1, 0x01], [0xFD, 0x02, 1, 2], [0x42, 0xFF, 0xFF, 0],
    ])
  func withoutMessage(beginning: [UInt8]) async throws {
    let dump = try await Self.dump { model in
      for page in Type2Layout.ntag213.userPages { await model.store([0, 0, 0, 0], at: page) }
      await model.store(beginning, at: 4)
    }
    let model = try await Self.holding(Self.message)
    await #expect(throws: TagError(.dumpMismatch, "", hint: "")) {
      _ = try await Self.plan(dump, on: model)
    }
    let empty = try await Self.dump { await $0.store([0x03, 0x00, 0xFE, 0x00], at: 4) }
    #expect(try await Self.plan(empty, on: model).content == .empty)
  }

  @Test("a dump of another product, or of another size, is refused")
  func otherProduct() async throws {
    let dump = try await Self.dump(.ntag215)
    await #expect(throws: TagError(.dumpMismatch, "", hint: "")) {
      _ = try await Self.plan(dump, on: ModelTag(.ntag213))
    }
    let short = try #require(
      Type2Dump(uid: dump.uid, name: "NTAG215", pages: Array(dump.pages.dropLast())))
    await #expect(throws: TagError(.dumpMismatch, "", hint: "")) {
      _ = try await Self.plan(short, on: ModelTag(.ntag215))
    }
  }

  @Test("a dump that lacks a page of the data area is refused with the page")
  func unreadablePage() async throws {
    let whole = try await Self.dump()
    var pages = whole.pages
    pages[9] = nil
    let dump = try #require(Type2Dump(uid: whole.uid, name: whole.name, pages: pages))
    let error = await #expect(throws: TagError.self) {
      _ = try await Self.plan(dump, on: ModelTag(.ntag213))
    }
    #expect(error?.code == .dumpMismatch)
    #expect(error?.page == 9)
  }

  @Test("password, PACK and lock bits of a dump are never written, and it is said what is left out")
  func leftOut() async throws {
    let dump = try await Self.dump { model in
      await model.store([0x04, 0, 0, 0x20], at: 0x29)  // AUTH0
      await model.store([0x0F, 0, 0, 0], at: 0x28)
      await model.store([0x00, 0x48, 0xFF, 0xFF], at: 2)
      await model.store([0x57, 0x00, 0, 0], at: 0x2A)
    }
    let model = ModelTag(.ntag213)
    let plan = try await Self.plan(dump, on: model, RestoreOptions(restoresConfiguration: true))
    #expect(plan.notes.contains(.locksLeft))
    #expect(plan.notes.contains(.passwordLeft(fromPage: 0x20)))
    _ = try await plan.write.execute(over: model)
    #expect(await model.page(0x28) == [0, 0, 0, 0xBD])
    #expect(await model.page(0x29) == [0x04, 0, 0, 0xFF])
    #expect(await model.page(0x2A) == [0x10, 0, 0, 0], "the counter's switch alone")
    #expect(await model.page(0x2B) == [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(await model.memory[10..<12] == [0, 0])
  }

  @Test("settings come back only when asked for, and are named when they do not")
  func settings() async throws {
    let dump = try await Self.dump { await $0.store([0x10, 0, 0, 0], at: 0x2A) }
    let model = ModelTag(.ntag213)
    let plan = try await Self.plan(dump, on: model)
    #expect(plan.notes == [.configurationLeft])
    #expect(!plan.write.changedPages.contains { $0 > 0x27 })
  }

  static func mirrored() async throws -> Type2Dump {
    let url = NDEFMessage(uri: "https://example.com/00000000000000/x").bytes
    return try await dump(.ntag215, message: url) { model in
      // "https://" is one byte, so the digits begin 12 characters after byte 5 of page 5.
      await model.store([0x54, 0, 0x08, 0xFF], at: 0x83)
    }
  }

  @Test("text that a mirror showed is not written as stored text unasked")
  func mirrorRefused() async throws {
    let dump = try await Self.mirrored()
    await #expect(throws: TagError(.mirroredText, "", hint: "")) {
      _ = try await Self.plan(dump, on: ModelTag(.ntag215))
    }
  }

  @Test("with its mirror restored, zeros lie below it, and the tag shows its own UID")
  func mirrorRestored() async throws {
    let dump = try await Self.mirrored()
    let model = ModelTag(.ntag215)
    let plan = try await Self.plan(dump, on: model, RestoreOptions(restoresConfiguration: true))
    let report = try await plan.write.execute(over: model)
    #expect(report.tag.content == plan.content)
    #expect(report.tag.content != (try await Self.dumpContent(dump)))
    let memory = await model.memory
    #expect(!memory[20...].hexadecimal.contains(Self.other.hexadecimal.utf8.hexadecimal))
    guard case .message(let shown) = plan.content else {
      Issue.record("no message")
      return
    }
    #expect(String(decoding: shown, as: UTF8.self).contains(ModelTag.uid.hexadecimal))
    #expect(
      try await Self.plan(dump, on: model, RestoreOptions(restoresConfiguration: true))
        .write.isAlreadyCorrect)
  }

  @Test("frozen on request, the dumped tag's UID is stored text")
  func mirrorFrozen() async throws {
    let dump = try await Self.mirrored()
    let model = ModelTag(.ntag215)
    let plan = try await Self.plan(dump, on: model, RestoreOptions(freezesMirror: true))
    let report = try await plan.write.execute(over: model)
    #expect(report.tag.content == (try await Self.dumpContent(dump)))
    #expect(plan.notes.contains { if case .mirrorFrozen = $0 { true } else { false } })
  }

  static func dumpContent(_ dump: Type2Dump) async throws -> TagContent {
    let model = ModelTag(.ntag215, memory: dump.pages.flatMap { $0 ?? [0, 0, 0, 0] })
    await model.store([0x04, 0, 0, 0xFF], at: 0x83)
    return try await Type2Tag.identify(over: model).content
  }

  @Test("a tag whose own mirror would cover the restored data is refused")
  func mirrorInTheWay() async throws {
    let dump = try await Self.dump(.ntag215)
    let model = ModelTag(.ntag215)
    await model.store([0x44, 0, 0x06, 0xFF], at: 0x83)
    await #expect(throws: TagError(.mirroredText, "", hint: "")) {
      _ = try await Self.plan(dump, on: model)
    }
    let plan = try await Self.plan(dump, on: model, RestoreOptions(restoresConfiguration: true))
    #expect(try await plan.write.execute(over: model).tag.content == .message(Self.message))
  }

  @Test("a blank tag gets the capability container of its product, never a read-only one")
  func formats() async throws {
    let dump = try await Self.dump(.ultralight) { await $0.store([0xE1, 0x10, 0x06, 0x0F], at: 3) }
    let model = ModelTag(.ultralight)
    let plan = try await Self.plan(dump, on: model)
    #expect(plan.notes.contains(.containerLeft))
    #expect(plan.write.irreversible.count == 1)
    _ = try await plan.write.execute(over: model)
    #expect(await model.page(3) == [0xE1, 0x10, 0x06, 0x00])
    #expect(messageByAnotherReader(await model.memory) == Self.message)
  }

  @Test("a locked page and a locked configuration are named before anything is written")
  func locked() async throws {
    let dump = try await Self.dump(.ntag213) { await $0.store([0x10, 0, 0, 0], at: 0x2A) }
    let model = ModelTag(.ntag213)
    await model.store([0x40, 0, 0, 0], at: 0x2A)
    await #expect(throws: TagError(.tagLocked, "", hint: "")) {
      _ = try await Self.plan(dump, on: model, RestoreOptions(restoresConfiguration: true))
    }
    let page = ModelTag(.ntag213)
    await page.store([0x04, 0x48, 0x40, 0x00], at: 2)
    let error = await #expect(throws: TagError.self) { _ = try await Self.plan(dump, on: page) }
    #expect(error?.code == .tagLocked)
    #expect(await page.writes.isEmpty)
  }
}
