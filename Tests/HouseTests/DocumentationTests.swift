import CodeDrawing
import Deployment
import Foundation
import Invocation
import Registry
import Testing

/// The README at the top of the package.
private let readme = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "README.md")

/// Every finding's code with its meaning, in the order of the README.
private let findings: [(code: Finding.Code, meaning: String)] =
  Finding.Code.all.map { ($0, $0.meaning ?? "") } + Finding.Code.ofTags
  + Finding.Code.ofAuthenticity
  + Finding.Code.ofWholeRegistry

@Suite("The README tells the truth")
struct DocumentationTests {
  @Test("the README lists every finding's code with its meaning, and no other")
  func findingsAreListed() throws {
    let text = try String(contentsOf: readme, encoding: .utf8)
    let section = try #require(
      text.components(separatedBy: "### Findings").last?.components(separatedBy: "\n## ").first)
    let listed = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
    let expected =
      findings.map { "| `\($0.code)` | \($0.meaning) |" }
      + SizeWarning.codes.map { "| `\($0.code)` | \($0.meaning) |" }
    #expect(listed == expected)
  }
}
