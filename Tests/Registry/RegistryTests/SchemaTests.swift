import CliptagBasics
import Foundation
import GRDB
import RegistryFixtures
@testable import Registry
import Testing

/// A file is used only if it is built as its version builds it.
@Suite("The schema of a registry file")
struct SchemaTests {
  let folder: TemporaryFolder
  var path: String { folder.file("registry.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func alter(_ sql: String) throws {
    try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
  }

  @Test(
    "a registry that somebody built otherwise is refused before anything of it is asked",
    arguments: [
      ("DROP TRIGGER code_is_only_retired", "the trigger “code_is_only_retired” is missing"),
      (
        """
        CREATE TRIGGER helper AFTER INSERT ON code_entry BEGIN DELETE FROM tag_counter; END
        """, "the trigger “helper” is foreign"
      ),
      ("CREATE TABLE note (text TEXT)", "the table “note” is foreign"),
      ("DROP INDEX code_by_payload", "the index “code_by_payload” is missing"),
      ("ALTER TABLE place ADD COLUMN more TEXT", "“place” differs"),
      (
        """
        DROP TRIGGER tag_counter_only_rises;
        CREATE TRIGGER tag_counter_only_rises BEFORE UPDATE ON tag_counter WHEN 0 BEGIN SELECT 1; END
        """, "“tag_counter_only_rises” differs"
      ),
      (
        """
        DROP TABLE tag_counter; CREATE VIEW tag_counter AS WITH RECURSIVE n(uid) AS
          (SELECT 1 UNION ALL SELECT uid + 1 FROM n) SELECT uid, 1 AS counter, 1 AS seen FROM n
        """, "“tag_counter” differs"
      ),
    ])
  func altered(sql: String, told: String) throws {
    do { try RegistryLocation.file(path).open().add(Fixtures.clip) }
    try alter(sql)
    for access in [RegistryAccess.lookUp, .review, .change] {
      let error = #expect(throws: RegistryError.self) {
        _ = try RegistryLocation.file(path).open(for: access).tagCounters()
      }
      #expect(error?.code == .altered)
      #expect(error?.message.contains(told) == true, "\(error?.message ?? "")")
    }
  }

  @Test("the digest of the current version is that of a new registry")
  func digest() throws {
    let queue = try DatabaseQueue()
    let digest = try queue.write { database in
      try RegistrySchema.migrate(database, from: 0, home: "here")
      return try SchemaPart.digest(of: try SchemaPart.parts(of: database))
    }
    #expect(digest == SchemaPart.currentDigest, "state this digest in SchemaPart.currentDigest")
  }

  @Test("many differences are told in one sentence")
  func several() throws {
    do { try RegistryLocation.file(path).open().add(Fixtures.clip) }
    try alter("DROP TABLE batch_event")
    let error = #expect(throws: RegistryError.self) { try RegistryLocation.file(path).open() }
    #expect(
      error?.message.contains(" and 4 more. Another program") == true, "\(error?.message ?? "")")
  }

  @Test("statistics that SQLite itself gathered are no difference")
  func statistics() throws {
    do { try RegistryLocation.file(path).open().add(Fixtures.clip) }
    try alter("ANALYZE")
    #expect(try RegistryLocation.file(path).open(for: .lookUp).clips() == [Fixtures.clip])
  }

  @Test("each older version is known by its own schema", arguments: 1..<RegistrySchema.steps.count)
  func older(version: Int) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try RegistrySchema.migrate($0, from: 0, to: version, home: "here") }
    try queue.close()
    try alter("CREATE TRIGGER helper AFTER INSERT ON place BEGIN DELETE FROM code; END")
    #expect(throws: RegistryError(.altered, "", hint: "")) {
      try RegistryLocation.file(path).open()
    }
    try alter("DROP TRIGGER helper")
    #expect(try RegistryLocation.file(path).open().counts() == RegistryCounts())
  }

  @Test("an upgrade tries an older file on a copy, and then brings it up to date")
  func upgraded() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try RegistrySchema.migrate($0, from: 0, to: 10, home: "here") }
    try queue.close()
    let location = RegistryLocation.file(path)
    let tried = try location.upgrade(isRehearsal: true)
    #expect(tried.from == 10 && tried.steps.count == tried.to - 10)
    #expect(try location.upgrade(isRehearsal: true) == tried)
    #expect(try location.upgrade() == tried)
    #expect(try location.upgrade().steps.isEmpty)
    #expect(throws: RegistryError(.missing, "", hint: "")) {
      try RegistryLocation.file(folder.file("none.sqlite")).upgrade()
    }
  }

  @Test(
    "a row that nobody could read is not taken",
    arguments: [
      "INSERT INTO code VALUES ('c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E', 'x', 'smoke', NULL, 0, 1, 'issued', "
        + "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
      "INSERT INTO recorder (id) VALUES ('x')",
    ])
  func unknownValues(sql: String) throws {
    do { try RegistryLocation.file(path).open().add(Fixtures.clip) }
    let error = #expect(throws: DatabaseError.self) { try alter(sql) }
    #expect(error?.message == "no version of cliptag writes this")
  }

  @Test("a statement that would not end is ended, and told as damage")
  func endless() throws {
    let queue = try DatabaseQueue()
    let endless =
      "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT max(n) FROM n"
    let error = #expect(throws: DatabaseError.self) {
      try queue.read { database in
        try SQLiteConnection.withLimitedSteps(database, to: 100_000) {
          try Int.fetchOne($0, sql: endless)
        }
      }
    }
    #expect(error.map { RegistryError($0, path: "f").code } == .damaged)
    // The limit does not apply to later statements.
    let count = try queue.read {
      try Int.fetchOne($0, sql: endless.replacing("FROM n)", with: "FROM n LIMIT 200000)"))
    }
    #expect(count == 200_000)
  }

  @Test("a connection takes no statement that writes into the schema, and has no views")
  func defended() throws {
    let store = try RegistryLocation.file(path).open()
    #expect(throws: RegistryError.self) {
      try store.write { registry in
        try registry.run("PRAGMA writable_schema = ON")
        try registry.run("UPDATE sqlite_master SET sql = NULL WHERE name = 'code_is_not_deleted'")
      }
    }
    #expect(throws: RegistryError.self) {
      try store.write { registry in
        try registry.run("CREATE VIEW seen AS SELECT 1 AS number")
        _ = try registry.number("SELECT number FROM seen")
      }
    }
  }
}
