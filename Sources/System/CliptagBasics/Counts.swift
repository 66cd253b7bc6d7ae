extension Int {
  /// The number with its noun, such as `1 code` or `2 codes`.
  ///
  /// - Parameters:
  ///   - one: The noun for one.
  ///   - many: The noun for any other number, unless it is `one` with an s.
  package func of(_ one: String, _ many: String? = nil) -> String {
    "\(self) \(self == 1 ? one : many ?? one + "s")"
  }
}

extension Int {
  /// Takes the whole part of a number; `most`, or less `most`, for a larger one, and 0 for none (NaN).
  ///
  /// The one way from a floating-point number to an integer: one of a file, a device or an argument
  /// may be infinite, and `Int(_:)` ends the program then.
  ///
  /// - Parameter most: At most 2⁶²; by default 2⁵³, with which products of small numbers fit.
  package init(bounded number: Double, by most: Double = 0x1p53) {
    self = number.isNaN ? 0 : Int(Swift.min(Swift.max(number, -most), most))
  }
}
