extension QRSymbol {
  /// The bits of all segments with their headers, without terminator and padding.
  public var bitCount: Int { segments.reduce(0) { $0 + $1.bits(version: version) } }

  /// The data bits that a symbol holds before error correction (ISO/IEC 18004:2015, table 7).
  ///
  /// - Parameters:
  ///   - version: the version, 1 to 40.
  ///   - errorCorrection: the level.
  /// - Precondition: `version` is 1 to 40.
  public static func capacity(version: Int, errorCorrection: ErrorCorrection) -> Int {
    SymbolCapacity.bits(version: version, errorCorrection: errorCorrection)
  }

  /// The data bits that this symbol would have left at a level; negative where the text does not
  /// fit. The terminator needs none of them: it is cut off where the room ends.
  public func spareBits(at level: ErrorCorrection) -> Int {
    Self.capacity(version: version, errorCorrection: level) - bitCount
  }

  /// The mask pattern that libqrencode chose, 0 to 7 (ISO/IEC 18004:2015, 7.8).
  ///
  /// It stands in the format information beside the top left finder pattern, whose 15 bits are
  /// themselves masked with 101010000010010; the mask is the third to the fifth of them.
  public var mask: Int {
    let stored = (2...4).reduce(0) { $0 << 1 | (isDark(x: $1, y: 8) ? 1 : 0) }
    return stored ^ 0b101
  }
}
