/// The case of the hexadecimal digits from ten to fifteen.
package enum HexadecimalLetters {
  /// `A` to `F`: for tags, records and messages.
  case capital
  /// `a` to `f`: for formats that require them.
  case small
}

extension Sequence<UInt8> {
  /// The bytes as pairs of capital digits without separators.
  package var hexadecimal: String { hexadecimal(.capital) }

  /// Returns the bytes as pairs of digits without separators.
  package func hexadecimal(_ letters: HexadecimalLetters) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * underestimatedCount)
    text.append(hexadecimal: self, letters)
    return String(decoding: text, as: UTF8.self)
  }
}

extension FixedWidthInteger {
  /// Returns the magnitude in capital digits, padded with leading zeros.
  package func hexadecimal(digits count: Int) -> String {
    var rest = UInt128(truncatingIfNeeded: magnitude)
    var digits: [UInt8] = []
    while rest > 0 || digits.count < count {
      digits.append(UInt8(truncatingIfNeeded: rest & 15).hexadecimalDigit(.capital))
      rest >>= 4
    }
    digits.reverse()
    return String(decoding: digits, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends bytes as pairs of digits in ASCII.
  package mutating func append(
    hexadecimal bytes: some Sequence<UInt8>, _ letters: HexadecimalLetters = .capital
  ) {
    // One append for all bytes is faster than iterating over the sequence.
    if bytes.withContiguousStorageIfAvailable({ append($0, letters) }) == nil {
      Array(bytes).withUnsafeBufferPointer { append($0, letters) }
    }
  }

  private mutating func append(
    _ bytes: UnsafeBufferPointer<UInt8>, _ letters: HexadecimalLetters
  ) {
    for byte in bytes { append(hexadecimalOf: byte, letters) }
  }

  /// Appends one byte as two digits in ASCII.
  package mutating func append(
    hexadecimalOf byte: UInt8, _ letters: HexadecimalLetters = .capital
  ) {
    append((byte >> 4).hexadecimalDigit(letters))
    append((byte & 15).hexadecimalDigit(letters))
  }

  /// Parses pairs of digits of either case, in ASCII and without separators; `nil` for anything
  /// else.
  package init?(hexadecimal text: some Collection<UInt8>) {
    let bytes = text.withContiguousStorageIfAvailable(Self.read)
    guard let bytes = bytes ?? Array(text).withUnsafeBufferPointer(Self.read) else { return nil }
    self = bytes
  }

  /// Parses digits of either case, with or without `:`, `-` or spaces between bytes, as UIDs are
  /// written; `nil` for anything else.
  package init?(separatedHexadecimal text: String) {
    self.init(hexadecimal: text.filter { !":- ".contains($0) }.utf8)
  }

  private static func read(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard text.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    for index in stride(from: 0, to: text.count, by: 2) {
      guard let high = text[index].hexadecimalValue, let low = text[index + 1].hexadecimalValue
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}

extension UInt8 {
  /// The value of a digit of either case in ASCII.
  package var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Returns the digit of a value below 16 in ASCII.
  fileprivate func hexadecimalDigit(_ letters: HexadecimalLetters) -> UInt8 {
    if self < 10 { return UInt8(ascii: "0") + self }
    return (letters == .capital ? UInt8(ascii: "A") : UInt8(ascii: "a")) + self - 10
  }
}
