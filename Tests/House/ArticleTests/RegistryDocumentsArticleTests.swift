import Foundation
import Invocation
import RegistryDocuments
import Testing

@Suite("What the articles of RegistryDocuments show is true")
struct RegistryDocumentsArticleTests {
  private let path = Fixtures.path("Samples/fruta/registry.yaml")

  @Test("a file is sufficient for a check")
  func landingPage() throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let reading = try RegistryDocument.read(data, as: .yaml, name: path)
    let check = InvocationCheck(directory: ExperienceCatalog(reading.document))
    let url = "https://fruta.example.com/order/cupertino"
    let answer = try check.examine(payload: url, carrier: .qr)
    print(answer.verdict, answer.place?.name ?? "no place")
    #expect(answer.verdict == .accepted)
    #expect(answer.place?.id == "cupertino")
  }

  @Test("a test of an app's URLs finds the wrong one")
  func checking() throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let document = try RegistryDocument.read(data, as: .yaml, name: path).document
    let urls = ["https://fruta.example.com/order/cupertino", "https://fruta.example.net/order"]
    let faults = document.findings().filter { $0.severity == .error }
    print(faults.map(\.message))
    var refused: [String] = []
    let check = InvocationCheck(directory: ExperienceCatalog(document))
    for url in urls {
      let answer = try check.examine(payload: url, carrier: .qr)
      if answer.verdict != .accepted { print(url, answer.findings.map(\.message)) }
      if answer.verdict != .accepted { refused.append(url) }
    }
    #expect(faults.isEmpty)
    #expect(refused == [urls[1]])
  }
}
