internal import FoundationEssentials

/// The tags of the directory about the position (EXIF 2.32, table 15).
private enum PositionTag {
  static let (latitudeReference, latitude, longitudeReference, longitude) = (1, 2, 3, 4)
  static let (timeOfDay, status, datum, day, horizontalError) = (0x07, 0x09, 0x12, 0x1D, 0x1F)
}

extension EXIF {
  /// Where a picture says it was taken; `nil` when it does not, or says nonsense.
  static func position(of bytes: [UInt8], format: PictureFormat) -> PicturePosition? {
    block(of: bytes, format: format).flatMap(position(ofTIFF:))
  }

  private static func block(of bytes: [UInt8], format: PictureFormat) -> [UInt8]? {
    switch format {
    case .jpeg: block(ofJPEG: bytes)
    case .png: block(ofPNG: bytes)
    case .tiff: bytes
    case .webp: block(ofWebP: bytes)
    case .heic, .avif: block(ofHEIF: bytes)
    default: nil
    }
  }

  /// The chunk `EXIF` of a WebP file (RFC 9649, 2.7.1.5).
  private static func block(ofWebP bytes: [UInt8]) -> [UInt8]? {
    var position = 12
    while position <= bytes.count - 8 {
      let length = bytes[position + 4..<position + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      let start = position + 8
      guard length <= bytes.count - start else { return nil }
      if bytes[position..<position + 4].elementsEqual("EXIF".utf8) {
        let block = Array(bytes[start..<start + length])
        return block.starts(with: header) ? Array(block.dropFirst(header.count)) : block
      }
      position = start + length + length % 2
    }
    return nil
  }

  /// The block of a HEIC or AVIF file. It lies anywhere in the file, as an item's data behind
  /// `Exif\0\0` (ISO/IEC 23008-12, A.2.1); the first one is the primary picture's in what cameras
  /// write.
  private static func block(ofHEIF bytes: [UInt8]) -> [UInt8]? {
    var start = bytes.startIndex
    while let found = bytes[start...].firstIndex(of: header[0]) {
      if bytes[found...].starts(with: header) {
        let block = bytes[(found + header.count)...]
        if [[0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2A, 0]].contains(Array(block.prefix(4))) {
          // No APP1 segment is longer, which is what cameras copy.
          return Array(block.prefix(1 << 16))
        }
      }
      start = found + 1
    }
    return nil
  }

  private static func position(ofTIFF bytes: [UInt8]) -> PicturePosition? {
    guard
      let directory = TIFFDirectory(ofTIFF: bytes)?.directory(TIFFDirectory.positionDirectory),
      // V: the receiver had no fix, and what stands here is old.
      directory.text(PositionTag.status) != "V",
      directory.text(PositionTag.datum)?.isWGS84 ?? true,
      let latitude = angle(
        directory, PositionTag.latitude, PositionTag.latitudeReference, ["N": 1, "S": -1], 90),
      let longitude = angle(
        directory, PositionTag.longitude, PositionTag.longitudeReference, ["E": 1, "W": -1], 180),
      // Cameras without a fix write zeros.
      latitude != 0 || longitude != 0
    else { return nil }
    let error = directory.rationals(PositionTag.horizontalError, count: 1)?[0]
    return PicturePosition(
      latitude: latitude, longitude: longitude,
      horizontalError: error.flatMap { $0 > 0 ? $0 : nil },
      time: time(directory))
  }

  private static func angle(
    _ directory: TIFFDirectory, _ tag: Int, _ reference: Int, _ signs: [String: Double],
    _ limit: Double
  ) -> Double? {
    guard let parts = directory.rationals(tag, count: 3),
      let sign = directory.text(reference).flatMap({ signs[$0] })
    else { return nil }
    let degrees = parts[0] + parts[1] / 60 + parts[2] / 3_600
    return degrees <= limit ? sign * degrees : nil
  }

  /// `GPSDateStamp` and `GPSTimeStamp`, which are in UTC.
  private static func time(_ directory: TIFFDirectory) -> Date? {
    guard let parts = directory.text(PositionTag.day)?.split(separator: ":").map({ Int($0) }),
      parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      (1980...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      let clock = directory.rationals(PositionTag.timeOfDay, count: 3),
      clock[0] < 24, clock[1] < 60, clock[2] < 61
    else { return nil }
    let text = [year, month, day].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
    let seconds = clock[0] * 3_600 + clock[1] * 60 + clock[2]
    return (try? Date("\(text)T00:00:00Z", strategy: .iso8601))?.addingTimeInterval(seconds)
  }
}

extension String {
  /// `WGS-84` however it is written, or nothing.
  fileprivate var isWGS84: Bool {
    let letters = uppercased().filter { $0.isLetter || $0.isNumber }
    return letters.isEmpty || letters == "WGS84"
  }
}
