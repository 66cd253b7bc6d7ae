/// The places within words at which lines may be broken.
package enum WordBreaks: Hashable, Sendable {
  /// Those of Unicode, and soft hyphens.
  case standard
  /// In Japanese only where a phrase begins, as far as the letters show it: at a change to kanji or
  /// katakana.
  case phrases
  /// Also within long words, with a hyphen: where a dictionary divides each into halves.
  case halves
  /// Also where a dictionary divides words, with a hyphen.
  case hyphens
}

/// A text with the invisible characters that determine where its lines are broken.
///
/// Glyphs and lines refer to the text without them, so that files have the text as it was written.
struct SetText {
  /// The text for readers, without soft hyphens.
  let source: String
  /// The text for Pango.
  let text: String
  /// The UTF-8 offset in the source of each in the text, and of its end.
  private let offsets: [Int]

  /// - Parameter hyphenation: The UTF-8 offsets in a text at which words may be divided; applied to
  ///   text without soft hyphens.
  init(_ written: String, breaks: WordBreaks, hyphenation: (String) -> Set<Int>) {
    var source = String.UnicodeScalarView()
    var hyphens: Set<Int> = []
    var length = 0
    for scalar in written.unicodeScalars {
      if scalar == "\u{AD}" {
        hyphens.insert(length)
      } else {
        source.append(scalar)
        length += UTF8.width(scalar)
      }
    }
    self.source = String(source)
    if breaks == .hyphens || breaks == .halves, hyphens.isEmpty {
      hyphens = hyphenation(self.source)
    }
    let spaces = Self.fixedSpaces(in: self.source)
    var text = String.UnicodeScalarView()
    var offsets: [Int] = []
    func append(_ scalar: Unicode.Scalar, at offset: Int) {
      text.append(scalar)
      offsets += repeatElement(offset, count: UTF8.width(scalar))
    }
    var offset = 0
    var previous: JapaneseLetter?
    for scalar in source {
      let letter = JapaneseLetter(scalar)
      if hyphens.contains(offset), offset > 0 {
        append("\u{AD}", at: offset)
      } else if breaks == .phrases, let previous, let letter, !letter.begins(after: previous) {
        append("\u{2060}", at: offset)
      }
      previous = letter
      if spaces.contains(offset) {
        append("\u{A0}", at: offset)
      } else {
        // Every byte of a character has the offset of its first, so that ranges keep it whole.
        append(scalar, at: offset)
      }
      offset += UTF8.width(scalar)
    }
    self.text = String(text)
    self.offsets = offsets + [offset]
  }

  /// The range in the source.
  func source(_ range: Range<Int>) -> Range<Int> {
    offsets[range.lowerBound]..<offsets[range.upperBound]
  }

  /// Whether a line that ends at an offset is divided from the next within a word.
  func isHyphenated(at end: Int) -> Bool {
    let bytes = text.utf8
    guard end >= 2, end < bytes.count else { return false }
    return bytes.dropFirst(end - 2).prefix(2).elementsEqual([0xC2, 0xAD])
  }

  /// The UTF-8 offsets of the spaces in Apple's trademark, which is not broken.
  private static func fixedSpaces(in text: String) -> Set<Int> {
    let (bytes, name) = (Array(text.utf8), Array("App Clip".utf8))
    guard bytes.count >= name.count else { return [] }
    return Set(
      (0...bytes.count - name.count).filter { bytes[$0..<$0 + name.count].elementsEqual(name) }
        .map { $0 + 3 })
  }
}

/// The writing of a Japanese letter, which shows where most phrases begin: their first word is in
/// kanji or katakana, and hiragana follow.
private enum JapaneseLetter {
  case hiragana, katakana, kanji

  init?(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x3041...0x309F: self = .hiragana
    case 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF: self = .katakana
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x3005: self = .kanji
    default: return nil
    }
  }

  /// Whether a phrase may begin with this letter after another.
  func begins(after previous: JapaneseLetter) -> Bool { self != .hiragana && self != previous }
}
