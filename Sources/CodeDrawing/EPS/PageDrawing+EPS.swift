extension PageDrawing {
  /// An EPS file of the page with its bleed, language level 2; text is outlines.
  ///
  /// - Parameter title: what the comment at its head says.
  /// - Throws: ``TextError`` when a font file cannot be read.
  public func eps(title: String) throws(TextError) -> [UInt8] {
    let outlines = FontOutlines()
    let media = mediaBox
    let (width, height) = (Self.points(media.width), Self.points(media.height))
    var file = ByteText()
    file.append(
      """
      %!PS-Adobe-3.0 EPSF-3.0
      %%BoundingBox: 0 0 \(Int(width.rounded(.up))) \(Int(height.rounded(.up)))
      %%HiResBoundingBox: 0 0 \(decimal(width)) \(decimal(height))
      %%Title: \(postScriptTitle(title))
      %%Creator: cliptag
      %%LanguageLevel: 2
      %%DocumentData: Clean7Bit
      %%Pages: 1
      %%EndComments
      %%BeginProlog
      16 dict begin
      \(CodeDrawing.postScriptProcedures)
      /l {lineto} bind def
      /c {curveto} bind def
      %%EndProlog
      %%Page: 1 1
      gsave
      72 25.4 div dup neg scale
      \(decimal(-media.x)) \(decimal(-media.bottom)) translate

      """)
    if hasCropMarks {
      file.append("gsave newpath\n")
      file.append(postScript: .rectangle(bleedBox))
      file.append("clip newpath\n")
    }
    for element in elements { try element.appendPostScript(to: &file, outlines) }
    if hasCropMarks {
      file.append("grestore\n")
      for mark in cropMarks { file.append(postScriptLine: mark, Self.markStyle) }
    }
    file.append("grestore\nshowpage\nend\n%%Trailer\n%%EOF\n")
    return file.bytes
  }

  private static func points(_ millimetres: Double) -> Double { millimetres * 72 / 25.4 }
}

extension PageDrawing.Element {
  fileprivate func appendPostScript(
    to file: inout ByteText, _ outlines: FontOutlines
  ) throws(TextError) {
    switch self {
    case .shape(let path, let colour):
      file.append("\(colour.postScript) newpath\n")
      file.append(postScript: path)
      file.append("fill\n")
    case .line(let path, let style): file.append(postScriptLine: path, style)
    case .code(let code, let corner):
      let module = decimal(code.size.moduleSize, places: 9)
      file.append("gsave \(decimal(corner.x)) \(decimal(corner.y)) translate ")
      file.append("\(module) dup scale\n")
      code.appendPostScript(to: &file)
      file.append("grestore\n")
    case .text(let words):
      file.append("\(words.colour.postScript)\n")
      for line in try words.text.outlines(from: outlines, at: words.corner) {
        file.append("newpath\n")
        file.append(postScript: line)
        file.append("fill\n")
      }
    case .picture(let picture, let box):
      // PostScript knows no transparency; what shines through is paper.
      picture.appendPostScript(to: &file, box: box, ground: .white)
    case .photograph(let picture, let box): picture.appendPostScript(to: &file, box: box)
    }
  }
}

extension ByteText {
  fileprivate mutating func append(
    postScriptLine path: DrawingPath, _ style: PageDrawing.LineStyle
  ) {
    let dashes = style.dashes.map { decimal($0) }.joined(separator: " ")
    append("\(style.colour.postScript) \(decimal(style.width)) setlinewidth ")
    append("[\(dashes)] 0 setdash newpath\n")
    append(postScript: path)
    append("stroke\n")
  }

  fileprivate mutating func append(postScript path: DrawingPath) {
    func point(_ point: DrawingPoint) -> String {
      "\(decimal(point.x, places: 4)) \(decimal(point.y, places: 4))"
    }
    for step in path.steps {
      switch step {
      case .move(let end): append("\(point(end)) m\n")
      case .line(let end): append("\(point(end)) l\n")
      case .curve(let first, let second, let end):
        append("\(point(first)) \(point(second)) \(point(end)) c\n")
      case .close: append("z\n")
      }
    }
  }
}
