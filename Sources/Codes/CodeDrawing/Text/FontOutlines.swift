/// The outlines of glyphs, each read once from its font file.
///
/// An instance must be used by one thread at a time.
package final class FontOutlines {
  private struct Key: Hashable {
    let font: FontFace
    let glyph: UInt32
  }

  private var open: [FontFace: OpenFont] = [:]
  private var outlines: [Key: DrawingPath] = [:]

  /// Makes an instance that has read nothing.
  package init() {}

  /// A glyph's outline in ems from its origin on the baseline, down positive.
  ///
  /// - Throws: ``TextError`` with ``TextError/Code/fontUnreadable``.
  func outline(of glyph: UInt32, in font: FontFace) throws(TextError) -> DrawingPath {
    let key = Key(font: font, glyph: glyph)
    if let known = outlines[key] { return known }
    let outline = try openFont(font).outline(of: glyph)
    outlines[key] = outline
    return outline
  }

  private func openFont(_ face: FontFace) throws(TextError) -> OpenFont {
    if let known = open[face] { return known }
    let font = try OpenFont(face)
    open[face] = font
    return font
  }
}

extension ShapedText {
  /// The shape of each line in millimetres, with its block's top left corner at a position.
  ///
  /// - Throws: ``TextError`` with ``TextError/Code/fontUnreadable``.
  package func outlines(
    from fonts: FontOutlines, at origin: DrawingPoint = DrawingPoint(x: 0, y: 0)
  ) throws(TextError) -> [DrawingPath] {
    var paths: [DrawingPath] = []
    for line in lines {
      var path = DrawingPath()
      for run in line.runs {
        path.steps += try run.outline(
          from: fonts, at: DrawingPoint(x: origin.x, y: origin.y + line.baseline)
        ).steps
      }
      paths.append(path)
    }
    return paths
  }
}

extension ShapedText.Run {
  /// The shape in millimetres; the origin is the left edge of the block on the line's baseline.
  ///
  /// - Throws: ``TextError`` with ``TextError/Code/fontUnreadable``.
  func outline(from fonts: FontOutlines, at origin: DrawingPoint) throws(TextError) -> DrawingPath {
    var path = DrawingPath()
    for glyph in glyphs where !glyph.isEmpty {
      path.steps += try fonts.outline(of: glyph.number, in: font)
        .placed(at: DrawingPoint(x: origin.x + glyph.x, y: origin.y + glyph.y), scale: size).steps
    }
    return path
  }
}
