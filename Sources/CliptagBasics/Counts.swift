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
