@testable import Issuing
import JourneyFixtures
import Registry
import Testing

@Suite("Decisions about the rows of a batch") struct BatchDecisionTests {
  @Test("decisions are recorded together or not at all")
  func together() async throws {
    let registry = try Fixtures.registry()
    try await registry.begin(BatchFixtures.orders(3))
    let batch = BatchFixtures.batch(in: registry)
    for number: UInt8 in [1, 2] {
      _ = try await batch.serve(try BatchFixtures.tag(number), asked: try await batch.claimNext())
    }
    // Row 2 is done, so it cannot be skipped; row 1 must keep its tag then.
    await #expect(throws: RegistryError.self) { try await batch.decide(redo: [1], skip: [2]) }
    #expect(try batch.rows(in: [.done]).map(\.number) == [1, 2])
    try await batch.decide(redo: [1], skip: [3])
    #expect(try batch.rows(in: [.pending]).map(\.number) == [1])
    #expect(try batch.rows(in: [.skipped]).map(\.number) == [3])
  }

  @Test(
    "a URL that no tag can complete is an objection that says so; one that it can is none",
    arguments: [
      ("{uid}", false), ("{counter}", false), ("{uid}x{counter}", false), ("{tag}", true),
      ("{uid}{counter}", true),
    ])
  func placeholder(_ place: String, isRefused: Bool) throws {
    let file = BatchFile(Array("url\n\(BatchFixtures.url(1))?t=\(place)\n".utf8))
    let batch = BatchFixtures.batch(in: try Fixtures.registry()) { $0.unregistered = true }
    let objections = try batch.objections(to: file)
    #expect(objections.map(\.line) == (isRefused ? [2] : []))
    guard isRefused else { return }
    guard case .placeholder(let message)? = objections.first?.reason else {
      Issue.record("no objection")
      return
    }
    #expect(message.contains("fills in"))
  }
}

extension TagBatch {
  /// Records decisions in one line.
  @discardableResult
  func decide(
    redo: [Int] = [], skip: [Int] = [], reason: String? = nil, torn: Bool = false
  ) async throws(RegistryError) -> [BatchRow] {
    var decisions = Decisions()
    decisions.redo = redo
    decisions.skip = skip
    decisions.reason = reason
    decisions.givesUpTorn = torn
    return try await record(decisions)
  }
}
