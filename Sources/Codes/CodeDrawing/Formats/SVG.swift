import CliptagBasics
import Pictures

extension CodeDrawing {
  /// An SVG 1.1 file: a light square, if there is a ground, and one dark path, in modules, sized in millimetres.
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
  fileprivate func appendElements(to file: inout ByteText) throws(PictureError) {
    let side = size.modulesAcross
    if colours.hasGround {
      file.append(
        "<rect width=\"\(side)\" height=\"\(side)\" fill=\"\(colours.background.svg)\"/>\n")
    }
    file.append("<path fill=\"\(colours.foreground.svg)\" d=\"")
    for loop in outline.loops {
      file.append("M" as Unicode.Scalar)
      file.append(loop.x)
      file.append(" " as Unicode.Scalar)
      file.append(loop.y)
      // The last side is drawn by `z`.
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
  /// The shortest notation of black and white, all digits for other colours.
  var svg: String {
    self == .white ? "#fff" : self == .black ? "#000" : hexadecimal
  }
}

/// The namespace of XLink, by which SVG 1.1 refers to a picture and which SVG 2 readers still
/// support.
private let xlinkNamespace = " xmlns:xlink=\"http://www.w3.org/1999/xlink\""

extension PageDrawing {
  /// An SVG 1.1 file of the page with its bleed, in millimetres; text is converted to outlines, so
  /// that it does not depend on its fonts.
  ///
  /// - Parameters:
  ///   - title: The title for viewers and screen readers.
  ///   - language: The language of the page, as in BCP 47.
  /// - Throws: ``TextError`` when a font file cannot be read, or `PictureError` with `cannotEncode`
  ///   if there is no memory for a picture on the page.
  public func svg(title: String, language: String = "en") throws -> [UInt8] {
    let outlines = FontOutlines()
    let media = mediaBox
    let (width, height) = (decimal(media.width), decimal(media.height))
    let descriptions = elements.compactMap(\.description)
    var file = ByteText()
    file.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
      version="1.1" width="\(width)mm" height="\(height)mm" viewBox="\(decimal(media.x)) \(decimal(media.y)) \(width) \(height)" \
      xml:lang="\(xmlEscaped(language))" role="img">
      <title>\(xmlEscaped(title))</title>
      <desc>\(xmlEscaped(descriptions.joined(separator: "\n")))</desc>

      """)
    if hasCropMarks {
      let bleed = DrawingPath.rectangle(bleedBox).svg
      file.append(
        "<clipPath id=\"bleed\"><path d=\"\(bleed)\"/></clipPath>\n<g clip-path=\"url(#bleed)\">\n")
    }
    for element in elements { try element.append(to: &file, outlines) }
    if hasCropMarks {
      file.append("</g>\n")
      for mark in cropMarks { file.append(line: mark, markStyle) }
    }
    file.append("</svg>\n")
    return file.bytes
  }
}

extension PageDrawing.Element {
  fileprivate func append(to file: inout ByteText, _ outlines: FontOutlines) throws {
    switch self {
    case .shape(let path, let colour):
      file.append("<path fill=\"\(colour.svg)\" d=\"\(path.svg)\"/>\n")
    case .line(let path, let style): file.append(line: path, style)
    case .code(let code, let corner):
      let module = decimal(code.size.moduleSize, places: 9)
      file.append(
        "<g transform=\"translate(\(decimal(corner.x)) \(decimal(corner.y))) scale(\(module))\" "
          + "shape-rendering=\"crispEdges\">\n<title>\(xmlEscaped(code.sentence))</title>\n")
      try code.appendElements(to: &file)
      file.append("</g>\n")
    case .appClipCode(let code, let corner):
      file.append("<g role=\"img\">\n<title>\(xmlEscaped(code.sentence))</title>\n")
      for element in code.elements(at: corner) { try element.append(to: &file, outlines) }
      file.append("</g>\n")
    case .picture(let picture, let box):
      file.append("<g role=\"img\">\n<title>\(xmlEscaped(picture.alternativeText))</title>\n")
      try picture.appendElement(to: &file, box: box)
      file.append("</g>\n")
    case .text(let words):
      let language = words.text.language.map { " xml:lang=\"\(xmlEscaped($0))\"" } ?? ""
      if let link = words.link {
        file.append("<a href=\"\(xmlEscaped(link))\" xlink:href=\"\(xmlEscaped(link))\">\n")
      }
      file.append("<g fill=\"\(words.colour.svg)\" role=\"text\"\(language)>\n")
      file.append("<title>\(xmlEscaped(words.text.text))</title>\n")
      for line in try words.text.outlines(from: outlines, at: words.corner) {
        file.append("<path d=\"\(line.svg)\"/>\n")
      }
      file.append(words.link == nil ? "</g>\n" : "</g>\n</a>\n")
    case .clipped(let elements, let box):
      // Boxes that are equal have the same name, and the same path.
      let name = [box.x, box.y, box.width, box.height].map { decimal($0) }.joined(separator: "_")
      let path = DrawingPath.rectangle(box).svg
      file.append("<clipPath id=\"box_\(name)\"><path d=\"\(path)\"/></clipPath>\n")
      file.append("<g clip-path=\"url(#box_\(name))\">\n")
      for element in elements { try element.append(to: &file, outlines) }
      file.append("</g>\n")
    case .group(let elements, let placement):
      let matrix = placement.matrix.map { decimal($0) }.joined(separator: " ")
      file.append("<g transform=\"matrix(\(matrix))\">\n")
      for element in elements { try element.append(to: &file, outlines) }
      file.append("</g>\n")
    }
  }
}

extension ByteText {
  fileprivate mutating func append(line path: DrawingPath, _ style: PageDrawing.LineStyle) {
    let dashes = style.dashes.map { decimal($0) }.joined(separator: " ")
    append("<path fill=\"none\" stroke=\"\(style.colour.svg)\" ")
    append("stroke-width=\"\(decimal(style.width))\" ")
    if !dashes.isEmpty { append("stroke-dasharray=\"\(dashes)\" ") }
    if style.hasRoundEnds { append("stroke-linecap=\"round\" ") }
    append("d=\"\(path.svg)\"/>\n")
  }
}

extension DrawingPath {
  /// The data of a path element, with at most four decimals.
  package var svg: String {
    var data = ""
    func point(_ point: DrawingPoint) -> String {
      "\(decimal(point.x, places: 4)) \(decimal(point.y, places: 4))"
    }
    for step in steps {
      switch step {
      case .move(let end): data += "M\(point(end))"
      case .line(let end): data += "L\(point(end))"
      case .curve(let first, let second, let end):
        data += "C\(point(first)) \(point(second)) \(point(end))"
      case .close: data += "Z"
      }
    }
    return data
  }
}
