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
