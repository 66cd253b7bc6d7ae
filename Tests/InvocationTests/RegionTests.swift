import Invocation
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
