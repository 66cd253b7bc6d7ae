import Foundation
import Testing

@Suite("The list of codes tells the truth")
struct DocumentationTests {
  /// Codes of findings, or of mistakes in a key file.
  private static let otherCodes: Set<String> = ["missing", "not-authentic", "invalid-value"]

  @Test("every code that the sources declare is listed with its meaning, and no other")
  func codesAreListed() throws {
    let declared = try Set(
      declarations().flatMap { file in
        file.codes.filter {
          !file.name.hasSuffix("/AuthenticityError.swift") || !Self.otherCodes.contains($0.code)
        }
        .map(\.code)
      })
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

  @Test("the list beside the declarations of codes holds every one of them, once")
  func listsAreComplete() throws {
    for (name, text, codes) in try declarations() {
      let list = text.firstMatch(of: /static let (?:all|of[A-Z]\w*): \[Self\] = \[([^\]]*)\]/)
      let listed = try #require(list, "\(name) has no list").output.1.matches(of: /\.(\w+)/)
        .map { String($0.output.1) }
      let declared = codes.filter {
        !name.hasSuffix("/AuthenticityError.swift") || !Self.otherCodes.contains($0.code)
      }
      #expect(listed.sorted() == declared.map(\.name).sorted(), "\(name)")
    }
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

  /// The codes that each file declares, by their names in Swift and in JSON.
  private func declarations() throws -> [(
    name: String, text: String, codes: [(name: String, code: String)]
  )] {
    try swiftFiles(below: sources).compactMap { file, text in
      let codes = text.matches(of: /static let (\w+) = Self\(\s*"([a-z0-9-]+)",/)
        .map { (name: String($0.output.1), code: String($0.output.2)) }
      return codes.isEmpty ? nil : (file, text, codes)
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
    let article = sources.appending(path: "Faces/cliptag/cliptag.docc/Codes.md")
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

  /// Returns the failures that the command declares, with the exit status if it is declared beside.
  private func ownFailures() throws -> [(code: String, status: String?)] {
    let failures = try swiftFiles(below: sources.appending(path: "Faces/cliptag")).flatMap {
      _, text in
      text.matches(of: /(?:Failure|self\.init)\(\s*"([a-z0-9-]+)",\s*(?:\.(\w+),)?/)
        .map { (code: String($0.output.1), status: $0.output.2.map(String.init)) }
    }
    try #require(failures.count > 40)
    return failures
  }

  /// The numbers of exit statuses by their names.
  private func exitStatuses() throws -> [String: String] {
    let file = sources.appending(path: "System/CliptagBasics/ExitStatus.swift")
    return Dictionary(
      uniqueKeysWithValues: try String(contentsOf: file, encoding: .utf8)
        .matches(of: /case (\w+) = (\d+)/)
        .map { (String($0.output.1), String($0.output.2)) })
  }
}

@Suite("The security policy names the tests that hold it")
struct SecurityPolicyTests {
  /// The text of the policy without comments.
  private func policy() throws -> String {
    try String(contentsOf: package.appending(path: "SECURITY.md"), encoding: .utf8)
      .replacing(/\s*<!--.*?-->/.dotMatchesNewlines(), with: "")
  }

  @Test("every test that the policy names is a file")
  func testsExist() throws {
    let named = Set(try policy().matches(of: /`(\w+Tests)`/).map { String($0.output.1) })
    try #require(named.count > 40, "the names were found")
    let files = Set(
      try swiftFiles(below: package.appending(path: "Tests")).map {
        URL(filePath: $0.name).deletingPathExtension().lastPathComponent
      })
    #expect(named.subtracting(files).sorted() == [])
  }

  @Test("every measure ends with the tests that hold it, or with what makes it hold")
  func measuresNameTests() throws {
    let threats = try policy().components(separatedBy: "\n## ")
      .first { $0.hasPrefix("Threats and measures\n") }
    let sections = try #require(threats).components(separatedBy: "\n### ").dropFirst()
    #expect(sections.count >= 12)
    for section in sections {
      let parts = section.components(separatedBy: "\n\nRemaining risks:\n- ")
      let measures = parts[0].components(separatedBy: "\n- ")
      #expect(parts.count == 2 && measures.count > 1, "\(section)")
      #expect(measures[0].contains("\nThreat: "), "\(section)")
      for measure in measures.dropFirst() {
        let isHeld = measure.wholeMatch(
          of: /.*\((`\w+Tests`[^()]*|by construction: [^()]+)\)\.\s*/.dotMatchesNewlines())
        #expect(isHeld != nil, "\(measure)")
      }
    }
  }
}
