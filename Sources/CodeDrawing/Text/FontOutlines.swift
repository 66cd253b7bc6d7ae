import CHarfBuzz

/// The outlines of glyphs, each read once from its font file.
///
/// One owner serves one thread at a time.
package final class FontOutlines {
  private struct Key: Hashable {
    let font: FontFace
    let glyph: UInt32
  }

  private var open: [FontFace: OpenFont] = [:]
  private var outlines: [Key: DrawingPath] = [:]

  /// Makes an owner that has read nothing yet.
  package init() {}

  /// A glyph's outline in parts of the em from its origin on the baseline, down positive.
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
  /// The shape of each line in millimetres, its block's top left corner at a place.
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

/// Receives the steps of a glyph's outline from HarfBuzz.
struct GlyphPen {
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

  /// A quadratic curve is the cubic one whose control points are two thirds of the way.
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
