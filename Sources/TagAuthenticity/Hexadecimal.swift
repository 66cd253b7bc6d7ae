extension [UInt8] {
  /// Reads upper-case hexadecimal without separators, the only form in which a tag mirrors bytes;
  /// `nil` for anything else.
  init?(hexadecimalDigits text: some Collection<UInt8>) {
    guard text.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    var high: UInt8?
    for character in text {
      let digit: UInt8
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    self = bytes
  }

  /// The bytes as upper-case hexadecimal without separators.
  var hexadecimalDigits: String {
    let digits = Array("0123456789ABCDEF".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0x0F)]] }, as: UTF8.self)
  }
}
