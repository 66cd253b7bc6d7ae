import SymbolStructure

/// The 15 bits that say how a QR code is written: error-correction level and mask, with ten bits
/// of a BCH code to protect them (ISO/IEC 18004:2015, 7.9.1 and Annex C).
struct FormatInformation: Hashable {
  let errorCorrection: DecodedCode.ErrorCorrection
  let mask: Int
  /// The word as it is drawn, which is masked itself (7.9.1).
  let bits: UInt32

  /// The nearest of the 32 valid words, when it differs in at most 3 bits; the code's distance of
  /// 7 makes that word the only one.
  init?(bits: UInt32) {
    let nearest = Self.all.min {
      ($0.bits ^ bits).nonzeroBitCount < ($1.bits ^ bits).nonzeroBitCount
    }
    guard let nearest, (nearest.bits ^ bits).nonzeroBitCount <= 3 else { return nil }
    self = nearest
  }

  private init(data: UInt32) {
    // Table 12: 01 is L, 00 M, 11 Q, 10 H.
    errorCorrection = [.medium, .low, .high, .quartile][Int(data >> 3)]
    mask = Int(data & 7)
    bits = bch(data, parityBits: 10, generator: 0x537) ^ 0x5412
  }

  /// All that there are.
  static let all = (0..<UInt32(32)).map { FormatInformation(data: $0) }

  /// The coordinates (column, row) of bit 0, 1, … 14 of both copies, for a symbol of `size`
  /// modules a side (Figure 25).
  static func places(size: Int) -> [[(column: Int, row: Int)]] {
    SymbolLayout.formatPlaces(size: size)
  }
}

/// The 18 bits that repeat the version of a QR code from version 7 on (ISO/IEC 18004:2015, 7.10
/// and Annex D).
enum VersionInformation {
  /// The version of the nearest valid word, when it differs in at most 3 bits; the code's distance
  /// is 8.
  static func version(bits: UInt32) -> Int? {
    (7...40).first { (word(UInt32($0)) ^ bits).nonzeroBitCount <= 3 }
  }

  /// The word of a version.
  static func word(_ version: UInt32) -> UInt32 {
    bch(version, parityBits: 12, generator: 0x1F25)
  }

  /// The coordinates (column, row) of bit 0, 1, … 17 of both copies (Figure 27).
  static func places(size: Int) -> [[(column: Int, row: Int)]] {
    SymbolLayout.versionPlaces(size: size)
  }
}

/// A way to read a symbol: its format information, and whether it is mirrored.
struct FormatCandidate: Hashable {
  let format: FormatInformation
  let isMirrored: Bool

  /// The likeliest ways to read a symbol, likeliest first.
  ///
  /// The sureness of the modules decides and not a count of wrong ones: a copy under a stain says
  /// nothing, and one with four unsure modules wrong still tells. Reed–Solomon is the judge of
  /// them all, so that more than one may be tried; but of a symbol's 64 possible readings those
  /// that fit much worse than the best are not worth its time.
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
    // Equal scores keep the order of the table: the same modules give the same answer.
    let order = scored.indices.sorted {
      (-scored[$0].score, $0) < (-scored[$1].score, $1)
    }
    guard let best = order.first else { return [] }
    let least = scored[best].score * 0.6
    return order.prefix(limit).map { scored[$0] }.filter { $0.score >= least }.map(\.candidate)
  }

  /// For bit 0 … 14 the sum of both copies' darkness.
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
  /// A darkness between −1 and 1; what is no number is unknown.
  var asSureness: Float { isNaN ? 0 : Swift.min(1, Swift.max(-1, self)) }
}

/// The data bits followed by the remainder of their division by the generator polynomial.
private func bch(_ data: UInt32, parityBits: Int, generator: UInt32) -> UInt32 {
  var remainder = data
  for _ in 0..<parityBits {
    remainder = remainder << 1 ^ (remainder >> (parityBits - 1) & 1) * generator
  }
  return data << parityBits | remainder
}
