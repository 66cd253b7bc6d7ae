/// Decides which characters the bytes of a code stand for.
///
/// The standard's default is ISO/IEC 8859-1, phones write UTF-8 without saying so, and Japanese
/// generators write Shift JIS; so the bytes themselves have to tell.
package enum CodeText {
  /// The text of bytes that come without a declared character set.
  ///
  /// - Parameter bytes: any bytes, also 0.
  /// - Returns: UTF-8 when they are valid UTF-8; else Shift JIS (code page 932) when they are valid
  ///   and read as Japanese; else ISO/IEC 8859-1, which every byte is valid in. A byte order mark
  ///   of UTF-8 at the start is a mark and not a character of the text.
  package static func decode(_ bytes: [UInt8]) -> String { decode(bytes, declared: nil) }

  /// The text of bytes whose symbol may declare a character set, by the C library's name for it.
  ///
  /// Bytes that are not valid in the declared set are treated as if none were declared.
  static func decode(_ bytes: [UInt8], declared: String?) -> String {
    if let declared, let text = CharacterConversion.text(bytes, in: declared) { return text }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let marked = bytes.starts(with: mark)
    if let text = String(validating: marked ? bytes[3...] : bytes[...], as: UTF8.self) {
      return text
    }
    if let text = ShiftJIS.decode(bytes), ShiftJIS.looksJapanese(bytes, text) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
