public import QRSymbol

/// A sign around a code, laid out for one sheet of paper.
public struct Poster: Hashable, Sendable {
  /// What a poster is made of.
  public struct Request: Hashable, Sendable {
    /// What it says.
    public var content: PosterContent
    /// How it is laid out.
    public var design: PosterDesign
    /// The sheet after trimming.
    public var paper: PaperSize
    /// What it is printed with.
    public var colours: PosterColours
    /// What its code is printed with.
    public var codeColours: CodeColours
    /// The size of the code: its width is the most the layout may take, its distance is compared.
    public var codeSize: CodeSize.Request
    /// How far the ground goes on beyond every edge, in millimetres.
    public var bleed: Double
    /// Whether marks beyond the corners show where to cut.
    public var hasCropMarks: Bool
    /// The font families of the words in order of preference.
    public var families: [String]

    /// Asks for a poster.
    public init(
      content: PosterContent, design: PosterDesign = .classic, paper: PaperSize,
      colours: PosterColours = PosterColours(), codeColours: CodeColours = .blackOnWhite,
      codeSize: CodeSize.Request = CodeSize.Request(), bleed: Double = 0,
      hasCropMarks: Bool = false, families: [String] = ["Noto Sans"]
    ) {
      self.content = content
      self.design = design
      self.paper = paper
      self.colours = colours
      self.codeColours = codeColours
      self.codeSize = codeSize
      self.bleed = bleed
      self.hasCropMarks = hasCropMarks
      self.families = families
    }
  }

  /// What is printed.
  public let page: PageDrawing
  /// The code on it.
  public let code: CodeDrawing
  /// Where the code stands with its quiet zone, in millimetres on the trimmed page.
  public let codeBox: DrawingBox
  /// Where the tag belongs, behind the paper: the square around the target; nil without one.
  public let targetBox: DrawingBox?

  /// Lays out a poster.
  ///
  /// - Parameters:
  ///   - symbol: what the code holds.
  ///   - request: everything else.
  ///   - shaper: sets the words.
  /// - Throws: ``TextError`` for words that do not fit or that no font has; ``CodeDrawingError``
  ///   for a code that finds no room in the size that was asked for.
  public init(_ symbol: QRSymbol, _ request: Request, shaper: TextShaper) throws {
    var canvas = PosterCanvas(symbol, request, shaper: shaper)
    switch request.design {
    case .classic: try canvas.drawClassic()
    case .bold: try canvas.drawBold()
    case .editorial: try canvas.drawEditorial()
    }
    guard let (code, box) = canvas.placedCode else {
      preconditionFailure("every design places its code")
    }
    page = canvas.page
    self.code = code
    codeBox = box
    targetBox = canvas.targetBox
  }

  /// The fonts of its words, in the order in which they come.
  public var fonts: [FontFace] {
    var fonts: [FontFace] = []
    for case .text(let words) in page.elements {
      for font in words.text.fonts where !fonts.contains(font) { fonts.append(font) }
    }
    return fonts
  }
}

/// What a poster is printed with; its code keeps colours of its own.
public struct PosterColours: Hashable, Sendable {
  /// Words on the ground.
  public var ink: Colour
  /// Large areas, bars and the target.
  public var accent: Colour

  /// Makes colours; black alone unless said otherwise.
  public init(ink: Colour = .black, accent: Colour = .black) {
    self.ink = ink
    self.accent = accent
  }

  /// Black or white, whichever is easier to read on the accent (WCAG 2.2, 1.4.3).
  var onAccent: Colour {
    // Both stand out equally on a luminance of 0.179.
    accent.luminance > 0.179 ? .black : .white
  }

  /// The ink a little lighter, for what is less important.
  var quietInk: Colour { ink.mixed(with: .white, share: 0.25) }
}

/// The designs that are built in.
public enum PosterDesign: String, CaseIterable, Hashable, Sendable {
  /// Everything on one axis, on white.
  case classic
  /// A ground of the accent's colour with the code on a white plate.
  case bold
  /// Set flush, with a large headline, a bar of the accent's colour and the code at the foot.
  case editorial
}
