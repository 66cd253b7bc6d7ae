public import ArgumentParser
public import CodeDrawing
import Invocation
import QRSymbol
import Registry

/// What a poster says.
struct PosterWordOptions: ParsableArguments {
  @Option(help: "What the reader gains, in the largest letters (default: the card's subtitle).")
  var headline: String?
  @Option(help: "Whose it is, above the headline (default: the card's title); empty for none.")
  var brand: String?
  @Option(
    help: ArgumentHelp(
      "A logo above everything, SVG, PNG or JPEG; it stands for the card's title.",
      valueName: "file"),
    completion: .file(extensions: ["svg", "png", "jpg", "jpeg"]))
  var logo: String?
  @Option(help: "How to begin (default: \"Scan with your camera\" in the language).")
  var callToAction: String?
  @Option(help: "Where it hangs (default: the place's name in the registry); empty for none.")
  var placeName: String?
  @Flag(help: "Add a ring to hold a phone near, for a tag behind the paper.")
  var nfcTarget = false
  @Option(help: "The words below the ring (default: \"Or hold your iPhone here\").")
  var targetCaption: String?
  @Flag(inversion: .prefixedNo, help: "Print the short URL and the code's name at the foot.")
  var smallPrint = true
  @Option(
    help: ArgumentHelp(
      "The language of the words, such as de, ja or zh-Hant (default: en).",
      valueName: "tag"))
  var language: String?

  /// The words of a poster for what a check found.
  func content(for verification: Verification) async throws -> PosterContent {
    let card = verification.experience?.card
    let known = PosterWording(language: language ?? "en")
    guard let headline = headline ?? card?.subtitle ?? card?.title else {
      throw ValidationError("The registry has no words for this poster: give --headline.")
    }
    guard let call = callToAction ?? known?.scan else { throw unknown("--call-to-action") }
    var caption: String?
    if nfcTarget || targetCaption != nil {
      guard let words = targetCaption ?? known?.hold else { throw unknown("--target-caption") }
      caption = words
    }
    var picture: LogoPicture?
    if let logo { picture = try await LogoPicture(file: logo) }
    let title = picture != nil || headline == card?.title ? nil : card?.title
    let brand = brand ?? title
    let place = placeName ?? verification.place?.name
    return PosterContent(
      headline: headline, brand: brand.flatMap { $0.isEmpty ? nil : $0 }, logo: picture,
      callToAction: call,
      placeName: place.flatMap { $0.isEmpty ? nil : $0 },
      address: smallPrint ? PosterContent.Address(url: verification.payload) : nil,
      targetCaption: caption, language: language)
  }

  private func unknown(_ option: String) -> ValidationError {
    ValidationError(
      "cliptag has no words in the language \(language ?? ""): give \(option); it has "
        + PosterWording.languages.joined(separator: ", ") + ".")
  }
}

/// How a poster looks.
struct PosterLookOptions: ParsableArguments {
  @Option(help: "The design: classic, bold or editorial.")
  var design = PosterDesign.classic
  @Option(
    help: ArgumentHelp(
      "The paper after trimming: A0 to A7, letter, legal, tabloid, or a size in mm such as 100x150.",
      valueName: "size"))
  var paper = "A4"
  @Flag(help: "Lay the long side across.")
  var landscape = false
  @Option(
    help: ArgumentHelp("The colour of areas and of the ring, as RRGGBB.", valueName: "colour"))
  var accent = Colour.black
  @Option(help: ArgumentHelp("The colour of words.", valueName: "colour"))
  var ink = Colour.black
  @Option(help: ArgumentHelp("The colour of the code's modules.", valueName: "colour"))
  var foreground = Colour.black
  @Option(help: ArgumentHelp("The colour of the code's ground.", valueName: "colour"))
  var background = Colour.white
  @Option(
    help: ArgumentHelp("A font family for the words; may be repeated.", valueName: "family"))
  var font: [String] = []
  @Flag(help: "Draw the letters of a PDF as outlines instead of embedding fonts.")
  var outlineText = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What is printed beyond every edge, in millimetres.", valueName: "mm"))
  var bleed: Double = 0
  @Flag(help: "Mark the corners for cutting.")
  var cropMarks = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The most that the code may measure, with its quiet zone, in millimetres.", valueName: "mm"))
  var width: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The distance to read the code from, in millimetres; refused where phones cannot.",
      valueName: "mm"))
  var distance: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The printer's resolution in dots per inch.", valueName: "dpi"))
  var dpi: Double = 600
  @Option(help: "The lowest error-correction level, L, M, Q or H; raised where that costs no size.")
  var errorCorrection: QRSymbol.ErrorCorrection = .medium

  func validate() throws {
    guard (0...50).contains(bleed) else {
      throw ValidationError("--bleed takes millimetres from 0 to 50; printers ask for 3.")
    }
  }

  /// What is asked of the layout.
  func request(_ content: PosterContent) throws -> Poster.Request {
    let sheet = try PaperSize(paper)
    return Poster.Request(
      content: content, design: design, paper: landscape ? sheet.landscape : sheet,
      colours: PosterColours(ink: ink, accent: accent),
      codeColours: try CodeColours(foreground: foreground, background: background),
      codeSize: CodeSize.Request(width: width, readingDistance: distance, dotsPerInch: dpi),
      bleed: bleed, hasCropMarks: cropMarks, families: font.isEmpty ? ["Noto Sans"] : font)
  }
}

extension PosterDesign: ExpressibleByArgument {}
