import JourneyFixtures
import Foundation
import Invocation
import Issuing
import Registry
import Testing

@Suite("The ledger of codes") struct CodeLedgerTests {
  private let registry: any RegistryStore
  private let ledger: CodeLedger
  private let symbol = IssuedCode.Symbol(
    version: 3, errorCorrection: "M", moduleSize: 0.847, width: 31.327)

  init() throws {
    registry = try Fixtures.registry()
    ledger = registry.ledger()
  }

  private func print(_ payload: String, unregistered: Bool = false) async throws -> CodeID {
    try await ledger.recordPrinted(
      registry.approve(payload, unregistered: unregistered), output: "a.svg", symbol: symbol)
  }

  private func tag(_ payload: String, uid: String = "04E10CDA993C80", pages: Int = 11) async throws
    -> CodeID
  {
    try await ledger.recordTag(
      registry.approve(payload), uid: uid, tagType: "NTAG213", reader: "r", pagesWritten: pages)
  }

  private func kinds(_ id: CodeID) throws -> [String] {
    try registry.history(of: id).map(\.kind.rawValue)
  }

  @Test("the same payload printed again is the same code, with a longer history")
  func samePayload() async throws {
    let first = try await print(Fixtures.cupertino)
    #expect(try await print(Fixtures.cupertino) == first)
    #expect(try await print(Fixtures.sanFrancisco) != first)
    #expect(try kinds(first) == ["issued", "verified", "issued", "verified"])
  }

  @Test("a code that is printed again has the file and the size of the latest print")
  func latestPrint() async throws {
    let id = try await print(Fixtures.cupertino)
    let large = IssuedCode.Symbol(version: 3, errorCorrection: "H", moduleSize: 1, width: 37)
    _ = try await ledger.recordPrinted(
      registry.approve(Fixtures.cupertino), output: "b.png", symbol: large)
    let code = try #require(try registry.code(id: id))
    #expect(code.output == "b.png")
    #expect(code.symbol == large)
    #expect(
      try registry.history(of: id).filter { $0.kind == .issued }.map { $0.details["width"] }
        == ["31.327 mm", "37.0 mm"])
  }

  @Test("payloads that are equal only in normal form are two codes: what is printed differs")
  func exactBytes() async throws {
    let lower = try await print(Fixtures.cupertino)
    #expect(try await print("https://FRUTA.example.com/order/cupertino") != lower)
  }

  @Test("a retired code is never taken up again")
  func retired() async throws {
    let first = try await print(Fixtures.cupertino)
    try registry.retire(first, at: .now, by: "tester")
    let second = try await print(Fixtures.cupertino)
    #expect(second != first)
    #expect(try registry.code(id: first)?.status == .retired)
    #expect(try kinds(first).last == "retired")
  }

  @Test("a tag and a print of one payload are two codes, and so are two tags")
  func carriers() async throws {
    let ids = [
      try await print(Fixtures.cupertino), try await tag(Fixtures.cupertino),
      try await tag(Fixtures.cupertino, uid: "04AABBCCDDEEFF"),
    ]
    #expect(Set(ids).count == 3)
  }

  @Test("a tag that holds the payload already is verified, not written")
  func alreadyCorrect() async throws {
    let first = try await tag(Fixtures.cupertino)
    #expect(try await tag(Fixtures.cupertino, pages: 0) == first)
    #expect(try kinds(first) == ["issued", "written", "verified", "verified"])
  }

  @Test("overwriting a tag retires the code it carried, and only that one")
  func overwritten() async throws {
    let printed = try await print(Fixtures.cupertino)
    let other = try await tag(Fixtures.cupertino, uid: "04AABBCCDDEEFF")
    let first = try await tag(Fixtures.cupertino)
    let second = try await tag(Fixtures.sanFrancisco)
    #expect(try registry.code(id: first)?.status == .retired)
    #expect(try registry.history(of: first).last?.details["reason"] == "overwritten")
    for id in [printed, other, second] { #expect(try registry.code(id: id)?.status == .issued) }
    #expect(try await tag(Fixtures.cupertino) != first, "what was overwritten stays retired")
  }

  @Test("erasing a tag retires its codes")
  func erased() async throws {
    let id = try await tag(Fixtures.cupertino)
    try await ledger.recordErased(uid: "04E10CDA993C80", reader: "r")
    #expect(try kinds(id) == ["issued", "written", "verified", "erased", "retired"])
    try await ledger.recordErased(uid: "04E10CDA993C80", reader: "r")
    #expect(try kinds(id).count == 5, "erasing again changes nothing")
  }

  @Test("a payload that was forced is its own code, recorded as not registered")
  func unregistered() async throws {
    let refusal = #expect(throws: IssueRefusal.self) { try registry.approve(Fixtures.foreign) }
    #expect(refusal?.description.hasPrefix("\(Fixtures.foreign) is not issued: ") == true)
    let forced = try await print(Fixtures.foreign, unregistered: true)
    #expect(try registry.code(id: forced)?.registered == false)
    try registry.add(
      AppClip(
        bundleID: "net.example.Clip", appBundleID: "net.example", team: "ABCDE12345",
        domains: ["elsewhere.example.net"], locationConfirmation: false))
    try registry.add(
      AdvancedExperience(
        clip: "net.example.Clip", link: try InvocationURL(Fixtures.foreign),
        card: ExperienceCard(title: "T", subtitle: nil, action: .open)))
    let accepted = try await print(Fixtures.foreign)
    #expect(accepted != forced, "the old record must not say that this one was refused")
    #expect(try registry.code(id: accepted)?.registered == true)
  }

  @Test("what we wrote on a tag is known to be ours, also after it was retired")
  func ours() async throws {
    _ = try await tag(Fixtures.cupertino)
    try await ledger.recordErased(uid: "04E10CDA993C80", reader: "r")
    #expect(try ledger.wrote(Fixtures.cupertino, onTag: "04E10CDA993C80"))
    #expect(try !ledger.wrote(Fixtures.cupertino, onTag: "04AABBCCDDEEFF"))
    #expect(try !ledger.wrote(Fixtures.sanFrancisco, onTag: "04E10CDA993C80"))
  }
}
