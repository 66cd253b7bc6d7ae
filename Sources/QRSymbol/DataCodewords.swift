/// The data codewords of a symbol: its segments as bits, the terminator and the pad codewords
/// (ISO/IEC 18004:2015, 7.4).
struct DataCodewords {
  /// The codewords, as many as the symbol holds.
  private(set) var codewords: [UInt8]
  /// The bits that do not fill a codeword yet, in the lowest ones.
  private var pending: UInt64 = 0
  /// The number of pending bits, 0 … 7.
  private var pendingCount = 0

  /// Encodes the segments of a plan.
  ///
  /// - Parameter bytes: The bytes that the segments' ranges are about.
  init(_ bytes: [UInt8], plan: SymbolPlan) {
    let capacity = SymbolCapacity.bits(
      version: plan.version, errorCorrection: plan.errorCorrection)
    codewords = []
    codewords.reserveCapacity(capacity / 8)
    for segment in plan.segments {
      append(bytes[segment.range], as: segment.mode, version: plan.version)
    }
    pad(toBits: capacity)
  }

  /// Appends a segment with its mode and count (7.4.3 to 7.4.5).
  private mutating func append(
    _ bytes: ArraySlice<UInt8>, as mode: QRSymbol.Segment.Mode, version: Int
  ) {
    append(mode.indicator, bits: 4)
    append(UInt64(bytes.count), bits: mode.countBits(version: version))
    switch mode {
    case .byte:
      for byte in bytes { append(UInt64(byte), bits: 8) }
    case .alphanumeric:
      var rest = bytes
      while let first = rest.popFirst() {
        let value = Self.alphanumericValue(first)
        if let second = rest.popFirst() {
          append(value * 45 + Self.alphanumericValue(second), bits: 11)
        } else {
          append(value, bits: 6)
        }
      }
    case .numeric:
      var rest = bytes
      while !rest.isEmpty {
        let digits = rest.prefix(3)
        rest = rest.dropFirst(3)
        append(
          digits.reduce(0) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) },
          bits: [0, 4, 7, 10][digits.count])
      }
    }
  }

  /// Returns the value of a digit, capital letter or sign (Table 5).
  private static func alphanumericValue(_ byte: UInt8) -> UInt64 {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt64(byte - UInt8(ascii: "A")) + 10
    default:
      UInt64(QRSymbol.Segment.Mode.alphanumericSigns.firstIndex(of: byte) ?? 0) + 36
    }
  }

  /// Appends the terminator, which is cut at the end of the capacity, and the pad codewords.
  private mutating func pad(toBits capacity: Int) {
    append(0, bits: min(4, capacity - codewords.count * 8 - pendingCount))
    if pendingCount > 0 { append(0, bits: 8 - pendingCount) }
    var pad: UInt8 = 0b1110_1100
    while codewords.count < capacity / 8 {
      codewords.append(pad)
      pad ^= 0b1111_1101
    }
  }

  /// Appends the lowest bits of a value, at most 16.
  private mutating func append(_ value: UInt64, bits: Int) {
    pending = pending << UInt64(bits) | value
    pendingCount += bits
    while pendingCount >= 8 {
      pendingCount -= 8
      codewords.append(UInt8(truncatingIfNeeded: pending >> UInt64(pendingCount)))
    }
  }
}

extension QRSymbol.Segment.Mode {
  /// The mode indicator (Table 2).
  fileprivate var indicator: UInt64 {
    switch self {
    case .numeric: 0b0001
    case .alphanumeric: 0b0010
    case .byte: 0b0100
    }
  }
}
