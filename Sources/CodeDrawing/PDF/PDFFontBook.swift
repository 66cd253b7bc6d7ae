/// An object of a PDF file that somebody else numbers.
struct PDFObject {
  /// A dictionary, or for a stream what its dictionary holds besides length and filter.
  let entries: String
  /// The bytes of a stream, not yet compressed.
  var stream: [UInt8]?
}

/// The fonts of a PDF file: collects the glyphs while pages are written, and embeds at the end the
/// parts of the fonts that hold them (ISO 32000-1, 9.7 and 9.9).
///
/// The same uses give the same bytes.
struct PDFFontBook {
  private var fonts: [PDFFont] = []
  private var numbers: [FontFace: Int] = [:]
  /// Those that are drawn as outlines, because they cannot or may not be embedded.
  private var outlined: Set<FontFace> = []

  /// Whether a font is embedded; else its glyphs are to be drawn as outlines.
  ///
  /// - Throws: ``TextError`` with ``TextError/Code/fontUnreadable``.
  mutating func embeds(_ face: FontFace) throws(TextError) -> Bool {
    if numbers[face] != nil { return true }
    if outlined.contains(face) { return false }
    guard let font = PDFFont(try OpenFont(face), name: "F\(fonts.count + 1)") else {
      outlined.insert(face)
      return false
    }
    numbers[face] = fonts.count
    fonts.append(font)
    return true
  }

  /// The font behind a face that is embedded.
  ///
  /// - Throws: ``TextError``, with ``TextError/Code/fontNotEmbeddable`` for one that is not embedded.
  mutating func font(_ face: FontFace) throws(TextError) -> OpenFont {
    fonts[try number(of: face)].font
  }

  /// Uses a glyph for some characters.
  ///
  /// - Returns: the name of the font in the resources, such as `F1`, and the two-byte code.
  /// - Throws: ``TextError``, with ``TextError/Code/fontNotEmbeddable`` for one that is not embedded.
  mutating func use(
    _ glyph: UInt32, of face: FontFace, text: String
  ) throws(TextError) -> (name: String, code: UInt16) {
    let number = try number(of: face)
    return fonts[number].use(glyph, text: text)
  }

  /// Uses a blank that tells some characters.
  ///
  /// - Returns: its font, code and width in thousandths of the em; nil if the font has none.
  /// - Throws: ``TextError``, with ``TextError/Code/fontNotEmbeddable`` for one that is not embedded.
  mutating func useBlank(
    _ text: String, in face: FontFace
  ) throws(TextError) -> (use: (name: String, code: UInt16), width: Double)? {
    let number = try number(of: face)
    guard let use = fonts[number].useBlank(text), let space = fonts[number].space else {
      return nil
    }
    return (use, space.width)
  }

  /// How far a reader's pen moves after a glyph, in thousandths of the em, as written.
  mutating func width(of glyph: UInt32, in face: FontFace) throws(TextError) -> Double {
    PDFFontObjects.width(of: glyph, in: fonts[try number(of: face)].font)
  }

  private mutating func number(of face: FontFace) throws(TextError) -> Int {
    guard try embeds(face), let number = numbers[face] else {
      throw TextError(
        .fontNotEmbeddable, "The licence or format of \(face.name) forbids to embed it.",
        hint: "Name another font.")
    }
    return number
  }

  /// Writes all fonts.
  ///
  /// - Parameter add: adds an object to the file and returns its number.
  /// - Returns: the entries of the resources' `/Font` dictionary, empty without fonts.
  /// - Throws: ``TextError``, and what `add` throws.
  func resources(add: (PDFObject) throws -> Int) throws -> String {
    var entries: [String] = []
    for font in fonts {
      for (name, number) in try PDFFontObjects(font).add(add) {
        entries.append("/\(name) \(number) 0 R")
      }
    }
    return entries.joined(separator: " ")
  }
}
