#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Lengths as glabels templates write them: a number and a unit, or points without one.
enum TemplateLength {
  private static let units: [String: Double] = [
    "": 25.4 / 72, "pt": 25.4 / 72, "in": 25.4, "mm": 1, "cm": 10, "pc": 25.4 / 6,
  ]

  /// Millimetres.
  ///
  /// - Returns: `nil` when the text is no length.
  static func millimetres(_ text: String) -> Double? {
    let text = text.filter { $0 != " " }
    let number = text.prefix { "+-.0123456789".contains($0) }
    guard let unit = units[text.dropFirst(number.count).lowercased()],
      let value = Double(number), value.isFinite
    else { return nil }
    return value * unit
  }
}
