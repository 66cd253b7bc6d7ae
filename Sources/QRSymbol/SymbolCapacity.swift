import SymbolStructure

/// What the forty versions of a QR Code hold (ISO/IEC 18004:2015, table 7).
enum SymbolCapacity {
  /// The versions of a QR Code (Micro QR Codes are not made here).
  static let versions = 1...40

  /// The most bytes any symbol can carry: digits only, version 40 at level L.
  static let longestInput = 7_089

  /// The modules along one side of a symbol of `version`.
  static func modules(version: Int) -> Int { 17 + 4 * version }

  /// The data bits of a symbol, before error correction.
  static func bits(version: Int, errorCorrection: QRSymbol.ErrorCorrection) -> Int {
    8 * dataCodewords[errorCorrection.strength][version - 1]
  }

  /// The bytes that fit when all are encoded in byte mode as one segment.
  static func bytes(version: Int, errorCorrection: QRSymbol.ErrorCorrection) -> Int {
    let header = 4 + QRSymbol.Segment.Mode.byte.countBits(version: version)
    return (bits(version: version, errorCorrection: errorCorrection) - header) / 8
  }

  /// Data codewords by level (L, M, Q, H) and version (1 to 40).
  private static let dataCodewords: [[Int]] = BlockStructure.Level.allCases.map { level in
    versions.map { version in
      BlockStructure(version: version, level: level).blocks.reduce(0) { $0 + $1.dataCount }
    }
  }
}
