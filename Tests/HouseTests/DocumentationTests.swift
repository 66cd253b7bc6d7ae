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
  Finding.Code.all.map { ($0, $0.meaning ?? "") }
  + Finding.Code.ofAssociationFetching + Finding.Code.ofTags
  + Finding.Code.ofAuthenticity + Finding.Code.ofSymbols + Finding.Code.ofPositions
  + Finding.Code.ofParcels + Finding.Code.ofWalks
  + Finding.Code.ofWholeRegistry + Finding.Code.ofAssociation + Finding.Code.ofBanner
  + Finding.Code.ofRecord

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
      + (SizeWarning.codes + ContrastWarning.codes + LogoWarning.codes
      + DesignProof.codes).map {
        "| `\($0.code)` | \($0.meaning) |"
      }
    #expect(listed == expected)
  }

  @Test("the README lists every failure's code")
  func failuresAreListed() throws {
    let text = try String(contentsOf: readme, encoding: .utf8)
    let section = try #require(
      text.components(separatedBy: "### Failures").last?.components(separatedBy: "\n### ").first)
    let listed = Set(section.matches(of: /`([a-z]+(?:-[a-z]+)*)`/).map { String($0.output.1) })
    let codes = try failureCodes()
    #expect(codes.count > 60)
    #expect(codes.subtracting(listed).sorted() == [])
  }

  /// The codes as the sources name them: in each type of error that ends a command, and in the
  /// command itself.
  private func failureCodes() throws -> Set<String> {
    let sources = readme.deletingLastPathComponent().appending(path: "Sources")
    let declarations = [
      "TagTypes/TagError", "TagTypes/Type5Image", "NFCReader/NFCReaderError",
      "Deployment/DeploymentError", "Registry/RegistryError", "Registry/Batches/Batch",
      "Pictures/PictureError", "CodeScanning/Live/LiveSourceError",
      "CodeDrawing/CodeDrawingError", "CodeDrawing/Text/TextError", "QRSymbol/QRSymbolError",
      "SimulatedReader/SimulatedReaderError", "WebFetching/WebFetchError",
      "AppStoreConnect/AppStoreConnectError",
      "WebPages/WebPage", "PositionSources/PositionError",
    ]
    var codes: Set<String> = []
    for name in declarations {
      let text = try String(contentsOf: sources.appending(path: name + ".swift"), encoding: .utf8)
      codes.formUnion(
        text.matches(of: /(?:Code|Self)\(rawValue: "([a-z-]+)"\)/).map { String($0.output.1) })
    }
    let command = FileManager.default.enumerator(
      at: sources.appending(path: "cliptag"), includingPropertiesForKeys: nil)
    for case let file as URL in try #require(command) where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      codes.formUnion(
        text.matches(of: /Failure\(\s*"([a-z]+(?:-[a-z]+)+)"/).map { String($0.output.1) })
    }
    return codes
  }
}
