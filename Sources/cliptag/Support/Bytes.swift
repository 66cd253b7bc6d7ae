import Glibc

extension [UInt8] {
  /// Reads hexadecimal of any case, with or without `:`, `-` or spaces between bytes; `nil` when
  /// it is none.
  init?(hexadecimal text: String) {
    let digits = text.filter { !":- ".contains($0) }
    guard digits.count.isMultiple(of: 2), digits.allSatisfy(\.isHexDigit) else { return nil }
    var bytes: [UInt8] = []
    var rest = digits[...]
    while !rest.isEmpty {
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    self = bytes
  }
}

/// Hands what was printed to whoever reads standard output, before something long begins.
func flushStandardOutput() {
  // `fflush(nil)` flushes every stream: `stdout` itself is a global that Swift 6 does not let in.
  fflush(nil)
}
