import ScanFixtures
import CQREncode
import Pictures
import Testing

@testable import CodeScanning

/// What is told of the symbol itself, against what libqrencode was asked for.
@Suite("Facts of a symbol")
struct SymbolTests {
  private static let levels: [(QRecLevel, DecodedCode.ErrorCorrection)] = [
    (QR_ECLEVEL_L, .low), (QR_ECLEVEL_M, .medium), (QR_ECLEVEL_Q, .quartile),
    (QR_ECLEVEL_H, .high),
  ]

  /// With and without alignment patterns and version information, and those that zbar's own
  /// corners are rough for.
  @Test(
    "versions 1 to 40 are read back at 3 pixels a module",
    arguments: [1, 2, 6, 7, 13, 24, 37, 40])
  func versions(version: Int) throws {
    let (level, name) = Self.levels[version % 4]
    let text = "v\(version)"
    let picture = try #require(
      drawSymbol(Array(text.utf8), version: version, level: level, modulePixels: 3))
    let codes = try CodeScanner().readBack(picture)
    #expect(codes.map(\.text) == [text])
    #expect(codes.first?.version == version)
    #expect(codes.first?.errorCorrection == name)
  }

  @Test("a full symbol of version 40 is read back whole")
  func fullSymbol() throws {
    // ISO/IEC 18004, Table 7: 2,953 bytes at level L.
    let bytes = (0..<2953).map { UInt8(0x20 + $0 % 95) }
    let picture = try #require(drawSymbol(bytes, level: QR_ECLEVEL_L, modulePixels: 3))
    #expect(try CodeScanner().readBack(picture).map(\.bytes) == [bytes])
  }

  @Test("corners go round clockwise from the symbol's own top left, however it is turned")
  func turned() throws {
    let picture = try #require(drawSymbol(Array("corner".utf8), version: 2, modulePixels: 6))
    let (near, far) = (24.0, 174.0)
    let upright = [(near, near), (far, near), (far, far), (near, far)]
    // The first corner moves on by one with each quarter turn to the right.
    for (turns, orientation) in [
      (0, PictureOrientation.upright), (1, .turnedLeft), (2, .upsideDown), (3, .turnedRight),
    ] {
      let code = try #require(try CodeScanner().readBack(picture.upright(from: orientation)).first)
      let expected = (0..<4).map { upright[($0 + turns) % 4] }
      #expect(distance(code.corners, expected) < 3, "\(orientation)")
      #expect(code.version == 2)
    }
  }

  @Test("a mirrored symbol is read, its corners in its own order")
  func mirrored() throws {
    let picture = try #require(drawSymbol(Array("mirror".utf8), version: 3, modulePixels: 6))
    let code = try #require(try CodeScanner().readBack(picture.upright(from: .mirrored)).first)
    #expect(code.text == "mirror" && code.version == 3 && code.errorCorrection == .medium)
    let (near, far) = (24.0, 198.0)
    #expect(distance(code.corners, [(far, near), (near, near), (near, far), (far, far)]) < 3)
  }

  @Test("facts are told only when both copies of the format agree")
  func formatDamaged() throws {
    var picture = try #require(drawSymbol(Array("agree".utf8), version: 2, modulePixels: 4))
    let corners = [(16.0, 16.0), (116, 16), (116, 116), (16, 116)].map {
      PicturePoint(x: $0.0, y: $0.1)
    }
    #expect(SymbolFacts(in: picture, corners: corners)?.version == 2)
    // Turn seven of the eight modules of the copy beside the top right finder around.
    var pixels = picture.pixels
    for column in 18..<25 {
      for y in 0..<4 {
        for x in 0..<4 {
          let place = ((8 + 4) * 4 + y) * picture.width + (column + 4) * 4 + x
          pixels[place] = 255 - pixels[place]
        }
      }
    }
    picture = GreyPicture(width: picture.width, height: picture.height, pixels: pixels)
    #expect(SymbolFacts(in: picture, corners: corners) == nil)
    // zbar still reads the text.
    let code = try #require(try CodeScanner().readBack(picture).first)
    #expect(code.text == "agree" && code.version == nil && code.errorCorrection == nil)
  }

  @Test("corners that span nothing, or lie outside, give no facts")
  func impossibleCorners() throws {
    let picture = try #require(drawSymbol(Array("x".utf8)))
    for points in [
      [(0.0, 0.0), (0, 0), (0, 0), (0, 0)], [(0, 0), (50, 0), (100, 0), (150, 0)],
      [(-1e9, 0), (1e9, 0), (1e9, 1e9), (0, 1e9)], [(.nan, 0), (1, 0), (1, 1), (0, 1)],
    ] {
      let corners = points.map { PicturePoint(x: $0.0, y: $0.1) }
      #expect(SymbolFacts(in: picture, corners: corners) == nil)
    }
  }

  /// ISO/IEC 18004:2015, Annex C.2 and D.2 work these two out.
  @Test("format and version words are those of the standard, to a distance of 3")
  func words() {
    // Level M and mask 5: 100000011001110.
    let format: UInt32 = 0b100_0000_1100_1110
    #expect(FormatInformation(bits: format)?.errorCorrection == .medium)
    #expect(FormatInformation(bits: format)?.mask == 5)
    #expect(FormatInformation(bits: format ^ 0b100_0100_0000_0001)?.mask == 5)
    // Version 7: 000111110010010100.
    #expect(VersionInformation.version(bits: 0b00_0111_1100_1001_0100) == 7)
    #expect(VersionInformation.version(bits: 0b00_0111_1100_1001_0100 ^ 0b11_1000) == 7)
    #expect(VersionInformation.version(bits: 0) == nil)
  }
}
