import Foundation
import SimulatedReader
import Testing

/// Sessions as users see them, kept as text files and compared to the letter.
///
/// A file in `Transcripts` is a list of steps; everything else in it is written by the command:
///
///     # a comment
///     @ ntag215                    a simulated reader with this tag, READER from here on
///     $ cliptag check URL          a line of shell
///     < https://…                  its standard input, line by line
///       ACCEPTED  https://…        what it printed on standard output
///     ! note: …                    what it printed on standard error
///     = 0                          its exit status
///
/// Text that differs from run to run is written as CODE1, TIME, DATE, USER, READER, RECORDER, HASH
/// and ROOT. After a change of words, `CLIPTAG_WRITE_TRANSCRIPTS=1 swift test --filter
/// TranscriptTests` writes the files anew; read the difference before you commit it.
extension CommandSuite {
  @Suite("Transcripts") struct TranscriptTests {
    static let names: [String] = {
      let files = Bundle.module.paths(forResourcesOfType: "txt", inDirectory: "Transcripts")
      return files.map { ($0 as NSString).lastPathComponent }.sorted()
    }()

    @Test("the session is what it was", arguments: names)
    func transcript(name: String) async throws {
      let path = Repository.path("Tests/Faces/CommandTests/Transcripts/" + name)
      let expected = try String(contentsOfFile: path, encoding: .utf8)
      let actual = try await play(expected)
      if ProcessInfo.processInfo.environment["CLIPTAG_WRITE_TRANSCRIPTS"] == "1" {
        try actual.write(toFile: path, atomically: true, encoding: .utf8)
      } else {
        #expect(
          actual == expected,
          "first difference: \(Self.firstDifference(expected, actual))")
      }
    }

    @Test("there are transcripts")
    func found() { #expect(Self.names.count >= 6) }

    /// Plays the steps of a transcript and returns the new transcript.
    private func play(_ text: String) async throws -> String {
      let sandbox = try Sandbox()
      try FileManager.default.copyItem(
        atPath: Repository.path("Samples"), toPath: sandbox.path("Samples"))
      var names = VariableNames(root: sandbox.root)
      var reader: SimulatedReader?
      var result = ""
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
      if lines.last == "" { lines.removeLast() }
      while let line = lines.popFirst() {
        if line.hasPrefix("@ ") {
          let kind = try #require(SimulatedTagKind(rawValue: String(line.dropFirst(2))))
          reader = try SimulatedReader(tag: try kind.card())
          names.reader = reader?.connectionString
          result += line + "\n"
        } else if line.hasPrefix("$ ") {
          var input: [Substring] = []
          while let next = lines.first, next.hasPrefix("< ") {
            input.append(next.dropFirst(2))
            lines.removeFirst()
          }
          let outcome = try await sandbox.shell(
            names.filledIn(String(line.dropFirst(2))),
            stdin: Array(input.map { $0 + "\n" }.joined().utf8),
            environment: reader.map { ["LIBNFC_DEVICE": $0.connectionString] } ?? [:])
          result += line + "\n" + input.map { "< \($0)\n" }.joined()
          result += Self.marked(names.generalized(outcome.output), "  ")
          result += Self.marked(names.generalized(outcome.errors), "! ")
          result += "= \(outcome.status)\n"
        } else if line.isEmpty || line.hasPrefix("#") {
          result += line + "\n"
        } else {
          // The output of the last run. A mistyped step must not vanish.
          try #require(["  ", "! ", "= ", "!", " "].contains(line.prefix(2)), "no step: \(line)")
        }
      }
      withExtendedLifetime(reader) {}
      return result
    }

    private static func marked(_ text: String, _ mark: String) -> String {
      guard !text.isEmpty else { return "" }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let whole = lines.last == "" ? lines.dropLast() : lines[...]
      return whole.map { $0.isEmpty ? "\(mark.prefix(1))\n" : "\(mark)\($0)\n" }.joined()
    }

    private static func firstDifference(_ expected: String, _ actual: String) -> String {
      let pairs = zip(
        expected.split(separator: "\n", omittingEmptySubsequences: false),
        actual.split(separator: "\n", omittingEmptySubsequences: false))
      for (number, pair) in pairs.enumerated() where pair.0 != pair.1 {
        return "line \(number + 1):\n- \(pair.0)\n+ \(pair.1)"
      }
      return "one is longer"
    }
  }
}

/// The parts of an output that differ from run to run, and their replacements.
private struct VariableNames {
  let root: String
  var reader: String?
  private var codes: [String] = []

  init(root: String) { self.root = root }

  /// Returns a command with the values of its variables.
  func filledIn(_ command: String) -> String {
    var command = command
    for (index, code) in codes.enumerated().reversed() {
      command = command.replacing("CODE\(index + 1)", with: code)
    }
    return command.replacing("READER", with: reader ?? "READER")
  }

  /// Returns an output with variables in place of the differing parts.
  mutating func generalized(_ output: String) -> String {
    for match in output.matches(of: /c-[0-9A-HJKMNP-TV-Z]{26}/)
    where !codes.contains(String(match.output)) {
      codes.append(String(match.output))
    }
    var output = output
    for (index, code) in codes.enumerated() {
      output = output.replacing(code, with: "CODE\(index + 1)")
    }
    if let reader { output = output.replacing(reader, with: "READER") }
    return
      output
      .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/, with: "TIME")
      .replacing(/\ by \S+\ {2}/, with: " by USER  ")
      .replacing(/"who":"[^"]*"/, with: "\"who\":\"USER\"")
      .replacing(/"who":\["[^"]*"\]/, with: "\"who\":[\"USER\"]")
      .replacing(/(The walk “[^”]*” of )\S+/) { "\($0.1)USER" }
      .replacing(/\ on \d{4}-\d\d-\d\d/, with: " on DATE")
      .replacing(
        /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "RECORDER"
      )
      .replacing(/[0-9A-F]{64}/, with: "HASH")
      .replacing(/f-[0-9a-f]{20}/, with: "FINDING")
      .replacing(root, with: "ROOT")
  }
}
