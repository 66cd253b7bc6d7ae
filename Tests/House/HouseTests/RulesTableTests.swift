import Foundation
import Testing

/// The table of Apple's rules names types and tests, which must exist.
@Suite("The table of the rules of App Clips")
struct RulesTableTests {
  private struct Row {
    let rule: String
    let model: String
    let test: String
  }

  /// All Swift text below a folder.
  private static func swift(in folder: String) throws -> String {
    let files = FileManager.default.enumerator(
      at: package.appending(path: folder), includingPropertiesForKeys: nil)
    var text = ""
    for case let file as URL in try #require(files) where file.pathExtension == "swift" {
      text += try String(contentsOf: file, encoding: .utf8) + "\n"
    }
    return text
  }

  private static func rows() throws -> [Row] {
    let file = package.appending(
      path: "Sources/AppClips/Invocation/Invocation.docc/RulesOfAppClips.md")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| S") }
      .map { line in
        let cells = line.split(separator: "|", omittingEmptySubsequences: false)
          .map { $0.trimmingCharacters(in: .whitespaces) }
        return Row(rule: cells[1], model: cells[3], test: cells[4])
      }
  }

  @Test("every rule has a row, and a row without a test says why")
  func complete() throws {
    let rows = try Self.rows()
    #expect(rows.map(\.rule) == (1...60).map { "S\($0)" })
    for row in rows where row.test.isEmpty {
      #expect(row.model.hasPrefix("not modelled: ") || row.rule == "S57", "\(row.rule)")
    }
  }

  @Test("the tests that it names are there, and so are the types")
  func names() throws {
    let tests = Data(try Self.swift(in: "Tests").utf8)
    let sources = try Self.swift(in: "Sources")
    let types = Set(
      sources.matches(of: /(?:struct|enum|protocol|class|actor) (\w+)/).map { $0.output.1 })
    for row in try Self.rows() where !row.test.isEmpty {
      #expect(
        tests.range(of: Data("\"\(row.test)\"".utf8)) != nil,
        "\(row.rule) names no test of ours: \(row.test)")
      let names = row.model.matches(of: /`([A-Z]\w+)`/).map { $0.output.1 }
      #expect(!names.isEmpty, "\(row.rule)")
      #expect(names.filter { !types.contains($0) } == [], "\(row.rule)")
    }
  }
}
