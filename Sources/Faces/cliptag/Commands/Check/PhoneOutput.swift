import CliptagBasics
public import ArgumentParser
import CodeDrawing
public import Invocation
import Issuing
import Publishing
import WebFetching

/// The phone that meets a payload, for `check`.
struct PhoneOptions: ParsableArguments {
  @Flag(help: "Show the steps of a phone and their evidence.")
  var explain = false
  @Option(
    help: ArgumentHelp(
      "The channel of the URL; this and each option below imply --explain (default: qr).",
      valueName: "way"))
  var via: InvocationChannel?
  @Option(
    help: ArgumentHelp("The phone's version of iOS, 14 to 27.", valueName: "version"),
    transform: version)
  var ios: IOSVersion?
  @Option(help: "The developer's installed program: none, clip or app.")
  var installed: InstalledSoftware?
  @Option(help: ArgumentHelp("The phone's language, such as DE.", valueName: "code"))
  var language: String?
  @Option(
    name: .customLong("association"),
    help: ArgumentHelp(
      "The association file of the URL's host; implies --explain.", valueName: "file"),
    completion: .file())
  var associationFile: String?
  @Option(
    help: ArgumentHelp(
      "The page at the URL, whose Smart App Banner selects one of several clips; with --via "
        + "banner or messages.", valueName: "file|url"),
    completion: .file(extensions: ["html", "htm"]))
  var page: String?
  @Option(
    name: .customLong("local-experience"),
    help: ArgumentHelp("A Local Experience on the phone; may be repeated.", valueName: "link"),
    transform: InvocationURL.init)
  var localExperiences: [InvocationURL] = []
  @Option(
    name: .customLong("card"),
    help: ArgumentHelp("Draw the card into an HTML page, light and dark.", valueName: "file"))
  var cardFile: String?
  @Option(
    name: .customLong("card-image"),
    help: ArgumentHelp("The card's picture, PNG or JPEG.", valueName: "file"))
  var cardImage: String?

  /// The page to write, when one was asked for.
  var cardPage: CardPage? { cardFile.map { CardPage(path: $0, imagePath: cardImage) } }

  /// The phone, when one was asked about.
  func situation() async throws -> PhoneSituation? {
    guard
      explain || via != nil || ios != nil || installed != nil || language != nil
        || associationFile != nil || page != nil || !localExperiences.isEmpty || cardFile != nil
    else { return nil }
    return PhoneSituation(
      channel: via ?? (page == nil ? .qr : .banner), version: ios ?? PhoneSituation.newestVersion,
      installed: installed ?? (localExperiences.isEmpty ? .none : .clip),
      language: language?.uppercased(),
      association: try associationFile.map {
        SiteAssociation.read(try InputFile.bytes(of: $0, limit: 1 << 20))
      }, page: try await banner(), localExperiences: localExperiences)
  }

  /// The banner of ``page``; an empty one when it has none.
  private func banner() async throws -> SmartAppBanner? {
    guard let page else { return nil }
    let limit = PageFetcher.standardPolicy.maximumBodyBytes
    let bytes =
      page.contains("://")
      ? try await PageFetcher().fetch(try InvocationURL(page).payload).body
      : try InputFile.bytes(of: page, limit: limit)
    let review = try BannerReview(
      page: bytes, url: nil, check: SmartAppBannerCheck(clips: []), directory: ExperienceCatalog())
    return review.banner ?? SmartAppBanner()
  }

  func validate() throws {
    if cardImage != nil, cardFile == nil {
      throw ValidationError("--card-image needs --card.")
    }
    if page != nil, let via, via != .banner, via != .messages {
      throw ValidationError(
        "--page needs --via banner or messages: a code is matched without the page.")
    }
    if let language, let problem = AdvancedExperience.problem(withLanguage: language.uppercased()) {
      throw ValidationError(problem)
    }
  }

  private static func version(_ text: String) throws -> IOSVersion {
    guard let version = IOSVersion(text),
      (IOSVersion.firstWithAppClips.major...PhoneSituation.newestVersion.major)
        .contains(version.major)
    else {
      throw ValidationError("a version from 14 to 18 or from 26 to 27, such as 16.4, not “\(text)”")
    }
    return version
  }
}

extension InvocationChannel: ExpressibleByArgument {}
extension InstalledSoftware: ExpressibleByArgument {}

extension PhoneAnswer {
  /// The lines that people read, below those of the verification.
  func text(_ style: Style) -> ConsoleText {
    let installed =
      switch situation.installed {
      case .none: "nothing installed"
      case .clip: "the clip installed"
      case .app: "the app installed"
      }
    var lines: [ConsoleText] = [
      "  phone     iOS \(situation.version), \(installed), by \(situation.channel.rawValue)"
    ]
    for step in steps {
      let mark: ConsoleText =
        switch step.result {
        case .passes: style.green("✓")
        case .doubtful: style.yellow("?")
        case .stops: style.red("✗")
        case .note: style.dim("·")
        }
      let ground = style.dim("[\(step.evidence.rawValue): \(step.source)]")
      lines.append(
        "  \(mark) \(step.stage.rawValue.padding(to: 17)) \(step.text.printable) \(ground)")
    }
    lines.append("  starts    \(ending)")
    return lines.joined(separator: "\n")
  }

  private var ending: String {
    switch start {
    case .clip: program.map { "the clip \($0)" } ?? "the clip"
    case .app: "the app \(program ?? "")"
    case .browser: "no clip; the phone offers the page\(unlessApp)"
    case .unavailable: "no clip; the phone shows it as unavailable\(unlessApp)"
    case .nothing: "nothing"
    }
  }
}

extension PhoneAnswer {
  /// The addition for a URL that an installed app may open, if the phone's apps are not known.
  private var unlessApp: String {
    steps.last?.stage == .launch && steps.last?.result == .doubtful
      ? ", unless the app opens it" : ""
  }
}

/// The page of `check --card`.
struct CardPage {
  let path: String
  let imagePath: String?

  /// The largest picture that is put into a page, in bytes.
  private static let maximumImageSize = 20_000_000

  /// Writes the page of one answer.
  ///
  /// - Throws: ``Failure`` when no card is shown, or a file cannot be read or written.
  func write(_ answer: PhoneAnswer, _ console: Console) throws {
    guard let card = answer.card else {
      throw Failure(
        "no-card", .notAccepted, "\(path) was not written: the phone shows no card for this URL.",
        hint: "See the steps above for the reason.", source: path)
    }
    let page = CardPreview(card: card, url: answer.verification.payload, image: try image())
    guard path != "-" else { return console.write(Array(page.html.utf8)) }
    let sink = try AtomicFile(.file(path))
    try sink.write(Array(page.html.utf8))
    try sink.commit()
    console.say("wrote \(path)")
  }

  private func image() throws -> CardPreview.Image? {
    guard let imagePath else { return nil }
    let bytes = try InputFile.bytes(of: imagePath, limit: Self.maximumImageSize)
    guard let image = CardPreview.Image(bytes: bytes) else {
      throw Failure(
        "not-a-picture", .malformedInput, "\(imagePath) is neither PNG nor JPEG.",
        hint: "Export the header image as PNG or JPEG, 1800 × 1200 pixels.", source: imagePath)
    }
    return image
  }
}
