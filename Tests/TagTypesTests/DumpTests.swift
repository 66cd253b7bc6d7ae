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
}
