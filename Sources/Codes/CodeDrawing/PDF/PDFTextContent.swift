import CliptagBasics

/// The operators that show a text (ISO 32000-1, 9.4), with lengths in millimetres and down
/// positive.
///
/// Readers copy and search the text as it was written. Some readers use the order in which glyphs
/// are shown, others their positions, and few respect ActualText. So runs and glyphs are written in
/// the order of the text and represent one character each, as far as their positions are in that
/// order too. For other glyphs, such as a vowel sign before the consonant it follows, or the
/// ligature of an Arabic word, the outlines are filled, and blanks in their place represent the
/// text.
struct PDFTextContent {
  /// The operators written so far.
  private var pen = PDFTextPen()
  private let text: ShapedText
  private let utf8: [UInt8]
  private let origin: DrawingPoint
  /// The UTF-8 ranges of words that are divided at the end of a line.
  private let dividedWords: [Range<Int>]
  /// The end of the divided word whose span is open.
  private var wordEnd: Int?

  /// - Parameter origin: The top left corner of the text's block.
  init(_ text: ShapedText, at origin: DrawingPoint) {
    self.text = text
    self.origin = origin
    let utf8 = Array(text.text.utf8)
    self.utf8 = utf8
    dividedWords = text.lines.filter(\.isHyphenated).map { $0.range.upperBound.word(in: utf8) }
  }

  /// The bytes of the operators.
  var bytes: [UInt8] { pen.content.bytes }

  /// Writes every line in the colour for filling.
  ///
  /// - Parameters:
  ///   - fonts: Records the used glyphs.
  ///   - outlines: The source of glyphs that are not embedded.
  /// - Throws: ``TextError`` with ``TextError/Code/fontUnreadable``.
  mutating func draw(
    fonts: inout PDFFontBook, outlines: FontOutlines
  ) throws(TextError) {
    for line in text.lines {
      let baseline = DrawingPoint(x: origin.x, y: origin.y + line.baseline)
      for run in line.runs.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
        if try fonts.embeds(run.font) {
          for group in GlyphGroup.groups(of: run, in: utf8) {
            beginWord(at: group)
            try draw(group, of: run, at: baseline, fonts: &fonts, outlines: outlines)
            endWord(at: group)
          }
        } else {
          pen.beginSpan(actualText: String(decoding: utf8[run.range], as: UTF8.self))
          pen.fill(try run.outline(from: outlines, at: baseline))
          pen.endSpan()
        }
      }
    }
    pen.endText()
  }

  /// Begins a span that has the text of a divided word, without its hyphen and its line break.
  private mutating func beginWord(at group: GlyphGroup) {
    guard wordEnd == nil, let word = dividedWords.first(where: { $0.lowerBound == group.start })
    else { return }
    pen.beginSpan(actualText: String(decoding: utf8[word], as: UTF8.self))
    wordEnd = word.upperBound
  }

  private mutating func endWord(at group: GlyphGroup) {
    guard let end = wordEnd, group.end >= end else { return }
    pen.endSpan()
    wordEnd = nil
  }

  private mutating func draw(
    _ group: GlyphGroup, of run: ShapedText.Run, at baseline: DrawingPoint,
    fonts: inout PDFFontBook, outlines: FontOutlines
  ) throws(TextError) {
    let parts = group.parts(in: try fonts.font(run.font))
    let isInOrder = group.isReadInOrder(parts, of: run)
    if !isInOrder, try drawBlanks(group, of: run, at: baseline, fonts: &fonts) {
      for part in parts {
        pen.fill(
          try outlines.outline(of: part.glyph.number, in: run.font)
            .placed(at: part.glyph.place(from: baseline), scale: run.size))
      }
      return
    }
    let isTogether =
      wordEnd == nil && parts.count > 1 && (!isInOrder || parts.contains(where: \.isMark))
    if isTogether { pen.beginSpan(actualText: group.text) }
    for part in parts {
      let width = try fonts.width(of: part.glyph.number, in: run.font)
      let use = try fonts.use(part.glyph.number, of: run.font, text: part.text)
      pen.show(use, at: part.glyph.place(from: baseline), width: width, size: run.size)
    }
    if isTogether { pen.endSpan() }
  }

  /// Places blanks that represent the characters of a group at the position of its outlines.
  ///
  /// From left to right, one blank represents them all; from right to left there is one for each,
  /// as readers that use positions reverse all characters of such a run, even those of one glyph.
  ///
  /// - Returns: Whether there are such blanks.
  private mutating func drawBlanks(
    _ group: GlyphGroup, of run: ShapedText.Run, at baseline: DrawingPoint,
    fonts: inout PDFFontBook
  ) throws(TextError) -> Bool {
    let told = run.isRightToLeft ? group.text.unicodeScalars.map(String.init) : [group.text]
    let share = group.width / Double(told.count)
    guard share > 0 else { return false }
    for (number, text) in told.enumerated() {
      guard let blank = try fonts.useBlank(text, in: run.font) else { return false }
      let left = group.left + (run.isRightToLeft ? Double(told.count - 1 - number) * share : 0)
      pen.show(
        blank.use, at: DrawingPoint(x: baseline.x + left, y: baseline.y), width: blank.width,
        stretchedTo: share, size: run.size)
    }
    return true
  }
}

extension Int {
  /// The range around an offset up to the next white space on both sides.
  fileprivate func word(in utf8: [UInt8]) -> Range<Int> {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x0A }
    let start = utf8[..<self].lastIndex(where: isSpace).map { $0 + 1 } ?? 0
    return start..<(utf8[self...].firstIndex(where: isSpace) ?? utf8.count)
  }
}

extension ShapedText.Glyph {
  fileprivate func place(from baseline: DrawingPoint) -> DrawingPoint {
    DrawingPoint(x: baseline.x + x, y: baseline.y + y)
  }
}

/// Glyphs that show one or a few characters that are read as a unit, such as a consonant with its
/// vowel signs.
private struct GlyphGroup {
  /// A glyph, and the characters that it alone represents.
  struct Part {
    let glyph: ShapedText.Glyph
    /// The characters; empty if other glyphs of the group represent them.
    let text: String
    /// The offset of the characters in the text of the group.
    let order: Int
    /// The advance in a reader, in ems.
    let width: Double

    /// Whether the glyph is above or below another one.
    var isMark: Bool { glyph.advance == 0 || glyph.y != 0 }
  }

  /// The text of the group.
  let text: String
  /// The UTF-8 offsets of its characters in the whole text.
  let start, end: Int
  /// The clusters of characters that were shaped together, in the order of the text.
  private let clusters: [(text: String, glyphs: [ShapedText.Glyph])]

  /// The groups of a run in the order of the text.
  static func groups(of run: ShapedText.Run, in utf8: [UInt8]) -> [GlyphGroup] {
    var glyphs: [Range<Int>: [ShapedText.Glyph]] = [:]
    for glyph in run.glyphs where !glyph.isEmpty {
      glyphs[glyph.cluster, default: []].append(glyph)
    }
    let clusters = glyphs.sorted { $0.key.lowerBound < $1.key.lowerBound }
    // The offsets at which user-perceived characters begin.
    var starts: Set<Int> = []
    var offset = run.range.lowerBound
    for character in String(decoding: utf8[run.range], as: UTF8.self) {
      starts.insert(offset)
      offset += character.utf8.count
    }
    var groups: [[(key: Range<Int>, value: [ShapedText.Glyph])]] = []
    for cluster in clusters {
      // The hyphen of a divided word represents no character.
      if groups.isEmpty || cluster.key.isEmpty || starts.contains(cluster.key.lowerBound) {
        groups.append([cluster])
      } else {
        groups[groups.count - 1].append(cluster)
      }
    }
    return groups.map { group in
      GlyphGroup(
        clusters: group.map { cluster in
          let text = String(decoding: utf8[cluster.key], as: UTF8.self)
          return (cluster.key.isEmpty ? "-" : text, cluster.value)
        }, start: group.first?.key.lowerBound ?? 0, end: group.last?.key.upperBound ?? 0)
    }
  }

  private init(clusters: [(text: String, glyphs: [ShapedText.Glyph])], start: Int, end: Int) {
    (self.start, self.end) = (start, end)
    self.clusters = clusters
    text = clusters.map(\.text).joined()
  }

  private var glyphs: [ShapedText.Glyph] { clusters.flatMap(\.glyphs) }
  /// The left edge, relative to the text's block.
  var left: Double { glyphs.map(\.x).min() ?? 0 }
  /// The width of the group.
  var width: Double { (glyphs.map { $0.x + $0.advance }.max() ?? 0) - left }

  /// Whether every reader takes the characters of these glyphs in the right order and without gaps.
  func isReadInOrder(_ parts: [Part], of run: ShapedText.Run) -> Bool {
    if run.isRightToLeft { return parts.count == 1 && text.unicodeScalars.count == 1 }
    guard let first = parts.first, let last = parts.last, parts.count > 1 else { return true }
    if first.isMark { return false }
    let isStepped = zip(parts, parts.dropFirst()).allSatisfy { part, next in
      abs(part.glyph.x + part.width * run.size - next.glyph.x) < run.size / 20
    }
    let gap = left + width - last.glyph.x - last.width * run.size
    return isStepped && gap < run.size / 20 && !parts.contains { $0.text.isEmpty }
  }

  /// The glyphs in the order of the characters that each represents.
  func parts(in font: OpenFont) -> [Part] {
    var parts: [Part] = []
    var start = 0
    for cluster in clusters {
      parts += Self.parts(of: cluster.glyphs, text: cluster.text, from: start, in: font)
      start += cluster.text.unicodeScalars.count
    }
    return parts.sorted { $0.order < $1.order }
  }

  /// Assigns the characters to the glyphs: each glyph gets the character of which it is the nominal
  /// glyph, and the first glyph without one gets the rest.
  private static func parts(
    of glyphs: [ShapedText.Glyph], text: String, from start: Int, in font: OpenFont
  ) -> [Part] {
    if glyphs.count == 1 {
      let width = font.advance(of: glyphs[0].number) / 1000
      return [Part(glyph: glyphs[0], text: text, order: start, width: width)]
    }
    var rest = Array(text.unicodeScalars.enumerated())
    var owners: [Int: [(offset: Int, element: Unicode.Scalar)]] = [:]
    for (number, glyph) in glyphs.enumerated() {
      guard let own = rest.firstIndex(where: { font.glyph(of: $0.element) == glyph.number }) else {
        continue
      }
      owners[number] = [rest.remove(at: own)]
    }
    if !rest.isEmpty {
      let taker = glyphs.indices.first { owners[$0] == nil } ?? 0
      owners[taker] = ((owners[taker] ?? []) + rest).sorted { $0.offset < $1.offset }
    }
    return glyphs.enumerated().map { number, glyph in
      let own = owners[number] ?? []
      return Part(
        glyph: glyph, text: String(String.UnicodeScalarView(own.map(\.element))),
        order: start + (own.first?.offset ?? 0),
        width: font.advance(of: glyph.number) / 1000)
    }
  }
}

/// Writes adjacent glyphs, and tracks the position of a reader's pen.
private struct PDFTextPen {
  private(set) var content = ByteText()
  /// Whether a text object, an array of glyphs, or a string of codes is open.
  private var isText = false
  private var isArray = false
  private var isString = false
  private var fontName: String?
  /// The position of the reader's pen, nil if the next glyph must set it; and the size of the
  /// letters.
  private var place: DrawingPoint?
  private var size = 0.0

  /// Shows one glyph.
  ///
  /// - Parameters:
  ///   - use: The name of the font and the code.
  ///   - target: The glyph's origin.
  ///   - width: The advance, in thousandths of the em.
  ///   - size: The height of the em.
  mutating func show(
    _ use: (name: String, code: UInt16), at target: DrawingPoint, width: Double, size: Double
  ) {
    prepare(font: use.name)
    move(to: target, size: size)
    append(use.code)
    place?.x += width / 1000 * size
  }

  /// Shows one glyph stretched or compressed.
  ///
  /// - Parameters:
  ///   - width: The glyph's advance, in thousandths of the em.
  ///   - stretched: The resulting advance.
  ///   - size: The height of the em.
  mutating func show(
    _ use: (name: String, code: UInt16), at target: DrawingPoint, width: Double,
    stretchedTo stretched: Double, size: Double
  ) {
    prepare(font: use.name)
    place(at: target, across: stretched * 1000 / width, up: size)
    append(use.code)
    place = nil
  }

  private mutating func append(_ code: UInt16) {
    if !isArray { content.append("[") }
    if !isString { content.append("<") }
    content.append(code.hexadecimal(digits: 4))
    (isArray, isString) = (true, true)
  }

  private mutating func prepare(font: String) {
    if !isText { content.append("BT\n") }
    isText = true
    if font != fontName {
      endArray()
      content.append("/\(font) 1 Tf\n")
      fontName = font
    }
  }

  private mutating func move(to target: DrawingPoint, size: Double) {
    guard let place, size == self.size, abs(place.y - target.y) < size * 1e-5 else {
      place(at: target, across: size, up: size)
      return
    }
    // A hundredth of a thousandth of the em is far below the resolution of any device.
    let thousandths = ((place.x - target.x) / size * 1e5).rounded() / 100
    guard thousandths != 0 else { return }
    endString()
    content.append(isArray ? "" : "[")
    isArray = true
    content.append(decimal(thousandths, places: 2))
    self.place?.x -= thousandths / 1000 * size
  }

  private mutating func place(at target: DrawingPoint, across: Double, up: Double) {
    endArray()
    let (scaleX, scaleY) = (decimal(across, places: 9), decimal(up, places: 9))
    // The page's axis points down, that of letters up.
    content.append("\(scaleX) 0 0 -\(scaleY) \(decimal(target.x)) \(decimal(target.y)) Tm\n")
    place = target
    size = up
  }

  /// Fills a figure.
  mutating func fill(_ path: DrawingPath) {
    endText()
    content.append(path: path)
    content.append(path.steps.isEmpty ? "" : "f\n")
  }

  /// Begins a span with a replacement text for its characters.
  mutating func beginSpan(actualText: String) {
    endText()
    content.append("/Span << /ActualText \(pdfString(actualText)) >> BDC\n")
  }

  /// Ends the span.
  mutating func endSpan() {
    endText()
    content.append("EMC\n")
  }

  /// Closes open objects, so that any operator may follow.
  mutating func endText() {
    endArray()
    if isText { content.append("ET\n") }
    (isText, place) = (false, nil)
  }

  private mutating func endString() {
    if isString { content.append(">") }
    isString = false
  }

  private mutating func endArray() {
    endString()
    if isArray { content.append("] TJ\n") }
    isArray = false
  }
}
