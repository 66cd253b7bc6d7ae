import CliptagBasics

/// The bytes of a hexadecimal text; spaces are ignored.
func bytes(_ hexadecimal: String) -> [UInt8] {
  [UInt8](hexadecimal: hexadecimal.filter { !$0.isWhitespace }.utf8)!
}
