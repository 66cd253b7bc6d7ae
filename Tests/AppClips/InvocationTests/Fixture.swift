import Invocation
import Testing

/// The fixtures of the tests: Fruta, which asks for location confirmation, and its neighbours.
enum Fixture {
  static let cupertino = Place(
    id: "cupertino", name: "Fruta Cupertino", region: circle(37.3230, -122.0322, 100))
  static let sanFrancisco = Place(
    id: "san-francisco", name: "Fruta San Francisco", region: circle(37.7749, -122.4194, 100))
  static let park = Place(
    id: "park", name: "Apple Park",
    region: polygon([
      (37.330, -122.013), (37.330, -122.004), (37.338, -122.004), (37.338, -122.013),
    ]))

  static let card = ExperienceCard(title: "Fruta", subtitle: "Order a smoothie", action: .open)

  static func clip(
    _ id: String = "com.example.fruta.Clip", domains: [String] = ["fruta.example.com"],
    confirms: Bool = true, hasDefault: Bool = false
  ) -> AppClip {
    AppClip(
      bundleID: id, appBundleID: "com.example.fruta", team: "ABCDE12345", domains: domains,
      locationConfirmation: confirms, defaultExperience: hasDefault ? card : nil)
  }

  static func experience(
    _ link: String, clip: String = "com.example.fruta.Clip",
    status: ExperienceStatus = .received, place: PlaceRule? = nil
  ) throws -> AdvancedExperience {
    AdvancedExperience(
      clip: clip, link: try InvocationURL(link), card: card, status: status, place: place)
  }

  /// Experiences of Fruta under `https://fruta.example.com`, by path.
  static func experiences(_ paths: [String]) throws -> [AdvancedExperience] {
    try paths.map { try experience("https://fruta.example.com" + $0) }
  }

  static func catalog(
    clips: [AppClip] = [clip()], _ experiences: [AdvancedExperience]
  ) -> ExperienceCatalog {
    ExperienceCatalog(
      clips: clips, experiences: experiences, places: [cupertino, sanFrancisco, park])
  }

  /// Fruta with one experience whose path names the place.
  static func shop(confirms: Bool = true) throws -> ExperienceCatalog {
    catalog(
      clips: [clip(confirms: confirms)],
      [
        try experience(
          "https://fruta.example.com/order",
          place: .path(template: try PathTemplate("/order/{place}")))
      ])
  }

  static func circle(_ latitude: Double, _ longitude: Double, _ radius: Double) -> Region {
    guard let centre = Coordinate(latitude: latitude, longitude: longitude),
      let circle = Region.Circle(centre: centre, radius: radius)
    else { preconditionFailure("a fixture's circle is valid") }
    return .circle(circle)
  }

  static func polygon(_ corners: [(Double, Double)]) -> Region {
    guard
      let polygon = Region.Polygon(
        corners: corners.compactMap { Coordinate(latitude: $0.0, longitude: $0.1) })
    else { preconditionFailure("a fixture's polygon is valid") }
    return .polygon(polygon)
  }

  static func fix(_ latitude: Double, _ longitude: Double, accuracy: Double = 0) -> LocationFix {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude),
      let fix = LocationFix(coordinate: coordinate, accuracy: accuracy)
    else { preconditionFailure("a fixture's position is valid") }
    return fix
  }
}

extension Verification {
  var codes: Set<Finding.Code> { Set(findings.map(\.code)) }

  func message(_ code: Finding.Code) -> String? { findings.first { $0.code == code }?.message }

  func severity(_ code: Finding.Code) -> Finding.Severity? {
    findings.first { $0.code == code }?.severity
  }
}
