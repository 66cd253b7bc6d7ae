import ArgumentParser
import CliptagBasics
import CliptagPlatform
import Foundation
import Invocation
import Jobs
import Registry

/// The options that every command takes.
struct GlobalOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The registry: a file, or a server as postgresql://host/database.",
      discussion: """
        Default: $CLIPTAG_REGISTRY, else that of the settings (cliptag config), else \
        $XDG_DATA_HOME/cliptag/registry.sqlite, else ~/.local/share/cliptag/registry.sqlite.
        """,
      valueName: "path"),
    completion: .file(extensions: ["sqlite"]))
  var registry: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The time limit for changes of the registry by other processes.",
      valueName: "seconds"))
  var registryWait: Double = 10

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The person, for the record and walks (default: $CLIPTAG_BY, else the login).",
      valueName: "name"))
  var by: String?

  @Flag(name: .long, help: "Print JSON Lines on standard output, one object per result.")
  var json = false

  @Flag(name: [.long, .customShort("q")], help: "Print errors only; with --json, results too.")
  var quiet = false

  @Flag(name: [.long, .customShort("v")], help: "Print details on standard error.")
  var verbose = false

  @Option(name: .long, help: "Use colour: auto, always or never.")
  var color: ColorChoice = .auto

  func validate() throws {
    guard registryWait >= 0, registryWait <= 86_400 else {
      throw ValidationError("--registry-wait must be 0 to 86400 seconds, not \(registryWait).")
    }
    if let person, person.isEmpty || person.count > 200 {
      throw ValidationError("--by must have 1 to 200 characters.")
    }
  }

  /// The location of the registry, in the order of the contract. A station has a separate name in
  /// `$CLIPTAG_STATION`: each run of a CI service may be on another machine.
  var registryLocation: RegistryLocation {
    .named(registryPath, station: Self.setting("CLIPTAG_STATION"))
  }

  /// The name of the operator, if one was given.
  var person: String? { by ?? Self.setting("CLIPTAG_BY") }

  /// The registry's name as it was given.
  var registryPath: String { namedRegistry ?? Self.defaultRegistry }

  /// The folder of the user's settings and keys.
  static var configurationFolder: String { UserFolders().configuration + "/cliptag" }

  /// The registry of a user who names none.
  static var defaultRegistry: String { UserFolders().data + "/cliptag/registry.sqlite" }

  /// A Boolean value that indicates whether the registry was named by option or environment.
  var isRegistryNamed: Bool { namedRegistry != nil }

  private var namedRegistry: String? { registry ?? Self.setting("CLIPTAG_REGISTRY") }

  /// An environment variable; an empty one counts as unset (XDG Base Directory Specification).
  static func setting(_ name: String) -> String? {
    // `ProcessInfo` would copy every variable for each of them.
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The console of this run.
  var console: Console { Console(json: json, quiet: quiet, verbose: verbose, color: color) }
}

extension GlobalOptions {
  /// Opens the registry for lookups; a missing file is an empty registry, which is noted on the
  /// console, if one is given.
  func registryForReading(_ console: Console?) throws(RegistryError) -> any RegistryStore {
    let opened = try registryLocation.open(
      for: .lookUp, busyTimeout: .seconds(registryWait), by: person)
    if let console {
      for note in opened.notes { console.say("note: \(note.own)") }
    }
    return opened
  }

  /// The registry for a verdict on all of it: a missing file is a failure, for nothing would be
  /// found wrong in it.
  func registryForReview(_ console: Console?) throws(RegistryError) -> any RegistryStore {
    let opened = try registryLocation.open(
      for: .review, busyTimeout: .seconds(registryWait), by: person)
    if let console {
      for note in opened.notes { console.say("note: \(note.own)") }
    }
    return opened
  }

  /// The registry for changing; a missing file is created.
  func registryForWriting() throws(RegistryError) -> any RegistryStore {
    // A folder that the user named must exist: a mistyped one is not created.
    try registryLocation.open(
      createsFolder: !isRegistryNamed, busyTimeout: .seconds(registryWait), by: person)
  }

  /// The registry for a command that changes it. A dry run gets a copy in memory, so that whatever
  /// would stop the change stops the dry run as well.
  func registryForChange(
    dryRun: Bool, _ console: Console
  ) throws(RegistryError) -> any RegistryStore {
    guard dryRun else { return try registryForWriting() }
    let registry = try registryForReading(console)
    return try registry.rehearsalCopy(by: registry.who)
  }
}

extension GlobalOptions {
  /// The workplace of a job that issues: a rehearsal only reads the registry.
  func workplace(
    _ matching: MatchingOptions? = nil, isRehearsal: Bool, _ console: Console
  ) throws(RegistryError) -> Workplace {
    Workplace(
      registry: isRehearsal ? try registryForReading(console) : try registryForWriting(),
      engine: matching?.matching ?? .segment, creationTime: SourceDate.seconds)
  }
}

/// The time that files state as that of their making, from `SOURCE_DATE_EPOCH`
/// (reproducible-builds.org).
enum SourceDate {
  /// Seconds since 1970, or nil to state none.
  static var seconds: Int? {
    GlobalOptions.setting("SOURCE_DATE_EPOCH").flatMap { Int($0) }
  }

  /// The same as a date; without the variable, now.
  static var now: Date { seconds.map { Date(timeIntervalSince1970: Double($0)) } ?? Date() }
}
