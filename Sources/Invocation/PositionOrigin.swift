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
