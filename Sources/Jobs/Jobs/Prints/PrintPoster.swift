import AppClipCodeFiles
import AppClipCodes
public import CliptagBasics
public import CodeDrawing
import Invocation
public import Issuing
public import QRSymbol
import Registry

/// Prints a poster or a sign around a code.
///
/// Words that are not given come from the registry: the headline and the brand from the card of the
/// experience that the URL opens, the place's name from the place that it belongs to, the call to
/// action from the language. The URL is checked first, and each file is read back from its own
/// pixels before it is recorded and put in place.
public struct PrintPoster: Job {
  /// The invocation URL, exactly as the code carries it.
  public var url: String
  /// The files to make. Without one, the poster is laid out and nothing is drawn.
  public var outputs: [PrintOutput] = []

  /// The largest words; `nil` for the card's subtitle or title, empty for none.
  public var headline: String?
  /// The small words above the headline; `nil` for the card's title unless that is the headline or
  /// there is a logo, empty for none.
  public var brand: String?
  /// The picture above everything.
  public var logo: PosterLogo?
  /// The invitation to scan; `nil` for the usual words in the language, empty for none.
  public var callToAction: String?
  /// The words about the place; `nil` for the name of the place in the registry, empty for none.
  public var placeName: String?
  /// Whether a ring shows where to hold a phone, for a tag behind the paper.
  public var nfcTarget = false
  /// The words below the ring, which they bring; `nil` for the usual words in the language.
  public var targetCaption: String?
  /// Whether the short URL is printed at the foot.
  public var smallPrint = true
  /// Whether the last six characters of the code's name are printed at the foot.
  public var codeTail = false
  /// Whether the name of the item, this print, is printed at the foot.
  public var itemName = false
  /// The language of the words, as in BCP 47; `nil` for that of the place's signs, else English.
  public var language: String?
  /// The language of the usual words that a template has places for a second time, as in BCP 47;
  /// `nil` for none.
  public var secondLanguage: String?

  /// The page that was made elsewhere, on which codes and words are printed; `nil` for a built-in
  /// design.
  public var artwork: PosterArtworkFile?
  /// The kind of print, which has a size and the places of codes and words; `nil` for a plain sheet.
  public var template: PosterTemplate?
  /// The photo of a template; `nil` for none.
  public var image: PosterLogo?
  /// The words of the own fields of the artwork or template, by their names; empty for none.
  public var texts: [String: String] = [:]
  /// The layout.
  public var design = PosterDesign.classic
  /// The paper after trimming: a name such as `A4`, or millimetres such as `100x150`; `nil` for A4, or
  /// that of the artwork.
  public var paper: String?
  /// Whether the long side of the paper is horizontal.
  public var landscape = false
  /// The colour of a brand, from which accent, ink and ground follow; `nil` for ``accent`` and ``ink``.
  public var palette: Colour?
  /// The colour of areas and of the ring.
  public var accent = Colour.black
  /// The colour of words.
  public var ink = Colour.black
  /// The colour of the code's modules.
  public var foreground = Colour.black
  /// The colour of the code's ground.
  public var background = Colour.white
  /// The font families of the words, in order of preference.
  public var fonts = ["Noto Sans"]
  /// Whether the letters of a PDF are outlines instead of embedded fonts.
  public var outlinesText = false
  /// The printing condition that PDF files are made for; `nil` for any.
  public var condition: PrintingCondition?
  /// The ground beyond every edge, in millimetres, 0 to 50; `nil` for that of the template, else
  /// none.
  public var bleed: Double?
  /// Whether marks beyond the corners show where to cut.
  public var cropMarks = false
  /// The largest width of a code with the space around it, in millimetres; `nil` for what fits.
  public var width: Double?
  /// The distance that phones read the code from, in millimetres; `nil` for any.
  public var distance: Double?
  /// The printer's resolution in dots per inch; `nil` for 600, or less for a PNG of a large page.
  public var dotsPerInch: Double?
  /// The lowest error-correction level; raised where that costs no size.
  public var errorCorrection = QRSymbol.ErrorCorrection.medium

  /// The App Clip Code beside the QR code; `nil` for none.
  public var appClipCode: AppClipCodeChoice?
  /// Whether the App Clip Code replaces the QR code.
  public var appClipCodeOnly = false
  /// Whether a file whose colours are none of Apple's templates is accepted.
  public var allowsOwnColours = false

  /// Whether the poster is issued although the check does not accept the URL.
  public var unregistered = false
  /// Whether a URL that the check warns of is refused.
  public var strict = false
  /// Whether the margins of the code are measured, which takes seconds.
  public var prove = false
  /// Whether everything is made and proven, but nothing written and recorded.
  public var dryRun = false

  private static let bleeds = 0.0...50.0

  /// Makes a job with the usual words and looks.
  public init(url: String) { self.url = url }

  /// Checks the inputs against each other.
  ///
  /// - Throws: ``InputError``.
  public func validate() throws(InputError) {
    guard Self.bleeds.contains(usedBleed) else { throw .outOfRange(.bleed, Self.bleeds) }
    guard !(unregistered && strict) else { throw .exclude(.unregistered, .strict) }
    guard !(codeTail && itemName) else { throw .exclude(.codeTail, .itemName) }
    guard artwork != nil || template != nil || texts.isEmpty else {
      throw .needs(.texts, .artwork)
    }
    guard artwork == nil || template == nil else { throw .exclude(.artwork, .template) }
    guard template != nil || image == nil else { throw .needs(.image, .template) }
    guard template != nil || secondLanguage == nil else {
      throw .needs(.secondLanguage, .template)
    }
    guard template == nil || paper == nil && !landscape else { throw .exclude(.template, .paper) }
    guard artwork == nil || logo == nil else { throw .exclude(.artwork, .logo) }
    guard artwork == nil || usedBleed == 0 else { throw .exclude(.artwork, .bleed) }
    guard artwork == nil || !cropMarks else { throw .exclude(.artwork, .cropMarks) }
    guard artwork == nil || condition == nil else { throw .exclude(.artwork, .outputIntent) }
    guard appClipCode != nil || !appClipCodeOnly else {
      throw .needs(.appClipCodeOnly, .appClipCode)
    }
  }

  /// Prints the poster in every wanted format.
  ///
  /// - Returns: The files that were made, in the order of ``outputs``; a file that could not be made
  ///   is reported as ``PrintEvent/failed(output:_:)``.
  /// - Throws: ``InputError`` for inputs that exclude each other or words that no one gave;
  ///   `IssueRefusal` for a URL that the check refuses; `TextError` and `CodeDrawingError` for words
  ///   and codes that find no room; `IssuingError` for an App Clip Code that is not on record;
  ///   `RegistryError`; `CancellationError`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (PrintEvent) -> Void
  ) async throws -> [PrintedFile] {
    try validate()
    let issuer = workplace.issuer(isRehearsal: dryRun)
    let approval = try issuer.approve(url, unregistered: unregistered, refusingWarnings: strict)
    report(.approved(approval))
    return try await spoken(at: approval.verification.place).print(
      approval, by: issuer, in: workplace, reporting: report)
  }

  /// Returns the poster in the language of the signs at its place, unless it has one, or cliptag has
  /// no words in that language.
  func spoken(at place: Place?) -> PrintPoster {
    guard language == nil, let usual = place?.language,
      callToAction != nil || PosterWording(language: usual) != nil
    else { return self }
    var poster = self
    poster.language = usual
    return poster
  }

  private func print(
    _ approval: Approval, by issuer: Issuer, in workplace: Workplace,
    reporting report: @Sendable (PrintEvent) -> Void
  ) async throws -> [PrintedFile] {
    let code = try appClipCode.map { choice in
      PrintedAppClipCode(
        try issuer.appClipCode(
          choice, carrying: url,
          options: AppClipCode.Options(allowsOwnColours: allowsOwnColours)),
        replacesQRCode: appClipCodeOnly)
    }
    let pictures = try await readPictures(for: Set(outputs.map(\.format)))
    let artwork = try await readArtwork()
    for note in try check(artwork) { report(.note(note)) }
    try checkPlaces(on: artwork)
    let words = try PosterWords(
      self, for: approval, pictures, on: artwork, appClipCode: code?.file.code.kind, in: workplace)
    if let note = words.note { report(.note(note)) }
    func design(for output: PrintOutput?) throws -> PrintDesign {
      try self.design(
        of: approval, words.content, on: artwork, appClipCode: code,
        printedTo: output?.destination.name,
        by: issuer, in: workplace)
    }
    let first = try design(for: outputs.first)
    if let picture = first.content.poster?.coarsePicture { report(.note(PrintNote(picture))) }
    report(.designed(first))
    // Each file's name is that of its own item.
    let prints = itemName ? outputs.map { [$0] } : [outputs]
    var files: [PrintedFile] = []
    for (index, outputs) in prints.enumerated() {
      files += try await workplace.print(
        index == 0 ? first : design(for: outputs.first), to: outputs, by: issuer, isProving: prove,
        reporting: report
      ) { [designName] issued in
        issued.printed.content.poster.map { .poster(PosterResult($0, design: designName)) }
      }
    }
    return files
  }

  /// Lays the poster out for one print.
  ///
  /// - Parameters:
  ///   - approval: The payload.
  ///   - content: The words.
  ///   - artwork: The artwork beneath them; `nil` for a built-in design.
  ///   - code: The App Clip Code on it.
  ///   - name: The name that the code has or will have; `nil` for that of the record.
  ///   - output: The file, from which the name of the item follows.
  ///   - label: The page in a file of several posters.
  func design(
    of approval: Approval, _ content: PosterContent, on artwork: PosterArtwork?,
    appClipCode code: PrintedAppClipCode?, named name: CodeID? = nil, printedTo output: String?,
    on label: PrintedLabel? = nil,
    by issuer: Issuer, in workplace: Workplace
  ) throws -> PrintDesign {
    var information = PrintContent.FileInformation(
      title: content.title, language: language ?? "en",
      creationTime: workplace.creationTime(of: condition), outlinesText: outlinesText)
    information.condition = condition
    var design = try issuer.design(
      of: approval, errorCorrection: errorCorrection, information: information,
      appClipCode: code, named: name,
      showing: printedName(on: artwork, printedTo: output, on: label),
      poster: request(content, on: artwork))
    // Without a language, the usual words are English.
    design.language = language ?? (callToAction == nil ? "en" : nil)
    return design
  }

  /// The name in the small print: the wanted one, else the code's on an artwork or template that
  /// has a place for it.
  private func printedName(
    on artwork: PosterArtwork?, printedTo output: String?, on label: PrintedLabel?
  ) -> PrintedName? {
    if itemName, let output { return .item(output: output, label: label) }
    if codeTail { return .tail }
    let hasField = placeNames(on: artwork)?.contains("code-name") ?? false
    return hasField || itemName ? .code : nil
  }

  /// The sheet after trimming.
  var trimmedSize: PaperSize {
    get throws {
      if let template { return try PaperSize(width: template.width, height: template.height) }
      let paper = try PaperSize(paper ?? "A4")
      return landscape ? paper.landscape : paper
    }
  }

  /// The ground beyond every edge, in millimetres.
  var usedBleed: Double { bleed ?? template?.bleed ?? 0 }

  /// The name of the template, or else of the design.
  var designName: String { template?.name ?? design.rawValue }

  /// The pictures of a poster, read.
  struct Pictures {
    var logo, image: LogoPicture?
  }

  /// Reads the pictures.
  ///
  /// - Parameter formats: The formats that the poster is drawn in.
  /// - Throws: `PictureError`.
  func readPictures(for formats: Set<DrawingFormat>) async throws -> Pictures {
    Pictures(
      logo: try await logo?.picture(for: formats),
      image: try await image?.picture("Photo", for: formats))
  }

  /// The layout's request.
  private func request(
    _ content: PosterContent, on artwork: PosterArtwork?
  ) throws -> Poster.Request {
    let sheet = try trimmedSize
    let hasPixels = outputs.contains { $0.format == .png }
    let usual = [600, 300, 200, 150, 100].first { dotsPerInch in
      !hasPixels
        || PageDrawing.pixels(of: sheet, bleed: usedBleed, dotsPerInch: dotsPerInch)
          <= PageDrawing.mostPixels
    }
    var request = Poster.Request(
      content: content, design: design, paper: sheet,
      colours: palette.map { PosterColours(brand: $0) } ?? PosterColours(ink: ink, accent: accent),
      codeColours: try CodeColours(foreground: foreground, background: background),
      codeSize: CodeSize.Request(
        width: width, readingDistance: distance, dotsPerInch: dotsPerInch ?? usual ?? 600),
      bleed: usedBleed, hasCropMarks: cropMarks, families: fonts)
    request.artwork = artwork
    request.template = template
    return request
  }
}

/// The file of a poster's logo: SVG, PDF, PNG or JPEG.
public struct PosterLogo: Hashable, Sendable {
  /// The bytes of the file.
  public var bytes: [UInt8]
  /// The name of the file in messages.
  public var name: String

  /// Takes a file; it is read when the job runs.
  public init(_ bytes: [UInt8], named name: String) {
    self.bytes = bytes
    self.name = name
  }

  /// Reads the file.
  ///
  /// - Parameters:
  ///   - alternativeText: The text alternative.
  ///   - formats: The formats that the poster is drawn in.
  func picture(
    _ alternativeText: String = "Logo", for formats: Set<DrawingFormat>
  ) async throws -> LogoPicture {
    try await LogoPicture(bytes, named: name, alternativeText: alternativeText, for: formats)
  }
}
