import CliptagPlatform
import Jobs
import CliptagBasics
import AppStoreConnect
import ArgumentParser
import Foundation
import Invocation
import Issuing
import Publishing
import Registry
import Verifying
import WebFetching

extension RegistryCommand {
  /// `cliptag registry pull`
  struct Pull: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "pull",
      abstract: "Import an app's clips from App Store Connect.",
      discussion: """
        Clips, default and advanced experiences with their texts and pictures, TestFlight's \
        invocations, domains, sizes and the status of the domains. Values that only the registry \
        has remain: places, their rules in links, codes. The import is complete or not made at all.

        Domains, size and minimum iOS are those of the build on sale, else of the newest.

        Create the key in App Store Connect, Users and Access, Integrations; the Marketing role \
        suffices. Add the options --app 1234567890 --key AuthKey_2X9R4HXF34.p8 --issuer UUID instead of \
        --from.

        Examples:
          cliptag registry pull --from Samples/fruta/app-store-connect --dry-run
          cliptag registry pull --from Samples/fruta/app-store-connect
        """)

    @OptionGroup var connect: ConnectOptions
    @Option(
      help: ArgumentHelp("Save App Store Connect's responses in this folder.", valueName: "folder"),
      completion: .directory)
    var save: String?
    @Option(
      help: ArgumentHelp(
        "The application identifier prefix of a clip if neither a build nor the registry has it.",
        valueName: "id"))
    var team: String?
    @Flag(help: "Also remove experiences of these clips that App Store Connect does not have.")
    var replaceAll = false
    @Flag(name: [.long, .customShort("n")], help: "Only show the changes.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      if save != nil, connect.from != nil {
        throw ValidationError("--save and --from exclude each other: those responses are saved.")
      }
    }

    func execute(_ console: Console) async throws {
      let snapshot = try await snapshot(console)
      let registry =
        dryRun ? try global.registryForReading(console) : try global.registryForWriting()
      let report = try registry.pull(
        snapshot, team: team, removesOthers: replaceAll, dryRun: dryRun)
      for note in report.notes { console.say("note: \(note)") }
      if !replaceAll {
        for link in report.onlyInRegistry {
          console.say("note: \(link.payload) is only in the registry; --replace-all removes it.")
        }
      }
      let name = "app \(snapshot.app)"
      console.result(
        of: ImportResult(
          report.changes, of: .appStoreConnect, source: snapshot.app, isRehearsal: dryRun),
        text: report.changes.text(name, dryRun, done: "pulled"))
    }

    private func snapshot(_ console: Console) async throws -> ConnectSnapshot {
      guard let save, connect.from == nil else { return try await connect.snapshot(console) }
      let (app, client) = try connect.client(console)
      let kept = KeptAnswers(client)
      let snapshot = try await ConnectSnapshot.read(app: app, from: kept)
      if !dryRun {
        try FileManager.default.createDirectory(
          atPath: save, withIntermediateDirectories: true)
        for file in kept.files {
          try AtomicFile(path: "\(save)/\(file.name)", bytes: file.body).commit()
        }
      }
      return snapshot
    }
  }
}

/// Options for the source of App Store Connect's answers: the network with a key, or a folder.
struct ConnectOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The app's number in the App Store (App Information, Apple ID).", valueName: "number"))
  var app: String?
  @Option(
    help: ArgumentHelp("The API key, a .p8 file of App Store Connect.", valueName: "file"),
    completion: .file(extensions: ["p8"]))
  var key: String?
  @Option(
    help: ArgumentHelp(
      "The key's identifier (default: that in the name AuthKey_ID.p8).", valueName: "id"))
  var keyID: String?
  @Option(
    help: ArgumentHelp("The issuer's identifier; individual keys have none.", valueName: "id"))
  var issuer: String?
  @Option(
    help: ArgumentHelp(
      "Use the responses saved in this folder instead of requests.", valueName: "folder"),
    completion: .directory)
  var from: String?
  @OptionGroup var server: ServerOptions

  /// A Boolean value that indicates whether the source of the answers was given.
  var isGiven: Bool { from != nil || key != nil }

  func validate() throws {
    if from != nil, key != nil {
      throw ValidationError("--from and --key exclude each other.")
    }
    if key != nil, app == nil { throw ValidationError("--key needs --app, the app's number.") }
    if key == nil, keyID != nil || issuer != nil {
      throw ValidationError("--key-id and --issuer need --key.")
    }
  }

  /// The folder's answers.
  func saved() throws -> (app: String, source: SavedAnswers)? {
    guard let from else { return nil }
    let source = SavedAnswers(folder: from)
    if let app { return (app, source) }
    let apps = try source.apps()
    guard apps.count == 1 else {
      throw Failure(
        "missing-answer", .noInput,
        apps.isEmpty
          ? "\(from) contains no responses of App Store Connect."
          : "\(from) contains the responses of several apps: \(apps.joined(separator: ", ")).",
        hint: apps.isEmpty
          ? "Give the folder from --save." : "Choose one with --app.", source: from)
    }
    return (apps[0], source)
  }

  /// A client with the key.
  func client(_ console: Console) throws -> (app: String, client: ConnectClient) {
    guard let key, let app else {
      throw Failure(
        "usage", .usage, "The source of App Store Connect's responses is missing.",
        hint: "Give --app, --key, --key-id and --issuer, or a folder with --from.")
    }
    guard let keyID = keyID ?? Self.identifier(inName: key) else {
      throw Failure(
        "usage", .usage, "The key's identifier is missing.",
        hint: "Give it with --key-id; App Store Connect shows it beside the key.")
    }
    let bytes = try InputFile.bytes(of: key, limit: SigningKey.maximumByteCount)
    let credentials = try Credentials(
      key: SigningKey(bytes), keyID: keyID, issuerID: issuer)
    try InputFile.refuseOpenSecret(key)
    let policy = server.applied(
      to: ConnectClient.fetching, hosts: ["api.appstoreconnect.apple.com"])
    return (
      app,
      ConnectClient(credentials, fetcher: WebFetcher(policy), tell: { console.say("note: \($0)") })
    )
  }

  /// The identifier in the name that App Store Connect gives the file.
  private static func identifier(inName path: String) -> String? {
    guard let name = path.split(separator: "/").last,
      let match = name.wholeMatch(of: /AuthKey_([A-Z0-9]+)\.p8/)
    else { return nil }
    return String(match.output.1)
  }

  /// Returns the data of App Store Connect.
  func snapshot(_ console: Console) async throws -> ConnectSnapshot {
    if let (app, source) = try saved() {
      return try await ConnectSnapshot.read(app: app, from: source)
    }
    let (app, client) = try client(console)
    return try await ConnectSnapshot.read(app: app, from: client)
  }
}
