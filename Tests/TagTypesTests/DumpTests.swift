import Basics
import NDEF
import TagTypes
import Testing

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
    // As on a tag whose password guards page 6 on, READ goes on with page 0.
    let read = try await channel.exchange([0x30, 4])
    #expect(read[..<8] == (made.pages[4]! + made.pages[5]!)[...])
    #expect(read[8...] == (made.pages[0]! + made.pages[1]!)[...])
  }

  /// An NTAG215 with a URL, as its own text has it.
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
