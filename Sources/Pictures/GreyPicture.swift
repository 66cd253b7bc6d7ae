/// A picture in memory: one byte a pixel, 0 black to 255 white, rows from the top, no padding.
public struct GreyPicture: Hashable, Sendable {
  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int
  /// `width * height` bytes, row by row.
  public let pixels: [UInt8]

  /// Makes a picture.
  ///
  /// - Precondition: `pixels.count == width * height`.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(width >= 0 && height >= 0 && pixels.count == width * height)
    self.width = width
    self.height = height
    self.pixels = pixels
  }
}
