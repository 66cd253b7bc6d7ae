import Foundation
import Testing

/// Swift shown in articles is compiled and run, or it is not shown.
@Suite("The articles' Swift is compiled and run")
struct ArticleTests {
  /// Returns the files below a folder whose names have an ending.
  private static func files(in folder: String, _ ending: String) throws -> [URL] {
    let files = FileManager.default.enumerator(
      at: package.appending(path: folder), includingPropertiesForKeys: nil)
    return try #require(files).compactMap { $0 as? URL }
      .filter { $0.path.hasSuffix(ending) && !$0.path.contains("/.build/") }
  }

  /// Returns the lines with content: without indentation, imports and empty ones.
  private static func lines(of text: some StringProtocol) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
  }

  /// Returns whether the lines of a block are in a file, in their order; others may be between
  /// them, such as a test's expectations.
  private static func contains(_ file: [String], _ block: [String]) -> Bool {
    var left = block[...]
    for line in file where line == left.first { left.removeFirst() }
    return left.isEmpty
  }

  @Test(
    "every block of Swift in an article or the README stands in a file that is compiled and run")
  func compiled() throws {
    let articles =
      try Self.files(in: "Sources", ".md") + [package.appending(path: "README.md")]
    let compiled =
      try (Self.files(in: "Tests", "ArticleTests.swift") + Self.files(in: "Samples", ".swift"))
      .map { Self.lines(of: try String(contentsOf: $0, encoding: .utf8)) }
    var count = 0
    for article in articles {
      let text = try String(contentsOf: article, encoding: .utf8)
      for block in text.components(separatedBy: "\n```swift\n").dropFirst() {
        let lines = Self.lines(of: block.components(separatedBy: "\n```")[0])
        count += 1
        #expect(
          compiled.contains { Self.contains($0, lines) },
          "\(article.lastPathComponent): no test has these lines: \(lines.joined(separator: "\n"))")
      }
    }
    #expect(count > 30)
  }

  @Test("every library has a page of its own with a complete snippet, and an article for a task")
  func libraries() throws {
    let manifest = try String(
      contentsOf: package.appending(path: "Package.swift"), encoding: .utf8)
    let everything = try #require(
      manifest.firstMatch(of: /let kit = \[([^\]]+)\]/)?.1)
    let names = everything.matches(of: /"(\w+)"/).map { String($0.1) }
    #expect(names.count > 20)
    for name in names {
      let catalog = try Self.files(in: "Sources", ".md")
        .filter { $0.path.contains("/\(name)/\(name).docc/") }
      let page = try #require(
        catalog.first { $0.lastPathComponent == "\(name).md" }, "\(name) has no page")
      let text = try String(contentsOf: page, encoding: .utf8)
      #expect(text.contains("\n```swift\nimport "), "\(name).md shows nothing that compiles")
      #expect(text.contains("- <doc:"), "\(name).md leads to no article")
      #expect(catalog.count > 1, "\(name) has no article")
    }
  }
}
