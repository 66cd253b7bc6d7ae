extension String {
  /// Bytes in the alphabet for URLs, without padding (RFC 4648, section 5): what tokens are made of.
  init(base64URL bytes: [UInt8]) {
    let alphabet = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<Swift.min(start + 3, bytes.count)]
      let number = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0...group.count { text.append(alphabet[number >> (18 - 6 * index) & 63]) }
    }
    self.init(decoding: text, as: UTF8.self)
  }
}
