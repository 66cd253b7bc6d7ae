import TagTypes

/// Tag commands in words: Type 2 (NTAG21x and MIFARE Ultralight data sheets), MIFARE Classic, and
/// APDUs (ISO/IEC 7816-4, and the wrapped native commands of DESFire).
enum TagWording {
  /// A frame to a tag, without CRC.
  static func command(_ frame: [UInt8]) -> String {
    guard let code = frame.first else { return "nothing" }
    if isAPDU(frame) { return apdu(frame) }
    switch (code, frame.count) {
    case (0x30, 2): return "READ page \(frame[1])"
    case (0xA2, 6): return "WRITE page \(frame[1]): \(Array(frame[2...]).hexadecimal)"
    case (0xA0, 2): return "COMPATIBILITY_WRITE page \(frame[1])"
    case (0xA0, 18):
      return "COMPATIBILITY_WRITE page \(frame[1]): \(Array(frame[2..<6]).hexadecimal)"
    case (0x3A, 3): return "FAST_READ pages \(frame[1]) to \(frame[2])"
    case (0x60, 1): return "GET_VERSION"
    case (0x39, 2): return "READ_CNT \(frame[1])"
    case (0xA5, 6): return "INCR_CNT \(frame[1])"
    case (0x3C, 2): return "READ_SIG"
    case (0x3E, 2): return "CHECK_TEARING_EVENT \(frame[1])"
    case (0x1B, 5): return "PWD_AUTH"
    case (0x1A, 2): return "AUTHENTICATE"
    case (0xAF, _): return "AUTHENTICATE, second part"
    case (0x50, 2): return "HLTA"
    case (0x60, 12): return "AUTHENTICATE block \(frame[1]) with key A"
    case (0x61, 12): return "AUTHENTICATE block \(frame[1]) with key B"
    case (0xB0, 2): return "TRANSFER block \(frame[1])"
    case (0xC0, 2...6): return "DECREMENT block \(frame[1])"
    case (0xC1, 2...6): return "INCREMENT block \(frame[1])"
    case (0xC2, 2...6): return "RESTORE block \(frame[1])"
    default: return "frame \(frame.hexadecimal)"
    }
  }

  /// Whether a frame has the shape of a command APDU of the classes that tags know.
  static func isAPDU(_ frame: [UInt8]) -> Bool {
    frame.count >= 4 && (frame[0] == 0x00 || frame[0] == 0x90)
  }

  private static func apdu(_ frame: [UInt8]) -> String {
    guard frame[0] == 0x00 else { return "native command \(PN532Wording.hexadecimal(frame[1]))" }
    let offset = Int(frame[2]) << 8 | Int(frame[3])
    switch frame[1] {
    case 0xA4:
      let data = frame.count > 5 ? Array(frame[5...].prefix(Int(frame[4]))) : []
      switch (frame[2], data) {
      case (0x04, [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]): return "SELECT NDEF application"
      case (0x04, _): return "SELECT application \(data.hexadecimal)"
      default: return "SELECT file \(data.hexadecimal)"
      }
    case 0xB0:
      let length = frame.count > 4 ? Int(frame[4]) : 0
      return "READ BINARY offset \(offset), \(PN532Wording.bytesCount(length == 0 ? 256 : length))"
    case 0xD6:
      let length = frame.count > 4 ? Int(frame[4]) : 0
      return "UPDATE BINARY offset \(offset), \(PN532Wording.bytesCount(length))"
    default: return "APDU \(PN532Wording.hexadecimal(frame[1]))"
    }
  }
}
