import Foundation
import GRDB
import Invocation
import RegistryFixtures
@testable import Registry
import Testing

/// The chains of entries, over every store.
@Suite("The record")
struct RecordTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("the hash of an entry is what another implementation computes from the documented form")
  func vectors() throws {
    // Computed with Python's hashlib from the form that RecordEntry documents.
    let recorder = try #require(Recorder("6F1C0E9A-3C5E-4D6F-8A7B-9C0D1E2F3A4B"))
    let id = try #require(CodeID("c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E"))
    let code = IssuedCode(
      id: id, payload: "https://fruta.example.com/order/cupertino", carrier: .qr,
      placeID: "cupertino", created: Fixtures.noon, registered: true, output: "sign.svg",
      symbol: .init(version: 3, errorCorrection: "M", moduleSize: 0.85, width: 31.5))
    let first = try RecordEntry(
      of: CodeEvent(
        code: id, sequence: 1, time: Fixtures.noon, kind: .issued, who: "jo",
        details: ["output": "sign.svg"]), after: nil, by: recorder, issuing: code)
    #expect(
      "\(first.hash)" == "7DC30E745D13FC4DF876B799EF8EAF428F4568A848FA31D4FA17D4CD94F8BDB2")
    let second = try RecordEntry(
      of: CodeEvent(
        code: id, sequence: 2, time: Fixtures.noon.addingTimeInterval(60.25), kind: .installed,
        who: "Zoë", details: ["é": "1/2", "position": "37.3230,-122.0322", "accuracy": "8"]),
      after: first.head, by: recorder, isAdopted: true)
    #expect(
      "\(second.hash)" == "2F7C1EBE8FC0BA5558F90AF39583A014EBBCADD55BF3AA4EA084BD055BCD9B19")
  }

  @Test("every event is an entry that is bound to the one before", arguments: StoreKind.allCases)
  func chained(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try Fixtures.fill(store)
    let entries = try store.entries()
    #expect(entries.map(\.number) == [1, 2, 3, 4, 5])
    #expect(Set(entries.map(\.recorder)).count == 1)
    #expect(entries[0].previous == .none)
    for (before, after) in zip(entries, entries.dropFirst()) {
      #expect(after.previous == before.hash)
    }
    for entry in entries { #expect(try entry.computedHash() == entry.hash) }
    #expect(entries[0].issued == Fixtures.code(1).facts)
    #expect(entries[2].issued == nil)
    #expect(try store.chainHeads() == [entries[4].head])
    #expect(try store.findings() == [])
  }

  @Test("what was issued is read back from its facts")
  func facts() {
    for code in [Fixtures.code(1, place: "x"), Fixtures.code(2, uid: "04E10CDA993C80")] {
      #expect(IssuedCode(id: code.id, facts: code.facts) == code)
    }
    let code = Fixtures.code(1)
    #expect(IssuedCode(id: code.id, facts: code.facts.merging(["width": "31.50"]) { $1 }) == nil)
    #expect(IssuedCode(id: code.id, facts: code.facts.merging(["new": ""]) { $1 }) == nil)
    #expect(IssuedCode(id: code.id, facts: [:]) == nil)
  }

  @Test("a clock that was set back does not put an event before those that led to it")
  func clockSetBack() throws {
    let store = try RegistryLocation.memory.open()
    let code = Fixtures.code(1)
    try store.issue([code], by: "me")
    try store.record(.installed, of: code.id, at: Fixtures.noon.addingTimeInterval(-9), by: "me")
    let event = try store.record(
      .read, of: code.id, at: Fixtures.noon.addingTimeInterval(9), by: "me")
    #expect(event.sequence == 3)
    #expect(try store.history(of: code.id).map(\.kind) == [.issued, .installed, .read])
  }

  @Test("a log is read as it was written")
  func log() throws {
    let store = try RegistryLocation.memory.open()
    try Fixtures.fill(store)
    for entry in try store.entries() {
      let read = try #require(RecordEntry(line: entry.line))
      #expect(read == entry)
      #expect(try read.computedHash() == entry.hash)
      // Every part of a line is required.
      for length in stride(from: 0, to: entry.line.count, by: 7) {
        #expect(RecordEntry(line: entry.line.prefix(length)) == nil)
      }
    }
  }

  @Test(
    "a line that is no entry is told with its number",
    arguments: ["{}", "nonsense", #"{"type":"entry"}"#, #"{"type":"entry","type":"entry"}"#])
  func malformedLog(line: String) throws {
    let path = folder.file("a.jsonl")
    try Data("\n\(line)\n".utf8).write(to: URL(filePath: path))
    let error = #expect(throws: RegistryError.self) {
      try RecordLog(path: path).forEachEntry { _ in }
    }
    #expect(error?.code == .malformedLog)
    #expect(error?.message.contains("line 2") == true)
  }

  @Test("texts of every kind survive the JSON of the record")
  func json() throws {
    let texts = [
      "": "", "a": "\"\\/\n\r\t\u{0}\u{1F}\u{7F}", "é": "e\u{301}", "🧋": "👩‍🍳",
      "{": "}:,", "<": "\u{2028}",
    ]
    #expect(FlatJSON.texts(FlatJSON.text(texts)) == texts)
    let decoded = try JSONDecoder().decode(
      [String: String].self, from: Data(FlatJSON.text(texts).utf8))
    #expect(decoded == texts)
    #expect(FlatJSON.texts(#" { "a" : "\u0041\uD83E\uDDCB\/" } "#) == ["a": "A🧋/"])
    for wrong in [
      "", "{", "{}x", #"{"a"}"#, #"{"a":1}"#, #"{"a":"\uD83E"}"#, #"{"a":"\x"}"#, #"{"a":"b""#,
      #"{"a":"b","a":"c"}"#, #"{"a":"b",}"#, "{\"a\":\"\n\"}",
    ] {
      #expect(FlatJSON.texts(wrong) == nil, "\(wrong)")
    }
  }

  @Test("a copy of a registry goes on with a chain of its own")
  func copies() throws {
    let code = Fixtures.code(1)
    do { try RegistryLocation.file(folder.file("a.sqlite")).open().issue([code], by: "me") }
    try FileManager.default.copyItem(
      atPath: folder.file("a.sqlite"), toPath: folder.file("b.sqlite"))
    for name in ["a", "b", "a", "b"] {
      let store = try RegistryLocation.file(folder.file("\(name).sqlite")).open()
      try store.record(.read, of: code.id, at: Fixtures.noon, by: name)
    }
    let first = try RegistryLocation.file(folder.file("a.sqlite")).open()
    let second = try RegistryLocation.file(folder.file("b.sqlite")).open()
    #expect(try first.chainHeads().map(\.number) == [3])
    #expect(try second.chainHeads().map(\.number).sorted() == [1, 2])
    _ = try first.merge(second, name: "b")
    #expect(try first.history(of: code.id).count == 5)
    #expect(try first.findings() == [])
  }

  @Test("a registry that is moved goes on with its chain")
  func moved() throws {
    let code = Fixtures.code(1)
    do { try RegistryLocation.file(folder.file("a.sqlite")).open().issue([code], by: "me") }
    try FileManager.default.moveItem(
      atPath: folder.file("a.sqlite"), toPath: folder.file("b.sqlite"))
    let store = try RegistryLocation.file(folder.file("b.sqlite")).open()
    try store.record(.read, of: code.id, at: Fixtures.noon, by: "me")
    #expect(try store.chainHeads().map(\.number) == [2])
  }

  @Test("the events of a registry from before there were chains are its first entries")
  func adopted() throws {
    for name in ["a", "b"] { try makeOldRegistry(folder.file("\(name).sqlite")) }
    let store = try RegistryLocation.file(folder.file("a.sqlite")).open()
    let code = Fixtures.code(1)
    let before = try store.history(of: code.id)
    #expect(before.map(\.kind) == [.issued, .verified, .verified, .retired])
    #expect(before.map(\.sequence) == [1, 2, 3, 4])
    #expect(before[1].details == ["a": "/\"", "é": "x"])
    #expect(try store.entries().allSatisfy(\.isAdopted))
    #expect(try store.entries()[0].issued == code.facts)
    #expect(try store.findings() == [])
    // Merging two copies of one old registry keeps their common past once.
    let other = try RegistryLocation.file(folder.file("b.sqlite")).open()
    try other.record(.read, of: code.id, at: Fixtures.noon.addingTimeInterval(99), by: "b")
    let report = try store.merge(other, name: "b")
    #expect(report.added == 5 && report.codes == 0)
    #expect(try store.history(of: code.id).map(\.kind) == before.map(\.kind) + [.read])
    #expect(try store.findings() == [])
  }

  /// Creates a registry as the previous version left it.
  private func makeOldRegistry(_ path: String) throws {
    let queue = try DatabaseQueue(path: path)
    let id = Fixtures.code(1).id.description
    let time = Int64(Fixtures.noon.timeIntervalSince1970 * 1000)
    try queue.write { database in
      for step in RegistrySchema.steps.prefix(4) { try database.execute(sql: step) }
      try database.execute(
        sql: "PRAGMA user_version = 4; PRAGMA application_id = \(RegistrySchema.applicationID)")
      let code = Fixtures.code(1)
      try database.execute(
        sql:
          "INSERT INTO code VALUES (?, ?, 'qr', NULL, ?, 1, 'issued', ?, NULL, NULL, 3, 'M', ?, ?)",
        arguments: [id, code.payload, time + 1000, code.output, 0.85, 31.5])
      let events = [
        ("issued", 0, "{}"), ("verified", 5, #"{"a":"/\"","é":"x"}"#),
        ("verified", 5, #"{"a":"/\"","é":"x"}"#), ("retired", 3, "{}"),
      ]
      for (index, event) in events.enumerated() {
        try database.execute(
          sql: "INSERT INTO code_event VALUES (?, ?, ?, ?, 'old', ?)",
          arguments: [id, index + 1, time + Int64(event.1), event.0, event.2])
      }
      try database.execute(sql: "UPDATE code SET status = 'retired'")
    }
  }
}

extension Fixtures {
  /// Issues two codes and records events of them: five entries.
  static func fill(_ store: any RegistryStore) throws {
    try store.issue([code(1), code(2, uid: "04E10CDA993C80")], by: "jo", details: ["a": "b"])
    try store.record(.installed, of: code(1).id, at: noon.addingTimeInterval(60), by: "Zoë")
    try store.record(
      .read, of: code(2).id, at: noon.addingTimeInterval(70), by: "jo",
      details: ["position": "37.3,-122", "accuracy": "5", "note": "é"])
    try store.retire(code(1).id, at: noon.addingTimeInterval(80), by: "jo")
  }
}

extension RegistryStore {
  func entries() throws -> [RecordEntry] {
    var entries: [RecordEntry] = []
    try forEachEntry { entries.append($0) }
    return entries
  }

  func findings(against heads: [ChainHead] = []) throws -> [RecordFinding] {
    var findings: [RecordFinding] = []
    _ = try verifyRecord(against: heads) { findings.append($0) }
    return findings
  }
}
