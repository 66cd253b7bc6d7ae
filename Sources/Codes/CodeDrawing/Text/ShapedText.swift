import CliptagBasics
import CPango

/// A text set in lines: glyphs, fonts and positions.
///
/// Lengths are in millimetres. The origin is the block's own top left corner; down is positive.
public struct ShapedText: Hashable, Sendable {
  /// One glyph at its position.
  package struct Glyph: Hashable, Sendable {
    /// Its number in the font.
    let number: UInt32
    /// Whether it is invisible and not a glyph of the font, like a joiner; its number is void.
    let isEmpty: Bool
    /// The x coordinate of its origin, from the left edge of the block.
    fileprivate(set) var x: Double
    /// The y coordinate of its origin, downwards from the line's baseline; other than 0 for marks
    /// above and below.
    let y: Double
    /// The advance to the right.
    let advance: Double
    /// The UTF-8 range of its characters in the whole text; glyphs of one cluster share theirs.
    let cluster: Range<Int>
  }

  /// Adjacent glyphs of one font, from left to right.
  package struct Run: Hashable, Sendable {
    /// The font.
    package let font: FontFace
    /// The height of the em.
    package let size: Double
    /// Whether the text runs from right to left; the glyphs are from left to right in either case.
    package let isRightToLeft: Bool
    /// The glyphs, from left to right.
    fileprivate(set) var glyphs: [Glyph]
    /// The UTF-8 range in the whole text.
    let range: Range<Int>
  }

  /// One line.
  package struct Line: Hashable, Sendable {
    /// The baseline, from the top of the block.
    package let baseline: Double
    /// The position of the line's first glyph, from the left edge of the block.
    package let x: Double
    /// The width from the first glyph to the end of the last.
    package let width: Double
    /// The runs, from left to right.
    package let runs: [Run]
    /// The UTF-8 range in the whole text.
    let range: Range<Int>
    /// Whether it ends within a word, with a hyphen.
    var isHyphenated = false
  }

  /// The text, without soft hyphens.
  public let text: String
  /// The language, as in BCP 47, or nil if none was given.
  public let language: String?
  /// The lines from top to bottom.
  package let lines: [Line]
  /// The width of the block: that of the widest line, or the width that lines were aligned in.
  public let width: Double
  /// The height from the top of the first line to the bottom of the last.
  public let height: Double

  /// Whether the text has no visible glyphs.
  var isEmpty: Bool { lines.allSatisfy(\.runs.isEmpty) }

  /// The fonts that are used, in the order of their first use.
  public var fonts: [FontFace] {
    var fonts: [FontFace] = []
    for run in lines.flatMap(\.runs) where !fonts.contains(run.font) { fonts.append(run.font) }
    return fonts
  }
}

extension ShapedText {
  /// Converts Pango's lines to millimetres and stacks them.
  init(
    _ request: ShapingRequest, _ from: borrowing PangoLines, width: Double?,
    alignment: TextAlignment
  ) throws(TextError) {
    try MissingGlyphs.check(from, request)
    let size = request.style.size
    func length(_ units: Int32) -> Double { Double(units) * size / Double(CPANGO_EM) }
    let fonts = from.fonts.map(FontFace.init)
    let widest = length(from.lines.map(\.width).max() ?? 0)
    let room = width ?? widest
    var lines: [Line] = []
    var baseline = 0.0
    var descent = 0.0
    for line in from.lines {
      let ascent = length(line.ascent)
      baseline += lines.isEmpty ? ascent : (descent + ascent) * request.style.lineSpacing
      descent = length(line.descent)
      let runs = from.runs(of: line).map { run in
        Run(
          run, glyphs: from.glyphs(of: run), font: fonts[Int(run.font)], size: size,
          of: request.setText)
      }
      let left = alignment.left(
        of: length(line.width), in: room, isRightToLeft: line.is_right_to_left != 0)
      lines.append(
        Line(
          baseline: baseline, x: left, width: length(line.width),
          runs: Run.placed(runs, from: left),
          range: request.setText.source(Int(line.start)..<Int(line.end)),
          isHyphenated: request.setText.isHyphenated(at: Int(line.end))))
    }
    self.init(
      text: request.setText.source, language: request.language, lines: lines, width: room,
      height: baseline + descent)
  }

  /// Stacks texts, each below the last, at their left edges.
  ///
  /// - Parameter parts: The texts, at least one.
  init(stacking parts: [ShapedText]) {
    var lines: [Line] = []
    var (top, offset) = (0.0, 0)
    for part in parts {
      lines += part.lines.map { $0.moved(down: top, after: offset) }
      top += part.height
      // A line feed separates the texts.
      offset += part.text.utf8.count + 1
    }
    self.init(
      text: parts.map(\.text).joined(separator: "\n"), language: parts.first?.language ?? nil,
      lines: lines, width: parts.map(\.width).max() ?? 0, height: top)
  }

  /// - Throws: ``TextError`` with ``TextError/Code/textTooLarge``.
  func checkRoom(width: Double?, maximumLines: Int?) throws(TextError) {
    if let maximumLines, lines.count > maximumLines {
      throw TextError(
        .textTooLarge,
        "\(TextCheck.quoted(text)) needs \(lines.count) lines, which is more than \(maximumLines).",
        hint: "Shorten the text, make it smaller, or allow more lines.")
    }
    // Pango's units are rounded, hence the tolerance.
    if let width, let wide = lines.first(where: { $0.width > width * 1.0001 }) {
      throw TextError(
        .textTooLarge,
        "A word of \(TextCheck.quoted(text)) is \(atLeast(wide.width)) mm wide, "
          + "which is more than \(atMost(width)) mm.",
        hint: "Make the text smaller, or give it more width.")
    }
  }
}

extension ShapedText.Line {
  /// The line in a longer text.
  ///
  /// - Parameters:
  ///   - top: The height of the lines above.
  ///   - offset: The UTF-8 bytes before its text.
  fileprivate func moved(down top: Double, after offset: Int) -> Self {
    func moved(_ range: Range<Int>) -> Range<Int> {
      range.lowerBound + offset..<range.upperBound + offset
    }
    return Self(
      baseline: baseline + top, x: x, width: width,
      runs: runs.map { run in
        ShapedText.Run(
          font: run.font, size: run.size, isRightToLeft: run.isRightToLeft,
          glyphs: run.glyphs.map {
            ShapedText.Glyph(
              number: $0.number, isEmpty: $0.isEmpty, x: $0.x, y: $0.y, advance: $0.advance,
              cluster: moved($0.cluster))
          }, range: moved(run.range))
      }, range: moved(range), isHyphenated: isHyphenated)
  }
}

extension ShapedText.Run {
  /// A run with its glyphs positioned as if it began at 0.
  fileprivate init(
    _ run: cpango_run, glyphs from: UnsafeBufferPointer<cpango_glyph>, font: FontFace, size: Double,
    of text: SetText
  ) {
    func length(_ units: Int32) -> Double { Double(units) * size / Double(CPANGO_EM) }
    let starts = Set(from.map(\.cluster)).sorted() + [run.end]
    let ends = Dictionary(uniqueKeysWithValues: zip(starts, starts.dropFirst()))
    var pen: Int32 = 0
    var glyphs: [ShapedText.Glyph] = []
    for glyph in from {
      glyphs.append(
        ShapedText.Glyph(
          number: glyph.number, isEmpty: glyph.is_empty != 0, x: length(pen + glyph.x_offset),
          y: length(glyph.y_offset),
          advance: length(glyph.advance),
          cluster: text.source(Int(glyph.cluster)..<Int(ends[glyph.cluster] ?? run.end))))
      pen += glyph.advance
    }
    self.init(
      font: font, size: size, isRightToLeft: run.is_right_to_left != 0, glyphs: glyphs,
      range: text.source(Int(run.start)..<Int(run.end)))
  }

  private var advance: Double { glyphs.reduce(0) { $0 + $1.advance } }

  /// Places runs side by side.
  fileprivate static func placed(_ runs: [Self], from left: Double) -> [Self] {
    var left = left
    return runs.map { run in
      var placed = run
      for index in placed.glyphs.indices { placed.glyphs[index].x += left }
      left += run.advance
      return placed
    }
  }
}

extension TextAlignment {
  /// The left edge of a line in its available width.
  fileprivate func left(of width: Double, in room: Double, isRightToLeft: Bool) -> Double {
    switch self {
    case .start: isRightToLeft ? room - width : 0
    case .centre: (room - width) / 2
    case .end: isRightToLeft ? 0 : room - width
    }
  }
}
