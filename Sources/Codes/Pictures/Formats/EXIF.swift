#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The position at which a picture was taken, as recorded in it (EXIF 2.32, 4.6.6).
public struct PicturePosition: Hashable, Codable, Sendable {
  /// Degrees north, WGS 84, -90 to 90.
  public let latitude: Double
  /// Degrees east, WGS 84, -180 to 180.
  public let longitude: Double
  /// `GPSHPositioningError`: the radius in metres, above zero; `nil` if it is missing.
  public let horizontalError: Double?
  /// The time of the measurement; `nil` if it is missing.
  public let time: Date?
}

/// Finds the EXIF data that affect the display of pixels, and the position of the picture.
enum EXIF {
  /// The header before the TIFF structure.
  private static let header = Array("Exif\0\0".utf8)

  /// Returns the orientation that a JPEG file declares (tag 0x0112 of the first directory; EXIF
  /// 2.32, 4.5); upright if there is none, or an invalid one.
  static func orientation(ofJPEG bytes: [UInt8]) -> PictureOrientation {
    orientation(ofTIFF: block(ofJPEG: bytes))
  }

  /// Returns the orientation that a PNG file declares; upright if there is none, or an invalid one.
  static func orientation(ofPNG bytes: [UInt8]) -> PictureOrientation {
    orientation(ofTIFF: block(ofPNG: bytes))
  }

  /// Walks through the marker segments of a JPEG file (ITU-T T.81, B.1.1) to the first APP1 that
  /// begins with `Exif\0\0`.
  private static func block(ofJPEG bytes: [UInt8]) -> [UInt8]? {
    var position = 2
    while position + 4 <= bytes.count, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      if marker == 0xFF {  // A fill byte.
        position += 1
        continue
      }
      // Start of scan or end of image: the header ends.
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

  /// Returns the `eXIf` chunk of a PNG file before its pixels (PNG, third edition, 11.3.4.5).
  private static func block(ofPNG bytes: [UInt8]) -> [UInt8]? {
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

  /// Returns the position at which a picture was taken; `nil` if there is none, or an invalid one.
  static func position(of bytes: [UInt8], format: PictureFormat) -> PicturePosition? {
    block(of: bytes, format: format).flatMap(position(ofTIFF:))
  }

  /// Returns the time at which a picture was taken; `nil` if it states none, or an invalid one.
  ///
  /// `DateTimeOriginal` with `OffsetTimeOriginal` comes first, then the time of the satellites, which
  /// is in UTC. Without either, `DateTimeOriginal` is read as UTC, from which it may be up to 14 hours
  /// away (EXIF 2.32, 4.6.5 and 4.6.6).
  static func taken(of bytes: [UInt8], format: PictureFormat) -> Date? {
    guard let block = block(of: bytes, format: format), let main = TIFFDirectory(ofTIFF: block)
    else { return nil }
    let exif = main.directory(TIFFDirectory.exifDirectory)
    let clock = exif?.text(TimeTag.original).flatMap(time(ofClock:))
    if let clock, let offset = exif?.text(TimeTag.originalOffset).flatMap(seconds(ofOffset:)) {
      return clock.addingTimeInterval(-offset)
    }
    return main.directory(TIFFDirectory.positionDirectory).flatMap(time) ?? clock
  }

  /// Reads `2026:11:20 10:05:00` as a time in UTC.
  private static func time(ofClock text: String) -> Date? {
    let halves = text.split(separator: " ")
    guard halves.count == 2, let day = day(halves[0]) else { return nil }
    let clock = halves[1].split(separator: ":").map { Int($0) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(second)
    else { return nil }
    return day.addingTimeInterval(Double(hour * 3_600 + minute * 60 + second))
  }

  /// Reads an offset from UTC such as `+01:00`, in seconds.
  private static func seconds(ofOffset text: String) -> Double? {
    let parts = text.dropFirst().split(separator: ":").map { Int($0) }
    guard let sign = ["+": 1.0, "-": -1.0][text.prefix(1)], parts.count == 2, let hours = parts[0],
      let minutes = parts[1], (0...14).contains(hours), (0..<60).contains(minutes)
    else { return nil }
    return sign * Double(hours * 3_600 + minutes * 60)
  }

  /// Reads the beginning of a day such as `2026:11:20`, in UTC.
  private static func day(_ text: some StringProtocol) -> Date? {
    let parts = text.split(separator: ":").map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      (1980...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    let date = [year, month, day].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
    return try? Date("\(date)T00:00:00Z", strategy: .iso8601)
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

  /// Returns the chunk `EXIF` of a WebP file (RFC 9649, 2.7.1.5).
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

  /// Returns the EXIF block of a HEIC or AVIF file. It may be anywhere in the file, as an item's
  /// data after `Exif\0\0` (ISO/IEC 23008-12, A.2.1); in files of cameras, the first one belongs to
  /// the primary picture.
  private static func block(ofHEIF bytes: [UInt8]) -> [UInt8]? {
    var start = bytes.startIndex
    while let found = bytes[start...].firstIndex(of: header[0]) {
      if bytes[found...].starts(with: header) {
        let block = bytes[(found + header.count)...]
        if [[0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2A, 0]].contains(Array(block.prefix(4))) {
          // No APP1 segment, which cameras copy here, is longer.
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
      // V: the receiver had no fix, and the position is old.
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

  /// Returns `GPSDateStamp` and `GPSTimeStamp`, which are in UTC.
  private static func time(_ directory: TIFFDirectory) -> Date? {
    guard let day = directory.text(PositionTag.day).flatMap({ day($0) }),
      let clock = directory.rationals(PositionTag.timeOfDay, count: 3),
      clock[0] < 24, clock[1] < 60, clock[2] < 61
    else { return nil }
    return day.addingTimeInterval(clock[0] * 3_600 + clock[1] * 60 + clock[2])
  }
}

/// The tags of the EXIF directory (EXIF 2.32, table 8).
private enum TimeTag {
  static let (original, originalOffset) = (0x9003, 0x9011)
}

/// The tags of the GPS directory (EXIF 2.32, table 15).
private enum PositionTag {
  static let (latitudeReference, latitude, longitudeReference, longitude) = (1, 2, 3, 4)
  static let (timeOfDay, status, datum, day, horizontalError) = (0x07, 0x09, 0x12, 0x1D, 0x1F)
}

extension String {
  /// A Boolean value that indicates whether the text is `WGS-84` in any spelling, or empty.
  fileprivate var isWGS84: Bool {
    let letters = uppercased().filter { $0.isLetter || $0.isNumber }
    return letters.isEmpty || letters == "WGS84"
  }
}

/// The entries of one image file directory (TIFF 6.0, section 2), which EXIF also uses.
private struct TIFFDirectory {
  /// The tag of the entry for the GPS directory in the main directory (EXIF 2.32, 4.6.3).
  static let positionDirectory = 0x8825
  /// The tag of the entry for the EXIF directory in the main directory (EXIF 2.32, 4.6.3).
  static let exifDirectory = 0x8769

  private let bytes: [UInt8]
  private let isBigEndian: Bool
  private let offset: Int

  /// Finds the first directory of a TIFF structure; `nil` if the bytes are not TIFF.
  init?(ofTIFF bytes: [UInt8]) {
    switch bytes.prefix(4) {
    case [0x4D, 0x4D, 0, 0x2A]: isBigEndian = true
    case [0x49, 0x49, 0x2A, 0]: isBigEndian = false
    default: return nil
    }
    self.bytes = bytes
    guard let offset = Self.number(bytes, isBigEndian, at: 4, count: 4) else { return nil }
    self.offset = offset
  }

  private init(_ bytes: [UInt8], _ isBigEndian: Bool, at offset: Int) {
    self.bytes = bytes
    self.isBigEndian = isBigEndian
    self.offset = offset
  }

  /// Returns the directory to which an entry of this one points.
  func directory(_ tag: Int) -> TIFFDirectory? {
    guard let entry = entry(tag), entry.type == 4, let offset = number(at: entry.field, count: 4)
    else { return nil }
    return TIFFDirectory(bytes, isBigEndian, at: offset)
  }

  /// Returns a SHORT.
  func short(_ tag: Int) -> Int? {
    // A single value is in the first two bytes of the value field.
    guard let entry = entry(tag), entry.type == 3 else { return nil }
    return number(at: entry.field, count: 2)
  }

  /// Returns an ASCII text without its final zero.
  func text(_ tag: Int) -> String? {
    guard let entry = entry(tag), entry.type == 2, entry.count <= 256 else { return nil }
    let start = entry.count <= 4 ? entry.field : number(at: entry.field, count: 4)
    guard let start, start >= 0, start <= bytes.count - entry.count else { return nil }
    return String(decoding: bytes[start..<start + entry.count].prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Returns RATIONALs; `nil` unless there are exactly `count`, each with a non-zero denominator.
  func rationals(_ tag: Int, count: Int) -> [Double]? {
    guard let entry = entry(tag), entry.type == 5, entry.count == count,
      let start = number(at: entry.field, count: 4)
    else { return nil }
    var values: [Double] = []
    for index in 0..<count {
      guard let numerator = number(at: start + index * 8, count: 4),
        let denominator = number(at: start + index * 8 + 4, count: 4), denominator != 0
      else { return nil }
      values.append(Double(numerator) / Double(denominator))
    }
    return values
  }

  private func entry(_ tag: Int) -> (type: Int, count: Int, field: Int)? {
    guard let count = number(at: offset, count: 2) else { return nil }
    for index in 0..<count {
      let entry = offset + 2 + index * 12
      guard let found = number(at: entry, count: 2) else { return nil }
      guard found == tag else { continue }
      // A truncated entry is accepted as far as its value is present.
      guard let type = number(at: entry + 2, count: 2), let values = number(at: entry + 4, count: 4)
      else { return nil }
      return (type, values, entry + 8)
    }
    return nil
  }

  private func number(at offset: Int, count: Int) -> Int? {
    Self.number(bytes, isBigEndian, at: offset, count: count)
  }

  private static func number(
    _ bytes: [UInt8], _ isBigEndian: Bool, at offset: Int, count: Int
  ) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    let field = bytes[offset..<offset + count]
    return (isBigEndian ? Array(field) : field.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }
}
