import Foundation
@testable import Pictures
import Testing

@Suite("EXIF")
struct EXIFTests {
  /// A JPEG of nothing but an APP1 segment with this TIFF structure.
  private func jpeg(_ tiff: [UInt8]) -> [UInt8] {
    let body = Array("Exif\0\0".utf8) + tiff
    let length = body.count + 2
    return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + body + [0xFF, 0xDA]
  }

  private let bigEndian: [UInt8] = [
    0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
  ]

  @Test("both byte orders are read")
  func byteOrders() {
    #expect(EXIF.orientation(ofJPEG: jpeg(bigEndian)) == .turnedLeft)
    let littleEndian: [UInt8] = [
      0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0,
    ]
    #expect(EXIF.orientation(ofJPEG: jpeg(littleEndian)) == .turnedRight)
  }

  @Test("nonsense is upright: a value of 0 or 9, a directory outside, a wrong type")
  func nonsense() {
    for value: UInt8 in [0, 9, 255] {
      var tiff = bigEndian
      tiff[19] = value
      #expect(EXIF.orientation(ofJPEG: jpeg(tiff)) == .upright)
    }
    var outside = bigEndian
    outside.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(EXIF.orientation(ofJPEG: jpeg(outside)) == .upright)
    var wrongType = bigEndian
    wrongType[13] = 4
    #expect(EXIF.orientation(ofJPEG: jpeg(wrongType)) == .upright)
  }

  @Test("a block cut off anywhere is upright, or whole")
  func cutOff() {
    for length in 0..<bigEndian.count {
      let orientation = EXIF.orientation(ofJPEG: jpeg(Array(bigEndian.prefix(length))))
      #expect(orientation == (length >= 20 ? .turnedLeft : .upright))
    }
  }

  @Test(
    "every pixel of a large picture goes where its orientation says",
    arguments: PictureOrientation.allCases)
  func largePicture(orientation: PictureOrientation) {
    let (width, height) = (150, 70)
    let stored = GreyPicture(
      width: width, height: height,
      pixels: (0..<width * height).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) })
    let shown = stored.upright(from: orientation)
    var misplaced = 0
    for y in 0..<shown.height {
      for x in 0..<shown.width {
        let (column, row) =
          switch orientation {
          case .upright: (x, y)
          case .mirrored: (width - 1 - x, y)
          case .upsideDown: (width - 1 - x, height - 1 - y)
          case .flipped: (x, height - 1 - y)
          case .transposed: (y, x)
          case .turnedLeft: (y, height - 1 - x)
          case .transversed: (width - 1 - y, height - 1 - x)
          case .turnedRight: (width - 1 - y, x)
          }
        if shown[x, y] != stored[column, row] { misplaced += 1 }
      }
    }
    #expect(misplaced == 0)
  }
}

/// A TIFF structure with a directory about the position, as cameras write it.
struct PositionBlock {
  var latitude: [(UInt32, UInt32)] = [(37, 1), (19, 1), (2280, 100)]
  var longitude: [(UInt32, UInt32)] = [(122, 1), (1, 1), (5592, 100)]
  var latitudeReference = "N"
  var longitudeReference = "W"
  var error: (UInt32, UInt32)? = (47, 10)
  var status: String?
  var datum: String?
  var isBigEndian = true

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }

  var bytes: [UInt8] {
    var fields: [(tag: Int, type: Int, count: Int, data: [UInt8])] = []
    func text(_ tag: Int, _ text: String?) {
      if let text { fields.append((tag, 2, text.utf8.count + 1, Array(text.utf8) + [0])) }
    }
    func rationals(_ tag: Int, _ values: [(UInt32, UInt32)]) {
      fields.append(
        (tag, 5, values.count, values.flatMap { number(Int($0.0), 4) + number(Int($0.1), 4) }))
    }
    text(1, latitudeReference)
    rationals(2, latitude)
    text(3, longitudeReference)
    rationals(4, longitude)
    rationals(7, [(9, 1), (26, 1), (505, 10)])
    text(9, status)
    text(0x12, datum)
    text(0x1D, "2026:11:22")
    if let error { rationals(0x1F, [error]) }
    let start = 26
    var directory = number(fields.count, 2)
    var data: [UInt8] = []
    let dataStart = start + 2 + fields.count * 12 + 4
    for field in fields {
      directory += number(field.tag, 2) + number(field.type, 2) + number(field.count, 4)
      if field.data.count <= 4 {
        directory += field.data + [UInt8](repeating: 0, count: 4 - field.data.count)
      } else {
        directory += number(dataStart + data.count, 4)
        data += field.data
      }
    }
    return (isBigEndian ? [0x4D, 0x4D, 0, 0x2A] : [0x49, 0x49, 0x2A, 0]) + number(8, 4)
      + number(1, 2) + number(0x8825, 2) + number(4, 2) + number(1, 4) + number(start, 4)
      + number(0, 4) + directory + number(0, 4) + data
  }
}

@Suite("Where a picture was taken")
struct PicturePositionTests {
  private func jpeg(_ block: [UInt8]) -> [UInt8] {
    let body = Array("Exif\0\0".utf8) + block
    let length = body.count + 2
    return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + body + [0xFF, 0xDA]
  }

  private func position(_ block: PositionBlock) -> PicturePosition? {
    EXIF.position(of: jpeg(block.bytes), format: .jpeg)
  }

  @Test("both byte orders are read, with the error and the time", arguments: [true, false])
  func read(isBigEndian: Bool) throws {
    let found = try #require(position(PositionBlock(isBigEndian: isBigEndian)))
    #expect(abs(found.latitude - 37.3230) < 1e-9)
    #expect(abs(found.longitude + 122.0322) < 1e-9)
    #expect(found.horizontalError == 4.7)
    #expect(found.time == Date(timeIntervalSince1970: 1_795_339_610.5))
  }

  /// A TIFF structure of a clock, its offset from UTC and the satellites' time, as far as given.
  private func taken(
    _ clock: String? = nil, offset: String? = nil, satellites: String? = nil
  ) -> Date? {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
    func directory(
      _ fields: [(tag: Int, type: Int, count: Int, data: [UInt8])], at start: Int
    ) -> [UInt8] {
      var (entries, data) = (number(fields.count, 2), [UInt8]())
      for field in fields {
        entries += number(field.tag, 2) + number(field.type, 2) + number(field.count, 4)
        entries +=
          field.data.count <= 4
          ? field.data + [UInt8](repeating: 0, count: 4 - field.data.count)
          : number(start + 2 + fields.count * 12 + 4 + data.count, 4)
        if field.data.count > 4 { data += field.data }
      }
      return entries + number(0, 4) + data
    }
    func text(_ tag: Int, _ text: String?) -> [(tag: Int, type: Int, count: Int, data: [UInt8])] {
      text.map { [(tag, 2, $0.utf8.count + 1, Array($0.utf8) + [0])] } ?? []
    }
    let time = [(9, 1), (26, 1), (50, 1)].flatMap { number($0.0, 4) + number($0.1, 4) }
    let first = 8 + 2 + 2 * 12 + 4
    let exif = directory(text(0x9003, clock) + text(0x9011, offset), at: first)
    let gps = directory(
      (satellites == nil ? [] : [(7, 5, 3, time)]) + text(0x1D, satellites),
      at: first + exif.count)
    let main = directory(
      [(0x8769, 4, 1, number(first, 4)), (0x8825, 4, 1, number(first + exif.count, 4))], at: 8)
    let block = [0x4D, 0x4D, 0, 0x2A] + number(8, 4) + main + exif + gps
    return EXIF.taken(of: jpeg(block), format: .jpeg)
  }

  @Test("a picture states when it was taken: by its clock and offset, the satellites, or its clock")
  func takenAt() throws {
    func utc(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }
    let clock = "2026:11:22 10:05:00"
    #expect(taken(clock, offset: "+01:00") == (try utc("2026-11-22T09:05:00Z")))
    #expect(taken(clock, offset: "-03:30") == (try utc("2026-11-22T13:35:00Z")))
    #expect(taken(clock, satellites: "2026:11:22") == (try utc("2026-11-22T09:26:50Z")))
    #expect(taken(satellites: "2026:11:22") == (try utc("2026-11-22T09:26:50Z")))
    #expect(taken(clock) == (try utc("2026-11-22T10:05:00Z")))
    #expect(taken(clock, offset: "   :  ") == (try utc("2026-11-22T10:05:00Z")))
    for nonsense in ["0000:00:00 00:00:00", "2026:13:22 10:05:00", "2026:11:22 24:00:00", "", " "] {
      #expect(taken(nonsense) == nil && taken(nonsense, offset: "+01:00") == nil)
    }
    #expect(taken() == nil)
  }

  @Test("HEIC, AVIF, WebP, PNG and TIFF files tell it, too")
  func formats() {
    let block = PositionBlock().bytes
    let length = block.count
    let chunk = [0, 0, UInt8(length >> 8), UInt8(length & 255)]
    let png =
      [UInt8](repeating: 0, count: 8) + chunk + Array("eXIf".utf8) + block + [0, 0, 0, 0]
    let webp =
      Array("RIFF....WEBPVP8X".utf8) + [1, 0, 0, 0, 7, 0] + Array("EXIF".utf8) + chunk.reversed()
      + block
    let heif = Array("....ftypheicExif,".utf8) + [0, 0, 0, 6] + Array("Exif\0\0".utf8) + block
    for (bytes, format) in [
      (png, PictureFormat.png), (webp, .webp), (heif, .heic), (heif, .avif), (block, .tiff),
    ] {
      #expect(EXIF.position(of: bytes, format: format)?.horizontalError == 4.7, "\(format)")
    }
  }

  @Test("an old fix, another datum, zeros, nonsense and a division by zero are no position")
  func refused() {
    for block in [
      PositionBlock(status: "V"), PositionBlock(datum: "TOKYO"),
      PositionBlock(latitude: [(0, 1), (0, 1), (0, 1)], longitude: [(0, 1), (0, 1), (0, 1)]),
      PositionBlock(latitude: [(91, 1), (0, 1), (0, 1)]), PositionBlock(latitudeReference: "X"),
      PositionBlock(longitude: [(122, 0), (1, 1), (0, 1)]), PositionBlock(latitude: [(37, 1)]),
    ] { #expect(position(block) == nil) }
    #expect(position(PositionBlock(status: "A", datum: "WGS-84")) != nil)
    #expect(position(PositionBlock(error: nil))?.horizontalError == nil)
    #expect(position(PositionBlock(error: (0, 1)))?.horizontalError == nil)
  }

  @Test("a block cut off anywhere crashes nothing, and gives the position or none")
  func cutOff() {
    let whole = PositionBlock().bytes
    for length in whole.indices {
      let found = EXIF.position(of: jpeg(Array(whole.prefix(length))), format: .jpeg)
      #expect(found.map { abs($0.latitude - 37.3230) < 1e-9 } ?? true)
    }
  }
}
