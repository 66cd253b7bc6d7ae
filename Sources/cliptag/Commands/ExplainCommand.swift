import ArgumentParser
import Deployment

/// `cliptag explain`
struct ExplainCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say what the code of a finding or a failure means.",
    discussion: """
      Codes stand in brackets behind what is found, and in the member code of JSON. They never \
      change their meaning. Without arguments every code is listed.

      Examples:
        cliptag explain bare-prefix
        cliptag explain torn-write tag-locked
        cliptag explain --json > codes.jsonl
      """)

  @Argument(help: ArgumentHelp("The codes.", valueName: "code"))
  var codes: [String] = []

  @OptionGroup var global: GlobalOptions

  func execute(_ console: Console) async throws {
    guard !codes.isEmpty else {
      for entry in CodeEntry.all { console.result(entry.json, text: entry.text) }
      return
    }
    for code in codes {
      let entries = CodeEntry.all.filter { $0.code == code }
      if entries.isEmpty { console.report(Self.unknown(code)) }
      for entry in entries { console.result(entry.json, text: entry.text) }
    }
  }

  private static func unknown(_ code: String) -> Failure {
    if let status = Int32(code).flatMap(ExitStatus.init(rawValue:)) {
      return Failure(
        "unknown-code", .usage, "\(code.printable) is no code but an exit status.",
        hint: "It means: \(status.meaning)")
    }
    let nearest = NearestNames(of: code, among: CodeEntry.all.map(\.code)).names
    return Failure(
      "unknown-code", .usage, "There is no code “\(code.printable)”.",
      hint: nearest.isEmpty
        ? "See all of them with cliptag explain."
        : "Did you mean \(nearest.joined(separator: ", "))? See all of them with cliptag explain.")
  }
}
