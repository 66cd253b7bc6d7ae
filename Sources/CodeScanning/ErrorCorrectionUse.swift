/// How much of a symbol's error correction a reading took: the less is left, the worse the print or
/// the picture.
public struct ErrorCorrectionUse: Hashable, Codable, Sendable {
  /// Codewords that were wrong or not to be seen, and were corrected.
  public let correctedCodewords: Int
  /// Codewords of the symbol, data and check together (ISO/IEC 18004:2015, Table 9).
  public let codewords: Int
  /// The part of the correction that was not needed, 0 … 1, in the block that needed the most: the
  /// parameter *unused error correction* of ISO/IEC 15415:2011, 7.8.8. It is 1 for a perfect symbol.
  public let unused: Double

  /// Makes the numbers of one reading.
  package init(correctedCodewords: Int, codewords: Int, unused: Double) {
    self.correctedCodewords = correctedCodewords
    self.codewords = codewords
    self.unused = unused
  }
}
