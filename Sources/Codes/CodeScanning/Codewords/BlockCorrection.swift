import CliptagPlatform

/// The work of error correction in one block of a symbol.
struct BlockReport: Hashable, Sendable {
  /// The number of wrong codewords that were not marked as erasures.
  let errors: Int
  /// The number of codewords treated as erasures because they were unreliable, right or wrong.
  let erasures: Int
  /// The capacity for errors, counted twice, and erasures: the check codewords less those for
  /// misdecode protection (ISO/IEC 18004:2015, Table 9).
  let capacity: Int

  /// The unused share of the capacity, 0 … 1 (ISO/IEC 15415, unused error correction).
  var unused: Double {
    min(1, max(0, 1 - Double(2 * errors + erasures) / Double(max(1, capacity))))
  }
}

/// A corrected block and the work of its correction.
struct BlockCorrection {
  let codewords: [UInt8]
  let errors: Int
  let erasures: Int
  /// The number of codewords that differ from the sampled ones.
  let changed: Int

  /// Corrects a block, first without erasures and then with increasing numbers of its least
  /// reliable codewords erased (generalized minimum distance decoding, Forney 1966), until a
  /// correction satisfies ``CorrectionProof``; `nil` if none does.
  ///
  /// - Parameters:
  ///   - received: the codewords of the block.
  ///   - doubt: the unreliability of each codeword.
  ///   - code: the block's code.
  ///   - demanded: the proof required, in bits.
  init?(
    _ received: [UInt8], doubt: [Float], code: ReedSolomon,
    demanding demanded: Double = CorrectionProof.demanded
  ) {
    let syndromes = code.syndromes(of: received)
    if let correction = Self.attempt(received, code, syndromes, erasures: [], demanded) {
      self = correction
      return
    }
    // Equal doubts are ordered by index: the same modules give the same result.
    let unsure = received.indices.filter { doubt[$0] > Self.leastDoubt }
      .sorted { (-doubt[$0], $0) < (-doubt[$1], $1) }
    // With fewer check codewords left, no correction could be proven.
    let most = code.checkCount - Int((demanded + 1) / 8) - 1
    let last = min(most, unsure.count)
    for count in Self.erasureCounts.prefix(while: { $0 < last }) + [last] where count > 0 {
      let erasures = Array(unsure.prefix(count))
      if let correction = Self.attempt(received, code, syndromes, erasures: erasures, demanded) {
        self = correction
        return
      }
    }
    return nil
  }

  /// Even numbers, because an odd one corrects no more errors besides the erasures.
  private static let erasureCounts = [2, 4, 6, 8, 10, 12, 16, 20, 24]

  /// More reliable codewords are never erased.
  private static let leastDoubt: Float = 0.01

  private static func attempt(
    _ received: [UInt8], _ code: ReedSolomon, _ syndromes: [UInt8], erasures: [Int],
    _ demanded: Double
  ) -> BlockCorrection? {
    guard
      let corrections = code.corrections(
        syndromes: syndromes, erasures: erasures,
        mostErrors: CorrectionProof.mostErrors(
          code, erasures: erasures.count, demanding: demanded))
    else { return nil }
    let errors = corrections.filter { !erasures.contains($0.index) }
    let proof = CorrectionProof.bits(
      code, erasures: erasures.count, errors: errors.count,
      flippedBits: errors.reduce(0) { $0 + $1.difference.nonzeroBitCount })
    guard proof >= demanded else { return nil }
    var codewords = received
    for correction in corrections { codewords[correction.index] ^= correction.difference }
    return BlockCorrection(
      codewords: codewords, errors: errors.count, erasures: erasures.count,
      changed: corrections.count { $0.difference != 0 })
  }

  private init(codewords: [UInt8], errors: Int, erasures: Int, changed: Int) {
    self.codewords = codewords
    self.errors = errors
    self.erasures = erasures
    self.changed = changed
  }
}

/// The strength of the proof that a correction gives.
///
/// Among all blocks of a code with c check codewords, one in 256^c is valid. A random block is
/// within reach of a valid one, after e codewords were erased and ν more were corrected, with a
/// probability of at most C(n − e, ν) · 255^ν / 256^(c − e). If the corrections invert f bits
/// besides the erasures, the probability is also at most Σ C(8(n − e), i), i ≤ f, over 256^(c − e).
/// The smaller of the two, doubled because there are two, is the probability that chance looks as
/// good; its negative logarithm to base 2 is the proof in bits.
///
/// The required proof: a wrong reading of a picture must be rarer than one in 10⁹, that is 30 bits.
/// - A symbol damaged beyond correction is tried in some hundred ways (thresholds, sharpening,
///   sizes, numbers of erasures), most of them nearly the same: 8 bits more, **38 in each block**.
///   Each block is judged separately, because the others say nothing about it.
/// - Without any symbol, 400 ms allow 16,384 tries: 14 bits more, 44 in all. A symbol with one
///   block gets the missing 6 bits from its contents: fewer than one in 64 random data streams
///   begin with a segment that fits into the symbol, and zbar refuses the others.
///
/// Therefore a block at the limit of its capacity may be refused although the standard would
/// correct it: in version 1-L the second wrong codeword, and the last in 1-M, 1-Q, 2-L, 2-M, 3-L,
/// 4-L, 6-L, 6-M, 7-L and 10-L, unless few bits are wrong or the modules are known to be
/// unreliable. The standard's misdecode protection (p in Table 9) has the same purpose.
enum CorrectionProof {
  /// The proof required of every block, in bits.
  static let demanded = 38.0

  /// Returns the proof of a block of a code without errors.
  static func withoutCorrection(of code: ReedSolomon) -> Double {
    bits(code, erasures: 0, errors: 0, flippedBits: 0)
  }

  /// Returns the proof in bits; negative if there is none.
  ///
  /// - Parameters:
  ///   - code: the block's code.
  ///   - erasures: the number of codewords erased before correction.
  ///   - errors: the number of other corrected codewords.
  ///   - flippedBits: the number of inverted bits in the latter.
  fileprivate static func bits(
    _ code: ReedSolomon, erasures: Int, errors: Int, flippedBits: Int
  ) -> Double {
    let checks = 8 * Double(code.checkCount - erasures)
    let rest = code.length - erasures
    let byCodewords = logBinomial(rest, errors) + Double(errors) * log2OfSymbols
    // The sum is less than its last term times the ratio of a geometric series.
    let all = 8 * rest
    let share = Double(flippedBits) / Double(max(1, all - flippedBits + 1))
    let byBits =
      share < 0.5 ? logBinomial(all, flippedBits) - log2(1 - share) : Double(all)
    return checks - min(byCodewords, byBits) - 1
  }

  /// Returns the largest number of errors besides erasures that could still be proven, if each were
  /// of one bit only.
  fileprivate static func mostErrors(
    _ code: ReedSolomon, erasures: Int, demanding demanded: Double
  ) -> Int {
    let most = (code.checkCount - erasures) / 2
    return (0...max(0, most)).last {
      bits(code, erasures: erasures, errors: $0, flippedBits: $0) >= demanded
    } ?? -1
  }

  private static let log2OfSymbols = log2(255.0)

  /// The logarithms to base 2 of 0! … 1,240!, for up to 8 bits of the 153 codewords of the longest
  /// block.
  private static let logFactorials: [Double] = (1...1240).reduce(into: [0]) {
    $0.append($0[$1 - 1] + log2(Double($1)))
  }

  private static func logBinomial(_ n: Int, _ k: Int) -> Double {
    guard k >= 0, k <= n, n < logFactorials.count else { return .infinity }
    return logFactorials[n] - logFactorials[k] - logFactorials[n - k]
  }
}
