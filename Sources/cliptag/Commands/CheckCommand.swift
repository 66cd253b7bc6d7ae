import ArgumentParser
import Deployment
import Invocation

/// `cliptag check URL…`
struct CheckCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Say what a phone would do with a payload.",
    discussion: """
      URL rules, association, experience, card and place. The location is confirmed only when a \
      position is given. With - the URLs come from standard input, one a line, and each is \
      answered as it comes.

      Examples:
        cliptag check https://fruta.example.com/order/cupertino
        cliptag check https://fruta.example.com/order/cupertino \\
          --at 37.3230,-122.0322
        cliptag check --json - < urls.txt
      """)

  @Argument(help: ArgumentHelp("Payloads to check; - for standard input.", valueName: "url"))
  var urls: [String]

  @OptionGroup var position: PositionOptions
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ console: Console) async throws {
    let registry = try global.registryForReading(console)
    let check = InvocationCheck(directory: registry, engine: matching.matching)
    for url in urls {
      if url == "-" {
        try examineLines(check, console)
      } else {
        try examine(url, source: VerifiedCode.argument, check, console)
      }
    }
  }

  private func examineLines(_ check: InvocationCheck, _ console: Console) throws {
    var lines = InputLines()
    var number = 0
    while let bytes = try lines.next() {
      number += 1
      guard !bytes.isEmpty else { continue }
      guard let line = String(validating: bytes, as: UTF8.self) else {
        console.report(
          Failure(
            "not-utf8", .malformedInput, "Line \(number) is not UTF-8 text.",
            hint: "Save the list as UTF-8; the other lines are checked all the same.",
            source: "-"))
        continue
      }
      try examine(line, source: "-", check, console)
    }
  }

  private func examine(
    _ payload: String, source: String, _ check: InvocationCheck, _ console: Console
  ) throws {
    let code = VerifiedCode(
      source: source,
      verification: try check.examine(
        payload: payload, carrier: .url, location: position.evidenceForLookup))
    console.show(code)
  }
}

extension Console {
  /// Prints one examined code and takes its verdict into the exit status.
  func show(_ code: VerifiedCode) {
    result(code.json, text: code.text(output))
    note(code.verification.verdict == .accepted ? .done : .notAccepted)
  }
}
