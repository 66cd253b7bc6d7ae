/// A point on the WGS 84 ellipsoid, in degrees.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, -90 to 90.
  public let latitude: Double
  /// Degrees east of Greenwich, -180 to 180.
  public let longitude: Double

  /// Makes a coordinate, or `nil` when a number is not finite or out of range.
  public init?(latitude: Double, longitude: Double) {
    guard latitude.isFinite, longitude.isFinite, abs(latitude) <= 90, abs(longitude) <= 180 else {
      return nil
    }
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// Where somebody stood when a code was read.
public struct LocationFix: Hashable, Sendable {
  /// The measured position.
  public let coordinate: Coordinate
  /// Radius, in metres, within which the true position is taken to lie; 0 for an exact position.
  public let accuracy: Double
  /// How the position came to be known; `nil` when that is not said.
  public let origin: PositionOrigin?

  /// Makes a fix, or `nil` when `accuracy` is negative or not finite.
  public init?(coordinate: Coordinate, accuracy: Double = 0, origin: PositionOrigin? = nil) {
    guard accuracy.isFinite, accuracy >= 0 else { return nil }
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.origin = origin
  }
}

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How a position came to be known: kept beside it, so that a record can say why it was believed.
public struct PositionOrigin: Hashable, Sendable {
  /// The ways a position can be had.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Somebody said so, a surveyor for example.
    case given
    /// The daemon gpsd.
    case gpsd
    /// A satellite receiver that speaks NMEA 0183.
    case nmea
    /// The EXIF data of a picture.
    case exif
    /// Somebody said at which place they are; the position only stands for it.
    case place
  }

  /// The way it was had.
  public let kind: Kind
  /// What it was had from: `127.0.0.1:2947`, a device, a picture's name; `nil` when it was given.
  public let name: String?
  /// When the position was measured; `nil` when nobody says.
  public let time: Date?
  /// How many reports of a receiver it is the mean of.
  public let reportCount: Int
  /// Whether a receiver said that it simulates.
  public let isSimulated: Bool
  /// Why it is believed, in the words of whoever gave it.
  public let note: String?

  /// Makes an origin.
  public init(
    kind: Kind, name: String? = nil, time: Date? = nil, reportCount: Int = 1,
    isSimulated: Bool = false, note: String? = nil
  ) {
    self.kind = kind
    self.name = name
    self.time = time
    self.reportCount = reportCount
    self.isSimulated = isSimulated
    self.note = note
  }
}

/// Lengths for people.
package enum Metres {
  /// Metres below a kilometre, else kilometres; one decimal where it tells something.
  package static func text(_ metres: Double) -> String {
    if metres < 1_000 { return decimal(metres) + " m" }
    let kilometres = metres / 1_000
    return (kilometres < 100 ? decimal(kilometres) : decimal(kilometres.rounded())) + " km"
  }

  /// A length that must not be promised larger than it is.
  static func roundedDown(_ metres: Double) -> String {
    decimal((metres * 10).rounded(.down) / 10) + " m"
  }

  private static func decimal(_ value: Double) -> String {
    // No distance on Earth, but an accuracy may be any number.
    guard abs(value) < 1e15 else { return "\(value)" }
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }
}
