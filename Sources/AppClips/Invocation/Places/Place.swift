import CliptagBasics

/// A place where codes belong.
public struct Place: Hashable, Sendable, Identifiable {
  /// The short name in payloads, for example `cupertino`.
  public let id: String
  /// The name for display, for example `Fruta Cupertino`.
  public let name: String
  /// The region in which a code of this place may be mounted.
  public let region: Region
  /// The language of the signs there, as a tag of BCP 47, for example `de`; `nil` for any.
  public let language: String?

  /// Makes a place.
  ///
  /// - Parameters:
  ///   - id: The name in the registry.
  ///   - name: The name for display; the id by default.
  ///   - region: The region in which a code of this place may be mounted.
  ///   - language: The language of the signs there, as a tag of BCP 47; `nil` for any.
  public init(id: String, name: String? = nil, region: Region, language: String? = nil) {
    self.id = id
    self.name = name ?? id
    self.region = region
    self.language = language
  }

  /// The one region, or each of several.
  public var regions: [Region] { region.parts }
}

/// The rule by which a payload names its place.
public enum PlaceRule: Hashable, Sendable {
  /// A fixed place.
  case fixed(id: String)
  /// A path template such as `/order/{place}/table/{table}`; a longer path still matches.
  case path(template: PathTemplate)
  /// The query item that holds the place's id.
  case query(item: String)
  /// The query items that hold the position itself, in degrees, and the radius in metres around it,
  /// over 0 and at most ``Region/Circle/maximumRadius``.
  case coordinates(latitudeItem: String, longitudeItem: String, radius: Double)
}

/// An area on the ground.
public enum Region: Hashable, Sendable {
  /// The form that Apple's location confirmation accepts.
  case circle(Circle)
  /// An area for audits; a phone cannot confirm it.
  case polygon(Polygon)
  /// Several areas, for audits; a phone cannot confirm them.
  case several(Several)

  /// A centre and a radius.
  public struct Circle: Hashable, Sendable {
    /// The largest radius that Apple's location confirmation accepts, in metres
    /// (`APActivationPayload.confirmAcquired(in:)`).
    public static let maximumRadius: Double = 500

    /// The centre.
    public let centre: Coordinate
    /// The radius in metres, over 0 and at most ``maximumRadius``.
    public let radius: Double

    /// Makes a circle, or `nil` if `radius` is not over 0 and at most ``maximumRadius``.
    public init?(centre: Coordinate, radius: Double) {
      guard radius > 0, radius <= Self.maximumRadius else { return nil }
      self.centre = centre
      self.radius = radius
    }
  }

  /// A closed line around an area.
  public struct Polygon: Hashable, Sendable {
    /// The corners in order; the last is joined to the first.
    public let corners: [Coordinate]

    /// Makes a polygon, or `nil` with fewer than three corners.
    public init?(corners: [Coordinate]) {
      guard corners.count >= 3 else { return nil }
      self.corners = corners
    }
  }

  /// Areas that form one place, for example two entrances.
  public struct Several: Hashable, Sendable {
    /// The areas, at least two, each a circle or a polygon. They may overlap.
    public let regions: [Region]

    /// Makes an area of several, or `nil` with fewer than two or if one itself consists of several.
    public init?(regions: [Region]) {
      guard regions.count >= 2, regions.allSatisfy({ $0.parts == [$0] }) else { return nil }
      self.regions = regions
    }
  }

  /// The circle around a position.
  ///
  /// - Parameters:
  ///   - latitude: The latitude in degrees north of the equator, -90 to 90.
  ///   - longitude: The longitude in degrees east of Greenwich, -180 to 180.
  ///   - radius: The radius in metres, over 0 and at most ``Circle/maximumRadius``.
  /// - Returns: `nil` if one of them is out of range.
  public init?(latitude: Double, longitude: Double, radius: Double) {
    guard let centre = Coordinate(latitude: latitude, longitude: longitude),
      let circle = Circle(centre: centre, radius: radius)
    else { return nil }
    self = .circle(circle)
  }

  /// Makes the area of one region, or of several; `nil` without any.
  public init?(_ regions: [Region]) {
    if regions.count == 1, let only = regions.first {
      self = only
    } else if let several = Several(regions: regions) {
      self = .several(several)
    } else {
      return nil
    }
  }

  /// The circles and polygons of the region: itself, or each of several.
  public var parts: [Region] {
    if case .several(let several) = self { several.regions } else { [self] }
  }

  /// Whether a phone's location confirmation accepts the region: exactly one circle.
  public var isConfirmableByPhone: Bool {
    if case .circle = self { true } else { false }
  }

  /// A circle around a circle or polygon, with any radius in metres.
  package struct Bounds: Hashable, Sendable {
    package let centre: Coordinate
    package let radius: Double
  }

  /// A circle around each circle and polygon of the region.
  package var bounds: [Bounds] { parts.map(\.boundsOfPart) }

  private var boundsOfPart: Bounds {
    switch self {
    case .circle(let circle): Bounds(centre: circle.centre, radius: circle.radius)
    case .polygon(let polygon): polygon.bounds
    case .several(let several): several.regions[0].boundsOfPart
    }
  }

  /// Whether two regions have an area in common.
  package func overlaps(_ other: Region) -> Bool {
    switch (self, other) {
    case (.several(let several), _): several.regions.contains { $0.overlaps(other) }
    case (_, .several): other.overlaps(self)
    case (.circle(let one), .circle(let two)):
      Geodesic.distance(from: one.centre, to: two.centre) < one.radius + two.radius
    case (.circle(let circle), .polygon(let polygon)),
      (.polygon(let polygon), .circle(let circle)):
      polygon.signedDistance(from: circle.centre) < circle.radius
    case (.polygon(let one), .polygon(let two)): one.overlaps(two)
    }
  }
}

extension Region.Polygon {
  fileprivate var bounds: Region.Bounds {
    let first = corners[0]
    var (east, north) = (0.0, 0.0)
    for corner in corners {
      east += (corner.longitude - first.longitude).remainder(dividingBy: 360)
      north += corner.latitude
    }
    let count = Double(corners.count)
    let longitude = (first.longitude + east / count).remainder(dividingBy: 360)
    let centre = Coordinate(latitude: north / count, longitude: longitude) ?? first
    var radius = 0.0
    for point in edgePoints {
      radius = max(radius, Geodesic.distance(from: centre, to: point))
    }
    // Between two points an edge bends outwards by far less than a hundredth of its length.
    return Region.Bounds(centre: centre, radius: radius * 1.01)
  }

  /// Points of the edges, at most one degree apart.
  private var edgePoints: [Coordinate] {
    edges.flatMap { start, end -> [Coordinate] in
      let east = (end.longitude - start.longitude).remainder(dividingBy: 360)
      let north = end.latitude - start.latitude
      let pieces = max(1, Int(bounded: max(abs(east), abs(north)).rounded(.up)))
      return (0..<pieces).compactMap { piece in
        let share = Double(piece) / Double(pieces)
        return Coordinate(
          latitude: start.latitude + share * north,
          longitude: (start.longitude + share * east).remainder(dividingBy: 360))
      }
    }
  }

  private var edges: [(start: Coordinate, end: Coordinate)] {
    corners.indices.map { (corners[$0 == 0 ? corners.count - 1 : $0 - 1], corners[$0]) }
  }

  fileprivate func overlaps(_ other: Self) -> Bool {
    self == other || corners.contains { other.signedDistance(from: $0) < 0 }
      || other.corners.contains { signedDistance(from: $0) < 0 } || crosses(other)
  }

  private func crosses(_ other: Self) -> Bool {
    let others = other.edges
    return edges.contains { edge in
      others.contains { Self.cross(edge.start, edge.end, $0.start, $0.end) }
    }
  }

  /// Whether two edges, straight in latitude and longitude, cross inside both.
  private static func cross(
    _ a: Coordinate, _ b: Coordinate, _ c: Coordinate, _ d: Coordinate
  ) -> Bool {
    func east(_ point: Coordinate, of origin: Coordinate) -> Double {
      (point.longitude - origin.longitude).remainder(dividingBy: 360)
    }
    func side(_ x: Double, _ y: Double, _ toX: Double, _ toY: Double) -> Double {
      x * toY - y * toX
    }
    let (abX, abY) = (east(b, of: a), b.latitude - a.latitude)
    let (cdX, cdY) = (east(d, of: c), d.latitude - c.latitude)
    let (acX, acY) = (east(c, of: a), c.latitude - a.latitude)
    let cSide = side(abX, abY, acX, acY)
    let dSide = side(abX, abY, acX + cdX, acY + cdY)
    let aSide = side(cdX, cdY, -acX, -acY)
    let bSide = side(cdX, cdY, abX - acX, abY - acY)
    return cSide * dSide < 0 && aSide * bSide < 0
  }
}
