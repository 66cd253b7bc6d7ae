import NDEF
import Testing

@Suite("What the articles of NDEF show is true") struct NDEFArticleTests {
  @Test("a URI becomes bytes and comes back")
  func landingPage() throws {
    let message = NDEFMessage(uri: "https://fruta.example.com/order")
    print(message.bytes.count)  // 28: what goes onto the tag
    let read = try NDEFMessage(decoding: message.bytes)
    print(read.firstURI()?.uri ?? "no URI")  // https://fruta.example.com/order
    #expect(message.bytes.count == 28)
    #expect(read.firstURI()?.uri == "https://fruta.example.com/order")
  }

  @Test("bytes become a message and the same bytes; what is forgiven is told")
  func reading() throws {
    let bytes: [UInt8] = [0xD1, 0x01, 0x0C, 0x55, 0x04] + Array("example.com".utf8)
    let message = try NDEFMessage(decoding: bytes)
    print(message.firstURI()?.uri ?? "no URI")  // https://example.com
    print(message.bytes == bytes)  // true
    #expect(message.firstURI()?.uri == "https://example.com" && message.bytes == bytes)
    var options = NDEFOptions.strict
    options.allowsTrailingBytes = true
    let reading = try NDEFReading(bytes + [0x00], options: options)
    // bytes follow the end of the message: 1 (at byte 16)
    for fault in reading.forgiven { print(fault) }
    #expect(
      reading.forgiven.map(\.description) == ["bytes follow the end of the message: 1 (at byte 16)"]
    )
  }
}
