public import CliptagBasics

/// The two colours of a code, with sufficient contrast for reading.
///
/// The contrast is the light reflected by the background less that reflected by the modules, in
/// linear sRGB: once as luminance, as phones see it, and once in the red channel, because scanners
/// with a red lamp (about 660 nm) take red, orange and magenta ink for paper. The smaller one
/// counts. The limits are the grades of symbol contrast of ISO/IEC 15415 (70, 55 and 40 %); screen
/// colours are only an estimate of the reflectance of ink on paper.
public struct CodeColours: Hashable, Sendable {
  /// Black on white.
  public static let blackOnWhite = CodeColours(dark: .black, light: .white)
  /// The contrast that gives the best grade, 0 to 1.
  package static let goodContrast = 0.7
  /// The contrast below which a warning is given.
  package static let warnedContrast = 0.55
  /// The contrast below which colours are refused.
  public static let leastContrast = 0.4

  /// The colour of the modules.
  public let foreground: Colour
  /// The colour of the quiet zone and of the light modules.
  public let background: Colour
  /// Whether the background is drawn; otherwise it is that of the page beneath.
  public let hasGround: Bool

  /// Checks and stores two colours.
  ///
  /// - Parameters:
  ///   - foreground: The colour of the modules.
  ///   - background: The colour of the quiet zone and of the light modules.
  ///   - hasGround: Whether the background is drawn; otherwise it is that of the page beneath.
  /// - Throws: ``CodeDrawingError``: `invertedColours` if the modules are lighter than the
  ///   background, or `lowContrast` below 40 %; each suggests colours that are accepted.
  public init(
    foreground: Colour = .black, background: Colour = .white, hasGround: Bool = true
  ) throws(CodeDrawingError) {
    self.init(dark: foreground, light: background, hasGround: hasGround)
    guard foreground.luminance <= background.luminance else {
      throw .invertedColours(self)
    }
    guard contrast >= Self.leastContrast else { throw .lowContrast(self) }
  }

  private init(dark: Colour, light: Colour, hasGround: Bool = true) {
    foreground = dark
    background = light
    self.hasGround = hasGround
  }

  /// The smaller of the contrasts in luminance and in red light; negative if a scanner sees the
  /// modules lighter than the background.
  public var contrast: Double {
    min(background.luminance - foreground.luminance, background.redLight - foreground.redLight)
  }

  /// The reasons against printing these colours; empty if there are none.
  public var warnings: [ContrastWarning] {
    guard contrast < Self.warnedContrast else { return [] }
    return [ContrastWarning(message: trouble, hint: "\(hint).")]
  }

  /// The reason against modules that a press prints with several inks: plates are never exactly above
  /// each other, which blurs every edge. `nil` for a grey, one process ink and a spot ink.
  public var inkWarning: InkWarning? {
    if let inks = foreground.inks {
      guard inks.spot == nil, inks.processInks.count > 1 else { return nil }
    } else if foreground.isGrey {
      return nil
    }
    return InkWarning(
      message: "A press prints modules in \(foreground.hexadecimal) with several inks.",
      hint: "Use black, a spot ink, or one process ink for sharp edges in print.")
  }

  /// The nearest colours of good contrast: darker modules, or else also a lighter background.
  var better: CodeColours {
    let steps = (1...64).map { Double($0) / 64 }
    let darker = steps.map {
      CodeColours(dark: foreground.mixed(with: .black, share: $0), light: background)
    }
    let lighter = steps.map {
      CodeColours(dark: .black, light: background.mixed(with: .white, share: $0))
    }
    return (darker + lighter).first { $0.contrast >= Self.goodContrast } ?? .blackOnWhite
  }

  /// The contrast and the readers affected by it, in one sentence.
  var trouble: String {
    let luminance = background.luminance - foreground.luminance
    let limit = Self.percent(Self.warnedContrast)
    return contrast < luminance && luminance >= Self.warnedContrast
      ? "\(names) has a contrast of \(Self.percent(contrast)) % in red light, which many scanners "
        + "use; the minimum for reliable reading is \(limit) %."
      : "\(names) has a contrast of \(Self.percent(contrast)) %; the minimum for reliable reading is "
        + "\(limit) %."
  }

  /// The suggested colours, without the full stop.
  var hint: String { "Use \(better.names) for \(Self.percent(better.contrast)) %" }

  /// Both colours as text.
  var names: String { "\(foreground.hexadecimal) on \(background.hexadecimal)" }

  /// The percentage rounded down, so that a limit that is not reached is not shown as reached.
  private static func percent(_ share: Double) -> Int {
    max(0, Int(bounded: (share * 100).rounded(.down)))
  }
}

/// A warning about colours that can be drawn but may not be read.
public struct ContrastWarning: Hashable, Sendable {
  /// The stable name: `low-contrast`.
  public let code = "low-contrast"
  /// The fault, in one sentence.
  public let message: String
  /// The suggestion, in one sentence that names the colours.
  public let hint: String

  /// Every code, with its meaning, in the order of the documentation.
  package static let codes: [(code: String, meaning: String)] = [
    ("low-contrast", "The colours of a code differ too little for some readers.")
  ]
}

/// A warning about a colour of modules that several inks print.
public struct InkWarning: Hashable, Sendable {
  /// The stable name: `mixed-inks`.
  public let code = "mixed-inks"
  /// The fault, in one sentence.
  public let message: String
  /// The suggestion, in one sentence.
  public let hint: String

  /// Every code, with its meaning, in the order of the documentation.
  package static let codes: [(code: String, meaning: String)] = [
    ("mixed-inks", "A press prints the modules of a code with several inks.")
  ]
}
