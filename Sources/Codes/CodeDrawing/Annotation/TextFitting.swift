/// Estimates of the width of text, to about a tenth: sufficient to keep it inside its box in the
/// fonts that viewers use for it.
package enum TextFitting {
  /// The fonts for text.
  package enum Font: Sendable {
    /// A proportional font, about as wide as DejaVu Sans and Verdana, which are wide.
    case sans
    /// The same font in bold.
    case bold
    /// A monospaced font with 0.6 em per letter, as in nearly all such fonts.
    case mono
  }

  /// The width of a text in units of the font's size.
  package static func width(_ text: String, _ font: Font) -> Double {
    text.unicodeScalars.reduce(0) { $0 + advance($1, font) }
  }

  /// The text, or its beginning and end with an ellipsis between if it is too wide.
  ///
  /// - Parameters:
  ///   - width: The available width, in units of the font's size.
  ///   - headPart: The share of the beginning in the remaining text, 0 … 1.
  package static func shortened(
    _ text: String, to width: Double, _ font: Font, headPart: Double = 0.5
  ) -> String {
    guard Self.width(text, font) > width else { return text }
    let room = max(0, width - advance("…", font))
    let head = prefix(of: Array(text), room * headPart, font)
    let rest = headPart < 1 ? room - Self.width(String(head), font) : 0
    let tail = prefix(of: text.reversed(), rest, font)
    return String(head) + "…" + String(tail.reversed())
  }

  /// The text on at most `lines` lines, broken at spaces; the last is shortened at its end.
  package static func wrapped(
    _ text: String, to width: Double, lines limit: Int, _ font: Font
  ) -> [String] {
    var lines: [String] = []
    var rest = text.split(separator: " ")[...]
    while !rest.isEmpty, lines.count < limit {
      guard lines.count < limit - 1 else {
        lines.append(shortened(rest.joined(separator: " "), to: width, font, headPart: 1))
        break
      }
      var line = shortened(String(rest.removeFirst()), to: width, font)
      while let word = rest.first, Self.width("\(line) \(word)", font) <= width {
        line += " \(rest.removeFirst())"
      }
      lines.append(line)
    }
    return lines
  }

  private static func prefix(
    of characters: [Character], _ room: Double, _ font: Font
  ) -> [Character] {
    var left = room
    return Array(
      characters.prefix { character in
        left -= width(String(character), font)
        return left >= 0
      })
  }

  private static func advance(_ scalar: Unicode.Scalar, _ font: Font) -> Double {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    // Hangul, the CJK blocks and most emoji are about as wide as high.
    if (0x1100...0x115F).contains(scalar.value) || (0x2E80...0xD7FF).contains(scalar.value)
      || (0xF900...0xFAFF).contains(scalar.value) || (0xFF00...0xFF60).contains(scalar.value)
      || scalar.value >= 0x1F000
    {
      return 1.1
    }
    let regular: Double =
      switch scalar {
      case "i", "j", "l", "I", "'", "|", "!", ".", ",", ":", ";", " ", "(", ")", "[", "]", "/": 0.38
      case "f", "r", "t", "-", "\"", "·": 0.43
      case "m", "M", "w", "W", "@", "%", "…", "—": 1
      case "A"..."Z", "&", "#", "+", "=", "<", ">", "~": 0.77
      case "a"..."z", "0"..."9", "$", "?", "_", "*", "\\": 0.635
      default: 0.75
      }
    switch font {
    case .mono: return 0.605
    case .sans: return regular
    case .bold: return regular * 1.1
    }
  }
}
