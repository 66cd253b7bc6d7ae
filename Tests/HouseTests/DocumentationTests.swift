import Foundation
import Testing

@Suite("The list of codes tells the truth")
struct DocumentationTests {
  /// Codes that are no code of a finding or failure, or that never leave the libraries, by the file
  /// that declares them.
  private static let otherCodes: Set<String> = [
    // Told as the finding `malformed-ndef`.
    "NDEF/NDEFError.swift",
    // Told as a `TagError`.
    "TagTypes/TagChannel.swift",
    // Kinds of events, of what entries are about, and of symbols.
    "Registry/Batches/BatchEvent.swift", "Registry/Codes/CodeEvent.swift",
    "Registry/Record/RecordSubject.swift",
    "CodeScanning/DecodedCode.swift",
  ]
  /// Told as findings, or as mistakes of a key file.
  private static let otherAuthenticityCodes: Set<String> = [
    "missing", "not-authentic", "invalid-value",
  ]

  @Test("every code that the sources declare is listed with its meaning, and no other")
  func codesAreListed() throws {
    var declared: Set<String> = []
    for (name, text) in try swiftFiles(below: sources) where !Self.otherCodes.contains(name) {
      var codes = Set(
        text.matches(of: /static let \w+(?:: *\w+)? *=\s*[\w.]*\(\s*rawValue: "([a-z0-9-]+)"\)/)
          .map { String($0.output.1) })
      if name.hasSuffix("/AuthenticityError.swift") { codes.subtract(Self.otherAuthenticityCodes) }
      declared.formUnion(codes)
    }
    try #require(declared.count > 300, "the declarations were found")
    let own = try ownFailures().map(\.code)
    let warnings: Set<String> = try Set(
      swiftFiles(below: sources).flatMap { _, text in
        text.matches(
          of: /static let codes: \[\(code: String, meaning: String\)\] = \[(.*?)\n  \]/
            .dotMatchesNewlines()
        )
        .flatMap { $0.output.1.matches(of: /\("([a-z-]+)"|\(\s+"([a-z-]+)"/) }
        .compactMap { ($0.output.1 ?? $0.output.2).map(String.init) }
      })
    let listed = Set(try rows().map(\.code))
    #expect(declared.union(own).union(warnings).subtracting(listed).sorted() == [])
    #expect(listed.subtracting(declared.union(own).union(warnings)).sorted() == [])
  }

  @Test("a failure that the command makes itself is listed with the exit status that it has")
  func ownFailuresHaveTheirStatus() throws {
    let numbers = try exitStatuses()
    let failures = try rows().filter { $0.statuses != nil }
    for failure in try ownFailures() {
      guard let status = failure.status.flatMap({ numbers[$0] }) else { continue }
      #expect(
        failures.contains { $0.code == failure.code && $0.statuses?.contains(status) == true },
        "\(failure.code) ends with \(status): say so in Failure+Own.swift, then run make codes")
    }
  }

  @Test("what a code means stands once: the command's table is made from the doc comments")
  func meaningsAreDocComments() throws {
    let script = Process()
    script.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    script.arguments = [
      "python3", package.appending(path: "Tests/Scripts/make-codes.py").path, "--check",
    ]
    try script.run()
    script.waitUntilExit()
    #expect(script.terminationStatus == 0, "run make codes")
  }

  @Test("no code is listed twice with one meaning, and every meaning is one sentence")
  func meaningsAreSentences() throws {
    var seen: Set<String> = []
    for row in try rows() {
      #expect(
        seen.insert("\(row.code) \(row.statuses ?? []) \(row.meaning)").inserted, "\(row.code)")
      #expect(row.meaning.hasSuffix("."), "\(row.code)")
      #expect(!row.meaning.dropLast().contains(". "), "\(row.code)")
      #expect(row.advice.isEmpty || row.advice.hasSuffix("."), "\(row.code)")
    }
  }

  private struct Row {
    let code: String
    /// Those of findings have none.
    let statuses: [String]?
    let meaning: String
    let advice: String
  }

  /// The rows of the article's tables.
  private func rows() throws -> [Row] {
    let article = sources.appending(path: "cliptag/cliptag.docc/Codes.md")
    let rows = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
      .compactMap {
        $0.wholeMatch(of: /\| `([a-z0-9-]+)` \| (?:([0-9, ]+) \| )?([^|]+) \|(?: ([^|]*) \|)?/)
      }
      .map { match in
        Row(
          code: String(match.output.1),
          statuses: match.output.2.map { $0.components(separatedBy: ", ") },
          meaning: String(match.output.3), advice: match.output.4.map(String.init) ?? "")
      }
    try #require(rows.count > 300)
    return rows
  }

  /// What the command itself calls its failures, with the exit status where it stands beside.
  private func ownFailures() throws -> [(code: String, status: String?)] {
    let failures = try swiftFiles(below: sources.appending(path: "cliptag")).flatMap { _, text in
      text.matches(of: /(?:Failure|self\.init)\(\s*"([a-z0-9-]+)",\s*(?:\.(\w+),)?/)
        .map { (code: String($0.output.1), status: $0.output.2.map(String.init)) }
    }
    try #require(failures.count > 40)
    return failures
  }

  /// The numbers of exit statuses by their names.
  private func exitStatuses() throws -> [String: String] {
    let file = sources.appending(path: "cliptag/Failures/ExitStatus.swift")
    return Dictionary(
      uniqueKeysWithValues: try String(contentsOf: file, encoding: .utf8)
        .matches(of: /case (\w+) = (\d+)/)
        .map { (String($0.output.1), String($0.output.2)) })
  }
}
