import Auditing
import Foundation
import Invocation
import Registry
import Testing

/// The codes that a person must visit.
@Suite("Codes that are due") struct DueReviewTests {
  private static let noon = Date(timeIntervalSince1970: 1_795_262_400)
  private static let longAgo = noon.addingTimeInterval(-100 * 86_400)
  private static let yesterday = noon.addingTimeInterval(-86_400)

  /// One place with a code that was issued a hundred days ago.
  private struct Scene {
    let registry: any RegistryStore
    let code: CodeID

    init() throws {
      registry = try RegistryLocation.memory.open()
      for (id, latitude) in [("a", 37.0), ("b", 38)] {
        let centre = try #require(Coordinate(latitude: latitude, longitude: -122))
        let circle = try #require(Region.Circle(centre: centre, radius: 100))
        try registry.add(Place(id: id, name: "Fruta \(id)", region: .circle(circle)))
      }
      code = CodeID(at: DueReviewTests.longAgo)
      try registry.issue(
        [
          IssuedCode(
            id: code, payload: "https://fruta.example.com/order/a", carrier: .qr, placeID: "a",
            created: DueReviewTests.longAgo, registered: false, output: "sign.svg")
        ], by: "me")
    }

    func due() throws -> [DueCode] {
      try DueReview(of: registry, days: 30, now: DueReviewTests.noon).dueCodes()
    }

    /// A reading of yesterday, on a walk.
    func walk(
      stated: String? = nil, at fix: LocationFix? = nil, location: LocationOutcome.Result? = nil,
      kind: WalkStop.Kind = .scanner, taken: Date? = nil
    ) throws {
      let walk = try registry.begin("Autumn", by: "Jo", at: DueReviewTests.yesterday)
      let reading = WalkReading(
        carrier: .qr, payload: "https://fruta.example.com/order/a", code: code, placeID: "a",
        verdict: .accepted, state: .ok, location: location, findings: [])
      try registry.add(
        WalkStop(
          walk: walk.id, number: try registry.lastStop(of: walk.id) + 1,
          time: DueReviewTests.yesterday, taken: taken, kind: kind, source: "",
          digest: EntryHash([UInt8](repeating: 7, count: 32)), fix: fix, statedPlace: stated,
          readings: [reading]), by: "Jo")
    }
  }

  @Test("the order is the same whether the codes fit into one piece or are looked up again")
  func pieces() throws {
    let scene = try Scene()
    let more = (1...9).map { number in
      let created = Self.longAgo.addingTimeInterval(Double(-number % 4) * 86_400)
      return IssuedCode(
        id: CodeID(at: created.addingTimeInterval(Double(number))),
        payload: "https://fruta.example.com/order/\(number)", carrier: .qr,
        placeID: [nil, "b", "a"][number % 3], created: created, registered: false,
        output: "\(number).svg")
    }
    try scene.registry.issue(more, by: "me")
    for code in more.dropFirst(2) {
      try scene.registry.record(.read, of: code.id, at: code.created + 86_400, by: "me")
    }
    let whole = try scene.due()
    #expect(whole.count == 10 && whole.last?.code.placeID == nil)
    #expect(whole.first?.code.placeID == "a")
    var review = DueReview(of: scene.registry, days: 30, now: Self.noon)
    review.pieceSize = 3
    #expect(try review.dueCodes() == whole)
  }

  @Test("a code that was read for fewer times than it has prints is due, with their number")
  func partlySeen() throws {
    let scene = try Scene()
    let code = try #require(try scene.registry.code(id: scene.code))
    func print(_ output: String, _ time: Date) throws {
      try scene.registry.reissue(
        IssuedCode(
          id: code.id, payload: code.payload, carrier: .qr, placeID: "a", created: code.created,
          registered: false, output: output), at: time, by: "me")
    }
    try print("counter.svg", Self.longAgo)
    try scene.registry.record(.read, of: code.id, at: Self.yesterday, by: "me")
    let due = try #require(try scene.due().first)
    #expect(due.reason == .partlySeen && due.pieces == 2)
    try scene.registry.record(.read, of: code.id, at: Self.yesterday, by: "me")
    #expect(try scene.due().isEmpty)
    // A print of today need not be seen yet.
    try print("new.svg", Self.noon)
    #expect(try scene.due().isEmpty)
  }

  @Test("a print that was thrown away is neither due nor named, even if it was the last")
  func discarded() throws {
    let scene = try Scene()
    let code = try #require(try scene.registry.code(id: scene.code))
    try scene.registry.reissue(
      IssuedCode(
        id: code.id, payload: code.payload, carrier: .qr, placeID: "a", created: code.created,
        registered: false, output: "counter.svg"),
      at: Self.longAgo.addingTimeInterval(60), by: "me")
    #expect(try scene.due().map { $0.items.files } == [["sign.svg", "counter.svg"]])
    let counter = try #require(try scene.registry.items(of: code).last)
    try scene.registry.discard(counter.name, at: Self.yesterday, by: "me")
    let due = try scene.due()
    #expect(due.map(\.pieces) == [1] && due.map { $0.items.files } == [["sign.svg"]])
    #expect(due.first?.reason == .notSeen)
    // One reading suffices for the print that is left.
    try scene.registry.record(.read, of: code.id, at: Self.yesterday, by: "me")
    #expect(try scene.due().isEmpty)
  }

  private static func fix(_ latitude: Double, accuracy: Double) -> LocationFix {
    LocationFix(
      coordinate: Coordinate(latitude: latitude, longitude: -122)!, accuracy: accuracy)!
  }

  @Test(
    "a reading elsewhere, or nobody knows where, is not one where the code hangs",
    arguments: [
      (nil, fix(37.4, accuracy: 5), .outside), (nil, fix(37.4, accuracy: 5), nil),
      (nil, fix(37, accuracy: 70_000), .undecided), (nil, fix(37, accuracy: 70_000), nil),
      (nil, nil, .noPosition), (nil, nil, nil), ("b", nil, .waived),
      ("a", fix(38, accuracy: 5), .outside),
    ] as [(String?, LocationFix?, LocationOutcome.Result?)])
  func notMet(
    stated: String?, fix: LocationFix?, location: LocationOutcome.Result?
  ) throws {
    let scene = try Scene()
    try scene.walk(stated: stated, at: fix, location: location)
    let due = try #require(try scene.due().first)
    #expect(due.reason == .notSeen && due.lastSeen == nil && due.days == 100)
    #expect(due.lastRead == Self.yesterday)
  }

  @Test(
    "a reading where the code belongs is one",
    arguments: [
      (nil, fix(37, accuracy: 5), .inside), (nil, fix(37, accuracy: 5), nil),
      ("a", nil, .waived), ("a", nil, nil),
    ] as [(String?, LocationFix?, LocationOutcome.Result?)])
  func met(stated: String?, fix: LocationFix?, location: LocationOutcome.Result?) throws {
    let scene = try Scene()
    try scene.walk(stated: stated, at: fix, location: location)
    #expect(try scene.due().isEmpty)
  }

  @Test("a code whose place was removed is due, whether or not it was read")
  func removedPlace() throws {
    let scene = try Scene()
    try scene.walk(stated: "a")
    try scene.registry.removePlace(id: "a", evenIfInUse: true)
    let due = try #require(try scene.due().first)
    #expect(due.reason == .unknownPlace && due.message.contains("“a”"))
  }

  @Test("a reading in a picture is one of the time at which it was taken")
  func takenBefore() throws {
    let scene = try Scene()
    let taken = Self.noon.addingTimeInterval(-60 * 86_400)
    try scene.walk(stated: "a", kind: .picture, taken: taken)
    let due = try #require(try scene.due().first)
    #expect(due.reason == .notSeen && due.lastSeen == taken && due.lastRead == taken)
    #expect(due.days == 60)
  }

  @Test("a reading that a better one of the same picture supersedes does not count")
  func superseded() throws {
    let scene = try Scene()
    try scene.walk(stated: "a", kind: .picture)
    #expect(try scene.due().isEmpty)
    try scene.walk(stated: "b", kind: .picture)
    let due = try #require(try scene.due().first)
    #expect(due.lastSeen == nil && due.lastRead == Self.yesterday)
    try scene.walk(stated: "a", kind: .picture)
    #expect(try scene.due().isEmpty)
  }

  @Test("what somebody records by hand counts unless its position is elsewhere")
  func byHand() throws {
    let scene = try Scene()
    try scene.registry.record(
      .read, of: scene.code, at: Self.yesterday, by: "me", details: ["position": "37.4,-122"])
    #expect(try scene.due().first?.lastSeen == nil)
    try scene.registry.record(.read, of: scene.code, at: Self.yesterday, by: "me")
    #expect(try scene.due().isEmpty)
  }
}
