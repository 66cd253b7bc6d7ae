extension CodeDrawing {
  /// An EPS file of language level 2: a light square and one dark path, on a grid of modules;
  /// black and greys are set by `setgray`.
  ///
  /// It keeps to the rules for EPS: its names are in a dictionary of its own, the graphics state
  /// is restored, and the comments carry no date.
  func eps() -> [UInt8] {
    let side = size.modulesAcross
    let points = size.points
    let box = Int(points.rounded(.up))
    var file = ByteText()
    file.append(
      """
      %!PS-Adobe-3.0 EPSF-3.0
      %%BoundingBox: 0 0 \(box) \(box)
      %%HiResBoundingBox: 0 0 \(decimal(points)) \(decimal(points))
      %%Title: \(postScriptTitle(text))
      %%Creator: cliptag
      %%LanguageLevel: 2
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

  /// What the operators of a code call: `m` x y, `h` and `v` by a length, `z`.
  static let postScriptProcedures = """
    /m {moveto} bind def
    /h {0 rlineto} bind def
    /v {0 exch rlineto} bind def
    /z {closepath} bind def
    """

  /// The operators that draw the code; the unit is a module, the origin the top left corner of the
  /// quiet zone, and down is positive.
  func appendPostScript(to file: inout ByteText) {
    let side = size.modulesAcross
    file.append(
      """
      \(colours.background.postScript) 0 0 \(side) \(side) rectfill
      \(colours.foreground.postScript) newpath

      """)
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
func postScriptTitle(_ text: String) -> String {
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
  var points: Double { Double(dotsAcross) * 72 / dotsPerInch }
}

extension Colour {
  var postScript: String { fractions + (isGrey ? " setgray" : " setrgbcolor") }
}
