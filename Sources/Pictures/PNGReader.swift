import CPNG

/// Reads PNG files (ISO/IEC 15948) through libpng: every colour type and bit depth, palettes,
/// transparency over white, and Adam7 interlace.
enum PNGReader {
  /// The picture, and what was wrong when only a part of it could be decoded. Rows that are
  /// missing are white.
  static func read(
    _ bytes: [UInt8], source: String, limits: PictureLimits
  ) throws(PictureError) -> (picture: GreyPicture, damage: PictureError?) {
    var message = CMessage(capacity: Int(CPNG_MESSAGE_SIZE))
    var header = cpng_header()
    let found = message.withPointer { cpng_read_header(bytes, bytes.count, &header, $0) }
    guard found == CPNG_DONE else { throw .malformed(source, message.text) }
    let width = Int(header.width)
    let height = Int(header.height)
    try limits.check(width: width, height: height, of: source)

    var written = 0
    var status = CPNG_DONE
    let pixels = [UInt8](unsafeUninitializedCapacity: width * height) { pixels, count in
      pixels.initialize(repeating: 255)
      count = pixels.count
      status = message.withPointer {
        cpng_read_grey(bytes, bytes.count, pixels.baseAddress, count, &written, $0)
      }
    }
    let picture = GreyPicture(width: width, height: height, pixels: pixels)
    if status == CPNG_DONE { return (picture, nil) }
    let damage = PictureError.malformed(source, message.text)
    // A code may stand in the part that arrived; the caller decides when it is read.
    guard written > 0 else { throw damage }
    return (picture, damage)
  }
}
