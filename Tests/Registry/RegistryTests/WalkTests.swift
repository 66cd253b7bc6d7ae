import CliptagBasics
import Foundation
import GRDB
import Invocation
import RegistryFixtures
@testable import Registry
import Testing

/// Walks, over every store.
@Suite("Walks")
struct WalkTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a stop is read back as it was seen, with its picture", arguments: StoreKind.allCases)
  func kept(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try Fixtures.fill(store)
    let walk = try store.begin("Autumn", by: "jo", at: Fixtures.noon)
    let stops = [Fixtures.stop(walk, 1), Fixtures.fullStop(walk, 2), Fixtures.stop(walk, 3)]
    for stop in stops {
      try store.add(stop, picture: stop.number == 2 ? Fixtures.picture : nil, by: "jo")
    }
    #expect(try store.walks() == [walk])
    #expect(try store.stops(of: walk.id) == stops)
    #expect(try store.lastStop(of: walk.id) == 3)
    #expect(try store.stop(2, of: walk.id) == stops[1])
    #expect(try store.stop(4, of: walk.id) == nil)
    #expect(try store.picture(of: walk.id, stop: 2) == Fixtures.picture)
    #expect(try store.picture(of: walk.id, stop: 1) == nil)
    #expect(try store.stops(onSign: "door", of: walk.id) == [stops[1]])
    #expect(try store.stops(onSign: "Door", of: walk.id) == [])
    let digest = try #require(stops[1].digest)
    #expect(try store.lastStop(of: walk.id, digest: digest, page: 2) != nil)
    #expect(try store.lastStop(of: walk.id, digest: digest, page: nil) == nil)
    #expect(try store.lastStop(of: walk.id, digest: .none, page: 2) == nil)
    let other = try store.begin("Winter", by: "jo", at: Fixtures.noon)
    #expect(try store.otherWalks(with: digest, page: 2, besides: other.id) == [walk])
    #expect(try store.otherWalks(with: digest, page: 2, besides: walk.id) == [])
    #expect(try store.lastStop(of: Walk.ID(), digest: digest, page: 2) == nil)
  }

  @Test(
    "a walk goes on under its name, in the registry that began it", arguments: StoreKind.allCases)
  func begun(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let walk = try store.begin("Autumn", by: "jo", at: Fixtures.noon)
    let later = Fixtures.noon.addingTimeInterval(9)
    #expect(try store.begin("Autumn", by: "al", at: later) == walk)
    #expect(try store.begin("autumn", by: "al", at: later).id != walk.id)
    #expect(try store.walks().map(\.name) == ["Autumn", "autumn"])
  }

  @Test("every code of a stop is told to have been read, once", arguments: StoreKind.allCases)
  func told(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try Fixtures.fill(store)
    let walk = try store.begin("Autumn", by: "jo", at: Fixtures.noon)
    let (retired, tag) = (Fixtures.code(1).id, Fixtures.code(2).id)
    let stop = WalkStop(
      walk: walk.id, number: 1, time: Fixtures.noon.addingTimeInterval(500), kind: .picture,
      source: "a.jpg", digest: EntryHash.none, fix: Fixtures.fix,
      readings: [
        Fixtures.reading(tag, uid: "04FF", location: .outside), Fixtures.reading(nil),
        Fixtures.reading(retired), Fixtures.reading(tag, uid: "04EE"),
        Fixtures.reading(Fixtures.code(9).id),
      ])
    let before = try store.entries().count
    try store.add(stop, by: "jo")
    #expect(try store.entries().count == before + 2)
    let event = try #require(try store.history(of: tag).last)
    // On a server the login precedes the person.
    #expect(["jo", "cliptag (jo)"].contains(event.who))
    #expect(event.kind == .read && event.time == stop.time)
    #expect(
      event.details == [
        "position": "37.323,-122.0322", "accuracy": "8", "uid": "04FF",
        "sha256": EntryHash.none.description, "walk": walk.id.description, "stop": "1",
        "result": "outside",
      ])
    // Retired before and seen again: the code must be taken down.
    let sighting = try #require(try store.sightings()[retired])
    #expect(sighting.last == stop.time && sighting.retired != nil)
    #expect(try store.history(of: retired).last?.details["result"] == nil)
    #expect(try store.findings() == [])
  }

  @Test("a stop that does not follow is refused with its events", arguments: StoreKind.allCases)
  func ordered(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try Fixtures.fill(store)
    let walk = try store.begin("Autumn", by: "jo", at: Fixtures.noon)
    try store.add(Fixtures.fullStop(walk, 1), by: "jo")
    let entries = try store.entries()
    for number in [-1, 0, 1, 3] {
      #expect(throws: RegistryError(.walkChanged, "", hint: "")) {
        try store.add(Fixtures.fullStop(walk, number), by: "jo")
      }
    }
    #expect(throws: RegistryError(.notFound, "", hint: "")) {
      let stranger = Walk(name: "x", who: "x", started: Fixtures.noon, recorder: Recorder())
      try store.add(Fixtures.fullStop(stranger, 1), by: "jo")
    }
    #expect(try store.entries() == entries)
    #expect(try store.lastStop(of: walk.id) == 1)
  }

  @Test("a copy of a registry adds to walks of its own only")
  func copies() throws {
    let (first, second) = (folder.file("a.sqlite"), folder.file("b.sqlite"))
    let walk = try RegistryLocation.file(first).open().begin("Autumn", by: "jo", at: Fixtures.noon)
    try FileManager.default.copyItem(atPath: first, toPath: second)
    let copy = try RegistryLocation.file(second).open()
    #expect(throws: RegistryError(.foreignWalk, "", hint: "")) {
      try copy.add(Fixtures.stop(walk, 1), by: "al")
    }
    let own = try copy.begin("Autumn", by: "al", at: Fixtures.noon)
    #expect(own.id != walk.id && own.recorder != walk.recorder)
    try copy.add(Fixtures.stop(own, 1), by: "al")
    try RegistryLocation.file(first).open().add(Fixtures.stop(walk, 1), by: "jo")
  }

  @Test(
    "nothing of a walk is changed, deleted, replaced or put to it, whoever writes to the file",
    arguments: [
      "UPDATE walk SET who = 'x'", "DELETE FROM walk",
      "INSERT OR REPLACE INTO walk SELECT key, id, 'x', who, started, recorder FROM walk",
      "INSERT OR REPLACE INTO walk SELECT key, 'x', name, who, started, recorder FROM walk",
      "UPDATE walk_stop SET note = 'x'", "DELETE FROM walk_stop WHERE number = 2",
      "INSERT OR REPLACE INTO walk_stop SELECT * FROM walk_stop WHERE number = 2",
      "UPDATE walk_reading SET verdict = 'accepted'", "DELETE FROM walk_reading",
      "INSERT OR REPLACE INTO walk_reading SELECT * FROM walk_reading WHERE number = 1",
      """
      INSERT INTO walk_reading (walk, stop, number, carrier, payload, corners, verdict, state,
        findings) VALUES (1, 1, 3, 'qr', x'', '', 'accepted', 'ok', '[]')
      """,
      "UPDATE walk_picture SET width = 1", "DELETE FROM walk_picture",
      "INSERT OR REPLACE INTO walk_picture SELECT * FROM walk_picture",
      "INSERT INTO walk_picture VALUES (NULL, 1, 2, 1, 1, 1, 1, x'')",
    ])
  func guarded(sql: String) throws {
    let path = folder.file("registry.sqlite")
    let walk: Walk
    do {
      let store = try RegistryLocation.file(path).open()
      walk = try store.begin("Autumn", by: "jo", at: Fixtures.noon)
      try store.add(Fixtures.fullStop(walk, 1), picture: Fixtures.picture, by: "jo")
      try store.add(Fixtures.stop(walk, 2), by: "jo")
    }
    let queue = try DatabaseQueue(path: path)
    #expect(throws: DatabaseError.self) { try queue.write { try $0.execute(sql: sql) } }
    let store = try RegistryLocation.file(path).open(for: .lookUp)
    #expect(try store.walks() == [walk])
    #expect(try store.stops(of: walk.id) == [Fixtures.fullStop(walk, 1), Fixtures.stop(walk, 2)])
    #expect(try store.picture(of: walk.id, stop: 1) == Fixtures.picture)
  }

  @Test("a stop that lost a reading is damage, not another stop")
  func damaged() throws {
    let path = folder.file("registry.sqlite")
    let walk: Walk
    do {
      let store = try RegistryLocation.file(path).open()
      walk = try store.begin("Autumn", by: "jo", at: Fixtures.noon)
      for number in 1...2 { try store.add(Fixtures.fullStop(walk, number), by: "jo") }
    }
    let queue = try DatabaseQueue(path: path)
    try queue.write {
      try $0.executeWithoutGuards("DELETE FROM walk_reading WHERE number = 2")
    }
    #expect(throws: RegistryError(.damaged, "", hint: "")) {
      try RegistryLocation.file(path).open(for: .lookUp).stops(of: walk.id)
    }
  }
}

extension Fixtures {
  static let fix = LocationFix(
    coordinate: Coordinate(latitude: 37.323, longitude: -122.0322)!, accuracy: 8)!

  static let picture = WalkPicture(
    jpeg: [0xFF, 0xD8, 0, 1, 2], width: 16, height: 12, originalWidth: 4000, originalHeight: 3000)

  static func reading(
    _ code: CodeID?, _ payload: String = "https://fruta.example.com/order/cupertino",
    uid: String? = nil, location: LocationOutcome.Result? = nil
  ) -> WalkReading {
    WalkReading(
      carrier: .qr, payload: payload, uid: uid, code: code, verdict: .accepted, state: .ok,
      location: location, findings: [])
  }

  /// Returns a stop with few facts.
  static func stop(_ walk: Walk, _ number: Int, _ code: CodeID? = nil) -> WalkStop {
    WalkStop(
      walk: walk.id, number: number, time: noon.addingTimeInterval(Double(number)),
      kind: .scanner, source: "", readings: [reading(code)])
  }

  /// Returns a stop with all facts.
  static func fullStop(_ walk: Walk, _ number: Int) -> WalkStop {
    let origin = PositionOrigin(
      kind: .gpsd, name: "127.0.0.1:2947", time: noon.addingTimeInterval(0.25), reportCount: 7,
      isSimulated: true, note: "é")
    return WalkStop(
      walk: walk.id, number: number, time: noon.addingTimeInterval(Double(number)),
      taken: noon.addingTimeInterval(-0.5), kind: .picture, source: "a \"b\".jpg", page: 2,
      digest: EntryHash([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 32)),
      sign: "door",
      fix: LocationFix(coordinate: fix.coordinate, accuracy: 8.5, origin: origin),
      statedPlace: "cupertino", note: "left\nof the door", unreadCount: 3,
      readings: [
        WalkReading(
          carrier: .nfc, payload: "a\u{0}b\u{1F}é", uid: "04E10CDA993C80", tagType: "NTAG215",
          isLocked: false, corners: [[1.5, -2], [3, 4], [1e9, 0.1], [0, 0]], grade: 2.7,
          code: code(2).id, placeID: "cupertino", verdict: .rejected, state: .defaultOnly,
          location: .outside, distance: -12.25,
          findings: [
            Finding(.outsideRegion, .error, "“a” \"b\"\n\u{0}"),
            Finding(.polygonNotConfirmable, .note, ""),
          ]), reading(nil, ""),
      ], findings: [Finding(.outsideRegion, .warning, "“a” \"b\"\n")])
  }
}
