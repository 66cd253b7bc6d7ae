import CodeScanning

/// The calculation of a block's check codewords: the remainder of its data codewords divided by the
/// generator polynomial (ISO/IEC 18004:2015, 7.5.2 and Annex A).
package struct CheckCodewords: Sendable {
  private static let field = GaloisField.qr

  /// The generator's coefficients, highest power first, without the leading 1.
  private let generator: [UInt8]

  /// Computes the generator polynomial, which is 0 at 2⁰, 2¹ … 2^(count−1).
  ///
  /// - Parameter count: The number of check codewords, 1 … 68.
  package init(count: Int) {
    var coefficients = [UInt8](repeating: 0, count: count - 1) + [1]
    for zero in 0..<count {
      for index in coefficients.indices {
        let next = index + 1 < count ? coefficients[index + 1] : 0
        coefficients[index] = Self.field.product(coefficients[index], power: zero) ^ next
      }
    }
    generator = coefficients
  }

  /// Returns the check codewords of a block.
  ///
  /// - Parameter data: The data codewords of the block, in order.
  package func checks(of data: ArraySlice<UInt8>) -> [UInt8] {
    var rest = Array(data) + [UInt8](repeating: 0, count: generator.count)
    for index in 0..<data.count {
      let leading = rest[index]
      for (offset, coefficient) in generator.enumerated() {
        rest[index + 1 + offset] ^= Self.field.product(leading, coefficient)
      }
    }
    return Array(rest[data.count...])
  }
}
