import CodeDrawing
import QRSymbol

/// The URL that most tests draw: 41 bytes, version 3 at level M, 37 modules with quiet zone.
let sampleURL = "https://fruta.example.com/order/cupertino"

func drawing(
  _ text: String = sampleURL, version: Int = 1, width: Double? = nil, moduleSize: Double? = nil,
  dotsPerInch: Double = 600, creationTime: Int? = nil
) throws -> CodeDrawing {
  try CodeDrawing(
    QRSymbol(text, minimumVersion: version),
    size: CodeSize.Request(width: width, moduleSize: moduleSize, dotsPerInch: dotsPerInch),
    creationTime: creationTime)
}

extension CodeDrawing {
  /// The file as text; every byte is one character.
  func latin1(_ format: DrawingFormat) throws -> String {
    String(String.UnicodeScalarView(try data(as: format).map { Unicode.Scalar($0) }))
  }

  /// 1 for dark, row by row with the quiet zone, as the symbol says.
  var expectedModules: [[Int]] {
    (0..<size.modulesAcross).map { row in
      (0..<size.modulesAcross).map { symbol.isDark(x: $0 - 4, y: row - 4) ? 1 : 0 }
    }
  }
}

/// Numbers that are the same on every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
