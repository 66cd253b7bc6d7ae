import Publishing
import AppStoreConnect
import ArgumentParser
import Foundation
import Invocation
import Issuing
import Registry

extension RegistryCommand {
  /// `cliptag registry pull`
  struct Pull: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take what App Store Connect holds of an app's clips into the registry.",
      discussion: """
        Clips, default and advanced experiences with their texts and pictures, TestFlight's \
        invocations, domains, sizes and what Apple found of the domains. What only the registry \
        knows stays: places, how links name them, codes. All of it comes in, or nothing.

        Make the key in App Store Connect, Users and Access, Integrations; App Manager suffices. \
        Add the options --app 1234567890 --key AuthKey_2X9R4HXF34.p8 --issuer UUID instead of \
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
        report.changes.json(type: "pull", source: snapshot.app, dryRun: dryRun),
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
