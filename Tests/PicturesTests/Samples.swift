import Foundation
import Pictures

/// A committed sample; `Tests/Scripts/make-picture-samples.py` made it.
func sample(_ name: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: samplesFolder.appending(path: name)))
}

/// The folder of the committed samples.
var samplesFolder: URL { Bundle.module.bundleURL.appending(path: "Samples") }

/// Opens bytes and loads the first page, as the command does.
func load(
  _ bytes: [UInt8], with loader: PictureLoader = PictureLoader()
) async throws -> LoadedPicture {
  try await loader.open(bytes, named: "sample").page(1)
}

/// The code of the error that the body throws, or `nil`.
func errorCode(_ body: () async throws -> Void) async -> PictureError.Code? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? PictureError)?.code
  }
}

extension GreyPicture {
  /// The brightness of one pixel.
  subscript(x: Int, y: Int) -> Int { Int(pixels[y * width + x]) }
}

/// A small generator with a fixed start, so that a failure can be repeated (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
