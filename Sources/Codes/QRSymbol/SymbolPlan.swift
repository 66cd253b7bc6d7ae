import SymbolStructure

/// A plan of a symbol for some bytes, without drawing it: cheap enough to compare texts.
public struct SymbolPlan: Hashable, Sendable {
  /// The version, 1 to 40.
  public let version: Int
  /// The level: the requested one, or a stronger one that fits in the version.
  public let errorCorrection: QRSymbol.ErrorCorrection
  /// The segments that the bytes are split into, with their modes.
  public let segments: [QRSymbol.Segment]
  /// The number of bits of all segments with their headers, without terminator and padding.
  public let bitCount: Int

  /// Chooses the smallest version that holds the bytes at the minimum level, then the strongest
  /// level at which this version still holds them.
  ///
  /// The parameters and errors are those of ``QRSymbol``.
  public init(
    bytes: [UInt8], minimumErrorCorrection minimum: QRSymbol.ErrorCorrection = .medium,
    raiseErrorCorrection raises: Bool = true, minimumVersion: Int = 1, maximumVersion: Int = 40
  ) throws(QRSymbolError) {
    let versions = SymbolCapacity.versions
    guard versions.contains(minimumVersion), versions.contains(maximumVersion),
      minimumVersion <= maximumVersion
    else { throw .invalidVersions(minimumVersion, maximumVersion) }
    guard !bytes.isEmpty else {
      throw QRSymbolError(
        .emptyText, "The text to encode is empty.", hint: "Give at least one character.")
    }
    var plans = BandPlans(bytes: bytes)
    guard
      let version = plans.smallestVersion(minimumVersion...maximumVersion, holdingAt: minimum),
      let plan = plans.plan(for: version)
    else {
      throw .tooLong(
        byteCount: bytes.count, maximumVersion: maximumVersion, errorCorrection: minimum,
        room: plans.room(upTo: minimum))
    }
    self.version = version
    segments = plan.segments
    bitCount = plan.bitCount
    let stronger = raises ? minimum.stronger : []
    errorCorrection =
      stronger.first {
        plan.bitCount <= SymbolCapacity.bits(version: version, errorCorrection: $0)
      } ?? minimum
  }
}

/// The plans of one text for the three bands of versions, each computed when first needed.
private struct BandPlans {
  let bytes: [UInt8]
  private var plans: [Int: SegmentPlan] = [:]

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the plan for a version, or `nil` for a text longer than any symbol.
  mutating func plan(for version: Int) -> SegmentPlan? {
    guard bytes.count <= SymbolCapacity.longestInput else { return nil }
    let band = version <= 9 ? 9 : version <= 26 ? 26 : 40
    if let plan = plans[band] { return plan }
    let plan = SegmentPlan(bytes: bytes, version: version)
    plans[band] = plan
    return plan
  }

  mutating func smallestVersion(
    _ versions: ClosedRange<Int>, holdingAt level: QRSymbol.ErrorCorrection
  ) -> Int? {
    for version in versions {
      guard let plan = plan(for: version) else { return nil }
      if plan.bitCount <= SymbolCapacity.bits(version: version, errorCorrection: level) {
        return version
      }
    }
    return nil
  }

  /// Returns the strongest level up to `limit` at which some version holds the text, with that
  /// version.
  mutating func room(upTo limit: QRSymbol.ErrorCorrection) -> QRSymbolError.Room? {
    for level in QRSymbol.ErrorCorrection.allCases.reversed() where level <= limit {
      if let version = smallestVersion(SymbolCapacity.versions, holdingAt: level) {
        return QRSymbolError.Room(version: version, errorCorrection: level)
      }
    }
    return nil
  }
}

/// The capacity of the forty versions of a QR Code (ISO/IEC 18004:2015, table 7).
enum SymbolCapacity {
  /// The versions of a QR Code (Micro QR Codes are not made here).
  static let versions = 1...40

  /// The most characters any symbol can hold: digits only, version 40 at level L.
  fileprivate static let longestInput = 7_089

  /// Returns the number of modules on a side of a symbol of `version`.
  static func modules(version: Int) -> Int { 17 + 4 * version }

  /// Returns the number of data bits of a symbol, before error correction.
  static func bits(version: Int, errorCorrection: QRSymbol.ErrorCorrection) -> Int {
    8 * dataCodewords[errorCorrection.strength][version - 1]
  }

  /// Returns the number of bytes that fit if all are encoded in byte mode as one segment.
  static func bytes(version: Int, errorCorrection: QRSymbol.ErrorCorrection) -> Int {
    let header = 4 + QRSymbol.Segment.Mode.byte.countBits(version: version)
    return (bits(version: version, errorCorrection: errorCorrection) - header) / 8
  }

  /// The number of data codewords by level (L, M, Q, H) and version (1 to 40).
  private static let dataCodewords: [[Int]] = BlockStructure.Level.allCases.map { level in
    versions.map { version in
      BlockStructure(version: version, level: level).blocks.reduce(0) { $0 + $1.dataCount }
    }
  }
}
