import NDEF
import Testing

@Suite("Smart Posters")
struct SmartPosterTests {
  private func poster(_ payload: String) throws -> NDEFRecord {
    try NDEFRecord(.wellKnown, type: Array("Sp".utf8), payload: bytes(payload))
  }

  @Test("a poster written by ndeflib is read whole")
  func vector() throws {
    let message = try NDEFMessage(decoding: bytes(NDEFMessageTests.vectors[8]))
    let poster = try SmartPosterRecord(message.records[0])
    #expect(poster.uri.uri == "https://fruta.example.com/order")
    #expect(poster.titles.map(\.language) == ["en", "de"])
    #expect(poster.titles.map(\.text) == ["Fruta", "Früchte"])
    #expect(poster.action == .save)
    #expect(poster.size == 4096)
    #expect(poster.mediaType == "text/html")
    #expect(poster.icons.isEmpty)
    #expect(poster.message.records.count == 6)
  }

  @Test("a poster that is made reads as it was made")
  func made() throws {
    let titles = [
      try TextRecord("Fruta", language: "en"), try TextRecord("Früchte", language: "de"),
    ]
    let made = try SmartPosterRecord(
      uri: "https://fruta.example.com/order", titles: titles, action: .open)
    let read = try SmartPosterRecord(made.record)
    #expect(read == made)
    #expect(read.titles == titles)
    #expect(read.action == .open)
  }

  @Test("icons and records of others are kept")
  func otherRecords() throws {
    let record = try poster(
      "91 01 02 55 04 61 12 09 01 696D6167652F706E67 FF 51 01 01 78 00")
    let view = try SmartPosterRecord(record)
    #expect(view.icons.map(\.payload) == [[0xFF]])
    #expect(view.message.records.count == 3)
    #expect(view.record == record)
  }

  @Test("a poster needs a URI record")
  func missingURI() throws {
    let record = try poster("D1 01 04 54 02 656E 61")
    #expect(throws: NDEFError(.missingURI, at: 8, "")) { try SmartPosterRecord(record) }
    #expect(throws: NDEFError(.missingURI, at: 8, "")) {
      try SmartPosterRecord(record, options: .lenient)
    }
  }

  @Test(
    "what a poster holds once is rejected twice, or the first counts",
    arguments: [
      "91 01 02 55 04 61 51 01 02 55 04 62",
      "91 01 02 55 04 61 11 03 01 616374 00 51 03 01 616374 01",
      "91 01 02 55 04 61 11 01 04 73 00000001 51 01 04 73 00000002",
      "91 01 02 55 04 61 11 01 01 74 61 51 01 01 74 62",
      "91 01 02 55 04 61 11 01 04 54 02 656E 61 51 01 04 54 02 656E 62",
    ])
  func repeated(payload: String) throws {
    let record = try poster(payload)
    #expect(throws: NDEFError(.repeatedPosterRecord, at: 0, "")) {
      try SmartPosterRecord(record)
    }
    let view = try SmartPosterRecord(record, options: .lenient)
    #expect(view.forgiven.map(\.code) == [.repeatedPosterRecord])
    #expect(view.uri.uri == "https://a")
    #expect(view.action == nil || view.action == .open)
    #expect(view.size == nil || view.size == 1)
    #expect(view.mediaType == nil || view.mediaType == "a")
    #expect(view.titles.isEmpty || view.titles.map(\.text) == ["a"])
  }

  @Test("a fault inside is reported at its byte of the poster's payload")
  func nestedOffset() throws {
    let faults: [(String, NDEFError.Code, Int)] = [
      ("91 01 02 55 04 61 51 01 02 55 30 62", .reservedURIPrefix, 10),
      ("91 01 02 55 04 61 51 01 04 54 02 656E FF", .invalidText, 13),
      ("91 01 02 55 04 61 51 03 02 616374 0000", .malformedPayload, 12),
      ("91 01 02 55 04 61 51 01 03 73 000000", .malformedPayload, 10),
      ("91 01 02 55 04 61 51 01 01 74 FF", .invalidText, 10),
      ("91 01 02 55 04 61 51 01 09 55 04 62", .truncated, 10),
    ]
    for (payload, code, offset) in faults {
      do {
        _ = try SmartPosterRecord(poster(payload))
        Issue.record("\(payload) accepted")
      } catch let error as NDEFError {
        #expect(error.code == code)
        #expect(error.offset == offset)
      }
    }
  }

  @Test("what is forgiven inside is reported at its byte of the poster's payload")
  func nestedForgiveness() throws {
    let record = try poster("11 01 02 55 30 61 51 01 03 54 40 6162")
    let view = try SmartPosterRecord(record, options: .lenient)
    #expect(
      view.forgiven.map(\.code) == [
        .missingMessageBegin, .reservedURIPrefix, .reservedTextBit, .missingLanguage,
      ])
    #expect(view.forgiven.map(\.offset) == [0, 4, 10, 10])
  }
}
