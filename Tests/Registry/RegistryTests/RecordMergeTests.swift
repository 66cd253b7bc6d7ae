import CliptagBasics
import Foundation
import Invocation
import RegistryFixtures
@testable import Registry
import Synchronization
import TagAuthenticity
import TestSupport
import Testing

/// The union of records.
@Suite("Merging records")
struct RecordMergeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a merge adds what only the other has, and nothing twice", arguments: StoreKind.allCases)
  func union(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let other = try RegistryLocation.memory.open()
    try Fixtures.fill(other)
    try store.issue([Fixtures.code(3)], by: "here")
    let rehearsal = try store.merge(other, name: "other", dryRun: true)
    #expect(try store.counts().codes == 1)
    let report = try store.merge(other, name: "other")
    #expect(report == rehearsal)
    #expect(report.added == 5 && report.known == 0)
    #expect(report.codes == 2 && report.retired == 1 && report.recorders == 1)
    #expect(
      try store.codes() == [
        Fixtures.retired(Fixtures.code(1)), try #require(other.codes().last), Fixtures.code(3),
      ])
    for code in try other.codes() {
      #expect(try store.history(of: code.id) == other.history(of: code.id))
    }
    let again = try store.merge(other, name: "other")
    #expect(again.added == 0 && again.known == 5 && again.codes == 0 && again.retired == 0)
    #expect(try store.findings() == [])
    // After merging back, both hold the same.
    _ = try other.merge(Entries(try store.entries()), name: "store")
    #expect(try store.chainHeads() == other.chainHeads())
    #expect(try store.codes() == other.codes())
  }

  @Test("a log from a pipe that pauses holds up nobody, and is taken when it is whole")
  func slowPipe() throws {
    let other = try RegistryLocation.memory.open()
    try Fixtures.fill(other)
    var lines: [[UInt8]] = []
    try other.forEachLogLine { lines.append($0) }
    let pipe = folder.file("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let location = RegistryLocation.file(folder.file("registry.sqlite"))
    let store = try location.open()
    let merged = Mutex<Int?>(nil)
    let isOver = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let report = try? store.merge(RecordLog(path: pipe), name: "pipe")
      merged.withLock { $0 = report?.added }
      isOver.signal()
    }
    // The pipe is opened when the merge reads from it.
    let descriptor = open(pipe, O_WRONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    func send(_ lines: some Sequence<[UInt8]>) {
      let bytes = Array(lines.joined())
      #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    }
    send(lines.prefix(2))
    try location.open(busyTimeout: .zero).issue(Fixtures.code(3), by: "another")
    send(lines.dropFirst(2))
    close(descriptor)
    isOver.wait()
    #expect(merged.withLock { $0 } == 5)
    #expect(try store.codes().count == 3)
  }

  @Test("a code that the other retired is retired here", arguments: StoreKind.allCases)
  func retired(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let other = try RegistryLocation.memory.open()
    let code = Fixtures.code(1)
    try store.issue([code], by: "here")
    _ = try other.merge(Entries(try store.entries()), name: "store")
    try other.retire(code.id, at: Fixtures.noon, by: "there")
    let report = try store.merge(other, name: "other")
    #expect(report.retired == 1 && report.added == 1)
    #expect(try store.code(id: code.id)?.status == .retired)
    #expect(try store.findings() == [])
  }

  @Test(
    "a chain that goes on otherwise than here is refused, and nothing is taken",
    arguments: StoreKind.allCases)
  func forked(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.issue([Fixtures.code(1)], by: "here")
    var entries = try store.entries()
    try store.record(.read, of: Fixtures.code(1).id, at: Fixtures.noon, by: "here")
    entries.append(
      try RecordEntry(
        of: CodeEvent(
          code: Fixtures.code(1).id, sequence: 0, time: Fixtures.noon, kind: .read, who: "there"),
        after: entries[0].head, by: entries[0].recorder))
    let before = try store.entries()
    #expect(throws: RegistryError(.forkedRecord, "", hint: "")) {
      try store.merge(Entries(entries), name: "other")
    }
    #expect(try store.entries() == before)
  }

  @Test(
    "entries in this registry's own name that it never wrote are refused: a log is no authority",
    arguments: StoreKind.allCases)
  func forgedInOurName(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.issue([Fixtures.code(1)], by: "here")
    var entries = try store.entries()
    let last = try #require(entries.last)
    entries.append(
      try RecordEntry(
        of: CodeEvent(
          code: Fixtures.code(1).id, sequence: 0, time: Fixtures.noon, kind: .retired,
          who: "stranger"),
        after: last.head, by: last.recorder))
    let error = #expect(throws: RegistryError.self) {
      try store.merge(Entries(entries), name: "other")
    }
    #expect(error?.code == .forkedRecord)
    #expect(error?.message.contains("claims to be of this registry") == true)
    #expect(try store.code(id: Fixtures.code(1).id)?.status == .issued)
    #expect(try store.entries().count == entries.count - 1)
  }

  @Test("what follows a fork can be told again: both sides have all of it, once, and go on")
  func retoldForks() throws {
    // A file and a copy of it, restored over it as cp does, both continued one chain.
    let path = folder.file("one.sqlite")
    func record(_ kind: CodeEvent.Kind, after seconds: Double = 0) throws -> any RegistryStore {
      let store = try RegistryLocation.file(path).open()
      let time = Fixtures.noon.addingTimeInterval(seconds)
      try store.record(kind, of: Fixtures.code(1).id, at: time, by: "me")
      return store
    }
    func bytes() -> [Data] {
      ["", "-wal"].map { FileManager.default.contents(atPath: path + $0) ?? Data() }
    }
    try RegistryLocation.file(path).open().issue([Fixtures.code(1)], by: "before")
    let copy = bytes()
    let first = try RegistryLocation.memory.open()
    _ = try first.merge(try record(.read), name: "common")
    let lost = try first.entries()
    try? FileManager.default.removeItem(atPath: path + "-shm")
    for (end, bytes) in zip(["", "-wal"], copy) {
      let handle = try #require(
        FileHandle(forWritingAtPath: path + end)
          ?? (FileManager.default.createFile(atPath: path + end, contents: nil)
            ? FileHandle(forWritingAtPath: path + end) : nil))
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: bytes)
      try handle.close()
    }
    let again = try record(.installed)
    let before = try again.entries()
    #expect(before.map(\.recorder).count == 2 && Set(before.map(\.recorder)).count == 1)

    for (store, other) in [(again, first), (first, again)] {
      let error = #expect(throws: RegistryError.self) { try store.merge(other, name: "other") }
      #expect(error?.code == .forkedRecord)
      let report = try store.merge(other, name: "other", retellingForks: true)
      #expect(report.retold == 1)
      let repeated = try store.merge(other, name: "other", retellingForks: true)
      #expect(repeated.added == 0, "the same fork gives the same chain")
      var findings = 0
      _ = try store.verifyRecord { _ in findings += 1 }
      #expect(findings == 0)
    }
    // Recorders are sorted by their names, which are random.
    #expect(
      try again.entries().filter { $0.recorder == before[0].recorder } == before,
      "nothing of its own is changed")
    #expect(try first.entries().filter { lost.contains($0) }.count == lost.count)
    for store in [again, first] {
      let told = try store.history(of: Fixtures.code(1).id).map(\.kind)
      #expect(
        told.filter { $0 == .read }.count == 1 && told.filter { $0 == .installed }.count == 1)
    }
    _ = try record(.verified, after: 60)
    let own = try #require(try again.entries().last { $0.kind == .verified })
    #expect(own.recorder != before[0].recorder, "it goes on with a chain of its own")
  }

  @Test(
    "entries of others are taken only when a trusted key signed a checkpoint of their end",
    arguments: StoreKind.allCases)
  func trusted(kind: StoreKind) throws {
    let (key, stranger) = (try Ed25519PrivateKey(), try Ed25519PrivateKey())
    let (store, other) = (try kind.make(in: folder), try RegistryLocation.memory.open())
    try Fixtures.fill(other)
    func checkpoint(_ heads: [ChainHead], _ key: Ed25519PrivateKey) throws -> MergeTrust {
      let text = try Checkpoint(time: Fixtures.noon, heads: heads).signed(with: key)
      return .checkpoints([SignedCheckpoint(Array(text.utf8), name: "c")])
    }
    func refusal(_ trust: MergeTrust) -> RegistryError.Code? {
      let error = #expect(throws: RegistryError.self) {
        try store.merge(other, name: "other", trusting: trust)
      }
      #expect((try? store.counts().codes) == 0)
      return error?.code
    }
    let heads = try other.chainHeads()
    let head = try #require(heads.first)
    #expect(refusal(.checkpoints([])) == .untrustedRecord)
    #expect(refusal(try checkpoint(heads, key)) == .wrongSignature)
    try store.trust(try key.publicKey(), named: "field", at: Fixtures.noon, by: "me")
    #expect(refusal(.checkpoints([])) == .untrustedRecord)
    #expect(refusal(try checkpoint(heads, stranger)) == .wrongSignature)
    // A checkpoint of another head, be it earlier, later or rewritten, does not cover this one.
    for (number, hash) in [(4, head.hash), (6, head.hash), (5, EntryHash.none)] {
      let wrong = ChainHead(recorder: head.recorder, number: number, hash: hash)
      #expect(refusal(try checkpoint([wrong], key)) == .untrustedRecord)
    }
    let report = try store.merge(other, name: "other", trusting: try checkpoint(heads, key))
    #expect(report.added == 5 && report.unsigned == 0)
    // Entries that are here already need no signature.
    #expect(try store.merge(other, name: "other", trusting: .checkpoints([])).known == 5)
    try store.removeTrust(inKeyNamed: "field")
    #expect(try store.trustedKeys().isEmpty)
    #expect(throws: RegistryError(.notFound, "", hint: "")) {
      try store.removeTrust(inKeyNamed: "field")
    }
  }

  @Test("a key is trusted once, under one name")
  func names() throws {
    let store = try RegistryLocation.memory.open()
    let key = try Ed25519PrivateKey().publicKey()
    let added = try store.trust(key, named: "field", at: Fixtures.noon, by: "me")
    #expect(try store.trustedKeys().map(\.fingerprint) == [added.fingerprint])
    #expect(added.fingerprint.count == 64)
    #expect(throws: RegistryError(.alreadyExists, "", hint: "")) {
      try store.trust(key, named: "other", at: Fixtures.noon, by: "me")
    }
    #expect(throws: RegistryError(.alreadyExists, "", hint: "")) {
      try store.trust(
        try Ed25519PrivateKey().publicKey(), named: "field", at: Fixtures.noon, by: "me")
    }
    #expect(throws: RegistryError(.invalid, "", hint: "")) {
      try store.trust(
        try Ed25519PrivateKey().publicKey(), named: " ", at: Fixtures.noon, by: "me")
    }
  }

  @Test(
    "a message that was used up there is a copy here after the merge, from a registry as from a log",
    arguments: StoreKind.allCases, [true, false])
  func counters(kind: StoreKind, fromLog: Bool) throws {
    let (store, other) = (try kind.make(in: folder), try RegistryLocation.memory.open())
    let uids = ["04DE5F1EACC040", "04000000000001", "04000000000002"]
    func advance(_ store: any RegistryStore, _ counters: [Int?]) throws {
      try store.write { registry in
        for (uid, counter) in zip(uids, counters) {
          guard let counter else { continue }
          _ = try registry.advanceCounter(ofTag: uid, to: counter, at: Fixtures.noon)
        }
      }
    }
    try Fixtures.fill(other)
    try advance(other, [61, 3, 9])
    try advance(store, [60, nil, 10])
    func merge(dryRun: Bool) throws -> MergeReport {
      guard fromLog else { return try store.merge(other, name: "other", dryRun: dryRun) }
      return try store.merge(try log(of: other), name: "log", dryRun: dryRun)
    }
    let rehearsal = try merge(dryRun: true)
    #expect(try store.tagCounters().map(\.counter) == [10, 60])
    #expect(try merge(dryRun: false) == rehearsal)
    #expect(rehearsal.counters.map(\.uid) == [uids[1], uids[0]])
    #expect(try store.tagCounters().map(\.counter) == [3, 10, 61])
    let answer = try store.read { try $0.compareCounter(ofTag: uids[0], with: 61) }
    #expect(answer == .replayed(last: try #require(try store.tagCounters().last)))
    #expect(try merge(dryRun: false).counters == [])
  }

  @Test(
    "a log is written in pieces, ends with what was there at its beginning, and holds no transaction open",
    arguments: StoreKind.allCases, [1, 2, 3, 5_000])
  func pieces(kind: StoreKind, size: Int) throws {
    let store = try kind.make(in: folder)
    try Fixtures.fill(store)
    // The entries of codes and those of settings share the numbers of a chain.
    _ = try store.write { try $0.advanceCounter(ofTag: "04E10CDA993C80", to: 7, at: Fixtures.noon) }
    try store.record(.verified, of: Fixtures.code(1).id, at: Fixtures.noon, by: "Ada")
    let heads = try store.chainHeads()
    var entries: [RecordEntry] = []
    try store.read { registry throws(RegistryError) in
      try registry.forEachEntry { entries.append($0) }
    }
    var bytes: [UInt8] = []
    let count = try store.forEachLogLine(inPiecesOf: size) { line throws(RegistryError) in
      bytes += line
      // A store runs one transaction at a time, so this one began after the piece's had ended.
      try store.record(.verified, of: Fixtures.code(1).id, at: Fixtures.noon, by: "Ben")
    }
    let path = folder.file("record.jsonl")
    try Data(bytes).write(to: URL(filePath: path))
    var read: [RecordEntry] = []
    try RecordLog(path: path).forEachEntry { read.append($0) }
    #expect(count == entries.count)
    #expect(read == entries)
    #expect(try store.chainHeads() != heads)
  }

  private func log(of store: any RegistryStore) throws -> RecordLog {
    var bytes: [UInt8] = []
    try store.forEachLogLine { bytes += $0 }
    let path = folder.file("record.jsonl")
    try Data(bytes).write(to: URL(filePath: path))
    return RecordLog(path: path)
  }

  @Test(
    "a counter that no entry tells of is taken only where everybody is trusted",
    arguments: StoreKind.allCases)
  func counterWithoutEntry(kind: StoreKind) throws {
    let (store, other) = (try kind.make(in: folder), try RegistryLocation.memory.open())
    let key = try Ed25519PrivateKey()
    try store.trust(try key.publicKey(), named: "field", at: Fixtures.noon, by: "me")
    let (told, genuine) = ("04DE5F1EACC040", "04000000000001")
    try Fixtures.fill(other)
    try other.write { _ = try $0.advanceCounter(ofTag: told, to: 61, at: Fixtures.noon) }
    let signed = try Checkpoint(time: Fixtures.noon, heads: other.chainHeads()).signed(with: key)
    let path = folder.file("record.jsonl")
    var bytes: [UInt8] = []
    try other.forEachLogLine { bytes += $0 }
    // A person who passes the log on adds a line, and raises a counter on another line.
    let altered =
      String(decoding: bytes, as: UTF8.self).replacing(/"61 \d+"/, with: "\"16777215 0\"")
      + "{\"type\":\"counters\",\"counters\":{\"\(genuine)\":\"16777215 0\"}}\n"
    try Data(altered.utf8).write(to: URL(filePath: path))
    let trust = MergeTrust.checkpoints([SignedCheckpoint(Array(signed.utf8), name: "checkpoint")])
    let report = try store.merge(RecordLog(path: path), name: "log", trusting: trust)
    #expect(report.counters.map(\.counter) == [61])
    #expect(try store.tagCounters().map(\.uid) == [told])
    let answer = try store.read { try $0.compareCounter(ofTag: genuine, with: 5) }
    #expect(answer == .new(last: nil))
    #expect(
      try store.merge(RecordLog(path: path), name: "log").counters.map(\.uid) == [genuine, told])
  }

  @Test("a log carries all counters, many on a line that is not too long to be read")
  func manyCounters() throws {
    let (store, other) = (try RegistryLocation.memory.open(), try RegistryLocation.memory.open())
    try other.write { registry in
      for number in 0..<20_001 {
        _ = try registry.advanceCounter(
          ofTag: "04" + String(10_000_000 + number), to: number, at: Fixtures.noon)
      }
    }
    var lines: [[UInt8]] = []
    try other.forEachLogLine { lines.append($0) }
    #expect(lines.allSatisfy { $0.count < RecordLog.maximumLineLength })
    #expect(try store.merge(try log(of: other), name: "log").counters.count == 20_001)
    #expect(try store.tagCounters() == other.tagCounters())
  }

  @Test("a line with counters is an entry for whoever knows none, and wrong ones are refused")
  func counterLines() throws {
    let (store, other) = (try RegistryLocation.memory.open(), try RegistryLocation.memory.open())
    try Fixtures.fill(other)
    try other.write {
      _ = try $0.advanceCounter(ofTag: "04DE5F1EACC040", to: 61, at: Fixtures.noon)
    }
    var lines: [[UInt8]] = []
    try other.forEachLogLine { lines.append($0) }
    let entries = try other.entries()
    #expect(try lines.map { try #require(RecordEntry(line: $0.dropLast())) } == entries)
    let first = String(decoding: lines[0], as: UTF8.self)
    #expect(first.contains(#","counters":{"04DE5F1EACC040":"61 "#))
    for wrong in ["16777216 1", "-1 1", "61", "61 1 1", "61 x"] {
      let line = first.replacing(/"61 \d+"/, with: "\"\(wrong)\"")
      let path = folder.file("wrong.jsonl")
      try Data(line.utf8).write(to: URL(filePath: path))
      #expect(throws: RegistryError(.malformedLog, "", hint: "")) {
        try store.merge(RecordLog(path: path), name: "log")
      }
    }
    #expect(try store.tagCounters() == [])
  }

  @Test("codes of a place that is not here are told, however often they are merged")
  func unknownPlaces() throws {
    let (store, other) = (try RegistryLocation.memory.open(), try RegistryLocation.memory.open())
    try store.add(Fixtures.cupertino)
    for place in [Fixtures.cupertino, Fixtures.sanFrancisco] { try other.add(place) }
    try other.issue(
      [
        Fixtures.code(1, place: "cupertino"), Fixtures.code(2, place: "san-francisco"),
        Fixtures.code(3, place: "san-francisco"), Fixtures.code(4),
      ], by: "there")
    for _ in 0..<2 {
      let report = try store.merge(other, name: "other")
      #expect(report.unknownPlaces.map(\.id) == ["san-francisco"])
      #expect(report.unknownPlaces.map(\.codes) == [2])
    }
    #expect(try store.unmerged(from: other).places == 1)
    try store.add(Fixtures.sanFrancisco)
    #expect(try store.merge(other, name: "other").unknownPlaces == [])
    #expect(try store.unmerged(from: other).isEmpty)
  }

  @Test("texts that are the same for Unicode and other bytes are another code")
  func otherBytes() throws {
    let (store, other) = (try RegistryLocation.memory.open(), try RegistryLocation.memory.open())
    try store.issue([Fixtures.code(1, "https://fruta.example.com/K")], by: "here")
    try other.issue([Fixtures.code(1, "https://fruta.example.com/\u{212A}")], by: "there")
    let error = #expect(throws: RegistryError.self) { try store.merge(other, name: "other") }
    #expect(error?.code == .brokenRecord)
    #expect(try store.findings() == [])
  }

  @Test("a number that no entry can have is no entry", arguments: [Int.max, 1 << 53, 0, -1])
  func impossibleNumber(number: Int) throws {
    let store = try RegistryLocation.memory.open()
    try store.issue([Fixtures.code(1)], by: "here")
    let line = String(decoding: try #require(try store.entries().first).line, as: UTF8.self)
    let forged = line.replacing("\"number\":1,", with: "\"number\":\(number),")
    #expect(forged != line && RecordEntry(line: Array(forged.utf8)) == nil)
    #expect(RecordEntry(line: Array(line.utf8)) != nil)
    let hash = String(repeating: "0", count: 64)
    let recorder = try #require(try store.entries().first).recorder
    #expect(throws: RegistryError(.malformedCheckpoint, "", hint: "")) {
      try Checkpoint(
        statement: """
          cliptag checkpoint 1
          time 2026-11-22T12:00:00Z
          chain \(recorder) \(number) \(hash)

          """, name: "c")
    }
  }

  @Test(
    "a record that is not whole is refused, and nothing is taken",
    arguments: StoreKind.allCases)
  func broken(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let other = try RegistryLocation.memory.open()
    try Fixtures.fill(other)
    let entries = try other.entries()
    let broken = RegistryError(.brokenRecord, "", hint: "")
    for source in [
      Array(entries[1...]), [entries[0]] + entries[2...], entries + entries[...0],
      [entries[0], entries[1], entries[3]],
    ] {
      #expect(throws: broken) { try store.merge(Entries(source), name: "other") }
      #expect(try store.counts().codes == 0)
      #expect(try store.entries() == [])
    }
    // A valid chain, but without an entry about the code's issue.
    let stray = try RecordEntry(
      of: CodeEvent(
        code: Fixtures.code(9).id, sequence: 0, time: Fixtures.noon, kind: .read, who: "me"),
      after: nil, by: Recorder())
    #expect(throws: broken) { try store.merge(Entries([stray]), name: "other") }
    #expect(try store.entries() == [])
  }

  @Test("a code of the same name that says something else is refused")
  func otherCode() throws {
    let (store, other) = (try RegistryLocation.memory.open(), try RegistryLocation.memory.open())
    try store.issue([Fixtures.code(1)], by: "here")
    try other.issue([Fixtures.code(1, "https://other.example.com/")], by: "there")
    #expect(throws: RegistryError(.brokenRecord, "", hint: "")) {
      try store.merge(other, name: "other")
    }
  }

  @Test("the order in which laptops are merged does not matter", arguments: 0..<8)
  func commutative(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let laptops = try (0..<3).map { _ in try RegistryLocation.memory.open() }
    let codes = (1...4).map { Fixtures.code($0) }
    try laptops[0].issue(codes, by: "office")
    for laptop in laptops.dropFirst() { _ = try laptop.merge(laptops[0], name: "office") }
    for step in 0..<60 {
      let number = laptops.indices.randomElement(using: &generator)!
      let laptop = laptops[number]
      let code = codes.randomElement(using: &generator)!
      let shift = Double.random(in: -500...500, using: &generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        let other = laptops.indices.randomElement(using: &generator)!
        if other != number { _ = try laptop.merge(laptops[other], name: "other") }
      case 1: _ = try? laptop.retire(code.id, at: Fixtures.noon, by: "x")
      case 2: try laptop.issue([Fixtures.code(UInt64(100 + step))], by: "x")
      default:
        try laptop.record(
          .read, of: code.id, at: Fixtures.noon.addingTimeInterval(shift), by: "x")
      }
    }
    let merged = try [[0, 1, 2], [2, 1, 0], [1, 2, 0, 1]].map { order in
      let result = try RegistryLocation.file(folder.file("\(order).sqlite")).open()
      for index in order { _ = try result.merge(laptops[index], name: "\(index)") }
      return result
    }
    for other in merged.dropFirst() {
      #expect(try other.entries() == merged[0].entries())
      #expect(try other.codes() == merged[0].codes())
      for code in try other.codes() {
        #expect(try other.history(of: code.id) == merged[0].history(of: code.id))
      }
    }
    #expect(try merged[0].findings() == [])
  }
}

private struct Entries: RecordSource {
  let entries: [RecordEntry]

  init(_ entries: [RecordEntry]) { self.entries = entries }

  func forEachEntry(_ body: (RecordEntry) throws(RegistryError) -> Void) throws(RegistryError) {
    for entry in entries { try body(entry) }
  }
}
