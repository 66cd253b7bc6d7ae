public import AppClipCodes
public import Basics
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
    /// Both hold for an App Clip Code, too.
    public var codeSize: CodeSize.Request
    /// The App Clip Code beside or instead of the QR code; nil for none.
    public var appClipCode: PosterAppClipCode?
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

  /// What is printed.
  public let page: PageDrawing
  /// The QR code on it; nil where an App Clip Code stands instead.
  public let code: CodeDrawing?
  /// Where the QR code stands with its quiet zone, in millimetres on the trimmed page.
  public let codeBox: DrawingBox?
  /// The App Clip Code on it; nil without one.
  public let appClipCode: AppClipCodeDrawing?
  /// Where the App Clip Code stands with its clear space, in millimetres on the trimmed page.
  public let appClipCodeBox: DrawingBox?
  /// Where the tag belongs, behind the paper: the square around the target, or the middle of an App
  /// Clip Code that has its tag there; nil without a tag.
  public let targetBox: DrawingBox?

  /// The resolution of the printer, in dots per inch.
  public let dotsPerInch: Double

  /// Lays out a poster.
  ///
  /// - Parameters:
  ///   - symbol: what the code holds.
  ///   - request: everything else.
  ///   - shaper: sets the words.
  /// - Throws: ``TextError`` for words that do not fit, that no font has, or a headline that would be
  ///   smaller than other words; ``CodeDrawingError`` for a code that finds no room in the size that
  ///   was asked for, for an App Clip Code that says something else than the symbol, and for words or
  ///   a logo that do not stand out from their ground.
  public init(_ symbol: QRSymbol, _ request: Request, shaper: TextShaper) throws {
    try request.appClipCode?.code.check(carries: String(decoding: symbol.bytes, as: UTF8.self))
    var canvas = PosterCanvas(symbol, request, shaper: shaper)
    switch request.design {
    case .classic: try canvas.drawClassic()
    case .bold: try canvas.drawBold()
    case .editorial: try canvas.drawEditorial()
    }
    try PosterLegibility(canvas.page).check()
    page = canvas.page
    dotsPerInch = request.codeSize.dotsPerInch
    code = canvas.placedCode?.code
    codeBox = canvas.placedCode?.box
    appClipCode = canvas.placedAppClipCode?.code
    appClipCodeBox = canvas.placedAppClipCode?.box
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

/// An App Clip Code on a poster.
public struct PosterAppClipCode: Hashable, Sendable {
  /// What Apple's tools made; it says the same as the QR code.
  public var code: AppClipCode
  /// Whether it stands in the place of the QR code, not beside it.
  public var replacesQRCode: Bool

  /// Puts a code on a poster.
  public init(_ code: AppClipCode, replacesQRCode: Bool = false) {
    self.code = code
    self.replacesQRCode = replacesQRCode
  }
}

/// The words of a poster, and its logo.
public struct PosterContent: Hashable, Sendable {
  /// The largest words: what the reader gains, such as `Order a smoothie`; empty for none.
  public var headline: String
  /// Whose it is, in small words above the headline; nil for none.
  public var brand: String?
  /// A logo above everything; nil for none.
  public var logo: LogoPicture?
  /// How to begin, such as `Scan with your camera`; empty for none.
  public var callToAction: String
  /// Where it hangs, such as `Fruta Cupertino`; nil for none.
  public var placeName: String?
  /// The URL in small print, for those who cannot scan, and where it leads; nil for none.
  public var address: Address?
  /// The name of the code in the registry, in small print, so that people can tell what hangs
  /// where; nil for none.
  public var codeName: String?
  /// The words beside the target for tags, such as `Or hold your iPhone here`; nil for a poster
  /// that has no tag behind it. Where the tag is in the middle of an App Clip Code, that is the
  /// target, and the call to action has the words.
  public var targetCaption: String?
  /// What the document is called: the headline, or else the brand or the place.
  public var title: String {
    [headline, brand, placeName, address?.text].compactMap { $0 }.first { !$0.isEmpty } ?? "Poster"
  }

  /// The language of the words, as in BCP 47; nil to conclude it from the letters.
  public var language: String?

  /// A URL as people read it, and as programs follow it.
  public struct Address: Hashable, Sendable {
    /// Without scheme, such as `fruta.example.com/order`.
    public let text: String
    /// In full.
    public let link: String

    /// Shortens a URL for reading: its scheme goes, and a slash at its end.
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

  /// Whether the poster is laid out from right to left: told by the language, else by the first
  /// letter of the headline that has a direction.
  var isRightToLeft: Bool {
    if let language {
      let parts = language.split(separator: "-")
      return ["ar", "he", "fa", "ur", "yi", "ps", "sd", "ug", "dv"].contains(parts.first ?? "")
    }
    return headline.isRightToLeft ?? false
  }
}

extension String {
  /// The direction of the first letter; nil without letters.
  var isRightToLeft: Bool? {
    unicodeScalars.first { $0.properties.isAlphabetic }.map { (0x590...0x8FF).contains($0.value) }
  }
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

/// The colours of a poster; its code keeps its own.
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

  /// The accent for words on white, or the ink where the accent is too light for that.
  var accentOnWhite: Colour {
    accent.contrastRatio(with: .white) >= PosterLegibility.leastContrast ? accent : ink
  }

  /// The ink a little lighter, for what is less important, as far as that stays easy to read
  /// (WCAG 2.2, 1.4.3).
  var quietInk: Colour {
    let lighter = ink.mixed(with: .white, share: 0.25)
    return lighter.contrastRatio(with: .white) >= 4.5 ? lighter : ink
  }
}
