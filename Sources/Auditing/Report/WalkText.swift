import Invocation
import CodeDrawing

/// Texts from outside, made fit for people to read.
extension String {
  /// The text on one line with all that cannot be seen made visible, so that it can steer neither
  /// a page nor its reader. Joiners stay, which many scripts need within a word.
  var prose: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\t", "\n", "\r": text += " "
      case "\u{200C}", "\u{200D}": text.unicodeScalars.append(scalar)
      default: text += String(scalar).printable
      }
    }
    return text
  }

  /// The text, or its beginning and its end where it has more characters (Unicode scalars) than
  /// that: a single letter may carry thousands of marks.
  func shortened(to limit: Int) -> String {
    // Counting the bytes is quick, and no text has more characters than bytes.
    guard utf8.count > limit, unicodeScalars.count > limit else { return self }
    let tail = limit / 4
    return String(unicodeScalars.prefix(limit - tail - 1)) + "…"
      + String(unicodeScalars.suffix(tail))
  }

  /// A name for people.
  var nameForPeople: String { shortened(to: 120).prose }
  /// A payload for people.
  var payloadForPeople: String { isEmpty ? "(no text)" : shortened(to: 240).printable }
  /// A sentence for people.
  var sentenceForPeople: String { shortened(to: 600).prose }
}

/// Numbers with their nouns.
enum Counted {
  /// `1 code`, `1,200 codes`.
  static func text(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(count)) \(count == 1 ? one : many ?? one + "s")"
  }

  /// A number with commas between thousands.
  static func grouped(_ count: Int) -> String {
    var digits = String(count.magnitude)
    var parts: [String] = []
    while digits.count > 3 {
      parts.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (count < 0 ? "-" : "") + ([digits] + parts).joined(separator: ",")
  }

  /// `a`, `a and b`, `a, b and c`.
  static func list(_ items: [String]) -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " and " + last
  }
}
