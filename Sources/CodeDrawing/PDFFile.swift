/// The frame of a PDF file: numbered objects, the cross-reference table and the trailer
/// (ISO 32000-1, 7.5).
struct PDFFile {
  private var file = ByteText()
  /// Where each object begins, in the order of their numbers from 1.
  private var offsets: [Int] = []

  init() {
    // Four bytes above 127 tell transfer programs that the file is binary (7.5.2).
    file.append("%PDF-1.6\n%\u{E2}\u{E3}\n")
  }

  /// Adds the next object.
  mutating func add(_ object: String) {
    begin()
    file.append(object)
    file.append("\nendobj\n")
  }

  /// Adds a stream, uncompressed, as the next object.
  mutating func add(stream: [UInt8]) {
    begin()
    file.append("<< /Length \(stream.count) >>\nstream\n")
    file.append(stream)
    file.append("\nendstream\nendobj\n")
  }

  private mutating func begin() {
    offsets.append(file.bytes.count)
    file.append("\(offsets.count) 0 obj\n")
  }

  /// The whole file.
  ///
  /// - Parameters:
  ///   - root: the number of the catalog.
  ///   - information: the number of the document information.
  consuming func finished(root: Int, information: Int) -> [UInt8] {
    // The identifier is made from the content, so that equal files have equal identifiers.
    let identifier = fingerprint(file.bytes)
    let start = file.bytes.count
    file.append("xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n")
    for offset in offsets {
      let digits = String(offset)
      file.append(String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n")
    }
    file.append(
      """
      trailer
      << /Size \(offsets.count + 1) /Root \(root) 0 R /Info \(information) 0 R \
      /ID [<\(identifier)> <\(identifier)>] >>
      startxref
      \(start)
      %%EOF

      """)
    return file.bytes
  }
}

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
  return "<FEFF" + text.utf16.map { hexadecimal(UInt64($0), digits: 4) }.joined() + ">"
}

/// A date string in UTC (ISO 32000-1, 7.9.4).
func pdfDate(secondsSince1970 seconds: Int) -> String {
  // Four digits hold the years 0 to 9999; other times are moved to the nearest end.
  let clamped = min(max(seconds, -62_167_219_200), 253_402_300_799)
  let day = (clamped >= 0 ? clamped : clamped - 86_399) / 86_400
  let second = clamped - day * 86_400
  // Years are counted from 1 March, so that the leap day comes last; an era is 400 years.
  let shifted = day + 719_468
  let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
  let dayOfEra = shifted - era * 146_097
  let yearOfEra =
    (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shiftedMonth = (5 * dayOfYear + 2) / 153
  let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
  let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
  return "D:" + padded(year, 4) + padded(month, 2) + padded(dayOfMonth, 2)
    + padded(second / 3_600, 2) + padded(second / 60 % 60, 2) + padded(second % 60, 2) + "Z"
}

/// 128 bits of FNV-1a in hexadecimal: for telling files apart, not against forgery.
private func fingerprint(_ bytes: [UInt8]) -> String {
  let prime: UInt128 = (1 << 88) + 0x13B
  var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
  for byte in bytes { hash = (hash ^ UInt128(byte)) &* prime }
  return hexadecimal(UInt64(hash >> 64), digits: 16)
    + hexadecimal(UInt64(truncatingIfNeeded: hash), digits: 16)
}

private func hexadecimal(_ number: UInt64, digits: Int) -> String {
  let text = String(number, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}
