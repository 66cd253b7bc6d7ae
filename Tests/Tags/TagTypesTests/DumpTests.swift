import CliptagBasics
import Foundation
import NDEF
import Testing

@testable import TagTypes

@Suite("Saved dumps answer as their tags") struct DumpTests {
  @Test("a dump is identified as its tag was, and holds what it held", arguments: Type2Layout.all)
  func sameTag(layout: Type2Layout) async throws {
    let model = ModelTag(layout)
    let blank = try await Tag.identify(over: model)
    let message = NDEFMessage(uri: "https://fruta.example.com")
    _ = try await blank.planWrite(message, over: model).execute(over: model)
    let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
    let dump = try await tag.dump(over: model)
    let again = try await Type2Tag.identify(over: DumpChannel(dump), includingConfiguration: true)
    #expect(again.name == tag.name && again.uid == tag.uid)
    #expect(again.content == .message(message.bytes) && again.content == tag.content)
    #expect(again.isLocked == tag.isLocked)
    #expect(again.isPasswordProtected == tag.isPasswordProtected)
  }

  @Test("nothing is written to a dump, and a page that could not be read stays so")
  func refusals() async throws {
    let model = ModelTag(.ntag213)
    let made = try await Type2Tag.identify(over: model).dump(over: model)
    var pages = made.pages
    pages[6] = nil
    let channel = DumpChannel(try #require(Type2Dump(uid: made.uid, name: made.name, pages: pages)))
    await #expect(throws: TagChannelError.self) {
      try await channel.exchange([0xA2, 4, 1, 2, 3, 4])
    }
    await #expect(throws: TagChannelError.self) { try await channel.exchange([0x30, 6]) }
    await #expect(throws: TagChannelError.self) { try await channel.exchange([0x3A, 4, 7]) }
    // As on a tag whose password protects page 6 on, READ rolls over to page 0.
    let read = try await channel.exchange([0x30, 4])
    #expect(read[..<8] == (made.pages[4]! + made.pages[5]!)[...])
    #expect(read[8...] == (made.pages[0]! + made.pages[1]!)[...])
  }

  /// Returns the dump of an NTAG215 with a URL, read back from its text.
  private static func made() async throws -> Type2Dump {
    let model = ModelTag(.ntag215)
    let blank = try await Tag.identify(over: model)
    let message = NDEFMessage(uri: "https://fruta.example.com")
    _ = try await blank.planWrite(message, over: model).execute(over: model)
    return try await Type2Tag.identify(over: model).dump(over: model)
  }

  private func check(_ bytes: [UInt8], _ made: Type2Dump, isCut: Bool = false) async throws {
    let dump = try TagDumpFile(reading: bytes).dump()
    #expect(dump.name == "NTAG215" && dump.uid == made.uid)
    #expect(isCut || dump.pages == made.pages)
    let tag = try await Tag.identify(over: DumpChannel(dump))
    guard case .message(let message) = tag.content else { Issue.record("no message"); return }
    #expect(try NDEFMessage(decoding: message).firstURI()?.uri == "https://fruta.example.com")
  }

  @Test("dumps of Proxmark are read, as JSON and as bytes behind their header")
  func proxmark() async throws {
    let made = try await Self.made()
    let blocks = made.pages.enumerated().map {
      #""\#($0.offset)": "\#(($0.element ?? []).hexadecimal)""#
    }
    let json = """
      {"Created": "proxmark3", "FileType": "mfu",
       "Card": {"UID": "\(made.uid.hexadecimal)", "Version": "0004040201001103"},
       "blocks": {\(blocks.joined(separator: ", "))}}
      """
    try await check(Array(json.utf8), made)
    var header: [UInt8] = [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x11, 0x03]
    header += [UInt8](repeating: 0, count: 56 - header.count)
    try await check(header + made.pages.flatMap { $0 ?? [] }, made)
  }

  @Test("dumps of Flipper are read, with pages that could not be")
  func flipper() async throws {
    let made = try await Self.made()
    var text = """
      Filetype: Flipper NFC device
      Version: 4
      Device type: NTAG/Ultralight
      UID: 04 00
      NTAG/Ultralight type: NTAG215
      Mifare version: 00 04 04 02 01 00 11 03
      Pages total: 135
      Pages read: 130

      """
    for (page, bytes) in made.pages.enumerated().prefix(130) {
      text +=
        "Page \(page): " + (bytes ?? []).map { [$0].hexadecimal }.joined(separator: " ") + "\n"
    }
    try await check(Array(text.utf8), made, isCut: true)
    let dump = try TagDumpFile(reading: Array(text.utf8)).dump()
    #expect(dump.pages.count == 135 && dump.unreadablePages == Array(130..<135))
  }

  @Test(
    "pages that Flipper did not read are unknown: the file gives the whole message or none",
    arguments: 0..<6)
  func flipperUnread(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let tail = String(repeating: "a", count: Int.random(in: 0...300, using: &generator))
    let message = NDEFMessage(uri: "https://fruta.example.com/" + tail).bytes
    let made = try await RestoreTests.dump(.ntag215, message: message)
    for count in [3, 4, 5, 129, 130, 133] + (0..<8).map({ _ in Int.random(in: 3...135) }) {
      var text = "Filetype: Flipper NFC device\nNTAG/Ultralight type: NTAG215\n"
      text += "Pages total: 135\nPages read: \(count)\n"
      for page in 0..<135 {
        let bytes = page < count ? made.pages[page] ?? [] : [0, 0, 0, 0]
        text += "Page \(page): \(bytes.map { [$0].hexadecimal }.joined(separator: " "))\n"
      }
      let file = try TagDumpFile(reading: Array(text.utf8))
      do {
        #expect(try await SavedTag.pages(file).identify().content == .message(message), "\(count)")
      } catch let error as TagDumpError {
        #expect(count < 130 && error.message.contains("not read"))
      }
      let model = ModelTag(.ntag215)
      if count < 130 {
        await #expect(throws: TagError(.dumpMismatch, "", hint: "")) {
          _ = try await RestoreTests.plan(try file.dump(), on: model)
        }
      } else {
        #expect(
          try await RestoreTests.plan(try file.dump(), on: model).content == .message(message))
      }
    }
  }

  @Test("no file of bare pages is made of a dump that lacks data or settings")
  func bareLacksNothing() async throws {
    let made = try await Self.made()
    for page in made.pages.indices {
      var pages = made.pages
      pages[page] = nil
      let dump = try #require(Type2Dump(uid: made.uid, name: made.name, pages: pages))
      // The dynamic lock page, PWD and PACK are no data.
      guard [130, 133, 134].contains(page) else {
        #expect(throws: TagError(.tagPassword, "", hint: "")) { try TagDumpFile.bare(dump) }
        continue
      }
      #expect(try TagDumpFile.bare(dump).count == 540)
    }
  }

  @Test(
    "a foreign dump that is damaged is refused",
    arguments: [
      "Filetype: Flipper NFC device\nPage 0: 04\n", "Filetype: Flipper NFC device\n",
      #"{"blocks": {"0": "04112233", "999": "00000000"}}"#, #"{"blocks": {"x": "04112233"}}"#,
      #"{"blocks": {}}"#, #"{"blocks": {"0": "00000000", "1": "00000000", "2": "FF000000"}}"#,
    ])
  func damaged(text: String) {
    #expect(throws: TagDumpError.self) { try TagDumpFile(reading: Array(text.utf8)) }
  }
}

/// Files of other kinds of tags, and of other tools.
@Suite("Saved tags")
struct SavedTagTests {
  /// Returns a Flipper file of an NTAG203 with a URL; `lines` come before the pages.
  private func flipper(_ lines: String, pages: Int = 42, container: String = "E1 10 12 00")
    -> [UInt8]
  {
    var text = "Filetype: Flipper NFC device\nVersion: 4\n\(lines)\nPages total: \(pages)\n"
    let message = NDEFMessage(uri: "https://example.com/1").bytes
    var memory: [UInt8] = [0x04, 0x5E, 0xC8, 0x1A, 0xBA, 0x07, 0x4F, 0x81, 0x73, 0x48, 0, 0]
    memory += [UInt8](hexadecimal: container.filter { $0 != " " }.utf8) ?? []
    memory += [0x03, UInt8(message.count)] + message + [0xFE]
    memory += [UInt8](repeating: 0, count: pages * 4 - memory.count)
    for page in 0..<pages {
      let bytes = memory[page * 4..<page * 4 + 4].map { [$0].hexadecimal }.joined(separator: " ")
      text += "Page \(page): \(bytes)\n"
    }
    return Array(text.utf8)
  }

  @Test("a file's own type and version decide, before the number of pages")
  func ownType() async throws {
    let ntag203 = try await SavedTag(
      reading: flipper("Device type: NTAG/Ultralight\nNTAG/Ultralight type: NTAG203")
    ).identify()
    #expect(ntag203.name == "NTAG203")
    let i2c = "Device type: NTAG/Ultralight\nNTAG/Ultralight type: NTAG I2C 1K"
    for lines in [i2c, i2c + "\nMifare version: 00 04 04 05 02 01 13 03"] {
      let tag = try await SavedTag(
        reading: flipper(lines, pages: 231, container: "E1 10 6D 00")
      ).identify()
      #expect(tag.name == "NTAG I2C 1K")
      #expect(tag.used == NDEFMessage(uri: "https://example.com/1").bytes.count)
    }
    let twin = try await SavedTag(
      reading: flipper(
        "Device type: NTAG/Ultralight\nMifare version: 00 34 04 02 01 00 0F 03", pages: 45)
    ).identify()
    #expect(twin.name == "like NTAG213")
  }

  @Test("a byte order mark, comments and blank lines in a Flipper file say nothing")
  func lenientFlipper() async throws {
    let file = flipper(
      "\n# Nfc device type can be UID\n  Device type: NTAG/Ultralight\n\nNTAG/Ultralight type: NTAG203"
    )
    #expect(
      try await SavedTag(reading: [0xEF, 0xBB, 0xBF] + Array("\n".utf8) + file).identify().name
        == "NTAG203")
  }

  @Test(
    "a file of a tag that is not read is named as what it is",
    arguments: [
      ("Mifare Classic", "Mifare Classic type: 1K", "MIFARE Classic 1K"),
      ("Mifare DESFire", "PICC Version: 04", "MIFARE DESFire"),
      ("FeliCa", "Blocks total: 28", "FeliCa"),
    ])
  func named(type: String, line: String, name: String) {
    let text = "Filetype: Flipper NFC device\nVersion: 4\nDevice type: \(type)\n\(line)\n"
    let error = #expect(throws: TagDumpError.self) { try SavedTag(reading: Array(text.utf8)) }
    #expect(error?.message.contains("it is of a \(name);") == true)
  }

  @Test("Proxmark's .eml and its older binary form are read")
  func proxmark() async throws {
    let pages = try TagDumpFile(reading: flipper("Device type: NTAG/Ultralight", pages: 45)).pages
    let memory = pages.flatMap { $0 ?? [] }
    let lines = stride(from: 0, to: memory.count, by: 4).map { memory[$0..<$0 + 4].hexadecimal }
    let text = lines.joined(separator: "\n").lowercased() + "\n"
    #expect(try TagDumpFile(reading: Array(text.utf8)).pages == pages)
    let header: [UInt8] = [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03]
    let older = try TagDumpFile(reading: header + [UInt8](repeating: 0, count: 40) + memory)
    #expect(older.pages == pages && older.tagType == "NTAG213")
  }

  @Test("our own dump of a Type 5 tag reads as the tag did, its locks too")
  func type5() async throws {
    let uid: [UInt8] = [0xE0, 0x04, 0x01, 0x10, 0x66, 0x15, 0x39, 0x80]
    let message = NDEFMessage(uri: "https://example.com/1")
    let image = try Type5Image(message, byteCount: 112)
    let dump = TagFileDump(
      uid: uid, name: "ICODE SLIX",
      parts: [TagFileDump.Part(name: "blocks", bytes: image.bytes, byteCount: 112)],
      lockedBlocks: [0, 1])
    let tag = try await SavedTag(reading: dump.text(time: Date(timeIntervalSince1970: 0)))
      .identify()
    #expect(tag.name == "ICODE SLIX" && tag.uid == uid)
    #expect(tag.content == .message(message.bytes))
    #expect(tag.type5?.lockedBlocks?.prefix(3) == [true, true, false])
  }

  @Test("our own dump of a Type 4 tag reads as the tag did")
  func type4() async throws {
    let message = NDEFMessage(uri: "https://example.com/1")
    let container: [UInt8] = [
      0x00, 0x0F, 0x20, 0x01, 0x00, 0x00, 0xFF, 0x04, 0x06, 0xE1, 0x04, 0x01, 0x00, 0x00, 0x00,
    ]
    let file = [0x00, UInt8(message.bytes.count)] + message.bytes
    let dump = TagFileDump(
      uid: [0x04, 0x63, 0x47, 0x4A, 0xA2, 0x6A, 0x80], name: "NTAG 424 DNA",
      parts: [
        TagFileDump.Part(name: "E103", bytes: container, byteCount: container.count),
        TagFileDump.Part(name: "E104", bytes: file, byteCount: 256),
      ], lockedBlocks: nil)
    let tag = try await SavedTag(reading: dump.text(time: Date(timeIntervalSince1970: 0)))
      .identify()
    #expect(tag.name == "NTAG 424 DNA")
    #expect(tag.content == .message(message.bytes))
  }

  @Test("a dump of blocks of eight bytes keeps their size, and its locks are those of the tag")
  func largeBlocks() async throws {
    let message = NDEFMessage(uri: "https://example.com/1")
    let image = try Type5Image(message, byteCount: 128, blockByteCount: 8)
    let dump = TagFileDump(
      uid: [0xE0, 0x02, 0x01, 0x10, 0x66, 0x15, 0x39, 0x80], name: "Type 5",
      parts: [TagFileDump.Part(name: "blocks", bytes: image.bytes, byteCount: 128)],
      lockedBlocks: [1], blockByteCount: 8)
    let saved = try SavedTag(reading: dump.text(time: Date(timeIntervalSince1970: 0)))
    let tag = try #require(try await saved.identify().type5)
    #expect(tag.content == .message(message.bytes))
    #expect(tag.blockByteCount == 8 && tag.blockCount == 16)
    #expect(tag.lockedBlocks?.firstIndex(of: true) == 1)
  }

  @Test("a dump of files that lacks the NDEF file was cut short")
  func withoutFile() {
    let text = """
      {"format": "cliptag-tag-files", "version": 1, "tagType": "NTAG 424 DNA", "uid": "0463474AA26A80",
       "files": [{"file": "E103", "size": 15, "bytes": "000F20010000FF0406E10401000000"}]}
      """
    #expect(throws: TagDumpError("it has no NDEF file: the file is truncated")) {
      try SavedTag(reading: Array(text.utf8))
    }
  }

  @Test("a Flipper file with fewer bytes than its blocks have is refused")
  func shortFlipperVicinity() {
    let text = """
      Filetype: Flipper NFC device
      Version: 4
      Device type: ISO15693-3
      UID: E0 04 01 10 66 15 39 80
      Block Count: 28
      Block Size: 04
      Data Content: E1 40 0E 00
      """
    #expect(throws: TagDumpError.self) { try SavedTag(reading: Array(text.utf8)) }
  }

  @Test("a Flipper file of an ISO 15693 tag reads as a Type 5 tag, its UID in either order")
  func flipperVicinity() async throws {
    let message = NDEFMessage(uri: "https://example.com/1")
    let image = try Type5Image(message, byteCount: 112)
    for uid in ["E0 04 01 10 66 15 39 80", "80 39 15 66 10 01 04 E0"] {
      let text = """
        Filetype: Flipper NFC device
        Version: 4
        Device type: ISO15693-3
        UID: \(uid)
        Block Count: 28
        Block Size: 04
        Data Content: \(image.bytes.map { [$0].hexadecimal }.joined(separator: " "))
        """
      let tag = try await SavedTag(reading: Array(text.utf8)).identify()
      #expect(tag.uid.first == 0xE0 && tag.content == .message(message.bytes))
    }
  }

  @Test("the first lock of an older Flipper file is that of DSFID and AFI, not of a block")
  func olderFlipper() async throws {
    let image = try Type5Image(NDEFMessage(uri: "https://example.com/1"), byteCount: 112)
    let locks = ["01"] + [String](repeating: "00", count: 28)
    let text = """
      Filetype: Flipper NFC device
      Version: 3
      Device type: ISO15693
      UID: E0 04 01 10 66 15 39 80
      Data Content: \(image.bytes.map { [$0].hexadecimal }.joined(separator: " "))
      Security Status: \(locks.joined(separator: " "))
      """
    let tag = try await SavedTag(reading: Array(text.utf8)).identify()
    #expect(tag.type5?.lockedBlocks?.contains(true) == false)
  }

  @Test(
    "a damaged file of blocks is refused",
    arguments: [
      #"{"format": "cliptag-tag-files", "version": 1, "tagType": "x", "uid": "E004010866153980", "files": [{"file": "blocks", "size": 316, "bytes": ""}]}"#,
      #"{"format": "cliptag-tag-files"}"#,
      #"{"format": "cliptag-tag-files", "version": 9, "tagType": "", "uid": "", "files": []}"#,
      #"{"format": "cliptag-tag-files", "version": 1, "tagType": "x", "uid": "E004010866153980", "files": []}"#,
      #"{"format": "cliptag-tag-files", "version": 1, "tagType": "x", "uid": "E004010866153980", "files": [{"file": "blocks", "size": 2, "bytes": "000000"}]}"#,
      #"{"format": "cliptag-tag-files", "version": 1, "tagType": "x", "uid": "04112233445566", "files": [{"file": "blocks", "size": 4, "bytes": "00000000"}]}"#,
      "Filetype: Flipper NFC device\nDevice type: SLIX\nUID: E0 04\nData Content: 00",
    ])
  func damaged(text: String) {
    #expect(throws: TagDumpError.self) { try SavedTag(reading: Array(text.utf8)) }
  }
}
