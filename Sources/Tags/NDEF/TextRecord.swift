/// A Text record (well-known type `T`): a text and its language.
///
/// NFC Forum, Text Record Type Definition 1.0.
public struct TextRecord: Hashable, Sendable {
  /// The encoding of the text.
  public enum Encoding: Hashable, Sendable {
    /// UTF-8.
    case utf8
    /// UTF-16, big-endian unless it begins with a little-endian byte order mark.
    case utf16
  }

  /// The underlying record, byte for byte as it was read or made.
  public let record: NDEFRecord
  /// The text, without a byte order mark.
  public let text: String
  /// The language as a BCP 47 tag, for example `en` or `de-CH`.
  public let language: String
  /// The encoding of the text.
  public let encoding: Encoding
  /// The errors that a strict reading would have thrown.
  public let forgiven: [NDEFError]

  /// Reads a Text record.
  ///
  /// - Parameters:
  ///   - record: A record of well-known type `T`.
  ///   - options: ``NDEFOptions/allowsReservedTextBit`` and ``NDEFOptions/allowsMissingLanguage``
  ///     apply here.
  /// - Throws: ``NDEFError`` with an offset into the payload: `wrongRecordType`,
  ///   `malformedPayload`, `reservedTextBit`, `missingLanguage`, `invalidText`.
  public init(_ record: NDEFRecord, options: NDEFOptions = .strict) throws(NDEFError) {
    guard record.isWellKnown("T") else {
      throw NDEFError(.wrongRecordType, at: 0, "the record is not a Text record (type T)")
    }
    let payload = record.payload
    guard let status = payload.first else {
      throw NDEFError(.malformedPayload, at: 0, "a Text record needs at least the status byte")
    }
    var leniency = Leniency()
    if status & 0x40 != 0 {
      try leniency.check(
        options.allowsReservedTextBit,
        NDEFError(.reservedTextBit, at: 0, "bit 6 of the status byte is reserved"))
    }
    let languageLength = Int(status & 0x3F)
    if languageLength == 0 {
      try leniency.check(
        options.allowsMissingLanguage,
        NDEFError(.missingLanguage, at: 0, "the Text record has no language"))
    }
    let textStart = 1 + languageLength
    guard textStart <= payload.count else {
      throw NDEFError(
        .malformedPayload, at: 0,
        "the language needs \(languageLength) bytes, and \(payload.count - 1) are left")
    }
    let languageBytes = payload[1..<textStart]
    if let index = languageBytes.firstIndex(where: { $0 >= 0x80 }) {
      throw NDEFError(.invalidText, at: index, "the language is not ASCII")
    }
    language = String(decoding: languageBytes, as: UTF8.self)
    encoding = status & 0x80 == 0 ? .utf8 : .utf16
    text = try Self.text(payload[textStart...], encoding)
    self.record = record
    forgiven = leniency.forgiven
  }

  /// Makes a Text record in UTF-8.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - language: 1 to 63 ASCII characters, as in BCP 47.
  /// - Throws: ``NDEFError``: `missingLanguage`, `fieldTooLong`, `invalidText` (not ASCII).
  public init(_ text: String, language: String) throws(NDEFError) {
    let languageBytes = Array(language.utf8)
    if languageBytes.isEmpty {
      throw NDEFError(.missingLanguage, at: nil, "a Text record needs a language")
    }
    if languageBytes.count > 63 {
      throw NDEFError(.fieldTooLong, at: nil, "a language has at most 63 characters")
    }
    if languageBytes.contains(where: { $0 >= 0x80 }) {
      throw NDEFError(.invalidText, at: nil, "a language is ASCII")
    }
    record = try NDEFRecord(
      .wellKnown, type: Array("T".utf8),
      payload: [UInt8(languageBytes.count)] + languageBytes + text.utf8)
    self.text = text
    self.language = language
    encoding = .utf8
    forgiven = []
  }

  private static func text(
    _ bytes: ArraySlice<UInt8>, _ encoding: Encoding
  ) throws(NDEFError) -> String {
    switch encoding {
    case .utf8:
      switch TextDecoding.decode(bytes, as: UTF8.self) {
      case .success(let text): return text
      case .failure(let invalid):
        throw NDEFError(
          .invalidText, at: bytes.startIndex + invalid.index, "the text is not UTF-8")
      }
    case .utf16:
      guard bytes.count.isMultiple(of: 2) else {
        throw NDEFError(
          .invalidText, at: bytes.endIndex - 1, "UTF-16 text has an odd number of bytes")
      }
      let mark = Array(bytes.prefix(2))
      let isLittleEndian = mark == [0xFF, 0xFE]
      let body = mark == [0xFE, 0xFF] || isLittleEndian ? bytes.dropFirst(2) : bytes
      let units = stride(from: body.startIndex, to: body.endIndex, by: 2).map { index in
        let (high, low) = isLittleEndian ? (index + 1, index) : (index, index + 1)
        return UInt16(body[high]) << 8 | UInt16(body[low])
      }
      switch TextDecoding.decode(units, as: UTF16.self) {
      case .success(let text): return text
      case .failure(let invalid):
        throw NDEFError(
          .invalidText, at: body.startIndex + 2 * invalid.index, "the text is not UTF-16")
      }
    }
  }
}

/// Strict text decoding that reports the position of a failure.
enum TextDecoding {
  /// Returns the text of `units`, or the index of the first unit that is not valid text.
  static func decode<Encoding: Unicode.Encoding>(
    _ units: some Collection<Encoding.CodeUnit>, as encoding: Encoding.Type
  ) -> Result<String, Invalid> {
    var text = ""
    var parser = Encoding.ForwardParser()
    var iterator = units.makeIterator()
    var consumed = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar):
        consumed += scalar.count
        text.unicodeScalars.append(Encoding.decode(scalar))
      case .error:
        return .failure(Invalid(index: consumed))
      case .emptyInput:
        return .success(text)
      }
    }
  }

  /// The position at which text becomes invalid.
  struct Invalid: Error {
    /// The number of units before the first invalid one.
    let index: Int
  }
}
