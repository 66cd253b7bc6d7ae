import CliptagBasics
import Foundation
import Invocation
import RegistryFixtures
import TestSupport
import Testing

@testable import Registry

/// An answer of a server has a largest size, so that a whole table is sent in pieces.
@Suite("Whole tables") struct WholeTableTests {
  /// A session that notes the queries whose rows come at once.
  private final class NotingSession: RegistrySession {
    private let session: any RegistrySession
    private(set) var atOnce: [String] = []

    init(_ session: any RegistrySession) { self.session = session }

    var home: String { session.home }
    var who: String { session.who }
    func run(_ sql: String, _ arguments: [(any SQLValue)?]) throws(RegistryError) {
      try session.run(sql, arguments)
    }
    func rows(
      _ sql: String, _ arguments: [(any SQLValue)?], isShared: Bool
    ) throws(RegistryError) -> any RegistryRows {
      if isShared { atOnce.append(sql) }
      return try session.rows(sql, arguments, isShared: isShared)
    }
    func letReferencesFollow() throws(RegistryError) { try session.letReferencesFollow() }
  }

  @Test("no query for a whole table is answered at once", arguments: StoreKind.allCases)
  func pieces(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let store = try kind.make(in: folder)
    try Fixtures.fill(store)
    try store.read { transaction throws(RegistryError) in
      let session = NotingSession(transaction.session)
      let registry = RegistryTransaction(session, mayChange: false)
      _ = try registry.document()
      _ = try registry.codes()
      _ = try registry.codes(CodeFilter(status: .issued))
      _ = try registry.codes(CodeFilter(placeID: "cupertino"))
      _ = try registry.experiences(ofClip: Fixtures.clip.bundleID)
      _ = try registry.tagCounters()
      #expect(session.atOnce == [])
    }
  }

  @Test("rows that fill pieces exactly, or not, all come", arguments: [999, 1_000, 1_001, 3_000])
  func edges(count: Int) throws {
    let folder = try TemporaryFolder()
    for kind in StoreKind.allCases {
      let store = try kind.make(in: folder)
      try store.issue((1...count).map { Fixtures.code(UInt64($0)) }, by: "Ada")
      #expect(try store.codes().count == count)
    }
  }
}
