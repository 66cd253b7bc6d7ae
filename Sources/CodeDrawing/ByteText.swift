/// A file that is mostly ASCII text, built from its parts without temporary strings.
struct ByteText {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ part: [UInt8]) { bytes.append(contentsOf: part) }

  /// Appends one ASCII character.
  mutating func append(_ character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

  /// Appends a number in decimal digits.
  mutating func append(_ number: Int) {
    if number < 0 { append("-" as Unicode.Scalar) }
    guard number.magnitude >= 10 else {
      return bytes.append(UInt8(ascii: "0") + UInt8(number.magnitude))
    }
    appendDigits(of: number.magnitude)
  }

  private mutating func appendDigits(of number: UInt) {
    if number >= 10 { appendDigits(of: number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  /// Appends two numbers with a space behind each.
  mutating func append(_ first: Int, _ second: Int) {
    append(first)
    append(" ")
    append(second)
    append(" ")
  }
}

/// A number in decimal notation with at most `places` digits after the point, without trailing
/// zeros and never in exponent form; exact to the last place up to 2⁵³.
package func decimal(_ number: Double, places: Int = 6) -> String {
  var scale = 1
  for _ in 0..<places { scale *= 10 }
  let scaled = Int((number.magnitude * Double(scale)).rounded())
  var fraction = places == 0 ? "" : String(scaled % scale)
  fraction = String(repeating: "0", count: places - fraction.count) + fraction
  while fraction.last == "0" { fraction.removeLast() }
  let sign = number < 0 && scaled > 0 ? "-" : ""
  return sign + String(scaled / scale) + (fraction.isEmpty ? "" : "." + fraction)
}
