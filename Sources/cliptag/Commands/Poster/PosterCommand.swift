import AppClipCodes
import Basics
public import ArgumentParser
public import CodeDrawing
import Invocation
import Issuing
import QRSymbol
import Registry

/// `cliptag poster URL -o FILE`
struct PosterCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "poster",
    abstract: "Make a poster or sign around a code, as PDF, SVG, PNG or EPS.",
    discussion: """
      What it says comes from the experience's card and the place unless you say otherwise. The \
      URL is checked first, and the code is read back from the pixels of the finished page before \
      the file is written. Words of any script are set in the fonts of this system; a letter that \
      no font has is an error.

      Examples:
        cliptag poster https://fruta.example.com/order/cupertino -o sign.pdf
        cliptag poster https://fruta.example.com/order/cupertino -o sign.pdf \\
          --design bold --accent 0b6e4f --paper A5 --bleed 3 --crop-marks
        cliptag poster https://fruta.example.com/order/cupertino -o sign.svg \\
          --logo Samples/fruta/logo.svg
        cliptag poster https://fruta.example.com/order/cupertino -o theke.pdf \\
          --language de --headline "Smoothie bestellen" --nfc-target
        cliptag poster https://fruta.example.com/order/cupertino -o wall.pdf \\
          --design editorial --paper A3 --landscape --distance 1500
        cliptag poster https://fruta.example.com/order/cupertino -o both.pdf \\
          --app-clip-code clip.svg
      """)

  @Argument(help: "The invocation URL.")
  var url: String

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The file, its format by its ending (.pdf .svg .png .eps); may be repeated.",
      valueName: "file"),
    completion: .file(extensions: ["pdf", "svg", "png", "eps"]))
  var output: [String]

  @OptionGroup(title: "Words") var words: PosterWordOptions
  @OptionGroup(title: "Design") var look: PosterLookOptions
  @OptionGroup(title: "App Clip Code") var appClip: AppClipCodeOptions

  @Flag(
    help: """
      Decode the page under blur, spreading ink, dirt, fading and distance too, and say how much of \
      each its code stands; takes some seconds.
      """)
  var prove = false
  @OptionGroup var approvals: ApprovalOptions
  @Flag(name: [.long, .customShort("n")], help: "Make and prove the poster, but write nothing.")
  var dryRun = false
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if global.json, output.contains("-") {
      throw ValidationError("--json and -o - both want standard output: name a file.")
    }
    guard appClip.appClipCode != nil || !appClip.appClipCodeOnly else {
      throw ValidationError("--app-clip-code-only needs --app-clip-code.")
    }
  }

  func execute(_ console: Console) async throws {
    let outputs = try output.map { name in
      (name: name, format: name == "-" ? .pdf : try DrawingFormat(fileName: name))
    }
    let registry =
      dryRun ? try global.registryForReading(console) : try global.registryForWriting()
    let issuer = Issuer(
      registry: registry, who: registry.who, engine: matching.matching, isRehearsal: dryRun)
    guard let approval = try console.approve(url, issuer.check, approvals) else { return }
    let appClipCode = try appClip.appClipCode.map { choice in
      PrintedAppClipCode(
        try issuer.appClipCode(
          choice, carrying: approval.verification.payload, options: appClip.reading),
        replacesQRCode: appClip.appClipCodeOnly)
    }
    let content = try await words.content(
      for: approval.verification, appClipCode: appClipCode?.file.code.kind, in: registry, console)
    let information = PrintContent.FileInformation(
      title: content.title, language: content.language ?? "en", creationTime: SourceDate.seconds,
      outlinesText: look.outlineText)
    let request = try look.request(content, isPicture: outputs.contains { $0.format == .png })
    let design = try issuer.design(
      of: approval, errorCorrection: look.errorCorrection, information: information,
      appClipCode: appClipCode
    ) { name in
      var request = request
      if words.smallPrint { request.content.codeName = name.description }
      return request
    }
    if let drawing = design.content.drawing { console.warn(of: drawing) }
    for (name, format) in outputs {
      try Task.checkCancellation()
      await console.reportingFailure(of: name) {
        let issued = try await issuer.print(
          design, as: format, to: console.destination(name), proving: prove)
        guard case .poster(let poster, _) = issued.printed.content else { return }
        console.show(
          issued, at: name,
          json: json(poster, of: approval, issued, output: name),
          text: text(poster, output: name, code: issued.id))
      }
    }
  }

  private func json(
    _ poster: Poster, of approval: Approval, _ issued: IssuedPrint, output: String
  ) -> JSONValue {
    func json(_ box: DrawingBox) -> JSONValue {
      .object([
        ("x", .number(box.x)), ("y", .number(box.y)), ("width", .number(box.width)),
        ("height", .number(box.height)),
      ])
    }
    return JSONValue.issue(
      poster.code, url: approval.verification.payload, appClipCode: poster.appClipCode,
      of: approval.verification.findings, output: output, code: issued.id, dryRun: dryRun,
      proof: issued.proof, appClipCodeProof: issued.appClipCodeProof,
      [
        (
          "poster",
          .object([
            ("design", .string(look.design.rawValue)), ("width", .number(poster.page.width)),
            ("height", .number(poster.page.height)), ("bleed", .number(poster.page.bleed)),
            ("codeBox", poster.codeBox.map(json) ?? .null),
            ("appClipCodeBox", poster.appClipCodeBox.map(json) ?? .null),
            ("targetBox", poster.targetBox.map(json) ?? .null),
            ("fonts", .array(poster.fonts.map { .string($0.name) })),
          ])
        )
      ])
  }

  private func text(_ poster: Poster, output: String, code: CodeID?) -> ConsoleText {
    var text: ConsoleText = """
      \(dryRun ? "would write" : "wrote") \(output)
        code      \(code?.description ?? "none")
      """
    if let drawing = poster.code {
      let (symbol, size) = (drawing.symbol, drawing.size)
      text += """

          symbol    version \(symbol.version), level \(symbol.errorCorrection.rawValue), read back \
        from the page's own pixels
          size      \(size.width.inThousandths) mm wide with its quiet zone, modules of \
        \(size.moduleSize.inThousandths) mm (\(size.dotsPerModule) dots)
          distance  phones read it from up to \(Int(size.readingDistance)) mm
        """
    }
    if let appClipCode = poster.appClipCode { text += appClipCode.lines }
    text += """

        page      \(poster.page.width.inThousandths) × \(poster.page.height.inThousandths) mm
        fonts     \(poster.fonts.map(\.name).joined(separator: ", "))
      """
    if let target = poster.targetBox {
      let isInCode = poster.appClipCode?.code.kind == .nfc
      text += """

          target    put the tag behind \(isInCode ? "the App Clip Code" : "the ring"): its middle is \(Int(target.centre.x.rounded())) mm \
        from the left and \(Int(target.centre.y.rounded())) mm from the top
        """
    }
    return text
  }
}

/// What a poster says.
struct PosterWordOptions: ParsableArguments {
  @Option(
    help:
      "What the reader gains, in the largest letters (default: the card's subtitle); empty for none."
  )
  var headline: String?
  @Option(help: "Whose it is, above the headline (default: the card's title); empty for none.")
  var brand: String?
  @Option(
    help: ArgumentHelp(
      "A logo above everything, SVG, PNG or JPEG; it stands for the card's title.",
      valueName: "file"),
    completion: .file(extensions: ["svg", "png", "jpg", "jpeg"]))
  var logo: String?
  @Option(
    help: """
      How to begin (default: "Scan with your camera", or Apple's words for an App Clip Code, in the \
      language); empty for none.
      """)
  var callToAction: String?
  @Option(help: "Where it hangs (default: the place's name in the registry); empty for none.")
  var placeName: String?
  @Flag(
    help: """
      Add a ring to hold a phone near, for a tag behind the paper; that of an App Clip Code with a \
      tag is in its middle.
      """)
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
  ///
  /// - Parameter appClipCode: The kind of the App Clip Code on it; nil without one.
  func content(
    for verification: Verification, appClipCode: AppClipCode.Kind?, in registry: any RegistryStore,
    _ console: Console
  ) async throws -> PosterContent {
    let card = try card(of: verification, in: registry, console)
    let known = PosterWording(language: language ?? "en")
    guard let headline = headline ?? card?.subtitle ?? card?.title else {
      throw ValidationError("The registry has no words for this poster: give --headline.")
    }
    let usualCall =
      switch appClipCode {
      case nil: known?.scan
      case .camera: known?.scanAppClipCode
      case .nfc: known?.holdOrScanAppClipCode
      }
    guard let call = callToAction ?? usualCall else { throw unknown("--call-to-action") }
    if appClipCode == .nfc, targetCaption != nil {
      throw ValidationError(
        "The tag of this App Clip Code is in its middle, without a ring: say it in "
          + "--call-to-action.")
    }
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

  /// The experience's card with its words in the poster's language, where the registry has them.
  private func card(
    of verification: Verification, in registry: any RegistryStore, _ console: Console
  ) throws -> ExperienceCard? {
    guard let card = verification.experience?.card, let language else {
      return verification.experience?.card
    }
    let advanced = try verification.experience?.link.flatMap { try registry.experience(link: $0) }
    if let own = advanced?.language, own.isLanguage(language) { return card }
    let all = advanced?.listing.localizations ?? verification.clip?.listing.localizations ?? []
    guard let texts = all.texts(in: language) else {
      if headline == nil {
        console.say(
          "note: the card has no words in the language \(language); its own are printed. Give "
            + "--headline and --brand.")
      }
      return card
    }
    return ExperienceCard(
      title: texts.title ?? card.title, subtitle: texts.subtitle ?? card.subtitle,
      action: card.action)
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
      "The most that a code may measure, with what stays free around it, in millimetres.",
      valueName: "mm"))
  var width: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The distance to read the code from, in millimetres; refused where phones cannot.",
      valueName: "mm"))
  var distance: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The printer's resolution in dots per inch (default: 600, less for PNG of a large page).",
      valueName: "dpi"))
  var dpi: Double?
  @Option(help: "The lowest error-correction level, L, M, Q or H; raised where that costs no size.")
  var errorCorrection: QRSymbol.ErrorCorrection = .medium

  func validate() throws {
    guard (0...50).contains(bleed) else {
      throw ValidationError("--bleed takes millimetres from 0 to 50; printers ask for 3.")
    }
  }

  /// What is asked of the layout.
  ///
  /// - Parameter isPicture: Whether it is written as pixels, too.
  func request(_ content: PosterContent, isPicture: Bool) throws -> Poster.Request {
    let sheet = try PaperSize(paper)
    let usual = [600, 300, 200, 150, 100].first { dpi in
      !isPicture
        || PageDrawing.pixels(of: sheet, bleed: bleed, dotsPerInch: dpi) <= PageDrawing.mostPixels
    }
    return Poster.Request(
      content: content, design: design, paper: landscape ? sheet.landscape : sheet,
      colours: PosterColours(ink: ink, accent: accent),
      codeColours: try CodeColours(foreground: foreground, background: background),
      codeSize: CodeSize.Request(
        width: width, readingDistance: distance, dotsPerInch: dpi ?? usual ?? 600),
      bleed: bleed, hasCropMarks: cropMarks, families: font.isEmpty ? ["Noto Sans"] : font)
  }
}

extension PosterDesign: ExpressibleByArgument {}
