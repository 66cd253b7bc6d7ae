/// A length as people write it.
package enum Length {
  /// Millimetres of each unit: metric ones, inches, and points of 1/72 inch; a unit before those
  /// that it ends with.
  private static let units: [(name: String, millimetres: Double)] = [
    ("mm", 1), ("cm", 10), ("inches", 25.4), ("inch", 25.4), ("in", 25.4), ("\"", 25.4),
    ("pt", 25.4 / 72), ("m", 1_000),
  ]

  /// Reads a length such as `30`, `30mm`, `3,5 cm`, `1.2in` or `12pt`.
  ///
  /// - Parameters:
  ///   - text: The length, with a decimal point or comma.
  ///   - unit: The unit of a number without one.
  /// - Returns: The length in millimetres; `nil` if the text is none.
  package static func millimetres(_ text: some StringProtocol, unit: String = "mm") -> Double? {
    let text = text.lowercased()
    let named = self.unit(of: text)
    let number = text.dropLast(named?.count ?? 0).trimmingSpaces.replacing(",", with: ".")
    guard let unit = units.first(where: { $0.name == named ?? unit }),
      let value = Double(number), value.isFinite
    else { return nil }
    // To a nanometre, so that 6 inches are 152.4.
    return (value * unit.millimetres * 1e6).rounded() / 1e6
  }

  /// Reads two lengths such as `100x150`, `10x15cm` or `1mm,0.1in`; a unit behind the second is that
  /// of both unless the first has one.
  ///
  /// - Parameters:
  ///   - text: The lengths.
  ///   - separators: The characters of which one is between them.
  /// - Returns: The lengths in millimetres; `nil` if the text is not two lengths.
  package static func pair(
    _ text: some StringProtocol, separatedBy separators: String
  ) -> (Double, Double)? {
    let lengths = text.split(omittingEmptySubsequences: false) { separators.contains($0) }
    guard lengths.count == 2,
      let first = millimetres(lengths[0], unit: unit(of: lengths[1]) ?? "mm"),
      let second = millimetres(lengths[1])
    else { return nil }
    return (first, second)
  }

  /// The unit at the end of a length; `nil` without one.
  package static func unit(of text: some StringProtocol) -> String? {
    let text = text.lowercased()
    return units.first { text.hasSuffix($0.name) }?.name
  }
}
