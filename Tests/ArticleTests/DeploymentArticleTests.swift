import CodeDrawing
import Deployment
import Foundation
import Invocation
import NFCReader
import Pictures
import QRSymbol
import Registry
import SimulatedReader
import TagTypes
import Testing

@Suite("What the articles of Deployment show is true") struct DeploymentArticleTests {
  private let registry: any RegistryStore
  private let payload = "https://fruta.example.com/order/cupertino"

  init() throws {
    registry = try RegistryLocation.memory.open()
    let file = URL(fileURLWithPath: Fixtures.path("Samples/fruta/registry.yaml"))
    _ = try registry.importDocument(Data(contentsOf: file), as: .yaml)
  }

  @Test("the code of a photograph is judged")
  func landingPage() async throws {
    let path = Fixtures.path("Samples/VerifyCode/sign.png")
    let check = InvocationCheck(directory: registry)
    let verifier = PictureVerifier(check: check, location: .missing)
    let file = try await PictureLoader().open(path: path)
    for number in 1...file.pageCount {
      for code in try await verifier.verify(page: number, of: file).codes {
        print(code.verdict, code.verification.payload)
        for finding in code.findings { print(" ", finding.code, finding.message) }
      }
    }
    let codes = try await verifier.verify(page: 1, of: file).codes
    #expect(codes.map(\.verification.payload) == [payload])
    #expect(codes.map(\.verification.place?.id) == ["cupertino"])
  }

  @Test("a code is approved, proven and recorded")
  func printing() async throws {
    let url = "https://fruta.example.com/order/cupertino"
    let approval = try InvocationCheck(directory: registry).approve(url)
    let drawing = try CodeDrawing(QRSymbol(url), size: CodeSize.Request(width: 40))
    let printed = try await PrintedCode(drawing, as: .png, named: "cupertino.png")
    // Keep printed.bytes in a file, and then the record:
    let ledger = CodeLedger(registry: registry, who: "print shop")
    let code = try await ledger.recordPrinted(
      approval, output: "cupertino.png", symbol: IssuedCode.Symbol(drawing))
    #expect(printed.format == .png)
    #expect(try registry.codes().map(\.id) == [code])
    #expect(try registry.codes().map(\.symbol?.version) == [3])
    let check = InvocationCheck(directory: registry)
    #expect(throws: IssueRefusal.self) { try check.approve("https://elsewhere.example.net/") }
  }

  @Test("a tag is written, read back and recorded")
  func writing() async throws {
    let channel = SimulatedTagChannel(try SimulatedTag(.ntag215))
    let check = InvocationCheck(directory: registry)
    let issuer = TagIssuer(ledger: CodeLedger(registry: registry, who: "Ada"), check: check)
    let approval = try check.approve("https://fruta.example.com/order/cupertino")
    let plan = try await issuer.plan(approval, on: channel)
    print(plan.changedPages, plan.irreversible)  // nothing is written yet
    let outcome = try await issuer.execute(plan, for: approval, on: channel, reader: "desk")
    print(outcome.code)
    #expect(try registry.codes().map(\.id) == [outcome.code])
    #expect(try await issuer.plan(approval, on: channel).isAlreadyCorrect)
  }

  @Test("the rows of a table become tags, and the ledger knows it")
  func manyTags() async throws {
    let simulated = try SimulatedReader(.ntag215)
    let running = Task { try await simulated.run() }
    let connection = simulated.connectionString
    let bytes = Array("url,label\nhttps://fruta.example.com/order/cupertino,Counter\n".utf8)
    let reader = try await NFCReader.open(connection)
    let batch = TagBatch(
      named: "counters", in: registry, check: InvocationCheck(directory: registry),
      station: BatchStation(reader: reader.connectionString, who: "Ada"))
    let file = BatchFile(bytes)  // url,label
    for problem in file.problems { print(problem) }
    for objection in try batch.objections(to: file) { print(objection.line, objection.reason) }
    print(try await batch.begin(file.orders), "new rows")
    let progress = try await batch.run(on: reader) { event in
      if case .wants(let row, _) = event { print("lay down a tag for", row.order.url) }
    }
    print(progress.finished, "done")
    await reader.close()
    simulated.stop()
    try await running.value
    #expect(file.problems.isEmpty && progress.finished == 1)
    #expect(try registry.codes().map(\.payload) == [payload])
  }
}
