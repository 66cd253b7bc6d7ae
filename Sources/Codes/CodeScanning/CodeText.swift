import CliptagPlatform

/// Determines the characters that the bytes of a code encode.
///
/// The standard's default is ISO/IEC 8859-1, phones write UTF-8 without declaring it, and Japanese
/// generators write Shift JIS; therefore the encoding is detected from the bytes.
package enum CodeText {
  /// Returns the text of bytes without a declared character set.
  ///
  /// - Parameter bytes: any bytes; may be empty.
  /// - Returns: UTF-8 if they are valid UTF-8; else Shift JIS (code page 932) if they are valid and
  ///   appear to be Japanese; else ISO/IEC 8859-1, in which every byte is valid. Nothing is
  ///   omitted: a byte order mark is the character U+FEFF, which prevents phones from opening a
  ///   URL.
  package static func decode(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    if let text = ShiftJIS.decode(bytes), ShiftJIS.looksJapanese(bytes, text) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// Returns the text of a symbol's contents, each part in its declared character set.
  ///
  /// Bytes that are invalid in the declared set are treated as undeclared.
  static func decode(_ runs: [SegmentRun]) -> String {
    runs.map { run in
      let declared = run.characterSet.flatMap(DeclaredCharacterSet.name(assignment:))
      return declared.flatMap { CharacterConversion.text(run.bytes, in: $0) } ?? decode(run.bytes)
    }.joined()
  }

  /// Returns the bytes of a symbol's contents; those in a declared character set as UTF-8.
  static func bytes(of runs: [SegmentRun]) -> [UInt8] {
    runs.flatMap { $0.characterSet == nil ? $0.bytes : Array(decode([$0]).utf8) }
  }
}

/// Shift JIS as in Windows code page 932, in which ASCII is unchanged.
///
/// Plain `SHIFT_JIS` in the C library would convert the backslash to a yen sign and the tilde of an
/// address to an overline.
private enum ShiftJIS {
  /// Returns the text, or `nil` if the bytes are invalid.
  static func decode(_ bytes: [UInt8]) -> String? {
    CharacterConversion.text(bytes, in: "CP932")
  }

  /// Returns whether bytes that are valid Shift JIS are Japanese rather than accented Latin-1.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - text: the result of ``decode(_:)``.
  static func looksJapanese(_ bytes: [UInt8], _ text: String) -> Bool {
    guard text.unicodeScalars.contains(where: isJapanese) else { return false }
    // Hiragana, katakana and the common kanji start with bytes that are control characters in
    // ISO/IEC 8859-1, which do not occur in text.
    if bytes.contains(where: { (0x80...0x9F).contains($0) }) { return true }
    // Without such bytes, accented letters are as valid as kanji: `étés` is 騁駸. The remaining case
    // is half-width katakana, one byte each, which occur in runs, unlike accents.
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

  /// Returns whether a character is full- or half-width kana, or a CJK ideograph.
  private static func isJapanese(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3040...0x30FF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9F: true
    default: false
    }
  }
}

/// Converts bytes in a named character set with the C library's iconv.
private enum CharacterConversion {
  /// Returns the text, or `nil` if the bytes are invalid in the set.
  static func text(_ bytes: [UInt8], in set: String) -> String? {
    guard let converter = iconv_open("UTF-8", set), converter != iconv_t(bitPattern: -1) else {
      return nil
    }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    // In every set, a byte becomes at most three bytes.
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
