#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What error correction had to do in one block of a symbol.
struct BlockReport: Hashable, Sendable {
  /// Codewords that were wrong and not known to be.
  let errors: Int
  /// Codewords that were given up as unsure before correction, right or wrong.
  let erasures: Int
  /// Codewords that errors, counted twice, and erasures may take up: the check codewords less
  /// those kept against misreading (ISO/IEC 18004:2015, Table 9).
  let capacity: Int

  /// The part of the capacity that was left, 0 … 1 (ISO/IEC 15415, unused error correction).
  var unused: Double {
    min(1, max(0, 1 - Double(2 * errors + erasures) / Double(max(1, capacity))))
  }
}

/// A block whose codewords were corrected, and what that took.
struct BlockCorrection {
  let codewords: [UInt8]
  let errors: Int
  let erasures: Int
  /// Codewords that came out different from what was sampled.
  let changed: Int

  /// Corrects a block, first without erasures and then with more and more of its unsurest
  /// codewords given up (generalized minimum distance decoding, Forney 1966), until a correction
  /// proves itself by ``CorrectionProof``; `nil` when none does.
  ///
  /// - Parameters:
  ///   - received: the block's codewords.
  ///   - doubt: how unsure each of them is.
  init?(_ received: [UInt8], doubt: [Float], code: ReedSolomon) {
    let syndromes = code.syndromes(of: received)
    if let correction = Self.attempt(received, code, syndromes, erasures: []) {
      self = correction
      return
    }
    // Of equal doubt the first: the same modules give the same answer.
    let unsure = received.indices.filter { doubt[$0] > Self.leastDoubt }
      .sorted { (-doubt[$0], $0) < (-doubt[$1], $1) }
    // With fewer check codewords left than this, nothing could prove itself.
    let most = code.checkCount - Int((CorrectionProof.demanded + 1) / 8) - 1
    let last = min(most, unsure.count)
    for count in Self.erasureCounts.prefix(while: { $0 < last }) + [last] where count > 0 {
      let erasures = Array(unsure.prefix(count))
      if let correction = Self.attempt(received, code, syndromes, erasures: erasures) {
        self = correction
        return
      }
    }
    return nil
  }

  /// An even number, because an odd one corrects no more errors beside the erasures.
  private static let erasureCounts = [2, 4, 6, 8, 10, 12, 16, 20, 24]

  /// What is surer is never given up.
  private static let leastDoubt: Float = 0.01

  private static func attempt(
    _ received: [UInt8], _ code: ReedSolomon, _ syndromes: [UInt8], erasures: [Int]
  ) -> BlockCorrection? {
    guard
      let corrections = code.corrections(
        syndromes: syndromes, erasures: erasures,
        mostErrors: CorrectionProof.mostErrors(code, erasures: erasures.count))
    else { return nil }
    let errors = corrections.filter { !erasures.contains($0.index) }
    let proof = CorrectionProof.bits(
      code, erasures: erasures.count, errors: errors.count,
      flippedBits: errors.reduce(0) { $0 + $1.difference.nonzeroBitCount })
    guard proof >= CorrectionProof.demanded else { return nil }
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

/// How much a correction proves.
///
/// Among all blocks of a code with c check codewords, one in 256^c is a valid block. A block of
/// pure chance lies within reach of one, after e codewords were given up as erasures and ν more
/// were corrected, with a probability of at most C(n − e, ν) · 255^ν / 256^(c − e). And if the
/// corrections turn over f bits beside the erasures, of at most Σ C(8(n − e), i), i ≤ f, over
/// 256^(c − e). The smaller of the two, twice because there are two, is the probability that
/// chance would look so good; its logarithm to base 2, negated, is the proof in bits.
///
/// What is demanded. A wrong read of a picture shall be rarer than one in 10⁹, that is 30 bits.
/// - A symbol damaged beyond correction is tried in some hundred ways (thresholds, sharpening,
///   sizes, numbers of erasures), most of them nearly the same: 8 bits more, **38 in each block**.
///   A block is judged by itself, because the others say nothing of it.
/// - Where there is no symbol at all, 400 ms leave time for 16,384 tries: 14 bits more, 44 in all.
///   A symbol of one block has the missing 6 from its content: less than one in 64 of random data
///   streams begins with a segment that fits into the symbol, and zbar refuses the others.
///
/// So a block at the limit of its capacity may be refused where the standard would still correct
/// it: in version 1-L the second wrong codeword, and the last in 1-M, 1-Q, 2-L, 2-M, 3-L, 4-L,
/// 6-L, 6-M, 7-L and 10-L, unless few bits are wrong or the modules were seen to be unsure. The
/// standard's own misdecode protection (p in Table 9) has the same purpose.
private enum CorrectionProof {
  /// Bits that every block has to prove.
  static let demanded = 38.0

  /// The proof in bits, negative where there is none.
  ///
  /// - Parameters:
  ///   - code: the block's code.
  ///   - erasures: codewords given up before correction.
  ///   - errors: codewords corrected beside them.
  ///   - flippedBits: bits turned over in those.
  static func bits(
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

  /// The errors beside erasures that could still prove themselves, if each were of one bit only.
  static func mostErrors(_ code: ReedSolomon, erasures: Int) -> Int {
    let most = (code.checkCount - erasures) / 2
    return (0...max(0, most)).last {
      bits(code, erasures: erasures, errors: $0, flippedBits: $0) >= demanded
    } ?? -1
  }

  private static let log2OfSymbols = log2(255.0)

  /// Logarithms to base 2 of 0! … 1,240!: 8 bits of the 153 codewords of the longest block.
  private static let logFactorials: [Double] = (1...1240).reduce(into: [0]) {
    $0.append($0[$1 - 1] + log2(Double($1)))
  }

  private static func logBinomial(_ n: Int, _ k: Int) -> Double {
    guard k >= 0, k <= n, n < logFactorials.count else { return .infinity }
    return logFactorials[n] - logFactorials[k] - logFactorials[n - k]
  }
}
