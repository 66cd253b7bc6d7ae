public import FoundationEssentials

/// Where a picture says it was taken (EXIF 2.32, 4.6.6).
public struct PicturePosition: Hashable, Sendable {
  /// Degrees north, WGS 84, -90 to 90.
  public let latitude: Double
  /// Degrees east, WGS 84, -180 to 180.
  public let longitude: Double
  /// `GPSHPositioningError`: radius in metres, above zero; `nil` when the picture does not say.
  public let horizontalError: Double?
  /// When the position was measured; `nil` when the picture does not say.
  public let time: Date?
}
