/// CRC_A, the check that ISO/IEC 14443-3 (annex B) puts behind every type A frame.
enum CRCA {
  /// The two check bytes of `bytes`, low byte first, as they go over the air.
  static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var crc: UInt16 = 0x6363
    for byte in bytes {
      var mixed = byte ^ UInt8(truncatingIfNeeded: crc)
      mixed ^= mixed << 4
      let wide = UInt16(mixed)
      crc = (crc >> 8) ^ (wide << 8) ^ (wide << 3) ^ (wide >> 4)
    }
    return [UInt8(truncatingIfNeeded: crc), UInt8(truncatingIfNeeded: crc >> 8)]
  }

  /// The frame without its check bytes, or `nil` when they are missing or wrong.
  static func stripped(_ frame: [UInt8]) -> [UInt8]? {
    guard frame.count >= 3 else { return nil }
    let body = Array(frame.dropLast(2))
    return checksum(body) == Array(frame.suffix(2)) ? body : nil
  }
}
