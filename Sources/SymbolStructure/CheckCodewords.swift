/// The calculation of a block's check codewords: the remainder of its data codewords divided by the
/// generator polynomial (ISO/IEC 18004:2015, 7.5.2 and Annex A).
package struct CheckCodewords: Sendable {
  /// The number of check codewords.
  package let count: Int
  /// The logarithms of the generator's coefficients, highest power first, without the leading 1.
  private let generator: [Int]

  /// Computes the generator polynomial, which is 0 at 2⁰, 2¹ … 2^(count−1).
  ///
  /// - Parameter count: 1 … 68.
  package init(count: Int) {
    self.count = count
    let field = PowersOfTwo.all
    var coefficients = [UInt8](repeating: 0, count: count - 1) + [1]
    for zero in 0..<count {
      for index in coefficients.indices {
        let next = index + 1 < count ? coefficients[index + 1] : 0
        coefficients[index] = field.product(coefficients[index], power: zero) ^ next
      }
    }
    // No coefficient of these generators is 0.
    generator = coefficients.map { field.logarithms[Int($0)] }
  }

  /// Returns the check codewords of a block.
  ///
  /// - Parameter data: The data codewords of the block, in order.
  package func checks(of data: ArraySlice<UInt8>) -> [UInt8] {
    let (powers, logarithms) = (PowersOfTwo.all.powers, PowersOfTwo.all.logarithms)
    var rest = [UInt8](repeating: 0, count: data.count + count)
    rest.withUnsafeMutableBufferPointer { rest in
      for (index, codeword) in data.enumerated() { rest[index] = codeword }
      for index in 0..<data.count where rest[index] != 0 {
        let logarithm = logarithms[Int(rest[index])]
        for (offset, coefficient) in generator.enumerated() {
          rest[index + 1 + offset] ^= powers[logarithm + coefficient]
        }
      }
    }
    return Array(rest[data.count...])
  }
}

/// The powers of 2 in the field of 256 elements of QR Code: polynomials over bits, modulo x⁸ + x⁴ +
/// x³ + x² + 1.
package struct PowersOfTwo: Sendable {
  /// The powers, computed once.
  package static let all = PowersOfTwo()

  /// 2 to the power of each index; repeated, so that a sum of two logarithms needs no remainder.
  package let powers: [UInt8]
  /// The logarithm to base 2 of each index; that of 0 is undefined and never read.
  package let logarithms: [Int]

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

  /// Returns `a` times 2 to a power of 0 … 254.
  fileprivate func product(_ a: UInt8, power exponent: Int) -> UInt8 {
    a == 0 ? 0 : powers[logarithms[Int(a)] + exponent]
  }
}
