import CPNG

/// Reads PNG files (ISO/IEC 15948) through libpng: every colour type and bit depth, palettes,
/// transparency over white, Adam7 interlace, and EXIF orientation.
enum PNGReader {
  /// Reads a picture; `damage` is the error if only a part could be decoded. Missing rows are
  /// white.
  static func read(
    _ bytes: [UInt8], source: String, limits: PictureLimits
  ) throws(PictureError) -> (picture: GreyPicture, damage: PictureError?) {
    let (width, height, pixels, damage) = try planes(1, of: bytes, source: source, limits: limits)
    let picture = GreyPicture(width: width, height: height, pixels: pixels)
    return (picture.upright(from: EXIF.orientation(ofPNG: bytes)), damage)
  }

  /// The most pixels of a picture that ``readNoticingColour(_:source:limits:)`` decodes in colour: all
  /// three channels take thrice the memory.
  private static let mostInColour = 4_000_000

  /// Reads a picture as ``read(_:source:limits:)`` does, and determines whether it is colourful, if
  /// that takes no second decoding.
  static func readNoticingColour(
    _ bytes: [UInt8], source: String, limits: PictureLimits
  ) throws(PictureError) -> (picture: GreyPicture, damage: PictureError?, mayBeColourful: Bool) {
    var header = cpng_header()
    var message = CMessage(capacity: Int(CPNG_MESSAGE_SIZE))
    let found = message.withPointer { cpng_read_header(bytes, bytes.count, &header, $0) }
    // Both ways of making transparent colours grey differ in rounding.
    guard found == CPNG_DONE, hasColours(bytes), !mayBeTranslucent(bytes),
      Int(header.width) * Int(header.height) <= mostInColour
    else {
      let read = try read(bytes, source: source, limits: limits)
      return (read.picture, read.damage, found != CPNG_DONE || hasColours(bytes))
    }
    let (width, height, pixels, damage) = try planes(3, of: bytes, source: source, limits: limits)
    let colour = ColourPicture(width: width, height: height, planes: pixels)
    return (
      colour.grey.upright(from: EXIF.orientation(ofPNG: bytes)), damage, colour.isColourful
    )
  }

  /// Returns whether a picture has more than shades of grey according to its header (ISO/IEC 15948,
  /// 11.2.2).
  private static func hasColours(_ bytes: [UInt8]) -> Bool {
    bytes.count > 25 && ![0, 4].contains(bytes[25])
  }

  /// Reads a picture in colour; missing rows are white, as in grey.
  static func readColour(
    _ bytes: [UInt8], source: String, limits: PictureLimits
  ) throws(PictureError) -> ColourPicture {
    let (width, height, pixels, _) = try planes(3, of: bytes, source: source, limits: limits)
    return ColourPicture(width: width, height: height, planes: pixels)
      .upright(from: EXIF.orientation(ofPNG: bytes))
  }

  /// Reads a picture in colour with its opacity, without a background.
  static func readTranslucent(
    _ bytes: [UInt8], source: String, limits: PictureLimits
  ) throws(PictureError) -> TranslucentPicture {
    let (width, height, pixels, damage) = try planes(
      4, of: bytes, source: source, limits: limits)
    if let damage { throw damage }
    let size = width * height
    let orientation = EXIF.orientation(ofPNG: bytes)
    return TranslucentPicture(
      colour: ColourPicture(width: width, height: height, planes: pixels)
        .upright(from: orientation),
      opacity: GreyPicture(width: width, height: height, pixels: Array(pixels[(3 * size)...]))
        .upright(from: orientation))
  }

  /// Returns whether the picture may be translucent according to its header: it has an alpha
  /// channel (ISO/IEC 15948, 11.2.2), or a transparent colour (11.3.2.1).
  static func mayBeTranslucent(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 33 else { return false }
    return [4, 6].contains(bytes[25])
      || PNGChunks(bytes).prefix { $0.kind != "IDAT" }.contains { $0.kind == "tRNS" }
  }

  /// Reads a picture that must be complete, as from a renderer.
  static func readWhole(
    _ bytes: [UInt8], source: String, limits: PictureLimits
  ) throws(PictureError) -> GreyPicture {
    let (picture, damage) = try read(bytes, source: source, limits: limits)
    if let damage { throw damage }
    return picture
  }

  /// Reads a square picture that must be complete, averaging squares of pixels into one.
  ///
  /// - Parameters:
  ///   - side: The number of pixels on a side of the result, at least 1.
  ///   - factor: The number of pixels on a side of a square, at least 1.
  /// - Throws: ``PictureError``: `malformed` also if the picture has not `side * factor` pixels on
  ///   each side.
  static func read(
    _ bytes: [UInt8], side: Int, reducedBy factor: Int, source: String, limits: PictureLimits
  ) throws(PictureError) -> GreyPicture {
    var message = CMessage(capacity: Int(CPNG_MESSAGE_SIZE))
    var header = cpng_header()
    let found = message.withPointer { cpng_read_header(bytes, bytes.count, &header, $0) }
    guard found == CPNG_DONE else { throw .malformed(source, message.text) }
    try limits.check(width: Int(header.width), height: Int(header.height), of: source)
    guard Int(header.width) == side * factor, Int(header.height) == side * factor else {
      throw .malformed(
        source,
        "it has \(header.width) × \(header.height) pixels instead of \(side * factor) on each side")
    }
    var status = CPNG_OTHER_KIND
    let pixels = [UInt8](unsafeUninitializedCapacity: side * side) { pixels, count in
      status = message.withPointer {
        cpng_read_reduced(
          bytes, bytes.count, UInt32(clamping: factor), pixels.baseAddress, side * side, $0)
      }
      count = status == CPNG_DONE ? side * side : 0
    }
    if status == CPNG_DONE { return GreyPicture(width: side, height: side, pixels: pixels) }
    return try readWhole(bytes, source: source, limits: limits).reduced(by: factor)
  }

  private static func planes(
    _ planes: Int, of bytes: [UInt8], source: String, limits: PictureLimits
  ) throws(PictureError) -> (width: Int, height: Int, pixels: [UInt8], damage: PictureError?) {
    var message = CMessage(capacity: Int(CPNG_MESSAGE_SIZE))
    var header = cpng_header()
    let found = message.withPointer { cpng_read_header(bytes, bytes.count, &header, $0) }
    guard found == CPNG_DONE else { throw .malformed(source, message.text) }
    let width = Int(header.width)
    let height = Int(header.height)
    try limits.check(width: width, height: height, of: source)

    var written = 0
    var status = CPNG_DONE
    let size = width * height
    let pixels = [UInt8](unsafeUninitializedCapacity: size * planes) { pixels, count in
      pixels.initialize(repeating: 255)
      count = pixels.count
      status = message.withPointer {
        cpng_read(bytes, bytes.count, Int32(planes), pixels.baseAddress, size, &written, $0)
      }
    }
    if status == CPNG_DONE { return (width, height, pixels, nil) }
    let damage = PictureError.malformed(source, message.text)
    // A code may be in the part that arrived; the caller decides after the search.
    guard written > 0 else { throw damage }
    return (width, height, pixels, damage)
  }
}
