extension [UInt8] {
  /// Reads pairs of hexadecimal digits of either case, in ASCII and without separators; `nil` for
  /// anything else.
  package init?(hexadecimal text: some Collection<UInt8>) {
    guard text.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    var high: UInt8?
    for character in text {
      guard let digit = character.hexadecimalDigit else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    self = bytes
  }

  /// Reads upper-case hexadecimal without separators, the only form in which a tag mirrors bytes;
  /// `nil` for anything else.
  init?(hexadecimalDigits text: some Collection<UInt8>) {
    guard !text.contains(where: { $0 >= UInt8(ascii: "a") }) else { return nil }
    self.init(hexadecimal: text)
  }

  /// The bytes as upper-case hexadecimal without separators.
  package var hexadecimalDigits: String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * count)
    for byte in self {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0x0F)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit of either case in ASCII.
  fileprivate var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
