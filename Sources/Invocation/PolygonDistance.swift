extension Region.Polygon {
  /// The distance from a point to the polygon's edge in metres, negative inside.
  ///
  /// An edge is a straight line in latitude and longitude, as in GeoJSON (RFC 7946, section
  /// 3.1.1), and may cross the antimeridian; it spans less than 180° of longitude. The nearest
  /// point of an edge is found on a plane that touches the ellipsoid at the given point, and the
  /// distance to it is geodesic: near the edge, where it matters, the error is a few millimetres
  /// at one kilometre. A polygon around a pole is not supported; cut it in two.
  public func signedDistance(from point: Coordinate) -> Double {
    let corners = unwrapped(around: point)
    var nearest = Double.infinity
    var isInside = false
    for (index, end) in corners.enumerated() {
      let start = corners[index == 0 ? corners.count - 1 : index - 1]
      nearest = min(nearest, Self.distance(from: point, toEdge: start, end))
      if Self.crossesNorthOf(start, end) { isInside.toggle() }
    }
    return isInside ? -nearest : nearest
  }

  /// A corner as seen from the point: degrees east and north of it.
  private struct Offset {
    var east: Double
    var north: Double
  }

  /// The corners with longitudes that run on from one to the next across the antimeridian.
  private func unwrapped(around point: Coordinate) -> [Offset] {
    var result: [Offset] = []
    for corner in corners {
      let east =
        if let last = result.last {
          last.east
            + (corner.longitude - point.longitude - last.east).remainder(dividingBy: 360)
        } else {
          (corner.longitude - point.longitude).remainder(dividingBy: 360)
        }
      result.append(Offset(east: east, north: corner.latitude - point.latitude))
    }
    return result
  }

  /// Whether a line north from the point crosses the edge; an odd number of crossings is inside.
  private static func crossesNorthOf(_ start: Offset, _ end: Offset) -> Bool {
    guard (start.east > 0) != (end.east > 0) else { return false }
    let share = start.east / (start.east - end.east)
    return start.north + share * (end.north - start.north) > 0
  }

  private static func distance(
    from point: Coordinate, toEdge start: Offset, _ end: Offset
  ) -> Double {
    // Metres for each degree at the point, north (M) and east (N cos φ).
    let latitude = UnitVector(angle: point.latitude * .pi / 180)
    let root = 1 - WGS84.eccentricitySquared * latitude.sine * latitude.sine
    let eastScale = latitude.cosine / root.squareRoot()
    let northScale = (1 - WGS84.eccentricitySquared) / (root * root.squareRoot())
    let (x, y) = (start.east * eastScale, start.north * northScale)
    let (dx, dy) = (end.east * eastScale - x, end.north * northScale - y)
    let length = dx * dx + dy * dy
    let share = length > 0 ? min(1, max(0, -(x * dx + y * dy) / length)) : 0
    let east = point.longitude + start.east + share * (end.east - start.east)
    let north = point.latitude + start.north + share * (end.north - start.north)
    guard
      let nearest = Coordinate(
        latitude: min(90, max(-90, north)), longitude: east.remainder(dividingBy: 360))
    else { return .infinity }
    return Geodesic.distance(from: point, to: nearest)
  }
}
