extension CodeDrawing {
  /// A PDF of one page, as large as the code; viewers are asked to print it unscaled.
  func pdf() throws(CodeDrawingError) -> [UInt8] {
    var page = PageDrawing(width: size.width, height: size.width)
    page.elements = [.code(self, DrawingPoint(x: 0, y: 0))]
    let information = PDFWriter<MemorySink>.Information(title: text, creationTime: creationTime)
    do {
      var writer = try PDFWriter(
        to: MemorySink(), information: information, compresses: false)
      try writer.add(page)
      return try writer.finished().bytes
    } catch {
      throw .cannotWrite(error)
    }
  }

  /// The operators that draw the code: light ground, then all dark modules as one path of whole
  /// numbers, so that no edge is rounded. The unit is a module, the origin the top left corner of
  /// the quiet zone, and down is positive.
  func appendOperators(to content: inout ByteText) {
    let side = size.modulesAcross
    let (light, dark) = (colours.background.pdfFill, colours.foreground.pdfFill)
    content.append("\(light)\n0 0 \(side) \(side) re\nf\n\(dark)\n")
    for loop in outline.loops {
      if loop.sides.count == 4 {
        // A rectangle runs right first, as an outline does; a hole's height is negative.
        content.append(loop.x, loop.y)
        let first = loop.sides.startIndex
        content.append(loop.sides[first], loop.sides[first + 1])
        content.append("re\n")
        continue
      }
      var (x, y) = (loop.x, loop.y)
      content.append(x, y)
      content.append("m\n")
      for (index, length) in loop.sides.dropLast().enumerated() {
        if index.isMultiple(of: 2) { x += length } else { y += length }
        content.append(x, y)
        content.append("l\n")
      }
      content.append("h\n")
    }
    content.append("f\n")
  }
}

extension Colour {
  /// The channels from 0 to 1, a grey as one number.
  var fractions: String {
    (isGrey ? [red] : channels).map { decimal(Double($0) / 255, places: 4) }
      .joined(separator: " ")
  }
}
