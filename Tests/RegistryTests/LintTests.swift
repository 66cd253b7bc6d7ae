import Foundation
import Invocation
import Registry
import Testing

/// What is doubtful in a registry as a whole.
@Suite("Registry lint")
struct LintTests {
  private func document(
    _ links: [String], clip: AppClip = Fixtures.clip, places: [Place] = []
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
      clips: [Fixtures.clip],
      experiences: [
        try Fixtures.experience("https://fruta.example.com/a?x=1"),
        try Fixtures.experience("https://other.example.com/"),
        try Fixtures.experience("https://fruta.example.com/b", clip: "com.example.gone.Clip"),
        try Fixtures.experience("https://fruta.example.com/c", place: .fixed(id: "gone")),
      ])
    #expect(
      codes(document) == ["unassociated-host", "unknown-clip", "unknown-place", "query-in-link"])
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
    #expect(try found("fruta") == ["prefix-collision", "no-default-experience"])
    #expect(try found("city") == ["no-default-experience", "polygon-not-confirmable"])
  }

  // MARK: What App Store Connect holds

  private func listed(_ change: (inout ClipListing, inout ExperienceListing) -> Void) throws
    -> RegistryDocument
  {
    var clip = Fixtures.clip
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
    "a clip's size is judged by the versions of iOS that it is for",
    arguments: [
      (10_000_000, IOSVersion(14), Finding.Severity?.none), (10_000_001, IOSVersion(14), .warning),
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
    var document = RegistryDocument(clips: [Fixtures.clip])
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
