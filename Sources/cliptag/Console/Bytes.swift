import Glibc
import TagAuthenticity

extension [UInt8] {
  /// Reads hexadecimal of any case, with or without `:`, `-` or spaces between bytes; `nil` when
  /// it is none.
  init?(separatedHexadecimal text: String) {
    let digits = text.filter { !":- ".contains($0) }
    self.init(hexadecimal: digits.utf8)
  }
}

/// Hands what was printed to whoever reads standard output, before something long begins.
func flushStandardOutput() {
  // `fflush(nil)` flushes every stream: `stdout` itself is a global that Swift 6 does not let in.
  fflush(nil)
}
