extension Sequence<UInt8> {
  /// The bytes as upper-case hexadecimal without separators.
  package var hexadecimal: String {
    map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return byte < 0x10 ? "0" + digits : digits
    }.joined()
  }
}
