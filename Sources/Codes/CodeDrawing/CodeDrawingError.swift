public import CliptagBasics
public import Pictures
import QRSymbol

/// An error in drawing a code. Two errors are equal if their codes are.
public struct CodeDrawingError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The kind of failure; new kinds may be added.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let invalidSize = Self(
      "invalid-size", .usage,
      "A width or module size is not a positive number, or a quiet zone is out of range.")
    public static let invalidResolution = Self(
      "invalid-resolution", .usage, "The resolution is not within 50 to 9,600 dots per inch.")
    public static let sizeTooSmall = Self(
      "size-too-small", .usage, "A module would be smaller than a dot of the printer.")
    public static let sizeTooLarge = Self(
      "size-too-large", .usage,
      "The code is larger than the largest page, or its picture exceeds the memory limit.")
    public static let contradictingSizes = Self(
      "contradicting-sizes", .usage, "Two sizes were given that contradict each other.")
    public static let tooFar = Self(
      "too-far", .usage, "No phone reads the code from the given distance.")
    public static let invertedColours = Self(
      "inverted-colours", .usage, "The modules are lighter than the background.")
    public static let lowContrast = Self(
      "low-contrast", .usage, "The two colours differ too little.")
    public static let unknownFormat = Self(
      "unknown-format", .usage, "The file's extension is not that of a supported format.")
    public static let invalidPaper = Self(
      "invalid-paper", .usage, "The paper is unknown, or too small or too large.")
    public static let noRoom = Self(
      "no-room", .usage, "The page is too small for its content.")
    public static let noPlace = Self(
      "no-place-on-artwork", .usage,
      "The artwork or the template has no place for a code or words, or no words for a place.")
    public static let invalidField = Self(
      "invalid-field", .usage, "The place of a code or text on the artwork is not valid.")
    public static let unknownTemplate = Self(
      "unknown-template", .usage, "No template of a poster has the name.")
    public static let malformedTemplate = Self(
      "malformed-template", .malformedInput, "The template of a poster is not valid.")
    public static let invalidLogoSize = Self(
      "invalid-logo-size", .usage, "The side of a logo's plate is not an odd number of modules.")
    public static let logoTooLarge = Self(
      "logo-too-large", .usage,
      "The logo covers more than the error correction restores, or a function pattern.")
    public static let noRoomForLogo = Self(
      "no-room-for-logo", .usage, "No logo fits into the symbol with a good reserve.")
    public static let appClipCodeTooSmall = Self(
      "app-clip-code-too-small", .usage,
      "An App Clip Code would be smaller than Apple's guidelines allow.")
    public static let differentPayloads = Self(
      "different-payloads", .notAccepted,
      "An App Clip Code has another URL than the QR code or the tag beside it.")
    public static let unusableProfile = Self(
      "unusable-profile", .malformedInput, "A file is not the ICC profile of a press in CMYK.")
    public static let screenColour = Self(
      "screen-colour", .usage,
      "A file for a printing condition would have the colours of screens instead of inks.")
    public static let cannotEncode = Self(
      "cannot-encode", .cannotCreate, "The drawing could not be written as a file.")

    public static let unknownStock = Self("unknown-stock", .usage, "No label stock has the name.")
    public static let ambiguousStock = Self(
      "ambiguous-stock", .usage, "Several label stocks have the name.")
    public static let malformedStock = Self(
      "malformed-stock", .malformedInput, "A file of label templates is not valid.")
    public static let invalidStock = Self(
      "invalid-stock", .usage, "The template's labels are off the paper or overlap.")
    public static let noStock = Self(
      "no-stock", .noInput, "The label templates of the system (glabels-data) are missing.")

    public static let all: [Self] = [
      .invalidSize, .invalidResolution, .sizeTooSmall, .sizeTooLarge, .contradictingSizes, .tooFar,
      .invertedColours, .lowContrast, .unknownFormat, .invalidPaper, .noRoom, .noPlace,
      .invalidField, .unknownTemplate, .malformedTemplate,
      .invalidLogoSize,
      .logoTooLarge, .noRoomForLogo, .appClipCodeTooSmall, .differentPayloads,
      .unusableProfile, .screenColour, .cannotEncode,
      .unknownStock, .ambiguousStock, .malformedStock, .invalidStock, .noStock,
    ]
  }

  /// The kind of failure.
  public let code: Code
  /// The fault, in one sentence.
  public let message: String
  /// The next step, in one sentence; names a number that would be accepted.
  public let advice: Hint
  /// The next step in the library's wording.
  public var hint: String { advice.text }
  /// The error of the picture writer behind `cannotEncode`.
  public let underlying: PictureError?

  init(_ code: Code, _ message: String, hint: Hint, underlying: PictureError? = nil) {
    self.code = code
    self.message = message
    advice = hint
    self.underlying = underlying
  }

  // MARK: Sizes, colours and files

  static func invalidSize(_ name: String, _ value: Double) -> CodeDrawingError {
    CodeDrawingError(
      .invalidSize, "A \(name) of \(asGiven(value)) mm is not valid.",
      hint: "Give millimetres above 0, such as 30 for the width or 0.85 for a module.")
  }

  static func invalidDistance(_ value: Double) -> CodeDrawingError {
    CodeDrawingError(
      .invalidSize, "\(asGiven(value)) mm is not a valid reading distance.",
      hint: "Give millimetres above 0, such as 300 for a hand-held code and 1000 for a wall.")
  }

  static func invalidQuietZone(_ modules: Int) -> CodeDrawingError {
    let range = CodeSize.quietZones
    return CodeDrawingError(
      .invalidSize, "A quiet zone of \(modules) modules is not valid.",
      hint: "Give \(CodeSize.quietZoneModules) modules, which readers need, or "
        + "\(range.lowerBound) to \(range.upperBound).")
  }

  static func distanceTooLarge(_ distance: Double, largest: Double) -> CodeDrawingError {
    CodeDrawingError(
      .sizeTooLarge, "A code that is read from \(asGiven(distance)) mm is larger than any page.",
      hint: "Give a distance of \(atMost(largest)) mm or less.")
  }

  static func tooFar(
    _ distance: Double, moduleSize: Double, sureDistance: Double, neededWidth: Double
  ) -> CodeDrawingError {
    CodeDrawingError(
      .tooFar, "No phone reads modules of \(nearest(moduleSize)) mm from \(asGiven(distance)) mm.",
      hint: "Make the code \(atLeast(neededWidth)) mm wide or more, or read it from "
        + "\(atMost(sureDistance)) mm; without a distance, the code is drawn without this check.")
  }

  static func invalidResolution(_ value: Double) -> CodeDrawingError {
    CodeDrawingError(
      .invalidResolution, "A resolution of \(asGiven(value)) dots per inch is not valid.",
      hint: "Give the resolution of the printer, from 50 to 9600; common are 203, 300 and 600.")
  }

  static func widthTooLarge(_ width: Double) -> CodeDrawingError {
    CodeDrawingError(
      .sizeTooLarge, "A code of \(asGiven(width)) mm is larger than any page.",
      hint: "Give a width of \(atMost(CodeSize.largestWidth)) mm or less.")
  }

  static func moduleTooLarge(_ module: Double, largest: Double) -> CodeDrawingError {
    CodeDrawingError(
      .sizeTooLarge, "Modules of \(asGiven(module)) mm make the code larger than any page.",
      hint: "Give modules of \(atMost(largest)) mm or less.")
  }

  static func tooSmall(_ subject: String, doing millimetres: Double) -> CodeDrawingError {
    CodeDrawingError(
      .sizeTooSmall, "\(subject) mm leaves less than one of the printer's dots for a module.",
      hint: "Give \(atLeast(millimetres)) mm or more, or a higher resolution.")
  }

  static func contradictingSizes(
    _ request: CodeSize.Request, modulesAcross: Int, fittingModule: Double, neededWidth: Double
  ) -> CodeDrawingError {
    CodeDrawingError(
      .contradictingSizes,
      "A width of \(asGiven(request.width ?? 0)) mm and modules of "
        + "\(asGiven(request.moduleSize ?? 0)) mm "
        + "contradict each other: the code is \(modulesAcross) modules wide with its quiet zone.",
      hint: "Give one of the two: a width of \(atLeast(neededWidth)) mm, "
        + "or modules of \(nearest(fittingModule)) mm.")
  }

  static func cannotEncode(_ error: PictureError) -> CodeDrawingError {
    CodeDrawingError(.cannotEncode, error.message, hint: error.advice, underlying: error)
  }

  static func noTransparency(_ logo: LogoPicture) -> CodeDrawingError {
    CodeDrawingError(
      .cannotEncode,
      "An EPS file has no transparency, which the logo \(logo.source) needs without a ground.",
      hint: "Make an SVG, PDF or PNG file, or give a background.")
  }

  static func invertedColours(_ colours: CodeColours) -> CodeDrawingError {
    CodeDrawingError(
      .invertedColours,
      "\(colours.names) is light on dark, which zbar, OpenCV and many scanners do not read.",
      hint: "Swap the two: the quiet zone is part of the code and forms a light plate on a dark "
        + "wall; or \(colours.hint.lowercasedFirst).")
  }

  static func lowContrast(_ colours: CodeColours) -> CodeDrawingError {
    CodeDrawingError(.lowContrast, colours.trouble, hint: "\(colours.hint).")
  }

  static func unreadableWords(
    _ ink: Colour, _ ground: Colour, contrast: Double
  ) -> CodeDrawingError {
    CodeDrawingError(
      .lowContrast,
      "Words of \(ink.hexadecimal) on \(ground.hexadecimal) are not legible: their contrast is "
        + "\(decimal(contrast, places: 1)) : 1, and \(decimal(PosterLegibility.leastContrast)) : 1 is the "
        + "least.",
      hint:
        "Use a \(ground.luminance > 0.179 ? "darker" : "lighter") colour for the words, such as "
        + "\((ground.luminance > 0.179 ? Colour.black : .white).hexadecimal).")
  }

  static func unseenLogo(_ source: String, _ ground: Colour) -> CodeDrawingError {
    CodeDrawingError(
      .lowContrast,
      "The logo \(source) is not distinguishable from its background, \(ground.hexadecimal).",
      hint: "Use a logo in another colour, or another background colour.")
  }

  static func pageTooLarge(_ dotsPerInch: Double, fitting: Double) -> CodeDrawingError {
    CodeDrawingError(
      .sizeTooLarge,
      "The page has too many pixels with \(asGiven(dotsPerInch)) dots per inch.",
      hint: "Draw it as PDF, SVG or EPS, or with \(Int(bounded: fitting)) dots per inch or less.")
  }

  static func pictureTooLarge(pixels: Int, limit: Int, dotsPerInch: Double) -> CodeDrawingError {
    CodeDrawingError(
      .sizeTooLarge, "A picture of \(pixels) × \(pixels) pixels is too large.",
      hint:
        "Draw it as SVG, PDF or EPS, or for a resolution of \(Int(bounded: dotsPerInch)) dots per inch "
        + "or less; the limit is \(limit) pixels.")
  }

  /// The error of making a file in memory, which fails only for lack of memory.
  static func cannotWrite(_ error: any Error) -> CodeDrawingError {
    CodeDrawingError(
      .cannotEncode, "The file could not be made: \(error).",
      hint: "Close other programs, or process less at a time.", underlying: error as? PictureError)
  }

  static func unknownFormat(_ fileName: String) -> CodeDrawingError {
    let endings = DrawingFormat.allCases.map { ".\($0.fileEnding)" }
    return CodeDrawingError(
      .unknownFormat, "The extension of \(fileName) is not that of a supported format.",
      hint: "End the file name in \(endings.dropLast().joined(separator: ", ")) "
        + "or \(endings.last ?? ""), such as \(fileName.withEnding(DrawingFormat.png.fileEnding)).")
  }

  // MARK: Logos

  static func invalidLogoSize(_ modules: Int) -> CodeDrawingError {
    let near = modules < 3 ? "3" : "\(modules - 1) or \(modules + 1)"
    return CodeDrawingError(
      .invalidLogoSize, "A logo of \(modules) modules cannot be centred in a code.",
      hint: "Give an odd number of modules, at least 3, such as \(near).")
  }

  static func logoTooLarge(
    _ modules: Int, _ symbol: QRSymbol, good: LogoPlate?, largest: LogoPlate?,
    better: LogoPlate.Better?
  ) -> CodeDrawingError {
    let ways = [
      good.map { "\($0.modules) modules, which leave a good reserve" },
      largest.map { "\($0.modules), the readable maximum" },
      better.map { "\($0.words)" },
    ].compactMap { $0 }
    return CodeDrawingError(
      .logoTooLarge,
      "A logo of \(modules) modules covers more of version \(symbol.version) at level "
        + "\(symbol.errorCorrection.rawValue) than the error correction restores.",
      hint: ways.isEmpty
        ? "Put the logo beside the code." : "Give \(ways.joined(separator: "; or ")).")
  }

  static func noRoomForLogo(
    _ symbol: QRSymbol, largest: LogoPlate?, better: LogoPlate.Better?
  ) -> CodeDrawingError {
    let ways = [
      better.map { "Give \($0.words)" },
      largest.map { "use a logo of up to \($0.modules) modules, which leaves less reserve" },
      "put the logo beside the code",
    ].compactMap { $0 }
    let hint = ways.joined(separator: ", or ")
    return CodeDrawingError(
      .noRoomForLogo,
      "Version \(symbol.version) at level \(symbol.errorCorrection.rawValue) has no room for a "
        + "logo of \(LogoPlate.smallestChosen) modules with a good reserve.",
      hint: Hint(hint.prefix(1).uppercased() + hint.dropFirst() + "."))
  }

  // MARK: Label stock

  private static let ownMeasures: Hint =
    "measure the sheet and \(.giveSheetMeasures) "
    + "WIDTHxHEIGHT,COLUMNSxROWS,LEFT,TOP,PITCHX,PITCHY,PAPER in millimetres."

  static func invalidStock(_ stock: LabelStock, _ trouble: String) -> CodeDrawingError {
    let source = stock.source.isEmpty ? "" : " (\(stock.source))"
    return CodeDrawingError(
      .invalidStock, "\(stock.name) is not a printable sheet: \(trouble)\(source).",
      hint: ownMeasures.asSentence)
  }

  static func malformedStock(
    _ file: String, line: Int, column: Int? = nil, _ trouble: String
  ) -> CodeDrawingError {
    let place = column.map { "\(line):\($0)" } ?? "\(line)"
    return CodeDrawingError(
      .malformedStock, "\(file):\(place): \(trouble).",
      hint: "Repair the file or reinstall the package glabels-data; or "
        + ownMeasures)
  }

  static func unknownStock(_ name: String, near: [String], anyTemplates: Bool) -> CodeDrawingError {
    guard anyTemplates else {
      return CodeDrawingError(
        .noStock, "No label stock is named \(name), and no label templates are installed.",
        hint: "Install the package glabels-data. Or " + ownMeasures)
    }
    return CodeDrawingError(
      .unknownStock, "No label stock is named \(name).",
      hint: Hint(near.isEmpty ? "" : near.didYouMean + " ")
        + Hint.sentence("\(.lookThroughTemplates)") + " Or " + ownMeasures)
  }

  static func ambiguousStock(_ name: String, _ stocks: [String]) -> CodeDrawingError {
    CodeDrawingError(
      .ambiguousStock, "\(name) is the name of several label stocks.",
      hint: "Add the maker: \(stocks.joined(separator: ", ")).")
  }

  static func unreadableStock(_ path: String, _ reason: String) -> CodeDrawingError {
    CodeDrawingError(
      .malformedStock, "\(path) cannot be read: \(reason).",
      hint: "Repair the file's permissions or reinstall the package glabels-data.")
  }

  static func customStock(_ text: String, _ trouble: String) -> CodeDrawingError {
    CodeDrawingError(
      .invalidStock, "“\(text)” is not a label sheet: \(trouble).",
      hint: "Write WIDTHxHEIGHT,COLUMNSxROWS,LEFT,TOP,PITCHX,PITCHY,PAPER in millimetres, or with "
        + "units such as 1in, for "
        + "example 99.1x38.1,2x7,4.65,15.15,101.6,38.1,A4; a single number instead of "
        + "WIDTHxHEIGHT is the diameter of round labels.")
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
