import CliptagBasics
import Foundation
import GRDB
import Invocation
import RegistryFixtures
@testable import Registry
import TestSupport
import Testing

/// The file of an SQLite registry, and its possible faults.
@Suite("SQLite files")
struct SQLiteFileTests {
  let folder: TemporaryFolder
  var path: String { folder.file("registry.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func error(_ code: RegistryError.Code) -> RegistryError {
    RegistryError(code, "", hint: "")
  }

  @Test("what was written is there when the file is opened again")
  func persistent() throws {
    let code = Fixtures.code(1, uid: "04E10CDA993C80")
    do {
      let store = try RegistryLocation.file(path).open()
      try store.add(Fixtures.clip)
      try store.add(Fixtures.cupertino)
      try store.issue([code], by: "test")
    }
    for access in [RegistryAccess.lookUp, .change] {
      let store = try RegistryLocation.file(path).open(for: access)
      #expect(try store.clips() == [Fixtures.clip])
      #expect(try store.places() == [Fixtures.cupertino])
      #expect(try store.codes() == [code])
      #expect(store.notes == [])
    }
  }

  @Test("a new registry, what lies beside it and its new folder are this user's alone")
  func permissions() throws {
    let path = folder.file("new/registry.sqlite")
    let store = try RegistryLocation.file(path).open(createsFolder: true)
    try store.add(Fixtures.clip)
    let files = FileManager.default
    let names = try files.contentsOfDirectory(atPath: folder.file("new"))
    #expect(names.contains("registry.sqlite"))
    for name in names {
      let facts = try files.attributesOfItem(atPath: folder.file("new/" + name))
      #expect(facts[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    let facts = try files.attributesOfItem(atPath: folder.file("new"))
    #expect(facts[.posixPermissions] as? Int == 0o700)
    withExtendedLifetime(store) {}
  }

  @Test(
    "an opened registry is current until its file is replaced, removed, upgraded or built otherwise",
    arguments: [RegistryAccess.lookUp, .change])
  func current(access: RegistryAccess) throws {
    let missing = try RegistryLocation.file(path).open(for: .lookUp)
    #expect(missing.isCurrent)
    try RegistryLocation.file(path).open().add(Fixtures.clip)
    #expect(!missing.isCurrent)
    let store = try RegistryLocation.file(path).open(for: access)
    try RegistryLocation.file(path).open().add(Fixtures.cupertino)
    #expect(store.isCurrent)
    for change in ["PRAGMA user_version = 999", "CREATE TABLE more (a)"] {
      let version = try DatabaseQueue(path: path).writeWithoutTransaction { database in
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        try database.execute(sql: change)
        return version
      }
      #expect(!store.isCurrent, "\(change)")
      try DatabaseQueue(path: path).writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA user_version = \(version); DROP TABLE IF EXISTS more")
      }
    }
    #expect(store.isCurrent)
    let opened = try RegistryLocation.file(path).open(for: access)
    #expect(opened.isCurrent)
    try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
    #expect(!opened.isCurrent)
    let other = try RegistryLocation.file(path).open()
    #expect(!opened.isCurrent && other.isCurrent)
    #expect(try RegistryLocation.memory.open().isCurrent)
  }

  @Test(
    "a file that is replaced while it is open stops who has it open, and becomes what it was put in as",
    arguments: ["mv", "mv aside", "cp", "cp of an earlier state", "rm", "link"],
    [true, false])
  func replacedWhileOpen(how: String, isNoticed: Bool) throws {
    let (file, other, aside) = (
      folder.file("file.sqlite"), folder.file("other.sqlite"), folder.file("aside.sqlite")
    )
    func fill(_ store: any RegistryStore, _ count: Int) throws {
      try store.write { registry in
        for number in 0..<count { try registry.add(Fixtures.place("place-\(number)", 1, 1)) }
      }
    }
    let location = RegistryLocation.file(how == "link" ? path : file)
    do { try fill(try RegistryLocation.file(other).open(), 150) }
    do { try fill(try RegistryLocation.file(file).open(), 100) }
    if how.hasPrefix("cp of") {
      try FileManager.default.removeItem(atPath: other)
      try FileManager.default.copyItem(atPath: file, toPath: other)
    }
    if how == "link" {
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: file)
    }
    let kept = try RegistryLocation.file(other).open(for: .lookUp).places()
    do {
      let store = try location.open()
      try store.removePlace(id: "place-7")
      try store.add(Fixtures.cupertino)
      let command =
        switch how {
        case "mv": "mv '\(other)' '\(file)'"
        case "mv aside": "mv '\(file)' '\(aside)' && mv '\(other)' '\(file)'"
        case "rm": "rm '\(file)'"
        case "link": "ln -sf '\(other)' '\(path)'"
        default: "cp '\(other)' '\(file)'"
        }
      #expect(try ChildProgram(["sh", "-c", command], output: "/dev/null").wait() == 0)
      if isNoticed {
        #expect(throws: error(.replaced)) { try store.add(Fixtures.sanFrancisco) }
        #expect(throws: error(.replaced)) { try store.places() }
        #expect(!store.isCurrent)
      }
    }
    if how == "rm" { return #expect(!FileManager.default.fileExists(atPath: file)) }
    let present = try location.open()
    #expect(try present.places() == kept)
    #expect(try present.findings() == [])
    if how == "mv aside" {
      let former = try RegistryLocation.file(aside).open()
      #expect(try former.place(id: "cupertino") != nil && former.findings() == [])
    }
  }

  @Test("a file into which another process's checkpoints write is still the one that was opened")
  func checkpointed() throws {
    let store = try RegistryLocation.file(path).open()
    for round in 0..<20 {
      try store.add(Fixtures.place("a\(round)", 1, 1))
      try RegistryLocation.file(path).open().write { registry in
        for number in 0..<300 { try registry.add(Fixtures.place("b\(round)-\(number)", 1, 1)) }
      }
      try DatabaseQueue(path: path).writeWithoutTransaction {
        _ = try $0.checkpoint(round.isMultiple(of: 2) ? .truncate : .passive)
      }
    }
    #expect(try store.places().count == 20 * 301)
  }

  @Test("looking up in a missing registry finds nothing, says so and creates nothing")
  func missing() throws {
    let store = try RegistryLocation.file(path).open(for: .lookUp)
    #expect(try store.counts() == RegistryCounts())
    #expect(store.schemaVersion == 0)
    #expect(store.notes.count == 1)
    #expect(throws: error(.readOnly)) { try store.add(Fixtures.clip) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("looking up changes nothing in the file")
  func lookUpIsReadOnly() throws {
    do { try RegistryLocation.file(path).open().add(Fixtures.clip) }
    let before = try Data(contentsOf: URL(filePath: path))
    do {
      let store = try RegistryLocation.file(path).open(for: .lookUp)
      #expect(try store.clips() == [Fixtures.clip])
      #expect(throws: error(.readOnly)) { try store.add(Fixtures.cupertino) }
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test("a look-up sees what another connection writes meanwhile")
  func fresh() throws {
    let writer = try RegistryLocation.file(path).open()
    let reader = try RegistryLocation.file(path).open(for: .lookUp)
    #expect(try reader.counts().clips == 0)
    try writer.add(Fixtures.clip)
    #expect(try reader.counts().clips == 1)
  }

  @Test("a missing folder is created only on demand")
  func missingFolder() throws {
    let deep = folder.file("a/b/registry.sqlite")
    #expect(throws: error(.unwritable)) { try RegistryLocation.file(deep).open() }
    #expect(!FileManager.default.fileExists(atPath: folder.file("a")))
    try RegistryLocation.file(deep).open(createsFolder: true).add(Fixtures.clip)
    #expect(try RegistryLocation.file(deep).open(for: .lookUp).counts().clips == 1)
  }

  @Test("a file that cannot be created is told as such")
  func uncreatable() {
    #expect(throws: error(.unwritable)) {
      try RegistryLocation.file("/proc/registry.sqlite").open()
    }
  }

  @Test("a folder is not a registry", arguments: [RegistryAccess.lookUp, .change])
  func isFolder(access: RegistryAccess) {
    #expect(throws: error(.unreadable)) {
      try RegistryLocation.file(folder.path).open(for: access)
    }
  }

  @Test(
    "a file that is not a database is left alone",
    arguments: [
      RegistryAccess.lookUp, .change,
    ])
  func notADatabase(access: RegistryAccess) throws {
    let text = Data(String(repeating: "clips: []\n", count: 100).utf8)
    try text.write(to: URL(filePath: path))
    #expect(throws: error(.notADatabase)) { try RegistryLocation.file(path).open(for: access) }
    #expect(try Data(contentsOf: URL(filePath: path)) == text)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
  }

  @Test(
    "a database of another application is left alone",
    arguments: [
      RegistryAccess.lookUp, .change,
    ])
  func foreign(access: RegistryAccess) throws {
    do {
      let queue = try DatabaseQueue(path: path)
      try queue.write { try $0.execute(sql: "CREATE TABLE song (title TEXT)") }
    }
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(throws: error(.notARegistry)) { try RegistryLocation.file(path).open(for: access) }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test(
    "a registry of a newer version is left alone",
    arguments: [
      RegistryAccess.lookUp, .change,
    ])
  func newer(access: RegistryAccess) throws {
    do { try RegistryLocation.file(path).open().add(Fixtures.clip) }
    try alter("PRAGMA user_version = 99")
    #expect(throws: error(.newerVersion)) { try RegistryLocation.file(path).open(for: access) }
  }

  @Test("a damaged database is reported as damaged, and no advice takes it away")
  func damaged() throws {
    do {
      let store = try RegistryLocation.file(path).open()
      try store.write { registry in
        for number in 0..<500 { try registry.add(Fixtures.place("place-\(number)", 1, 1)) }
      }
    }
    var bytes = try Data(contentsOf: URL(filePath: path))
    for index in stride(from: 4096 * 2, to: bytes.count, by: 1) { bytes[index] = 0x55 }
    try bytes.write(to: URL(filePath: path))
    let error = #expect(throws: RegistryError.self) {
      try RegistryLocation.file(path).open(for: .lookUp).document()
    }
    #expect(error?.code == .damaged)
    // Debian 12's sqlite3 cannot .recover, and leaves an empty file in the place of the registry.
    #expect(error?.hint == "Restore it from a copy, and keep the damaged file.")
  }

  @Test("a row that no version writes is reported, not skipped")
  func impossibleRow() throws {
    do { try RegistryLocation.file(path).open().add(Fixtures.cupertino) }
    try alter("UPDATE place SET latitude = 91")
    #expect(throws: error(.damaged)) {
      try RegistryLocation.file(path).open(for: .lookUp).place(id: "cupertino")
    }
  }

  @Test("a registry that stays locked is given up after the time-out")
  func locked() throws {
    let store = try RegistryLocation.file(path).open(busyTimeout: .milliseconds(1))
    let other = try DatabaseQueue(path: path)
    try other.inDatabase { database in
      try database.inTransaction(.immediate) {
        #expect(throws: error(.locked)) { try store.add(Fixtures.clip) }
        #expect((try? store.counts()) == RegistryCounts())
        return .rollback
      }
    }
    try store.add(Fixtures.clip)
  }

  @Test("changes that wait for another process keep no task from running")
  func waitsOffThePool() async throws {
    let store = try RegistryLocation.file(path).open()
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: path, configuration: configuration)
    try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    try await withThrowingTaskGroup { tasks in
      // More tasks than there are threads for them; the last one releases the database.
      for number in 0..<64 {
        tasks.addTask {
          try await store.write { try $0.add(Fixtures.place("p\(number)", 1, 1)) }
        }
      }
      tasks.addTask {
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      }
      try await tasks.waitForAll()
    }
    #expect(try await store.read { try $0.counts() }.places == 64)
  }

  @Test("a disk that is full when the registry is opened is told as a full disk")
  func diskFullAtOpening() {
    for code: ResultCode in [.SQLITE_FULL, .SQLITE_IOERR_SHMSIZE] {
      let told = RegistryError(DatabaseError(resultCode: code), path: path)
      #expect(told.code == .diskFull, "\(code)")
    }
    let other = RegistryError(DatabaseError(resultCode: .SQLITE_IOERR_READ), path: path)
    #expect(other.code == .failed)
  }

  @Test("a full disk is told, and what was there stays")
  func diskFull() throws {
    let store = try RegistryLocation.file(path).open()
    try store.add(Fixtures.clip)
    #expect(throws: error(.diskFull)) {
      try store.write { registry in
        // The same result code as for a full disk: the file may not grow any further.
        try registry.run("PRAGMA max_page_count = 40")
        for number in 0..<1_000 {
          try registry.add(Fixtures.place(String(repeating: "x", count: 90) + "\(number)", 1, 1))
        }
      }
    }
    #expect(try store.counts() == RegistryCounts(clips: 1))
  }

  @Test(
    "the database itself refuses to change what happened",
    arguments: [
      "UPDATE code_entry SET who = 'me'", "DELETE FROM code_entry",
      "INSERT OR REPLACE INTO code_entry SELECT * FROM code_entry",
      """
      INSERT INTO code_entry
      SELECT recorder, 7, hash, hash, code, time, kind, who, details, 0, 0 FROM code_entry
      """,
      """
      INSERT INTO code_entry
      SELECT recorder, 2, previous, hash, code, time, kind, who, details, 0, 0 FROM code_entry
      """,
      "DELETE FROM code", "UPDATE code SET payload = 'x'",
      "UPDATE code SET status = 'retired', tag_uid = 'x'",
      "INSERT OR REPLACE INTO code SELECT * FROM code",
    ])
  func appendOnly(sql: String) throws {
    let code = Fixtures.code(1)
    do { try RegistryLocation.file(path).open().issue([code], by: "test") }
    #expect(throws: DatabaseError.self) { try alter(sql) }
    let store = try RegistryLocation.file(path).open(for: .lookUp)
    #expect(try store.codes() == [code])
    #expect(try store.history(of: code.id).map(\.who) == ["test"])
  }

  @Test("a retired code does not come back")
  func retiredForGood() throws {
    let code = Fixtures.code(1)
    do {
      let store = try RegistryLocation.file(path).open()
      try store.issue([code], by: "test")
      try store.retire(code.id, at: Fixtures.noon, by: "test")
    }
    #expect(throws: DatabaseError.self) { try alter("UPDATE code SET status = 'issued'") }
  }

  @Test("the file names its application and its version")
  func marks() throws {
    do { _ = try RegistryLocation.file(path).open() }
    let queue = try DatabaseQueue(path: path)
    let (application, version, mode) = try queue.read {
      (
        try Int.fetchOne($0, sql: "PRAGMA application_id"),
        try Int.fetchOne($0, sql: "PRAGMA user_version"),
        try String.fetchOne($0, sql: "PRAGMA journal_mode")
      )
    }
    #expect(application == 0x636C_7074)
    #expect(version == 19)
    #expect(mode == "wal")
  }

  @Test("a check's lookups use the indexes")
  func indexes() throws {
    do { _ = try RegistryLocation.file(path).open() }
    let queue = try DatabaseQueue(path: path)
    let plans = try queue.read { database in
      try [
        "SELECT * FROM experience WHERE host = 'a' AND folded_key IN ('b', 'c') ORDER BY normalized",
        "SELECT bundle_id FROM clip_domain WHERE host = 'a'",
        "SELECT * FROM place WHERE id = 'a'",
      ].map { sql in
        try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql)
          .map { $0["detail"] as String }.joined(separator: "; ")
      }
    }
    #expect(plans[0].hasPrefix("SEARCH experience USING INDEX experience_by_key"))
    #expect(plans[1].hasPrefix("SEARCH clip_domain USING"))
    #expect(plans[2].hasPrefix("SEARCH place USING PRIMARY KEY"))
    #expect(!plans.joined().contains("SCAN"))
  }

  @Test("many connections may create and write one file at once")
  func concurrentWriters() async throws {
    let path = path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          let store = try RegistryLocation.file(path).open()
          for number in 0..<10 {
            try store.add(Fixtures.place("place-\(writer)-\(number)", 1, Double(number)))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try RegistryLocation.file(path).open(for: .lookUp).counts().places == 40)
  }

  @Test("two writers number one code's history without a gap")
  func concurrentHistory() async throws {
    let code = Fixtures.code(1)
    let path = path
    do { try RegistryLocation.file(path).open().issue([code], by: "test") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        group.addTask {
          let store = try RegistryLocation.file(path).open()
          for _ in 0..<10 {
            try store.record(.read, of: code.id, at: Fixtures.noon, by: "writer \(writer)")
          }
        }
      }
      try await group.waitForAll()
    }
    let history = try RegistryLocation.file(path).open(for: .lookUp).history(of: code.id)
    #expect(history.map(\.sequence) == Array(1...21))
  }

  private func alter(_ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: sql) }
  }
}
