import CliptagBasics

// Formats of numbers in files and sentences.

/// A number in decimal notation with at most `places` digits after the point, without trailing
/// zeros and never in exponent form; exact to the last place up to 2⁵³.
package func decimal(_ number: Double, places: Int = 6) -> String {
  var scale = 1
  for _ in 0..<places { scale *= 10 }
  let scaled = Int(bounded: (number.magnitude * Double(scale)).rounded(), by: 0x1p62)
  var fraction = places == 0 ? "" : String(scaled % scale)
  fraction = String(repeating: "0", count: places - fraction.count) + fraction
  while fraction.last == "0" { fraction.removeLast() }
  let sign = number < 0 && scaled > 0 ? "-" : ""
  return sign + String(scaled / scale) + (fraction.isEmpty ? "" : "." + fraction)
}

/// A length for display, in hundredths, rounded up so that it is sufficient.
func atLeast(_ millimetres: Double) -> String {
  decimal((millimetres * 100 - 1e-6).rounded(.up) / 100, places: 2)
}

/// A length for display, in hundredths, rounded down so that it fits.
func atMost(_ millimetres: Double) -> String {
  decimal((millimetres * 100 + 1e-6).rounded(.down) / 100, places: 2)
}

/// A length for display, in thousandths.
func nearest(_ millimetres: Double) -> String { decimal(millimetres, places: 3) }

/// A number as given by the user, without the `.0` of whole numbers; also for values that are not
/// numbers.
func asGiven(_ number: Double) -> String {
  let text = "\(number)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// A share in whole percent, rounded down, so that a limit that is not reached is not shown as
/// reached.
func percent(_ share: Double) -> Int { Int(bounded: (share * 100 + 1e-9).rounded(.down)) }

extension Double {
  /// The number with at most two decimals, for sentences.
  var shortly: String {
    let hundredths = Int(bounded: (self * 100).rounded())
    let sign = hundredths < 0 ? "-" : ""
    let whole = abs(hundredths) / 100
    let part = abs(hundredths) % 100
    guard part != 0 else { return "\(sign)\(whole)" }
    let digits = part % 10 == 0 ? "\(part / 10)" : (part < 10 ? "0\(part)" : "\(part)")
    return "\(sign)\(whole).\(digits)"
  }
}

extension Inks {
  /// The printed shares of the process inks from 0 to 1, as in PostScript and PDF.
  var printed: String {
    shares.map { decimal($0 * tint, places: 4) }.joined(separator: " ")
  }
}

extension Colour {
  /// The channels from 0 to 1 as in PostScript and PDF, a grey as one number.
  var fractions: String {
    (isGrey ? [red] : channels).map { decimal(Double($0) / 255, places: 4) }
      .joined(separator: " ")
  }
}
