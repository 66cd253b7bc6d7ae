import CliptagBasics
import Foundation
import GRDB
import Invocation
import RegistryFixtures
@testable import Registry
import TestSupport
import Testing

/// The union of walks.
@Suite("Merging walks")
struct WalkMergeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Creates a registry that issued two codes and has a walk of two stops, one with a picture.
  private func laptop(_ store: any RegistryStore) throws -> Walk {
    try Fixtures.fill(store)
    let walk = try store.begin("Autumn", by: "jo", at: Fixtures.noon)
    try store.add(Fixtures.stop(walk, 1, Fixtures.code(1).id), by: "jo")
    try store.add(Fixtures.fullStop(walk, 2), picture: Fixtures.picture, by: "jo")
    return walk
  }

  @Test(
    "walks, stops, pictures and histories are taken in, and nothing twice",
    arguments: StoreKind.allCases)
  func union(kind: StoreKind) throws {
    let (store, other) = (try kind.make(in: folder), try RegistryLocation.memory.open())
    let walk = try laptop(other)
    let rehearsal = try store.mergeWalks(from: other, name: "other", dryRun: true)
    #expect(try store.walks() == [] && store.counts().codes == 0)
    let report = try store.mergeWalks(from: other, name: "other")
    #expect(report == rehearsal)
    #expect(report.walks == 1 && report.knownWalks == 0)
    #expect(report.stops == 2 && report.knownStops == 0)
    #expect(report.record.added == 7 && report.record.codes == 2)
    let again = try store.mergeWalks(from: other, name: "other")
    #expect(again.walks == 0 && again.knownWalks == 1)
    #expect(again.stops == 0 && again.knownStops == 2)
    #expect(again.record.added == 0 && again.record.known == 7)
    #expect(try store.walks() == [walk])
    #expect(try store.stops(of: walk.id) == other.stops(of: walk.id))
    #expect(try store.picture(of: walk.id, stop: 2) == Fixtures.picture)
    #expect(try store.findings() == [])
    // Only the registry that began the walk continues it.
    try other.add(Fixtures.stop(walk, 3), by: "jo")
    let more = try store.mergeWalks(from: other, name: "other")
    #expect(more.stops == 1 && more.knownStops == 2)
    #expect(throws: RegistryError(.foreignWalk, "", hint: "")) {
      try store.add(Fixtures.stop(walk, 4), by: "jo")
    }
  }

  @Test(
    "a stop that is another one here is refused with all the rest", arguments: StoreKind.allCases)
  func forked(kind: StoreKind) throws {
    for differs in ["reading", "picture", "note"] {
      let folder = try TemporaryFolder()
      let (store, other) = (try kind.make(in: folder), try RegistryLocation.memory.open())
      let walk = try laptop(other)
      _ = try store.mergeWalks(from: other, name: "other")
      // The same laptop with a different reading.
      let twin = try RegistryLocation.memory.open()
      try twin.write { registry in
        try registry.insert(walk)
        try registry.insert(Fixtures.stop(walk, 1, Fixtures.code(1).id), picture: nil)
        let stop = Fixtures.fullStop(walk, 2)
        try registry.insert(
          WalkStop(
            walk: walk.id, number: 2, time: stop.time, kind: stop.kind, source: stop.source,
            page: stop.page, digest: stop.digest, sign: stop.sign, fix: stop.fix,
            statedPlace: stop.statedPlace, note: differs == "note" ? "x" : stop.note,
            unreadCount: stop.unreadCount,
            readings: differs == "reading" ? stop.readings.dropLast() : stop.readings),
          picture: differs == "picture" ? nil : Fixtures.picture)
        try registry.insert(Fixtures.stop(walk, 3), picture: nil)
        let second = Walk(name: "x", who: "x", started: Fixtures.noon, recorder: walk.recorder)
        try registry.insert(second)
      }
      let error = #expect(throws: RegistryError.self) {
        try store.mergeWalks(from: twin, name: "twin")
      }
      #expect(error?.code == .forkedRecord && error?.message.contains("stop 2") == true)
      #expect(try store.walks() == [walk])
      #expect(try store.stops(of: walk.id) == other.stops(of: walk.id))
    }
  }

  @Test("a walk of the same id that somebody else walked is refused")
  func otherWalk() throws {
    let (store, other) = (try RegistryLocation.memory.open(), try RegistryLocation.memory.open())
    let walk = try laptop(store)
    try other.write { registry in
      try registry.insert(
        Walk(
          id: walk.id, name: walk.name, who: "al", started: walk.started, recorder: walk.recorder))
    }
    #expect(throws: RegistryError(.forkedRecord, "", hint: "")) {
      try store.mergeWalks(from: other, name: "other")
    }
  }

  @Test("a record that is refused takes the walks with it, and the other way round")
  func together() throws {
    let path = folder.file("other.sqlite")
    let walk: Walk
    do { walk = try laptop(try RegistryLocation.file(path).open()) }
    for change in [
      "UPDATE code_entry SET who = 'x' WHERE number = 7",
      """
      DELETE FROM walk_reading WHERE stop = 1;
      DELETE FROM walk_stop WHERE number = 1
      """,
    ] {
      let copy = folder.file("copy.sqlite")
      try? FileManager.default.removeItem(atPath: copy)
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      do { try DatabaseQueue(path: copy).write { try $0.executeWithoutGuards(change) } }
      let store = try RegistryLocation.memory.open()
      #expect(throws: RegistryError(.brokenRecord, "", hint: "")) {
        try store.mergeWalks(from: try RegistryLocation.file(copy).open(for: .lookUp), name: "copy")
      }
      #expect(try store.counts().codes == 0 && store.walks() == [])
    }
    let store = try RegistryLocation.memory.open()
    let report = try store.mergeWalks(
      from: try RegistryLocation.file(path).open(for: .lookUp), name: "path")
    #expect(report.stops == 2 && report.record.added == 7)
    #expect(try store.walks() == [walk])
  }

  @Test("the order in which laptops are merged does not matter", arguments: 0..<8)
  func commutative(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let laptops = try (0..<3).map { _ in try RegistryLocation.memory.open() }
    let codes = (1...4).map { Fixtures.code($0) }
    try laptops[0].issue(codes, by: "office")
    for laptop in laptops.dropFirst() { _ = try laptop.mergeWalks(from: laptops[0], name: "0") }
    for step in 0..<60 {
      let index = laptops.indices.randomElement(using: &generator)!
      let laptop = laptops[index]
      if Int.random(in: 0..<8, using: &generator) == 0 {
        let other = laptops.indices.randomElement(using: &generator)!
        if other != index { _ = try laptop.mergeWalks(from: laptops[other], name: "other") }
        continue
      }
      let name = Bool.random(using: &generator) ? "Autumn" : "Spring"
      let walk = try laptop.begin(
        name, by: "x", at: Fixtures.noon.addingTimeInterval(Double(step % 3)))
      let number = try laptop.lastStop(of: walk.id) + 1
      try laptop.add(
        Fixtures.stop(walk, number, codes.randomElement(using: &generator)!.id),
        picture: Bool.random(using: &generator) ? Fixtures.picture : nil, by: "x")
    }
    let merged = try [[0, 1, 2], [2, 1, 0], [1, 2, 0, 1]].map { order in
      let result = try RegistryLocation.file(folder.file("\(order).sqlite")).open()
      for index in order { _ = try result.mergeWalks(from: laptops[index], name: "\(index)") }
      return result
    }
    for other in merged.dropFirst() {
      #expect(try other.entries() == merged[0].entries())
      #expect(try other.walks() == merged[0].walks())
      for walk in try other.walks() {
        #expect(try other.stops(of: walk.id) == merged[0].stops(of: walk.id))
        for number in 0...(try other.lastStop(of: walk.id)) {
          #expect(
            try other.picture(of: walk.id, stop: number)
              == merged[0].picture(of: walk.id, stop: number))
        }
      }
    }
    #expect(try merged[0].findings() == [])
  }
}
