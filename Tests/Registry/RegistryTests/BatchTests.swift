import CliptagBasics
import Foundation
import GRDB
import Invocation
import RegistryFixtures
@testable import Registry
import Testing

/// Batches and the stations that work on them, over every store.
@Suite("Batches")
struct BatchTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a batch keeps its orders, and every row begins pending", arguments: StoreKind.allCases)
  func orders(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let orders = [
      BatchRow.Order(
        url: "https://fruta.example.com/1", label: "Table “1”", placeID: "cupertino",
        wantedUID: "04e10cda993c80", captions: [.init("floor", "2"), .init("floor", "é")]),
      BatchRow.Order(url: "https://fruta.example.com/2"),
    ]
    #expect(try store.open(orders) == 2)
    let rows = try store.rows()
    #expect(rows.map(\.order) == orders)
    #expect(rows.map(\.number) == [1, 2])
    #expect(rows.map(\.state) == [.pending, .pending])
    #expect(rows[0].order.wantedUID == "04E10CDA993C80")
    #expect(try store.read { r throws(RegistryError) in try r.batchCounts("b") }.remaining == 2)
    #expect(try store.read { r throws(RegistryError) in try r.batches() }.map(\.name) == ["b"])
  }

  @Test("a file that grew adds rows; one that changed is refused", arguments: StoreKind.allCases)
  func changed(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let orders = (1...3).map { BatchRow.Order(url: "https://fruta.example.com/\($0)") }
    #expect(try store.open(Array(orders.prefix(2))) == 2)
    #expect(try store.open(Array(orders.prefix(2))) == 0)
    #expect(try store.open(orders) == 1)
    let changes = [
      [orders[0]],
      [orders[1], orders[0], orders[2]],
      [BatchRow.Order(url: orders[0].url, label: "x"), orders[1], orders[2]],
      [orders[0], orders[1], BatchRow.Order(url: orders[2].url, captions: [.init("a", "b")])],
    ]
    for change in changes {
      #expect(throws: RegistryError(.batchChanged, "", hint: "")) { try store.open(change) }
    }
    #expect(try store.rows().map(\.order) == orders)
  }

  @Test("each row is claimed by one station", arguments: StoreKind.allCases)
  func claims(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.open(urls(3))
    let (left, right) = (station(1), station(2))
    #expect(try store.claimNext(left)?.number == 1)
    #expect(try store.claimNext(right)?.number == 2)
    #expect(try store.claimNext(left)?.number == 1, "what it has claimed comes first")
    #expect(try store.claimNext(station(3))?.number == 3)
    #expect(try store.claimNext(station(4)) == nil)
  }

  @Test("the claim of a process that has gone is dropped", arguments: StoreKind.allCases)
  func deadClaims(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.open(urls(2))
    #expect(try store.claimNext(station(1))?.number == 1)
    let other = station(2, dead: [1])
    #expect(try store.claimNext(other)?.number == 1)
    let claims = try store.read { r throws(RegistryError) in try r.batchClaims("b") }
    #expect(claims.map(\.holder.process) == [2])
  }

  @Test("a row for one tag alone is nobody's next row", arguments: StoreKind.allCases)
  func wanted(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.open([BatchRow.Order(url: "u", wantedUID: "04AA"), BatchRow.Order(url: "v")])
    #expect(try store.claimNext(station(1))?.number == 2)
    let filter = BatchRowFilter(batch: "b", wantedUID: "04aa")
    #expect(
      try store.read { r throws(RegistryError) in try r.batchRows(filter) }.map(\.number) == [1])
  }

  @Test("only who claimed a row begins it", arguments: StoreKind.allCases)
  func intending(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.open(urls(2))
    let row = try #require(try store.claimNext(station(1)))
    #expect(throws: RegistryError(.rowNotFree, "", hint: "")) {
      try store.intend(row, "04AA", station(2))
    }
    let begun = try store.intend(row, "04aa", station(1))
    #expect(begun.state == .intended)
    #expect(begun.tag?.uid == "04AA")
    #expect(try store.rows()[0] == begun)
    #expect(throws: RegistryError(.rowNotFree, "", hint: "")) {
      try store.intend(row, "04BB", station(1))
    }
  }

  @Test("a tag is on one row of a batch at most", arguments: StoreKind.allCases)
  func oneRowPerTag(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.open(urls(2))
    let first = try #require(try store.claimNext(station(1)))
    let second = try #require(try store.claimNext(station(2)))
    _ = try store.intend(first, "04AA", station(1))
    #expect(throws: RegistryError(.tagInBatch, "", hint: "")) {
      try store.intend(second, "04aa", station(2))
    }
  }

  @Test("a row goes from begun over written to locked", arguments: StoreKind.allCases)
  func wholeWay(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.open(urls(1))
    let row = try #require(try store.claimNext(station(1)))
    _ = try store.intend(row, "04AA", station(1))
    let tag = BatchRow.Tag(
      uid: "04AA", type: "NTAG215", hash: "00FF", signature: "genuine", reader: "r")
    let written = try store.write { r throws(RegistryError) in
      try r.recordWritten(row, tag, isComplete: false, at: Fixtures.noon, by: "op")
    }
    #expect(written.state == .written)
    #expect(written.tag == tag)
    let locked = try store.write { r throws(RegistryError) in
      try r.recordLocked(row, at: Fixtures.noon, by: "op")
    }
    #expect(locked.state == .done)
    #expect(locked.tag?.isLocked == true)
    #expect(locked.tag?.hash == "00FF")
    #expect(locked.changed == Fixtures.noon)
    #expect(try store.rows() == [locked])
    #expect(try store.kinds(1) == ["intended", "written", "locked"])
  }

  @Test("what is written is recorded for the tag that was chosen", arguments: StoreKind.allCases)
  func otherTag(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.open(urls(1))
    let row = try #require(try store.claimNext(station(1)))
    _ = try store.intend(row, "04AA", station(1))
    #expect(throws: RegistryError(.rowNotFree, "", hint: "")) {
      try store.write { r throws(RegistryError) in
        try r.recordWritten(
          row, BatchRow.Tag(uid: "04BB", type: "", reader: "r"), isComplete: true,
          at: Fixtures.noon, by: "op")
      }
    }
  }

  @Test("a tag given up frees its row and is known as spoiled", arguments: StoreKind.allCases)
  func spoiling(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.open(urls(1))
    let row = try #require(try store.claimNext(station(1)))
    _ = try store.intend(row, "04AA", station(1))
    let freed = try store.write { r throws(RegistryError) in
      try r.spoil(row, at: Fixtures.noon, by: "op", reason: "lost")
    }
    #expect(freed.state == .pending)
    #expect(freed.tag == nil)
    #expect(freed.reason == "lost")
    let last = try store.read { r throws(RegistryError) in try r.lastEvent(ofTag: "04aa", in: "b") }
    #expect(last?.kind == .spoiled)
    #expect(try store.intend(freed, "04BB", station(1)).tag?.uid == "04BB")
  }

  @Test("a row that is done again loses its tag and its code", arguments: StoreKind.allCases)
  func redoing(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.open(urls(1))
    let code = Fixtures.code(1, uid: "04AA")
    try store.issue([code], by: "op")
    let row = try #require(try store.claimNext(station(1)))
    _ = try store.intend(row, "04AA", station(1))
    try store.write { r throws(RegistryError) in
      _ = try r.recordWritten(
        row, BatchRow.Tag(uid: "04AA", type: "", reader: "r", code: code.id), isComplete: true,
        at: Fixtures.noon, by: "op")
      _ = try r.redo(row, at: Fixtures.noon, by: "op", reason: "broken")
    }
    #expect(try store.rows()[0].state == .pending)
    #expect(try store.code(id: code.id)?.status == .retired)
    #expect(try store.kinds(1) == ["intended", "written", "spoiled"])
  }

  @Test("a skipped row is nobody's, until it is wanted again", arguments: StoreKind.allCases)
  func skipping(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.open(urls(1))
    let row = try store.rows()[0]
    _ = try store.write { r throws(RegistryError) in
      try r.skip(row, at: Fixtures.noon, by: "op", reason: "no table")
    }
    #expect(try store.claimNext(station(1)) == nil)
    _ = try store.write { r throws(RegistryError) in
      try r.redo(row, at: Fixtures.noon, by: "op", reason: "a table")
    }
    #expect(try store.claimNext(station(1))?.number == 1)
    #expect(try store.kinds(1) == ["skipped", "redone"])
  }

  @Test(
    "the database itself refuses to forget a batch",
    arguments: [
      "DELETE FROM batch", "UPDATE batch SET name = 'x'", "DELETE FROM batch_row",
      "UPDATE batch_row SET url = 'x'", "UPDATE batch_row SET state = 'done', uid = '04AA'",
      "INSERT INTO batch_row (batch, number, url, captions, state) VALUES ('b', 4, 'u', '[]', 'pending')",
      "INSERT OR REPLACE INTO batch_row (batch, number, url, captions, state) VALUES ('b', 1, 'u', '[]', 'pending')",
      "INSERT OR REPLACE INTO batch VALUES ('b', 0, 'x')", "DELETE FROM batch_event",
      "UPDATE batch_event SET kind = 'x'",
      "INSERT OR REPLACE INTO batch_event VALUES (1, 'b', 1, 2, 0, 'x', 'x', NULL, '{}')",
      "UPDATE OR REPLACE batch_row SET state = 'intended', uid = '04AA' WHERE number = 2",
    ])
  func guarded(sql: String) throws {
    let path = folder.file("registry.sqlite")
    var rows: [BatchRow] = []
    do {
      let store = try RegistryLocation.file(path).open()
      try store.open(urls(2))
      _ = try store.intend(try #require(try store.claimNext(station(1))), "04AA", station(1))
      rows = try store.rows()
    }
    let queue = try DatabaseQueue(path: path)
    #expect(throws: DatabaseError.self) { try queue.write { try $0.execute(sql: sql) } }
    #expect(try RegistryLocation.file(path).open(for: .lookUp).rows() == rows)
  }

  @Test("a registry of the first version is brought up to date and keeps its codes")
  func migration() throws {
    let path = folder.file("registry.sqlite")
    do {
      let queue = try DatabaseQueue(path: path)
      try queue.write { database in
        try database.execute(sql: RegistrySchema.steps[0])
        try database.execute(
          sql: "PRAGMA user_version = 1; PRAGMA application_id = \(RegistrySchema.applicationID)")
        try database.execute(
          sql: "INSERT INTO place VALUES ('cupertino', 'Fruta', 37.0, -122.0, 100.0, NULL)")
      }
    }
    let store = try RegistryLocation.file(path).open(for: .lookUp)
    #expect(try store.places().map(\.id) == ["cupertino"])
    #expect(try RegistryLocation.file(path).open().open(urls(1)) == 1)
  }

  private func urls(_ count: Int) -> [BatchRow.Order] {
    (1...count).map { BatchRow.Order(url: "https://fruta.example.com/\($0)") }
  }
}

private func station(_ number: Int, dead: Set<Int> = []) -> BatchStation {
  BatchStation(
    holder: .init(machine: "bench", process: number, started: "0"), reader: "r\(number)",
    who: "op", isAlive: { !dead.contains($0.holder.process) })
}

extension RegistryStore {
  @discardableResult
  fileprivate func open(_ orders: [BatchRow.Order]) throws -> Int {
    try write { r throws(RegistryError) in
      try r.openBatch("b", orders, at: Fixtures.noon, by: "op")
    }
  }

  fileprivate func rows() throws -> [BatchRow] {
    try read { r throws(RegistryError) in try r.batchRows(BatchRowFilter(batch: "b")) }
  }

  fileprivate func kinds(_ row: Int) throws -> [String] {
    try read { r throws(RegistryError) in try r.batchHistory("b", row) }.map(\.kind.rawValue)
  }

  fileprivate func claimNext(_ station: BatchStation) throws -> BatchRow? {
    try write { r throws(RegistryError) in
      try r.claimNextRow(of: "b", for: station, at: Fixtures.noon)
    }
  }

  fileprivate func intend(
    _ row: BatchRow, _ uid: String, _ station: BatchStation
  ) throws -> BatchRow {
    try write { r throws(RegistryError) in
      try r.intend(
        row, BatchRow.Tag(uid: uid, type: "NTAG215", reader: station.reader), at: Fixtures.noon,
        for: station)
    }
  }
}
