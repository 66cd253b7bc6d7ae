/// The words that a symbol carries about itself, with their check bits (ISO/IEC 18004:2015, 7.9.1
/// and 7.10).
package enum SymbolWords {
  /// Returns the 15 bits of the format information as drawn: level and mask with ten check bits,
  /// masked (Annex C).
  ///
  /// - Parameter mask: 0 … 7.
  package static func format(level: BlockStructure.Level, mask: Int) -> UInt32 {
    // Table 12.
    let bits: UInt32 =
      switch level {
      case .low: 0b01
      case .medium: 0b00
      case .quartile: 0b11
      case .high: 0b10
      }
    return checked(bits << 3 | UInt32(mask), checkBits: 10, generator: 0x537) ^ 0x5412
  }

  /// Returns the 18 bits of the version information: the version with twelve check bits (Annex D).
  ///
  /// - Parameter version: 7 … 40; smaller symbols have none.
  package static func version(_ version: Int) -> UInt32 {
    checked(UInt32(version), checkBits: 12, generator: 0x1F25)
  }

  /// Returns the data bits followed by the remainder of their division by the generator polynomial.
  private static func checked(_ data: UInt32, checkBits: Int, generator: UInt32) -> UInt32 {
    var remainder = data
    for _ in 0..<checkBits {
      remainder = remainder << 1 ^ (remainder >> (checkBits - 1) & 1) * generator
    }
    return data << checkBits | remainder
  }
}
