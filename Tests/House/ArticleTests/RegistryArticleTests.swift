import Foundation
import Invocation
import Registry
import TagAuthenticity
import Testing

@Suite("What the articles of Registry show is true") struct RegistryArticleTests {
  @Test("a document is imported and tells its places")
  func landingPage() throws {
    let path = Fixtures.path("Samples/fruta/registry.yaml")
    let registry = try RegistryLocation.memory.open()
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let (report, warnings) = try registry.importDocument(data, as: .yaml, name: path)
    print(report.experiences.added, warnings.count)
    print(try registry.places().map(\.name))
    #expect(try registry.places().map(\.name) == ["Fruta Cupertino", "Fruta San Francisco"])
    #expect(report.experiences.added == 4)
  }

  @Test("a code is issued, installed and replaced; checkpoints verify")
  func keeping() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "registry.sqlite").path
    let codes = try keep(at: path)
    #expect(codes.map(\.status) == [.retired, .issued])
    try verify(at: path)
  }

  private func keep(at path: String) throws -> [IssuedCode] {
    let registry = try RegistryLocation.file(path).open()
    let code = IssuedCode(
      id: CodeID(at: Date()), payload: "https://fruta.example.com/order/cupertino", carrier: .qr,
      created: Date(), registered: true)
    try registry.issue([code], by: "print shop")
    try registry.record(.installed, of: code.id, at: Date(), by: "Ada")
    print(try registry.history(of: code.id).map(\.kind.rawValue))  // ["issued", "installed"]
    print(try registry.codes(CodeFilter(status: .issued)).count)  // 1
    #expect(try registry.history(of: code.id).map(\.kind) == [.issued, .installed])
    let successor = IssuedCode(
      id: CodeID(at: Date()), payload: code.payload, carrier: .qr, created: Date(),
      registered: true)
    try registry.write { registry in
      try registry.retire(code.id, at: Date(), by: "Ada")
      try registry.issue(successor, by: "print shop")
    }
    return try registry.codes().sorted { $0.status == .retired && $1.status != .retired }
  }

  private func verify(at path: String) throws {
    let registry = try RegistryLocation.file(path).open(for: .lookUp)
    let chains = try registry.verifyRecord { finding in print(finding.message) }
    #expect(chains.count == 1)
    let key = try Ed25519PrivateKey()
    let publicKey = try key.publicKey()
    let checkpoint = Checkpoint(time: Date(), heads: try registry.chainHeads())
    let file = try checkpoint.signed(with: key)
    // Later, elsewhere:
    let seen = try Checkpoint(Array(file.utf8), signedBy: publicKey, name: "record.checkpoint")
    _ = try registry.verifyRecord(against: seen.heads) { finding in print(finding.message) }
    #expect(seen.heads == checkpoint.heads)
  }
}
