import CliptagBasics
import Foundation
@testable import Registry
import RegistryFixtures
import TestSupport
import Testing

/// Issued codes and their history, over every store.
@Suite("Issued codes")
struct CodeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a code is found by name, payload and tag", arguments: StoreKind.allCases)
  func found(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let sign = Fixtures.code(1)
    let tag = Fixtures.code(2, "https://fruta.example.com/order/x", uid: "04e10cda993c80")
    try store.issue([tag, sign], by: "test")
    #expect(try store.code(id: sign.id) == sign)
    #expect(try store.codes() == [sign, tag])
    #expect(try store.codes(CodeFilter(payload: sign.payload)) == [sign])
    #expect(try store.codes(CodeFilter(tagUID: "04E10cDA993C80")) == [tag])
    #expect(try store.codes(CodeFilter(carrier: .nfc)) == [tag])
    #expect(try store.codes(CodeFilter(placeID: "cupertino")) == [])
    #expect(tag.tagUID == "04E10CDA993C80")
  }

  @Test("a code is found by the last six characters of its name", arguments: StoreKind.allCases)
  func tail(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    func code(_ random: String) throws -> IssuedCode {
      let code = Fixtures.code(1, "https://fruta.example.com/\(random)")
      return IssuedCode(
        id: try #require(CodeID("c-01HF8Z3V9Q" + random)), payload: code.payload, carrier: .qr,
        created: code.created, registered: true)
    }
    let codes = try [
      code("4T6W2X8Y0B10D1E5"), code("4T6W2X8Y001C3D5E"), code("4T6W2X8Y0Z1C3D5E"),
    ]
    try store.issue(codes, by: "test")
    #expect(codes[0].id.tail == "10D1E5")
    for text in ["10D1E5", "iod1e5", "LoDIe5", codes[0].id.description] {
      #expect(try store.code(called: text) == codes[0], "\(text)")
    }
    for text in ["10D1E", "010D1E5", "10D1EU", "10D1E6", "c-10D1E5", ""] {
      #expect(try store.code(called: text) == nil, "\(text)")
    }
    try store.retire(codes[2].id, at: Fixtures.noon, by: "me")
    let error = #expect(throws: RegistryError.self) { _ = try store.code(called: "1C3D5E") }
    #expect(error?.code == .ambiguousName)
    #expect(
      error?.message == """
        The names of 2 codes end in 1C3D5E: \(codes[1].id) (\(codes[1].payload)), \
        \(codes[2].id) (\(codes[2].payload), retired).
        """)
  }

  @Test("a history begins with the issue and numbers what follows", arguments: StoreKind.allCases)
  func history(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let code = Fixtures.code(1)
    try store.issue([code, Fixtures.code(2)], by: "station 1", details: ["output": "a.svg"])
    let later = Fixtures.noon.addingTimeInterval(60.25)
    let verified = try store.record(
      .verified, of: code.id, at: later, by: "zbar", details: ["é": "1/2", "a": "\"b\""])
    try store.record(.init(rawValue: "moved"), of: code.id, at: Fixtures.noon, by: "me")
    let history = try store.history(of: code.id)
    #expect(history.map(\.sequence) == [1, 2, 3])
    #expect(history.map(\.kind.rawValue) == ["issued", "verified", "moved"])
    #expect(history[0].details == ["output": "a.svg"])
    #expect(history[0].time == code.created)
    #expect(history[1] == verified)
    #expect(history[1].timestamp == "2026-11-21T12:01:00.250Z")
    #expect(try store.history(of: Fixtures.code(3).id) == [])
  }

  private func print(
    _ number: UInt64, to output: String, width: Double, version: Int = 3, level: String = "M"
  ) -> IssuedCode {
    let code = Fixtures.code(number)
    return IssuedCode(
      id: code.id, payload: code.payload, carrier: .qr, created: code.created, registered: true,
      output: output,
      symbol: .init(
        version: version, errorCorrection: level, moduleSize: width / 37, width: width))
  }

  @Test("a code's facts are those of its latest print", arguments: StoreKind.allCases)
  func reissued(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let first = print(1, to: "a.svg", width: 31.5)
    try store.issue(first, by: "me", details: first.printDetails)
    try store.issue(Fixtures.code(2), by: "me")
    let second = print(1, to: "b.png", width: 30)
    try store.reissue(second, at: Fixtures.noon.addingTimeInterval(10), by: "me")
    #expect(try store.code(id: first.id) == second)
    let third = print(1, to: "c.png", width: 42, version: 4, level: "H")
    // The clock was set back: an entry later in the chain still counts as later.
    try store.reissue(third, at: Fixtures.noon.addingTimeInterval(5), by: "me")
    #expect(try store.codes() == [third, Fixtures.code(2)])
    #expect(try store.codes(CodeFilter(payload: first.payload)).first == third)
    try store.reissue(second, at: Fixtures.noon.addingTimeInterval(20), by: "me")
    #expect(try store.code(id: first.id) == second)
    #expect(
      try store.history(of: first.id).map { $0.details["output"] }
        == ["a.svg", "b.png", "c.png", "b.png"])
    // The facts of the first issue are hashed, and stay.
    #expect(try store.verifyRecord { _ in Issue.record("the record was changed") }.count == 1)
    try store.retire(first.id, at: Fixtures.noon, by: "me")
    #expect(try store.code(id: first.id)?.symbol == second.symbol)
    #expect(throws: RegistryError(.notFound, "", hint: "")) {
      try store.reissue(Fixtures.code(3), at: Fixtures.noon, by: "me")
    }
  }

  @Test("a print that another registry recorded counts once it is merged")
  func reissuedElsewhere() throws {
    let here = try RegistryLocation.memory.open()
    let there = try RegistryLocation.memory.open()
    let first = print(1, to: "a.svg", width: 31.5)
    try here.issue(first, by: "me")
    _ = try there.merge(here, name: "here")
    let (second, third) = (print(1, to: "b.png", width: 30), print(1, to: "c.png", width: 20))
    try there.reissue(third, at: Fixtures.noon.addingTimeInterval(20), by: "you")
    try here.reissue(second, at: Fixtures.noon.addingTimeInterval(10), by: "me")
    #expect(try here.code(id: first.id) == second)
    _ = try here.merge(there, name: "there")
    _ = try there.merge(here, name: "here")
    #expect(try here.codes() == [third])
    #expect(try there.codes() == [third])
  }

  @Test("a code is retired once", arguments: StoreKind.allCases)
  func retiring(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let code = Fixtures.code(1)
    try store.issue([code], by: "test")
    let event = try store.retire(code.id, at: Fixtures.noon, by: "me", details: ["why": "faded"])
    #expect(event.sequence == 2)
    #expect(try store.code(id: code.id)?.status == .retired)
    #expect(try store.codes(CodeFilter(status: .issued)) == [])
    #expect(throws: RegistryError(.alreadyRetired, "", hint: "")) {
      try store.retire(code.id, at: Fixtures.noon, by: "me")
    }
    #expect(try store.history(of: code.id).count == 2)
  }

  @Test("only what was issued has a history", arguments: StoreKind.allCases)
  func unknown(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let missing = RegistryError(.notFound, "", hint: "")
    let id = Fixtures.code(1).id
    #expect(throws: missing) { try store.record(.read, of: id, at: Fixtures.noon, by: "me") }
    #expect(throws: missing) { try store.retire(id, at: Fixtures.noon, by: "me") }
  }

  @Test("a batch is issued wholly or not at all", arguments: StoreKind.allCases)
  func batch(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    #expect(throws: RegistryError(.alreadyExists, "", hint: "")) {
      try store.issue([Fixtures.code(1), Fixtures.code(2), Fixtures.code(1)], by: "test")
    }
    #expect(throws: RegistryError(.unknownPlace, "", hint: "")) {
      try store.issue([Fixtures.code(3), Fixtures.code(4, place: "nowhere")], by: "test")
    }
    #expect(try store.counts().codes == 0)
  }

  @Test("an import leaves codes and their history alone", arguments: StoreKind.allCases)
  func importing(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.add(Fixtures.cupertino)
    let code = Fixtures.code(1, place: "cupertino")
    try store.issue([code], by: "test")
    _ = try store.apply(RegistryDocument(), .replaceAll)
    #expect(try store.counts() == RegistryCounts(codes: 1))
    #expect(try store.history(of: code.id).count == 1)
  }

  @Test("a name holds its time and sorts by it")
  func names() throws {
    var generator = SeededGenerator(seed: 1)
    let first = CodeID(at: Date(timeIntervalSince1970: 1_469_918_176.385), using: &generator)
    let second = CodeID(at: Date(timeIntervalSince1970: 1_469_918_176.386), using: &generator)
    // The time of the example in the ULID specification, 01ARYZ6S41…
    #expect(first.description.hasPrefix("c-01ARYZ6S41"))
    #expect(first.description.count == 28)
    #expect(first.description < second.description)
    #expect(CodeID(first.description.lowercased()) == first)
  }

  @Test("names of one millisecond that are given one after another sort as they were given")
  func namesOfOneMoment() throws {
    var generator = SeededGenerator(seed: 2)
    let time = Date(timeIntervalSince1970: 1_469_918_176.385)
    var names = [CodeID(at: time, using: &generator)]
    for _ in 0..<1000 {
      names.append(CodeID(at: time, after: names.last, using: &generator))
    }
    #expect(names.map(\.description) == Set(names).map(\.description).sorted())
    #expect(names.allSatisfy { $0.description.hasPrefix("c-01ARYZ6S41") })
    // A name of another time does not depend on the one before.
    let later = CodeID(at: time + 1, after: names.last, using: &generator)
    #expect(later.description > names[1000].description)
    // The last possible name of a millisecond is followed by one of the next.
    let last = try #require(CodeID("c-01ARYZ6S41ZZZZZZZZZZZZZZZZ"))
    let next = CodeID(at: time, after: last, using: &generator)
    #expect(next.description.hasPrefix("c-01ARYZ6S42000000"))
    #expect(CodeID(at: time, after: next, using: &generator).description > next.description)
  }

  @Test(
    "what is no name is not taken for one",
    arguments: [
      "", "c-", "c-01ARYZ6S41", "d-01ARYZ6S41TSV4RRFFQ69G5FAV", "c-81ARYZ6S41TSV4RRFFQ69G5FAV",
      "c-01ARYZ6S41TSV4RRFFQ69G5FAU", "c-01ARYZ6S41TSV4RRFFQ69G5FAVX", "c-01ARYZ6S41TSV4RRFFQ69G5é",
    ])
  func notNames(text: String) { #expect(CodeID(text) == nil) }

  @Test("letters that are misread for digits are taken for them")
  func misread() {
    #expect(
      CodeID("c-oiaryz6s4ltsv4rrffq69g5fav")?.description == "c-01ARYZ6S41TSV4RRFFQ69G5FAV")
  }

  @Test("times are printed in UTC with milliseconds, before 1970 too")
  func timestamps() {
    #expect(Date(timeIntervalSince1970: 0.123).registryTimestamp == "1970-01-01T00:00:00.123Z")
    #expect(Date(timeIntervalSince1970: -0.001).registryTimestamp == "1969-12-31T23:59:59.999Z")
    #expect(
      Date(timeIntervalSince1970: 1_795_262_400).registryTimestamp == "2026-11-21T12:00:00.000Z")
  }
}
