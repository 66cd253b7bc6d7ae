import NDEF
import Testing

@Suite("URI, Text and Smart Poster records")
struct TypedRecordTests {
  @Test(
    "every prefix code is written and read (URI RTD 1.0, section 3.2.2)",
    arguments: URIPrefix.all.indices)
  func prefixCode(code: Int) throws {
    let uri = URIPrefix.all[code] + "rest"
    let record = URIRecord(uri)
    #expect(record.record.payload == [UInt8(code)] + Array("rest".utf8))
    let read = try URIRecord(record.record)
    #expect(read.uri == uri)
    #expect(Int(read.prefixCode) == code)
  }

  @Test("there are 36 prefix codes")
  func prefixCount() {
    #expect(URIPrefix.all.count == 0x24)
    #expect(URIPrefix.text(of: 0x23) == "urn:nfc:")
    #expect(URIPrefix.text(of: 0x24) == nil)
  }

  @Test(
    "the longest prefix is taken",
    arguments: [
      ("https://www.example.com", 0x02), ("https://www", 0x04), ("http://www.a", 0x01),
      ("ftp://ftp.a", 0x08), ("ftp://anonymous:anonymous@a", 0x07), ("ftp://a", 0x0D),
      ("urn:epc:id:1", 0x1E), ("urn:epc:x", 0x22), ("urn:x", 0x13), ("HTTPS://a", 0x00),
      ("sip:a", 0x15), ("sips:a", 0x16), ("https://", 0x04), ("", 0x00),
    ])
  func longestPrefix(uri: String, code: Int) throws {
    #expect(Int(URIRecord(uri).prefixCode) == code)
    #expect(try URIRecord(URIRecord(uri).record).uri == uri)
  }

  @Test("a URI that another writer did not abbreviate keeps its bytes")
  func unabbreviated() throws {
    let record = try NDEFRecord(
      .wellKnown, type: Array("U".utf8), payload: [0] + Array("https://a.example".utf8))
    let view = try URIRecord(record)
    #expect(view.uri == "https://a.example")
    #expect(view.prefixCode == 0)
    #expect(view.record == record)
  }

  @Test("a reserved prefix code is rejected, or read as none and reported")
  func reservedPrefix() throws {
    let record = try NDEFRecord(.wellKnown, type: Array("U".utf8), payload: [0x24, 0x61])
    #expect(throws: NDEFError(.reservedURIPrefix, at: 0, "")) { try URIRecord(record) }
    let view = try URIRecord(record, options: .lenient)
    #expect(view.uri == "a")
    #expect(view.forgiven.map(\.code) == [.reservedURIPrefix])
  }

  @Test("a URI that was written without its prefix byte is told from a reserved one")
  func missingPrefix() throws {
    func fault(_ payload: String) -> NDEFError? {
      let record = try? NDEFRecord(
        .wellKnown, type: Array("U".utf8), payload: Array(payload.utf8))
      return record.flatMap { record in
        #expect(throws: NDEFError.self) { try URIRecord(record) }
      }
    }
    for payload in ["https://a.example", "tel:+1", "HTTP://a.example", "sip.x+y-1:a"] {
      #expect(fault(payload)?.code == .reservedURIPrefix)
      #expect(fault(payload)?.message.contains("prefix byte is missing") == true, "\(payload)")
    }
    for payload in ["$https://a.example", "a", "a:b", "é:b", "www.a.example/ b:c"] {
      #expect(fault(payload)?.message.contains("are reserved") == true, "\(payload)")
    }
  }

  @Test("a URI that is not UTF-8 is rejected at its first bad byte, also leniently")
  func invalidURI() throws {
    let record = try NDEFRecord(
      .wellKnown, type: Array("U".utf8), payload: bytes("04 61 C3A4 62 C3"))
    do {
      _ = try URIRecord(record, options: .lenient)
      Issue.record("accepted")
    } catch {
      #expect(error.code == .invalidText)
      #expect(error.offset == 5)
    }
  }

  @Test("a view fails on a record of another type instead of guessing")
  func wrongType() throws {
    let wrong = NDEFError(.wrongRecordType, at: 0, "")
    let text = try TextRecord("a", language: "en").record
    let external = try NDEFRecord(.external, type: Array("U".utf8), payload: [4, 0x61])
    #expect(throws: wrong) { try URIRecord(text) }
    #expect(throws: wrong) { try URIRecord(external, options: .lenient) }
    #expect(throws: wrong) { try TextRecord(URIRecord("a").record) }
    #expect(throws: wrong) { try SmartPosterRecord(text) }
  }

  @Test("a URI record without payload is malformed")
  func noPrefix() throws {
    let record = try NDEFRecord(.wellKnown, type: Array("U".utf8), payload: [])
    #expect(throws: NDEFError(.malformedPayload, at: 0, "")) { try URIRecord(record) }
  }

  @Test(
    "text is read in UTF-8 and UTF-16 of both byte orders",
    arguments: [
      ("02 6465 4772C3BCC39F65", "de", "Grüße"), ("82 6A61 FFFEE5652C679E8A", "ja", "日本語"),
      ("82 6A61 FEFF65E5672C8A9E", "ja", "日本語"), ("82 6A61 65E5672C8A9E", "ja", "日本語"),
      ("82 656E D83DDE00", "en", "😀"), ("05 656E2D5553", "en-US", ""),
    ])
  func text(payload: String, language: String, text: String) throws {
    let record = try NDEFRecord(.wellKnown, type: Array("T".utf8), payload: bytes(payload))
    let view = try TextRecord(record)
    #expect(view.text == text)
    #expect(view.language == language)
    #expect(view.forgiven.isEmpty)
  }

  @Test(
    "a broken text record is rejected at its byte",
    arguments: [
      ("", NDEFError.Code.malformedPayload, 0), ("03 656E", .malformedPayload, 0),
      ("00 61", .missingLanguage, 0), ("42 656E 61", .reservedTextBit, 0),
      ("02 65C3 61", .invalidText, 2), ("02 656E 61FF", .invalidText, 4),
      ("82 656E 0061 62", .invalidText, 5), ("82 656E 0061 D800", .invalidText, 5),
      ("82 656E FEFF 0061 DC00", .invalidText, 7),
    ])
  func brokenText(payload: String, code: NDEFError.Code, offset: Int) throws {
    let record = try NDEFRecord(.wellKnown, type: Array("T".utf8), payload: bytes(payload))
    do {
      _ = try TextRecord(record)
      Issue.record("accepted")
    } catch {
      #expect(error.code == code)
      #expect(error.offset == offset)
    }
  }

  @Test("a missing language and the reserved bit can be forgiven")
  func lenientText() throws {
    let record = try NDEFRecord(.wellKnown, type: Array("T".utf8), payload: bytes("40 61"))
    let view = try TextRecord(record, options: .lenient)
    #expect(view.text == "a")
    #expect(view.forgiven.map(\.code) == [.reservedTextBit, .missingLanguage])
  }

  @Test("a language has 1 to 63 ASCII characters")
  func language() throws {
    #expect(throws: NDEFError(.missingLanguage, at: nil, "")) {
      try TextRecord("a", language: "")
    }
    #expect(throws: NDEFError(.fieldTooLong, at: nil, "")) {
      try TextRecord("a", language: String(repeating: "e", count: 64))
    }
    #expect(throws: NDEFError(.invalidText, at: nil, "")) {
      try TextRecord("a", language: "dé")
    }
    let made = try TextRecord("Grüße", language: "de")
    #expect(made.record.payload == bytes("02 6465 4772C3BCC39F65"))
    #expect(try TextRecord(made.record) == made)
  }
}
