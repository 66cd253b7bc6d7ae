import CQREncode
import Foundation
import Pictures

@testable import CodeScanning

/// A committed sample, loaded; `Tests/Scripts/make-picture-samples.py` made it.
func loadSample(_ name: String) async throws -> LoadedPicture {
  try await PictureLoader(limits: PictureLimits(timePerPage: .seconds(900))).open(
    try sampleBytes(name), named: name
  ).page(1)
}

/// The bytes of a committed sample.
func sampleBytes(_ name: String) throws -> [UInt8] {
  let folder = Bundle.module.bundleURL.appending(path: "Samples")
  return [UInt8](try Data(contentsOf: folder.appending(path: name)))
}

/// A symbol drawn with whole pixels for each module, by libqrencode.
///
/// - Parameters:
///   - version: the least version; libqrencode takes a higher one when the bytes need it.
///   - quietZone: in modules.
///   - characterSet: the ECI assignment number that the symbol declares first, if any.
func drawSymbol(
  _ bytes: [UInt8], version: Int = 0, level: QRecLevel = QR_ECLEVEL_M, modulePixels: Int = 4,
  quietZone: Int = 4, characterSet: UInt32? = nil
) -> GreyPicture? {
  drawSymbol(
    [(characterSet, bytes)], version: version, level: level, modulePixels: modulePixels,
    quietZone: quietZone)
}

/// Bytes in one segment, and the ECI assignment number that is declared in front of it, if any.
typealias DrawnSegment = (characterSet: UInt32?, bytes: [UInt8])

/// The same, of several segments.
func drawSymbol(
  _ segments: [DrawnSegment], version: Int = 0, level: QRecLevel = QR_ECLEVEL_M,
  modulePixels: Int = 4, quietZone: Int = 4
) -> GreyPicture? {
  guard let input = QRinput_new2(Int32(version), level) else { return nil }
  defer { QRinput_free(input) }
  for (characterSet, bytes) in segments {
    if let characterSet, QRinput_appendECIheader(input, characterSet) != 0 { return nil }
    guard QRinput_append(input, QR_MODE_8, Int32(bytes.count), bytes) == 0 else { return nil }
  }
  guard let code = QRcode_encodeInput(input) else { return nil }
  defer { QRcode_free(code) }
  let size = Int(code.pointee.width)
  let side = (size + 2 * quietZone) * modulePixels
  var pixels = [UInt8](repeating: 255, count: side * side)
  for row in 0..<size {
    for column in 0..<size where code.pointee.data[row * size + column] & 1 == 1 {
      for y in 0..<modulePixels {
        let start =
          ((row + quietZone) * modulePixels + y) * side
          + (column + quietZone) * modulePixels
        for x in start..<start + modulePixels { pixels[x] = 0 }
      }
    }
  }
  return GreyPicture(width: side, height: side, pixels: pixels)
}

/// The larger of the distances of two lists of corners, in pixels.
func distance(_ first: [PicturePoint], _ second: [(Double, Double)]) -> Double {
  zip(first, second).map { max(abs($0.x - $1.0), abs($0.y - $1.1)) }.max() ?? .infinity
}

/// A white picture with symbols at places.
func wall(
  width: Int, height: Int, _ symbols: [(picture: GreyPicture, x: Int, y: Int)]
) -> GreyPicture {
  var pixels = [UInt8](repeating: 255, count: width * height)
  for symbol in symbols {
    for row in 0..<symbol.picture.height {
      for column in 0..<symbol.picture.width {
        pixels[(symbol.y + row) * width + symbol.x + column] =
          symbol.picture.pixels[row * symbol.picture.width + column]
      }
    }
  }
  return GreyPicture(width: width, height: height, pixels: pixels)
}
