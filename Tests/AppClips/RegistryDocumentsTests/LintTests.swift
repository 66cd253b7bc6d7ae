import CliptagBasics
import Foundation
import Invocation
import RegistryDocuments
import RegistryFixtures
import TestSupport
import Testing

/// The lint findings about a registry as a whole.
@Suite("Registry lint")
struct LintTests {
  /// The clip of the other suites, without its request for location confirmation.
  private static let clip = AppClip(
    bundleID: Fixtures.clip.bundleID, appBundleID: Fixtures.clip.appBundleID,
    team: Fixtures.clip.team, domains: Fixtures.clip.domains,
    defaultExperience: Fixtures.clip.defaultExperience)

  private func document(
    _ links: [String], clip: AppClip = LintTests.clip, places: [Place] = []
  ) throws -> RegistryDocument {
    RegistryDocument(
      clips: [clip], experiences: try links.map { try Fixtures.experience($0) }, places: places)
  }

  private func codes(_ document: RegistryDocument) -> [String] {
    document.findings().map(\.code.rawValue)
  }

  @Test(
    "names of which one begins with the other collide, as Apple's own /location1 and /location10")
  func collisions() throws {
    let links = ["/location1", "/location10", "/location2", "/location2/menu"]
    let document = try document(links.map { "https://fruta.example.com\($0)" })
    let found = document.findings().filter { $0.code == .prefixCollision }
    #expect(found.count == 1)
    #expect(found.first?.severity == .warning)
    #expect(found.first?.message.hasPrefix("https://fruta.example.com/location10 ") == true)
  }

  @Test("a deactivated experience collides with nothing")
  func deactivated() throws {
    var document = try document(["https://fruta.example.com/a"])
    document.experiences.append(
      try Fixtures.experience("https://fruta.example.com/ab", status: .deactivated))
    #expect(codes(document) == [])
  }

  @Test("links on different hosts do not collide")
  func hosts() throws {
    let links = ["https://fruta.example.com/a", "https://appclip.example.com/ab"]
    #expect(codes(try document(links)) == [])
  }

  @Test("a longer link with the same card is redundant, with another card it is not")
  func redundancy() throws {
    var document = try document(["https://fruta.example.com/", "https://fruta.example.com/a/b"])
    document.experiences.append(
      try Fixtures.experience("https://fruta.example.com/c", title: "Other"))
    // A string prefix between them must not hide the segment prefix above.
    document.experiences.append(try Fixtures.experience("https://fruta.example.com/cd"))
    let redundant = document.findings().filter { $0.code == .redundantExperience }
    #expect(redundant.count == 2)
    #expect(redundant.map(\.message).contains { $0.contains("/a/b shows") })
    #expect(redundant.map(\.message).contains { $0.contains("/cd shows") })
  }

  @Test("a query in a link, a foreign host and dangling names are told")
  func references() throws {
    let document = RegistryDocument(
      clips: [Self.clip],
      experiences: [
        try Fixtures.experience("https://fruta.example.com/a?x=1"),
        try Fixtures.experience("https://other.example.com/"),
        try Fixtures.experience("https://fruta.example.com/b", clip: "com.example.gone.Clip"),
        try Fixtures.experience("https://fruta.example.com/c", place: .fixed(id: "gone")),
      ])
    #expect(
      codes(document) == ["unassociated-host", "unknown-clip", "unknown-place", "query-in-link"])
  }

  @Test("links of two clips that lie under each other are told, and equal ones are an error")
  func overlappingClips() throws {
    let other = AppClip(
      bundleID: "com.example.other.Clip", appBundleID: "com.example.other", team: "ABCDE12345",
      domains: ["fruta.example.com"], defaultExperience: ExperienceCard(title: "Other"))
    var document = try document(
      [
        "https://fruta.example.com/order", "https://fruta.example.com/join",
        "https://fruta.example.com/menu",
      ], clip: Self.clip)
    document.clips.append(other)
    for link in ["/order/vip", "/menus", "/join"] {
      document.experiences.append(
        try Fixtures.experience("https://fruta.example.com\(link)", clip: other.bundleID))
    }
    let found = document.findings()
    let overlaps = found.filter { $0.code == .overlappingClips }
    #expect(overlaps.count == 1)
    #expect(overlaps[0].severity == .warning)
    #expect(overlaps[0].message.contains("/order/vip of com.example.other.Clip"))
    #expect(found.filter { $0.code == .duplicateLink }.map(\.severity) == [.error])
  }

  @Test("two clips of one app are told, for an app has one")
  func severalClipsOfApp() {
    let clips = ["a.b.c", "a.b.d", "a.x.c"].map {
      AppClip(
        bundleID: $0, appBundleID: String($0.dropLast(2)), team: "ABCDE12345", domains: [],
        defaultExperience: ExperienceCard(title: "A"))
    }
    let found = RegistryDocument(clips: clips).findings()
    #expect(found.map(\.code) == [.severalClipsOfApp])
    #expect(found[0].message.contains("a.b.c and a.b.d"))
  }

  @Test("a clip that asks for a location is told its active links without a place, once")
  func linksWithoutPlace() throws {
    func clip(confirms: Bool) -> AppClip {
      AppClip(
        bundleID: Fixtures.clip.bundleID, appBundleID: Fixtures.clip.appBundleID,
        team: "ABCDE12345", domains: ["fruta.example.com"], locationConfirmation: confirms,
        defaultExperience: ExperienceCard(title: "A"))
    }
    var document = try document(
      ["a", "b", "c", "d"].map { "https://fruta.example.com/\($0)" }, clip: clip(confirms: true),
      places: [Fixtures.cupertino])
    document.experiences.append(
      try Fixtures.experience(
        "https://fruta.example.com/e", place: .fixed(id: Fixtures.cupertino.id)))
    document.experiences.append(
      try Fixtures.experience("https://fruta.example.com/f", status: .deactivated))
    let found = document.findings().filter { $0.code == .noPlace }
    #expect(found.count == 1)
    #expect(found[0].severity == .warning)
    #expect(found[0].message.contains("/c and 1 more"))
    document.clips = [clip(confirms: false)]
    #expect(!document.findings().contains { $0.code == .noPlace })
  }

  @Test("a clip without default experience is told")
  func noDefault() {
    let clip = AppClip(
      bundleID: "a.b.c", appBundleID: "a.b", team: "ABCDE12345", domains: ["example.com"],
      locationConfirmation: false)
    #expect(codes(RegistryDocument(clips: [clip])) == ["no-default-experience"])
  }

  @Test("places whose circles overlap are told, across the date line and at the pole too")
  func closePlaces() {
    let pairs = [
      // The two "Apple Park" points of Apple's own samples lie 566 m apart.
      (
        Fixtures.place("a1", 37.334722, -122.008889, radius: 300),
        Fixtures.place("a2", 37.334722, -122.002500, radius: 300)
      ),
      (
        Fixtures.place("b1", 0, 179.9999, radius: 50),
        Fixtures.place("b2", 0, -179.9999, radius: 50)
      ),
      (
        Fixtures.place("c1", 89.9999, 0, radius: 50), Fixtures.place("c2", 89.9999, 180, radius: 50)
      ),
    ]
    let document = RegistryDocument(places: pairs.flatMap { [$0.0, $0.1] })
    let found = document.findings().filter { $0.code == .placesTooClose }
    #expect(found.count == 3)
    #expect(found.first?.message.contains("“a1” and “a2” are 566 m apart") == true)
  }

  @Test("places whose circles do not touch are not told")
  func distantPlaces() {
    let places = [
      Fixtures.place("a", 37.334722, -122.008889, radius: 280),
      Fixtures.place("b", 37.334722, -122.002500, radius: 280), Fixtures.cupertino,
      Fixtures.sanFrancisco,
    ]
    #expect(codes(RegistryDocument(places: places)) == [])
  }

  @Test(
    "a lost minus sign and exchanged coordinates are suspected",
    arguments: [
      (37.334722, 122.008889, "longitude's sign"), (-37.334722, -122.008889, "latitude's sign"),
      (-37.334722, 122.008889, "both signs"),
    ])
  func signs(latitude: Double, longitude: Double, words: String) {
    let lost = Fixtures.place("apple-park", latitude, longitude)
    let found = RegistryDocument(places: [Fixtures.cupertino, lost]).findings()
    // Each of the two lies near the other's mirror image.
    #expect(found.map(\.code.rawValue) == ["sign-suspect", "sign-suspect"])
    #expect(found.allSatisfy { $0.message.contains(words) })
  }

  @Test("exchanged latitude and longitude are suspected")
  func exchanged() {
    let places = [
      Fixtures.place("berlin", 52.52, 13.40), Fixtures.place("berlin-2", 52.50, 13.45),
      Fixtures.place("lost", 13.41, 52.51),
    ]
    let found = RegistryDocument(places: places).findings()
    #expect(found.map(\.code.rawValue) == ["sign-suspect"])
    #expect(found.first?.message.hasPrefix("“lost”") == true)
  }

  @Test("the samples' findings are those that they are made to show")
  func samples() throws {
    func found(_ name: String) throws -> [String] {
      codes(try RegistryDocument.read(try SampleTests.sample(name), as: .yaml).document)
    }
    #expect(try found("fruta") == ["prefix-collision"])
    #expect(try found("city") == ["no-place", "polygon-not-confirmable"])
  }

  @Test("a clip without a default experience is an error: App Store Connect requires one")
  func withoutDefault() throws {
    let found = try RegistryDocument.read(
      Data(
        """
        clips:
          - { clip: com.ex.app.Clip, app: com.ex.app, team: ABCDE12345, domains: [] }
        """.utf8), as: .yaml
    ).document.findings()
    #expect(found.map(\.code) == [.noDefaultExperience] && found.first?.severity == .error)
  }

  @Test("a link that looks like a pattern, or has a fragment, is told")
  func patterns() throws {
    let found = try RegistryDocument.read(
      Data(
        """
        clips:
          - clip: com.ex.app.Clip
            app: com.ex.app
            team: ABCDE12345
            domains: [example.com]
            defaultExperience: { title: D, subtitle: D, action: OPEN }
            experiences:
              - { link: "https://example.com/x/*", title: A, subtitle: s }
              - { link: "https://example.com/y#frag", title: B, subtitle: s }
              - { link: "https://example.com/z", title: C, subtitle: s }
        """.utf8), as: .yaml
    ).document.findings().filter { $0.code == .linkPattern }
    #expect(found.map(\.severity) == [.error, .warning])
  }

  @Test(
    "a large clip is right for links and a demo link alone, an error where codes are to start it")
  func digitalOnly() throws {
    func found(_ experiences: String) throws -> [Finding] {
      try RegistryDocument.read(
        Data(
          """
          clips:
            - clip: com.ex.app.Clip
              app: com.ex.app
              team: ABCDE12345
              domains: [example.com]
              demoLink: "https://appclip.apple.com/demo/xYz12"
              minimumIOS: "17"
              installBytes: 60000000
              defaultExperience: { title: D, subtitle: D, action: OPEN }
              experiences: \(experiences)
          """.utf8), as: .yaml
      ).document.findings().filter { $0.code == .clipTooLarge }
    }
    #expect(try found("[]").isEmpty)
    #expect(
      try found("[{ link: \"https://example.com\", title: A, subtitle: a }]").map(\.severity) == [
        .error
      ])
  }

  // MARK: Facts of App Store Connect

  private func listed(_ change: (inout ClipListing, inout ExperienceListing) -> Void) throws
    -> RegistryDocument
  {
    var clip = Self.clip
    var experience = try Fixtures.experience("https://fruta.example.com/order")
    change(&clip.listing, &experience.listing)
    return RegistryDocument(clips: [clip], experiences: [experience], places: [])
  }

  @Test("a domain that Apple's servers refuse is an error with Apple's own code")
  func domainStatus() throws {
    let document = try listed { clip, _ in
      clip.domainStatuses = [
        DomainStatus(domain: "fruta.example.com", isValid: false, errorCode: "TLS_ERROR"),
        DomainStatus(domain: "appclip.example.com", isValid: true),
      ]
    }
    let found = document.findings()
    #expect(found.map(\.code) == [.domainStatus])
    #expect(found.first?.severity == .error)
    #expect(found.first?.message.contains("fruta.example.com") == true)
    #expect(found.first?.message.contains("TLS_ERROR") == true)
  }

  @Test(
    "a clip's size is judged by its minimum version of iOS",
    arguments: [
      (10_000_000, IOSVersion(14), Finding.Severity?.none), (10_000_001, IOSVersion(14), .error),
      (10_000_001, IOSVersion(16), nil), (15_000_001, IOSVersion(17), .error),
      (100_000_001, IOSVersion(17), .error),
    ])
  func sizes(bytes: Int, minimum: IOSVersion, severity: Finding.Severity?) throws {
    let document = try listed { clip, _ in
      clip.installBytes = bytes
      clip.minimumIOS = minimum
    }
    #expect(document.findings().first { $0.code == .clipTooLarge }?.severity == severity)
  }

  @Test("a picture of another size, and a place that Maps does not have, are told")
  func images() throws {
    let document = try listed { clip, experience in
      clip.image = HeaderImage(file: "a.png", size: HeaderImage.requiredSize)
      experience.image = HeaderImage(file: "b.png", size: .init(width: 3000, height: 2000))
      experience.placeStatus = .noMatch
    }
    #expect(Set(codes(document)) == ["header-image-size", "place-not-in-maps"])
  }

  @Test("a language that most experiences have is missed in the others")
  func languages() throws {
    var document = RegistryDocument(clips: [Self.clip])
    for path in ["a", "b", "c"] {
      var experience = try Fixtures.experience("https://fruta.example.com/\(path)", title: path)
      if path != "c" {
        experience.listing.localizations = [
          CardLocalization(language: "DE", title: nil, subtitle: "Bestellen")
        ]
      }
      document.experiences.append(experience)
    }
    let found = document.findings().filter { $0.code == .missingLocalization }
    #expect(found.count == 1)
    #expect(
      found.first?.message.hasPrefix("https://fruta.example.com/c has no texts in DE") == true)
  }

  @Test("an invocation for testers on a foreign host is told")
  func testInvocations() throws {
    let url = try InvocationURL("https://other.example.com/order")
    let document = try listed { clip, _ in
      clip.testInvocations = [TestInvocation(url: url, title: "Order")]
    }
    #expect(codes(document) == ["unassociated-host"])
  }
}

@Suite("Places that are too close")
struct PlaceLintTests {
  private func told(_ places: [Place]) -> [String] {
    RegistryDocument(places: places).findings().filter { $0.code == .placesTooClose }
      .map { String($0.message.prefix { $0 != "," }) }.sorted()
  }

  @Test("every pair whose circles overlap is told, whatever their sizes")
  func everyPair() {
    var generator = SeededGenerator(seed: 11)
    let spots = (0..<600).map { _ in
      (
        Double.random(in: 60...60.4, using: &generator),
        Double.random(in: 10...10.8, using: &generator),
        [0.001, 0.5, 1, 8, 60, 250, 499, 500].randomElement(using: &generator)! as Double
      )
    }
    let places = spots.enumerated().map { index, spot in
      Fixtures.place(String(1000 + index), spot.0, spot.1, radius: spot.2)
    }
    var expected: [String] = []
    for (index, spot) in spots.enumerated() {
      // A fiftieth of a degree of latitude is more than two kilometres.
      for (other, otherSpot) in spots.enumerated().dropFirst(index + 1)
      where abs(spot.0 - otherSpot.0) < 0.02 {
        guard let first = Coordinate(latitude: spot.0, longitude: spot.1),
          let second = Coordinate(latitude: otherSpot.0, longitude: otherSpot.1)
        else { continue }
        let distance = Geodesic.distance(from: first, to: second)
        guard distance < spot.2 + otherSpot.2 else { continue }
        expected.append(
          "“\(1000 + index)” and “\(1000 + other)” are \(Int(distance.rounded())) m apart")
      }
    }
    #expect(expected.count > 20)
    #expect(told(places) == expected.sorted())
  }

  @Test("of many at one spot, each is told with three others at most")
  func oneSpot() {
    let places = (0..<2000).map { Fixtures.place(String(10_000 + $0), 37.3230, -122.0322) }
    #expect(told(places).count == 1 + 2 + 3 * 1997)
  }

  @Test("any two regions of two places are compared, those of one place are not")
  func anyRegions() throws {
    let mall = Fixtures.severalRegions("mall", 37.3230, -122.0322)
    let apart = Fixtures.place("apart", 37.40, -122.0322)
    // Only near the second circle of the mall, and only near its polygon.
    let second = Fixtures.place("second", 37.3333, -122.0322, radius: 10)
    let yard = Fixtures.place("yard", 37.3248, -122.0320, radius: 20)
    #expect(told([mall, apart]) == [])
    #expect(
      told([mall, apart, second, yard]) == [
        "“mall” and “second” have regions that overlap: there",
        "“mall” and “yard” have regions that overlap: there",
      ])
    #expect(told([mall, Fixtures.severalRegions("twin", 37.3230, -122.0322)]).count == 1)
  }

  @Test("polygons that cross are told, neighbours that share a wall are not")
  func polygons() throws {
    func rectangle(_ id: String, _ south: Double, _ west: Double, _ size: (Double, Double)) -> Place
    {
      let corners = [(0.0, 0.0), (0, size.1), (size.0, size.1), (size.0, 0)].compactMap {
        Coordinate(
          latitude: south + $0.0, longitude: (west + $0.1).remainder(dividingBy: 360))
      }
      return Place(id: id, name: id, region: .polygon(Region.Polygon(corners: corners)!))
    }
    // A cross: no corner of one lies in the other.
    let bar = rectangle("bar", 10, 179.99, (0.001, 0.02))
    let post = rectangle("post", 9.99, 179.9995, (0.02, 0.001))
    #expect(told([bar, post]).count == 1)
    #expect(told([rectangle("a", 1, 1, (1, 1)), rectangle("b", 1, 2, (1, 1))]) == [])
    #expect(told([rectangle("a", 1, 1, (1, 1)), rectangle("b", 1.4, 1.4, (0.1, 0.1))]).count == 1)
  }

  @Test(
    "circles of hardly any size are compared, too", arguments: [Double.leastNonzeroMagnitude, 1e-9])
  func tiny(radius: Double) {
    let places = ["a", "b"].map { Fixtures.place($0, 37.3230, -122.0322, radius: radius) }
    #expect(told(places).count == 1)
  }
}
