/// Finds the one fact of EXIF that changes where pixels are shown, in JPEG and PNG files.
enum EXIF {
  /// The orientation that a JPEG file declares; upright when it declares none, or nonsense.
  ///
  /// Walks the marker segments (ITU-T T.81, B.1.1) to the first APP1 that begins with
  /// `Exif\0\0`, and reads tag 0x0112 of its first directory (EXIF 2.32, 4.5; TIFF 6.0,
  /// section 2).
  static func orientation(ofJPEG bytes: [UInt8]) -> PictureOrientation {
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
      if marker == 0xE1, body.starts(with: Array("Exif\0\0".utf8)) {
        return orientation(ofTIFF: Array(body.dropFirst(6)))
      }
      position = end
    }
    return .upright
  }

  /// The orientation that a PNG file declares in an `eXIf` chunk before its pixels (PNG, third
  /// edition, 11.3.4.5); upright when it declares none, or nonsense.
  static func orientation(ofPNG bytes: [UInt8]) -> PictureOrientation {
    var position = 8
    while position <= bytes.count - 12 {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let name = bytes[position + 4..<position + 8]
      let end = position + 12 + length
      guard end <= bytes.count, !name.elementsEqual("IDAT".utf8) else { break }
      if name.elementsEqual("eXIf".utf8) {
        return orientation(ofTIFF: Array(bytes[position + 8..<end - 4]))
      }
      position = end
    }
    return .upright
  }

  private static func orientation(ofTIFF bytes: [UInt8]) -> PictureOrientation {
    let bigEndian: Bool
    switch bytes.prefix(4) {
    case [0x4D, 0x4D, 0, 0x2A]: bigEndian = true
    case [0x49, 0x49, 0x2A, 0]: bigEndian = false
    default: return .upright
    }
    func number(at offset: Int, bytes count: Int) -> Int? {
      guard offset >= 0, offset <= bytes.count - count else { return nil }
      let field = bytes[offset..<offset + count]
      return (bigEndian ? Array(field) : field.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
    guard let directory = number(at: 4, bytes: 4),
      let entries = number(at: directory, bytes: 2)
    else { return .upright }
    for index in 0..<entries {
      let entry = directory + 2 + index * 12
      guard let tag = number(at: entry, bytes: 2) else { break }
      // Type 3 is SHORT; one value stands in the first two bytes of the value field.
      guard tag == 0x0112, number(at: entry + 2, bytes: 2) == 3,
        let value = number(at: entry + 8, bytes: 2)
      else { continue }
      return PictureOrientation(rawValue: value) ?? .upright
    }
    return .upright
  }
}
