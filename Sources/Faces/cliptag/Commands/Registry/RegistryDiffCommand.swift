import Jobs
import CliptagBasics
import AppStoreConnect
import ArgumentParser
import Foundation
import Invocation
import Publishing
import Registry
import TagTypes
import Verifying

extension RegistryCommand {
  /// `cliptag registry diff`
  struct Diff: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "Compare the registry with a file or App Store Connect.",
      discussion: """
        For App Store Connect, compares only its own values and the clips of the app: not \
        places, and not their rules in links. The exit status is 1 if there are differences.

        Examples:
          cliptag registry diff Samples/fruta/registry.yaml
          cliptag registry diff --from Samples/fruta/app-store-connect
        """)

    @Argument(
      help: ArgumentHelp("A registry file to compare with.", valueName: "file"),
      completion: .file(extensions: ["yaml", "yml", "json"]))
    var file: String?
    @OptionGroup var connect: ConnectOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard file != nil || connect.isGiven else {
        throw ValidationError("Give a file, --from or --key to compare with.")
      }
    }

    func execute(_ console: Console) async throws {
      let snapshot = connect.isGiven ? try await connect.snapshot(console) : nil
      let present = try global.registryForReading(console).document()
      var names = [DifferenceResult.Side.registry]
      var sides = [ComparedDocument(present)]
      if let snapshot {
        let side = try snapshot.compared(over: present)
        for note in side.notes { console.say("note: \(note)") }
        names.append(.appStoreConnect)
        sides.append(side.document)
      }
      if let file {
        names.append(.file)
        sides.append(ComparedDocument(try RegistryDocument.read(file, beside: present)))
      }
      let differences = ComparedDocument.differences(among: sides)
      var last: DocumentDifference?
      for difference in differences {
        let isSame = last.map { $0.kind == difference.kind && $0.key == difference.key } ?? false
        console.result(
          of: DifferenceResult(difference, among: names),
          text: difference.text(names, isFirst: !isSame))
        last = difference
      }
      let words = differences.count == 1 ? "1 difference" : "\(differences.count) differences"
      console.say(differences.isEmpty ? "no difference" : words)
      if !differences.isEmpty { console.note(.notAccepted) }
    }
  }
}

extension RegistryDocument {
  /// Reads a file that may name places of the registry.
  static func read(_ path: String, beside registry: RegistryDocument) throws -> RegistryDocument {
    let format: Format = path == "-" ? .yaml : try Format(requiredOf: path)
    let bytes = try InputFile.bytes(of: path, limit: maximumSize)
    return try read(
      Data(bytes), as: format, name: path, knownPlaces: Set(registry.places.map(\.id))
    ).document
  }
}

extension DocumentDifference {
  /// - Parameter isFirst: Whether the thing has not been named yet.
  fileprivate func text(_ names: [DifferenceResult.Side], isFirst: Bool) -> ConsoleText {
    func words(_ name: DifferenceResult.Side) -> String {
      switch name {
      case .registry: "registry"
      case .appStoreConnect: "App Store Connect"
      case .file: "file"
      }
    }
    var lines = isFirst ? ["\(kind) \(key)"] : []
    guard let field else {
      lines.append("  missing in: \(missing.map { words(names[$0]) }.joined(separator: ", "))")
      return lines.asLines
    }
    lines.append("  \(field)")
    let width = names.map { words($0).count }.max() ?? 0
    lines += names.indices.map {
      "    \(words(names[$0]).padding(to: width))  \(values[$0] ?? "–")"
    }
    return lines.asLines
  }
}

extension RegistryCommand {
  /// `cliptag registry counters`
  struct Counters: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "counters",
      abstract: "List the last counters of tags that make Secure Unique NFC messages.",
      discussion: """
        A message with a counter that is not higher is a copy. A tag that was reset counts \
        from 0: forget its counter, and all its messages since then are valid again.

        Examples:
          cliptag registry counters
          cliptag registry counters --forget 04DE5F1EACC040 --dry-run
        """)

    @Option(
      help: ArgumentHelp(
        "Forget the counters of these tags, by UID in hexadecimal.", valueName: "uid"))
    var forget: [String] = []

    @Flag(name: [.long, .customShort("n")], help: "Only show the planned removals.")
    var dryRun = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
      for uid in forget where [UInt8](separatedHexadecimal: uid)?.isEmpty != false {
        throw ValidationError("--forget must be a UID in hexadecimal, not \(uid).")
      }
    }

    func execute(_ console: Console) async throws {
      guard !forget.isEmpty else {
        for counter in try global.registryForReading(console).tagCounters() {
          show(counter, forgotten: false, console)
        }
        return
      }
      if dryRun {
        let known = try global.registryForReading(console).tagCounters()
        for uid in uids {
          console.attempt(uid) {
            guard let counter = known.first(where: { $0.uid == uid }) else {
              throw RegistryError.noCounter(ofTag: uid)
            }
            show(counter, forgotten: true, console)
          }
        }
      } else {
        let registry = try global.registryForWriting()
        for uid in uids {
          console.attempt(uid) {
            show(try registry.forgetCounter(ofTag: uid), forgotten: true, console)
          }
        }
      }
    }

    /// The UIDs as the registry writes them.
    private var uids: [String] {
      forget.compactMap { [UInt8](separatedHexadecimal: $0)?.hexadecimal }
    }

    private func show(_ counter: TagCounter, forgotten: Bool, _ console: Console) {
      let seen = counter.seen.registryTimestamp
      let words = "tag \(counter.uid)  counter \(counter.counter)  seen \(seen)"
      console.result(
        of: CounterResult(
          counter, isForgotten: forgotten && !dryRun, isRehearsal: dryRun),
        text: forgotten ? "\(dryRun ? "would forget" : "forgot") \(words)" : words)
    }
  }
}
