import CliptagBasics
import Foundation
import GRDB
import Invocation
import RegistryFixtures
@testable import Registry
import TagAuthenticity
import TestSupport
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

  @Test(
    "a removed setting is missed, whatever became of its author, also in a copy",
    arguments: [
      ("DELETE FROM tag_counter", "counter:04DE5F1EACC040"),
      ("DELETE FROM trusted_key", "key:field"),
      ("DELETE FROM experience", "experience:https://fruta.example.com/order"),
      ("DELETE FROM experience; DELETE FROM clip", "clip:com.example.fruta.Clip"),
      ("UPDATE experience SET place_id = NULL; DELETE FROM place", "place:cupertino"),
    ],
    [
      "UPDATE recorder SET home = NULL", "UPDATE recorder SET home = 'elsewhere'",
      "UPDATE recorder SET home = NULL, merged = 1",
    ])
  func removed(removal: (sql: String, subject: String), author: String) throws {
    do { try fill(try RegistryLocation.file(path).open()) }
    let copy = folder.file("copy.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    for (path, more) in [(path, "; " + author), (copy, "")] {
      do {
        try DatabaseQueue(path: path).write { try $0.executeWithoutGuards(removal.sql + more) }
      }
      let findings = try RegistryLocation.file(path).open(for: .lookUp).findings()
      // A recorder whose entries no entry says to be merged is itself a finding.
      let found = author.hasSuffix("merged = 1") && !more.isEmpty ? "recorder:" : removal.subject
      #expect(findings.contains { $0.subject?.description.hasPrefix(found) == true })
      #expect(findings.allSatisfy { $0.code == .settingAltered })
    }
  }

  // MARK: Histories

  /// Makes a random change of the settings of a registry.
  private func change(
    _ store: any RegistryStore, _ generator: inout SeededGenerator, trusting: Bool = true
  ) throws {
    let place = Fixtures.place(
      "p\(Int.random(in: 0..<4, using: &generator))",
      Double(Int.random(in: 0..<80, using: &generator)), 2)
    let uid = "04AA0\(Int.random(in: 0..<3, using: &generator))"
    let link = try Fixtures.experience("https://fruta.example.com/\(place.id)")
    switch Int.random(in: 0..<10, using: &generator) {
    case 0, 1: try? store.add(place)
    case 2: try? store.replace(place)
    case 3: _ = try? store.removePlace(id: place.id)
    case 4, 5: try? store.write { try $0.advance(uid, Int.random(in: 0..<99, using: &generator)) }
    case 6: _ = try? store.forgetCounter(ofTag: uid)
    case 7: _ = try? store.write { try $0.store(Fixtures.clip) }
    case 8: try? store.add(link)
    default: try? store.removeExperience(link: link.link)
    }
    guard trusting, Int.random(in: 0..<4, using: &generator) == 0 else { return }
    if (try? store.removeTrust(inKeyNamed: "field")) == nil {
      try store.trust(
        try Ed25519PrivateKey().publicKey(), named: "field", at: Fixtures.noon, by: "me")
    }
  }

  @Test(
    "registries that were changed, copied, restored and merged agree with their record; what then disappears is found",
    arguments: 0..<24)
  func histories(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var paths = [path, folder.file("other.sqlite")]
    for step in 0..<40 {
      let (first, second) = (
        paths.randomElement(using: &generator) ?? path,
        paths.randomElement(using: &generator) ?? path
      )
      switch Int.random(in: 0..<8, using: &generator) {
      case 0 where paths.count < 5 && FileManager.default.fileExists(atPath: first):
        let copy = folder.file("copy\(step).sqlite")
        try FileManager.default.copyItem(atPath: first, toPath: copy)
        paths.append(copy)
      case 1 where FileManager.default.fileExists(atPath: first):
        let backup = folder.file("backup\(step).sqlite")
        _ = try RegistryLocation.file(first).backUp(to: backup)
        try change(try RegistryLocation.file(first).open(), &generator)
        _ = try RegistryLocation.file(first).restore(from: backup)
      case 2,
        3 where first != second:
        _ = try RegistryLocation.file(first).open().merge(
          try RegistryLocation.file(second).open(), name: "other", retellingForks: true)
      default: try change(try RegistryLocation.file(first).open(), &generator)
      }
      for path in [first, second] {
        #expect(try RegistryLocation.file(path).open().findings() == [], "step \(step)")
      }
    }
    for path in paths {
      for table in ["experience", "place", "tag_counter", "trusted_key"] {
        let isGone = try DatabaseQueue(path: path).write { database in
          let key =
            try String.fetchOne(
              database, sql: "SELECT name FROM pragma_table_info('\(table)') WHERE pk = 1") ?? ""
          let gone = try Row.fetchOne(database, sql: "SELECT \(key) AS key FROM \(table)")
          try database.executeWithoutGuards("UPDATE recorder SET home = NULL")
          try database.execute(
            sql: "DELETE FROM \(table) WHERE \(key) = ?",
            arguments: [gone?["key"] as DatabaseValue?])
          return gone != nil
        }
        guard isGone else { continue }
        #expect(try RegistryLocation.file(path).open(for: .lookUp).findings().count > 0, "\(table)")
      }
    }
  }

  @Test("a registry from before merges were recorded agrees with its record", arguments: 0..<8)
  func adoptedMerges(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (other, copy) = (folder.file("other.sqlite"), folder.file("copy.sqlite"))
    for _ in 0..<12 {
      for path in [path, other] { try change(try RegistryLocation.file(path).open(), &generator) }
    }
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    for _ in 0..<6 { try change(try RegistryLocation.file(path).open(), &generator) }
    for (path, from) in [(path, other), (copy, path), (copy, other)] {
      let store = try RegistryLocation.file(path).open()
      _ = try store.merge(try RegistryLocation.file(from).open(), name: "other")
      try change(store, &generator)
    }
    for path in [path, copy] {
      try DatabaseQueue(path: path).writeWithoutTransaction { database in
        try database.execute(
          sql: """
            ALTER TABLE recorder DROP COLUMN merged; PRAGMA user_version = \(RegistryFormat.merges - 1)
            """)
      }
      // The old format had no entries about recorders.
      let findings = try RegistryLocation.file(path).open().findings()
      #expect(
        findings.filter { $0.subject?.description.hasPrefix("recorder:") != true } == [])
    }
  }

  @Test(
    "what two stations of a server change agrees with its record; what then disappears is found",
    .enabled(if: TestServer.shared != nil, "make test starts the server"), arguments: 0..<3)
  func stations(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let database = try folder.database()
    let stores = try ["anna", "ben"].map { name in
      let login = try database.login("station", name: name)
      return try RegistryLocation.server(database.address(as: login), station: "bench").open()
    }
    let office = try RegistryLocation.file(path).open()
    let key = try Ed25519PrivateKey()
    try database.location.open().trust(
      try key.publicKey(), named: "office", at: Fixtures.noon, by: "Ada")
    let reader = try RegistryLocation.server(
      database.address(as: try database.login("reader")), station: "bench"
    ).open(for: .lookUp)
    for step in 0..<60 {
      let store = try #require(stores.randomElement(using: &generator))
      if step % 10 == 9 {
        try change(office, &generator)
        try office.issue(Fixtures.code(UInt64(step)), by: "office")
        let checkpoint = try Checkpoint(time: Fixtures.noon, heads: office.chainHeads()).signed(
          with: key)
        _ = try store.merge(
          office, name: "office",
          trusting: .checkpoints([SignedCheckpoint(Array(checkpoint.utf8), name: "c")]))
      } else {
        try change(store, &generator, trusting: false)
      }
      #expect(try reader.findings() == [], "step \(step)")
    }
    for store in stores { #expect(try store.findings() == []) }
    try database.ask("DELETE FROM cliptag.experience")
    for table in ["place", "tag_counter"] {
      let before = try reader.findings().count
      let gone = try database.ask("SELECT count(*) FROM cliptag.\(table)")
      try database.ask("DELETE FROM cliptag.\(table)")
      for store in stores + [reader] {
        #expect("\(try store.findings().count - before)" == gone, "\(table)")
      }
    }
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
    // Its place, and that it merged.
    #expect(report.added == 2 && report.codes == 0)
    #expect(try first.findings() == [] && copy.findings() == [])
    #expect(try first.place(id: "cupertino") == Fixtures.place("cupertino", 3, 4))
    #expect(try copy.merge(first, name: "first").added == 1)
    #expect(try first.entries() == copy.entries())
    #expect(try first.merge(copy, name: "copy").added == 0)
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
