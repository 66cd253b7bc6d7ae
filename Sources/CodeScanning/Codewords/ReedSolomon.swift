/// The Reed–Solomon code of one block: `length` codewords, the last `checkCount` of them for error
/// correction (ISO/IEC 18004:2015, 7.5.2). Every codeword of the code is 0 at 2⁰, 2¹ … 2^(c−1).
struct ReedSolomon: Sendable {
  /// Codewords in the block, at most 255.
  let length: Int
  /// Codewords for error correction among them.
  let checkCount: Int

  /// A codeword that was received wrong.
  struct Correction: Equatable, Sendable {
    /// Its place in the block, 0 being sent first.
    let index: Int
    /// What has to be added (`^`) to it; 0 for an erased codeword that was right all the same.
    let difference: UInt8
  }

  private let field = GaloisField.qr

  init(length: Int, checkCount: Int) {
    self.length = length
    self.checkCount = checkCount
  }

  /// What a received block gives at the zeros of the code: all 0 when it has no error.
  func syndromes(of block: some Sequence<UInt8>) -> [UInt8] {
    var syndromes = [UInt8](repeating: 0, count: checkCount)
    syndromes.withUnsafeMutableBufferPointer { syndromes in
      for codeword in block {
        for power in syndromes.indices {
          syndromes[power] = field.product(syndromes[power], power: power) ^ codeword
        }
      }
    }
    return syndromes
  }

  /// The corrections with the fewest errors beside the erasures, or `nil` when more than
  /// (c − erasures) / 2 codewords are wrong, as far as that can be told.
  ///
  /// - Parameters:
  ///   - syndromes: those of the received block.
  ///   - erasures: places of codewords that may be wrong, each once; every one is in the answer.
  ///   - mostErrors: the errors beside the erasures with which an answer is still of use.
  func corrections(
    syndromes: [UInt8], erasures: [Int] = [], mostErrors: Int = .max
  ) -> [Correction]? {
    if erasures.isEmpty, syndromes.allSatisfy({ $0 == 0 }) { return [] }
    guard erasures.count <= checkCount,
      let locator = locator(syndromes: syndromes, erasures: erasures)
    else { return nil }
    let degree = locator.count - 1
    guard degree - erasures.count <= mostErrors else { return nil }
    // Codeword i belongs to x^(n−1−i), and is wrong where the locator is 0 at its inverse.
    let powers = field.inverseZeros(of: locator, below: length)
    guard powers.count == degree else { return nil }
    // Forney, with the code's first zero at 2⁰.
    var evaluator = [UInt8](repeating: 0, count: checkCount)
    for term in 0..<checkCount {
      for power in 0...min(term, degree) {
        evaluator[term] ^= field.product(locator[power], syndromes[term - power])
      }
    }
    // The derivative keeps the odd terms only, each one lower.
    let derivative = locator.indices.dropFirst().map { $0 % 2 == 1 ? locator[$0] : 0 }
    var corrections: [Correction] = []
    for power in powers {
      let inverse = (255 - power) % 255
      let slope = field.value(of: derivative, atPower: inverse)
      guard slope != 0 else { return nil }
      let value = field.quotient(field.value(of: evaluator, atPower: inverse), slope)
      corrections.append(
        Correction(index: length - 1 - power, difference: field.product(value, power: power)))
    }
    return explain(corrections, syndromes) ? corrections : nil
  }

  /// The polynomial that is 0 at the inverse of the place of each error and erasure, constant term
  /// first (Berlekamp and Massey, started with the erasures), or `nil` where there would be more
  /// errors than can be corrected.
  private func locator(syndromes: [UInt8], erasures: [Int]) -> [UInt8]? {
    var locator = [UInt8](repeating: 0, count: checkCount + 1)
    locator[0] = 1
    for (count, index) in erasures.enumerated() {
      for term in stride(from: count + 1, to: 0, by: -1) {
        locator[term] ^= field.product(locator[term - 1], power: length - 1 - index)
      }
    }
    // What the locator was before its degree last rose, divided by the discrepancy of that step,
    // and how many steps ago that was.
    var previous = locator
    var age = 0
    var degree = erasures.count
    for step in erasures.count..<checkCount {
      age += 1
      var discrepancy: UInt8 = 0
      for term in 0...min(degree, step) {
        discrepancy ^= field.product(locator[term], syndromes[step - term])
      }
      guard discrepancy != 0 else { continue }
      let old = locator
      locator.withUnsafeMutableBufferPointer { locator in
        for (term, coefficient) in previous.dropLast(age).enumerated() where coefficient != 0 {
          locator[term + age] ^= field.product(discrepancy, coefficient)
        }
      }
      if 2 * degree <= step + erasures.count {
        degree = step + 1 + erasures.count - degree
        previous = old.map { field.quotient($0, discrepancy) }
        age = 0
      }
    }
    guard 2 * degree - erasures.count <= checkCount else { return nil }
    guard let last = locator.lastIndex(where: { $0 != 0 }), last == degree else { return nil }
    return Array(locator[...last])
  }

  /// Whether the corrections leave no syndrome, which is the proof of all that was done before.
  private func explain(_ corrections: [Correction], _ syndromes: [UInt8]) -> Bool {
    var terms = corrections.map(\.difference)
    for syndrome in syndromes {
      guard terms.reduce(0, ^) == syndrome else { return false }
      for (index, correction) in corrections.enumerated() {
        terms[index] = field.product(terms[index], power: length - 1 - correction.index)
      }
    }
    return true
  }

  /// The block of a message: itself, and the codewords for its error correction.
  func encoded(_ message: [UInt8]) -> [UInt8] {
    // Its check codewords are those that correct the block when all of them are erased.
    var block = message + [UInt8](repeating: 0, count: checkCount)
    let erasures = Array(message.count..<length)
    for correction in corrections(syndromes: syndromes(of: block), erasures: erasures) ?? [] {
      block[correction.index] ^= correction.difference
    }
    return block
  }
}
