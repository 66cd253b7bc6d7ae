import Foundation
import Invocation
import RegistryDocuments
import Testing

/// The URLs on the codes of a business against its registry: in the repository of an app, a change of
/// the registry or of a URL fails before a code hangs anywhere.
@Suite("The URLs of our codes") struct ServedURLsTests {
  /// One URL a line.
  static let urls = ((try? text(of: "urls.txt")) ?? "").split(separator: "\n").map(String.init)

  private static func text(of name: String) throws -> String {
    let file = try #require(Bundle.module.url(forResource: name, withExtension: nil))
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test("the registry serves it, and knows its place", arguments: urls)
  func served(url: String) throws {
    let file = Data(try Self.text(of: "registry.yaml").utf8)
    let registry = try RegistryDocument.read(file, as: .yaml, name: "registry.yaml").document
    let check = InvocationCheck(directory: ExperienceCatalog(registry))
    let answer = try check.examine(payload: url, carrier: .qr)
    #expect(answer.verdict == .accepted, "\(answer.findings.map(\.message))")
    #expect(answer.place != nil)
  }

  @Test("there are URLs")
  func found() { #expect(!Self.urls.isEmpty) }
}
