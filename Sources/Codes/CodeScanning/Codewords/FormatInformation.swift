import SymbolStructure

/// The 15 bits of the format of a QR code: error-correction level and mask, protected by ten bits
/// of a BCH code (ISO/IEC 18004:2015, 7.9.1 and Annex C).
struct FormatInformation: Hashable {
  let errorCorrection: DecodedCode.ErrorCorrection
  let mask: Int
  /// The word as drawn, including its own mask (7.9.1).
  let bits: UInt32

  /// Creates the nearest of the 32 valid words if it differs in at most 3 bits; it is unique
  /// because of the code's distance of 7.
  init?(bits: UInt32) {
    let nearest = Self.all.min {
      ($0.bits ^ bits).nonzeroBitCount < ($1.bits ^ bits).nonzeroBitCount
    }
    guard let nearest, (nearest.bits ^ bits).nonzeroBitCount <= 3 else { return nil }
    self = nearest
  }

  private init(_ errorCorrection: DecodedCode.ErrorCorrection, mask: Int) {
    self.errorCorrection = errorCorrection
    self.mask = mask
    bits = SymbolWords.format(level: errorCorrection.level, mask: mask)
  }

  /// All 32 valid words.
  static let all = [DecodedCode.ErrorCorrection.medium, .low, .high, .quartile].flatMap { level in
    (0..<8).map { FormatInformation(level, mask: $0) }
  }

  /// Returns the coordinates (column, row) of bit 0, 1, … 14 of both copies, for a symbol of `size`
  /// modules on a side (Figure 25).
  static func places(size: Int) -> [[(column: Int, row: Int)]] {
    SymbolLayout.formatPlaces(size: size)
  }
}

/// The 18 bits that encode the version of a QR code from version 7 on (ISO/IEC 18004:2015, 7.10 and
/// Annex D).
enum VersionInformation {
  /// Returns the version of the nearest valid word if it differs in at most 3 bits; the code's
  /// distance is 8.
  static func version(bits: UInt32) -> Int? {
    (7...40).first { (SymbolWords.version($0) ^ bits).nonzeroBitCount <= 3 }
  }

  /// Returns the coordinates (column, row) of bit 0, 1, … 17 of both copies (Figure 27).
  static func places(size: Int) -> [[(column: Int, row: Int)]] {
    SymbolLayout.versionPlaces(size: size)
  }
}

/// A possible interpretation of a symbol: its format information, and whether it is mirrored.
struct FormatCandidate: Hashable {
  let format: FormatInformation
  let isMirrored: Bool

  /// Returns the likeliest interpretations of a symbol, likeliest first.
  ///
  /// They are ranked by the reliability of the modules rather than by the number of wrong ones: a
  /// copy under a stain has no weight, and one with four unreliable modules wrong still counts.
  /// Reed–Solomon decides in the end, so more than one may be tried; but of a symbol's 64 possible
  /// interpretations, those that fit much worse than the best are skipped.
  static func likeliest(of modules: SampledModules, limit: Int = 2) -> [FormatCandidate] {
    var scored: [(candidate: FormatCandidate, score: Float)] = []
    for isMirrored in [false, true] {
      let sureness = sureness(of: modules, isMirrored: isMirrored)
      for format in FormatInformation.all {
        var score: Float = 0
        for bit in 0..<15 {
          score += format.bits >> UInt32(bit) & 1 == 1 ? sureness[bit] : -sureness[bit]
        }
        guard score > 0 else { continue }
        scored.append((FormatCandidate(format: format, isMirrored: isMirrored), score))
      }
    }
    // Equal scores keep the order of the table: the same modules give the same result.
    let order = scored.indices.sorted {
      (-scored[$0].score, $0) < (-scored[$1].score, $1)
    }
    guard let best = order.first else { return [] }
    let least = scored[best].score * 0.6
    return order.prefix(limit).map { scored[$0] }.filter { $0.score >= least }.map(\.candidate)
  }

  /// Returns the sum of both copies' darkness for bit 0 … 14.
  private static func sureness(of modules: SampledModules, isMirrored: Bool) -> [Float] {
    let copies = FormatInformation.places(size: modules.size)
    return (0..<15).map { bit in
      copies.reduce(0) { sum, places in
        let (column, row) = places[bit]
        return sum + (isMirrored ? modules[row, column] : modules[column, row]).asSureness
      }
    }
  }
}

extension Float {
  /// The darkness limited to −1 … 1; 0 (unknown) for NaN.
  var asSureness: Float { isNaN ? 0 : Swift.min(1, Swift.max(-1, self)) }
}
