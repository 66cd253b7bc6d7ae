package import CliptagBasics

extension SeededGenerator {
  /// Returns random bytes, each drawn separately.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }
}
