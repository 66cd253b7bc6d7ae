import CliptagBasics
import Auditing
@testable import CodeScanning
import JourneyFixtures
import Foundation
import Invocation
import Registry
import SimulatedReader
import TagTypes
import Testing
import Verifying

/// The findings of a walk about the codes it meets, against the record.
@Suite("Walks") struct WalkSessionTests {
  private static let noon = Date(timeIntervalSince1970: 1_795_262_400)
  private static let uid: [UInt8] = [0x04, 0xE1, 0x0C, 0xDA, 0x99, 0x3C, 0x80]

  /// Two places with a printed code each; the clip asks for a location confirmation.
  private struct Scene {
    let registry: any RegistryStore
    var places: [Place] = []

    init(asksForLocation: Bool = true) throws {
      registry = try RegistryLocation.memory.open()
      let clip = AppClip(
        bundleID: "com.example.fruta.Clip", appBundleID: "com.example.fruta", team: "ABCDE12345",
        domains: ["fruta.example.com"], locationConfirmation: asksForLocation)
      try registry.add(clip)
      for (id, latitude, longitude) in [
        ("cupertino", 37.3230, -122.0322), ("san-francisco", 37.7749, -122.4194),
      ] {
        let centre = try #require(Coordinate(latitude: latitude, longitude: longitude))
        let circle = try #require(Region.Circle(centre: centre, radius: 100))
        let place = Place(id: id, name: "Fruta \(id)", region: .circle(circle))
        try registry.add(place)
        places.append(place)
      }
      try registry.add(
        AdvancedExperience(
          clip: clip.bundleID, link: try InvocationURL("https://fruta.example.com/order"),
          card: ExperienceCard(title: "Fruta", subtitle: nil, action: .open),
          place: .path(template: try PathTemplate("/order/{place}"))))
    }

    @discardableResult
    func issue(
      _ url: String, uid: String? = nil, place: String? = "cupertino"
    ) throws -> CodeID {
      let time = WalkSessionTests.noon.addingTimeInterval(Double(try registry.codes().count))
      let code = IssuedCode(
        id: CodeID(at: time), payload: url, carrier: uid == nil ? .qr : .nfc, placeID: place,
        created: time, registered: true, output: uid == nil ? "sign.pdf" : nil, tagUID: uid)
      try registry.issue([code], by: "printer")
      return code.id
    }

    func session(
      sign: String? = nil, at place: Int? = nil, name: String = "Autumn"
    ) throws -> WalkSession {
      try WalkSession(
        named: name, by: "walker", in: registry, sign: sign, statedPlace: place.map { places[$0] },
        now: { WalkSessionTests.noon.addingTimeInterval(3_600) })
    }

    /// Returns the evidence in the middle of a place.
    func at(_ place: Int, accuracy: Double = 5) throws -> LocationEvidence {
      let fix = try #require(places[place].statedFix)
      return .fix(try #require(LocationFix(coordinate: fix.coordinate, accuracy: accuracy)))
    }

    func printed(_ url: String, _ evidence: LocationEvidence = .waived) throws -> CodeObservation {
      var seen = CodeObservation(.picture, source: "wall.jpg")
      seen.codes = [
        try Verifier(check: registry.check, location: evidence)
          .examine(url, on: .qr, source: seen.source)
      ]
      return seen
    }

    func tag(
      _ rest: String, _ evidence: LocationEvidence = .waived,
      prepare: @Sendable (inout SimulatedTag) -> Void = { _ in }
    ) async throws -> CodeObservation {
      await Verifier(check: registry.check, location: evidence)
        .observe(try WalkSessionTests.tag(rest, prepare: prepare), from: "reader")
    }
  }

  private static func tag(
    _ rest: String, prepare: @Sendable (inout SimulatedTag) -> Void = { _ in }
  ) throws -> TagInMemory {
    let record = [0xD1, 0x01, UInt8(rest.utf8.count + 1), 0x55, 0x04] + Array(rest.utf8)
    return try TagInMemory(uid: uid) {
      $0.hold(message: record)
      prepare(&$0)
    }
  }

  private func codes(_ kept: WalkStop?) throws -> [Finding.Code] {
    try #require(kept).readings.flatMap(\.findings).map(\.code)
  }

  // MARK: Kept facts

  @Test("a code where it belongs is accepted, kept, and stands in its history with its position")
  func inPlace() throws {
    let scene = try Scene()
    let id = try scene.issue(Fixtures.cupertino)
    let kept = try #require(
      try scene.session().take(try scene.printed(Fixtures.cupertino, try scene.at(0))))
    let reading = try #require(kept.readings.first)
    #expect(reading.code == id && reading.placeID == "cupertino")
    #expect(reading.verdict == .accepted && reading.location == .inside)
    #expect(reading.findings.isEmpty)
    let event = try #require(try scene.registry.history(of: id).last)
    #expect(event.kind == .read && event.who == "walker")
    #expect(event.details["position"] == "37.323,-122.0322")
    #expect(event.details["accuracy"] == "5")
    #expect(event.details["stop"] == "1")
  }

  @Test("an old picture is told, and one older than the codes of its place")
  func oldPicture() throws {
    let scene = try Scene()
    let now = Self.noon.addingTimeInterval(3_600)
    func codes(takenAt taken: Date?) throws -> [Finding.Code] {
      var sight = try scene.printed(Fixtures.cupertino, try scene.at(0))
      sight.taken = taken
      return try #require(try scene.session().keep(sight).stop).findings.map(\.code)
    }
    #expect(try codes(takenAt: nil) == [] && codes(takenAt: now) == [])
    #expect(try codes(takenAt: now.addingTimeInterval(-6 * 86_400)) == [])
    #expect(try codes(takenAt: now.addingTimeInterval(-8 * 86_400)) == [.oldPicture])
    #expect(try codes(takenAt: now.addingTimeInterval(86_400)) == [], "a clock is ahead")
    try scene.issue(Fixtures.cupertino)
    #expect(try codes(takenAt: Self.noon.addingTimeInterval(-60)) == [.oldPicture])
    #expect(try codes(takenAt: Self.noon.addingTimeInterval(60)) == [])
  }

  @Test("a code that was retired after its picture was taken is no fault of the wall")
  func retiredSince() throws {
    let scene = try Scene()
    let id = try scene.issue(Fixtures.cupertino)
    try scene.registry.retire(id, at: Self.noon.addingTimeInterval(1_800), by: "me")
    func severity(takenAt taken: Date?) throws -> Finding.Severity? {
      var sight = try scene.printed(Fixtures.cupertino, try scene.at(0))
      sight.taken = taken
      let stop = try #require(try scene.session().keep(sight).stop)
      return stop.readings[0].findings.first { $0.code == .retiredCode }?.severity
    }
    #expect(try severity(takenAt: nil) == .error)
    #expect(try severity(takenAt: Self.noon.addingTimeInterval(3_000)) == .error)
    #expect(try severity(takenAt: Self.noon.addingTimeInterval(600)) == .note)
    // Cameras state whole seconds.
    #expect(try severity(takenAt: Self.noon.addingTimeInterval(1_799.5)) == .error)
  }

  @Test("a picture that another walk has is told, and kept")
  func pictureOfAnotherWalk() throws {
    let scene = try Scene()
    try scene.issue(Fixtures.cupertino)
    var sight = try scene.printed(Fixtures.cupertino)
    sight.digest = EntryHash([UInt8](repeating: 7, count: 32))
    #expect(try #require(try scene.session().take(sight)).findings == [])
    let again = try #require(try scene.session(name: "Winter").take(sight))
    #expect(again.findings.map(\.code) == [.knownPicture])
    #expect(again.findings.first?.message.contains("“Autumn” of walker") == true)
  }

  @Test("a sign in another language than its place is told", arguments: ["de", "de-AT", "fr", nil])
  func language(made: String?) throws {
    let scene = try Scene()
    let place = scene.places[0]
    try scene.registry.replace(
      Place(id: place.id, name: place.name, region: place.region, language: "de"))
    let id = try scene.issue(Fixtures.cupertino)
    try scene.registry.record(
      .issued, of: id, at: Self.noon.addingTimeInterval(5), by: "printer",
      details: made.map { ["output": "sign.pdf", "language": $0] } ?? ["output": "sign.pdf"])
    let kept = try scene.session().take(try scene.printed(Fixtures.cupertino, try scene.at(0)))
    #expect(try codes(kept) == (made == "fr" ? [.otherLanguage] : []))
    // Of several prints, the one that hangs may be the one with the right words.
    try scene.registry.record(
      .issued, of: id, at: Self.noon.addingTimeInterval(6), by: "printer",
      details: ["output": "counter.pdf", "language": "de"])
    let both = try scene.session().take(try scene.printed(Fixtures.cupertino, try scene.at(0)))
    #expect(try codes(both) == [])
  }

  @Test("the same picture is taken in once, and another walk takes it again")
  func pictureOnce() throws {
    let scene = try Scene()
    try scene.issue(Fixtures.cupertino)
    var sight = try scene.printed(Fixtures.cupertino)
    sight.digest = EntryHash([UInt8](repeating: 7, count: 32))
    let session = try scene.session()
    #expect(try session.take(sight) != nil)
    #expect(try session.take(sight) == nil)
    #expect(try scene.session().take(sight) == nil, "the walk went on after a crash")
    sight = sight.onPage(2)
    #expect(try session.take(sight)?.number == 2, "another page is another stop")
    #expect(try scene.session(name: "Winter").take(sight)?.number == 1)
    #expect(try session.holds(sight, isLocating: false))
    #expect(try !session.holds(sight.onPage(3), isLocating: false))
    // A receiver reports its position, which was unknown.
    #expect(try !session.holds(sight, isLocating: true))
  }

  @Test("a stated place stands for a position, and none is made up for the record")
  func statedPlace() throws {
    let scene = try Scene()
    let id = try scene.issue(Fixtures.cupertino)
    let stated = try #require(scene.places[0].statedFix)
    let kept = try #require(
      try scene.session(at: 0).take(try scene.printed(Fixtures.cupertino, .fix(stated))))
    #expect(kept.statedPlace == "cupertino" && kept.fix == nil)
    #expect(kept.readings.first?.location == .inside)
    #expect(try scene.registry.history(of: id).last?.details["position"] == nil)
  }

  @Test("a rehearsal says the same and keeps nothing")
  func rehearsal() throws {
    let scene = try Scene()
    let id = try scene.issue(Fixtures.cupertino)
    let sight = try scene.printed(Fixtures.cupertino, try scene.at(1))
    let session = try WalkSession(named: "x", by: "y", in: scene.registry, isRehearsal: true)
    let rehearsed = try #require(try session.take(sight))
    #expect(try scene.registry.walks().isEmpty)
    #expect(try scene.registry.history(of: id).map(\.kind) == [.issued])
    let kept = try scene.session().take(sight)
    #expect(kept?.readings == rehearsed.readings)
  }

  // MARK: Print

  @Test("the swapped poster is found, with the place it hangs at and the one it belongs to")
  func swapped() throws {
    let scene = try Scene()
    try scene.issue(Fixtures.sanFrancisco, place: "san-francisco")
    let kept = try #require(
      try scene.session().take(try scene.printed(Fixtures.sanFrancisco, try scene.at(0))))
    #expect(kept.readings.first?.verdict == .rejected)
    #expect(try codes(kept) == [.wrongPlace], "how far that is says no more")
    let finding = try #require(
      kept.readings.first?.findings.first { $0.code == .wrongPlace })
    #expect(
      finding.message.contains(
        "belongs to Fruta san-francisco and is mounted at Fruta cupertino"))
    let stated = try #require(scene.places[0].statedFix)
    let told = try scene.session(at: 0).take(try scene.printed(Fixtures.sanFrancisco, .fix(stated)))
    #expect(try codes(told).contains(.wrongPlace), "whoever stands there says where")
  }

  @Test("a position between two places names no place that it hangs at")
  func nowhere() throws {
    let scene = try Scene()
    try scene.issue(Fixtures.cupertino)
    let fix = try #require(
      Coordinate(latitude: 37.5, longitude: -122.2).flatMap { LocationFix(coordinate: $0) })
    let kept = try scene.session().take(try scene.printed(Fixtures.cupertino, .fix(fix)))
    #expect(try codes(kept) == [.outsideRegion])
  }

  @Test("a clip that does not ask is no reason not to look where its codes hang")
  func unasked() throws {
    let scene = try Scene(asksForLocation: false)
    try scene.issue(Fixtures.sanFrancisco, place: "san-francisco")
    let kept = try scene.session().take(try scene.printed(Fixtures.sanFrancisco, try scene.at(0)))
    #expect(kept?.readings.first?.location == .outside)
    #expect(try codes(kept).contains(.wrongPlace))
  }

  @Test("a retired code that still hangs is found, and its history says that it was met")
  func retired() throws {
    let scene = try Scene()
    let id = try scene.issue(Fixtures.cupertino)
    try scene.registry.retire(id, at: Self.noon, by: "manager")
    let kept = try scene.session().take(try scene.printed(Fixtures.cupertino))
    #expect(try codes(kept).contains(.retiredCode))
    #expect(kept?.readings.first?.verdict == .rejected)
    #expect(try scene.registry.history(of: id).last?.kind == .read)
  }

  @Test("a code issued anew after one of its kind was retired is no retired one")
  func reissued() throws {
    let scene = try Scene()
    let old = try scene.issue(Fixtures.cupertino)
    try scene.registry.retire(old, at: Self.noon, by: "manager")
    let id = try scene.issue(Fixtures.cupertino)
    let kept = try scene.session().take(try scene.printed(Fixtures.cupertino))
    #expect(kept?.readings.first?.code == id)
    #expect(try !codes(kept).contains(.retiredCode))
  }

  @Test("a payload of ours that nobody printed is told; a stranger's is no concern of the record")
  func unissued() throws {
    let scene = try Scene()
    let ours = try scene.session().take(try scene.printed(Fixtures.cupertino))
    #expect(try codes(ours).contains(.unissuedCode))
    let theirs = try scene.session().take(try scene.printed(Fixtures.foreign))
    #expect(try !codes(theirs).contains(.unissuedCode))
    #expect(theirs?.readings.first?.verdict == .rejected)
  }

  // MARK: Tags

  private static let path = "fruta.example.com/order/cupertino"

  @Test("our tag is accepted; the same text on another UID is a tag that is not ours")
  func foreignUID() async throws {
    let scene = try Scene()
    let id = try scene.issue(Fixtures.cupertino, uid: "04AABBCCDDEE80")
    let sight = try await scene.tag(Self.path)
    let copy = try scene.session().take(sight)
    #expect(try codes(copy).contains(.foreignUID))
    #expect(copy?.readings.first?.code == id)
    #expect(copy?.readings.first?.verdict == .rejected)
    let own = try scene.issue(Fixtures.cupertino, uid: Self.uid.hexadecimal)
    let right = try scene.session().take(sight)
    #expect(right?.readings.first?.code == own)
    #expect(try !codes(right).contains(.foreignUID))
    #expect(right?.readings.first?.verdict == .accepted)
    let session = try scene.session()
    let verifier = session.verifier(Verifier(check: scene.registry.check, location: .waived))
    let seen = await session.take(
      await verifier.observe(try Self.tag(Self.path), from: "reader"), by: verifier)
    #expect(seen.stop?.digest != nil && seen.codes.first?.identity?.code?.id == own)
  }

  @Test("a tag that we wrote and that holds something else is found")
  func overwritten() async throws {
    let scene = try Scene()
    let id = try scene.issue(Fixtures.cupertino, uid: Self.uid.hexadecimal)
    let kept = try scene.session().take(try await scene.tag("elsewhere.example.net/"))
    #expect(try codes(kept).contains(.overwrittenTag))
    #expect(kept?.readings.first?.code == id)
  }

  @Test("a tag that was locked and can be changed is found")
  func unlocked() async throws {
    let scene = try Scene()
    let id = try scene.issue(Fixtures.cupertino, uid: Self.uid.hexadecimal)
    let sight = try await scene.tag(Self.path)
    #expect(try !codes(scene.session().take(sight)).contains(.unlockedTag))
    try scene.registry.record(.locked, of: id, at: Self.noon, by: "writer")
    #expect(try codes(scene.session().take(sight)).contains(.unlockedTag))
    let locked = try await scene.tag(Self.path) {
      $0.place(Array($0.memory[8..<10]) + [0xFF, 0xFF], atPage: 2)
      $0.place([0xFF, 0x0F, 0x3F, 0], atPage: 40)
    }
    #expect(try !codes(scene.session().take(locked)).contains(.unlockedTag))
  }

  @Test("a tag whose password is gone is found, unless we removed it")
  func passwordGone() async throws {
    let scene = try Scene()
    let id = try scene.issue(Fixtures.cupertino, uid: Self.uid.hexadecimal)
    let sight = try await scene.tag(Self.path)
    try scene.registry.record(.passwordSet, of: id, at: Self.noon, by: "writer")
    #expect(try codes(scene.session().take(sight)).contains(.unlockedTag))
    try scene.registry.record(.passwordRemoved, of: id, at: Self.noon, by: "writer")
    #expect(try !codes(scene.session().take(sight)).contains(.unlockedTag))
  }

  // MARK: Signs

  @Test("print, tag and small print of one sign have to agree; other signs have their own say")
  func signs() async throws {
    let scene = try Scene()
    try scene.issue(Fixtures.cupertino)
    let id = try scene.issue(Fixtures.cupertino, uid: Self.uid.hexadecimal)
    let door = try scene.session(sign: "door")
    _ = try door.take(try scene.printed(Fixtures.cupertino))
    #expect(try !codes(door.take(try await scene.tag(Self.path))).contains(.signDisagrees))
    let verifier = Verifier(check: scene.registry.check, location: .waived)
    func small(_ text: String) async -> WalkStop? {
      await door.observe(print: text, source: "--print", by: verifier).stop
    }
    for text in [Self.path, Fixtures.cupertino + "/", id.description] {
      #expect(try !codes(await small(text)).contains(.signDisagrees), "\(text)")
    }
    #expect(
      try codes(await small("fruta.example.com/order/san-francisco"))
        .contains(.signDisagrees))
    let window = try scene.session(sign: "window")
    #expect(
      try !codes(window.take(try scene.printed(Fixtures.sanFrancisco))).contains(.signDisagrees))
    #expect(try codes(door.take(try scene.printed(Fixtures.sanFrancisco))).contains(.signDisagrees))
  }

  @Test("what a tag says about itself in its query is no disagreement; two prints compare it")
  func queries() async throws {
    let scene = try Scene()
    let door = try scene.session(sign: "door")
    _ = try door.take(try scene.printed(Fixtures.cupertino))
    #expect(
      try !codes(door.take(try await scene.tag(Self.path + "?u=04E10C"))).contains(.signDisagrees))
    #expect(
      try codes(door.take(try scene.printed(Fixtures.cupertino + "?table=2")))
        .contains(.signDisagrees))
  }

  // MARK: Pictures

  @Test("what is in order needs no picture; a finding and an unread symbol do")
  func pictures() throws {
    let scene = try Scene()
    try scene.issue(Fixtures.cupertino)
    let session = try scene.session()
    var sight = try scene.printed(Fixtures.cupertino, try scene.at(0))
    #expect(try !session.isWorthAPicture(sight))
    sight.unread = [UnreadSymbol(kind: .microQR, corners: [])]
    #expect(try session.isWorthAPicture(sight))
    #expect(try session.isWorthAPicture(try scene.printed(Fixtures.foreign)))
  }
}

extension WalkSession {
  /// Keeps an observation; `nil` for a picture that this walk has already.
  fileprivate func take(_ seen: CodeObservation) throws -> WalkStop? {
    let kept = try keep(seen)
    return kept.isKnown ? nil : kept.stop
  }
}

extension CodeObservation {
  fileprivate func onPage(_ page: Int) -> CodeObservation {
    var other = CodeObservation(kind, source: source, page: page)
    (other.codes, other.digest) = (codes, digest)
    return other
  }
}
