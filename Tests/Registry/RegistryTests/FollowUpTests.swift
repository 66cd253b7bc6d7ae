import CliptagBasics
import Foundation
import GRDB
import Invocation
import RegistryFixtures
@testable import Registry
import Testing

/// Findings that are followed up, over every store.
@Suite("Findings to follow up")
struct FollowUpTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let walk = Walk.ID()
  private static let subject = FollowUp.Subject(
    placeID: "cupertino", code: Fixtures.code(1).id, payload: nil,
    finding: Finding.Code(rawValue: "missing-code"))

  private func entry(
    _ kind: FollowUp.Entry.Kind, _ minute: Double = 0, by who: String = "jo",
    walk: Walk.ID? = nil, owner: String? = nil, due: String? = nil, note: String? = nil
  ) -> FollowUp.Entry {
    FollowUp.Entry(
      kind, at: Fixtures.noon.addingTimeInterval(60 * minute), by: who, walk: walk,
      stop: walk == nil ? nil : 3, severity: kind == .found ? .error : nil, note: note,
      owner: owner, due: due)
  }

  @discardableResult
  private func find(
    _ store: any RegistryStore, _ minute: Double = 0, by who: String = "jo",
    walk: Walk.ID = walk, _ subject: FollowUp.Subject = subject
  ) throws -> Bool {
    try store.write {
      try $0.insert(entry(.found, minute, by: who, walk: walk, note: "Gone."), to: subject)
    }
  }

  @Test(
    "a finding has an owner, a due date, a state and its history", arguments: StoreKind.allCases)
  func history(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    #expect(try find(store))
    #expect(try !find(store), "a walk finds it once")
    let id = try Self.subject.id
    #expect(id.wholeMatch(of: /f-[0-9a-f]{20}/) != nil)
    let open = try #require(try store.followUp(id))
    #expect(open.state == .open && open.severity == .error && open.message == "Gone.")
    #expect(open.subject == Self.subject && open.opened.walk == Self.walk && open.opened.stop == 3)
    #expect(open.opened.time == Fixtures.noon && open.owner == nil && open.due == nil)

    try store.add(entry(.assigned, 1, owner: "Al", due: "2026-12-01"), to: id)
    try store.add(entry(.assigned, 2, note: "asked"), to: id)
    #expect(throws: RegistryError(.unchangedState, "", hint: "")) {
      try store.add(entry(.reopened, 2), to: id)
    }
    let done = try store.add(entry(.done, 3, note: "hung up"), to: id)
    #expect(done.state == .done && done.owner == "Al" && done.due == "2026-12-01")
    #expect(throws: RegistryError(.unchangedState, "", hint: "")) {
      try store.add(entry(.done, 4), to: id)
    }
    let again = try store.add(entry(.reopened, 5, owner: "", due: ""), to: id)
    #expect(again.state == .open && again.owner == nil && again.due == nil)
    #expect(again.opened.kind == .reopened && again.message == "Gone.")
    #expect(again.entries.map(\.kind) == [.found, .assigned, .assigned, .done, .reopened])
    #expect(try store.add(entry(.willNot, 6), to: id).state == .willNot)
    #expect(throws: RegistryError(.notFound, "", hint: "")) {
      try store.add(entry(.done), to: "f-0")
    }
    #expect(try store.followUps().map(\.id) == [id])
  }

  @Test("the name follows from place, code or payload, and kind, and from nothing else")
  func names() throws {
    let kind = Finding.Code(rawValue: "missing-code")
    func id(_ place: String?, _ code: CodeID?, _ payload: String?) throws -> String {
      try FollowUp.Subject(placeID: place, code: code, payload: payload, finding: kind).id
    }
    let code = Fixtures.code(1).id
    #expect(try id("a", code, nil) == (try id("a", code, "x")))
    let names = [
      try id("a", code, nil), try id("b", code, nil), try id(nil, code, nil), try id("a", nil, "x"),
      try id("a", nil, nil), try id(nil, nil, "ax"), try id("ax", nil, ""), try id("ax", nil, nil),
      try Self.subject.id,
    ]
    #expect(Set(names).count == names.count)
  }

  @Test("a due date is a day of the calendar")
  func days() {
    #expect(FollowUp.isDay("2026-12-01") && FollowUp.isDay("2028-02-29"))
    for text in ["2026-02-29", "2026-13-01", "2026-1-1", "1 May", "", "2026-12-01T", "２026-12-01"] {
      #expect(!FollowUp.isDay(text), "\(text)")
    }
  }

  @Test(
    "the entries of two stations are one history in any order, and a walk's are not doubled",
    arguments: StoreKind.allCases)
  func merged(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let others = [try RegistryLocation.memory.open(), try RegistryLocation.memory.open()]
    for other in others { try find(other, by: "al") }
    try find(store)
    let id = try Self.subject.id
    try others[0].add(entry(.done, 1, by: "al", note: "a\u{0}b"), to: id)
    try find(others[1], 2, by: "al", walk: Walk.ID())
    for (index, other) in others.reversed().enumerated() {
      let told = try store.mergeWalks(from: other, name: "other", dryRun: true).followUps
      #expect(told == 1)
      #expect(try store.followUp(id)?.entries.count == 1 + index)
      #expect(try store.mergeWalks(from: other, name: "other").followUps == 1)
      #expect(try store.mergeWalks(from: other, name: "other").followUps == 0)
    }
    let whole = try #require(try store.followUp(id))
    #expect(whole.entries.map(\.kind) == [.found, .done, .found] && whole.state == .open)
    #expect(whole.entries[1].who == "al" && whole.entries[1].note == "a\u{0}b")
  }

  @Test(
    "nothing of a history is changed, deleted or replaced, whoever writes to the file",
    arguments: [
      "UPDATE follow_up SET who = 'x'", "DELETE FROM follow_up",
      "INSERT OR REPLACE INTO follow_up SELECT id, entry, 1, kind, who, recorder, details FROM follow_up",
      "INSERT INTO follow_up SELECT id, 'x', time, 'x', who, recorder, details FROM follow_up",
    ])
  func guarded(sql: String) throws {
    let path = folder.file("registry.sqlite")
    do { try find(RegistryLocation.file(path).open()) }
    let queue = try DatabaseQueue(path: path)
    #expect(throws: DatabaseError.self) { try queue.write { try $0.execute(sql: sql) } }
  }
}
