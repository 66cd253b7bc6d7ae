package import Invocation

/// Values that several suites share.
package enum Fixtures {
  package static let clip = AppClip(
    bundleID: "com.example.fruta.Clip", appBundleID: "com.example.fruta", team: "ABCDE12345",
    appStoreID: "1234567890", domains: ["fruta.example.com", "appclip.example.com"],
    locationConfirmation: true,
    defaultExperience: ExperienceCard(title: "Fruta", subtitle: nil, action: .open))

  package static let cupertino = place("cupertino", 37.3230, -122.0322)
  package static let sanFrancisco = place("san-francisco", 37.7749, -122.4194)

  package static func place(
    _ id: String, _ latitude: Double, _ longitude: Double, radius: Double = 100
  ) -> Place {
    let centre = Coordinate(latitude: latitude, longitude: longitude)
    let circle = centre.flatMap { Region.Circle(centre: $0, radius: radius) }
    return Place(id: id, name: "Fruta \(id)", region: .circle(circle!))
  }

  /// Returns a place with two circles and a polygon, in this order, and a language.
  package static func severalRegions(_ id: String, _ latitude: Double, _ longitude: Double) -> Place
  {
    let corners = [(0.001, 0.0), (0.002, 0.001), (0.002, 0.0)].compactMap {
      Coordinate(latitude: latitude + $0.0, longitude: longitude + $0.1)
    }
    let regions =
      [
        place(id, latitude, longitude).region,
        place(id, latitude + 0.01, longitude, radius: 40.5).region,
      ]
      + [Region.polygon(Region.Polygon(corners: corners)!)]
    return Place(id: id, name: "Fruta \(id)", region: Region(regions)!, language: "pt-BR")
  }

  package static func experience(
    _ link: String, clip: String = clip.bundleID, title: String = "Fruta",
    status: ExperienceStatus = .received, place: PlaceRule? = nil
  ) throws -> AdvancedExperience {
    AdvancedExperience(
      clip: clip, link: try InvocationURL(link),
      card: ExperienceCard(title: title, subtitle: "Order a smoothie", action: .open),
      status: status, place: place)
  }
}
