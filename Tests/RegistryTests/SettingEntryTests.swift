import Foundation
import GRDB
import Invocation
import RegistryFixtures
@testable import Registry
import TagAuthenticity
import Testing

/// The settings that decide whether a code is accepted are in the record.
@Suite("Entries of what decides")
struct SettingEntryTests {
  let folder: TemporaryFolder
  var path: String { folder.file("registry.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// Fills a registry with one thing of each kind.
  private func fill(_ store: any RegistryStore) throws {
    try store.add(Fixtures.clip)
    try store.add(Fixtures.cupertino)
    try store.add(Fixtures.experience("https://fruta.example.com/order"))
    try store.write { try $0.advance("04DE5F1EACC040", 61) }
    try store.trust(
      try Ed25519PrivateKey().publicKey(), named: "field", at: Fixtures.noon, by: "me")
  }

  private func told(_ store: any RegistryStore) throws -> [String] {
    try store.entries().map { "\($0.number) \($0.subject) \($0.kind)" }
  }

  @Test("each change is an entry of the one chain", arguments: StoreKind.allCases)
  func chained(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try fill(store)
    try store.issue([Fixtures.code(1)], by: "me")
    try store.replace(Fixtures.place("cupertino", 1, 2, radius: 20.5))
    try store.forgetCounter(ofTag: "04de5f1eacc040")
    try store.removeClip(bundleID: Fixtures.clip.bundleID, evenIfInUse: true)
    try store.removeTrust(inKeyNamed: "field")
    try store.removePlace(id: "cupertino")
    #expect(
      try told(store) == [
        "1 clip:com.example.fruta.Clip registered", "2 place:cupertino registered",
        "3 experience:https://fruta.example.com/order registered",
        "4 counter:04DE5F1EACC040 counted", "5 key:field registered",
        "6 \(Fixtures.code(1).id) issued", "7 place:cupertino registered",
        "8 counter:04DE5F1EACC040 forgotten",
        "9 experience:https://fruta.example.com/order removed",
        "10 clip:com.example.fruta.Clip removed", "11 key:field removed",
        "12 place:cupertino removed",
      ])
    let entries = try store.entries()
    #expect(entries[6].details["radius"] == "20.5" && entries[7].details["counter"] == "61")
    #expect(entries[0].details["domains"] == "fruta.example.com appclip.example.com")
    for entry in entries {
      #expect(RecordEntry(line: entry.line) == entry)
      #expect(try entry.computedHash() == entry.hash)
    }
    #expect(try store.findings() == [])
    #expect(try store.chainHeads().map(\.number) == [12])
  }

  @Test(
    "what decides and was changed behind the record's back is found",
    arguments: [
      ("UPDATE place SET latitude = 38", "place:cupertino"),
      ("UPDATE place SET name = 'Fruta \u{212A}'", "place:cupertino"),
      (
        "UPDATE experience SET status = 'DEACTIVATED'", "experience:https://fruta.example.com/order"
      ),
      ("UPDATE experience SET folded_key = 'x'", "experience:https://fruta.example.com/order"),
      ("UPDATE clip SET location_confirmation = 0", "clip:com.example.fruta.Clip"),
      ("DELETE FROM clip_domain WHERE position = 1", "clip:com.example.fruta.Clip"),
      ("UPDATE tag_counter SET counter = 60", "counter:04DE5F1EACC040"),
      ("DELETE FROM tag_counter", "counter:04DE5F1EACC040"),
      ("DELETE FROM trusted_key", "key:field"),
      ("UPDATE trusted_key SET key = 'x'", "key:field"),
      ("INSERT INTO tag_counter VALUES ('04AA', 1, 1)", "counter:04AA"),
      ("INSERT INTO place VALUES ('b', 'b', 1.0, 1.0, 1.0, NULL, NULL, NULL)", "place:b"),
    ])
  func altered(sql: String, subject: String) throws {
    do { try fill(try RegistryLocation.file(path).open()) }
    do { try DatabaseQueue(path: path).write { try $0.executeWithoutGuards(sql) } }
    let findings = try RegistryLocation.file(path).open(for: .lookUp).findings()
    #expect(findings.map(\.code) == [.settingAltered])
    #expect(findings.map { $0.subject?.description } == [subject])
  }

  @Test("a counter that rose by a merge is no finding")
  func risen() throws {
    do { try fill(try RegistryLocation.file(path).open()) }
    do {
      try DatabaseQueue(path: path).write {
        try $0.execute(sql: "UPDATE tag_counter SET counter = 62")
      }
    }
    #expect(try RegistryLocation.file(path).open(for: .lookUp).findings() == [])
  }

  @Test("a registry from before adopts what it holds")
  func migration() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      try RegistrySchema.migrate(database, from: 0, to: 8, home: "there")
      try database.execute(
        sql: """
          INSERT INTO place (id, name, latitude, longitude, radius) VALUES ('a', 'A', 1, 2, 3);
          INSERT INTO tag_counter VALUES ('04AA', 7, 1)
          """)
    }
    try queue.close()
    let store = try RegistryLocation.file(path).open()
    #expect(try told(store) == ["1 place:a registered", "2 counter:04AA counted"])
    #expect(try store.entries().allSatisfy(\.isAdopted))
    #expect(try store.findings() == [])
    try store.add(Fixtures.place("b", 1, 1))
    #expect(try store.findings() == [])
  }

  @Test("a copy has its predecessor's word, and then its own")
  func copies() throws {
    do { try fill(try RegistryLocation.file(path).open()) }
    let other = folder.file("copy.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: other)
    let (first, copy) = (
      try RegistryLocation.file(path).open(), try RegistryLocation.file(other).open()
    )
    #expect(try copy.findings() == [])
    try copy.replace(Fixtures.place("cupertino", 1, 2))
    try first.replace(Fixtures.place("cupertino", 3, 4))
    // Each contains the other's entries, and its own place.
    _ = try copy.merge(first, name: "first")
    let report = try first.merge(copy, name: "copy")
    #expect(report.added == 1 && report.codes == 0)
    #expect(try first.findings() == [] && copy.findings() == [])
    #expect(try first.place(id: "cupertino") == Fixtures.place("cupertino", 3, 4))
    #expect(try first.entries() == copy.entries())
  }

  @Test(
    "a name with colons, marks and other bytes is itself",
    arguments: ["a:b", ":", "\u{301}e", "\n"])
  func names(name: String) throws {
    let setting = Setting(.place, name)
    #expect(RecordSubject(setting.description) == .setting(setting))
    #expect(setting.name.utf8.elementsEqual(name.utf8))
    #expect(Setting(.place, "\u{E9}") != Setting(.place, "e\u{301}"))
    for wrong in ["place", "place:", ":a", "Place:a", "plàce:a", ""] {
      #expect(RecordSubject(wrong) == nil)
    }
  }
}

extension RegistryTransaction {
  fileprivate borrowing func advance(_ uid: String, _ counter: Int) throws(RegistryError) {
    _ = try advanceCounter(ofTag: uid, to: counter, at: Fixtures.noon)
  }
}
