import Pictures

extension CodeDrawing {
  /// An SVG 1.1 file: a light square and one dark path, in modules, sized in millimetres.
  func svg() throws(CodeDrawingError) -> [UInt8] {
    let side = size.modulesAcross
    let width = decimal(size.width)
    let links = logo == nil ? "" : xlinkNamespace
    var file = ByteText()
    file.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg"\(links) version="1.1" width="\(width)mm" \
      height="\(width)mm" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges" role="img">
      <title>\(xmlEscaped(text))</title>
      <desc>\(xmlEscaped(sentence))</desc>

      """)
    do {
      try appendElements(to: &file)
    } catch {
      throw .cannotEncode(error)
    }
    file.append("</svg>\n")
    return file.bytes
  }

  /// The elements that draw the code; the unit is a module, the origin the top left corner of the
  /// quiet zone.
  func appendElements(to file: inout ByteText) throws(PictureError) {
    let side = size.modulesAcross
    file.append(
      """
      <rect width="\(side)" height="\(side)" fill="\(colours.background.svg)"/>
      <path fill="\(colours.foreground.svg)" d="
      """)
    for loop in outline.loops {
      file.append("M" as Unicode.Scalar)
      file.append(loop.x)
      file.append(" " as Unicode.Scalar)
      file.append(loop.y)
      // The last side is what `z` draws.
      for (index, length) in loop.sides.dropLast().enumerated() {
        file.append((index.isMultiple(of: 2) ? "h" : "v") as Unicode.Scalar)
        file.append(length)
      }
      file.append("z" as Unicode.Scalar)
    }
    file.append("\"/>\n")
    if let logo { try logo.picture.appendElement(to: &file, box: logo.box) }
  }
}

extension Colour {
  /// The shortest notation of black and white, else all digits.
  var svg: String {
    self == .white ? "#fff" : self == .black ? "#000" : hexadecimal
  }
}
