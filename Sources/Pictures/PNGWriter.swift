import CPNG

/// Writes PNG files (ISO/IEC 15948) through libpng.
///
/// The same input gives the same bytes with the same libpng and zlib: no time and no software
/// name is stored.
public enum PNGWriter {
  /// Two colours for a picture of one bit a pixel, each red, green and blue.
  public struct Palette: Hashable, Sendable {
    /// The colours of clear and of set bits, one after the other.
    let bytes: [UInt8]

    /// Takes two colours.
    ///
    /// - Precondition: each has three channels.
    public init(clear: [UInt8], set: [UInt8]) {
      precondition(clear.count == 3 && set.count == 3)
      bytes = clear + set
    }
  }

  /// Encodes black and white, or two colours, at one bit a pixel.
  ///
  /// - Parameters:
  ///   - width: pixels across, 1 … 2³¹ − 1.
  ///   - height: pixels down, 1 … 2³¹ − 1.
  ///   - packedRows: `height` rows from the top, each `(width + 7) / 8` bytes, the leftmost pixel
  ///     in the most significant bit. **A set bit is black**,
  ///     or the palette's second colour. Bits beyond the width are ignored.
  ///   - palette: the colours of clear and of set bits; `nil` for white and black.
  ///   - pixelsPerMetre: the density stored in the pHYs chunk (ISO/IEC 15948, 11.3.5.3), or `nil`
  ///     to store none. 600 dots an inch are 23,622.
  /// - Returns: the bytes of the file.
  /// - Throws: ``PictureError`` with `cannotEncode` when a dimension is out of range, when
  ///   `packedRows` has the wrong length, or without memory.
  public static func oneBit(
    width: Int, height: Int, packedRows: [UInt8], palette: Palette? = nil, pixelsPerMetre: Int?
  ) throws(PictureError) -> [UInt8] {
    try encode(
      width: width, height: height, bitDepth: 1, rows: packedRows, palette: palette,
      pixelsPerMetre: pixelsPerMetre)
  }

  /// Encodes a grey picture at eight bits a pixel.
  ///
  /// - Parameters:
  ///   - picture: the picture; neither side may be 0.
  ///   - pixelsPerMetre: the density stored in the pHYs chunk, or `nil` to store none.
  /// - Returns: the bytes of the file.
  /// - Throws: ``PictureError`` with `cannotEncode`.
  public static func grey(
    _ picture: GreyPicture, pixelsPerMetre: Int? = nil
  ) throws(PictureError) -> [UInt8] {
    try encode(
      width: picture.width, height: picture.height, bitDepth: 8, rows: picture.pixels,
      pixelsPerMetre: pixelsPerMetre)
  }

  /// Encodes a colour picture at eight bits a sample.
  ///
  /// - Parameters:
  ///   - picture: the picture; neither side may be 0.
  ///   - pixelsPerMetre: the density stored in the pHYs chunk, or `nil` to store none.
  /// - Returns: the bytes of the file.
  /// - Throws: ``PictureError`` with `cannotEncode`.
  public static func colour(
    _ picture: ColourPicture, pixelsPerMetre: Int? = nil
  ) throws(PictureError) -> [UInt8] {
    let size = picture.width * picture.height
    let rows = [UInt8](unsafeUninitializedCapacity: size * 3) { rows, count in
      for (channel, plane) in [picture.red, picture.green, picture.blue].enumerated() {
        for index in 0..<size { rows[index * 3 + channel] = plane.pixels[index] }
      }
      count = size * 3
    }
    return try encode(
      width: picture.width, height: picture.height, bitDepth: 8, channels: 3, rows: rows,
      pixelsPerMetre: pixelsPerMetre)
  }

  private static func encode(
    width: Int, height: Int, bitDepth: Int32, channels: Int = 1, rows: [UInt8],
    palette: Palette? = nil, pixelsPerMetre: Int?
  ) throws(PictureError) -> [UInt8] {
    let largest = Int(Int32.max)
    guard (1...largest).contains(width), (1...largest).contains(height) else {
      throw cannotEncode("\(width) × \(height) pixels cannot be written as PNG.")
    }
    let rowBytes = bitDepth == 1 ? (width + 7) / 8 : width * channels
    guard rows.count == rowBytes * height else {
      throw cannotEncode(
        "\(width) × \(height) pixels need \(rowBytes * height) bytes, not \(rows.count).")
    }
    guard let density = UInt32(exactly: pixelsPerMetre ?? 0), density <= UInt32(largest) else {
      throw cannotEncode("A density of \(pixelsPerMetre ?? 0) pixels a metre cannot be stored.")
    }
    var buffer = cpng_buffer()
    defer { cpng_free(&buffer) }
    var message = CMessage(capacity: Int(CPNG_MESSAGE_SIZE))
    let status = message.withPointer { message in
      rows.withUnsafeBufferPointer { rows in
        cpng_write(
          UInt32(width), UInt32(height), bitDepth, Int32(channels), rows.baseAddress, rowBytes,
          density, palette?.bytes, &buffer, message)
      }
    }
    guard status == CPNG_DONE else { throw cannotEncode("libpng refused: \(message.text).") }
    return [UInt8](UnsafeBufferPointer(start: buffer.bytes, count: buffer.count))
  }

  private static func cannotEncode(_ message: String) -> PictureError {
    PictureError(
      .cannotEncode, source: "PNG", message: message, hint: "Choose a smaller size or resolution.")
  }
}
