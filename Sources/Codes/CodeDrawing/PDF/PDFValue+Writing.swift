import CliptagBasics
import Pictures

extension PDFValue {
  /// The object as it is in a file (ISO 32000-1, 7.3).
  ///
  /// - Parameter numbers: The number of each object that a reference means, from `1 0 R` on.
  func pdf(_ numbers: [Int]) -> String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): decimal(min(max(value, -1e9), 1e9), places: 9)
    case .plain(let text): plain(text, numbers)
    case .array(let values): "[\(values.map { $0.pdf(numbers) }.joined(separator: " "))]"
    case .dictionary: "<< \(pdfEntries(numbers)) >>"
    }
  }

  /// The entries of a dictionary as they are in a file.
  func pdfEntries(_ numbers: [Int]) -> String {
    guard case .dictionary(let entries) = self else { return "" }
    return entries.sorted { $0.key < $1.key }.map { name, value in
      "/\(name.dropFirst().description.pdfName) \(value.pdf(numbers))"
    }.joined(separator: " ")
  }

  private func plain(_ text: String, _ numbers: [Int]) -> String {
    if let reference, let index = Int(reference.prefix { $0 != " " }), index <= numbers.count {
      return "\(numbers[index - 1]) 0 R"
    }
    let content = text.dropFirst(2)
    switch text.prefix(2) {
    case "b:": return "<\(content)>"
    case "u:": return "<\(Self.bytes(of: content).hexadecimal(.small))>"
    default: return "/\(text.dropFirst().description.pdfName)"
    }
  }

  /// The characters of PDFDocEncoding that are others than in ISO 8859-1, by their code (ISO 32000-1,
  /// D.3).
  private static let characters: [Unicode.Scalar: UInt8] = {
    let first = zip(
      "\u{2D8}\u{2C7}\u{2C6}\u{2D9}\u{2DD}\u{2DB}\u{2DA}\u{2DC}".unicodeScalars, 0x18...)
    let second = zip("•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž".unicodeScalars, 0x80...)
    let entries = Array(first) + Array(second) + [("€", 0xA0)]
    return Dictionary(uniqueKeysWithValues: entries.map { ($0, UInt8($1)) })
  }()

  /// The bytes of a string that qpdf wrote as text: PDFDocEncoding, which it is for data, else UTF-16.
  private static func bytes(of text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if let byte = characters[scalar] {
        bytes.append(byte)
      } else if scalar.value < 0x100 {
        bytes.append(UInt8(scalar.value))
      } else {
        return [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      }
    }
    return bytes
  }
}
