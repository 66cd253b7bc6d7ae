import CliptagBasics
import Jobs
public import ArgumentParser
import Foundation
public import Invocation
import Registry

/// `cliptag experience …`
struct ExperienceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "experience",
    abstract: "Manage the App Clip experiences of the registry.",
    subcommands: [List.self, Show.self, Add.self, Remove.self])

  /// `cliptag experience list`
  struct List: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List default and advanced experiences.",
      discussion: """
        Examples:
          cliptag experience list
          cliptag experience list --clip com.example.fruta.Clip
        """)
    @Option(help: "Only the experiences of one clip, by its bundle identifier.", completion: .clips)
    var clip: String?
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      try console.showExperiences(of: global.registryForReading(console), clip: clip)
    }
  }

  /// `cliptag experience show LINK…`
  struct Show: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show advanced experiences by their links.",
      discussion: "Example:\n  cliptag experience show https://fruta.example.com/order")
    @Argument(
      help: ArgumentHelp("Links of experiences.", valueName: "link"), completion: .experiences)
    var links: [String]
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let registry = try global.registryForReading(console)
      for text in links {
        console.attempt(text) {
          guard let experience = try registry.experience(link: try InvocationURL(text)) else {
            throw try NotOnRecord(experience: text, in: registry)
          }
          console.result(
            of: ListedExperienceResult(experience), text: experience.text)
        }
      }
    }
  }

  /// `cliptag experience add LINK`
  struct Add: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add an advanced experience to a clip.",
      discussion: """
        The clip itself comes from a registry file (cliptag registry import) or cliptag clip add.

        Example:
          cliptag experience add https://fruta.example.com/gift \\
            --clip com.example.fruta.Clip --title Fruta --subtitle "Give a smoothie"
        """)
    @Argument(help: "The registered URL prefix.")
    var link: String
    @Option(help: "Bundle identifier of the App Clip.", completion: .clips)
    var clip: String
    @Option(help: "Title of the card, at most 30 characters.")
    var title: String?
    @Option(help: "Subtitle of the card, at most 56 characters.")
    var subtitle: String?
    @Option(help: "The card's button: OPEN, VIEW or PLAY.")
    var action: CardAction = .open
    @Option(help: "Default language, for example EN.")
    var language = "EN"
    @Option(help: "RECEIVED, DEACTIVATED or APP_TRANSFER_IN_PROGRESS.")
    var status: ExperienceStatus = .received
    @OptionGroup var place: PlaceRuleOptions
    @Flag(help: "Replace the experience with this link if it exists.")
    var replace = false
    @Flag(name: [.long, .customShort("n")], help: "Only show the addition.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      var experience = AdvancedExperience(
        clip: clip, link: try InvocationURL(link),
        card: ExperienceCard(title: title, subtitle: subtitle, action: action),
        language: language, status: status, place: try place.rule())
      let registry = try global.registryForChange(dryRun: dryRun, console)
      if replace, let former = try registry.experience(link: experience.link) {
        // What App Store Connect holds besides has no options here, and must not be lost by that.
        experience.listing = former.listing
        try registry.replace(experience)
      } else {
        try registry.add(experience)
      }
      console.result(
        of: ListedExperienceResult(experience),
        text: "\(dryRun ? "would add" : "added") \(experience.text)")
    }
  }

  /// `cliptag experience remove LINK…`
  struct Remove: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove advanced experiences.",
      discussion: "Example:\n  cliptag experience remove https://fruta.example.com/gift")
    @Argument(
      help: ArgumentHelp("Links of experiences.", valueName: "link"), completion: .experiences)
    var links: [String]
    @Flag(name: [.long, .customShort("n")], help: "Only show the removal.")
    var dryRun = false
    @Flag(help: "Do not prompt on the terminal.")
    var yes = false
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let registry = try global.registryForChange(dryRun: dryRun, console)
      for text in links {
        console.attempt(text) {
          let link = try InvocationURL(text)
          guard let experience = try registry.experience(link: link) else {
            throw try NotOnRecord(experience: text, in: registry)
          }
          guard
            try Prompt.isAgreed(
              "Remove \(experience.text)?", isGiven: yes || dryRun, console)
          else { return }
          try registry.removeExperience(link: link)
          console.result(
            of: ListedExperienceResult(experience),
            text: "\(dryRun ? "would remove" : "removed") \(experience.text)")
        }
      }
    }
  }
}

/// Options for how a payload under the link names its place; at most one of these.
struct PlaceRuleOptions: ParsableArguments {
  @Option(
    name: .customLong("place"),
    help: ArgumentHelp("Codes under the link always belong to this place.", valueName: "id"),
    completion: .places)
  var fixed: String?
  @Option(
    name: .customLong("place-path"),
    help: ArgumentHelp("The place is in the path: /order/{place}.", valueName: "template"))
  var path: String?
  @Option(
    name: .customLong("place-query"),
    help: ArgumentHelp("The place is in this query item.", valueName: "name"))
  var query: String?

  func validate() throws {
    if [fixed, path, query].compactMap({ $0 }).count > 1 {
      throw ValidationError("Give one of --place, --place-path and --place-query.")
    }
  }

  func rule() throws -> PlaceRule? {
    if let fixed { return .fixed(id: fixed) }
    if let path { return .path(template: try PathTemplate(path)) }
    return query.map { PlaceRule.query(item: $0) }
  }
}

extension Console {
  /// Lists the experiences of all clips, or of one.
  ///
  /// - Throws: ``Failure`` for a clip that the registry does not hold.
  func showExperiences(of registry: any RegistryStore, clip: String? = nil) throws {
    let all = try registry.clips()
    let clips = all.filter { clip == nil || $0.bundleID == clip }
    if clips.isEmpty, let clip {
      throw NotOnRecord(kind: .clip, name: clip, among: all.map(\.bundleID))
    }
    for found in clips {
      if let card = found.defaultExperience {
        result(of: ListedExperienceResult(card, of: found), text: found.text(of: card))
      }
      for experience in try registry.experiences(ofClip: found.bundleID) {
        result(of: ListedExperienceResult(experience), text: experience.text)
      }
    }
    if clips.isEmpty {
      say("No experiences. Begin a registry file: cliptag registry init --example registry.yaml")
    }
  }
}

extension CardAction: ExpressibleByArgument {}
extension ExperienceStatus: ExpressibleByArgument {}

extension AdvancedExperience {
  /// One line for people.
  var text: String {
    let words = [card.title, card.subtitle].compactMap { $0 }.joined(separator: ": ")
    let state = status == .received ? "" : " (\(status.rawValue))"
    return "\(link.payload)\(state): \(words) [\(card.action.rawValue)], \(clip)"
  }
}

extension AppClip {
  func text(of card: ExperienceCard) -> String {
    let words = [card.title, card.subtitle].compactMap { $0 }.joined(separator: ": ")
    return """
      default on \(domains.joined(separator: ", ")): \(words) [\(card.action.rawValue)], \(bundleID)
      """
  }
}
