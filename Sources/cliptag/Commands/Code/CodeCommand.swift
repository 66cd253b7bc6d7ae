import CliptagBasics
import Invocation
import ArgumentParser
import Foundation
import Registry
import TagTypes
import Verifying

/// `cliptag code …`
struct CodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "code",
    abstract: "The codes that were issued, and their history.",
    subcommands: [
      List.self, Show.self, Retire.self, Note.self, Checkpoint.self, Witness.self, Export.self,
      Verify.self,
      Merge.self, Due.self,
    ])

  /// `cliptag code list`
  struct List: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "List issued codes, oldest first.",
      discussion: """
        Examples:
          cliptag code list
          cliptag code list --place cupertino
          cliptag code list --uid 04E10CDA993C80
          cliptag code list --follow --json

        With --follow it goes on until it is interrupted and prints a code again whenever its history goes \
        on, wherever that happens.
        """)
    @Option(help: "Only codes of this place, by its id.")
    var place: String?
    @Option(help: "Only codes that carry exactly this URL.")
    var url: String?
    @Option(help: "Only codes on the tag with this UID, in hexadecimal.")
    var uid: String?
    @Flag(help: "Retired codes too.")
    var all = false
    @Flag(name: [.long, .customShort("f")], help: "Go on with every code whose history goes on.")
    var follow = false
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let filter = CodeFilter(
        status: all ? nil : .issued, placeID: place, payload: url, tagUID: try uid.map(Self.uid))
      // A file that is not there yet could not be followed.
      let registry =
        follow ? try global.registryForReview(console) : try global.registryForReading(console)
      // Events that occur during the listing are reported behind the list.
      var heads = follow ? try await registry.read { try $0.chainHeads() } : []
      var isEmpty = true
      try registry.forEachPiece(of: filter) { codes in
        isEmpty = false
        for code in codes { console.result(code.json(history: nil), text: code.text) }
      }
      if isEmpty { console.say("No codes.") }
      while follow, !Task.isCancelled {
        let codes: [IssuedCode]
        (codes, heads) = try await registry.codesTold(after: heads)
        // A code that was retired meanwhile is reported as well: it was in the list.
        for code in codes where follows(code, filter) {
          console.result(code.json(history: nil), text: code.text)
        }
      }
    }

    private func follows(_ code: IssuedCode, _ filter: CodeFilter) -> Bool {
      (filter.placeID == nil || filter.placeID == code.placeID)
        && (filter.payload == nil || filter.payload == code.payload)
        && (filter.tagUID == nil || filter.tagUID == code.tagUID)
    }

    /// A UID as the registry keeps it, from any usual way to write it.
    private static func uid(_ text: String) throws -> String {
      guard let bytes = [UInt8](separatedHexadecimal: text) else {
        throw ValidationError("--uid takes hexadecimal such as 04E10CDA993C80; got \(text).")
      }
      return bytes.hexadecimal
    }
  }

  /// `cliptag code show ID…`
  struct Show: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show codes with their history.",
      discussion: "Example:\n  cliptag code show c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E")
    @Argument(help: "Names of codes, as list prints them.")
    var ids: [String]
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let registry = try global.registryForReading(console)
      for text in ids {
        guard let id = CodeID(text), let code = try registry.code(id: id) else {
          console.report(.notFound("code", text, see: "cliptag code list --all"))
          continue
        }
        let history = try registry.history(of: id)
        console.result(
          code.json(history: history),
          text: ([code.text] + history.map { "  \($0.text)" }).asLines)
      }
    }
  }

  /// `cliptag code retire ID…`
  struct Retire: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Withdraw codes: what still hangs should come down.",
      discussion: """
        A code cannot be brought back, so --yes is needed; its history stays.

        Examples:
          cliptag code retire --dry-run c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E
          cliptag code retire --yes c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E
        """)
    @Argument(help: "Names of codes, as list prints them.")
    var ids: [String]
    @Option(help: "Why, kept in the history.")
    var reason: String?
    @Flag(help: "Yes, withdraw them.")
    var yes = false
    @Flag(name: [.long, .customShort("n")], help: "Only say what would be withdrawn.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      if !yes, !dryRun {
        throw ValidationError("Retiring cannot be undone: add --yes, or --dry-run to look first.")
      }
    }

    func execute(_ console: Console) async throws {
      let registry =
        dryRun ? try global.registryForReading(console) : try global.registryForWriting()
      for text in ids {
        console.attempt(text) {
          guard let id = CodeID(text), let code = try registry.code(id: id) else {
            throw Failure.notFound("code", text, see: "cliptag code list --all")
          }
          if dryRun {
            guard code.status == .issued else { throw Failure.alreadyRetired(id) }
          } else {
            try registry.retire(
              id, at: Date(), by: registry.who, details: reason.map { ["reason": $0] } ?? [:])
          }
          if code.carrier == .appClipCode {
            console.say(
              "note: Apple asks that App Clip Codes which open nothing any more be removed.")
          }
          let after = dryRun ? code : try registry.code(id: id) ?? code
          console.result(
            after.json(history: try registry.history(of: id)),
            text: "\(dryRun ? "would retire" : "retired") \(after.text)")
        }
      }
    }
  }
}

extension IssuedCode {
  /// The `code` object of a listing; without its history where only the list was asked for.
  func json(history: [CodeEvent]?) -> JSONValue {
    .object([
      ("type", "code"), ("code", .string(id.description)), ("url", .string(payload)),
      ("carrier", .string(carrier.rawValue)), ("place", JSONValue(placeID)),
      ("created", .string(created.registryTimestamp)), ("registered", .bool(registered)),
      ("status", .string(status.rawValue)), ("output", JSONValue(output)),
      ("uid", JSONValue(tagUID)), ("tagType", JSONValue(tagType)),
      ("version", JSONValue(symbol?.version)),
      ("errorCorrection", JSONValue(symbol?.errorCorrection)),
      ("moduleSize", JSONValue(symbol?.moduleSize)), ("width", JSONValue(symbol?.width)),
      ("history", history.map { .array($0.map(\.json)) } ?? .null),
    ])
  }

  /// One line for people.
  var text: String {
    var parts = ["\(id)", carrier.rawValue, payload.printable]
    if let placeID { parts.append("place \(placeID)") }
    if let tagUID { parts.append("tag \(tagUID)") }
    if let output { parts.append(output) }
    if !registered { parts.append("not registered") }
    if status == .retired { parts.append("RETIRED") }
    return parts.joined(separator: "  ")
  }
}

extension CodeEvent {
  var json: JSONValue {
    .object([
      ("sequence", .integer(sequence)), ("time", .string(timestamp)),
      ("kind", .string(kind.rawValue)), ("who", .string(who)),
      (
        "details",
        .object(details.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
      ),
    ])
  }

  var text: String {
    let facts = details.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.printable)" }
    return
      "\(timestamp)  \(kind.rawValue.padding(to: 9)) by \(who)  \(facts.joined(separator: ", "))"
  }
}

extension Failure {
  /// Returns the registry's failure for retiring a code twice.
  fileprivate static func alreadyRetired(_ id: CodeID) -> Failure {
    Failure(
      RegistryError.Code.alreadyRetired.rawValue, .usage,
      "The code \(id) was retired before.", hint: "Nothing needs doing; its history says when.",
      source: id.description)
  }
}
