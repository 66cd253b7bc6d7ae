import CliptagBasics
import Foundation
import GRDB
import Registry
import RegistryFixtures
import Testing

/// The last counters of tags that make Secure Unique NFC messages.
@Suite("Counters of tags") struct TagCounterTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let uid = "04DE5F1EACC040"

  @Test(
    "the first counter of a tag is new, and only a higher one after it is",
    arguments: StoreKind.allCases)
  func rising(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    #expect(try store.advance(Self.uid, to: 61) == .new(last: nil))
    let first = TagCounter(uid: Self.uid, counter: 61, seen: Fixtures.noon)
    for older in [61, 60, 0] {
      #expect(try store.advance(Self.uid, to: older) == .replayed(last: first))
    }
    #expect(try store.advance(Self.uid, to: 70) == .new(last: first))
    #expect(try store.advance("04958CAA5C5E80", to: 1) == .new(last: nil))
    #expect(try store.tagCounters().map(\.counter) == [1, 70])
  }

  @Test("a UID is the same in upper and lower case", arguments: StoreKind.allCases)
  func letterCase(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    _ = try store.advance(Self.uid.lowercased(), to: 61)
    #expect(try store.tagCounters().map(\.uid) == [Self.uid])
    let answer = try store.read { registry in
      try registry.compareCounter(ofTag: Self.uid.lowercased(), with: 61)
    }
    #expect(answer == .replayed(last: TagCounter(uid: Self.uid, counter: 61, seen: Fixtures.noon)))
  }

  @Test("comparing changes nothing", arguments: StoreKind.allCases)
  func comparing(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    for _ in 0..<2 {
      let answer = try store.read { registry in
        try registry.compareCounter(ofTag: Self.uid, with: 61)
      }
      #expect(answer == .new(last: nil))
    }
    #expect(try store.tagCounters() == [])
  }

  @Test("a counter that no tag shows is refused", arguments: StoreKind.allCases)
  func range(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    for counter in [-1, 0x100_0000] {
      #expect(throws: RegistryError(.invalid, "", hint: "")) {
        try store.advance(Self.uid, to: counter)
      }
    }
    #expect(try store.advance(Self.uid, to: 0xFF_FFFF) == .new(last: nil))
  }

  @Test("a counter is forgotten only when asked, and once", arguments: StoreKind.allCases)
  func forgetting(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    _ = try store.advance(Self.uid, to: 61)
    #expect(try store.forgetCounter(ofTag: Self.uid.lowercased()).counter == 61)
    #expect(try store.advance(Self.uid, to: 3) == .new(last: nil))
    #expect(throws: RegistryError(.notFound, "", hint: "")) {
      try store.forgetCounter(ofTag: "04000000000000")
    }
  }

  @Test(
    "an import, also one that replaces everything, leaves counters alone",
    arguments: StoreKind.allCases)
  func imports(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    _ = try store.advance(Self.uid, to: 61)
    let document = try store.document()
    _ = try store.apply(document, .replaceAll)
    #expect(try store.tagCounters().map(\.counter) == [61])
    let elsewhere = try TemporaryFolder()
    let other = try kind.make(in: elsewhere)
    _ = try other.apply(document)
    #expect(try other.tagCounters() == [], "an export holds no counters")
  }

  @Test("of many writers with the same message exactly one is told that it is new")
  func race() async throws {
    let path = folder.file("registry.sqlite")
    _ = try RegistryLocation.file(path).open()
    let news = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          // A separate connection, as another process would have.
          let answer = try RegistryLocation.file(path).open().advance(Self.uid, to: 61)
          return answer == .new(last: nil)
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(news == 1)
  }

  @Test(
    "no other program can make a counter fall either",
    arguments: [
      "UPDATE tag_counter SET counter = 60", "UPDATE tag_counter SET counter = 61",
      "INSERT OR REPLACE INTO tag_counter VALUES ('04DE5F1EACC040', 5, 0)",
      "UPDATE tag_counter SET uid = '04000000000000', counter = 99",
    ])
  func triggers(sql: String) throws {
    let path = folder.file("registry.sqlite")
    _ = try RegistryLocation.file(path).open().advance(Self.uid, to: 61)
    let queue = try DatabaseQueue(path: path)
    #expect(throws: DatabaseError.self) { try queue.write { try $0.execute(sql: sql) } }
    #expect(try RegistryLocation.file(path).open().tagCounters().map(\.counter) == [61])
  }
}

extension RegistryStore {
  @discardableResult
  fileprivate func advance(_ uid: String, to counter: Int) throws(RegistryError) -> CounterAnswer {
    try write { registry in
      try registry.advanceCounter(ofTag: uid, to: counter, at: Fixtures.noon)
    }
  }
}
