/// A text set in lines: which glyph of which font stands where.
///
/// Lengths are millimetres. The block's own top left corner is the origin; down is positive.
public struct ShapedText: Hashable, Sendable {
  /// One glyph at its place.
  package struct Glyph: Hashable, Sendable {
    /// Its number in the font.
    let number: UInt32
    /// Whether it shows nothing and is no glyph of the font, like a joiner; its number is void.
    let isEmpty: Bool
    /// Its origin, from the left edge of the block.
    let x: Double
    /// Its origin, downwards from the line's baseline; other than 0 for marks above and below.
    let y: Double
    /// How far the pen moves on to the right.
    let advance: Double
    /// The UTF-8 offsets in the whole text of what it shows; glyphs of one cluster share theirs.
    let cluster: Range<Int>
  }

  /// Glyphs of one font that stand beside each other, from left to right.
  package struct Run: Hashable, Sendable {
    /// What they are drawn with.
    package let font: FontFace
    /// The height of the em.
    package let size: Double
    /// Whether the text runs from right to left; the glyphs stand from left to right all the same.
    package let isRightToLeft: Bool
    /// The glyphs, from left to right.
    let glyphs: [Glyph]
    /// The UTF-8 offsets in the whole text.
    let range: Range<Int>
  }

  /// One line.
  package struct Line: Hashable, Sendable {
    /// The baseline, from the top of the block.
    package let baseline: Double
    /// Where the line's first glyph stands, from the left edge of the block.
    package let x: Double
    /// From the first glyph to the end of the last.
    package let width: Double
    /// The runs, from left to right.
    package let runs: [Run]
    /// The UTF-8 offsets in the whole text.
    let range: Range<Int>
  }

  /// What is shown.
  public let text: String
  /// The language it is in, as in BCP 47, or nil where nobody said.
  public let language: String?
  /// The lines from top to bottom.
  package let lines: [Line]
  /// The width of the block: that of the widest line, or the width that lines were aligned in.
  public let width: Double
  /// From the top of the first line to the bottom of the last.
  public let height: Double

  /// The fonts that are used, in the order in which they come.
  public var fonts: [FontFace] {
    var fonts: [FontFace] = []
    for run in lines.flatMap(\.runs) where !fonts.contains(run.font) { fonts.append(run.font) }
    return fonts
  }
}
