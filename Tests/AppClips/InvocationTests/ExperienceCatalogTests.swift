import Foundation
import Invocation
import Testing

@Suite("A catalog in memory")
struct CompiledLinksTests {
  /// Returns similar experiences that differ in one property after another.
  private static func experiences() throws -> [AdvancedExperience] {
    let listings = [
      ExperienceListing(),
      ExperienceListing(identifier: "a1", changed: Date(timeIntervalSince1970: 1_795_262_400.5)),
      ExperienceListing(identifier: "b2", businessCategory: "GROCERY"),
      ExperienceListing(identifier: "", changed: .distantPast),
      ExperienceListing(identifier: String(repeating: "é", count: 127)),
      ExperienceListing(identifier: String(repeating: "é", count: 128)),
      ExperienceListing(
        localizations: [CardLocalization(language: "DE", title: "Saft", subtitle: nil)],
        image: HeaderImage(file: "fruit.png"), isPoweredBy: true, placeStatus: .matched,
        changed: Date(timeIntervalSince1970: 0)),
    ]
    let places: [PlaceRule?] = [
      nil, .fixed(id: "cupertino"), .query(item: "at"),
      .coordinates(latitudeItem: "lat", longitudeItem: "lon", radius: 50),
    ]
    return try listings.enumerated().flatMap { index, listing in
      try places.enumerated().map { number, place in
        AdvancedExperience(
          clip: "com.example.fruta.Clip\(number % 2)",
          link: try InvocationURL(
            number == 1
              ? "HTTPS://FRUTA.example.com/Ordér/\(index)?Q=\(number)"
              : "https://fruta.example.com/order/\(index)/\(number)"),
          card: Fixture.card, language: index % 2 == 0 ? "EN" : "DE",
          status: number == 3 ? .deactivated : .received, place: place, listing: listing)
      }
    }
  }

  @Test("an experience comes out exactly as it went in, whatever it shares with others")
  func wholeExperiences() throws {
    let experiences = try Self.experiences()
    let catalog = ExperienceCatalog(experiences: experiences.shuffled())
    for experience in experiences {
      let link = experience.link
      let found = catalog.experiences(near: link)
      #expect(found.contains(experience))
      let same = catalog.experiences(host: link.host, foldedKeys: [link.foldedKey])
      #expect(same == [experience])
      #expect(same.first?.link.payload == link.payload)
    }
    #expect(catalog.experiences(host: "fruta.example.com", foldedKeys: ["/"]) == [])
    #expect(catalog.experiences(host: "example.com", foldedKeys: ["/order/1/0"]) == [])
  }

  @Test("several experiences with one link are all found")
  func sameLink() throws {
    let links = ["/a", "/A", "/a/b", "/", "/ab", "/a/"]
    let experiences = try (0..<3).flatMap { number in
      try links.map {
        try Fixture.experience("https://fruta.example.com" + $0, clip: "com.example.\(number).Clip")
      }
    }
    let catalog = ExperienceCatalog(experiences: experiences)
    func near(_ path: String) throws -> Set<String> {
      let found = catalog.experiences(
        near: try InvocationURL("https://fruta.example.com" + path))
      #expect(found.count == 3 * Set(found.map(\.link)).count)
      return Set(found.map(\.link.matchingKey))
    }
    #expect(try near("/a/bc") == ["/", "/a", "/A", "/a/", "/a/b"])
    #expect(try near("/A") == ["/", "/a", "/A", "/a/"])
    #expect(try near("/b") == ["/"])
  }
}
