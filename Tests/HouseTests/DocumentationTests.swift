import Deployment
import Foundation
import Invocation
import Testing

/// The README at the top of the package.
private let readme = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "README.md")

@Suite("The README tells the truth")
struct DocumentationTests {
  @Test("every finding's code stands in the README with its meaning")
  func findingsAreListed() throws {
    let text = try String(contentsOf: readme, encoding: .utf8)
    let all =
      Finding.Code.all.map { ($0, $0.meaning ?? "") }
      + Finding.Code.ofTags.map { ($0.code, $0.meaning) }
    for (code, meaning) in all {
      #expect(text.contains("| `\(code)` | \(meaning) |"))
    }
  }

  @Test("the README lists no finding that does not exist")
  func nothingElseIsListed() throws {
    let text = try String(contentsOf: readme, encoding: .utf8)
    let section = try #require(
      text.components(separatedBy: "### Findings").last?.components(separatedBy: "\n## ").first)
    let listed = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(listed.count == Finding.Code.all.count + Finding.Code.ofTags.count)
  }
}
