import SymbolStructure

/// The Reed–Solomon code of one block: `length` codewords, the last `checkCount` of them for error
/// correction (ISO/IEC 18004:2015, 7.5.2). Every valid block is 0 at 2⁰, 2¹ … 2^(c−1).
struct ReedSolomon: Sendable {
  /// The number of codewords in the block, at most 255.
  let length: Int
  /// The number of codewords for error correction among them.
  let checkCount: Int

  /// The correction of a codeword.
  struct Correction: Equatable, Sendable {
    /// The index of the codeword in the block, in the order of transmission.
    let index: Int
    /// The value to add (`^`); 0 for an erased codeword that was right.
    let difference: UInt8
  }

  private let field = GaloisField.qr

  /// Returns the values of a received block at the zeros of the code: all 0 if it has no error.
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

  /// Returns the corrections with the fewest errors besides the erasures, or `nil` if more than (c
  /// − erasures) / 2 codewords are wrong, as far as that is detectable.
  ///
  /// - Parameters:
  ///   - syndromes: the syndromes of the received block.
  ///   - erasures: the indices of codewords that may be wrong, without duplicates; all of them are
  ///     in the result.
  ///   - mostErrors: the largest number of errors besides the erasures for which a result is
  ///     useful.
  func corrections(
    syndromes: [UInt8], erasures: [Int] = [], mostErrors: Int = .max
  ) -> [Correction]? {
    if erasures.isEmpty, syndromes.allSatisfy({ $0 == 0 }) { return [] }
    guard erasures.count <= checkCount,
      let locator = locator(syndromes: syndromes, erasures: erasures)
    else { return nil }
    let degree = locator.count - 1
    guard degree - erasures.count <= mostErrors else { return nil }
    // Codeword i belongs to x^(n−1−i), and is wrong if the locator is 0 at its inverse.
    let powers = field.inverseZeros(of: locator, below: length)
    guard powers.count == degree else { return nil }
    // Forney, with the code's first zero at 2⁰.
    var evaluator = [UInt8](repeating: 0, count: checkCount)
    for term in 0..<checkCount {
      for power in 0...min(term, degree) {
        evaluator[term] ^= field.product(locator[power], syndromes[term - power])
      }
    }
    // The derivative has only the odd terms, each one degree lower.
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

  /// Returns the polynomial that is 0 at the inverse of the position of each error and erasure,
  /// constant term first (Berlekamp and Massey, initialised with the erasures), or `nil` if there
  /// would be more errors than can be corrected.
  private func locator(syndromes: [UInt8], erasures: [Int]) -> [UInt8]? {
    var locator = [UInt8](repeating: 0, count: checkCount + 1)
    locator[0] = 1
    for (count, index) in erasures.enumerated() {
      for term in stride(from: count + 1, to: 0, by: -1) {
        locator[term] ^= field.product(locator[term - 1], power: length - 1 - index)
      }
    }
    // The locator before its degree last increased, divided by the discrepancy of that step, and
    // the number of steps since then.
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

  /// Returns whether the corrections cancel all syndromes, which proves the previous steps.
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
}

/// The field of 256 elements of QR Code's Reed–Solomon code (ISO/IEC 18004:2015, 7.5.2):
/// polynomials over bits, modulo x⁸ + x⁴ + x³ + x² + 1, with x = 2 as the primitive element.
/// Addition and subtraction are both `^`.
package struct GaloisField: Sendable {
  package static let qr = GaloisField()

  /// 2 to the power of each index; repeated, so that a sum of two logarithms needs no remainder.
  private let powers: [UInt8]
  /// The logarithm to base 2 of each index; that of 0 is undefined and never read.
  private let logarithms: [Int]

  private init() {
    var powers = [UInt8](repeating: 0, count: 510)
    var logarithms = [Int](repeating: 0, count: 256)
    var value = 1
    for exponent in 0..<255 {
      powers[exponent] = UInt8(value)
      powers[exponent + 255] = UInt8(value)
      logarithms[value] = exponent
      value = value << 1 ^ (value >> 7 * 0x11D)
    }
    self.powers = powers
    self.logarithms = logarithms
  }

  package func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    a == 0 || b == 0 ? 0 : powers[logarithms[Int(a)] &+ logarithms[Int(b)]]
  }

  /// Returns `a` times 2 to a power of 0 … 254.
  package func product(_ a: UInt8, power exponent: Int) -> UInt8 {
    a == 0 ? 0 : powers[logarithms[Int(a)] &+ exponent]
  }

  /// Returns the quotient by a divisor that is not 0.
  func quotient(_ a: UInt8, _ b: UInt8) -> UInt8 {
    a == 0 ? 0 : powers[logarithms[Int(a)] &+ 255 &- logarithms[Int(b)]]
  }

  /// Returns the value of a polynomial, constant term first, at 2 to a power of 0 … 254.
  func value(of polynomial: [UInt8], atPower exponent: Int) -> UInt8 {
    // Horner's rule, from the highest term down.
    var value: UInt8 = 0
    for coefficient in polynomial.reversed() {
      value = product(value, power: exponent) ^ coefficient
    }
    return value
  }

  /// Returns the exponents of 0 ..< `limit` at whose inverses, 2 to the power of −exponent, a
  /// polynomial, constant term first, is 0 (Chien's search).
  func inverseZeros(of polynomial: [UInt8], below limit: Int) -> [Int] {
    var values = [UInt8](repeating: 0, count: limit)
    values.withUnsafeMutableBufferPointer { values in
      for (degree, coefficient) in polynomial.enumerated() where coefficient != 0 {
        var logarithm = logarithms[Int(coefficient)]
        for exponent in 0..<limit {
          values[exponent] ^= powers[logarithm]
          // From one exponent to the next, a term's logarithm decreases by its degree.
          logarithm &-= degree
          if logarithm < 0 { logarithm &+= 255 }
        }
      }
    }
    return values.indices.filter { values[$0] == 0 }
  }
}
