import CliptagBasics
import NDEF
import Testing

@Suite("What is rejected, where, and what can be forgiven")
struct NDEFRejectionTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let rule: String
    let hexadecimal: String
    let code: NDEFError.Code
    let offset: Int
    /// Switches on the leniency for this fault; `nil` when it is never forgiven.
    var forgive: (@Sendable (inout NDEFOptions) -> Void)?

    var testDescription: String { rule }
  }

  static let cases = [
    Case(
      rule: "the first record must begin the message", hexadecimal: "51 01 02 55 04 61",
      code: .missingMessageBegin, offset: 0, forgive: { $0.allowsMissingMessageBegin = true }),
    Case(
      rule: "a later record must not begin a message",
      hexadecimal: "91 01 02 55 04 61 D1 01 02 55 04 62", code: .repeatedMessageBegin, offset: 6,
      forgive: { $0.allowsRepeatedMessageBegin = true }),
    Case(
      rule: "a later chunk must not begin a message",
      hexadecimal: "B1 01 02 55 04 61 D6 00 01 62", code: .repeatedMessageBegin, offset: 6,
      forgive: { $0.allowsRepeatedMessageBegin = true }),
    Case(
      rule: "a record must end the message", hexadecimal: "91 01 02 55 04 61",
      code: .missingMessageEnd, offset: 6, forgive: { $0.allowsMissingMessageEnd = true }),
    Case(
      rule: "nothing may follow the end", hexadecimal: "D1 01 02 55 04 61 00 00",
      code: .trailingBytes, offset: 6, forgive: { $0.allowsTrailingBytes = true }),
    Case(
      rule: "an empty record has no type", hexadecimal: "D0 01 00 55",
      code: .emptyRecordWithContent, offset: 0,
      forgive: { $0.allowsContentInEmptyRecord = true }),
    Case(
      rule: "an empty record has no payload", hexadecimal: "D0 00 01 55",
      code: .emptyRecordWithContent, offset: 0,
      forgive: { $0.allowsContentInEmptyRecord = true }),
    Case(
      rule: "an empty record has no identifier", hexadecimal: "D8 00 00 01 55",
      code: .emptyRecordWithContent, offset: 0,
      forgive: { $0.allowsContentInEmptyRecord = true }),
    Case(
      rule: "type name format 7 is reserved", hexadecimal: "91 01 02 55 04 61 57 01 00 55",
      code: .reservedTypeNameFormat, offset: 6,
      forgive: { $0.allowsReservedTypeNameFormat = true }),
    Case(
      rule: "a well-known record has a type", hexadecimal: "D1 00 01 55",
      code: .missingType, offset: 0, forgive: { $0.allowsMissingType = true }),
    Case(
      rule: "a record of unknown type has no type", hexadecimal: "D5 01 00 55",
      code: .unexpectedType, offset: 0, forgive: { $0.allowsTypeOnUnknown = true }),
    Case(
      rule: "a message does not begin with a later chunk", hexadecimal: "D6 00 01 55",
      code: .brokenChunks, offset: 0),
    Case(
      rule: "a chunk is followed by a chunk",
      hexadecimal: "B1 01 02 55 04 61 51 01 02 55 04 62", code: .brokenChunks, offset: 6),
    Case(
      rule: "the last chunk is not missing", hexadecimal: "B1 01 02 55 04 61",
      code: .brokenChunks, offset: 6),
    Case(
      rule: "a message does not end inside chunks", hexadecimal: "F1 01 02 55 04 61 56 00 01 62",
      code: .brokenChunks, offset: 0),
    Case(
      rule: "an empty record does not come in chunks", hexadecimal: "B0 00 00 56 00 00",
      code: .brokenChunks, offset: 0),
    Case(
      rule: "a later chunk has no type", hexadecimal: "B1 01 02 55 04 61 56 01 01 55 62",
      code: .chunkWithType, offset: 6, forgive: { $0.allowsChunkWithType = true }),
    Case(
      rule: "a later chunk has no identifier", hexadecimal: "B1 01 02 55 04 61 5E 00 01 01 78 62",
      code: .chunkWithType, offset: 6, forgive: { $0.allowsChunkWithType = true }),
    Case(
      rule: "a header is whole: type length", hexadecimal: "D1", code: .truncated, offset: 1),
    Case(
      rule: "a header is whole: payload length", hexadecimal: "C1 01 00 00", code: .truncated,
      offset: 2),
    Case(
      rule: "a header is whole: identifier length", hexadecimal: "D9 01 02", code: .truncated,
      offset: 3),
    Case(
      rule: "a type does not go past the end", hexadecimal: "D1 02 00 55", code: .truncated,
      offset: 3),
    Case(
      rule: "an identifier does not go past the end", hexadecimal: "D9 01 00 02 55 61",
      code: .truncated, offset: 5),
    Case(
      rule: "a payload does not go past the end", hexadecimal: "D1 01 03 55 04 61",
      code: .truncated, offset: 4),
  ]

  @Test("a strict reader rejects, and says at which byte", arguments: cases)
  func rejected(_ example: Case) {
    do {
      _ = try NDEFMessage(decoding: bytes(example.hexadecimal))
      Issue.record("\(example.rule): accepted")
    } catch {
      #expect(error.code == example.code)
      #expect(error.offset == example.offset)
    }
  }

  @Test("one leniency forgives one fault, and it is reported", arguments: cases)
  func forgiven(_ example: Case) throws {
    guard let forgive = example.forgive else {
      #expect(throws: NDEFError(example.code, at: 0, "")) {
        try NDEFReading(bytes(example.hexadecimal), options: .lenient)
      }
      return
    }
    var options = NDEFOptions.strict
    forgive(&options)
    let reading = try NDEFReading(bytes(example.hexadecimal), options: options)
    #expect(reading.forgiven.map(\.code) == [example.code])
    #expect(reading.forgiven.map(\.offset) == [example.offset])
  }

  @Test("a strict reading forgives nothing")
  func strict() throws {
    let reading = try NDEFReading(bytes("D1 01 02 55 04 61"))
    #expect(reading.forgiven.isEmpty)
    #expect(reading.payloadOffsets == [4])
  }

  @Test("a record whose fault was forgiven keeps its bytes")
  func forgivenRecordIsKept() throws {
    for hexadecimal in ["D0 01 01 55 61", "D7 01 01 55 61", "D5 01 01 55 61", "D1 00 01 61"] {
      let reading = try NDEFReading(bytes(hexadecimal), options: .lenient)
      #expect(reading.message.bytes == bytes(hexadecimal))
    }
  }

  @Test("limits hold for record count and payload length, chunks included")
  func limits() throws {
    var options = NDEFOptions.strict
    options.maximumRecordCount = 1
    let two = bytes("91 01 02 55 04 61 51 01 02 55 04 62")
    #expect(throws: NDEFError(.tooManyRecords, at: 6, "")) {
      try NDEFReading(two, options: options)
    }
    options.maximumRecordCount = 2
    options.maximumPayloadLength = 2
    #expect(try NDEFReading(two, options: options).message.records.count == 2)
    #expect(throws: NDEFError(.payloadTooLong, at: 2, "")) {
      try NDEFReading(bytes("D1 01 03 55 04 61 62"), options: options)
    }
    #expect(throws: NDEFError(.payloadTooLong, at: 8, "")) {
      try NDEFReading(bytes("B1 01 02 55 04 61 56 00 01 62"), options: options)
    }
  }

  @Test("a length of 4 GiB in 7 bytes is rejected without memory being taken")
  func hugeLength() {
    #expect(throws: NDEFError(.payloadTooLong, at: 2, "")) {
      try NDEFMessage(decoding: bytes("C1 01 FF FF FF FF 55"))
    }
  }

  @Test("errors read as sentences and are equal by code")
  func errors() {
    let error = NDEFError(.truncated, at: 4, "the payload needs 3 bytes, and 2 are left")
    #expect(
      String(describing: error) == "the payload needs 3 bytes, and 2 are left (at byte 4)")
    #expect(error == NDEFError(.truncated, at: 9, "another"))
    #expect(error != NDEFError(.trailingBytes, at: 4, ""))
  }
}
