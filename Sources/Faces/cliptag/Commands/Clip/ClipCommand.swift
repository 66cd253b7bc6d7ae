import ArgumentParser
import CliptagBasics
import Invocation
import Jobs
import Registry

/// `cliptag clip …`
struct ClipCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clip",
    abstract: "Manage the App Clips of the registry.",
    subcommands: [List.self, Show.self, Add.self, Remove.self])

  /// `cliptag clip list`
  struct List: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List every App Clip.", discussion: "Example:\n  cliptag clip list")
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let registry = try global.registryForReading(console)
      let clips = try registry.clips()
      for clip in clips { try console.show(clip, of: registry) }
      if clips.isEmpty {
        console.say(
          "No clips. Begin a registry file: cliptag registry init --example registry.yaml")
      }
    }
  }

  /// `cliptag clip show CLIP…`
  struct Show: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show App Clips by their bundle identifiers.",
      discussion: "Example:\n  cliptag clip show com.example.fruta.Clip")
    @Argument(
      help: ArgumentHelp("Bundle identifiers of clips.", valueName: "clip"), completion: .clips)
    var clips: [String]
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let registry = try global.registryForReading(console)
      for bundleID in clips {
        console.attempt(bundleID) {
          try console.show(try registry.existingClip(bundleID), of: registry)
        }
      }
    }
  }

  /// `cliptag clip add CLIP`
  struct Add: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add an App Clip.",
      discussion: """
        Its experiences are added with cliptag experience add, its places with cliptag place add; a \
        registry file (cliptag registry import) has all of them at once.

        Example:
          cliptag clip add com.example.gelato.Clip --team ABCDE12345 \\
            --domain gelato.example.com --title Gelato --location-confirmation
        """)
    @Argument(help: "The clip's bundle identifier.")
    var clip: String
    @Option(
      help: ArgumentHelp(
        "The app's bundle identifier (default: the clip's without its last part).",
        valueName: "bundle"))
    var app: String?
    @Option(help: "The team identifier: ten capital letters and digits.")
    var team: String
    @Option(
      help: ArgumentHelp(
        "A host of the clip's appclips: entitlements; may be repeated.", valueName: "host"))
    var domain: [String]
    @Option(help: ArgumentHelp("The app's number in the App Store.", valueName: "number"))
    var appStoreID: String?
    @Option(help: "The app's name, for posters.")
    var name: String?
    @Option(help: "Title of the default experience's card, at most 30 characters.")
    var title: String?
    @Option(help: "Subtitle of that card, at most 56 characters.")
    var subtitle: String?
    @Option(help: "The card's button: OPEN, VIEW or PLAY.")
    var action: CardAction = .open
    @Flag(help: "The clip confirms the phone's location before it acts.")
    var locationConfirmation = false
    @Flag(help: "Replace the clip if it exists. Its experiences stay.")
    var replace = false
    @Flag(name: [.long, .customShort("n")], help: "Only show the addition.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let hosts = domain.map { (try? HostName.parse($0)) ?? $0 }
      var added = AppClip(
        bundleID: clip,
        appBundleID: app ?? clip.split(separator: ".").dropLast().joined(separator: "."),
        team: team, appStoreID: appStoreID, domains: hosts,
        locationConfirmation: locationConfirmation,
        defaultExperience: title == nil && subtitle == nil
          ? nil : ExperienceCard(title: title, subtitle: subtitle, action: action),
        listing: ClipListing(name: name))
      let registry = try global.registryForChange(dryRun: dryRun, console)
      if replace, let former = try registry.clip(bundleID: clip) {
        // What App Store Connect holds besides has no options here, and must not be lost by that.
        added.listing = former.listing
        added.listing.name = name ?? former.listing.name
        try registry.replace(added)
      } else {
        try registry.add(added)
      }
      try console.show(added, of: registry, dryRun ? "would add " : "added ")
    }
  }

  /// `cliptag clip remove CLIP…`
  struct Remove: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove App Clips.",
      discussion: """
        A clip with experiences is kept unless --with-experiences is given.

        Example:
          cliptag clip remove com.example.fruta.rewards.Clip --with-experiences
        """)
    @Argument(
      help: ArgumentHelp("Bundle identifiers of clips.", valueName: "clip"), completion: .clips)
    var clips: [String]
    @Flag(help: "Remove its experiences, too.")
    var withExperiences = false
    @Flag(name: [.long, .customShort("n")], help: "Only show the removal.")
    var dryRun = false
    @Flag(help: "Do not prompt on the terminal.")
    var yes = false
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let registry = try global.registryForChange(dryRun: dryRun, console)
      for bundleID in clips {
        console.attempt(bundleID) {
          let clip = try registry.existingClip(bundleID)
          let count = try registry.experiences(ofClip: bundleID).count
          guard
            try Prompt.isAgreed(
              "Remove \(clip.text(experiences: count))?", isGiven: yes || dryRun, console)
          else { return }
          try registry.removeClip(bundleID: bundleID, evenIfInUse: withExperiences)
          console.result(
            of: ClipResult(clip, experiences: count),
            text: "\(dryRun ? "would remove" : "removed") \(clip.text(experiences: count))")
        }
      }
    }
  }
}

extension RegistryStore {
  /// The clip with a bundle identifier.
  fileprivate func existingClip(_ bundleID: String) throws -> AppClip {
    if let clip = try clip(bundleID: bundleID) { return clip }
    throw NotOnRecord(kind: .clip, name: bundleID, among: try clips().map(\.bundleID))
  }
}

extension Console {
  fileprivate func show(
    _ clip: AppClip, of registry: any RegistryStore, _ verb: String = ""
  ) throws {
    let count = try registry.experiences(ofClip: clip.bundleID).count
    result(
      of: ClipResult(clip, experiences: count), text: "\(verb)\(clip.text(experiences: count))")
  }
}

extension AppClip {
  /// One line for people.
  fileprivate func text(experiences: Int) -> String {
    let name = listing.name.map { " (\($0))" } ?? ""
    return "\(bundleID)\(name): \(domains.joined(separator: ", ")), \(experiences.of("experience"))"
      + (locationConfirmation ? ", confirms the location" : "")
  }
}
