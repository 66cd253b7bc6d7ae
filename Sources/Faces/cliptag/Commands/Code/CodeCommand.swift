import Jobs
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
    abstract: "List issued codes and their history.",
    subcommands: [
      List.self, Show.self, Retire.self, Note.self, Checkpoint.self, Witness.self, Export.self,
      Verify.self,
      Merge.self, Due.self,
    ])

  /// `cliptag code list`
  struct List: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List issued codes, oldest first.",
      discussion: """
        Examples:
          cliptag code list
          cliptag code list --place cupertino
          cliptag code list --uid 04E10CDA993C80
          cliptag code list --follow --json

        With --follow, runs until interrupted and prints a code again at each change of its \
        history, made by any program.
        """)
    @Option(help: "Only codes of this place, by its id.", completion: .places)
    var place: String?
    @Option(help: "Only codes with exactly this URL.")
    var url: String?
    @Option(help: "Only codes on the tag with this UID, in hexadecimal.")
    var uid: String?
    @Flag(help: "Retired codes too.")
    var all = false
    @Flag(name: [.long, .customShort("f")], help: "Continue with each code whose history changes.")
    var follow = false
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let filter = CodeFilter(
        status: all ? nil : .issued, placeID: place, payload: url, tagUID: try uid.map(Self.uid))
      // A file that is not there yet could not be followed.
      let registry =
        follow ? try global.registryForReview(console) : try global.registryForReading(console)
      // A place that was removed may still have codes.
      if let place, try registry.place(id: place) == nil,
        try registry.codes(CodeFilter(status: nil, placeID: place)).isEmpty
      {
        throw try NotOnRecord(place: place, in: registry)
      }
      var job = ListCodes(filter)
      job.follows = follow
      _ = try await job.run(in: Workplace(registry: registry)) { event in
        switch event {
        case .codes(let codes):
          for code in codes {
            console.result(of: code.result, text: code.code.text(code.items))
          }
        case .listed(let count): if count == 0 { console.say("No codes.") }
        }
      }
    }

    /// A UID as the registry keeps it, from any usual way to write it.
    private static func uid(_ text: String) throws -> String {
      guard let bytes = [UInt8](separatedHexadecimal: text) else {
        throw ValidationError("--uid must be hexadecimal such as 04E10CDA993C80, not \(text).")
      }
      return bytes.hexadecimal
    }
  }

  /// `cliptag code show ID…`
  struct Show: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show codes with their items and their history.",
      discussion: """
        Examples:
          cliptag code show c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E
          cliptag code show 1C3D5E
        """)
    @Argument(
      help: "Names of codes, as list prints them, or a part of name or URL that no other has.",
      completion: .codes)
    var ids: [String]
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let registry = try global.registryForReading(console)
      for text in ids {
        let name = CodeItem.parts(of: text)?.code.description ?? text
        guard let code = try registry.code(meantBy: name) else {
          console.report(.notFound("code", text, see: "cliptag code list --all"))
          continue
        }
        let history = try registry.history(of: code.id)
        let items = try registry.items(of: code)
        let lines =
          items.map { "  item \($0.name)  \($0.words.printable)" } + history.map { "  \($0.text)" }
        console.result(
          of: CodeResult(code, items: items, history: history),
          text: ([code.text(items)] + lines).asLines)
      }
    }
  }

  /// `cliptag code retire ID…`
  struct Retire: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "retire",
      abstract: "Retire codes that must be removed.",
      discussion: """
        Retirement is permanent: it needs an answer on the terminal, or --yes; the history remains. The name of an item, \
        as show prints it, retires that print alone: it was thrown away and is no longer expected. \
        Printing its file again makes it anew.

        Examples:
          cliptag code retire --dry-run c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E
          cliptag code retire --yes c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E
        """)
    @Argument(
      help: "Names of codes, as list prints them, or of items, as show does.", completion: .codes)
    var ids: [String]
    @Option(help: "The reason, for the history.")
    var reason: String?
    @Flag(help: "Do not prompt on the terminal.")
    var yes = false
    @Flag(name: [.long, .customShort("n")], help: "Only show the codes to retire.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      if !yes, !dryRun, global.json || !Prompt.isPossible {
        throw ValidationError("Retirement is permanent: add --yes, or --dry-run for a preview.")
      }
    }

    func execute(_ console: Console) async throws {
      let workplace = Workplace(
        registry: dryRun
          ? try global.registryForReading(console) : try global.registryForWriting())
      if !yes, !dryRun {
        var lines: [String] = []
        for text in ids {
          var job = RetireCode(text)
          job.dryRun = true
          lines.append("  \(try await job.run(in: workplace).line)")
        }
        let question = (lines + ["Retire \(ids.count == 1 ? "it" : "these") for good?"]).asLines
        guard try Prompt.isAgreed(question, isGiven: false, console) else { return }
      }
      for text in ids {
        var job = RetireCode(text)
        job.reason = reason
        job.dryRun = dryRun
        await console.reportingFailure(of: text) { [job] in
          let retired = try await job.run(in: workplace)
          if retired.code.carrier == .appClipCode, retired.retiredItem == nil {
            console.say(
              "note: Apple requires the removal of App Clip Codes that no longer work.")
          }
          console.result(
            of: retired.result,
            text: "\(dryRun ? "would retire" : "retired") \(retired.line)")
        }
      }
    }
  }
}

extension CodeWithHistory {
  /// The code or the item in one line.
  fileprivate var line: String {
    retiredItem.map { "\($0.name)  \($0.words.printable)" } ?? code.text(items)
  }
}

extension IssuedCode {
  /// One line for people, with every file of the code's items, or of the code if none are given.
  func text(_ items: [CodeItem]) -> String {
    let files = items.files.isEmpty ? [output].compactMap(\.self) : items.files
    var parts = ["\(id)", carrier.rawValue, payload.printable]
    if let placeID { parts.append("place \(placeID)") }
    if let tagUID { parts.append("tag \(tagUID)") }
    if !files.isEmpty { parts.append(files.map(\.printable).joined(separator: ", ")) }
    if let counts = items.counts { parts.append(counts) }
    if !registered { parts.append("not registered") }
    if status == .retired { parts.append("RETIRED") }
    return parts.joined(separator: "  ")
  }
}

extension CodeEvent {
  var text: String {
    let facts = details.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.printable)" }
    return
      "\(timestamp)  \(kind.rawValue.padding(to: 9)) by \(who)  \(facts.joined(separator: ", "))"
  }
}
