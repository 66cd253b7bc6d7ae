import CJPEG

/// Reads JPEG files (ITU-T T.81) through libjpeg-turbo: baseline and progressive, grey directly
/// from the luminance, CMYK by its inks; upright according to the EXIF orientation.
enum JPEGReader {
  struct Header {
    /// The displayed size at full resolution.
    let width: Int
    let height: Int
    let orientation: PictureOrientation
    /// The inks of the file; `nil` for other colours.
    let inks: Inks?
  }

  /// Cyan, magenta, yellow and black in eight bits each.
  enum Inks {
    /// 255 is all of the ink.
    case usual
    /// 255 is no ink.
    case inverted
  }

  static func header(
    of bytes: [UInt8], source: String, limits: PictureLimits
  ) throws(PictureError) -> Header {
    let size = try size(of: bytes, reduction: 1, source: source)
    try limits.check(width: size.width, height: size.height, of: source)
    let orientation = EXIF.orientation(ofJPEG: bytes)
    return orientation.swapsSides
      ? Header(
        width: size.height, height: size.width, orientation: orientation, inks: size.inks)
      : Header(
        width: size.width, height: size.height, orientation: orientation, inks: size.inks)
  }

  /// Returns how far the decoder can shrink a picture while its long side keeps `pixels`: 1, 2, 4
  /// or 8.
  static func reduction(of header: Header, keeping pixels: Int) -> Int {
    let longSide = max(header.width, header.height)
    return [8, 4, 2].first { longSide / $0 >= pixels } ?? 1
  }

  /// Decodes at full size, or shrunk by the decoder's transform, which is faster than decoding in
  /// full. Damaged data give the picture up to the damage; the decoder fills the rest.
  static func read(
    _ bytes: [UInt8], header: Header, reduction: Int, source: String
  ) throws(PictureError) -> (picture: GreyPicture, damage: PictureError?) {
    let (width, height, pixels, damage) = try planes(
      1, of: bytes, reduction: reduction, source: source)
    let picture = GreyPicture(width: width, height: height, pixels: pixels)
    return (picture.upright(from: header.orientation), damage)
  }

  /// Decodes in colour; damaged parts are filled as in grey.
  static func readColour(
    _ bytes: [UInt8], header: Header, reduction: Int, source: String
  ) throws(PictureError) -> ColourPicture {
    let (width, height, pixels, _) = try planes(3, of: bytes, reduction: reduction, source: source)
    return ColourPicture(width: width, height: height, planes: pixels)
      .upright(from: header.orientation)
  }

  private static func planes(
    _ planes: Int, of bytes: [UInt8], reduction: Int, source: String
  ) throws(PictureError) -> (width: Int, height: Int, pixels: [UInt8], damage: PictureError?) {
    let (width, height, _) = try size(of: bytes, reduction: reduction, source: source)
    var message = CMessage(capacity: Int(CJPEG_MESSAGE_SIZE))
    var status = CJPEG_DONE
    let size = width * height
    let pixels = [UInt8](unsafeUninitializedCapacity: size * planes) { pixels, count in
      pixels.initialize(repeating: 255)
      count = pixels.count
      status = message.withPointer {
        cjpeg_read(
          bytes, bytes.count, Int32(reduction), Int32(planes), pixels.baseAddress, size, $0)
      }
    }
    try check(status, message.text, source)
    guard status == CJPEG_PATCHED else { return (width, height, pixels, nil) }
    return (width, height, pixels, .malformed(source, readable(message.text)))
  }

  private static func size(
    of bytes: [UInt8], reduction: Int, source: String
  ) throws(PictureError) -> (width: Int, height: Int, inks: Inks?) {
    var message = CMessage(capacity: Int(CJPEG_MESSAGE_SIZE))
    var size = cjpeg_size()
    let status = message.withPointer {
      cjpeg_read_size(bytes, bytes.count, Int32(reduction), &size, $0)
    }
    try check(status, message.text, source)
    let inks: Inks? =
      switch size.inks {
      case CJPEG_INKS: .usual
      case CJPEG_INVERTED_INKS: .inverted
      default: nil
      }
    return (Int(size.width), Int(size.height), inks)
  }

  private static func check(
    _ status: cjpeg_status, _ message: String, _ source: String
  ) throws(PictureError) {
    if status == CJPEG_UNSUPPORTED {
      throw .unsupported(source, "a JPEG of a rare kind (\(readable(message)))")
    }
    if status == CJPEG_DAMAGED { throw .malformed(source, readable(message)) }
  }

  /// Returns libjpeg's message without its capital letter, for use after a colon; "JPEG" is kept.
  private static func readable(_ message: String) -> String {
    guard message.dropFirst().first?.isLowercase == true else { return message }
    return message.prefix(1).lowercased() + message.dropFirst()
  }
}

/// Writes JPEG files (ITU-T T.81) through libjpeg-turbo: baseline, with colours at half the
/// resolution.
///
/// The file contains only the pixels: no EXIF, position, time, software or camera name, or
/// thumbnail. The same input gives the same bytes with the same library.
public enum JPEGWriter {
  /// Encodes a colour picture.
  ///
  /// - Parameters:
  ///   - picture: the picture, 1 … 65,500 pixels on each side.
  ///   - quality: 1 … 100, on libjpeg's scale; 80 keeps codes readable at a tenth of PNG's size.
  /// - Returns: the bytes of the file.
  /// - Throws: ``PictureError`` with `cannotEncode` for other sizes and qualities, or if memory
  ///   runs out.
  public static func colour(
    _ picture: ColourPicture, quality: Int = 80
  ) throws(PictureError) -> [UInt8] {
    guard (1...100).contains(quality) else {
      throw cannotEncode("A JPEG quality of \(quality) is not valid.", hint: "Give 1 to 100.")
    }
    let (width, height) = (picture.width, picture.height)
    guard (1...65_500).contains(width), (1...65_500).contains(height) else {
      throw cannotEncode(
        "\(width) × \(height) pixels cannot be written as JPEG.",
        hint: "Give 1 to 65500 pixels across and down.")
    }
    var buffer = cjpeg_buffer()
    defer { cjpeg_free(&buffer) }
    var message = CMessage(capacity: Int(CJPEG_MESSAGE_SIZE))
    let status = message.withPointer {
      cjpeg_write(
        UInt32(width), UInt32(height), picture.red.pixels, picture.green.pixels,
        picture.blue.pixels, Int32(quality), &buffer, $0)
    }
    guard status == CJPEG_DONE else {
      throw cannotEncode("libjpeg refused: \(message.text).", hint: "Choose a smaller picture.")
    }
    return [UInt8](UnsafeBufferPointer(start: buffer.bytes, count: buffer.count))
  }

  private static func cannotEncode(_ message: String, hint: String) -> PictureError {
    PictureError(.cannotEncode, source: "JPEG", message: message, hint: hint)
  }
}

extension GreyPicture {
  /// Decodes one frame of Motion JPEG.
  ///
  /// Cameras omit the Huffman tables, which libjpeg-turbo then takes from ITU-T T.81, annex K.3. A
  /// partly damaged frame gives its readable part.
  ///
  /// - Throws: ``PictureError`` if nothing can be decoded or the frame is too large.
  package init(motionJPEGFrame bytes: [UInt8]) throws(PictureError) {
    let source = "a camera's frame"
    let header = try JPEGReader.header(of: bytes, source: source, limits: .standard)
    self = try JPEGReader.read(bytes, header: header, reduction: 1, source: source).picture
  }
}
