import Foundation
import Invocation

/// Location confirmations per second: in a circle, and in a polygon of 20 corners.
struct Confirmations {
  private static let rounds = 200_000

  func print() throws {
    try error()
    Swift.print("\nLocation confirmations, a second of processor time")
    let centre = try coordinate(37.3230, -122.0322)
    guard let circle = Region.Circle(centre: centre, radius: 100) else {
      throw BenchmarkError("the circle is wrong")
    }
    let corners = try (0..<20).map { corner in
      let angle = Double(corner) * .pi / 10
      return try coordinate(37.3230 + 0.001 * sin(angle), -122.0322 + 0.0012 * cos(angle))
    }
    guard let polygon = Region.Polygon(corners: corners),
      let several = Region([.circle(circle), .polygon(polygon)])
    else { throw BenchmarkError("the polygon is wrong") }
    let regions: [(String, Region)] = [
      ("circle", .circle(circle)), ("polygon of 20 corners", .polygon(polygon)),
      ("both as one place", several),
    ]
    for (name, region) in regions {
      var generator = SystemRandomNumberGenerator()
      let fixes = try (0..<1_000).map { _ in
        LocationFix(
          coordinate: try coordinate(
            37.3230 + .random(in: -0.003...0.003, using: &generator),
            -122.0322 + .random(in: -0.003...0.003, using: &generator)), accuracy: 10)
      }.compactMap { $0 }
      var inside = 0
      let start = clock()
      for round in 0..<Self.rounds
      where LocationConfirmation.confirm(fixes[round % fixes.count], in: region).result == .inside {
        inside += 1
      }
      let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
      guard (1..<Self.rounds).contains(inside) else {
        throw BenchmarkError("every fix had the same answer")
      }
      Swift.print(
        "  " + name.padding(toLength: 24, withPad: " ", startingAt: 0)
          + String(format: "%.0f", Double(Self.rounds) / seconds))
    }
  }

  /// The largest difference from the reference distances of the tests.
  private func error() throws {
    Swift.print("\nGeodesic distances, largest error in metres")
    for name in ["geodesic-published", "geodesic", "geodesic-kinds"] {
      let text = try String(
        contentsOfFile: "Tests/AppClips/InvocationTests/Vectors/\(name).csv", encoding: .utf8)
      var (largest, count) = (0.0, 0)
      for line in text.split(separator: "\n") where !line.hasPrefix("#") {
        let numbers = line.split(separator: ",").prefix(5).compactMap { Double($0) }
        guard numbers.count == 5 else { continue }
        let distance = Geodesic.distance(
          from: try coordinate(numbers[0], numbers[1]), to: try coordinate(numbers[2], numbers[3]))
        largest = max(largest, abs(distance - numbers[4]))
        count += 1
      }
      Swift.print(
        "  " + name.padding(toLength: 24, withPad: " ", startingAt: 0)
          + String(format: "%.1e over %d cases", largest, count))
    }
  }

  private func coordinate(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw BenchmarkError("a position is wrong")
    }
    return coordinate
  }
}
