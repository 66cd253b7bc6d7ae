/// Reads the tokens of JSON (RFC 8259) from the bytes of a text.
///
/// Two readers share it: one into nodes with their line and column, and one of the record's flat
/// objects, of which a log may hold a million.
package struct JSONTokens {
  /// The fault of a token. Afterwards ``offset`` is its place.
  package enum Fault: Error {
    /// A text contains a control character.
    case controlCharacter
    /// A text has no end.
    case unfinishedText
    /// A backslash begins no escape.
    case malformedEscape
    /// An escape is half of a surrogate pair.
    case halfSurrogate
    /// A text is not UTF-8.
    case notUTF8
    /// A number does not have the form of JSON.
    case malformedNumber
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  /// The offset of the next byte.
  package private(set) var offset = 0

  /// Begins at the first byte.
  ///
  /// - Parameter bytes: The text, which must outlive the reader.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The next byte; `nil` at the end.
  package var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Returns bytes by their offsets, as far as there are any.
  package subscript(range: Range<Int>) -> Slice<UnsafeBufferPointer<UInt8>> {
    bytes[range.clamped(to: 0..<bytes.count)]
  }

  /// Skips white space.
  package mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      offset += 1
    }
  }

  /// Skips an ASCII character, if it is next.
  package mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  /// Skips a word, if it is next.
  package mutating func skip(word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - offset >= count,
      (0..<count).allSatisfy({ bytes[offset + $0] == word.utf8Start[$0] })
    else { return false }
    offset += count
    return true
  }

  /// Reads a number, as it is written.
  package mutating func number() throws(Fault) -> String {
    let start = offset
    _ = skip("-")
    var isNumber = skip("0") || skipDigits()
    if isNumber, skip(".") { isNumber = skipDigits() }
    if isNumber, skip("e") || skip("E") {
      if !skip("-") { _ = skip("+") }
      isNumber = skipDigits()
    }
    guard isNumber else {
      offset = start
      throw .malformedNumber
    }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func skipDigits() -> Bool {
    let start = offset
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      offset += 1
    }
    return offset > start
  }

  /// Reads a text whose opening quotation mark is next.
  package mutating func text() throws(Fault) -> String {
    offset += 1
    var (start, text) = (offset, [UInt8]())
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        let end = offset
        offset += 1
        // Most texts have no escapes.
        let whole =
          text.isEmpty
          ? String(validating: bytes[start..<end], as: UTF8.self)
          : String(validating: text + bytes[start..<end], as: UTF8.self)
        guard let whole else { throw .notUTF8 }
        return whole
      case UInt8(ascii: "\\"):
        text += bytes[start..<offset]
        text += String(try escape()).utf8
        start = offset
      case ..<0x20: throw .controlCharacter
      default: offset += 1
      }
    }
    throw .unfinishedText
  }

  private mutating func escape() throws(Fault) -> Unicode.Scalar {
    let start = offset
    offset += 1
    do throws(Fault) {
      guard let byte = current else { throw .malformedEscape }
      offset += 1
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
      case UInt8(ascii: "b"): return "\u{08}"
      case UInt8(ascii: "f"): return "\u{0C}"
      case UInt8(ascii: "n"): return "\n"
      case UInt8(ascii: "r"): return "\r"
      case UInt8(ascii: "t"): return "\t"
      case UInt8(ascii: "u"):
        guard let first = unit() else { throw .malformedEscape }
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), skip(word: "\\u"), let second = unit(),
          UTF16.isTrailSurrogate(second),
          let scalar = Unicode.Scalar(
            0x1_0000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw .halfSurrogate }
        return scalar
      default: throw .malformedEscape
      }
    } catch {
      offset = start
      throw error
    }
  }

  /// Reads four hexadecimal digits.
  private mutating func unit() -> UInt16? {
    guard bytes.count - offset >= 4 else { return nil }
    let digits = bytes[offset..<offset + 4]
    offset += 4
    return [UInt8](hexadecimal: digits).map { UInt16($0[0]) << 8 | UInt16($0[1]) }
  }
}
