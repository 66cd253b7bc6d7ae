import NDEF
import Testing

@testable import TagTypes

/// A Type 2 tag without a version: described by its container and, where it has one, the Lock
/// Control block.
private func silentTag(
  areaByteCount: Int, namesLocks: Bool = true, locked: Set<Int> = []
) -> ModelTag {
  let pages = areaByteCount / 4
  let lockPage = 4 + pages
  // From page 16 on, a lock bit covers two or sixteen pages.
  let pagesPerBit = pages < 100 ? 2 : 16
  let hasLocks = pages > 12
  let lockAddress = lockPage * 4
  let bits = (pages - 12 + pagesPerBit - 1) / pagesPerBit
  var blocks: [UInt8] = []
  if hasLocks, namesLocks {
    let place = UInt8(lockAddress / 64 * 16 + lockAddress % 64)
    let unit: UInt8 = pagesPerBit == 2 ? 0x30 : 0x60
    // Pages of 64 bytes; with the sizes below, the remainder fits into four bits.
    blocks = [0x01, 0x03, place, UInt8(bits), unit | 6]
  }
  blocks += [0x03, 0x00, 0xFE]
  let layout = Type2Layout(
    name: "other", pageCount: lockPage + (hasLocks ? 1 : 0), userPages: 4...3 + pages,
    capabilityContainer: [0xE1, 0x10, UInt8(areaByteCount / 8), 0x00], factoryData: blocks,
    dynamicLockPage: hasLocks ? lockPage : nil, pagesPerLockBit: pagesPerBit)
  var faults = ModelTag.Faults()
  for page in locked { faults.refusedWrites[page] = .max }
  return ModelTag(layout, faults: faults)
}

@Suite("Products that are not known")
struct UnknownProductTests {
  /// Sizes of the data area in bytes, from less than a MIFARE Ultralight's to nearly the most that
  /// READ can address.
  static let sizes = [40, 56, 112, 176, 240, 496, 880, 944]

  /// A message of 37 bytes, which fits into the smallest area.
  private static let long = NDEFMessage(
    uri: "https://example.com/" + String(repeating: "a", count: 20))

  private func expectNoReadBehindTheEnd(_ model: ModelTag, pageCount: Int) async {
    let first = await model.commands.filter { $0[0] == 0x30 }.map { Int($0[1]) }
    #expect(first.allSatisfy { $0 < pageCount })
  }

  @Test("lock bytes that a wrong TLV names far behind the memory are not looked for there")
  func farLockBytes() async throws {
    let right = silentTag(areaByteCount: 240)
    let tag = try await Type2Tag.identify(over: right, includingConfiguration: true)
    #expect(tag.configurationPages == 64...64)
    // Pages of 128 bytes instead of 64.
    let wrong = silentTag(areaByteCount: 240)
    _ = try await wrong.exchange([0xA2, 5, 0x67, 0x03, 0x00, 0xFE])
    let other = try await Type2Tag.identify(over: wrong, includingConfiguration: true)
    #expect(other.configurationPages == nil)
    let message = NDEFMessage(uri: "https://example.com/a")
    _ = try await other.planWrite(message, over: wrong).execute(over: wrong)
    await expectNoReadBehindTheEnd(wrong, pageCount: 65)
  }

  @Test("a tag of any size is written, written again, erased and locked", arguments: sizes)
  func wholeLife(areaByteCount: Int) async throws {
    let model = silentTag(areaByteCount: areaByteCount)
    let pageCount = 4 + areaByteCount / 4 + (areaByteCount > 48 ? 1 : 0)
    let short = NDEFMessage(uri: "https://example.com/a")
    for message in [short, Self.long, short] {
      let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
      #expect(tag.name == "unknown Type 2")
      let report = try await tag.planWrite(message, over: model).execute(over: model)
      #expect(report.tag.content == .message(message.bytes))
    }
    var tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
    let erased = try await tag.planErase(over: model).execute(over: model)
    #expect(erased.tag.content == .empty)
    tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
    _ = try await tag.planWrite(short, over: model).execute(over: model)

    tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
    let plan = try await tag.planLock(of: short.bytes, over: model)
    let report = try await plan.execute(over: model)
    #expect(report.tag.type2?.lockState == .permanent)
    #expect(await messageByAnotherReader(model.memory) == short.bytes)
    for page in 4..<4 + areaByteCount / 4 {
      await #expect(throws: TagChannelError.self) {
        _ = try await model.exchange([0xA2, UInt8(page), 1, 2, 3, 4])
      }
    }
    let again = try await Type2Tag.identify(over: model, includingConfiguration: true)
    #expect(try await again.planLock(of: short.bytes, over: model).isAlreadyLocked)
    await expectNoReadBehindTheEnd(model, pageCount: pageCount)
  }

  @Test(
    "a lock pulled away after any command is finished by the next run", arguments: [40, 176, 496])
  func tornLock(areaByteCount: Int) async throws {
    func prepared() async throws -> ModelTag {
      let model = silentTag(areaByteCount: areaByteCount)
      let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
      _ = try await tag.planWrite(Self.long, over: model).execute(over: model)
      return model
    }
    func lock(_ model: ModelTag) async throws(TagError) -> LockReport {
      let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
      return try await tag.planLock(of: Self.long.bytes, over: model).execute(over: model)
    }
    let length = try await lock(prepared()).exchanges
    for count in 0..<length {
      let model = try await prepared()
      let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
      let plan = try await tag.planLock(of: Self.long.bytes, over: model)
      await model.setFaults(ModelTag.Faults(vanishesAfter: count, lastCommandCounts: true))
      _ = await errorOf { () async throws(TagError) in _ = try await plan.execute(over: model) }
      #expect(await messageByAnotherReader(model.memory) == Self.long.bytes)
      await model.setFaults(.init())
      #expect(try await lock(model).tag.type2?.lockState == .permanent)
    }
  }

  @Test("a dump goes back to a tag of the same size", arguments: sizes)
  func restore(areaByteCount: Int) async throws {
    let first = silentTag(areaByteCount: areaByteCount)
    let written = try await Type2Tag.identify(over: first)
    _ = try await written.planWrite(Self.long, over: first).execute(over: first)
    let dump = try await Type2Tag.identify(over: first).dump(over: first)
    let second = silentTag(areaByteCount: areaByteCount)
    let tag = try await Type2Tag.identify(over: second)
    let plan = try await tag.planRestore(dump, over: second)
    let report = try await plan.write.execute(over: second)
    #expect(report.tag.content == .message(Self.long.bytes))
  }

  @Test("a password and a mirror are refused before anything is written", arguments: sizes)
  func nothingOfAProduct(areaByteCount: Int) async throws {
    let model = silentTag(areaByteCount: areaByteCount)
    let channel = AuthenticatedChannel(withoutPassword: model)
    let tag = try await Type2Tag.identify(over: channel, includingConfiguration: true)
    let template = try #require(try MirrorTemplate("https://e.xy/{uid}"))
    let password = try #require(TagPassword("01020304"))
    let errors = [
      await errorOf { () async throws(TagError) in
        _ = try await tag.planPassword(password, nil, over: channel)
      },
      await errorOf { () async throws(TagError) in
        _ = try await tag.planPasswordRemoval(over: channel)
      },
      await errorOf { () async throws(TagError) in
        _ = try await tag.planWrite(template, over: channel)
      },
    ]
    #expect(errors.map { $0?.code } == [.tagUnsupported, .tagUnsupported, .tagUnsupported])
    #expect(await model.writes.isEmpty)
  }

  @Test(
    "a page of unknown locks that refuses leaves the message that the tag has",
    arguments: [(30, 60), (60, 30), (90, 90)])
  func messageIsKept(old: Int, new: Int) async throws {
    func message(_ count: Int, _ letter: String) -> NDEFMessage {
      NDEFMessage(uri: "https://example.com/" + String(repeating: letter, count: count))
    }
    let before = message(old, "a")
    let after = message(new, "b")
    let changed = 4 + (2 + after.bytes.count) / 4
    for page in 16...max(16, changed) {
      let model = silentTag(areaByteCount: 496, namesLocks: false)
      let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
      _ = try await tag.planWrite(before, over: model).execute(over: model)
      await model.setFaults(ModelTag.Faults(refusedWrites: [page: .max]))
      let found = try await Type2Tag.identify(over: model, includingConfiguration: true)
      let plan = try await found.planWrite(after, over: model)
      let error = await errorOf { () async throws(TagError) in
        _ = try await plan.execute(over: model)
      }
      #expect(error?.code == .writeRefused && error?.page == page)
      #expect(await messageByAnotherReader(model.memory) == before.bytes, "page \(page)")
      let message = error?.message ?? ""
      #expect(
        ["nothing was written", "nothing was changed", "its previous message is intact"]
          .contains { message.contains($0) }, "\(message)")
    }
  }

  @Test("a restore over unknown locks leaves the message that the tag has when a page refuses")
  func restoreKeepsMessage() async throws {
    let message = NDEFMessage(uri: "https://example.com/" + String(repeating: "b", count: 80))
    let first = silentTag(areaByteCount: 496, namesLocks: false)
    let empty = try await Type2Tag.identify(over: first)
    _ = try await empty.planWrite(message, over: first).execute(over: first)
    let dump = try await Type2Tag.identify(over: first).dump(over: first)
    for page in [16, 20, 24] {
      let model = silentTag(areaByteCount: 496, namesLocks: false)
      let tag = try await Type2Tag.identify(over: model)
      _ = try await tag.planWrite(Self.long, over: model).execute(over: model)
      await model.setFaults(ModelTag.Faults(refusedWrites: [page: .max]))
      let found = try await Type2Tag.identify(over: model)
      let plan = try await found.planRestore(dump, over: model)
      let error = await errorOf { () async throws(TagError) in
        _ = try await plan.write.execute(over: model)
      }
      #expect(error?.page == page)
      #expect(await messageByAnotherReader(model.memory) == Self.long.bytes)
    }
  }

  @Test("a lock byte that refuses its own content stops the lock before anything is closed")
  func refusedLockBytes() async throws {
    for page in [2, 3, 64] {
      let model = silentTag(areaByteCount: 240)
      let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
      _ = try await tag.planWrite(example, over: model).execute(over: model)
      let before = await model.memory
      let found = try await Type2Tag.identify(over: model, includingConfiguration: true)
      let plan = try await found.planLock(of: example.bytes, over: model)
      await model.setFaults(ModelTag.Faults(refusedWrites: [page: .max]))
      let errors = [
        await errorOf { () async throws(TagError) in _ = try await plan.execute(over: model) },
        await errorOf { () async throws(TagError) in
          try await TagTypes.Tag.type2(found).checkLockBytes(of: plan.steps, over: model)
        },
      ]
      for error in errors {
        #expect(error?.code == .tagUnsupported)
        #expect(error?.page == page)
      }
      #expect(await model.memory == before)
    }
  }

  @Test(
    "a recorded twin of maker 53 is refused before it is written: its lock bits have no known place"
  )
  func recordedTwin() async throws {
    let layout = Type2Layout(
      name: "twin", pageCount: 45, userPages: 4...39, capabilityContainer: [0xE1, 0x10, 0x12, 0],
      factoryData: [0x00, 0x00, 0x48, 0x4B, 0x00, 0x00, 0x31, 0x33], dynamicLockPage: 40,
      configurationPage: 41, version: [0x00, 0x53, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03])
    let model = ModelTag(layout, uid: [0x53, 0x5C, 0x4D, 0xEE, 0x02, 0x1F, 0x00])
    let tag = try await TagTypes.Tag.identify(over: model, includingConfiguration: true)
    #expect(tag.name == "like NTAG213")
    let error = await errorOf { () async throws(TagError) in
      _ = try await tag.lockSteps(over: model)
    }
    #expect(error?.code == .tagUnsupported)
    #expect(error?.page == 16)
    #expect(await model.writes.isEmpty)
  }

  @Test("lock bits for memory that the tag does not have are left alone")
  func bitsBehindTheMemory() async throws {
    // As on an NTAG203, by another maker: 16 bits of 16 bytes, for 96 bytes.
    let layout = Type2Layout(
      name: "other", pageCount: 42, userPages: 4...39, capabilityContainer: [0xE1, 0x10, 0x12, 0],
      factoryData: Type2Layout.ntag203.factoryData, dynamicLockPage: 40, pagesPerLockBit: 4)
    let uid: [UInt8] = [0x53, 0xE1, 0x0C, 0xDA, 0x99, 0x3C, 0x80]
    let model = ModelTag(layout, uid: uid)
    let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
    #expect(tag.name == "unknown Type 2")
    _ = try await tag.planWrite(example, over: model).execute(over: model)
    let found = try await Type2Tag.identify(over: model, includingConfiguration: true)
    let plan = try await found.planLock(of: example.bytes, over: model)
    #expect(plan.steps.map(\.page) == [3, 40, 2, 2])
    #expect(plan.steps[1].sent == [0xFF, 0, 0, 0])
    #expect(try await plan.execute(over: model).tag.type2?.lockState == .permanent)
  }
}

@Suite("NTAG203")
struct NTAG203Tests {
  @Test("it is told by its pages, its message reads back, and it is permanently locked")
  func wholeLife() async throws {
    let model = ModelTag(.ntag203)
    let new = try await Type2Tag.identify(over: model)
    #expect(new.layout == .ntag203)
    #expect(new.content == .empty && new.capacity == 137)
    _ = try await new.planWrite(example, over: model).execute(over: model)
    let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
    #expect(tag.layout == .ntag203 && tag.isPasswordProtected == false)
    #expect(tag.dynamicLockBytes == [0, 0, 0])
    let plan = try await tag.planLock(of: example.bytes, over: model)
    #expect(plan.steps.map(\.page) == [3, 40, 40, 2, 2])
    #expect(plan.steps.dropFirst().prefix(2).map(\.sent) == [[0xEE, 0, 0, 0], [0xFF, 0, 0, 0]])
    let report = try await plan.execute(over: model)
    #expect(report.tag.type2?.lockState == .permanent)
    #expect(report.exchanges <= plan.expectedExchanges)
    #expect(await model.page(41) == [0, 0, 0, 0], "the counter is not for us")
    #expect(await model.commands.allSatisfy { $0[0] != 0x30 || $0[1] < 42 })
  }

  @Test("the lock bits of the pages from 16 on stand behind the bits that block them")
  func lockBits() async throws {
    for (bit, pages) in [(1, 16...19), (2, 20...23), (3, 24...27), (5, 28...31), (7, 36...39)] {
      let model = try await modelWithExample(.ntag203)
      await model.store([1 << UInt8(bit), 0, 0, 0], at: 40)
      let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
      for page in 16...39 {
        #expect(tag.protection(of: page) == (pages.contains(page) ? .locked : .open))
      }
    }
  }

  @Test("another maker's UID, another size or another Lock Control block is another product")
  func others() async throws {
    let memory = ModelTag.factory(.ntag203)
    func layout(_ pageCount: Int) -> Type2Layout {
      Type2Layout(
        name: "other", pageCount: pageCount, userPages: 4...39,
        capabilityContainer: [0xE1, 0x10, 0x12, 0], factoryData: Type2Layout.ntag203.factoryData)
    }
    var control = memory
    control[19] = 0x0C
    for model in [
      ModelTag(layout(42), uid: [0x53, 0xE1, 0x0C, 0xDA, 0x99, 0x3C, 0x80]),
      ModelTag(layout(41)), ModelTag(layout(43)), ModelTag(layout(45)),
      ModelTag(layout(42), memory: control),
    ] {
      let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
      #expect(tag.name == "unknown Type 2")
      #expect(tag.content == .empty)
    }
  }
}
