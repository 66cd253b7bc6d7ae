import TagTypes

/// The one-way counters of a MIFARE Ultralight EV1 (MF0ULx1, section 8.7): three, of 24 bits, that
/// only ever grow.
extension SimulatedTag {
  /// Whether the product has them; its version says type 03.
  var hasOneWayCounters: Bool { layout.version?[2] == 0x03 }

  /// READ_CNT: low byte first.
  func readOneWayCounter(_ number: Int) -> TagAnswer {
    guard oneWayCounters.indices.contains(number) else { return .refused(0) }
    return .data([0, 8, 16].map { UInt8(truncatingIfNeeded: oneWayCounters[number] >> $0) })
  }

  /// INCR_CNT: three bytes, low byte first; NAK 4 where the counter would overflow.
  mutating func increment(counter number: Int, by bytes: [UInt8]) -> TagAnswer {
    guard oneWayCounters.indices.contains(number) else { return .refused(0) }
    let sum = bytes.reversed().reduce(0) { $0 << 8 | Int($1) } + oneWayCounters[number]
    guard sum <= 0xFF_FFFF else { return .refused(4) }
    oneWayCounters[number] = sum
    return .acknowledged
  }
}
