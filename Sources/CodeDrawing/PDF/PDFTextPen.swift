/// Writes glyphs beside each other, and knows where a reader's pen is.
struct PDFTextPen {
  private(set) var content = ByteText()
  /// Whether a text object, an array of glyphs, a string of codes are open.
  private var isText = false
  private var isArray = false
  private var isString = false
  private var fontName: String?
  /// Where the reader's pen is, nil if the next glyph must say where it is; and the letters' size.
  private var place: DrawingPoint?
  private var size = 0.0

  /// Shows one glyph.
  ///
  /// - Parameters:
  ///   - use: the name of the font and the code.
  ///   - target: the glyph's origin.
  ///   - width: how far the reader's pen moves, in thousandths of the em.
  ///   - size: the height of the em.
  mutating func show(
    _ use: (name: String, code: UInt16), at target: DrawingPoint, width: Double, size: Double
  ) {
    prepare(font: use.name)
    move(to: target, size: size)
    append(use.code)
    place?.x += width / 1000 * size
  }

  /// Shows one glyph wider or narrower than it is.
  ///
  /// - Parameters:
  ///   - width: how far the reader's pen would move, in thousandths of the em.
  ///   - stretched: how far it does.
  ///   - size: the height of the em.
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
    content.append(fixedHexadecimal(UInt64(code), digits: 4))
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
    // A hundredth of a thousandth of the em is far below what any device shows.
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
    // The page's axis points down, letters point up.
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

  /// Begins a part whose characters are told as a whole.
  mutating func beginSpan(actualText: String) {
    endText()
    content.append("/Span << /ActualText \(pdfString(actualText)) >> BDC\n")
  }

  /// Ends the part.
  mutating func endSpan() {
    endText()
    content.append("EMC\n")
  }

  /// Ends what is open, so that any operator may follow.
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
