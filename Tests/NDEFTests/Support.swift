import Basics

/// The bytes of a hexadecimal text; spaces are ignored.
func bytes(_ hexadecimal: String) -> [UInt8] {
  [UInt8](hexadecimal: hexadecimal.filter { !$0.isWhitespace }.utf8)!
}

extension SeededGenerator {
  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }
}
