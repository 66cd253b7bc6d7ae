internal import CPango

/// The lines as Pango set them, in its units.
struct PangoLines: ~Copyable {
  private let text: UnsafeMutablePointer<cpango_text>

  /// Takes what `cpango_shape` made.
  init(_ text: UnsafeMutablePointer<cpango_text>) { self.text = text }

  deinit { cpango_free(text) }

  /// The lines from top to bottom.
  var lines: UnsafeBufferPointer<cpango_line> {
    UnsafeBufferPointer(start: text.pointee.lines, count: text.pointee.line_count)
  }

  /// The runs of a line from left to right.
  func runs(of line: cpango_line) -> UnsafeBufferPointer<cpango_run> {
    UnsafeBufferPointer(start: text.pointee.runs + line.first_run, count: line.run_count)
  }

  /// The glyphs of a run from left to right.
  func glyphs(of run: cpango_run) -> UnsafeBufferPointer<cpango_glyph> {
    UnsafeBufferPointer(start: text.pointee.glyphs + run.first_glyph, count: run.glyph_count)
  }

  /// Every glyph.
  var glyphs: UnsafeBufferPointer<cpango_glyph> {
    UnsafeBufferPointer(start: text.pointee.glyphs, count: text.pointee.glyph_count)
  }

  /// Every run.
  var runs: UnsafeBufferPointer<cpango_run> {
    UnsafeBufferPointer(start: text.pointee.runs, count: text.pointee.run_count)
  }

  /// The fonts that the runs number.
  var fonts: UnsafeBufferPointer<cpango_font> {
    UnsafeBufferPointer(start: text.pointee.fonts, count: text.pointee.font_count)
  }
}

extension FontFace {
  init(_ font: cpango_font) {
    self.init(
      family: String(cString: font.family), style: String(cString: font.style),
      path: String(cString: font.path), index: Int(font.index),
      variations: String(cString: font.variations))
  }
}
