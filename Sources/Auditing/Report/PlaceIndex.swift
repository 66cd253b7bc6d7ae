import Foundation
import Invocation

/// Finds the places that a position may be at, among thousands.
struct PlaceIndex {
  /// A circle around a region, or around one of several.
  private struct Entry {
    let place: Int
    let point: SIMD3<Double>
    let radius: Double
  }

  private struct Cell: Hashable {
    let x: Int
    let y: Int
    let z: Int
  }

  private let regions: [Region]
  private let entries: [Entry]
  /// Entries by cubes as wide as the largest circle and accuracy that are looked up by them.
  private var cells: [Cell: [Int]] = [:]
  /// What is too large for a cube.
  private var large: [Int] = []

  private static let width = 4_000.0

  init(_ places: [Place]) {
    regions = places.map(\.region)
    entries = places.enumerated().flatMap { index, place in
      place.region.bounds.map {
        Entry(place: index, point: Self.point(of: $0.centre), radius: $0.radius)
      }
    }
    for (index, entry) in entries.enumerated() {
      if entry.radius > Self.width / 3 {
        large.append(index)
      } else {
        cells[Self.cell(of: entry.point), default: []].append(index)
      }
    }
  }

  /// A place that a position may be at.
  struct Candidate {
    let place: Int
    let isInside: Bool
    /// Metres from the edge, negative inside.
    let distance: Double
  }

  /// The places that a position is in or may be in, by their numbers.
  func candidates(at fix: LocationFix) -> [Candidate] {
    let point = Self.point(of: fix.coordinate)
    var found: Set<Int> = []
    for index in entries(around: point, within: fix.accuracy) {
      let entry = entries[index]
      let difference = entry.point - point
      let chord = (difference * difference).sum().squareRoot()
      // A chord is shorter than the way along the ground, and the sphere differs from the ellipsoid
      // by less than one per cent.
      if chord <= (entry.radius + fix.accuracy) * 1.01 + 1 { found.insert(entry.place) }
    }
    return found.sorted().compactMap { place in
      let outcome = LocationConfirmation.confirm(fix, in: regions[place])
      guard outcome.result != .outside, let distance = outcome.distance else { return nil }
      return Candidate(
        place: place, isInside: outcome.result == .inside,
        distance: distance - (outcome.radius ?? 0))
    }
  }

  private func entries(around point: SIMD3<Double>, within accuracy: Double) -> [Int] {
    guard accuracy <= Self.width / 2 else { return Array(entries.indices) }
    let home = Self.cell(of: point)
    var found = large
    for x in -1...1 {
      for y in -1...1 {
        for z in -1...1 {
          found += cells[Cell(x: home.x + x, y: home.y + y, z: home.z + z)] ?? []
        }
      }
    }
    return found
  }

  /// Metres from the middle of a sphere as large as the Earth.
  private static func point(of coordinate: Coordinate) -> SIMD3<Double> {
    let latitude = coordinate.latitude * .pi / 180
    let longitude = coordinate.longitude * .pi / 180
    return 6_371_000
      * SIMD3(
        cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }

  private static func cell(of point: SIMD3<Double>) -> Cell {
    let scaled = (point / width).rounded(.down)
    return Cell(x: Int(scaled.x), y: Int(scaled.y), z: Int(scaled.z))
  }
}
