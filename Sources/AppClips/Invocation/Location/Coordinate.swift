/// A point on the WGS 84 ellipsoid, in degrees.
public struct Coordinate: Hashable, Sendable {
  /// The latitude in degrees north of the equator, -90 to 90.
  public let latitude: Double
  /// The longitude in degrees east of Greenwich, -180 to 180.
  public let longitude: Double

  /// Makes a coordinate, or `nil` if a number is not finite or out of range.
  public init?(latitude: Double, longitude: Double) {
    guard latitude.isFinite, longitude.isFinite, abs(latitude) <= 90, abs(longitude) <= 180 else {
      return nil
    }
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// The position of a reader when a code was read.
public struct LocationFix: Hashable, Sendable {
  /// The measured position.
  public let coordinate: Coordinate
  /// The radius, in metres, of the circle that is taken to contain the true position; 0 for an
  /// exact position.
  public let accuracy: Double
  /// The origin of the position; `nil` if unknown.
  public let origin: PositionOrigin?

  /// Makes a fix, or `nil` if `accuracy` is negative or not finite.
  public init?(coordinate: Coordinate, accuracy: Double = 0, origin: PositionOrigin? = nil) {
    guard accuracy.isFinite, accuracy >= 0 else { return nil }
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.origin = origin
  }
}

import CliptagBasics
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The origin of a position, stored with it as evidence for records.
public struct PositionOrigin: Hashable, Sendable {
  /// The kinds of origin.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A user gave it, a surveyor for example.
    case given
    /// The daemon gpsd.
    case gpsd
    /// A satellite receiver that speaks NMEA 0183.
    case nmea
    /// The EXIF data of a picture.
    case exif
    /// A user selected the place; the position represents it.
    case place
  }

  /// The kind of origin.
  public let kind: Kind
  /// The source: `127.0.0.1:2947`, a device, a picture's name; `nil` if the position was given.
  public let name: String?
  /// The time of measurement; `nil` if unknown.
  public let time: Date?
  /// The number of a receiver's reports that the position is the mean of.
  public let reportCount: Int
  /// Whether the receiver reported that it simulates.
  public let isSimulated: Bool
  /// The reason given for trusting the position.
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

/// Lengths for display.
package enum Metres {
  /// The length in metres below a kilometre, otherwise in kilometres; with one decimal if it is
  /// significant.
  package static func text(_ metres: Double) -> String {
    if metres < 1_000 { return decimal(metres) + " m" }
    let kilometres = metres / 1_000
    return (kilometres < 100 ? decimal(kilometres) : decimal(kilometres.rounded())) + " km"
  }

  /// The length rounded down, for a value that must not be exceeded.
  static func roundedDown(_ metres: Double) -> String {
    decimal((metres * 10).rounded(.down) / 10) + " m"
  }

  private static func decimal(_ value: Double) -> String {
    // Distances on Earth are smaller, but an accuracy may be any number.
    guard abs(value) < 1e15 else { return "\(value)" }
    let tenths = Int(bounded: (value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }
}
