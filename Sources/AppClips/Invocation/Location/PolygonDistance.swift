import CliptagBasics

extension Region.Polygon {
  /// The distance from a point to the polygon's edge in metres, negative inside.
  ///
  /// An edge is a straight line in latitude and longitude, as in GeoJSON (RFC 7946, section 3.1.1),
  /// and may cross the antimeridian; it spans less than 180° of longitude. A polygon whose edges go
  /// once around the Earth contains the nearer pole: the northern one if the mean latitude of its
  /// corners is north. The edge's nearest point is the end of the shortest chord, and the distance
  /// to it is geodesic; up to ten kilometres this is accurate to a tenth of a millimetre.
  public func signedDistance(from point: Coordinate) -> Double {
    let position = GeocentricPoint(point)
    var isInside = enclosesNorthPole
    var nearest = NearestPoint()
    // Every corner is assigned to one side of the viewer once, so that edges agree on it.
    var start = CornerOffset(corners[corners.count - 1], seenFrom: point)
    for corner in corners {
      let end = CornerOffset(corner, seenFrom: point)
      let edge = PolygonEdge(from: start, to: end, viewer: point)
      start = end
      if edge.crossesNorthOfViewer { isInside.toggle() }
      edge.look(for: position, nearest: &nearest)
    }
    guard
      let foot = Coordinate(
        latitude: min(90, max(-90, nearest.latitude)),
        longitude: nearest.longitude.remainder(dividingBy: 360))
    else { return .infinity }
    let distance = Geodesic.distance(from: point, to: foot)
    return isInside ? -distance : distance
  }

  /// Whether the edges go around the Earth, and the north pole is the nearer one.
  private var enclosesNorthPole: Bool {
    var turned = 0.0
    var latitudes = 0.0
    for (index, end) in corners.enumerated() {
      let start = corners[index == 0 ? corners.count - 1 : index - 1]
      turned += (end.longitude - start.longitude).remainder(dividingBy: 360)
      latitudes += end.latitude
    }
    return abs(turned) > 180 && latitudes > 0
  }
}

/// The nearest point found so far.
private struct NearestPoint {
  /// The square of the chord in metres.
  var square = Double.infinity
  var latitude = 0.0
  var longitude = 0.0
}

/// A corner relative to a viewer.
private struct CornerOffset {
  /// The longitude difference in degrees, -180 to 180.
  let east: Double
  /// The latitude difference in degrees.
  let north: Double

  init(_ corner: Coordinate, seenFrom viewer: Coordinate) {
    east = (corner.longitude - viewer.longitude).remainder(dividingBy: 360)
    north = corner.latitude - viewer.latitude
  }
}

/// A straight line in latitude and longitude.
private struct PolygonEdge {
  private let viewer: Coordinate
  private let start: CornerOffset
  private let end: CornerOffset
  /// The extent of the edge in degrees.
  private let eastward: Double
  private let northward: Double

  init(from start: CornerOffset, to end: CornerOffset, viewer: Coordinate) {
    self.viewer = viewer
    self.start = start
    self.end = end
    eastward = (end.east - start.east).remainder(dividingBy: 360)
    northward = end.north - start.north
  }

  /// Whether a line north from the viewer crosses the edge; the viewer is inside if the number of
  /// crossings is odd.
  var crossesNorthOfViewer: Bool {
    // An edge may also pass the meridian on the other side of the Earth.
    guard (start.east > 0) != (end.east > 0), abs(end.east - start.east) < 180 else {
      return false
    }
    let share = start.east / (start.east - end.east)
    return start.north + share * northward > 0
  }

  /// The largest piece of an edge that is searched at once, in degrees; each piece has one nearest
  /// point.
  private static let pieceSize = 15.0

  func look(for position: GeocentricPoint, nearest: inout NearestPoint) {
    let pieces = max(1, (max(abs(eastward), abs(northward)) / Self.pieceSize).rounded(.up))
    for piece in 0..<Int(bounded: pieces) {
      let (low, high) = (Double(piece) / pieces, Double(piece + 1) / pieces)
      let share = nearestShare(to: position, from: low, to: high)
      for share in [low, share, high] { offer(share, for: position, nearest: &nearest) }
    }
  }

  private func offer(
    _ share: Double, for position: GeocentricPoint, nearest: inout NearestPoint
  ) {
    let (latitude, longitude) = place(at: share)
    let square = GeocentricPoint(latitude: latitude, longitude: longitude).square(to: position)
    guard square < nearest.square else { return }
    nearest = NearestPoint(square: square, latitude: latitude, longitude: longitude)
  }

  private func place(at share: Double) -> (latitude: Double, longitude: Double) {
    (
      viewer.latitude + start.north + share * northward,
      viewer.longitude + start.east + share * eastward
    )
  }

  /// Newton's method on the square of the chord, kept within the piece.
  private func nearestShare(
    to position: GeocentricPoint, from low: Double, to high: Double
  ) -> Double {
    var share = (low + high) / 2
    for _ in 0..<12 {
      let (latitude, longitude) = place(at: share)
      let slope = EdgeSlope(
        latitude: latitude, longitude: longitude, northward: northward, eastward: eastward)
      let chord = slope.point - position
      let speed = slope.first.dot(slope.first)
      let bend = speed + chord.dot(slope.second)
      // Where the square is not convex, only the direction of descent is used.
      let divisor = bend > speed / 4 ? bend : speed
      guard divisor > 0 else { return share }
      let next = min(high, max(low, share - chord.dot(slope.first) / divisor))
      let step = abs(next - share)
      share = next
      // The square of the step's length in metres.
      if step * step * speed < 1e-14 { break }
    }
    return share
  }
}

/// A point of the ellipsoid's surface, or a vector, in metres from the Earth's centre.
private struct GeocentricPoint {
  var x: Double
  var y: Double
  var z: Double
}

extension GeocentricPoint {
  init(latitude: Double, longitude: Double) {
    let point = WGS84.point(latitude: latitude, longitude: longitude)
    self.init(x: point.x, y: point.y, z: point.z)
  }

  init(_ coordinate: Coordinate) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }

  static func - (left: Self, right: Self) -> Self {
    Self(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
  }

  func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }

  func square(to other: Self) -> Double { (self - other).dot(self - other) }
}

/// A point of an edge, with its derivatives by the share of the edge.
private struct EdgeSlope {
  let point: GeocentricPoint
  let first: GeocentricPoint
  /// The second derivative, without the change of the radii of curvature, which only costs steps.
  let second: GeocentricPoint

  init(latitude: Double, longitude: Double, northward: Double, eastward: Double) {
    let north = UnitVector(angle: latitude * .pi / 180)
    let east = UnitVector(angle: longitude * .pi / 180)
    let across = WGS84.primeVerticalRadius(sine: north.sine)
    let along =
      across * (1 - WGS84.eccentricitySquared)
      / (1 - WGS84.eccentricitySquared * north.sine * north.sine)
    let (dNorth, dEast) = (northward * .pi / 180, eastward * .pi / 180)
    point = GeocentricPoint(
      x: across * north.cosine * east.cosine, y: across * north.cosine * east.sine,
      z: across * (1 - WGS84.eccentricitySquared) * north.sine)
    let (up, side) = (along * dNorth, across * north.cosine * dEast)
    first = GeocentricPoint(
      x: -up * north.sine * east.cosine - side * east.sine,
      y: -up * north.sine * east.sine + side * east.cosine, z: up * north.cosine)
    let outward = -(up * north.cosine * dNorth + side * dEast)
    let twist = -2 * up * north.sine * dEast
    second = GeocentricPoint(
      x: outward * east.cosine - twist * east.sine, y: outward * east.sine + twist * east.cosine,
      z: -up * north.sine * dNorth)
  }
}
