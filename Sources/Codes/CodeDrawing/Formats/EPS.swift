import CliptagBasics
import Pictures

extension CodeDrawing {
  /// An EPS file of language level 2: a light square, if there is a ground, and one dark path, on a grid of modules; black
  /// and greys are set by `setgray`.
  ///
  /// It follows the rules for EPS: its names are in a separate dictionary, the graphics state is
  /// restored, and the comments contain no date.
  ///
  /// - Throws: ``CodeDrawingError`` with `cannotEncode` for a translucent logo on no ground.
  func eps() throws(CodeDrawingError) -> [UInt8] {
    if let picture = logo?.picture, !colours.hasGround, !picture.isOpaque,
      picture.original?.eps == nil
    {
      throw .noTransparency(picture)
    }
    let side = size.modulesAcross
    let points = size.points
    let box = Int(bounded: points.rounded(.up))
    var file = ByteText()
    file.append(
      """
      %!PS-Adobe-3.0 EPSF-3.0
      %%BoundingBox: 0 0 \(box) \(box)
      %%HiResBoundingBox: 0 0 \(decimal(points)) \(decimal(points))
      %%Title: \(postScriptTitle(text))
      %%Creator: cliptag
      %%LanguageLevel: \(languageLevel)
      %%DocumentData: Clean7Bit
      %%Pages: 1
      %%EndComments
      %%BeginProlog
      8 dict begin
      \(Self.postScriptProcedures)
      %%EndProlog
      %%Page: 1 1
      gsave
      0 \(decimal(points)) translate
      \(decimal(points)) \(side) div dup neg scale

      """)
    appendPostScript(to: &file)
    file.append("grestore\nshowpage\nend\n%%Trailer\n%%EOF\n")
    return file.bytes
  }

  /// Level 3 for shadings in a drawing of others.
  fileprivate var languageLevel: Int { logo?.picture.original?.eps == nil ? 2 : 3 }

  /// The procedures that the operators of a code call: `m` x y, `h` and `v` by a length, `z`.
  fileprivate static let postScriptProcedures = """
    /m {moveto} bind def
    /h {0 rlineto} bind def
    /v {0 exch rlineto} bind def
    /z {closepath} bind def
    """

  /// The operators that draw the code; the unit is a module, the origin the top left corner of the
  /// quiet zone, and down is positive.
  fileprivate func appendPostScript(to file: inout ByteText) {
    let side = size.modulesAcross
    if colours.hasGround {
      file.append("\(colours.background.postScript) 0 0 \(side) \(side) rectfill\n")
    }
    file.append("\(colours.foreground.postScript) newpath\n")
    for loop in outline.loops {
      file.append(loop.x, loop.y)
      file.append("m\n")
      for (index, length) in loop.sides.dropLast().enumerated() {
        file.append(length)
        file.append(index.isMultiple(of: 2) ? " h" : " v")
        // The structuring conventions allow lines of 255 characters.
        file.append(index % 32 == 31 ? "\n" : " ")
      }
      file.append("z\n")
    }
    file.append("fill\n")
    if let logo {
      logo.picture.appendPostScript(to: &file, box: logo.box, ground: colours.background)
    }
  }
}

/// A text as a DSC text in parentheses: printable ASCII, short enough for a line of 255.
private func postScriptTitle(_ text: String) -> String {
  let longest = 180
  let cut = text.unicodeScalars.prefix(longest)
  let escaped = cut.map { scalar in
    switch scalar {
    case "(", ")", "\\": "\\\(scalar)"
    case " "..."~": String(scalar)
    default: "?"
    }
  }
  return "(" + escaped.joined() + (text.unicodeScalars.count > longest ? "..." : "") + ")"
}

extension CodeSize {
  /// The width in points of 1/72 inch, the unit of PostScript and PDF.
  fileprivate var points: Double { Double(dotsAcross) * 72 / dotsPerInch }
}

extension Colour {
  /// The operators that set the colour.
  fileprivate var postScript: String {
    guard let inks else { return fractions + (isGrey ? " setgray" : " setrgbcolor") }
    guard let spot = inks.spot else { return "\(inks.printed) setcmykcolor" }
    // The procedure makes the approximation of a tint on the stack.
    let shares = inks.shares.map { decimal($0, places: 4) }
    let process = shares.dropLast().map { "dup \($0) mul exch" } + ["\(shares[3]) mul"]
    return "[/Separation \(postScriptTitle(spot)) /DeviceCMYK {\(process.joined(separator: " "))}] "
      + "setcolorspace \(decimal(inks.tint, places: 4)) setcolor"
  }
}

extension PageDrawing {
  /// An EPS file of the page with its bleed, language level 2; text is outlines.
  ///
  /// - Parameter title: The title in the header comment.
  /// - Throws: ``TextError`` when a font file cannot be read.
  public func eps(title: String) throws(TextError) -> [UInt8] {
    let outlines = FontOutlines()
    let media = mediaBox
    let (width, height) = (Self.points(media.width), Self.points(media.height))
    var file = ByteText()
    file.append(
      """
      %!PS-Adobe-3.0 EPSF-3.0
      %%BoundingBox: 0 0 \(Int(bounded: width.rounded(.up))) \(Int(bounded: height.rounded(.up)))
      %%HiResBoundingBox: 0 0 \(decimal(width)) \(decimal(height))
      %%Title: \(postScriptTitle(title))
      %%Creator: cliptag
      %%LanguageLevel: \(languageLevel)
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
    try elements.appendPostScript(to: &file, outlines, isOverColours: sheet != nil, ground: .white)
    if hasCropMarks {
      file.append("grestore\n")
      for mark in cropMarks { file.append(postScriptLine: mark, markStyle) }
    }
    file.append("grestore\nshowpage\nend\n%%Trailer\n%%EOF\n")
    return file.bytes
  }

  private static func points(_ millimetres: Double) -> Double { millimetres * 72 / 25.4 }

  /// The highest level that an element needs.
  private var languageLevel: Int {
    elements.flatMap(\.parts).map { element in
      switch element {
      case .code(let code, _): code.languageLevel
      case .picture(let picture, _): picture.original?.eps == nil ? 2 : 3
      case .shape, .line, .appClipCode, .text, .group, .clipped: 2
      }
    }.max() ?? 2
  }
}

extension [PageDrawing.Element] {
  /// Appends the operators that draw elements.
  ///
  /// - Parameters:
  ///   - isOverColours: Whether what is beneath all of them may have colours.
  ///   - ground: The colour beneath all of them.
  fileprivate func appendPostScript(
    to file: inout ByteText, _ outlines: FontOutlines, isOverColours: Bool, ground: Colour
  ) throws(TextError) {
    for (index, element) in enumerated() {
      let beneath = self[..<index]
      /// The colour beneath the middle of the element.
      func groundThere() -> Colour {
        element.markedBox.flatMap { beneath.ground(at: $0.centre) } ?? ground
      }
      switch element {
      case .text(let words) where words.overprints(beneath, isOverColours: isOverColours):
        file.append(
          "true setoverprint [/Separation (Black) /DeviceCMYK {0 exch 0 exch 0 exch}] "
            + "setcolorspace 1 setcolor\n")
        try words.appendPostScript(to: &file, outlines)
        file.append("false setoverprint\n")
      case .clipped(let elements, let box):
        file.append("gsave newpath\n")
        file.append(postScript: .rectangle(box))
        file.append("clip newpath\n")
        try elements.appendPostScript(
          to: &file, outlines, isOverColours: true, ground: groundThere())
        file.append("grestore\n")
      case .group(let elements, let placement):
        let matrix = placement.matrix.map { decimal($0) }.joined(separator: " ")
        file.append("gsave [\(matrix)] concat\n")
        try elements.appendPostScript(
          to: &file, outlines,
          isOverColours: isOverColours || beneath.contains { !$0.isPlain }, ground: groundThere())
        file.append("grestore\n")
      case .picture(let picture, let box):
        // PostScript has no transparency.
        picture.written(width: box.width).appendPostScript(
          to: &file, box: box, ground: groundThere())
      default: try element.appendPostScript(to: &file, outlines)
      }
    }
  }
}

extension PageDrawing.Element {
  /// Appends the operators that draw an element alone.
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
    case .appClipCode(let code, let corner):
      for element in code.elements(at: corner) {
        try element.appendPostScript(to: &file, outlines)
      }
    case .text(let words):
      file.append("\(words.colour.postScript)\n")
      try words.appendPostScript(to: &file, outlines)
    case .picture, .group, .clipped:
      preconditionFailure("drawn with what is beneath it, or with the elements in it")
    }
  }
}

extension PageDrawing.Words {
  /// Appends the operators that fill the letters with the colour that is set.
  fileprivate func appendPostScript(
    to file: inout ByteText, _ outlines: FontOutlines
  ) throws(TextError) {
    for line in try text.outlines(from: outlines, at: corner) {
      file.append("newpath\n")
      file.append(postScript: line)
      file.append("fill\n")
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
    if style.hasRoundEnds { append("1 setlinecap\n") }
    append(postScript: path)
    append("stroke\n")
    if style.hasRoundEnds { append("0 setlinecap\n") }
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
