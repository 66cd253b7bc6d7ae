/// A place where codes belong.
public struct Place: Hashable, Sendable, Identifiable {
  /// The short name that payloads carry, for example `cupertino`.
  public let id: String
  /// The name people use, for example `Fruta Cupertino`.
  public let name: String
  /// Where a code of this place may hang.
  public let region: Region

  /// Makes a place.
  public init(id: String, name: String, region: Region) {
    self.id = id
    self.name = name
    self.region = region
  }

  /// The one region, or each of several.
  public var regions: [Region] { region.parts }
}

/// An area on the ground.
public enum Region: Hashable, Sendable {
  /// The form that Apple's location confirmation takes.
  case circle(Circle)
  /// An area for our own audits; a phone cannot confirm it.
  case polygon(Polygon)
  /// Several areas, for our own audits; a phone cannot confirm them.
  case several(Several)

  /// A centre and a radius.
  public struct Circle: Hashable, Sendable {
    /// The largest radius Apple's location confirmation takes, in metres
    /// (`APActivationPayload.confirmAcquired(in:)`).
    public static let maximumRadius: Double = 500

    /// The centre.
    public let centre: Coordinate
    /// The radius in metres, over 0 and at most ``maximumRadius``.
    public let radius: Double

    /// Makes a circle, or `nil` when `radius` is not over 0 and at most ``maximumRadius``.
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

  /// Areas that are one place together, for example two entrances.
  public struct Several: Hashable, Sendable {
    /// The areas, at least two, each a circle or a polygon. They may overlap.
    public let regions: [Region]

    /// Makes an area of several, or `nil` with fewer than two and when one is itself of several.
    public init?(regions: [Region]) {
      guard regions.count >= 2, regions.allSatisfy({ $0.parts == [$0] }) else { return nil }
      self.regions = regions
    }
  }

  /// The area of one region, or of several; `nil` without any.
  public init?(_ regions: [Region]) {
    if regions.count == 1, let only = regions.first {
      self = only
    } else if let several = Several(regions: regions) {
      self = .several(several)
    } else {
      return nil
    }
  }

  /// The circles and polygons that the region consists of: itself, or each of several.
  public var parts: [Region] {
    if case .several(let several) = self { several.regions } else { [self] }
  }

  /// Whether a phone's location confirmation can take the region: exactly one circle.
  public var isConfirmableByPhone: Bool {
    if case .circle = self { true } else { false }
  }
}
