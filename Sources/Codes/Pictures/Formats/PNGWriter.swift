import CPNG

/// Writes PNG files (ISO/IEC 15948) through libpng, those with one bit per pixel with libdeflate.
///
/// The same input gives the same bytes with the same libraries: no time and no software name are
/// stored.
public enum PNGWriter {
  /// Two colours for a picture of one bit per pixel, each red, green and blue.
  package struct Palette: Hashable, Sendable {
    /// The colours of clear and of set bits, in this order.
    let bytes: [UInt8]
    /// Whether clear bits are transparent.
    let isClearTransparent: Bool

    /// Creates a palette of two colours.
    ///
    /// - Parameters:
    ///   - clear: the colour of clear bits, also for programs that ignore transparency.
    ///   - set: the colour of set bits.
    ///   - isClearTransparent: whether clear bits are transparent.
    /// - Precondition: each has three channels.
    package init(clear: [UInt8], set: [UInt8], isClearTransparent: Bool = false) {
      precondition(clear.count == 3 && set.count == 3)
      bytes = clear + set
      self.isClearTransparent = isClearTransparent
    }
  }

  /// Encodes black and white, or two colours, with one bit per pixel.
  ///
  /// - Parameters:
  ///   - width: the width in pixels, 1 … 2³¹ − 1.
  ///   - height: the height in pixels, 1 … 2³¹ − 1.
  ///   - packedRows: `height` rows from the top, each `(width + 7) / 8` bytes, the leftmost pixel
  ///     in the most significant bit. **A set bit is black**,
  ///     or the palette's second colour. Bits beyond the width are ignored.
  ///   - palette: the colours of clear and of set bits; `nil` for white and black.
  ///   - pixelsPerMetre: the density stored in the pHYs chunk (ISO/IEC 15948, 11.3.5.3), or `nil`
  ///     to store none. 600 dots per inch are 23,622.
  /// - Returns: the bytes of the file.
  /// - Throws: ``PictureError`` with `cannotEncode` if a dimension is out of range, `packedRows`
  ///   has the wrong length, or memory runs out.
  package static func oneBit(
    width: Int, height: Int, packedRows: [UInt8], palette: Palette? = nil, pixelsPerMetre: Int?
  ) throws(PictureError) -> [UInt8] {
    let density = try checkedDensity(
      width: width, height: height, rowBytes: (width + 7) / 8, byteCount: packedRows.count,
      pixelsPerMetre: pixelsPerMetre)
    // For a code at 8 pixels per module, zlib as called by libpng produces 424 bytes in 240 µs;
    // this level produces 370 bytes in 70 µs, higher ones slightly less in more time.
    let compressor = try Compressor(level: 3)
    let data = compressor.compressed(
      unfiltered(packedRows, height: height, inverting: palette == nil))
    return try file { buffer, message in
      cpng_write_compressed(
        UInt32(width), UInt32(height), data, data.count, density, palette?.bytes,
        palette?.isClearTransparent ?? false, &buffer, message)
    }
  }

  /// Returns the rows, each after its filter type, which is none: filters mix bits of neighbouring
  /// pixels at one bit per pixel and only increase the size. Set bits are white in a grey PNG.
  private static func unfiltered(_ rows: [UInt8], height: Int, inverting: Bool) -> [UInt8] {
    let rowBytes = rows.count / height
    let flipped: UInt8 = inverting ? 0xFF : 0
    return [UInt8](unsafeUninitializedCapacity: rows.count + height) { filtered, count in
      rows.withUnsafeBufferPointer { rows in
        guard var source = rows.baseAddress, var target = filtered.baseAddress else { return }
        for _ in 0..<height {
          target[0] = 0
          target += 1
          for index in 0..<rowBytes { target[index] = source[index] ^ flipped }
          source += rowBytes
          target += rowBytes
        }
      }
      count = rows.count + height
    }
  }

  /// Encodes a grey picture with eight bits per pixel.
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
      width: picture.width, height: picture.height, channels: 1, rows: picture.pixels,
      pixelsPerMetre: pixelsPerMetre)
  }

  /// Encodes a colour picture with eight bits per sample.
  ///
  /// - Parameters:
  ///   - picture: the picture; neither side may be 0.
  ///   - pixelsPerMetre: the density stored in the pHYs chunk, or `nil` to store none.
  /// - Returns: the bytes of the file.
  /// - Throws: ``PictureError`` with `cannotEncode`.
  public static func colour(
    _ picture: ColourPicture, pixelsPerMetre: Int? = nil
  ) throws(PictureError) -> [UInt8] {
    try interleaved([picture.red, picture.green, picture.blue], pixelsPerMetre: pixelsPerMetre)
  }

  /// Encodes a translucent colour picture with eight bits per sample.
  ///
  /// - Parameters:
  ///   - picture: the picture; neither side may be 0.
  ///   - pixelsPerMetre: the density stored in the pHYs chunk, or `nil` to store none.
  /// - Returns: the bytes of the file.
  /// - Throws: ``PictureError`` with `cannotEncode`.
  package static func translucent(
    _ picture: TranslucentPicture, pixelsPerMetre: Int? = nil
  ) throws(PictureError) -> [UInt8] {
    let colour = picture.colour
    return try interleaved(
      [colour.red, colour.green, colour.blue, picture.opacity],
      pixelsPerMetre: pixelsPerMetre)
  }

  private static func interleaved(
    _ planes: [GreyPicture], pixelsPerMetre: Int?
  ) throws(PictureError) -> [UInt8] {
    let (width, height) = (planes[0].width, planes[0].height)
    let size = width * height
    let rows = [UInt8](unsafeUninitializedCapacity: size * planes.count) { rows, count in
      for (channel, plane) in planes.enumerated() {
        for index in 0..<size { rows[index * planes.count + channel] = plane.pixels[index] }
      }
      count = size * planes.count
    }
    return try encode(
      width: width, height: height, channels: planes.count, rows: rows,
      pixelsPerMetre: pixelsPerMetre)
  }

  private static func encode(
    width: Int, height: Int, channels: Int, rows: [UInt8], pixelsPerMetre: Int?
  ) throws(PictureError) -> [UInt8] {
    let density = try checkedDensity(
      width: width, height: height, rowBytes: width * channels, byteCount: rows.count,
      pixelsPerMetre: pixelsPerMetre)
    return try file { buffer, message in
      cpng_write(UInt32(width), UInt32(height), Int32(channels), rows, density, &buffer, message)
    }
  }

  /// Returns the density to store, 0 for none; throws if a value exceeds the range of PNG.
  private static func checkedDensity(
    width: Int, height: Int, rowBytes: Int, byteCount: Int, pixelsPerMetre: Int?
  ) throws(PictureError) -> UInt32 {
    let largest = Int(Int32.max)
    guard (1...largest).contains(width), (1...largest).contains(height) else {
      throw cannotEncode("\(width) × \(height) pixels cannot be written as PNG.")
    }
    guard byteCount == rowBytes * height else {
      throw cannotEncode(
        "\(width) × \(height) pixels need \(rowBytes * height) bytes, not \(byteCount).")
    }
    guard let density = UInt32(exactly: pixelsPerMetre ?? 0), density <= UInt32(largest) else {
      throw cannotEncode("A density of \(pixelsPerMetre ?? 0) pixels a metre cannot be stored.")
    }
    return density
  }

  /// Returns the bytes that a function of the shim writes.
  private static func file(
    _ write: (inout cpng_buffer, UnsafeMutablePointer<CChar>?) -> cpng_status
  ) throws(PictureError) -> [UInt8] {
    var buffer = cpng_buffer()
    defer { cpng_free(&buffer) }
    var message = CMessage(capacity: Int(CPNG_MESSAGE_SIZE))
    let status = message.withPointer { write(&buffer, $0) }
    guard status == CPNG_DONE else { throw cannotEncode("libpng refused: \(message.text).") }
    return [UInt8](UnsafeBufferPointer(start: buffer.bytes, count: buffer.count))
  }

  private static func cannotEncode(_ message: String) -> PictureError {
    PictureError(
      .cannotEncode, source: "PNG", message: message, hint: "Choose a smaller size or resolution."
    )
  }
}
