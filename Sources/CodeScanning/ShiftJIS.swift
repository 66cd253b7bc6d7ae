/// Shift JIS as Windows code page 932 has it, in which ASCII stays ASCII.
///
/// Plain `SHIFT_JIS` in the C library would turn the backslash into a yen sign and the tilde of an
/// address into an overline.
enum ShiftJIS {
  /// The text, or `nil` when the bytes are not valid.
  static func decode(_ bytes: [UInt8]) -> String? {
    CharacterConversion.text(bytes, in: "CP932")
  }

  /// Whether bytes that are valid Shift JIS are Japanese rather than accented Latin-1.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - text: what ``decode(_:)`` made of them.
  static func looksJapanese(_ bytes: [UInt8], _ text: String) -> Bool {
    guard text.unicodeScalars.contains(where: isJapanese) else { return false }
    // Hiragana, katakana and the common kanji start with bytes that are control characters in
    // ISO/IEC 8859-1, where no text has them.
    if bytes.contains(where: { (0x80...0x9F).contains($0) }) { return true }
    // Without any, accented letters are as valid as kanji: `étés` is 騁駸. What remains are the
    // katakana of half width, one byte each, which come in runs; accents do not.
    let beyondASCII = text.unicodeScalars.filter { !$0.isASCII }
    guard beyondASCII.allSatisfy(isHalfWidth) else { return false }
    var run = 0
    var longest = 0
    for scalar in text.unicodeScalars {
      run = isHalfWidth(scalar) ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest >= 3
  }

  private static func isHalfWidth(_ scalar: Unicode.Scalar) -> Bool {
    (0xFF61...0xFF9F).contains(scalar.value)
  }

  /// Kana of full and half width, and the CJK ideographs.
  private static func isJapanese(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3040...0x30FF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9F: true
    default: false
    }
  }
}
