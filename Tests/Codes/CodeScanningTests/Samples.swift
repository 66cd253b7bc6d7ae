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
