internal import CHarfBuzz

/// A font file that HarfBuzz has open, set to one face and its instance.
final class OpenFont {
  let face: FontFace
  private let blob: OpaquePointer
  private let hbFace: OpaquePointer
  private let font: OpaquePointer
  /// How many units the em has.
  let unitsPerEm: Double
  /// How many glyphs it has.
  let glyphCount: UInt32
  /// The CIDs of a CID-keyed font.
  private(set) lazy var charset = CompactFontCharset(table("CFF "), glyphCount: Int(glyphCount))
  /// How its outlines are kept.
  private(set) lazy var format = measuredFormat

  /// - Throws: ``TextError`` with ``TextError/Code/fontUnreadable`` or
  ///   ``TextError/Code/libraryMissing``.
  init(_ face: FontFace) throws(TextError) {
    try TextLibraries.load()
    guard let blob = charfbuzz_blob_create_from_file_or_fail(face.path) else {
      throw TextError.unreadable(face)
    }
    self.face = face
    self.blob = blob
    hbFace = charfbuzz_face_create(blob, UInt32(face.index & 0xFFFF))
    font = charfbuzz_font_create(hbFace)
    unitsPerEm = Double(charfbuzz_face_get_upem(hbFace))
    glyphCount = charfbuzz_face_get_glyph_count(hbFace)
    // Fontconfig counts named instances from 1; 0x8000 stands for "as the axes are set".
    let instance = face.index >> 16
    if instance > 0, instance < 0x8000 {
      charfbuzz_font_set_var_named_instance(font, UInt32(instance - 1))
    }
    var settings = face.axes
    if !settings.isEmpty {
      charfbuzz_font_set_variations(font, &settings, UInt32(settings.count))
    }
    guard glyphCount > 0 else { throw TextError.unreadable(face) }
  }

  deinit {
    charfbuzz_font_destroy(font)
    charfbuzz_face_destroy(hbFace)
    charfbuzz_blob_destroy(blob)
  }

  /// Gives HarfBuzz's face and font to a function that does not keep them.
  func withUnsafeFont<Result>(_ body: (OpaquePointer, OpaquePointer) -> Result) -> Result {
    body(hbFace, font)
  }

  /// A glyph's outline in parts of the em, down positive.
  ///
  /// - Throws: ``TextError`` with ``TextError/Code/fontUnreadable`` for a number the font has not.
  func outline(of glyph: UInt32) throws(TextError) -> DrawingPath {
    guard glyph < glyphCount else { throw TextError.unreadable(face) }
    var pen = GlyphPen(scale: 1 / unitsPerEm)
    withUnsafeMutablePointer(to: &pen) { pen in
      charfbuzz_draw_glyph(font, glyph, GlyphPen.functions, pen)
    }
    return pen.path
  }
}

extension FontFace {
  /// The settings of the axes as HarfBuzz takes them; what it does not understand is left out.
  var axes: [hb_variation_t] {
    variations.split(separator: ",").compactMap { setting in
      var variation = hb_variation_t()
      let text = String(setting)
      return charfbuzz_variation_from_string(text, -1, &variation) != 0 ? variation : nil
    }
  }
}
