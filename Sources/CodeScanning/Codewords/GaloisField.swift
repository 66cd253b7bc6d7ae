/// The field of 256 elements that QR Code's Reed–Solomon code counts in: polynomials over bits,
/// modulo x⁸ + x⁴ + x³ + x² + 1, with x = 2 as the primitive element (ISO/IEC 18004:2015, 7.5.2).
/// Addition and subtraction are both `^`.
struct GaloisField: Sendable {
  static let qr = GaloisField()

  /// 2 to the power of each index; twice over, so that a sum of two logarithms needs no remainder.
  private let powers: [UInt8]
  /// The logarithm to base 2 of each index; that of 0 does not exist and is never read.
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

  func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    a == 0 || b == 0 ? 0 : powers[logarithms[Int(a)] &+ logarithms[Int(b)]]
  }

  /// `a` times 2 to a power of 0 … 254.
  func product(_ a: UInt8, power exponent: Int) -> UInt8 {
    a == 0 ? 0 : powers[logarithms[Int(a)] &+ exponent]
  }

  /// The quotient by a divisor that is not 0.
  func quotient(_ a: UInt8, _ b: UInt8) -> UInt8 {
    a == 0 ? 0 : powers[logarithms[Int(a)] &+ 255 &- logarithms[Int(b)]]
  }

  /// The value of a polynomial, its constant term first, at 2 to a power of 0 … 254.
  func value(of polynomial: [UInt8], atPower exponent: Int) -> UInt8 {
    // Horner's rule from the highest term down.
    var value: UInt8 = 0
    for coefficient in polynomial.reversed() {
      value = product(value, power: exponent) ^ coefficient
    }
    return value
  }

  /// The exponents of 0 ..< `limit` at whose inverses, 2 to the power of −exponent, a polynomial,
  /// its constant term first, is 0 (Chien's search).
  func inverseZeros(of polynomial: [UInt8], below limit: Int) -> [Int] {
    var values = [UInt8](repeating: 0, count: limit)
    values.withUnsafeMutableBufferPointer { values in
      for (degree, coefficient) in polynomial.enumerated() where coefficient != 0 {
        var logarithm = logarithms[Int(coefficient)]
        for exponent in 0..<limit {
          values[exponent] ^= powers[logarithm]
          // A term loses its degree on the way to the next exponent.
          logarithm &-= degree
          if logarithm < 0 { logarithm &+= 255 }
        }
      }
    }
    return values.indices.filter { values[$0] == 0 }
  }
}
