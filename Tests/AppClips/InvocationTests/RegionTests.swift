import CliptagBasics
import Foundation
import Invocation
import TestSupport
import Testing

@Suite("Regions and positions")
struct RegionTests {
  private func confirm(
    metresNorth: Double, accuracy: Double, radius: Double = 100
  ) throws -> LocationOutcome {
    // One degree of latitude at 37.3230° north is 110,986.2 m on WGS 84.
    let fix = Fixture.fix(37.3230 + metresNorth / 110_986.2, -122.0322, accuracy: accuracy)
    return LocationConfirmation.confirm(fix, in: Fixture.circle(37.3230, -122.0322, radius))
  }

  @Test(
    "inside when distance and accuracy fit the radius, outside when they cannot, else undecided",
    arguments: [
      (0.0, 0.0, LocationOutcome.Result.inside), (99.9, 0, .inside), (100.1, 0, .outside),
      (50, 49.9, .inside), (50, 50.1, .undecided), (150, 49.9, .outside), (150, 50.1, .undecided),
      (0, 100, .inside), (0, 100.1, .undecided), (1_000, 2_000, .undecided), (1_000, 800, .outside),
    ])
  func threeValues(distance: Double, accuracy: Double, result: LocationOutcome.Result) throws {
    let outcome = try confirm(metresNorth: distance, accuracy: accuracy)
    #expect(outcome.result == result)
    #expect(abs(try #require(outcome.distance) - distance) < 0.05)
    #expect(outcome.radius == 100)
    #expect(outcome.accuracy == accuracy)
  }

  @Test("Apple's two samples of Apple Park are 565 m apart: the largest circle excludes the other")
  func applePark() throws {
    let outcome = LocationConfirmation.confirm(
      Fixture.fix(37.3298193, -122.0071671), in: Fixture.circle(37.334722, -122.008889, 500))
    #expect(outcome.result == .outside)
    #expect(abs(try #require(outcome.distance) - 565.114) < 0.001)
  }

  @Test("coordinates, radii and accuracies out of range make no value")
  func ranges() throws {
    #expect(Coordinate(latitude: 90.1, longitude: 0) == nil)
    #expect(Coordinate(latitude: 0, longitude: -180.1) == nil)
    #expect(Coordinate(latitude: .nan, longitude: 0) == nil)
    let centre = try #require(Coordinate(latitude: 90, longitude: 180))
    #expect(Region.Circle(centre: centre, radius: 500) != nil)
    for radius in [0, -1, 500.1, .nan, .infinity] {
      #expect(Region.Circle(centre: centre, radius: radius) == nil)
    }
    for accuracy in [-1, .nan, .infinity] {
      #expect(LocationFix(coordinate: centre, accuracy: accuracy) == nil)
    }
    #expect(Region.Polygon(corners: [centre, centre]) == nil)
  }

  /// A square of one hundredth of a degree on the equator, and moved to other longitudes.
  @Test(
    "the distance to a polygon is signed, also across the antimeridian",
    arguments: [0.0, 10, -122, 179.995, -179.995, 180, -180])
  func polygons(longitude: Double) throws {
    func wrapped(_ degrees: Double) -> Double { degrees.remainder(dividingBy: 360) }
    let corners = [(0.0, -0.005), (0, 0.005), (0.01, 0.005), (0.01, -0.005)]
    for order in [corners, corners.reversed(), Array(corners[2...] + corners[..<2])] {
      guard
        case .polygon(let square) = Fixture.polygon(
          order.map { ($0.0, wrapped(longitude + $0.1)) })
      else { return }
      func distance(_ latitude: Double, _ east: Double) -> Double {
        square.signedDistance(from: Fixture.fix(latitude, wrapped(longitude + east)).coordinate)
      }
      // A degree of the equator has 111,319.491 m; a degree of its meridian 110,574.3 m.
      #expect(abs(distance(0.005, 0) + 552.87) < 0.1)
      #expect(abs(distance(0.005, 0.004) + 111.319) < 0.01)
      #expect(abs(distance(0.005, 0.006) - 111.319) < 0.01)
      #expect(abs(distance(-0.001, 0.001) - 110.574) < 0.01)
      #expect(abs(distance(-0.003, 0.009) - 555.68) < 1)
      #expect(abs(distance(0, 0.002)) < 1e-6)
    }
  }

  @Test("the bay of a polygon that is not convex is outside")
  func bay() throws {
    guard
      case .polygon(let shape) = Fixture.polygon([
        (0, 0), (0, 0.03), (0.03, 0.03), (0.03, 0.02), (0.01, 0.02), (0.01, 0.01), (0.03, 0.01),
        (0.03, 0),
      ])
    else { return }
    #expect(shape.signedDistance(from: Fixture.fix(0.02, 0.015).coordinate) > 500)
    #expect(shape.signedDistance(from: Fixture.fix(0.02, 0.005).coordinate) < -500)
    #expect(shape.signedDistance(from: Fixture.fix(0.02, 0.025).coordinate) < -500)
    #expect(shape.signedDistance(from: Fixture.fix(0.005, 0.015).coordinate) < -500)
  }

  @Test("a polygon of one point repeated is only a point")
  func degenerate() throws {
    guard case .polygon(let point) = Fixture.polygon([(1, 1), (1, 1), (1, 1)]) else { return }
    #expect(point.signedDistance(from: Fixture.fix(1, 1).coordinate) == 0)
    #expect(abs(point.signedDistance(from: Fixture.fix(2, 1).coordinate) - 110_575) < 2)
  }
}

@Suite("Places of several regions")
struct SeveralRegionsTests {
  /// Two entrances 600 m apart, and a yard between them.
  static let shop = [
    Fixture.circle(37.3230, -122.0322, 100), Fixture.circle(37.3284, -122.0322, 50),
    Fixture.polygon([
      (37.3250, -122.0330), (37.3250, -122.0310), (37.3262, -122.0310), (37.3262, -122.0330),
    ]),
  ]

  private func region(_ parts: [Region]) throws -> Region { try #require(Region(parts)) }

  @Test("inside any is inside, outside all is outside, and the nearest edge is told")
  func union() throws {
    let region = try region(Self.shop)
    func confirm(_ latitude: Double, _ longitude: Double, _ accuracy: Double) -> LocationOutcome {
      LocationConfirmation.confirm(
        Fixture.fix(latitude, longitude, accuracy: accuracy), in: region)
    }
    for (latitude, longitude) in [(37.3230, -122.0322), (37.3284, -122.0322), (37.3256, -122.0320)]
    {
      #expect(confirm(latitude, longitude, 10).result == .inside)
    }
    let second = confirm(37.3284, -122.0322, 10)
    #expect(second.radius == nil)
    #expect(try #require(second.distance) == -50)
    #expect(confirm(37.3284, -122.0322, 60).result == .undecided)
    #expect(confirm(37.3272, -122.0322, 10).result == .outside)
    #expect(abs(try #require(confirm(37.3272, -122.0322, 10).distance) - 83.2) < 0.1)
    #expect(confirm(37.3272, -122.0322, 90).result == .undecided)
    #expect(confirm(37.40, -122.0322, 90).result == .outside)
  }

  @Test("regions that cover the uncertainty only together leave it undecided")
  func together() throws {
    let halves = try region([
      Fixture.polygon([(0, 0), (0, 0.01), (0.01, 0.01), (0.01, 0)]),
      Fixture.polygon([(0, 0.01), (0, 0.02), (0.01, 0.02), (0.01, 0.01)]),
    ])
    let fix = Fixture.fix(0.005, 0.0099, accuracy: 50)
    #expect(LocationConfirmation.confirm(fix, in: halves).result == .undecided)
  }

  @Test("one region is itself, several are not nested, none is no region")
  func making() throws {
    #expect(Region([Self.shop[0]]) == Self.shop[0])
    #expect(Region([]) == nil)
    let several = try region(Self.shop)
    #expect(several.parts == Self.shop)
    #expect(Region([several, Self.shop[0]]) == nil)
    #expect(Region.Several(regions: [Self.shop[0]]) == nil)
    #expect(!several.isConfirmableByPhone)
    #expect(!Self.shop[2].isConfirmableByPhone)
    #expect(Self.shop[0].isConfirmableByPhone)
  }

  @Test("a place of several regions is confirmed here, with a note that no phone could")
  func verdicts() throws {
    let place = Place(id: "shop", name: "Fruta Shop", region: try region(Self.shop))
    let experience = try Fixture.experience(
      "https://fruta.example.com/order", place: .fixed(id: "shop"))
    let check = InvocationCheck(
      directory: ExperienceCatalog(
        clips: [Fixture.clip()], experiences: [experience], places: [place]))
    func examine(_ latitude: Double, _ accuracy: Double) throws -> Verification {
      try check.examine(
        payload: "https://fruta.example.com/order", carrier: .nfc,
        location: .fix(Fixture.fix(latitude, -122.0322, accuracy: accuracy)))
    }
    let inside = try examine(37.3284, 10)
    #expect(inside.verdict == .accepted)
    #expect(inside.codes == [.severalRegionsNotConfirmable])
    #expect(inside.severity(.severalRegionsNotConfirmable) == .note)
    let outside = try examine(37.3272, 10)
    #expect(outside.verdict == .rejected)
    #expect(
      outside.message(.outsideRegion)
        == "The code was read 83.2 m from Fruta Shop, outside all its regions.")
    let undecided = try examine(37.3272, 90)
    #expect(undecided.verdict == .undecided)
    #expect(
      undecided.message(.undecidedAccuracy)?.contains("83.1 m or better would decide") == true)
  }

  /// Checks the guarantee of the answer at possible positions of the reader: the ring around the
  /// fix.
  @Test("no random fix is answered more surely than its accuracy allows")
  func neverRounded() throws {
    var generator = SeededGenerator(seed: 20)
    var counts: [LocationOutcome.Result: Int] = [:]
    let regions = Self.shop + [try region(Self.shop), try region(Array(Self.shop[..<2]))]
    for round in 0..<4_000 {
      let region = regions[round % regions.count]
      let latitude = Double.random(in: 37.320...37.331, using: &generator)
      let longitude = Double.random(in: -122.036 ... -122.029, using: &generator)
      let accuracy = [0, 1, 10, 60, 200].randomElement(using: &generator)! as Double
      let outcome = LocationConfirmation.confirm(
        Fixture.fix(latitude, longitude, accuracy: accuracy), in: region)
      counts[outcome.result, default: 0] += 1
      for step in 0..<12 {
        let angle = Double(step) * .pi / 6
        // A thousandth less than the accuracy, for the plane that approximates the Earth here.
        let (north, east) = (0.999 * accuracy * cos(angle), 0.999 * accuracy * sin(angle))
        let spot = Fixture.fix(
          latitude + north / 110_986.2,
          longitude + east / (111_319.491 * cos(latitude * .pi / 180)))
        let there = LocationConfirmation.confirm(spot, in: region).result
        if outcome.result == .inside { #expect(there == .inside) }
        if outcome.result == .outside { #expect(there == .outside) }
      }
    }
    for result in [LocationOutcome.Result.inside, .outside, .undecided] {
      #expect(counts[result, default: 0] > 50, "the test meets \(result)")
    }
  }
}
