import CHarfBuzz

/// One face of one font file, as named by the system's font configuration.
public struct FontFace: Hashable, Sendable {
  /// The family, such as `Noto Sans Arabic`.
  public let family: String
  /// The style within the family, such as `Bold`.
  package let style: String
  /// The file that contains the face.
  let path: String
  /// The index of the face in the file; the upper 16 bits are an instance of a variable font, from
  /// 1.
  let index: Int
  /// The settings of a variable font's axes, such as `wght=700`; empty for none.
  let variations: String

  /// Family and style, such as `Noto Sans Arabic Bold`.
  public var name: String { style == "Regular" || style.isEmpty ? family : "\(family) \(style)" }
}

/// A font file opened by HarfBuzz, set to one face and its instance.
final class OpenFont {
  let face: FontFace
  private let blob: OpaquePointer
  private let hbFace: OpaquePointer
  private let font: OpaquePointer
  /// The number of units per em.
  let unitsPerEm: Double
  /// The number of glyphs.
  let glyphCount: UInt32
  /// The CIDs of a CID-keyed font.
  private(set) lazy var charset = CompactFontCharset(table("CFF "), glyphCount: Int(glyphCount))
  /// The format of its outlines.
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
    // Fontconfig counts named instances from 1; 0x8000 means that the axes are set explicitly.
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

  /// Passes HarfBuzz's face and font to a function that must not keep them.
  func withUnsafeFont<Result>(_ body: (OpaquePointer, OpaquePointer) -> Result) -> Result {
    body(hbFace, font)
  }

  /// A glyph's outline in ems, down positive.
  ///
  /// - Throws: ``TextError`` with ``TextError/Code/fontUnreadable`` for a number that the font does
  ///   not have.
  func outline(of glyph: UInt32) throws(TextError) -> DrawingPath {
    guard glyph < glyphCount else { throw TextError.unreadable(face) }
    var pen = GlyphPen(scale: 1 / unitsPerEm)
    withUnsafeMutablePointer(to: &pen) { pen in
      charfbuzz_draw_glyph(font, glyph, GlyphPen.functions, pen)
    }
    return pen.path
  }

  // MARK: Tables, names and widths

  /// The format of a font's outlines, which determines how a PDF embeds them.
  enum Format {
    /// Quadratic curves, glyphs by number.
    case trueType
    /// Compact Font Format with glyphs named by CIDs, as in East Asian fonts.
    case compactByCharacter
    /// Compact Font Format with named glyphs.
    case compactByName
    /// A format that no PDF reader accepts, such as version 2 of Compact Font Format.
    case other
  }

  /// A table's bytes, empty if there is none.
  static func table(_ tag: String, of face: OpaquePointer) -> [UInt8] {
    bytes(of: charfbuzz_face_reference_table(face, hbTag(tag)))
  }

  /// The whole file of a face.
  static func file(of face: OpaquePointer) -> [UInt8] {
    bytes(of: charfbuzz_face_reference_blob(face))
  }

  private static func bytes(of blob: OpaquePointer?) -> [UInt8] {
    defer { charfbuzz_blob_destroy(blob) }
    var length: UInt32 = 0
    guard let data = charfbuzz_blob_get_data(blob, &length) else { return [] }
    return data.withMemoryRebound(to: UInt8.self, capacity: Int(length)) {
      Array(UnsafeBufferPointer(start: $0, count: Int(length)))
    }
  }

  private var measuredFormat: Format {
    let tags = tableTags
    if tags.contains("glyf") { return .trueType }
    guard tags.contains("CFF ") else { return .other }
    return charset == nil ? .compactByName : .compactByCharacter
  }

  /// A table's bytes, empty if there is none.
  func table(_ tag: String) -> [UInt8] { withUnsafeFont { face, _ in Self.table(tag, of: face) } }

  /// The tags of all tables.
  var tableTags: [String] {
    withUnsafeFont { face, _ in
      var tags = [hb_tag_t](repeating: 0, count: 128)
      var count = UInt32(tags.count)
      charfbuzz_face_get_table_tags(face, 0, &count, &tags)
      return tags.prefix(Int(count)).map { tag in
        String(
          decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: tag >> $0) }, as: UTF8.self)
      }
    }
  }

  /// The PostScript name of the font, consisting of letters, digits and hyphens only.
  var postScriptName: String {
    let name = withUnsafeFont { face, _ in
      var text = [CChar](repeating: 0, count: 64)
      var length = UInt32(text.count)
      charfbuzz_ot_name_get_utf8(face, 6, nil, &length, &text)
      return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    let plain = (name.isEmpty ? face.family : name).unicodeScalars.filter { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        || scalar == "-"
    }
    return plain.isEmpty ? "Font" : String(String.UnicodeScalarView(plain))
  }

  /// A character's nominal glyph, before shaping; nil if there is none.
  func glyph(of scalar: Unicode.Scalar) -> UInt32? {
    withUnsafeFont { _, font in
      var glyph: hb_codepoint_t = 0
      return charfbuzz_font_get_nominal_glyph(font, scalar.value, &glyph) != 0 ? glyph : nil
    }
  }

  /// The advance after a glyph, in thousandths of the em.
  func advance(of glyph: UInt32) -> Double {
    withUnsafeFont { _, font in
      Double(charfbuzz_font_get_glyph_h_advance(font, glyph)) * 1000 / unitsPerEm
    }
  }

  /// A signed number of two bytes in a table, or nil if it is too short.
  func number(at offset: Int, in table: [UInt8]) -> Int? {
    guard offset + 2 <= table.count else { return nil }
    return Int(Int16(truncatingIfNeeded: Int(table[offset]) << 8 | Int(table[offset + 1])))
  }

  /// Whether the font's licence allows documents to embed a subset (OS/2 table, `fsType`): not if
  /// embedding is restricted, or subsets are not allowed, or only bitmaps are.
  var mayBeEmbedded: Bool {
    guard let type = number(at: 8, in: table("OS/2")) else { return true }
    // The least restrictive of the first four bits applies.
    let isRestricted = type & 0x000E == 0x0002
    return !isRestricted && type & 0x0300 == 0
  }
}

extension FontFace {
  /// The settings of the axes for HarfBuzz; those that it does not understand are left out.
  fileprivate var axes: [hb_variation_t] {
    variations.split(separator: ",").compactMap { setting in
      var variation = hb_variation_t()
      let text = String(setting)
      return charfbuzz_variation_from_string(text, -1, &variation) != 0 ? variation : nil
    }
  }
}

/// Receives the steps of a glyph's outline from HarfBuzz.
private struct GlyphPen {
  private(set) var path = DrawingPath()
  private let scale: Double
  private var last = DrawingPoint(x: 0, y: 0)

  init(scale: Double) { self.scale = scale }

  private func point(_ x: Float, _ y: Float) -> DrawingPoint {
    DrawingPoint(x: Double(x) * scale, y: -Double(y) * scale)
  }

  private mutating func move(_ point: DrawingPoint) {
    path.steps.append(.move(point))
    last = point
  }

  private mutating func line(_ point: DrawingPoint) {
    path.steps.append(.line(point))
    last = point
  }

  private mutating func curve(_ first: DrawingPoint, _ second: DrawingPoint, _ end: DrawingPoint) {
    path.steps.append(.curve(first, second, end))
    last = end
  }

  /// Adds a quadratic curve as the cubic one whose control points are two thirds of the way.
  private mutating func curve(_ control: DrawingPoint, _ end: DrawingPoint) {
    func towards(_ from: DrawingPoint) -> DrawingPoint {
      DrawingPoint(
        x: from.x + (control.x - from.x) * 2 / 3, y: from.y + (control.y - from.y) * 2 / 3)
    }
    curve(towards(last), towards(end), end)
  }

  private static func with(_ data: UnsafeMutableRawPointer?, _ body: (inout GlyphPen) -> Void) {
    guard let data else { return }
    body(&data.assumingMemoryBound(to: GlyphPen.self).pointee)
  }

  /// HarfBuzz's table of functions that draw into a pen; immutable once made, so that any thread
  /// may use it.
  nonisolated(unsafe) static let functions: OpaquePointer = {
    let functions: OpaquePointer = charfbuzz_draw_funcs_create()
    charfbuzz_draw_funcs_set_move_to_func(
      functions, { _, data, _, x, y, _ in with(data) { $0.move($0.point(x, y)) } }, nil, nil)
    charfbuzz_draw_funcs_set_line_to_func(
      functions, { _, data, _, x, y, _ in with(data) { $0.line($0.point(x, y)) } }, nil, nil)
    charfbuzz_draw_funcs_set_quadratic_to_func(
      functions,
      { _, data, _, controlX, controlY, x, y, _ in
        with(data) { $0.curve($0.point(controlX, controlY), $0.point(x, y)) }
      }, nil, nil)
    charfbuzz_draw_funcs_set_cubic_to_func(
      functions,
      { _, data, _, firstX, firstY, secondX, secondY, x, y, _ in
        with(data) {
          $0.curve($0.point(firstX, firstY), $0.point(secondX, secondY), $0.point(x, y))
        }
      }, nil, nil)
    charfbuzz_draw_funcs_set_close_path_func(
      functions, { _, data, _, _ in with(data) { $0.path.steps.append(.close) } }, nil, nil)
    charfbuzz_draw_funcs_make_immutable(functions)
    return functions
  }()
}
