import CliptagBasics
import CodeDrawing
import Foundation
import Invocation

/// The contents of a map, in metres on its plane.
struct MapGround {
  typealias Point = (x: Double, y: Double)

  /// A figure of a place.
  enum Outline {
    case circle(centre: Point, radius: Double)
    case polygon([Point])
  }

  struct Area {
    let name: String
    let outlines: [Outline]
  }

  let points: [Point]
  let areas: [Area]
  private let low: Point
  private let high: Point

  init(_ group: WalkMap.Group) {
    let ground = group.points.map { GroundPoint($0.fix.coordinate) }
    // There is no group without points.
    let middle = GroundPoint(middleOf: ground) ?? GroundPoint(x: WGS84.equatorialRadius, y: 0, z: 0)
    let plane = LocalPlane(around: middle)
    points = group.points.map { plane.place($0.fix.coordinate) }
    areas = group.places.map { place in
      Area(
        name: place.name.nameForPeople,
        outlines: place.regions.flatMap(\.parts).compactMap { region in
          switch region {
          case .circle(let circle):
            .circle(centre: plane.place(circle.centre), radius: circle.radius)
          case .polygon(let polygon): .polygon(polygon.corners.map(plane.place))
          case .several: nil
          }
        })
    }
    var all = points
    for case let outline in areas.flatMap(\.outlines) { all += outline.extremes }
    low = (all.map(\.x).min() ?? 0, all.map(\.y).min() ?? 0)
    high = (all.map(\.x).max() ?? 0, all.map(\.y).max() ?? 0)
  }

  var middle: Point { ((low.x + high.x) / 2, (low.y + high.y) / 2) }

  func size(atLeast least: Double) -> (width: Double, height: Double) {
    let (width, height) = (high.x - low.x, high.y - low.y)
    return (max(width, least), max(height, least * 0.5))
  }
}

extension MapGround.Outline {
  fileprivate var extremes: [MapGround.Point] {
    switch self {
    case .circle(let centre, let radius):
      [(centre.x - radius, centre.y - radius), (centre.x + radius, centre.y + radius)]
    case .polygon(let corners): corners
    }
  }
}

/// The relative positions of groups of stops and places, at any distance.
struct MapOverview {
  /// The middle of each group on the plane, in metres.
  let points: [MapGround.Point]
  /// Whether lengths are true to scale; otherwise the curvature of the Earth rules out a scale.
  let isTrue: Bool
  private let low: MapGround.Point
  private let high: MapGround.Point

  /// Points farther from the middle than this, in metres, are beyond its horizon.
  private static let flat = 1_500_000.0

  /// Takes the coordinates of each group, at least one in all.
  init(_ groups: [[Coordinate]]) {
    let ground = groups.compactMap { GroundPoint(middleOf: $0.map { GroundPoint($0) }) }
    let middle = GroundPoint(middleOf: ground) ?? GroundPoint(x: WGS84.equatorialRadius, y: 0, z: 0)
    let firsts = groups.map { $0.first }
    let isNear = ground.allSatisfy {
      $0.squaredDistance(to: middle) < Self.flat * Self.flat
    }
    isTrue = isNear
    if isNear {
      let plane = LocalPlane(around: middle)
      points = firsts.compactMap { $0.map(plane.place) }
    } else {
      // Degrees of latitude and longitude, with longitude relative to the first point.
      let start = firsts.lazy.compactMap(\.self).first?.longitude ?? 0
      let degree = 111_000.0
      points = firsts.compactMap(\.self).map { coordinate in
        let east = (coordinate.longitude - start).remainder(dividingBy: 360)
        return (x: east * degree, y: -coordinate.latitude * degree)
      }
    }
    low = (points.map(\.x).min() ?? 0, points.map(\.y).min() ?? 0)
    high = (points.map(\.x).max() ?? 0, points.map(\.y).max() ?? 0)
  }

  var middle: MapGround.Point { ((low.x + high.x) / 2, (low.y + high.y) / 2) }

  func size(atLeast least: Double) -> (width: Double, height: Double) {
    (max(high.x - low.x, least), max(high.y - low.y, least * 0.5))
  }
}

/// The frame of a map, which converts positions on the ground to the drawing.
struct MapSheet {
  let frame: DrawingBox
  /// Millimetres on the map for a metre.
  let scale: Double
  /// The point in the middle of the frame.
  let middle: MapGround.Point

  func place(_ point: MapGround.Point) -> DrawingPoint {
    DrawingPoint(
      x: frame.centre.x + (point.x - middle.x) * scale,
      y: frame.centre.y + (point.y - middle.y) * scale)
  }

  /// The bounding box of a figure, limited to the frame.
  func bounds(of outline: MapGround.Outline) -> DrawingBox {
    let ends = outline.extremes.map(place)
    func held(_ value: Double, _ low: Double, _ high: Double) -> Double {
      min(high, max(low, value))
    }
    let left = held(ends.map(\.x).min() ?? 0, frame.x, frame.right)
    let right = held(ends.map(\.x).max() ?? 0, frame.x, frame.right)
    let top = held(ends.map(\.y).min() ?? 0, frame.y, frame.bottom)
    let bottom = held(ends.map(\.y).max() ?? 0, frame.y, frame.bottom)
    return DrawingBox(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The part of a place inside the frame.
  func area(_ outline: MapGround.Outline, _ ink: MapInk) -> MapMark? {
    switch outline {
    case .circle(let centre, let radius):
      area(.circle(centre: place(centre), radius: radius * scale), ink)
    case .polygon(let corners): area(.polygon(corners.map(place)), ink)
    }
  }

  /// A figure on the map.
  enum Figure {
    case circle(centre: DrawingPoint, radius: Double)
    case polygon([DrawingPoint])
  }

  /// The part of a figure inside the frame; `nil` if there is none.
  func area(_ figure: Figure, _ ink: MapInk) -> MapMark? {
    let corners: [DrawingPoint]
    switch figure {
    case .circle(let centre, let radius):
      let box = DrawingBox(x: centre.x, y: centre.y, width: 0, height: 0).grown(by: radius)
      if box.x >= frame.x, box.right <= frame.right, box.y >= frame.y, box.bottom <= frame.bottom {
        return .area(.circle(centre: centre, radius: radius), ink)
      }
      // A circle larger than the frame is drawn as the part that it covers.
      let ring = DrawingPath.ring(centre: centre, radius: min(radius, 1e7))
      corners = ring
    case .polygon(let given): corners = given
    }
    let clipped = frame.clipping(corners)
    guard clipped.count >= 3 else { return nil }
    return .area(
      DrawingPath([.move(clipped[0])] + clipped.dropFirst().map { .line($0) } + [.close]), ink)
  }
}

/// Clusters of nearby points: each point is within a distance of another one of its cluster (single
/// linkage).
///
/// Points are first put into cells of a tenth of the distance, and each cell is represented by one
/// point; so the distance is exact to a fifth, and a hundred thousand stops in a town are reduced
/// to some hundred.
struct GroundClusters {
  /// The indices of the points, by cluster; clusters in the order of their first points.
  let clusters: [[Int]]

  init(_ points: [GroundPoint], within distance: Double) {
    let grain = distance / 10
    var cells: [Cell: Int] = [:]
    var members: [[Int]] = []
    for (index, point) in points.enumerated() {
      let cell = Cell(point, size: grain)
      if let known = cells[cell] {
        members[known].append(index)
      } else {
        cells[cell] = members.count
        members.append([index])
      }
    }
    let heads = members.map { points[$0[0]] }
    var forest = Array(heads.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while forest[index] != index {
        forest[index] = forest[forest[index]]
        index = forest[index]
      }
      return index
    }
    // Cells as large as the distance: nearby points are in the same or a neighbouring cell.
    let wide = Dictionary(grouping: heads.indices) { Cell(heads[$0], size: distance) }
    for (cell, inside) in wide {
      for other in cell.neighbours {
        for second in wide[other] ?? [] {
          for first in inside
          where heads[first].squaredDistance(to: heads[second]) <= distance * distance {
            let (one, two) = (root(first), root(second))
            forest[max(one, two)] = min(one, two)
          }
        }
      }
    }
    var clusters: [Int: [Int]] = [:]
    for index in heads.indices { clusters[root(index), default: []] += members[index] }
    self.clusters = clusters.values.map { $0.sorted() }.sorted { $0[0] < $1[0] }
  }

  /// A cube of space.
  private struct Cell: Hashable {
    let x, y, z: Int

    init(_ point: GroundPoint, size: Double) {
      x = Int(bounded: (point.x / size).rounded(.down))
      y = Int(bounded: (point.y / size).rounded(.down))
      z = Int(bounded: (point.z / size).rounded(.down))
    }

    private init(x: Int, y: Int, z: Int) {
      self.x = x
      self.y = y
      self.z = z
    }

    /// The cube itself and all adjacent cubes.
    var neighbours: [Cell] {
      (-1...1).flatMap { x in
        (-1...1).flatMap { y in
          (-1...1).map { z in Cell(x: self.x + x, y: self.y + y, z: self.z + z) }
        }
      }
    }
  }
}

/// A local plane around a point on the ground: metres to the east and to the south of it.
///
/// The points of the ellipsoid are projected from straight above the middle (an orthographic
/// projection), so that lengths and angles are true around it at every latitude. Within 50 km they
/// are accurate to some hundred-thousandths, and the poles and the antimeridian need no special
/// treatment.
struct LocalPlane {
  private let origin: GroundPoint
  private let east: (x: Double, y: Double)
  private let north: (x: Double, y: Double, z: Double)

  /// Places the plane on a point of the ground.
  init(around point: GroundPoint) {
    origin = point
    let across = (point.x * point.x + point.y * point.y).squareRoot()
    // At a pole every direction is valid; that of Greenwich is used.
    let (cosine, sine) = across > 1 ? (point.x / across, point.y / across) : (1, 0)
    east = (-sine, cosine)
    let length = (across * across + point.z * point.z).squareRoot()
    // The direction from the Earth's centre; it deviates from the vertical by a fifth of a degree
    // at most.
    let (up, out) = length > 0 ? (point.z / length, across / length) : (0, 1)
    north = (-up * cosine, -up * sine, out)
  }

  /// The position of a coordinate, in metres to the right and down, with north up.
  func place(_ coordinate: Coordinate) -> (x: Double, y: Double) {
    let point = GroundPoint(coordinate)
    let (x, y, z) = (point.x - origin.x, point.y - origin.y, point.z - origin.z)
    return (x * east.x + y * east.y, -(x * north.x + y * north.y + z * north.z))
  }
}

/// A point in metres from the Earth's centre: distances need no angles, and the mean of several
/// points is their middle.
struct GroundPoint: Hashable {
  var x: Double
  var y: Double
  var z: Double
}

extension GroundPoint {
  /// The point of the ellipsoid WGS 84 with a coordinate.
  init(_ coordinate: Coordinate) {
    let point = WGS84.point(at: coordinate)
    self.init(x: point.x, y: point.y, z: point.z)
  }

  /// The middle of points; `nil` if there are none.
  init?(middleOf points: some Collection<GroundPoint>) {
    guard !points.isEmpty else { return nil }
    let count = Double(points.count)
    self.init(
      x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count,
      z: points.reduce(0) { $0 + $1.z } / count)
  }

  func squaredDistance(to other: GroundPoint) -> Double {
    let (x, y, z) = (x - other.x, y - other.y, z - other.z)
    return x * x + y * y + z * z
  }
}

extension DrawingBox {
  /// The part of a polygon inside the box (Sutherland and Hodgman, 1974); pages have no other means
  /// of clipping.
  func clipping(_ corners: [DrawingPoint]) -> [DrawingPoint] {
    var corners = corners
    corners = Self.clipped(corners) { $0.x - x }
    corners = Self.clipped(corners) { right - $0.x }
    corners = Self.clipped(corners) { $0.y - y }
    return Self.clipped(corners) { bottom - $0.y }
  }

  /// - Parameter depth: The distance of a point inside an edge, negative outside.
  private static func clipped(
    _ corners: [DrawingPoint], by depth: (DrawingPoint) -> Double
  ) -> [DrawingPoint] {
    var kept: [DrawingPoint] = []
    for (index, corner) in corners.enumerated() {
      let before = corners[index == 0 ? corners.count - 1 : index - 1]
      let (from, to) = (depth(before), depth(corner))
      if (from < 0) != (to < 0) {
        let share = from / (from - to)
        kept.append(
          DrawingPoint(
            x: before.x + share * (corner.x - before.x), y: before.y + share * (corner.y - before.y)
          ))
      }
      if to >= 0 { kept.append(corner) }
    }
    return kept
  }
}

extension DrawingPath {
  /// The corners of a circle, with enough sides to look round.
  static func ring(centre: DrawingPoint, radius: Double) -> [DrawingPoint] {
    (0..<360).map { step in
      let angle = Double(step) * .pi / 180
      return DrawingPoint(x: centre.x + radius * cos(angle), y: centre.y + radius * sin(angle))
    }
  }
}
