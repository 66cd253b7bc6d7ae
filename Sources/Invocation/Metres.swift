/// Lengths for people.
package enum Metres {
  /// Metres below a kilometre, else kilometres; one decimal where it tells something.
  package static func text(_ metres: Double) -> String {
    if metres < 1_000 { return decimal(metres) + " m" }
    let kilometres = metres / 1_000
    return (kilometres < 100 ? decimal(kilometres) : decimal(kilometres.rounded())) + " km"
  }

  /// A length that must not be promised larger than it is.
  static func roundedDown(_ metres: Double) -> String {
    decimal((metres * 10).rounded(.down) / 10) + " m"
  }

  private static func decimal(_ value: Double) -> String {
    // No distance on Earth, but an accuracy may be any number.
    guard abs(value) < 1e15 else { return "\(value)" }
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }
}
