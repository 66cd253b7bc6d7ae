@testable import Registry
import RegistryFixtures
import Testing

/// Look-ups ahead of their queries.
@Suite("Looking ahead") struct LookAheadTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "an answer that was looked up ahead is the one that is asked for",
    arguments: StoreKind.allCases)
  func sameAnswers(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.add(Fixtures.cupertino)
    try store.issue(Fixtures.code(1, place: "cupertino"), by: "Ada")
    try store.read { registry in
      try registry.lookAhead { registry throws(RegistryError) in
        _ = try registry.place(id: "cupertino")
        _ = try registry.place(id: "nowhere")
        _ = try registry.codes(CodeFilter(placeID: "cupertino"))
        _ = try registry.lastCodeID()
      }
      for _ in 1...2 {
        #expect(try registry.place(id: "cupertino") == Fixtures.cupertino)
        #expect(try registry.place(id: "nowhere") == nil)
        #expect(try registry.codes(CodeFilter(placeID: "cupertino")).count == 1)
        #expect(try registry.lastCodeID() == Fixtures.code(1).id)
        #expect(try registry.places().count == 1)
      }
    }
  }

  @Test(
    "what a transaction changes itself is asked for anew", arguments: StoreKind.allCases)
  func changed(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.add(Fixtures.sanFrancisco)
    try store.write { registry in
      try registry.lookAhead(appending: true) { registry throws(RegistryError) in
        _ = try registry.place(id: "cupertino")
        _ = try registry.places()
        _ = try registry.codes()
        _ = try registry.catalogState()
      }
      #expect(try registry.place(id: "cupertino") == nil)
      let state = try registry.catalogState()
      try registry.add(Fixtures.cupertino)
      #expect(try registry.place(id: "cupertino") == Fixtures.cupertino)
      #expect(try registry.places().count == 2)
      #expect(try registry.catalogState() != state)
      try registry.issue(Fixtures.code(1), by: "Ada")
      try registry.issue(Fixtures.code(2), by: "Ada")
      #expect(try registry.codes().count == 2)
      try registry.removePlace(id: "cupertino")
      #expect(try registry.places().count == 1)
    }
    #expect(try store.wholeRecord(named: "").entries == 5)
  }

  @Test("the state of the catalog is another one with each change, and only then")
  func state() throws {
    let store = try StoreKind.sqlite.make(in: folder)
    let empty = try store.read { try $0.catalogState() }
    try store.add(Fixtures.cupertino)
    let filled = try store.read { try $0.catalogState() }
    #expect(filled != empty)
    try store.issue(Fixtures.code(1), by: "Ada")
    #expect(try store.read { try $0.catalogState() } == filled)
  }
}
