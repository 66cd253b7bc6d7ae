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
