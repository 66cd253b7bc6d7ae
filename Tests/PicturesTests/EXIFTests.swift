import Testing

@testable import Pictures

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
