/// A text string object: PDFDocEncoding where that is ASCII, else UTF-16 (ISO 32000-1, 7.9.2.2).
func pdfString(_ text: String) -> String {
  if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "(", ")", "\\": "\\\(scalar)"
      default: String(scalar)
      }
    }
    return "(" + escaped.joined() + ")"
  }
  return "<FEFF" + text.utf16.map { fixedHexadecimal(UInt64($0), digits: 4) }.joined() + ">"
}

/// A number in hexadecimal with leading zeros.
func fixedHexadecimal(_ number: UInt64, digits: Int) -> String {
  let text = String(number, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}
