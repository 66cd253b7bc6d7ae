import Jobs
import CliptagBasics
import AppStoreConnect
import ArgumentParser
import Foundation
import Glibc
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
      abstract: "Take what App Store Connect holds of an app's clips into the registry.",
      discussion: """
        Clips, default and advanced experiences with their texts and pictures, TestFlight's \
        invocations, domains, sizes and what Apple found of the domains. What only the registry \
        knows stays: places, how links name them, codes. All of it comes in, or nothing.

        Domains, size and minimum iOS are those of the build on sale, else of the newest.

        Make the key in App Store Connect, Users and Access, Integrations; the Marketing role \
        suffices. Add the options --app 1234567890 --key AuthKey_2X9R4HXF34.p8 --issuer UUID instead of \
        --from.

        Examples:
          cliptag registry pull --from Samples/fruta/app-store-connect --dry-run
          cliptag registry pull --from Samples/fruta/app-store-connect
        """)

    @OptionGroup var connect: ConnectOptions
    @Option(
      help: ArgumentHelp("Save App Store Connect's answers in this folder.", valueName: "folder"),
      completion: .directory)
    var save: String?
    @Option(
      help: ArgumentHelp(
        "The application identifier prefix of a clip that neither a build nor the registry knows.",
        valueName: "id"))
    var team: String?
    @Flag(help: "Also remove experiences of these clips that App Store Connect does not have.")
    var replaceAll = false
    @Flag(name: [.long, .customShort("n")], help: "Only say what would change.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      if save != nil, connect.from != nil {
        throw ValidationError("--save and --from exclude each other: those answers are saved.")
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
      "The key's identifier; without it, that in the name AuthKey_ID.p8.", valueName: "id"))
  var keyID: String?
  @Option(
    help: ArgumentHelp("The issuer's identifier; the key of one person has none.", valueName: "id"))
  var issuer: String?
  @Option(
    help: ArgumentHelp(
      "Take answers that were saved in this folder instead of asking.", valueName: "folder"),
    completion: .directory)
  var from: String?
  @OptionGroup var server: ServerOptions

  /// A Boolean value that indicates whether the source of the answers was given.
  var isGiven: Bool { from != nil || key != nil }

  func validate() throws {
    if from != nil, key != nil {
      throw ValidationError("--from and --key exclude each other: answers come from one place.")
    }
    if key != nil, app == nil { throw ValidationError("--key needs --app, the app's number.") }
    if key == nil, keyID != nil || issuer != nil {
      throw ValidationError("--key-id and --issuer go with --key.")
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
          ? "\(from) holds no answers of App Store Connect."
          : "\(from) holds the answers of several apps: \(apps.joined(separator: ", ")).",
        hint: apps.isEmpty
          ? "Name the folder that --save made." : "Choose one with --app.", source: from)
    }
    return (apps[0], source)
  }

  /// A client with the key.
  func client(_ console: Console) throws -> (app: String, client: ConnectClient) {
    guard let key, let app else {
      throw Failure(
        "usage", .usage, "Nothing says where App Store Connect's answers come from.",
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
