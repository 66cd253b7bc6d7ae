/// Finds the facts of EXIF that change where pixels are shown, and where the picture was taken.
enum EXIF {
  /// What stands before the TIFF structure.
  static let header = Array("Exif\0\0".utf8)

  /// The orientation that a JPEG file declares (tag 0x0112 of the first directory; EXIF 2.32, 4.5);
  /// upright when it declares none, or nonsense.
  static func orientation(ofJPEG bytes: [UInt8]) -> PictureOrientation {
    orientation(ofTIFF: block(ofJPEG: bytes))
  }

  /// The orientation that a PNG file declares; upright when it declares none, or nonsense.
  static func orientation(ofPNG bytes: [UInt8]) -> PictureOrientation {
    orientation(ofTIFF: block(ofPNG: bytes))
  }

  /// Walks the marker segments of a JPEG file (ITU-T T.81, B.1.1) to the first APP1 that begins
  /// with `Exif\0\0`.
  static func block(ofJPEG bytes: [UInt8]) -> [UInt8]? {
    var position = 2
    while position + 4 <= bytes.count, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      if marker == 0xFF {  // A fill byte.
        position += 1
        continue
      }
      // Start of scan or end of image: no more header.
      if marker == 0xDA || marker == 0xD9 { break }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      let end = position + 2 + length
      guard length >= 2, end <= bytes.count else { break }
      let body = bytes[(position + 4)..<end]
      if marker == 0xE1, body.starts(with: header) {
        return Array(body.dropFirst(header.count))
      }
      position = end
    }
    return nil
  }

  /// The `eXIf` chunk of a PNG file before its pixels (PNG, third edition, 11.3.4.5).
  static func block(ofPNG bytes: [UInt8]) -> [UInt8]? {
    var position = 8
    while position <= bytes.count - 12 {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let name = bytes[position + 4..<position + 8]
      let end = position + 12 + length
      guard end <= bytes.count, !name.elementsEqual("IDAT".utf8) else { break }
      if name.elementsEqual("eXIf".utf8) {
        return Array(bytes[position + 8..<end - 4])
      }
      position = end
    }
    return nil
  }

  private static func orientation(ofTIFF bytes: [UInt8]?) -> PictureOrientation {
    let value = bytes.flatMap { TIFFDirectory(ofTIFF: $0) }?.short(0x0112)
    return value.flatMap(PictureOrientation.init) ?? .upright
  }
}
