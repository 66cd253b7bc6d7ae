import CliptagBasics
import Foundation
import Invocation
import TestSupport
import Testing

@Suite("Geodesic distance")
struct GeodesicTests {
  @Test(
    "agrees with geographiclib to a hundred nanometres, antipodal points included",
    arguments: [("geodesic.csv", 762), ("geodesic-kinds.csv", 1_080)])
  func generatedVectors(file: String, count: Int) throws {
    let rows = try Vectors.rows(file)
    #expect(rows.count == count)
    for row in rows {
      let start = try #require(Coordinate(latitude: row.number(0), longitude: row.number(1)))
      let end = try #require(Coordinate(latitude: row.number(2), longitude: row.number(3)))
      let error = abs(Geodesic.distance(from: start, to: end) - row.number(4))
      #expect(error < 1e-7, "off by \(error) m: \(row.text)")
      let back = abs(Geodesic.distance(from: end, to: start) - row.number(4))
      #expect(back < 1e-7, "off by \(back) m, backwards: \(row.text)")
    }
  }

  @Test("agrees with published values")
  func publishedVectors() throws {
    for row in try Vectors.rows("geodesic-published.csv") {
      let start = try #require(Coordinate(latitude: row.number(0), longitude: row.number(1)))
      let end = try #require(Coordinate(latitude: row.number(2), longitude: row.number(3)))
      let error = abs(Geodesic.distance(from: start, to: end) - row.number(4))
      #expect(error < row.number(5), "off by \(error) m: \(row.text)")
    }
  }
}

/// The lines of a data file beside the tests.
enum Vectors {
  struct Row {
    let text: String
    let fields: [Substring]

    /// Returns a field as a number, or NaN, which fails every comparison.
    func number(_ index: Int) -> Double {
      index < fields.count ? Double(fields[index]) ?? .nan : .nan
    }
  }

  static func rows(_ name: String) throws -> [Row] {
    let url = Bundle.module.bundleURL.appending(path: "Vectors/\(name)")
    return try String(contentsOf: url, encoding: .utf8)
      .split(whereSeparator: \.isNewline)
      .filter { !$0.hasPrefix("#") }
      .map { Row(text: String($0), fields: $0.split(separator: ",")) }
  }
}

@Suite("Polygons at the ends of the Earth")
struct PolygonTests {
  private func polygon(_ corners: [(Double, Double)]) throws -> Region.Polygon {
    try #require(
      Region.Polygon(
        corners: corners.compactMap {
          Coordinate(latitude: $0.0, longitude: $0.1.remainder(dividingBy: 360))
        }))
  }

  private func point(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(
      Coordinate(latitude: latitude, longitude: longitude.remainder(dividingBy: 360)))
  }

  /// Returns the least distance to points on the edges: to fifty of each edge, and to points ever
  /// closer together around each that is nearer than those beside it, to a 50,000th of the edge.
  private func sampled(_ shape: Region.Polygon, from point: Coordinate) -> Double {
    var least = Double.infinity
    for (index, end) in shape.corners.enumerated() {
      let start = shape.corners[index == 0 ? shape.corners.count - 1 : index - 1]
      let east = (end.longitude - start.longitude).remainder(dividingBy: 360)
      func distance(_ share: Double) -> Double {
        let spot = Coordinate(
          latitude: start.latitude + share * (end.latitude - start.latitude),
          longitude: (start.longitude + share * east).remainder(dividingBy: 360))
        return spot.map { Geodesic.distance(from: point, to: $0) } ?? .infinity
      }
      let coarse = (0...50).map { distance(Double($0) / 50) }
      for step in coarse.indices
      where coarse[step] <= min(coarse[max(0, step - 1)], coarse[min(50, step + 1)]) {
        var nearest = (share: Double(step) / 50, distance: coarse[step])
        for spacing in [0.002, 0.000_2, 0.000_02] {
          let middle = nearest.share
          for near in -10...10 {
            let share = min(1, max(0, middle + Double(near) * spacing))
            let distance = distance(share)
            if distance < nearest.distance { nearest = (share, distance) }
          }
        }
        least = min(least, nearest.distance)
      }
    }
    return least
  }

  @Test("a polygon around a pole has the pole inside", arguments: [1.0, -1.0])
  func poles(hemisphere: Double) throws {
    for order in [[0.0, 120, 240], [240, 120, 0], [10, 60, 170, 200, 300]] {
      let ring = try polygon(order.map { (hemisphere * 89.99, $0) })
      let pole = try point(hemisphere * 90, 17)
      // A hundredth of a degree of the meridian at the pole is 1116.94 m.
      #expect(abs(ring.signedDistance(from: pole) + 1_116.94) < 0.01)
      for longitude in stride(from: -180.0, to: 180, by: 7.5) {
        let inside = try point(hemisphere * 89.995, longitude)
        #expect(abs(ring.signedDistance(from: inside) + 558.47) < 0.01)
        let outside = try point(hemisphere * 89.98, longitude)
        #expect(abs(ring.signedDistance(from: outside) - 1_116.94) < 0.01)
      }
      #expect(ring.signedDistance(from: try point(hemisphere * -89, 3)) > 1e7)
      #expect(ring.signedDistance(from: try point(0, 3)) > 9e6)
    }
  }

  @Test("a polygon beside a pole does not have it inside")
  func besidePole() throws {
    let wedge = try polygon([(89.99, 0), (89.99, 90), (89.995, 90), (89.995, 0)])
    #expect(wedge.signedDistance(from: try point(90, 0)) > 500)
    #expect(wedge.signedDistance(from: try point(89.992, 45)) < -200)
    #expect(wedge.signedDistance(from: try point(89.992, 225)) > 1_000)
  }

  @Test("the nearest point of an edge is found, however it lies", arguments: 0..<60)
  func nearest(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) + 1)
    func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
    let size = [1e-6, 1e-4, 0.01, 1, 20][seed % 5]
    let middle = [random(-60...60), 89.9, -89.9, random(80...88), 0][seed / 5 % 5]
    let east = [180, random(-180...180)][seed % 2]
    let shape = try polygon(
      (0..<5).map { _ in
        (max(-90, min(90, middle + random(-size...size))), east + random(-size...size))
      })
    for _ in 0..<8 {
      let viewer = try point(
        max(-90, min(90, middle + random(-3 * size...3 * size))),
        east + random(-3 * size...3 * size))
      let distance = abs(shape.signedDistance(from: viewer))
      let sampled = sampled(shape, from: viewer)
      // No sample is nearer, except for the difference of chord and geodesic, and one is nearly as
      // near.
      #expect(distance <= sampled + max(1e-7, sampled * 1e-3 * min(1, sampled / 1e6)))
      #expect(distance >= sampled - size * 20 - 1e-6)
    }
  }

  @Test("a polygon wider than half the Earth holds what is in its middle and its ends")
  func wide() throws {
    let belt = try polygon([
      (-10, -120), (-10, 0), (-10, 120), (10, 120), (10, 0), (10, -120),
    ])
    for longitude in [-119.0, -60, 0, 60, 119] {
      #expect(belt.signedDistance(from: try point(0, longitude)) < 0)
    }
    for longitude in [-179.0, 180, 121, -121] {
      #expect(belt.signedDistance(from: try point(0, longitude)) > 0)
    }
  }

  @Test("a table's polygon and circle of ten centimetres decide in millimetres")
  func tiny() throws {
    // A degree of latitude at 37.3230° is 110,986.2 m, so these are 0.1 m.
    let (north, east) = (0.1 / 110_986.2, 0.1 / (111_319.491 * cos(37.3230 * .pi / 180)))
    let table = try polygon([
      (37.3230, -122.0322), (37.3230, -122.0322 + east), (37.3230 + north, -122.0322 + east),
      (37.3230 + north, -122.0322),
    ])
    let middle = try point(37.3230 + north / 2, -122.0322 + east / 2)
    #expect(abs(table.signedDistance(from: middle) + 0.05) < 0.001)
    let beside = try point(37.3230 + north / 2, -122.0322 + 1.5 * east)
    #expect(abs(table.signedDistance(from: beside) - 0.05) < 0.001)
    let circle = Fixture.circle(37.3230, -122.0322, 0.1)
    func result(_ metres: Double, _ accuracy: Double) -> LocationOutcome.Result {
      LocationConfirmation.confirm(
        Fixture.fix(37.3230 + metres / 110_986.2, -122.0322, accuracy: accuracy), in: circle
      ).result
    }
    #expect(result(0.099, 0) == .inside)
    #expect(result(0.101, 0) == .outside)
    #expect(result(0.05, 0.06) == .undecided)
  }
}
