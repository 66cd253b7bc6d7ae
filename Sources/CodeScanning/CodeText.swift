#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Decides which characters the bytes of a code stand for.
///
/// The standard's default is ISO/IEC 8859-1, phones write UTF-8 without saying so, and Japanese
/// generators write Shift JIS; so the bytes themselves have to tell.
package enum CodeText {
  /// The text of bytes that come without a declared character set.
  ///
  /// - Parameter bytes: any bytes, also 0.
  /// - Returns: UTF-8 when they are valid UTF-8; else Shift JIS (code page 932) when they are valid
  ///   and read as Japanese; else ISO/IEC 8859-1, which every byte is valid in. Nothing is left out:
  ///   a byte order mark is the character U+FEFF, which phones do not open a URL behind.
  package static func decode(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    if let text = ShiftJIS.decode(bytes), ShiftJIS.looksJapanese(bytes, text) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// The text of what a symbol holds, each part in the character set that is declared for it.
  ///
  /// Bytes that are not valid in the declared set are treated as if none were declared.
  static func decode(_ runs: [SegmentRun]) -> String {
    runs.map { run in
      let declared = run.characterSet.flatMap(DeclaredCharacterSet.name(assignment:))
      return declared.flatMap { CharacterConversion.text(run.bytes, in: $0) } ?? decode(run.bytes)
    }.joined()
  }

  /// The text of a symbol whose content may be known as it was written.
  ///
  /// - Parameters:
  ///   - content: what the symbol holds, if it is known.
  ///   - bytes: what zbar makes of it.
  static func decode(_ content: [SegmentRun]?, else bytes: [UInt8]) -> String {
    content.map { decode($0) } ?? decode(bytes)
  }
}

/// Shift JIS as Windows code page 932 has it, in which ASCII stays ASCII.
///
/// Plain `SHIFT_JIS` in the C library would turn the backslash into a yen sign and the tilde of an
/// address into an overline.
private enum ShiftJIS {
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

/// Text from bytes in a named character set, by the C library's iconv.
private enum CharacterConversion {
  /// The text, or `nil` when the bytes are not valid in the set.
  static func text(_ bytes: [UInt8], in set: String) -> String? {
    guard let converter = iconv_open("UTF-8", set), converter != iconv_t(bitPattern: -1) else {
      return nil
    }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    // No byte of any of the sets becomes more than three bytes.
    var output = [CChar](repeating: 0, count: bytes.count * 3)
    let written: Int? = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var from = input.baseAddress
        var to = output.baseAddress
        var fromLeft = input.count
        var toLeft = output.count
        let result = iconv(converter, &from, &fromLeft, &to, &toLeft)
        return result == Int.max || result == -1 || fromLeft > 0 ? nil : output.count - toLeft
      }
    }
    guard let written else { return nil }
    return String(validating: output[..<written].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
