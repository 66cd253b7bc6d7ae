public import AppClipCodes
public import CliptagBasics
public import QRSymbol

/// A sign around a code, laid out for one sheet of paper.
public struct Poster: Hashable, Sendable {
  /// The specification of a poster.
  public struct Request: Hashable, Sendable {
    /// The content.
    public var content: PosterContent
    /// The layout.
    public var design: PosterDesign
    /// The page that was made elsewhere, which replaces layout, sheet, bleed and marks; `nil` for
    /// none.
    public var artwork: PosterArtwork?
    /// The kind of print, which replaces sheet and bleed, and the layout of faces without a design;
    /// `nil` for a plain sheet.
    public var template: PosterTemplate?
    /// The sheet after trimming.
    public var paper: PaperSize
    /// The colours of the poster.
    public var colours: PosterColours
    /// The colours of its code.
    public var codeColours: CodeColours
    /// The size of the code: its width is the maximum for the layout, its distance is compared.
    /// Both apply to an App Clip Code, too.
    public var codeSize: CodeSize.Request
    /// The App Clip Code beside or instead of the QR code; nil for none.
    public var appClipCode: PosterAppClipCode?
    /// The distance by which the ground extends beyond every edge, in millimetres.
    public var bleed: Double
    /// Whether marks beyond the corners indicate the cuts.
    public var hasCropMarks: Bool
    /// The font families in order of preference.
    public var families: [String]

    /// Requests a poster.
    public init(
      content: PosterContent, design: PosterDesign = .classic, paper: PaperSize,
      colours: PosterColours = PosterColours(), codeColours: CodeColours = .blackOnWhite,
      codeSize: CodeSize.Request = CodeSize.Request(), appClipCode: PosterAppClipCode? = nil,
      bleed: Double = 0, hasCropMarks: Bool = false, families: [String] = ["Noto Sans"]
    ) {
      self.content = content
      self.design = design
      self.paper = paper
      self.colours = colours
      self.codeColours = codeColours
      self.codeSize = codeSize
      self.appClipCode = appClipCode
      self.bleed = bleed
      self.hasCropMarks = hasCropMarks
      self.families = families
    }
  }

  /// The printed page.
  public let page: PageDrawing
  /// The QR code on it; nil if an App Clip Code replaces it.
  public let code: CodeDrawing?
  /// The box of the QR code with its quiet zone, in millimetres on the trimmed page.
  public let codeBox: DrawingBox?
  /// The App Clip Code on it; nil without one.
  public let appClipCode: AppClipCodeDrawing?
  /// The box of the App Clip Code with its clear space, in millimetres on the trimmed page.
  public let appClipCodeBox: DrawingBox?
  /// The position of the tag behind the paper: the square around the target, or the middle of an
  /// App Clip Code with its tag there; nil without a tag.
  public let targetBox: DrawingBox?
  /// The artwork that the page is laid over; `nil` without one.
  public let artwork: PosterArtwork?
  /// The faces of a template at their places on the page before it is mirrored; empty without one.
  package let faces: [Face]
  /// Whether the page is mirrored as a whole.
  package let isMirrored: Bool

  /// A smaller poster on the page of a poster.
  package struct Face: Hashable, Sendable {
    /// The poster.
    package let poster: Poster
    /// Its place.
    package let placement: PagePlacement
  }

  /// The resolution of the printer, in dots per inch.
  public let dotsPerInch: Double

  /// Lays out a poster.
  ///
  /// - Parameters:
  ///   - symbol: The symbol of the code.
  ///   - request: The specification.
  ///   - shaper: The typesetter of the texts.
  /// - Throws: ``TextError`` for texts that do not fit, that no font has, or a headline that would
  ///   be smaller than other texts; ``CodeDrawingError`` for a code without room in the requested
  ///   size, for an App Clip Code with another payload than the symbol, and for texts or a logo
  ///   with too little contrast.
  public init(_ symbol: QRSymbol, _ request: Request, shaper: TextShaper) throws {
    try request.appClipCode?.code.check(carries: String(decoding: symbol.bytes, as: UTF8.self))
    let placed: any PlacedPage
    if let template = request.template {
      try self.init(template, symbol, request, shaper: shaper)
      return
    } else if let artwork = request.artwork {
      try request.content.checkPlaces(artwork.fields.map(\.name), on: "artwork")
      placed = try FieldLayout(symbol, request, on: FieldSheet(artwork), shaper: shaper)
    } else {
      var canvas = PosterCanvas(symbol, request, shaper: shaper)
      switch request.design {
      case .classic: try canvas.drawClassic()
      case .bold: try canvas.drawBold()
      case .editorial: try canvas.drawEditorial()
      }
      let legibility = PosterLegibility(canvas.page)
      try legibility.check()
      try legibility.checkHeadline()
      placed = canvas
    }
    self.init(placed, artwork: request.artwork, dotsPerInch: request.codeSize.dotsPerInch)
  }

  /// Takes a page that was laid out.
  init(_ placed: any PlacedPage, artwork: PosterArtwork? = nil, dotsPerInch: Double) {
    self.dotsPerInch = dotsPerInch
    self.artwork = artwork
    page = placed.page
    code = placed.placedCode?.code
    codeBox = placed.placedCode?.box
    appClipCode = placed.placedAppClipCode?.code
    appClipCodeBox = placed.placedAppClipCode?.box
    targetBox = placed.targetBox
    faces = []
    isMirrored = false
  }

  /// Takes a page with faces.
  ///
  /// - Precondition: One of them has a code.
  init(_ page: PageDrawing, faces: [Face], isMirrored: Bool, dotsPerInch: Double) {
    self.dotsPerInch = dotsPerInch
    self.page = page
    self.faces = faces
    self.isMirrored = isMirrored
    artwork = nil
    let whole = PagePlacement(
      width: page.width, height: page.height, corner: DrawingPoint(x: 0, y: 0),
      isMirrored: isMirrored)
    let first = faces.first { $0.poster.code != nil || $0.poster.appClipCode != nil }
    func placed(_ box: DrawingBox?) -> DrawingBox? {
      box.flatMap { box in first.map { whole.placed($0.placement.placed(box)) } }
    }
    code = first?.poster.code
    codeBox = placed(first?.poster.codeBox)
    appClipCode = first?.poster.appClipCode
    appClipCodeBox = placed(first?.poster.appClipCodeBox)
    targetBox = placed(first?.poster.targetBox)
  }

  /// The sheet that a renderer of the finished file shows, from the top left corner of the trimmed
  /// page.
  package var sheet: DrawingBox { artwork?.sheet ?? page.mediaBox }

  /// A picture on it with too few pixels for its size; `nil` for none.
  package var coarsePicture: CoarsePicture? {
    for case .picture(let picture, let box) in page.elements.flatMap(\.parts) {
      if let coarse = picture.coarse(width: box.width) { return coarse }
    }
    return nil
  }

  /// The fonts of its texts, in the order of their first use.
  public var fonts: [FontFace] {
    var fonts: [FontFace] = []
    for case .text(let words) in page.elements.flatMap(\.parts) {
      for font in words.text.fonts where !fonts.contains(font) { fonts.append(font) }
    }
    return fonts
  }
}

/// A page with its codes at their places, in millimetres on the trimmed page.
protocol PlacedPage {
  var page: PageDrawing { get }
  /// The QR code with its quiet zone; `nil` if an App Clip Code replaces it.
  var placedCode: (code: CodeDrawing, box: DrawingBox)? { get }
  /// The App Clip Code with its clear space; `nil` without one.
  var placedAppClipCode: (code: AppClipCodeDrawing, box: DrawingBox)? { get }
  /// The position of the tag behind the paper; `nil` without one.
  var targetBox: DrawingBox? { get }
}

/// An App Clip Code on a poster.
public struct PosterAppClipCode: Hashable, Sendable {
  /// The code from Apple's tools; it has the same payload as the QR code.
  public var code: AppClipCode
  /// Whether it replaces the QR code instead of being beside it.
  public var replacesQRCode: Bool

  /// Makes an App Clip Code for a poster.
  public init(_ code: AppClipCode, replacesQRCode: Bool = false) {
    self.code = code
    self.replacesQRCode = replacesQRCode
  }
}

/// The texts of a poster, and its logo.
public struct PosterContent: Hashable, Sendable {
  /// The headline in the largest letters: the benefit for the reader, such as `Order a smoothie`;
  /// empty for none.
  public var headline: String
  /// The brand, in small letters above the headline; nil for none.
  public var brand: String?
  /// A logo above everything; nil for none.
  public var logo: LogoPicture?
  /// The call to action, such as `Scan with your camera`; empty for none.
  public var callToAction: String
  /// The name of the place, such as `Fruta Cupertino`; nil for none.
  public var placeName: String?
  /// The URL in small print, for people who cannot scan, and its link; nil for none.
  public var address: Address?
  /// The name of the code in the registry, in small print, which identifies the sign; nil for none.
  public var codeName: String?
  /// The text beside the target for tags, such as `Or hold your iPhone here`; nil for a poster
  /// without a tag behind it. If the tag is in the middle of an App Clip Code, that is the target,
  /// and the call to action has the text.
  public var targetCaption: String?
  /// The title of the document: the headline, or else the brand, the place or the address.
  public var title: String {
    [headline, brand, placeName, address?.text].compactMap { $0 }.first { !$0.isEmpty } ?? "Poster"
  }

  /// The texts of the own places of an artwork or template, by their names.
  public var texts: [String: String] = [:]
  /// The photo of a template; `nil` for none.
  public var image: LogoPicture?

  /// The language of the texts, as in BCP 47; nil to derive it from the letters.
  public var language: String?

  /// A URL in a form for reading, and its link.
  public struct Address: Hashable, Sendable {
    /// The URL without scheme, such as `fruta.example.com/order`.
    public let text: String
    /// The full URL.
    public let link: String

    /// Shortens a URL for reading: removes its scheme and a trailing slash.
    public init(url: String) {
      link = url
      var text = url[...]
      if let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") {
        text = url[colon...].dropFirst(3)
      }
      self.text = String(text.hasSuffix("/") ? text.dropLast() : text)
    }
  }

  /// Makes the content of a poster.
  public init(
    headline: String, brand: String? = nil, logo: LogoPicture? = nil, callToAction: String,
    placeName: String? = nil,
    address: Address? = nil, codeName: String? = nil, targetCaption: String? = nil,
    language: String? = nil
  ) {
    self.headline = headline
    self.brand = brand
    self.logo = logo
    self.callToAction = callToAction
    self.placeName = placeName
    self.address = address
    self.codeName = codeName
    self.targetCaption = targetCaption
    self.language = language
  }

  /// Whether the poster is laid out from right to left: determined by the language, or else by the
  /// first letter of the headline.
  var isRightToLeft: Bool {
    if let language {
      let parts = language.split(separator: "-")
      return ["ar", "he", "fa", "ur", "yi", "ps", "sd", "ug", "dv"].contains(parts.first ?? "")
    }
    return headline.isRightToLeft ?? false
  }
}

extension PosterContent {
  /// The alignment relative to the page: a link on a right-to-left page is at its right.
  func alignment(_ alignment: TextAlignment, of text: String) -> TextAlignment {
    let isRightToLeft = text.isRightToLeft ?? isRightToLeft
    guard alignment != .centre, isRightToLeft != self.isRightToLeft else { return alignment }
    return alignment == .start ? .end : .start
  }
}

extension String {
  /// The direction of the first letter; nil without letters.
  var isRightToLeft: Bool? {
    unicodeScalars.first { $0.properties.isAlphabetic }.map { (0x590...0x8FF).contains($0.value) }
  }
}

/// The built-in designs.
public enum PosterDesign: String, CaseIterable, Hashable, Sendable {
  /// All elements on one axis, on white.
  case classic
  /// A ground in the accent's colour with the code on a white plate.
  case bold
  /// Flush text with a large headline, a bar in the accent's colour and the code at the foot.
  case editorial
}

/// The colours of a poster; its code keeps its own.
public struct PosterColours: Hashable, Sendable {
  /// The colour of text on the ground.
  public var ink: Colour
  /// The colour of large areas, bars and the target.
  public var accent: Colour
  /// The ground of the designs without a ground in the accent's colour.
  public var ground: Colour

  /// Makes colours; black on white by default.
  public init(ink: Colour = .black, accent: Colour = .black, ground: Colour = .white) {
    self.ink = ink
    self.accent = accent
    self.ground = ground
  }

  /// Makes the palette of a brand's colour.
  ///
  /// The accent is the colour itself, and words on it are black or white. The ground is the colour
  /// mixed with white by the fewest 64ths that give it a luminance of 0.8. The ink is the colour mixed
  /// with black by the fewest 64ths that give it a contrast of 7 with the ground (WCAG 2.2, 1.4.6).
  public init(brand: Colour) {
    let shares = (0...64).map { Double($0) / 64 }
    let ground =
      shares.lazy.map { brand.mixed(with: .white, share: $0) }.first { $0.luminance >= 0.8 }
      ?? .white
    let ink =
      shares.lazy.map { brand.mixed(with: .black, share: $0) }
      .first { $0.contrastRatio(with: ground) >= 7 } ?? .black
    self.init(ink: ink, accent: brand, ground: ground)
  }

  /// Black or white, whichever has more contrast on the accent (WCAG 2.2, 1.4.3).
  var onAccent: Colour {
    // Both have the same contrast at a luminance of 0.179.
    accent.luminance > 0.179 ? .black : .white
  }

  /// The accent for text on the ground, or the ink if the accent is too similar.
  var accentOnGround: Colour {
    accent.contrastRatio(with: ground) >= PosterLegibility.leastContrast ? accent : ink
  }

  /// A lighter ink for less important text, as long as it is easy to read (WCAG 2.2, 1.4.3).
  var quietInk: Colour {
    // A press would print small letters in a mixture with all inks of the ground.
    guard ground.inks == nil || ground == .white else { return ink }
    let lighter = ink.mixed(with: ground, share: 0.25)
    return lighter.contrastRatio(with: ground) >= 4.5 ? lighter : ink
  }
}
