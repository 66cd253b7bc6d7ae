import CliptagBasics

/// An object of a PDF file that is numbered by the writer.
struct PDFObject {
  /// A dictionary, or the entries of a stream's dictionary besides length and filter.
  let entries: String
  /// The bytes of a stream, not yet compressed.
  var stream: [UInt8]?
}

/// The fonts of a PDF file: collects the glyphs while pages are written, and embeds subsets of the
/// fonts at the end (ISO 32000-1, 9.7 and 9.9).
///
/// The same uses give the same bytes.
struct PDFFontBook {
  private var fonts: [PDFFont] = []
  private var numbers: [FontFace: Int] = [:]
  /// The fonts drawn as outlines, because they cannot or must not be embedded.
  private var outlined: Set<FontFace> = []

  /// Whether a font is embedded; otherwise its glyphs must be drawn as outlines.
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

  /// The font of an embedded face.
  ///
  /// - Throws: ``TextError``, with ``TextError/Code/fontNotEmbeddable`` for one that is not
  ///   embedded.
  mutating func font(_ face: FontFace) throws(TextError) -> OpenFont {
    fonts[try number(of: face)].font
  }

  /// Uses a glyph for some characters.
  ///
  /// - Returns: The name of the font in the resources, such as `F1`, and the two-byte code.
  /// - Throws: ``TextError``, with ``TextError/Code/fontNotEmbeddable`` for one that is not
  ///   embedded.
  mutating func use(
    _ glyph: UInt32, of face: FontFace, text: String
  ) throws(TextError) -> (name: String, code: UInt16) {
    let number = try number(of: face)
    return fonts[number].use(glyph, text: text)
  }

  /// Uses a blank glyph that represents some characters.
  ///
  /// - Returns: Its font, code and width in thousandths of the em; nil if the font has none.
  /// - Throws: ``TextError``, with ``TextError/Code/fontNotEmbeddable`` for one that is not
  ///   embedded.
  mutating func useBlank(
    _ text: String, in face: FontFace
  ) throws(TextError) -> (use: (name: String, code: UInt16), width: Double)? {
    let number = try number(of: face)
    guard let use = fonts[number].useBlank(text), let space = fonts[number].space else {
      return nil
    }
    return (use, space.width)
  }

  /// The advance after a glyph in a reader, in thousandths of the em, as written.
  mutating func width(of glyph: UInt32, in face: FontFace) throws(TextError) -> Double {
    PDFFontObjects.width(of: glyph, in: fonts[try number(of: face)].font)
  }

  private mutating func number(of face: FontFace) throws(TextError) -> Int {
    guard try embeds(face), let number = numbers[face] else {
      throw TextError(
        .fontNotEmbeddable, "The licence or format of \(face.name) forbids embedding.",
        hint: "Give another font.")
    }
    return number
  }

  /// Writes all fonts.
  ///
  /// - Parameter add: Adds an object to the file and returns its number.
  /// - Returns: The entries of the resources' `/Font` dictionary, empty without fonts.
  /// - Throws: ``TextError``, and the errors of `add`.
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

/// A font that a PDF embeds, with the glyphs that were used so far.
private struct PDFFont {
  /// The name in the resources, such as `F1`.
  let name: String
  let font: OpenFont
  private let characters: CompactFontCharset?
  /// The glyph of each code.
  private var glyphs: [UInt16: UInt32] = [:]
  /// The characters of each code. A glyph may represent different characters, as that of K and the
  /// Kelvin sign: then the same font is in the resources more than once, each time with another
  /// map.
  private(set) var maps: [[UInt16: String]] = []

  /// The characters represented by blanks, in the order of their codes from 1.
  private(set) var blanks: [String] = []
  private var blankCodes: [String: UInt16] = [:]
  /// The glyph of the space with its width in thousandths of the em, if a map of CIDs to glyphs can
  /// give it many codes: only a TrueType font has one.
  let space: (glyph: UInt32, width: Double)?

  /// Makes the font, or nil if it cannot or must not be embedded.
  init?(_ font: OpenFont, name: String) {
    guard font.format != .other, font.mayBeEmbedded else { return nil }
    self.name = name
    self.font = font
    characters = font.charset
    let glyph = font.format == .trueType ? font.glyph(of: " ") : nil
    let width = glyph.map { PDFFontObjects.width(of: $0, in: font) } ?? 0
    space = glyph.flatMap { width > 0 ? ($0, width) : nil }
  }

  /// The two-byte code of a glyph: its number, or its CID in a CID-keyed font.
  ///
  /// The codes are known before the subset is made, so that pages can be written first.
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

  /// Uses a blank that represents some characters; nil if all codes are used.
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
  /// The subset contains these glyphs and the space of the blanks.
  var codes: [(code: UInt16, glyph: UInt32)] {
    glyphs.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }
}

/// The objects of one embedded font: a Type 0 font, its CID font, descriptor and file.
private struct PDFFontObjects {
  private let font: PDFFont
  private let subset: [UInt8]
  /// The name with a tag derived from the content, so that no two subsets share a name.
  private let name: String

  /// - Throws: ``TextError`` with ``TextError/Code/fontUnreadable``.
  init(_ font: PDFFont) throws(TextError) {
    self.font = font
    let space = font.blanks.isEmpty ? nil : font.space?.glyph
    subset = try FontSubset.bytes(
      of: font.font, glyphs: font.codes.map(\.glyph) + (space.map { [$0] } ?? []))
    name = "\(Self.tag(of: subset))+\(font.font.postScriptName)"
  }

  /// A glyph's advance in thousandths of the em, rounded as written.
  static func width(of glyph: UInt32, in font: OpenFont) -> Double {
    (font.advance(of: glyph) * 100).rounded() / 100
  }

  /// The tag of six capital letters (ISO 32000-1, 9.6.4).
  private static func tag(of bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    var tag = ""
    for _ in 0..<6 {
      tag.unicodeScalars.append(Unicode.Scalar(UInt8(65 + hash % 26)))
      hash /= 26
    }
    return tag
  }

  /// Adds all objects.
  ///
  /// - Returns: The names in the resources with the numbers of the Type 0 fonts.
  func add(_ add: (PDFObject) throws -> Int) throws -> [(name: String, number: Int)] {
    let isTrueType = font.font.format == .trueType
    let file = try add(
      PDFObject(
        entries: isTrueType ? "/Length1 \(subset.count)" : "/Subtype /CIDFontType0C",
        stream: subset))
    let descriptor = try add(
      PDFObject(entries: descriptor(file: "/\(isTrueType ? "FontFile2" : "FontFile3") \(file) 0 R"))
    )
    let seen = try addDescendant(
      descriptor, map: "/Identity", widths: "/DW 1000 /W [\(widths)]", add)
    var fonts = try font.maps.enumerated().map { number, map in
      (font.name(ofMap: number), try addFont(seen, map, add))
    }
    if let space = font.space, !font.blanks.isEmpty {
      let glyph = [
        UInt8(truncatingIfNeeded: space.glyph >> 8), UInt8(truncatingIfNeeded: space.glyph),
      ]
      let spaces = [0, 0] + Array(repeatElement(glyph, count: font.blanks.count).joined())
      let glyphs = try add(PDFObject(entries: "", stream: spaces))
      let texts = Dictionary(
        uniqueKeysWithValues: font.blanks.enumerated().map { (UInt16($0 + 1), $1) })
      let blanks = try addDescendant(
        descriptor, map: "\(glyphs) 0 R", widths: "/DW \(decimal(space.width, places: 2))", add)
      fonts.append((font.blankName, try addFont(blanks, texts, add)))
    }
    return fonts
  }

  private func addDescendant(
    _ descriptor: Int, map: String, widths: String, _ add: (PDFObject) throws -> Int
  ) throws -> Int {
    let kind =
      font.font.format == .trueType ? "/CIDFontType2 /CIDToGIDMap \(map)" : "/CIDFontType0"
    return try add(
      PDFObject(
        entries: "<< /Type /Font /Subtype \(kind) /BaseFont /\(name) /CIDSystemInfo "
          + "<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
          + "/FontDescriptor \(descriptor) 0 R \(widths) >>"))
  }

  private func addFont(
    _ descendant: Int, _ map: [UInt16: String], _ add: (PDFObject) throws -> Int
  ) throws -> Int {
    let unicode = try add(PDFObject(entries: "", stream: Array(characterMap(map).utf8)))
    let suffix = font.font.format == .trueType ? "" : "-Identity-H"
    return try add(
      PDFObject(
        entries: "<< /Type /Font /Subtype /Type0 /BaseFont /\(name)\(suffix) "
          + "/Encoding /Identity-H /DescendantFonts [\(descendant) 0 R] "
          + "/ToUnicode \(unicode) 0 R >>"))
  }

  private func descriptor(file: String) -> String {
    let font = font.font
    let (head, hhea, os2, post) = (
      font.table("head"), font.table("hhea"), font.table("OS/2"), font.table("post")
    )
    func scaled(_ offset: Int, _ table: [UInt8], else other: Double = 0) -> String {
      let units = font.number(at: offset, in: table).map(Double.init)
      return decimal(units.map { $0 * 1000 / font.unitsPerEm } ?? other, places: 2)
    }
    let box = [36, 38, 40, 42].map { scaled($0, head) }.joined(separator: " ")
    let angle = font.number(at: 4, in: post) ?? 0
    let isFixed = post.count >= 16 && post[12..<16].contains { $0 != 0 }
    // The flags are 1 for fixed pitch, 4 for symbolic (its codes are of no Latin encoding), 64 for
    // italic.
    let flags = (isFixed ? 1 : 0) | 4 | (angle == 0 ? 0 : 64)
    let hasCapitals = (font.number(at: 0, in: os2) ?? 0) >= 2
    let capital = scaled(88, hasCapitals ? os2 : [], else: 700)
    // Fonts do not state the width of their stems; it is derived from the weight, as is usual.
    let weight = Double(font.number(at: 4, in: os2) ?? 400)
    let stem = Int(bounded: (50 + (weight / 65) * (weight / 65)).rounded())
    return "<< /Type /FontDescriptor /FontName /\(name) /Flags \(flags) /FontBBox [\(box)] "
      + "/ItalicAngle \(angle) /Ascent \(scaled(4, hhea)) /Descent \(scaled(6, hhea)) "
      + "/CapHeight \(capital) /StemV \(stem) \(file) >>"
  }

  /// The widths of consecutive codes in the form of the W array.
  private var widths: String {
    var text = ""
    var last: UInt16?
    for (code, glyph) in font.codes {
      let width = decimal(Self.width(of: glyph, in: font.font), places: 2)
      if let last, last &+ 1 == code {
        text += " " + width
      } else {
        text += (last == nil ? "" : "] ") + "\(code) [\(width)"
      }
      last = code
    }
    return text + (last == nil ? "" : "]")
  }

  /// The ToUnicode map (9.10.3), which readers use for search and copy.
  private func characterMap(_ map: [UInt16: String]) -> String {
    let lines = map.sorted { $0.key < $1.key }.map { code, text in
      "<\(code.hexadecimal(digits: 4))> <"
        + text.utf16.map { $0.hexadecimal(digits: 4) }.joined() + ">\n"
    }
    var blocks = ""
    // A block has at most 100 entries.
    for start in stride(from: 0, to: lines.count, by: 100) {
      let block = lines[start..<min(start + 100, lines.count)]
      blocks += "\(block.count) beginbfchar\n\(block.joined())endbfchar\n"
    }
    return """
      /CIDInit /ProcSet findresource begin
      12 dict begin
      begincmap
      /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
      /CMapName /Adobe-Identity-UCS def
      /CMapType 2 def
      1 begincodespacerange
      <0000> <FFFF>
      endcodespacerange
      \(blocks)endcmap
      CMapName currentdict /CMap defineresource pop
      end
      end

      """
  }
}
