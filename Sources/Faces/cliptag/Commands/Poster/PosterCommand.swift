import CliptagBasics
public import ArgumentParser
public import CodeDrawing
import Invocation
import Jobs
import Pictures
import QRSymbol

/// `cliptag poster URL -o FILE`
struct PosterCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "poster",
    abstract: "Make a poster or sign around a code, as PDF, SVG, PNG or EPS.",
    discussion: """
      The default words are those of the experience's card and the place. The \
      URL is checked first, and the code is read back from the pixels of the finished page before \
      the file is written. Words of any script are set in the fonts of this system; a letter \
      without a font is an error.

      With --csv, every row of a file becomes a page of one PDF file, and a file …-manifest.csv \
      lists them. Its columns are url, and optionally place, copies, app-clip-code, headline, brand, \
      call-to-action, place-name, target-caption, language, logo, design, paper, landscape, accent, \
      ink, palette, width and distance; a row with a place and no url has the place's URL; what a row leaves empty is as the options say. The whole file is checked before \
      the drawing, and every page is read back from the finished file before it is written. With \
      --format, every row becomes a file in a folder, named by its column code or id, else by its \
      number, with a manifest.csv. With --sheet, as many as fit are on each sheet, with cut marks. --all-places makes the rows: the QR codes on record of every \
      place, and where there is none the URL that an experience has for the place.

      With --template, the poster is of a kind that shops order, such as a table tent or a round \
      sticker: a size, the places of codes and words, and lines to cut and fold along in spot inks. \
      --list-templates shows those that cliptag has; your own is a file of the same format.

      With --artwork, codes and words are printed on a page that a designer made, which stays as it \
      is: the code in place of a QR code on it, words in the form fields of a PDF file, or where \
      --field says. The finished page is compared with the artwork.

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
        cliptag poster https://fruta.example.com/order/cupertino -o card.pdf \\
          --artwork Samples/fruta/table-card.svg --field headline=8,10,62,24
        cliptag poster https://fruta.example.com/order/cupertino -o tent.pdf \\
          --template table-tent --design bold --accent 0b6e4f
        cliptag poster https://fruta.example.com/order/cupertino -o menu.pdf \\
          --template menu --text "menu=Green smoothie | 4.50; Berry | 4.80"
        cliptag poster --csv Samples/fruta/tables.csv -o signs.pdf --paper A6
        cliptag poster --all-places -o signs --format svg --design bold
      """)

  @Argument(help: "The invocation URL.", completion: .urls)
  var url: String?
  @Option(
    help: ArgumentHelp(
      "Make a poster for each row of a CSV file; - for standard input.", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var csv: String?
  @Flag(help: "Make a poster for every place of the registry.")
  var allPlaces = false
  @Option(
    help: ArgumentHelp("With --all-places: only this place.", valueName: "id"), completion: .places)
  var place: String?
  @Option(
    help: ArgumentHelp("With --all-places: only codes of this clip.", valueName: "bundle-id"))
  var clip: String?
  @Option(
    help: ArgumentHelp(
      "With --csv or --all-places: make a file for each row in a folder: pdf, svg, png or eps.",
      valueName: "format"))
  var format: DrawingFormat?

  @Option(
    help: ArgumentHelp(
      "With --csv or --all-places: as many posters as fit on each sheet of this size, with cut marks.",
      valueName: "size"))
  var sheet: String?

  @Option(
    help: ArgumentHelp(
      "With --csv: a column that the manifest repeats; may be repeated.", valueName: "column"))
  var caption: [String] = []

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The file, its format by its ending (.pdf .svg .png .eps); may be repeated. With --format the folder.",
      valueName: "file"),
    completion: .file(extensions: ["pdf", "svg", "png", "eps"]))
  var output: [String] = []
  @Flag(help: "Show the templates, with the names of their places.")
  var listTemplates = false
  @Option(
    help: ArgumentHelp(
      "Print the file of a template, to make one of your own; schema for the JSON Schema of such files.",
      valueName: "name"),
    completion: .list(PosterTemplate.names + ["schema"]))
  var showTemplate: String?

  @OptionGroup(title: "Words") var words: PosterWordOptions
  @OptionGroup(title: "Artwork and template") var artwork: PosterArtworkOptions
  @OptionGroup(title: "Design") var look: PosterLookOptions
  @OptionGroup(title: "App Clip Code") var appClip: AppClipCodeOptions

  @Flag(
    help: """
      Also decode the page under blur, ink spread, dirt, fading and distance, and show the limit of \
      each; takes some seconds.
      """)
  var prove = false
  @OptionGroup(title: "Printing") var printing: PrintOnOptions
  @OptionGroup var press: PressOptions
  @OptionGroup var approvals: ApprovalOptions
  @Flag(name: [.long, .customShort("n")], help: "Make and verify the poster, but write nothing.")
  var dryRun = false
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !listTemplates, showTemplate == nil else { return }
    guard !output.isEmpty else { throw ValidationError("Give the output file with -o.") }
    let ways = [
      url.map { _ in "The URL of one poster" }, csv.map { _ in "--csv" },
      allPlaces ? "--all-places" : nil,
    ]
    .compactMap(\.self)
    guard ways.count == 1 else {
      throw ValidationError(
        ways.isEmpty
          ? "Give the URL of one poster, or many posters with --csv or --all-places."
          : "\(ways.joined(separator: " and ")) exclude each other: give one of them.")
    }
    guard url == nil || format == nil else {
      throw ValidationError("--format is for many posters: use --csv or --all-places.")
    }
    guard url == nil || sheet == nil else {
      throw ValidationError("--sheet is for many posters: use --csv or --all-places.")
    }
    guard csv != nil || caption.isEmpty else {
      throw ValidationError("--caption needs --csv, which has columns.")
    }
    guard artwork.artwork == nil || look.design == nil else {
      throw ValidationError("--artwork and --design exclude each other.")
    }
    guard allPlaces || place == nil && clip == nil else {
      throw ValidationError("--place and --clip need --all-places.")
    }
    if url == nil { try validateRows() }
    try printing.validate(format == nil ? output : [])
    if url == nil {
      try press.validate(format.map { ["." + $0.rawValue] } ?? [])
    } else {
      try press.validate(output)
    }
    if global.json, output.contains("-") {
      throw ValidationError("--json and -o - both use standard output: give a file.")
    }
    // A template is read when the job runs, which then checks the rest.
    guard artwork.template == nil else { return }
    do {
      try job.validate()
    } catch {
      throw error.asUsage
    }
  }

  private func validateRows() throws {
    guard output.count == 1, let output = output.first, format == nil || output != "-" else {
      throw ValidationError(
        format == nil
          ? "Many posters are pages of one PDF file: give it with -o, or --format for a folder."
          : "--format makes single files: give their folder with -o.")
    }
    guard format != nil || output == "-" || output.lowercased().hasSuffix(".pdf") else {
      throw ValidationError(
        "Many posters are pages of one PDF file: give \(output.withEnding("pdf").printable), not "
          + "\(output.printable), or --format for a folder of files.")
    }
    guard !prove else {
      throw ValidationError(
        "--prove is for one poster, because it takes seconds: give the URL of a row with the same "
          + "options. Every page of a run is read back without it.")
    }
  }

  func execute(_ console: Console) async throws {
    if listTemplates { return try console.listPosterTemplates() }
    if let showTemplate {
      return console.write(
        showTemplate == "schema"
          ? PosterTemplate.schema : try PosterTemplate.file(named: showTemplate))
    }
    var job = job
    if let logo = words.logo {
      job.logo = PosterLogo(
        try InputFile.bytes(of: logo, limit: LogoPicture.limits.fileBytes), named: logo)
    }
    job.template = try artwork.posterTemplate
    guard job.template?.hasDesign ?? true || look.design == nil else {
      throw ValidationError("This template has its own design: leave --design away.")
    }
    job.image = try artwork.image.map { image in
      PosterLogo(
        try InputFile.bytes(of: image, limit: LogoPicture.limits.fileBytes), named: image)
    }
    job.artwork = try artwork.file
    job.condition = try press.condition
    let printer = try await printing.queue()
    job.dotsPerInch = job.dotsPerInch ?? printer?.dotsPerInch
    var workplace = try global.workplace(matching, isRehearsal: dryRun, console)
    workplace.printer = printer
    guard url != nil else { return try await printRows(like: job, in: workplace, console) }
    job.outputs = try console.outputs(output, standardOutput: .pdf)
    try await console.showingRefusal { [job, workplace] in
      _ = try await job.run(in: workplace) { console.show($0, isRehearsal: dryRun) }
    }
  }

  private func printRows(
    like poster: PrintPoster, in workplace: Workplace, _ console: Console
  ) async throws {
    try await console.showingRefusal(of: csv ?? "registry") {
      var job = PrintPosters(
        try csv.map { try rows(at: $0, in: workplace) } ?? rowsOfPlaces(in: workplace, console),
        to: format.map { .folder(output[0], as: $0) } ?? .pages(console.destination(output[0])))
      job.poster = poster
      job.sheet = sheet
      job.dryRun = dryRun
      let bar = ProgressBar(console)
      defer { bar.hide() }
      let printed = try await job.run(in: workplace) { console.show($0, on: bar) }
      bar.hide()
      console.show(printed, at: output[0], dryRun: dryRun)
      console.show(printed.handover)
    }
  }

  /// The rows of a file; one with a place and without a URL has the place's.
  private func rows(at csv: String, in workplace: Workplace) throws -> LabelRows {
    var places: LabelRows.PlaceURLs?
    var rows = try LabelRows(at: csv, approvals) { id in
      let known = try places ?? LabelRows.PlaceURLs(in: workplace)
      places = known
      return try known.urls(ofPlace: id)
    }
    rows.captions = caption
    return rows
  }

  /// The rows of the registry's places.
  private func rowsOfPlaces(in workplace: Workplace, _ console: Console) throws -> LabelRows {
    let found = try LabelRows.ofPlaces(in: workplace, place: place, clip: clip)
    guard var rows = found.rows else {
      throw Failure(
        "no-code", .nothingFound, "No place has a code, or an experience that gives its URL.",
        hint: "Give the URLs as rows with --csv.")
    }
    if !found.placesLeftOut.isEmpty {
      console.warn(
        "no code and no experience gives a URL for \(found.placesLeftOut.map(\.printable).joined(separator: ", "))."
      )
    }
    rows.strict = approvals.strict
    return rows
  }

  /// The job without its files.
  private var job: PrintPoster {
    var job = PrintPoster(url: url ?? "")
    job.headline = words.headline
    job.brand = words.brand
    job.callToAction = words.callToAction
    job.placeName = words.placeName
    job.nfcTarget = words.nfcTarget
    job.targetCaption = words.targetCaption
    job.smallPrint = words.smallPrint
    job.codeTail = words.codeTail
    job.itemName = words.itemName
    job.language = words.language
    // Read when the job runs; here it counts as given.
    job.artwork = artwork.artwork.map { PosterArtworkFile([], named: $0) }
    job.image = artwork.image.map { PosterLogo([], named: $0) }
    job.secondLanguage = words.secondLanguage
    for text in artwork.text { job.texts[text.name] = text.words }
    job.design = look.design ?? job.design
    job.paper = look.paper
    job.landscape = look.landscape
    job.palette = look.palette
    job.accent = look.accent
    job.ink = look.ink
    job.foreground = look.foreground
    job.background = look.background
    if !look.font.isEmpty { job.fonts = look.font }
    job.outlinesText = look.outlineText
    job.bleed = look.bleed
    job.cropMarks = look.cropMarks
    job.width = look.width
    job.distance = look.distance
    job.dotsPerInch = look.dpi
    job.errorCorrection = look.errorCorrection
    job.appClipCode = appClip.appClipCode
    job.appClipCodeOnly = appClip.appClipCodeOnly
    job.allowsOwnColours = appClip.ownColours
    job.unregistered = approvals.unregistered
    job.strict = approvals.strict
    job.prove = prove
    job.dryRun = dryRun
    return job
  }
}

extension Console {
  /// Prints the templates of posters.
  fileprivate func listPosterTemplates() throws {
    for name in PosterTemplate.names {
      let template = try PosterTemplate(named: name)
      let size = "\(Int(bounded: template.width)) × \(Int(bounded: template.height)) mm"
      let places = template.hasDesign ? "as designs" : template.placeNames.joined(separator: ", ")
      result(
        of: PosterTemplateResult(template),
        text: "\(template.name)  \(size)  \(template.title)\n  \(places)")
    }
  }
}

/// Options for the text of a poster.
struct PosterWordOptions: ParsableArguments {
  @Option(
    help:
      "The headline (default: the card's subtitle); empty for none."
  )
  var headline: String?
  @Option(help: "The owner, above the headline (default: the card's title); empty for none.")
  var brand: String?
  @Option(
    help: ArgumentHelp(
      "A logo at the top, SVG, PDF, PNG or JPEG; it replaces the card's title.",
      valueName: "file"),
    completion: .file(extensions: ["svg", "pdf", "png", "jpg", "jpeg"]))
  var logo: String?
  @Option(
    help: """
      The instruction (default: "Scan with your camera", or Apple's words for an App Clip Code, in the \
      language); empty for none.
      """)
  var callToAction: String?
  @Option(help: "The place (default: its name in the registry); empty for none.")
  var placeName: String?
  @Flag(
    help: """
      Add a target ring for a tag behind the paper; that of an App Clip Code with a \
      tag is in its middle.
      """)
  var nfcTarget = false
  @Option(help: "The words below the ring (default: \"Or hold your iPhone here\").")
  var targetCaption: String?
  @Flag(inversion: .prefixedNo, help: "Print the short URL at the foot.")
  var smallPrint = true
  @Flag(help: "Print the last six characters of the code's name (code show) at the foot.")
  var codeTail = false
  @Flag(help: "Print the name of this print (code show) at the foot.")
  var itemName = false
  @Option(
    help: ArgumentHelp(
      "The language of the words, such as de, ja or zh-Hant (default: the place's, else en).",
      valueName: "tag"))
  var language: String?
  @Option(
    help: ArgumentHelp(
      "The language of the usual words that a template has a second place for.",
      valueName: "tag"))
  var secondLanguage: String?
}

/// Options for a poster on a page that was made elsewhere, or of a kind with a template.
struct PosterArtworkOptions: ParsableArguments {
  /// The words of a field.
  struct NamedText: ExpressibleByArgument {
    let name: String
    let words: String

    init?(argument: String) {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else { return nil }
      (name, words) = (String(parts[0]), String(parts[1]))
    }
  }

  @Option(
    help: ArgumentHelp(
      "The designer's page instead of a built-in design: PDF, SVG, PNG or JPEG. A QR code on it is the place of the code.",
      valueName: "file"),
    completion: .file(extensions: ["pdf", "svg", "png", "jpg", "jpeg"]))
  var artwork: String?
  @Option(
    help: ArgumentHelp(
      "A place on the artwork in millimetres, such as code=12,30,40 or headline=12,80,90,15,size=24pt; may be repeated.",
      valueName: "name=x,y,w,h"),
    transform: Self.field)
  var field: [ArtworkField] = []
  @Option(
    help: ArgumentHelp(
      "A kind of print instead of a sheet: the name of a template, such as table-tent (--list-templates), or a file of your own.",
      valueName: "name|file"),
    completion: .list(PosterTemplate.names))
  var template: String?
  @Option(
    help: ArgumentHelp("The photo of a template: PNG, JPEG or SVG.", valueName: "file"),
    completion: .file(extensions: ["png", "jpg", "jpeg", "svg"]))
  var image: String?
  @Option(
    help: ArgumentHelp(
      "The words of a field of the artwork or template; may be repeated.", valueName: "name=words"))
  var text: [NamedText] = []

  /// The template that was named, or read from a file; `nil` without one.
  var posterTemplate: PosterTemplate? {
    get throws {
      try template.map { name in
        try name.lowercased().hasSuffix(".json")
          ? PosterTemplate(
            InputFile.bytes(of: name, limit: PosterTemplate.limits.fileBytes), named: name)
          : PosterTemplate(named: name)
      }
    }
  }

  private static func field(_ text: String) throws -> ArtworkField {
    do {
      return try ArtworkField(text)
    } catch {
      throw ValidationError("\(error.message) \(error.hint)")
    }
  }

  /// The file; `nil` for a built-in design.
  var file: PosterArtworkFile? {
    get throws {
      try artwork.map { artwork in
        PosterArtworkFile(
          try InputFile.bytes(of: artwork, limit: LogoPicture.limits.fileBytes), named: artwork,
          fields: field)
      }
    }
  }

  func validate() throws {
    guard artwork != nil || field.isEmpty else {
      throw ValidationError("--field needs --artwork.")
    }
  }
}

/// Options for the look of a poster.
struct PosterLookOptions: ParsableArguments {
  @Option(help: "The design: classic (default), bold or editorial.")
  var design: PosterDesign?
  @Option(
    help: ArgumentHelp(
      "The paper after trimming: A0 to A7, letter, legal, tabloid, or a size in mm such as 100x150 (default: A4).",
      valueName: "size"), completion: .papers)
  var paper: String?
  @Flag(help: "Use landscape orientation.")
  var landscape = false
  @Option(
    help: ArgumentHelp(
      "The colour of areas and of the ring: d81f26, navy, cmyk:0,100,81,4, or \"spot:PANTONE 186 C=0,100,81,4\".",
      valueName: "colour"))
  var accent = Colour.black
  @Option(
    help: ArgumentHelp(
      "A brand's colour instead of --accent and --ink, from which a palette follows.",
      valueName: "colour"))
  var palette: Colour?
  @Option(help: ArgumentHelp("The colour of words.", valueName: "colour"))
  var ink = Colour.black
  @Option(help: ArgumentHelp("The colour of the code's modules.", valueName: "colour"))
  var foreground = Colour.black
  @Option(help: ArgumentHelp("The colour of the code's background.", valueName: "colour"))
  var background = Colour.white
  @Option(
    help: ArgumentHelp("A font family for the words; may be repeated.", valueName: "family"))
  var font: [String] = []
  @Flag(help: "Draw the letters of a PDF as outlines instead of embedding fonts.")
  var outlineText = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The bleed beyond every edge, in millimetres (default: the template's, else 0).",
      valueName: "mm"),
    transform: LengthArgument.millimetres)
  var bleed: Double?
  @Flag(help: "Mark the corners for cutting.")
  var cropMarks = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The maximum width of a code, with its quiet zone, in millimetres.",
      valueName: "mm"), transform: LengthArgument.millimetres)
  var width: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The reading distance in millimetres; refused if phones cannot read the code.",
      valueName: "mm"), transform: LengthArgument.millimetres)
  var distance: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The printer's resolution in dots per inch (default: that of --print-on, else 600, less for PNG of a large page).",
      valueName: "dpi"))
  var dpi: Double?
  @Option(help: "The lowest error-correction level, L, M, Q or H; raised if that costs no size.")
  var errorCorrection: QRSymbol.ErrorCorrection = .medium
}

/// Options for a print shop.
struct PressOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Make PDF/X-4 for the printing condition of this ICC profile (CMYK), which the file then has.",
      valueName: "file"),
    completion: .file(extensions: ["icc", "icm"]))
  var outputIntent: String?

  /// The profile, read; `nil` without one.
  var condition: PrintingCondition? {
    get throws {
      try outputIntent.map {
        try PrintingCondition(try InputFile.bytes(of: $0, limit: 1 << 26), named: $0)
      }
    }
  }

  /// Checks that all files can have an output intent.
  func validate(_ outputs: [String]) throws {
    guard outputIntent != nil,
      let other = outputs.first(where: { $0 != "-" && !$0.lowercased().hasSuffix(".pdf") })
    else { return }
    throw ValidationError("--output-intent is for PDF files, not for \(other.printable).")
  }
}

extension PosterDesign: ExpressibleByArgument {}
