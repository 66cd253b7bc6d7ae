import CJPEG

/// Writes JPEG files (ITU-T T.81) through libjpeg-turbo: baseline, colours at half the resolution.
///
/// Nothing but the pixels goes into the file: no EXIF, no position, no time, no name of software or
/// camera, no small copy. The same input gives the same bytes with the same library.
public enum JPEGWriter {
  /// Encodes a colour picture.
  ///
  /// - Parameters:
  ///   - picture: the picture, 1 … 65,500 pixels across and down.
  ///   - quality: 1 … 100, as libjpeg counts; 80 keeps codes readable at a tenth of PNG's size.
  /// - Returns: the bytes of the file.
  /// - Throws: ``PictureError`` with `cannotEncode` for other sizes and qualities, or without memory.
  public static func colour(
    _ picture: ColourPicture, quality: Int = 80
  ) throws(PictureError) -> [UInt8] {
    guard (1...100).contains(quality) else {
      throw cannotEncode("JPEG has no quality \(quality).", hint: "Give 1 to 100.")
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
