public import ArgumentParser
public import Invocation

/// The phone that meets a payload, for `check`.
struct PhoneOptions: ParsableArguments {
  @Flag(help: "Say step by step what a phone does, and how that is known.")
  var explain = false
  @Option(
    help: ArgumentHelp(
      "How the URL reaches the phone; this and each option below explain, too (default: qr).",
      valueName: "way"))
  var via: InvocationChannel?
  @Option(
    help: ArgumentHelp("The phone's version of iOS, 14 to 27.", valueName: "version"),
    transform: version)
  var ios: IOSVersion?
  @Option(help: "What of the developer is installed: none, clip or app.")
  var installed: InstalledSoftware?
  @Option(help: ArgumentHelp("The phone's language, such as DE.", valueName: "code"))
  var language: String?
  @Option(
    name: .customLong("association"),
    help: ArgumentHelp(
      "The association file that the URL's host serves; explains, too.", valueName: "file"),
    completion: .file())
  var associationFile: String?
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
  func situation() throws -> PhoneSituation? {
    guard
      explain || via != nil || ios != nil || installed != nil || language != nil
        || associationFile != nil || !localExperiences.isEmpty || cardFile != nil
    else { return nil }
    return PhoneSituation(
      channel: via ?? .qr, version: ios ?? PhoneSituation.newestVersion,
      installed: installed ?? (localExperiences.isEmpty ? .none : .clip),
      language: language?.uppercased(),
      association: try associationFile.map {
        SiteAssociation.read(try InputFile.bytes(of: $0, limit: 1 << 20))
      }, localExperiences: localExperiences)
  }

  func validate() throws {
    if cardImage != nil, cardFile == nil {
      throw ValidationError("--card-image needs --card, which names the page.")
    }
    if let language, let problem = AdvancedExperience.problem(withLanguage: language.uppercased()) {
      throw ValidationError(problem)
    }
  }

  private static func version(_ text: String) throws -> IOSVersion {
    guard let version = IOSVersion(text),
      (IOSVersion.firstWithAppClips.major...PhoneSituation.newestVersion.major)
        .contains(version.major)
    else { throw ValidationError("a version from 14 to 27, such as 16.4, not “\(text)”") }
    return version
  }
}

extension InvocationChannel: ExpressibleByArgument {}
extension InstalledSoftware: ExpressibleByArgument {}
