/// A font that a PDF embeds, with the glyphs that were used so far.
struct PDFFont {
  /// The name in the resources, such as `F1`.
  let name: String
  let font: OpenFont
  private let characters: CompactFontCharset?
  /// The glyph of each code.
  private var glyphs: [UInt16: UInt32] = [:]
  /// What each code tells. A glyph may show different characters, as that of K and the Kelvin
  /// sign: then the same font stands in the resources more than once, each with its own map.
  private(set) var maps: [[UInt16: String]] = []

  /// What is told by blanks, in the order of their codes from 1.
  private(set) var blanks: [String] = []
  private var blankCodes: [String: UInt16] = [:]
  /// The glyph of the space with its width in thousandths of the em, where a map of CIDs to glyphs
  /// can give it many codes: only a TrueType font has one.
  let space: (glyph: UInt32, width: Double)?

  /// Nil if the font cannot or may not be embedded.
  init?(_ font: OpenFont, name: String) {
    guard font.format != .other, font.mayBeEmbedded else { return nil }
    self.name = name
    self.font = font
    characters = font.charset
    let glyph = font.format == .trueType ? font.glyph(of: " ") : nil
    let width = glyph.map { PDFFontObjects.width(of: $0, in: font) } ?? 0
    space = glyph.flatMap { width > 0 ? ($0, width) : nil }
  }

  /// The two bytes that show a glyph: its number, or in a CID-keyed font its CID.
  ///
  /// They are known before the subset is, so that pages can be written first.
  private func code(of glyph: UInt32) -> UInt16 {
    guard let characters, Int(glyph) < characters.numbers.count else {
      return UInt16(truncatingIfNeeded: glyph)
    }
    return characters.numbers[Int(glyph)]
  }

  /// The name in the resources of the font with a map.
  func name(ofMap map: Int) -> String { map == 0 ? name : "\(name)-\(map + 1)" }

  /// Uses a glyph for some characters.
  mutating func use(_ glyph: UInt32, text: String) -> (name: String, code: UInt16) {
    let code = code(of: glyph)
    glyphs[code] = glyph
    let map = maps.firstIndex { $0[code] == nil || $0[code] == text } ?? maps.endIndex
    if map == maps.endIndex { maps.append([:]) }
    maps[map][code] = text
    return (name(ofMap: map), code)
  }

  /// The name in the resources of the font of blanks.
  var blankName: String { "\(name)-0" }

  /// Uses a blank that tells some characters; nil if there are no more.
  mutating func useBlank(_ text: String) -> (name: String, code: UInt16)? {
    if let code = blankCodes[text] { return (blankName, code) }
    guard space != nil, blanks.count < Int(UInt16.max) else { return nil }
    blanks.append(text)
    let code = UInt16(blanks.count)
    blankCodes[text] = code
    return (blankName, code)
  }

  /// The used glyphs by their codes.
  ///
  /// They are all that the subset holds, besides the space of the blanks.
  var codes: [(code: UInt16, glyph: UInt32)] {
    glyphs.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }
}
