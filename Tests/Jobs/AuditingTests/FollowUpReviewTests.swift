import Auditing
import CliptagBasics
import Foundation
import Invocation
import Registry
import Testing

/// What reports of walks open, keep open and close.
@Suite("Following up walks") struct FollowUpReviewTests {
  private static let noon = Date(timeIntervalSince1970: 1_795_262_400)

  private let registry: any RegistryStore
  private let code: IssuedCode

  init() throws {
    registry = try RegistryLocation.memory.open()
    let centre = try #require(Coordinate(latitude: 37, longitude: -122))
    let circle = try #require(Region.Circle(centre: centre, radius: 100))
    for id in ["a", "b"] {
      try registry.add(Place(id: id, name: "Fruta \(id)", region: .circle(circle)))
    }
    let time = Self.noon.addingTimeInterval(-99_999)
    code = IssuedCode(
      id: CodeID(at: time), payload: "https://fruta.example.com/a", carrier: .qr, placeID: "a",
      created: time, registered: true, output: "sign.svg")
    try registry.issue([code], by: "me")
  }

  private func walk(
    _ name: String, at minute: Double, place: String = "a", isRead: Bool,
    _ findings: [Finding] = [], digest: EntryHash? = nil
  ) throws {
    let walk = try registry.begin(name, by: "Jo", at: Self.noon)
    let reading = WalkReading(
      carrier: .qr, payload: code.payload, code: code.id, placeID: "a", verdict: .accepted,
      state: .ok, findings: findings)
    try registry.add(
      WalkStop(
        walk: walk.id, number: try registry.lastStop(of: walk.id) + 1,
        time: Self.noon.addingTimeInterval(60 * minute), kind: .picture, source: "", digest: digest,
        statedPlace: place, readings: isRead ? [reading] : []), by: "Jo")
  }

  private func report(_ name: String) throws -> WalkReport {
    try WalkReview(of: registry, now: Self.noon)
      .report(ofWalks: try registry.walks().filter { $0.name == name }, title: name)
  }

  private func take(_ name: String) throws -> (opened: [String], closed: [String]) {
    let review = FollowUpReview(of: registry, by: "Al")
    let report = try report(name)
    let hasNews = try review.hasNews(report)
    let count = try registry.followUps().flatMap(\.entries).count
    let changes = try review.take(report)
    #expect(try hasNews == (registry.followUps().flatMap(\.entries).count > count))
    #expect(try !review.hasNews(report), "taking it again changes nothing")
    return (
      changes.opened.map(\.subject.finding.rawValue), changes.closed.map(\.subject.finding.rawValue)
    )
  }

  private func change(_ kind: FollowUp.Entry.Kind, at minute: Double) throws {
    let id = try #require(try registry.followUps().first?.id)
    try registry.add(
      FollowUp.Entry(kind, at: Self.noon.addingTimeInterval(60 * minute), by: "Al"), to: id)
  }

  private func only() throws -> FollowUp {
    let all = try registry.followUps()
    #expect(all.count == 1)
    return try #require(all.first)
  }

  @Test("a finding is opened once, kept open by a walk that has it, and closed by one that has not")
  func life() throws {
    try walk("Spring", at: 1, isRead: false)
    #expect(try take("Spring") == (["missing-code"], []))
    try walk("Spring", at: 2, isRead: false)
    #expect(try take("Spring") == ([], []))
    #expect(try only().entries.map(\.kind) == [.found], "a walk that goes on says it once")
    try walk("Summer", at: 3, isRead: false)
    #expect(try take("Summer") == ([], []))
    try walk("Autumn", at: 4, isRead: true)
    #expect(try take("Autumn") == ([], ["missing-code"]))
    #expect(try only().entries.map(\.kind) == [.found, .found, .right])
    let autumn = try registry.walks().first { $0.name == "Autumn" }
    #expect(try only().decided.walk == autumn?.id && only().decided.who == "Al")
    // An old walk that is reported later decides nothing.
    #expect(try take("Summer") == ([], []))
    try walk("Winter", at: 5, isRead: false)
    #expect(try take("Winter") == (["missing-code"], []))
  }

  @Test("a code that is not seen is not seen right, and neither is another place")
  func unseen() throws {
    try walk("Spring", at: 1, isRead: true, [Finding(.wornPrint, .warning, "worn")])
    #expect(try take("Spring") == (["worn-print"], []))
    try walk("Summer", at: 2, place: "b", isRead: false)
    #expect(try take("Summer") == ([], []))
    try walk("Autumn", at: 3, isRead: false)
    #expect(try take("Autumn") == (["missing-code"], []))
    try walk("Winter", at: 4, isRead: true)
    #expect(try take("Winter").closed.sorted() == ["missing-code", "worn-print"])
  }

  @Test("notes, and findings about the walk, are nothing to follow up")
  func notes() throws {
    try walk("Spring", at: 1, isRead: true, [Finding(.wornPrint, .note, "")])
    let walk = try #require(try registry.walks().first)
    try registry.add(
      WalkStop(
        walk: walk.id, number: 2, time: Self.noon, kind: .picture, source: "", statedPlace: "a",
        readings: [], findings: [Finding(.unfinishedSearch, .warning, "early")]), by: "Jo")
    #expect(try take("Spring") == ([], []))
  }

  @Test("a later visit opens what a person closed, an earlier one does not, and none what stays")
  func hand() throws {
    try walk("Spring", at: 1, isRead: false)
    _ = try take("Spring")
    try change(.done, at: 2)
    #expect(try take("Spring") == ([], []))
    try walk("Summer", at: 3, isRead: false)
    #expect(try take("Summer") == (["missing-code"], []))
    try change(.willNot, at: 4)
    try walk("Autumn", at: 5, isRead: false)
    #expect(try take("Autumn") == ([], []))
    #expect(try only().state == .willNot)
  }

  @Test("what more of the same walks, or a corrected reading, shows replaces what they said")
  func corrected() throws {
    try walk("Spring", at: 2, isRead: false)
    _ = try take("Spring")
    try walk("Spring", at: 1, isRead: true)
    #expect(try take("Spring") == ([], ["missing-code"]))

    let digest = EntryHash([UInt8](repeating: 7, count: 32))
    let worn = Finding(.wornPrint, .warning, "worn")
    try walk("Summer", at: 3, place: "b", isRead: true, [worn], digest: digest)
    #expect(try take("Summer") == (["worn-print"], []))
    try walk("Summer", at: 4, isRead: true, digest: digest)
    #expect(try take("Summer") == ([], ["worn-print"]))
  }
}
