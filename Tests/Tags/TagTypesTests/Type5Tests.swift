import CliptagBasics
import NDEF
import SimulatedReader
import Testing
@testable import TagTypes

private typealias Product = SimulatedType5Tag.Product

@Suite("Type 5 tags")
struct Type5Tests {
  private static let old = NDEFMessage(uri: "https://fruta.example.com/order/old")

  /// Returns a channel to a tag that holds a message.
  private func channel(
    _ product: SimulatedType5Tag.Product, holding message: NDEFMessage?, blocksOnly: Bool = false
  ) async throws -> Type5Channel {
    let channel = Type5Channel(try SimulatedType5Tag(product), carriesBlocksOnly: blocksOnly)
    if let message { try await write(message, channel) }
    return channel
  }

  private func write(
    _ message: NDEFMessage, _ channel: Type5Channel, overwriting: Bool = false
  ) async throws(TagError) {
    let tag = try await TagTypes.Tag.identify(over: channel)
    let plan = try await tag.planWrite(
      message, over: channel, overwritingForeignData: overwriting)
    _ = try await plan.execute(over: channel)
  }

  @Test(
    "the product is told by the UID",
    arguments: [
      ("E004011066153980", "ICODE SLIX"), ("E004010866153980", "ICODE SLIX2"),
      ("E004010066153980", "ICODE SLI"), ("E004020066153980", "ICODE SLIX-S"),
      ("E002240166153980", "ST25DV04K"), ("E002230166153980", "ST25TV"),
      ("E008010066153980", "Type 5"),
      // Recorded tags.
      ("E004012001110CDE", "ICODE 3"), ("E00401586DE02802", "NTAG 5"),
      ("E00401502026068C", "ICODE SLIX"), ("E004010849D0DC81", "ICODE SLIX2"),
      ("E0040250030035F8", "ICODE SLIX-S"), ("E002222450008303", "LRi2K"),
      ("E00781B8AF144207", "Tag-it"), ("E00780983E796083", "Tag-it"),
      ("E007A000017A5FA2", "Tag-it"), ("E00226000D28C587", "ST25DV"),
      ("E00250678F057ABB", "ST25DV04KC"), ("E00251678F057ABB", "ST25DV-KC"),
      ("E011223344556699", "Type 5"),
    ])
  func products(uid: String, name: String) {
    let product = Type5Product(uid: [UInt8](hexadecimal: uid.utf8) ?? [])
    #expect(product.name == name)
    #expect(Type5Product.names.contains(product.name))
    for count in [nil, 128, 512, 2048] {
      #expect(Type5Product.names.contains(product.name(blockCount: count)))
    }
  }

  @Test(
    "the size is the one that the tag states, whatever its UID resembles",
    arguments: [
      (Product.slix, 28, 4), (.slix2, 79, 4), (.slixS, 40, 4), (.icode3, 76, 4), (.ntag5, 512, 4),
      (.st25dv04k, 128, 4), (.st25dv04kc, 128, 4), (.st25dv64k, 2048, 4), (.mb89r118, 250, 8),
      (.lri2k, 56, 4), (.tagIt, 64, 4),
    ])
  fileprivate func size(
    product: SimulatedType5Tag.Product, blockCount: Int, blockByteCount: Int
  ) async throws {
    let channel = try await channel(product, holding: nil)
    let tag = try #require(try await TagTypes.Tag.identify(over: channel).type5)
    #expect(tag.blockCount == blockCount)
    #expect(tag.blockByteCount == blockByteCount)
    #expect(await channel.commands.first == [0x2B])
  }

  @Test("a table's size counts only where the reader does not ask, and for no doubtful product")
  func usualSize() async throws {
    for (product, count) in [
      (Product.slix, 28), (.slix2, 79), (.st25dv04k, 128), (.icode3, nil), (.ntag5, nil),
    ] as [(Product, Int?)] {
      let blind = try await channel(product, holding: nil, blocksOnly: true)
      #expect(try await TagTypes.Tag.identify(over: blind).type5?.blockCount == count)
    }
    // A tag that says nothing, though it was asked.
    let silent = try await channel(.slix, holding: nil)
    await silent.answer(0x2B, with: [[], []])
    let tag = try await TagTypes.Tag.identify(over: silent)
    #expect(tag.type5?.blockCount == nil)
    #expect(tag.problem == "it is blank, and it does not report its size")
  }

  @Test("a message that fits the stated size is none that is torn")
  func notTorn() async throws {
    let long = NDEFMessage(uri: "https://example.com/" + String(repeating: "a", count: 160))
    for product in [Product.icode3, .ntag5, .tagIt] {
      let channel = try await channel(product, holding: long)
      #expect(await channel.storedMessage() == long.bytes)
      let tag = try await TagTypes.Tag.identify(over: channel)
      #expect(tag.content == .message(long.bytes))
    }
  }

  @Test("the last of the 80 blocks of an ICODE SLIX2 takes no data, and a message in it is read")
  func counterBlock() async throws {
    let channel = try await channel(.slix2, holding: nil)
    #expect(try await TagTypes.Tag.identify(over: channel).type5?.blockCount == 79)
    // 320 bytes, of which a message of another writer fills the last.
    let message = NDEFMessage(uri: "https://" + String(repeating: "a", count: 303))
    #expect(message.bytes.count == 311)
    let tlv = [0x03, 0xFF, 0x01, 0x37] + message.bytes
    await channel.alter { $0.place([0xE1, 0x40, 0x28, 0x00] + tlv, atBlock: 0) }
    let tag = try await TagTypes.Tag.identify(over: channel)
    #expect(tag.content == .message(message.bytes))
    #expect(tag.capacity == 307)
    try await write(example, channel)
    #expect(await channel.storedMessage() == example.bytes)
  }

  @Test("a size that was garbled on its way is not formatted for")
  func garbledSize() async throws {
    let channel = try await channel(.icode3, holding: nil)
    let uid = await channel.tag.uid.reversed()
    // 12 blocks instead of 76.
    await channel.answer(0x2B, with: [[0x0F] + uid + [0, 0, 0x0B, 0x03, 0x01]])
    try await write(example, channel)
    #expect(await channel.tag.blocks[0] == [0xE1, 0x40, 0x25, 0x00])
    // Of a formatted tag, too.
    await channel.answer(0x2B, with: [[0x0F] + uid + [0, 0, 0x0B, 0x03, 0x01]])
    #expect(try await TagTypes.Tag.identify(over: channel).content == .message(example.bytes))
    // An answer of another tag is none.
    await channel.answer(
      0x2B, with: [[0x0F, 1, 2, 3, 4, 5, 6, 7, 0xE0, 0, 0, 0x0B, 0x03, 0x01]])
    #expect(try await TagTypes.Tag.identify(over: channel).type5?.blockCount == 76)
  }

  @Test(
    "a blank tag is formatted and written",
    arguments: [
      (Product.slix, "E1400D00"), (.slix2, "E1402700"), (.st25dv04k, "E1403F00"),
      (.st25dv64k, "E2400000000003FF"), (.mb89r118, "E140F900"),
    ])
  fileprivate func blank(product: SimulatedType5Tag.Product, container: String) async throws {
    let channel = try await channel(product, holding: example)
    #expect(await channel.storedMessage() == example.bytes)
    let memory = await channel.tag.blocks.flatMap(\.self)
    #expect(memory.prefix(container.count / 2).map(\.self) == [UInt8](hexadecimal: container.utf8))
    let tag = try await TagTypes.Tag.identify(over: channel)
    #expect(tag.content == .message(example.bytes))
    #expect(tag.isLocked == false)
  }

  @Test("a reader that carries single blocks alone is enough to write and read")
  func blocksOnly() async throws {
    let channel = try await channel(.slix2, holding: example, blocksOnly: true)
    #expect(await channel.storedMessage() == example.bytes)
    #expect(try await TagTypes.Tag.identify(over: channel).isPasswordProtected == nil)
  }

  @Test("a message over 254 bytes lies around the block with its length")
  func longMessage() async throws {
    let long = NDEFMessage(uri: "https://example.com/" + String(repeating: "a", count: 280))
    let channel = try await channel(.st25dv04k, holding: Self.old)
    try await write(long, channel)
    #expect(await channel.storedMessage() == long.bytes)
    let limit = NDEFMessage(uri: "https://example.com/" + String(repeating: "a", count: 500))
    await #expect(throws: TagError.self) { try await self.write(limit, channel) }
    #expect(await channel.storedMessage() == long.bytes)
  }

  @Test("a tag that is right already is not written, and only blocks that differ are")
  func differences() async throws {
    let channel = try await channel(.slix, holding: example)
    let tag = try await TagTypes.Tag.identify(over: channel)
    #expect(try await tag.planWrite(example, over: channel).isAlreadyCorrect)
    let other = NDEFMessage(uri: "https://example.com/menu/dinner/item/1235")
    let plan = try await tag.planWrite(other, over: channel)
    // The length, the block with the last digit, the length again.
    #expect(plan.changedPages.count == 2)
    #expect(plan.steps.first?.purpose == .withdraw)
    #expect(plan.steps.last?.purpose == .publish)
  }

  @Test(
    "torn at any write and byte, the tag holds the old message, none or the new one, and the next run ends right",
    arguments: [
      Product.slix, .mb89r118, .ntag5, .st25dv64k, .tagIt,
    ].flatMap { [($0, false), ($0, true)] })
  fileprivate func torn(product: SimulatedType5Tag.Product, isUsed: Bool) async throws {
    let start = try await channel(product, holding: isUsed ? Self.old : nil)
    let tag = try await TagTypes.Tag.identify(over: start)
    let plan = try await tag.planWrite(example, over: start)
    #expect(plan.steps.count > 5)
    let whole = Type5Channel(await start.tag)
    try await write(example, whole)
    // The capability container, and the beginning of the message.
    let beginning = await whole.tag.blocks.prefix(3)
    for step in 1...plan.steps.count {
      for byteCount in 0...3 {
        let channel = Type5Channel(await start.tag)
        await channel.leave(inWrite: step, storing: byteCount)
        let error = await errorOf { () async throws(TagError) in try await write(example, channel) }
        #expect(error?.code == .tornWrite, "\(step):\(byteCount)")
        let held = await channel.storedMessage() ?? []
        #expect([[], Self.old.bytes, example.bytes].contains(held), "\(step):\(byteCount)")
        await channel.comeBack()
        try await write(example, channel)
        #expect(await channel.storedMessage() == example.bytes, "\(step):\(byteCount)")
        #expect(await channel.tag.blocks.prefix(3) == beginning, "\(step):\(byteCount)")
      }
    }
  }

  @Test("data that is not NDEF is only overwritten when that was asked for")
  func foreignData() async throws {
    let channel = try await channel(.slix, holding: nil)
    await channel.alter { $0.place([0x12, 0x34, 0x56, 0x78], atBlock: 0) }
    #expect(
      try await TagTypes.Tag.identify(over: channel).content == .unformatted(holdsData: true))
    let error = await errorOf { () async throws(TagError) in try await write(example, channel) }
    #expect(error?.code == .notNDEF)
    try await write(example, channel, overwriting: true)
    #expect(await channel.storedMessage() == example.bytes)
  }

  @Test("an unformatted tag of unknown size needs a reader that can ask for it")
  func unknownSize() async throws {
    let blind = try await channel(.mb89r118, holding: nil, blocksOnly: true)
    let error = await errorOf { () async throws(TagError) in try await write(example, blind) }
    #expect(error != nil)
    #expect(await blind.commands.allSatisfy { $0[0] == 0x20 })
    // Its blocks have eight bytes, which such a reader does not read; a password is not the cause.
    let tag = try await TagTypes.Tag.identify(over: blind)
    #expect(tag.problem == "this reader does not read its blocks")
    #expect(tag.type5?.isUnreadByReader == true)
  }

  @Test("a blank tag of unknown size is called blank, and the reader named that does not ask it")
  func blankOfUnknownSize() async throws {
    let blind = try await channel(.st25dv64k, holding: nil, blocksOnly: true)
    let error = await errorOf { () async throws(TagError) in try await write(example, blind) }
    #expect(error?.code == .notNDEF)
    #expect(error?.message.contains("this reader cannot query its size") == true)
    let tag = try await TagTypes.Tag.identify(over: blind)
    #expect(tag.problem?.hasPrefix("it is blank, and this reader cannot query") == true)
    let refusal = #expect(throws: TagError.self) { try tag.checkIsWritten() }
    #expect(refusal?.code == .readerUnsupported)
  }

  @Test("what the tag refuses is told with its block: locked, read-only")
  func refused() async throws {
    let locked = try await channel(.slix, holding: Self.old)
    _ = try await locked.exchange([0x22, 0x03])
    var error = await errorOf { () async throws(TagError) in try await write(example, locked) }
    #expect(error?.code == .tagLocked)
    #expect(error?.page == 3)
    #expect(await locked.storedMessage() == Self.old.bytes)
    let readOnly = try await channel(.slix, holding: Self.old)
    await readOnly.alter { $0.place([0xE1, 0x43, 0x0D, 0x01], atBlock: 0) }
    error = await errorOf { () async throws(TagError) in try await write(example, readOnly) }
    #expect(error?.code == .tagLocked)
  }

  @Test("a container that denies reading is opened when the tag is written, and is not locked in")
  func denied() async throws {
    for access: UInt8 in [0x44, 0x48, 0x4C] {
      let channel = try await channel(.slix, holding: example)
      await channel.alter { $0.place([0xE1, access, 0x0D, 0x01], atBlock: 0) }
      let tag = try await TagTypes.Tag.identify(over: channel, includingConfiguration: true)
      #expect(tag.content == .message(example.bytes))
      #expect(tag.containerThatDeniesReading == [0xE1, access, 0x0D, 0x01])
      let error = await errorOf { () async throws(TagError) in
        _ = try await tag.planLock(of: example.bytes, over: channel)
      }
      #expect(error?.code == .notNDEF)
      let plan = try await tag.planWrite(example, over: channel)
      #expect(plan.steps.map(\.purpose) == [.format])
      _ = try await plan.execute(over: channel)
      #expect(await channel.tag.blocks[0] == [0xE1, 0x40, 0x0D, 0x00])
      #expect(await channel.storedMessage() == example.bytes)
      let mended = try await TagTypes.Tag.identify(over: channel, includingConfiguration: true)
      #expect(mended.containerThatDeniesReading == nil)
      #expect(try await mended.planWrite(example, over: channel).isAlreadyCorrect)
    }
    let locked = try await channel(.slix, holding: Self.old)
    await locked.alter { $0.place([0xE1, 0x4C, 0x0D, 0x00], atBlock: 0) }
    _ = try await locked.exchange([0x22, 0x00])
    let error = await errorOf { () async throws(TagError) in try await write(example, locked) }
    #expect(error?.code == .tagLocked)
    #expect(error?.page == 0)
    #expect(await locked.storedMessage() == Self.old.bytes)
  }

  @Test(
    "MBREAD is switched off where the container is known to be open, and nothing is lost where not")
  func multipleBlocks() async throws {
    let told: [UInt8] = [0xE1, 0x40, 0x0D, 0x01]
    for message in [example, Self.old] {
      let channel = try await channel(.slix, holding: Self.old)
      await channel.alter { $0.place(told, atBlock: 0) }
      try await write(message, channel)
      #expect(await channel.tag.blocks[0] == [0xE1, 0x40, 0x0D, 0x00])
      #expect(await channel.storedMessage() == message.bytes)
    }
    // A reader that does not report locks, a locked block, a closed container.
    let blind = try await channel(.slix, holding: Self.old, blocksOnly: true)
    await blind.alter { $0.place(told, atBlock: 0) }
    try await write(example, blind)
    #expect(await blind.tag.blocks[0] == told)
    #expect(await blind.storedMessage() == example.bytes)
    let locked = try await channel(.slix, holding: Self.old)
    await locked.alter { $0.place(told, atBlock: 0) }
    _ = try await locked.exchange([0x22, 0x00])
    try await write(example, locked)
    #expect(await locked.storedMessage() == example.bytes)
    let closed = try await channel(.slix, holding: example)
    await closed.alter { $0.place([0xE1, 0x43, 0x0D, 0x01], atBlock: 0) }
    let tag = try await TagTypes.Tag.identify(over: closed, includingConfiguration: true)
    #expect(try await tag.planWrite(example, over: closed).isAlreadyCorrect)
  }

  @Test("what the container says of READ MULTIPLE BLOCKS does not change how it is read")
  func readsSeveral() async throws {
    let channel = try await channel(.slix2, holding: example)
    let before = await channel.commands.count
    _ = try await TagTypes.Tag.identify(over: channel)
    #expect(await channel.commands.dropFirst(before).map { $0[0] } == [0x2B, 0x23])
  }

  @Test("the longest message leaves a terminator; one that fills the memory is right as it is")
  func terminator() async throws {
    // 104 bytes: type, length, 101 bytes, terminator.
    let longest = NDEFMessage(uri: "https://" + String(repeating: "a", count: 96))
    let tooLong = NDEFMessage(uri: "https://" + String(repeating: "a", count: 97))
    #expect(longest.bytes.count == 101)
    let channel = try await channel(.slix, holding: longest)
    #expect(await channel.tag.blocks[26] == [0x61, 0x61, 0x61, 0xFE])
    let error = await errorOf { () async throws(TagError) in try await write(tooLong, channel) }
    #expect(error?.code == .tagTooSmall)
    await channel.alter {
      $0.place([0xE1, 0x40, 0x0D, 0x00, 0x03, 102] + tooLong.bytes, atBlock: 0)
    }
    let tag = try await TagTypes.Tag.identify(over: channel)
    #expect(tag.content == .message(tooLong.bytes))
    #expect(tag.type5?.fillsArea == true)
    #expect(try await tag.planWrite(tooLong, over: channel).isAlreadyCorrect)
  }

  @Test("a tag that writes with the OPTION flag only is written so, which is found out once")
  func option() async throws {
    for hides in [false, true] {
      let channel = try await channel(.tagIt, holding: nil)
      if hides { await channel.hideErrors() }
      try await write(example, channel)
      #expect(await channel.storedMessage() == example.bytes)
      let commands = await channel.commands
      let writes = commands.indices.filter { commands[$0][0] == 0x21 }
      #expect(await channel.optionCommands == Array(writes.dropFirst(3)))
    }
  }

  @Test("a refusal for another reason is not tried with the OPTION flag")
  func otherRefusal() async throws {
    let channel = try await channel(.slix, holding: Self.old)
    let tag = try await TagTypes.Tag.identify(over: channel)
    let plan = try await tag.planWrite(example, over: channel)
    _ = try await channel.exchange([0x22, 0x03])
    let error = await errorOf { () async throws(TagError) in
      _ = try await plan.execute(over: channel)
    }
    #expect(error?.code == .tagLocked)
    #expect(await channel.optionCommands == [])
  }

  @Test("a reader that cannot set the OPTION flag is named as the reason")
  func optionNotCarried() async throws {
    let start = try await channel(.tagIt, holding: example)
    let blind = Type5Channel(await start.tag, carriesBlocksOnly: true)
    for hides in [false, true] {
      if hides { await blind.hideErrors() }
      let error = await errorOf { () async throws(TagError) in try await write(Self.old, blind) }
      #expect(error?.code == .readerUnsupported)
      #expect(error?.message.contains("OPTION") == true)
      #expect(await blind.storedMessage() == example.bytes)
    }
  }

  @Test("erasing empties the message and keeps the rest")
  func erase() async throws {
    let channel = try await channel(.slix2, holding: example)
    let tag = try await TagTypes.Tag.identify(over: channel)
    _ = try await tag.planErase(over: channel).execute(over: channel)
    #expect(await channel.storedMessage() == [])
    #expect(try await TagTypes.Tag.identify(over: channel).content == .empty)
  }
}

@Suite("Locking Type 5 tags")
struct Type5LockTests {
  private func prepared(_ product: SimulatedType5Tag.Product) async throws -> Type5Channel {
    let channel = Type5Channel(try SimulatedType5Tag(product))
    let tag = try await TagTypes.Tag.identify(over: channel)
    _ = try await tag.planWrite(example, over: channel).execute(over: channel)
    return channel
  }

  private func lock(_ channel: Type5Channel) async throws(TagError) -> LockReport {
    let tag = try await TagTypes.Tag.identify(over: channel, includingConfiguration: true)
    return try await tag.planLock(of: example.bytes, over: channel).execute(over: channel)
  }

  @Test(
    "every block of the data area is locked, the container says so, and a write is refused",
    arguments: [
      (Product.slix, 27), (.slix2, 79), (.slixS, 39), (.icode3, 75), (.ntag5, 511),
      (.mb89r118, 250), (.lri2k, 55), (.tagIt, 63),
    ])
  fileprivate func whole(product: SimulatedType5Tag.Product, blockCount: Int) async throws {
    let channel = try await prepared(product)
    let report = try await lock(channel)
    #expect(await channel.tag.lockedBlocks == Array(0..<blockCount))
    #expect(await channel.tag.blocks[0][1] == 0x43)
    #expect(report.refusedPages == [blockCount - 1])
    let tag = try await TagTypes.Tag.identify(over: channel, includingConfiguration: true)
    #expect(tag.isLockedWhole)
    let again = try await tag.planLock(of: example.bytes, over: channel)
    #expect(again.isAlreadyLocked)
  }

  @Test("torn at any step, the message is whole and the next run locks the rest")
  func torn() async throws {
    let start = try await prepared(.slix)
    for step in 1...28 {
      for byteCount in [0, 2] {
        let channel = Type5Channel(await start.tag)
        await channel.leave(inWrite: step, storing: byteCount)
        let error = await errorOf { () async throws(TagError) in _ = try await lock(channel) }
        #expect(error?.code == .tornWrite, "\(step)")
        #expect(await channel.storedMessage() == example.bytes, "\(step)")
        await channel.comeBack()
        let found = try await TagTypes.Tag.identify(over: channel, includingConfiguration: true)
        #expect(found.isLocked == (step == 28 && byteCount > 0), "\(step)")
        // The container says so only when every other block is locked.
        if await channel.tag.blocks[0][1] != 0x40 {
          #expect(await channel.tag.lockedBlocks.filter { $0 > 0 } == Array(1..<27), "\(step)")
        }
        _ = try await lock(channel)
        #expect(await channel.tag.lockedBlocks == Array(0..<27), "\(step)")
      }
    }
  }

  @Test("a message that changed before it was locked in is not locked in")
  func changed() async throws {
    let channel = try await prepared(.slix)
    let tag = try await TagTypes.Tag.identify(over: channel, includingConfiguration: true)
    let plan = try await tag.planLock(of: example.bytes, over: channel)
    await channel.alter { $0.place([0, 0, 0, 0], atBlock: 5) }
    let error = await errorOf { () async throws(TagError) in
      _ = try await plan.execute(over: channel)
    }
    #expect(error?.code == .verifyFailed)
    #expect(error?.page == 5)
    #expect(await channel.tag.lockedBlocks == [])
  }

  @Test(
    "a reader that cannot ask for locks locks nothing, and neither does a tag without LOCK BLOCK")
  func notPossible() async throws {
    let blind = Type5Channel(try await prepared(.slix).tag, carriesBlocksOnly: true)
    var error = await errorOf { () async throws(TagError) in _ = try await lock(blind) }
    #expect(error?.code == .readerUnsupported)
    let areas = try await prepared(.st25dv04k)
    error = await errorOf { () async throws(TagError) in _ = try await lock(areas) }
    #expect(error?.code == .tagUnsupported)
    #expect(await areas.tag.lockedBlocks == [])
  }

  @Test("a tag whose LOCK BLOCK does nothing is left as it was", arguments: [false, true])
  func noLockBlock(isSilent: Bool) async throws {
    for product in [Product.mb89r118, .lri2k, .tagIt] {
      let channel = try await prepared(product)
      let last = try #require(
        try await TagTypes.Tag.identify(over: channel).type5?.areaBlocks.upperBound)
      let before = await channel.tag
      if isSilent {
        // Taken, and nothing locked.
        await channel.answer(0x22, with: [[]])
      } else {
        await channel.neverLock(Set(0...255))
      }
      let error = await errorOf { () async throws(TagError) in _ = try await lock(channel) }
      #expect(error?.code == .tagUnsupported)
      #expect(error?.page == last)
      #expect(error?.message.contains("nothing was changed") == true)
      #expect(await channel.tag.blocks == before.blocks)
      #expect(await channel.tag.lockedBlocks == [])
    }
  }

  @Test("that it may turn out impossible is said before, in the plan and in the preview")
  func doubt() async throws {
    for (product, isDoubtful) in [(Product.lri2k, true), (.tagIt, true), (.icode3, false)] {
      let channel = try await prepared(product)
      let tag = try await TagTypes.Tag.identify(over: channel, includingConfiguration: true)
      let plan = try await tag.planLock(of: example.bytes, over: channel)
      #expect(plan.notes.contains { $0.contains("is not known") } == isDoubtful)
      #expect(try await tag.lockSteps(over: channel).notes == plan.notes)
      let report = try await plan.execute(over: channel)
      #expect(report.exchanges <= plan.expectedExchanges)
    }
    for product in [Product.st25dv04k, .st25dv04kc] {
      let channel = Type5Channel(try SimulatedType5Tag(product))
      let blank = try await TagTypes.Tag.identify(over: channel, includingConfiguration: true)
      let error = await errorOf { () async throws(TagError) in
        _ = try await blank.lockSteps(over: channel)
      }
      #expect(error?.code == .tagUnsupported)
    }
  }

  @Test("a container that was closed is opened again when its own lock is refused")
  func reopened() async throws {
    for product in [Product.slix, .tagIt, .mb89r118] {
      let channel = try await prepared(product)
      let container = await channel.tag.blocks[0]
      await channel.neverLock([0])
      let error = await errorOf { () async throws(TagError) in _ = try await lock(channel) }
      #expect(error?.code == .writeRefused)
      #expect(error?.page == 0)
      #expect(error?.message.contains("the container is open again") == true)
      #expect(await channel.tag.blocks[0] == container)
      let tag = try await TagTypes.Tag.identify(over: channel, includingConfiguration: true)
      #expect(!tag.isLocked)
      await channel.neverLock([])
      _ = try await lock(channel)
      #expect(
        try await TagTypes.Tag.identify(over: channel, includingConfiguration: true).isLocked)
    }
  }

  @Test("locked is said of locked blocks; of a container only while the locks are unknown")
  func meaning() async throws {
    let channel = try await prepared(.icode3)
    await channel.alter { $0.place([0xE1, 0x43, 0x25, 0x00], atBlock: 0) }
    #expect(try await TagTypes.Tag.identify(over: channel).isLocked)
    func read() async throws -> Type5Tag {
      let tag = try await TagTypes.Tag.identify(over: channel, includingConfiguration: true)
      return try #require(tag.type5)
    }
    #expect(try await !read().isLocked)
    #expect(try await read().isClosedOnlyByContainer)
    let blocks = try await read().messageBlocks
    for block in blocks {
      #expect(try await !read().isLocked)
      _ = try await channel.exchange([0x22, UInt8(block)])
    }
    #expect(try await read().isLocked)
    #expect(try await !read().isClosedOnlyByContainer)
    #expect(try await !TagTypes.Tag.type5(read()).isLockedWhole)
  }

  @Test("a recorded tag that states 244 blocks of eight, and nothing else, is written and locked")
  func sizeAlone() async throws {
    let uid: [UInt8] = [0xE0, 0x07, 0xA0, 0x00, 0x01, 0x7A, 0x5F, 0xA2]
    let channel = Type5Channel(try SimulatedType5Tag(.mb89r118, uid: uid))
    let answer: [UInt8] = [0x04] + uid.reversed() + [0xF3, 0x07]
    await channel.answer(0x2B, with: Array(repeating: answer, count: 20))
    let tag = try await TagTypes.Tag.identify(over: channel)
    #expect(tag.name == "Tag-it")
    #expect(tag.type5?.blockCount == 244)
    _ = try await tag.planWrite(example, over: channel).execute(over: channel)
    #expect(await channel.tag.blocks[0].prefix(4) == [0xE1, 0x40, 0xF3, 0x00])
    _ = try await lock(channel)
    #expect(await channel.tag.lockedBlocks == Array(0..<244))
    #expect(await channel.storedMessage() == example.bytes)
  }

  @Test("a tag that locks with the OPTION flag only is locked so")
  func option() async throws {
    let channel = try await prepared(.tagIt)
    let before = await channel.commands.count
    _ = try await lock(channel)
    let locks = await channel.commands.indices.dropFirst(before)
    let commands = await channel.commands
    #expect(
      await channel.optionCommands.filter { $0 >= before && commands[$0][0] == 0x22 }.count == 63)
    #expect(locks.filter { commands[$0][0] == 0x22 }.count == 65)
  }
}

@Suite("System information of Type 5 tags")
struct Type5SystemInformationTests {
  @Test(
    "recorded answers",
    arguments: [
      ("0FDE0C1101200104E000004B0301", "E004012001110CDE", 76, 4),
      ("0F8C062620500104E000001B0301", "E00401502026068C", 28, 4),
      ("0FF8350003500204E00000270302", "E0040250030035F8", 40, 4),
      ("0F03830050242202E00200370322", "E002222450008303", 56, 4),
      ("0F074214AFB88107E002003F038B", "E00781B8AF144207", 64, 4),
      ("04A25F7A0100A007E0F307", "E007A000017A5FA2", 244, 8),
      ("0F99665544332211E000003F038B", "E011223344556699", 64, 4),
    ])
  func recorded(answer: String, uid: String, blockCount: Int, blockByteCount: Int) {
    let answer = [UInt8](hexadecimal: answer.utf8) ?? []
    let uid = [UInt8](hexadecimal: uid.utf8) ?? []
    let size = Type5Size(blockCount: blockCount, blockByteCount: blockByteCount)
    #expect(Type5SystemInformation(answer, of: uid)?.size == size)
    for count in 0..<answer.count {
      #expect(Type5SystemInformation(Array(answer[..<count]), of: uid) == nil)
    }
    #expect(Type5SystemInformation(answer, of: uid.reversed()) == nil)
  }

  @Test("every combination of flags", arguments: 0...15 as ClosedRange<UInt8>)
  func combinations(flags: UInt8) {
    let uid: [UInt8] = [0xE0, 1, 2, 3, 4, 5, 6, 7]
    for isExtended in [false, true] {
      var answer = [flags] + uid.reversed()
      if flags & 1 != 0 { answer.append(0xD5) }
      if flags & 2 != 0 { answer.append(0xAF) }
      if flags & 4 != 0 { answer += isExtended ? [0x34, 0x02, 0xE7] : [0x34, 0xE7] }
      if flags & 8 != 0 { answer.append(0x1C) }
      let size =
        flags & 4 == 0
        ? nil : Type5Size(blockCount: isExtended ? 0x235 : 0x35, blockByteCount: 8)
      let information = Type5SystemInformation(answer, of: uid, isExtended: isExtended)
      #expect(information != nil)
      #expect(information?.size == size)
      #expect(
        Type5SystemInformation(answer.dropLast(), of: uid, isExtended: isExtended) == nil)
    }
  }
}

@Suite("The password of an ICODE SLIX2")
struct Type5PasswordTests {
  private let password = TagPassword("01020304")
  private let other = TagPassword("05060708")

  private func prepared() async throws -> Type5Channel {
    let channel = Type5Channel(try SimulatedType5Tag(.slix2))
    let tag = try await TagTypes.Tag.identify(over: channel)
    _ = try await tag.planWrite(example, over: channel).execute(over: channel)
    return channel
  }

  private func set(
    _ new: TagPassword?, _ rule: PasswordRule? = nil, giving present: TagPassword?,
    on channel: Type5Channel
  ) async throws(TagError) -> PasswordReport {
    let open =
      if let present { try await AuthenticatedChannel.open(channel, with: present) } else {
        AuthenticatedChannel(withoutPassword: channel)
      }
    let tag = try await TagTypes.Tag.identify(over: open, includingConfiguration: true)
    let plan =
      if let new { try await tag.planPassword(new, rule, over: open) } else {
        try await tag.planPasswordRemoval(over: open)
      }
    return try await plan.execute(over: open)
  }

  private func write(_ password: TagPassword?, _ channel: Type5Channel) async throws(TagError) {
    let message = NDEFMessage(uri: "https://fruta.example.com/order/new")
    let open =
      if let password { try await AuthenticatedChannel.open(channel, with: password) } else {
        AuthenticatedChannel(withoutPassword: channel)
      }
    let tag = try await TagTypes.Tag.identify(over: open, includingConfiguration: true)
    _ = try await tag.planWrite(message, over: open).execute(over: open)
  }

  @Test("it guards writing, opens with the password, and phones read on")
  func guardsWriting() async throws {
    let (password, other) = (try #require(password), try #require(other))
    let channel = try await prepared()
    let report = try await set(password, giving: nil, on: channel)
    #expect(report.refusedPage == 78)
    var error = await errorOf { () async throws(TagError) in try await write(nil, channel) }
    #expect(error?.code == .tagPassword)
    error = await errorOf { () async throws(TagError) in try await write(other, channel) }
    #expect(error?.code == .tagPassword)
    #expect(await channel.storedMessage() == example.bytes)
    await channel.comeBack()
    #expect(try await TagTypes.Tag.identify(over: channel).content == .message(example.bytes))
    try await write(password, channel)
    #expect(await channel.storedMessage() != example.bytes)
  }

  @Test("it guards reading too when that was asked for")
  func guardsReading() async throws {
    let password = try #require(password)
    let channel = try await prepared()
    let rule = PasswordRule(firstPage: 0, protectsReading: true)
    _ = try await set(password, rule, giving: nil, on: channel)
    await channel.comeBack()
    #expect(
      try await TagTypes.Tag.identify(over: channel).content == .unreadable(page: nil))
    let open = try await AuthenticatedChannel.open(channel, with: password)
    #expect(try await TagTypes.Tag.identify(over: open).content == .message(example.bytes))
    _ = try await set(nil, giving: password, on: channel)
    await channel.comeBack()
    #expect(try await TagTypes.Tag.identify(over: channel).content == .message(example.bytes))
  }

  @Test("it is changed and removed, and what it was opens nothing any more")
  func changed() async throws {
    let (password, other) = (try #require(password), try #require(other))
    let channel = try await prepared()
    _ = try await set(password, giving: nil, on: channel)
    _ = try await set(other, giving: password, on: channel)
    await channel.comeBack()
    let error = await errorOf { () async throws(TagError) in try await write(password, channel) }
    #expect(error?.code == .tagPassword)
    await channel.comeBack()
    _ = try await set(nil, giving: other, on: channel)
    try await write(nil, channel)
    #expect(await channel.tag.isGuarded(as: try SimulatedType5Tag(.slix2)))
  }

  @Test("a product without a password refuses one")
  func noPassword() async throws {
    let password = try #require(password)
    let channel = Type5Channel(try SimulatedType5Tag(.slix))
    let error = await errorOf { () async throws(TagError) in
      _ = try await set(password, giving: nil, on: channel)
    }
    #expect(error?.code == .tagUnsupported)
  }
}
