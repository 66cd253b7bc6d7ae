import CliptagBasics
import NDEF
import Testing

@Suite("Messages and records")
struct NDEFMessageTests {
  /// Written with ndeflib 0.3.3.
  static let vectors = [
    "D1 01 22 55 04 6578616D706C652E636F6D2F6D656E752F64696E6E65722F6974656D2F31323334",
    "91 01 0E 55 02 6578616D706C652E636F6D2F61 51 01 0A 54 02 6465 4772C3BCC39F65",
    "D1 01 0B 54 82 6A61 FFFEE5652C679E8A",
    "DA 0A 05 04 746578742F706C61696E 69642D31 68656C6C6F",
    "D4 10 02 6578616D706C652E636F6D3A646F6F72 0102",
    "D5 00 03 616263",
    "D0 00 00",
    "D9 01 0A 01 55 61 05 2B3135353531323334",
    "D102535370910118550466727574612E6578616D706C652E636F6D2F6F726465721101085402656E4672757461"
      + "11010B540264654672C3BC6368746511030161637401110104730000100051010974746578742F68746D6C",
  ]

  @Test("what another writer wrote is read and written again byte for byte", arguments: vectors)
  func vectorRoundTrip(hexadecimal: String) throws {
    let message = try NDEFMessage(decoding: bytes(hexadecimal))
    #expect(message.bytes == bytes(hexadecimal))
  }

  @Test("the 38-byte example message is one URI record with prefix code 04")
  func example() throws {
    let message = NDEFMessage(uri: "https://example.com/menu/dinner/item/1234")
    #expect(message.bytes == bytes(Self.vectors[0]))
    #expect(message.bytes.count == 38)
    #expect(message.firstURI()?.uri == "https://example.com/menu/dinner/item/1234")
  }

  @Test("every field of a record is kept")
  func fields() throws {
    let message = try NDEFMessage(decoding: bytes(Self.vectors[3]))
    let record = try #require(message.records.first)
    #expect(record.typeNameFormat == .media)
    #expect(record.type == Array("text/plain".utf8))
    #expect(record.identifier == Array("id-1".utf8))
    #expect(record.payload == Array("hello".utf8))
    #expect(record.lengthForm == .short)
  }

  @Test("a payload over 255 bytes is written with a length of four bytes")
  func longRecord() throws {
    let uri = "https://example.com/" + String(repeating: "a", count: 300)
    let message = NDEFMessage(uri: uri)
    #expect(message.bytes.starts(with: bytes("C1 01 00000139 55 04 6578616D706C65")))
    #expect(message.bytes.count == 320)
    #expect(try NDEFMessage(decoding: message.bytes).firstURI()?.uri == uri)
  }

  @Test("a payload of 255 bytes is the longest short record")
  func shortRecordLimit() {
    let fits = NDEFMessage(uri: String(repeating: "a", count: 254))
    #expect(fits.bytes.starts(with: bytes("D1 01 FF 55")))
    let tooLong = NDEFMessage(uri: String(repeating: "a", count: 255))
    #expect(tooLong.bytes.starts(with: bytes("C1 01 00000100 55")))
  }

  @Test("a long length form that was not needed is written again as it was read")
  func needlessLongForm() throws {
    let long = bytes("C1 01 00000003 55 04 6162")
    #expect(try NDEFMessage(decoding: long).bytes == long)
  }

  @Test("an identifier of length 0 is not the same as no identifier")
  func emptyIdentifier() throws {
    let with = try NDEFMessage(decoding: bytes("D9 01 02 00 55 04 61"))
    let without = try NDEFMessage(decoding: bytes("D1 01 02 55 04 61"))
    #expect(with.records[0].identifier == [])
    #expect(without.records[0].identifier == nil)
    #expect(with.bytes == bytes("D9 01 02 00 55 04 61"))
  }

  @Test("the empty message is one empty record; zero bytes are no message")
  func emptyMessage() throws {
    #expect(NDEFMessage.empty.bytes == bytes("D0 00 00"))
    #expect(try NDEFMessage(decoding: bytes("D0 00 00")) == .empty)
    #expect(throws: NDEFError(.zeroBytes, at: 0, "")) { try NDEFMessage(decoding: []) }
    #expect(throws: NDEFError(.zeroBytes, at: 0, "")) {
      try NDEFReading([], options: .lenient)
    }
    #expect(throws: NDEFError(.noRecords, at: nil, "")) { try NDEFMessage([]) }
  }

  @Test("chunks are joined into one record, which is written whole")
  func chunks() throws {
    let chunked = bytes("B9 01 03 01 55 78 046162 36 00 02 6364 16 00 01 65 51 01 02 55 03 66")
    let message = try NDEFMessage(decoding: chunked)
    #expect(message.records.count == 2)
    #expect(message.records[0].payload == bytes("04 6162 6364 65"))
    #expect(message.records[0].identifier == [0x78])
    #expect(message.bytes == bytes("99 01 06 01 55 78 046162636465 51 01 02 55 03 66"))
  }

  @Test("chunks that add up to more than 255 bytes are written with a long length")
  func longChunks() throws {
    let part = [UInt8](repeating: 0x61, count: 200)
    let chunked = bytes("B1 01 C8 55") + part + bytes("56 00 C8") + part
    let message = try NDEFMessage(decoding: chunked)
    #expect(message.bytes.starts(with: bytes("C1 01 00000190 55")))
    #expect(message.records[0].payload == part + part)
  }

  @Test("a record that would not be valid cannot be made")
  func invalidRecords() {
    #expect(throws: NDEFError(.missingType, at: nil, "")) {
      try NDEFRecord(.wellKnown, type: [], payload: [])
    }
    #expect(throws: NDEFError(.unexpectedType, at: nil, "")) {
      try NDEFRecord(.unknown, type: [1], payload: [])
    }
    #expect(throws: NDEFError(.emptyRecordWithContent, at: nil, "")) {
      try NDEFRecord(.empty, type: [], payload: [1])
    }
    #expect(throws: NDEFError(.brokenChunks, at: nil, "")) {
      try NDEFRecord(.unchanged, type: [], payload: [])
    }
    #expect(throws: NDEFError(.reservedTypeNameFormat, at: nil, "")) {
      try NDEFRecord(.reserved, type: [1], payload: [])
    }
    #expect(throws: NDEFError(.fieldTooLong, at: nil, "")) {
      try NDEFRecord(.media, type: [UInt8](repeating: 1, count: 256), payload: [])
    }
    #expect(throws: NDEFError(.fieldTooLong, at: nil, "")) {
      try NDEFRecord(
        .media, type: [1], identifier: [UInt8](repeating: 1, count: 256), payload: [])
    }
  }

  @Test("a URI record of another kind does not count as the first URI")
  func firstURI() throws {
    let poster = try SmartPosterRecord(uri: "https://a.example/").record
    let message = try NDEFMessage([poster, URIRecord("https://b.example/").record])
    #expect(message.firstURI()?.uri == "https://b.example/")
    #expect(NDEFMessage(poster).firstURI() == nil)
  }

  @Test("a first URI record that cannot be read is not passed over for a later one")
  func brokenFirstURI() throws {
    let broken = try NDEFRecord(.wellKnown, type: Array("U".utf8), payload: [0x04, 0x61, 0xE9])
    let message = try NDEFMessage([broken, URIRecord("https://b.example/").record])
    #expect(message.firstURI() == nil)
    #expect(message.firstURI(options: .lenient) == nil)
  }
}
