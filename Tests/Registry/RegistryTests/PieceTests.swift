import CliptagBasics
import Foundation
import Invocation
import RegistryFixtures
@testable import Registry
import Synchronization
import Testing

/// Imports in pieces.
@Suite("Large documents") struct PieceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func document(_ count: Int) throws -> RegistryDocument {
    RegistryDocument(
      clips: [Fixtures.clip],
      experiences: try (1...count).map { try Fixtures.experience($0) },
      places: (1...count).map { Fixtures.place($0) })
  }

  @Test("another writer comes between the pieces", arguments: StoreKind.files)
  func between(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let shared = SharedStore(store) { number in
      _ = try store.issue(Fixtures.code(UInt64(number)), by: "Ada")
    }
    let report = try shared.bring(try Self.document(5), .merge, wasRead: false, pieces: 2)
    #expect(report.experiences.added == 5 && report.places.added == 5 && report.clips.added == 1)
    // One piece of clips, three of places, three of experiences.
    #expect(shared.changes == 7)
    #expect(try store.codes().count == 7)
    #expect(try store.counts().experiences == 5)
    #expect(try store.wholeRecord(named: "").counts.places == 5)
  }

  @Test("a few things come all at once, or not at all")
  func few() throws {
    let store = try RegistryLocation.memory.open()
    let shared = SharedStore(store) { _ in }
    _ = try shared.bring(try Self.document(5), .merge, wasRead: false, pieces: 11)
    #expect(shared.changes == 1)
  }

  @Test(
    "a run that was ended between two pieces is finished by the same document",
    arguments: StoreKind.files, [ImportMode.merge, .replaceAll])
  func ended(kind: StoreKind, mode: ImportMode) throws {
    let store = try kind.make(in: folder)
    var former = try Self.document(8)
    former.experiences.removeFirst(5)
    former.places.removeFirst(5)
    let document = try Self.document(5)
    _ = try store.apply(former, mode)
    var ends = 0
    while true {
      let ending = SharedStore(store) { [ends] number in
        if number > ends { throw RegistryError(.diskFull, "The disk is full.", hint: "Make room.") }
      }
      do {
        _ = try ending.bring(document, mode, wasRead: false, pieces: 2)
        break
      } catch {
        #expect(error.code == .diskFull)
        ends += 1
      }
      // The present contents are consistent: every experience has its clip and its place.
      #expect(try store.wholeRecord(named: "").counts.clips <= 1)
    }
    #expect(ends > 0)
    let held = try store.document()
    #expect(held.experiences.count == (mode == .merge ? 8 : 5))
    if mode == .replaceAll { #expect(held == document) }
    let again = try store.bring(document, mode, wasRead: false, pieces: 2)
    #expect(again.experiences.unchanged == 5 && again.experiences.added == 0)
  }

  @Test("what another adds meanwhile goes with everything that the document does not hold")
  func replacing() throws {
    let store = try folder.store()
    let document = try Self.document(5)
    let shared = SharedStore(store) { number in
      guard number == 2 else { return }
      try store.add(Fixtures.place(99))
      try store.add(Fixtures.experience(99))
    }
    _ = try shared.bring(document, .replaceAll, wasRead: false, pieces: 2)
    #expect(try store.document() == document)
    #expect(try store.wholeRecord(named: "").counts.places == 5)
  }

  @Test("a document with a mistake changes nothing, however large it is")
  func mistaken() throws {
    let store = try folder.store()
    var document = try Self.document(5)
    document.places.removeLast()
    let error = #expect(throws: RegistryError.self) {
      try store.bring(document, .merge, wasRead: false, pieces: 2)
    }
    #expect(error?.code == .unknownPlace)
    #expect(try store.counts() == RegistryCounts())
  }
}

extension StoreKind {
  fileprivate static var files: [StoreKind] { allCases.filter { $0 != .memory } }
}

extension TemporaryFolder {
  fileprivate func store() throws -> any RegistryStore { try StoreKind.sqlite.make(in: self) }
}

extension Fixtures {
  fileprivate static func place(_ number: Int) -> Place {
    Place(id: "place-\(number)", name: "Place \(number)", region: cupertino.region)
  }

  fileprivate static func experience(_ number: Int) throws -> AdvancedExperience {
    AdvancedExperience(
      clip: clip.bundleID, link: try InvocationURL("https://fruta.example.com/piece/\(number)"),
      card: ExperienceCard(title: "Piece", subtitle: "\(number)", action: .open), language: "EN",
      place: .fixed(id: "place-\(number)"))
  }
}

/// A registry that another station changes: before each change, numbered from 1, `before` is
/// called.
private final class SharedStore: RegistryStore {
  private let store: any RegistryStore
  private let before: @Sendable (Int) throws -> Void
  private let count = Mutex(0)

  init(_ store: any RegistryStore, before: @escaping @Sendable (Int) throws -> Void) {
    self.store = store
    self.before = before
  }

  var changes: Int { count.withLock(\.self) }
  var notes: [Hint] { store.notes }
  var schemaVersion: Int { store.schemaVersion }
  var queue: RegistryQueue { store.queue }
  var who: String { store.who }

  func waitForChange(atMost patience: Duration) throws(RegistryError) {
    try store.waitForChange(atMost: patience)
  }

  func changeNumber() throws(RegistryError) -> Int? { try store.changeNumber() }

  func read<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value { try store.read(body) }

  func write<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value {
    let number = count.withLock { count in
      count += 1
      return count
    }
    do {
      try before(number)
    } catch {
      throw error as? RegistryError ?? RegistryError(.failed, "\(error)", hint: "Try again.")
    }
    return try store.write(body)
  }
}
