import CliptagBasics
import TagTypes

/// An event on the line between host and chip, in front of the antenna, or in the simulation.
public enum TraceEvent: Hashable, Sendable {
  /// The host sent a command frame; the body begins with `D4`.
  case command(body: [UInt8])
  /// The chip answers `command` (its code and parameters); the body begins with `D5`, or is `7F`,
  /// the error frame.
  case response(body: [UInt8], command: [UInt8])
  /// The host sent an ACK, which ends the command in progress.
  case hostAcknowledged
  /// The host sent a NAK to request the last response again.
  case hostRefused
  /// The chip acknowledges a command frame.
  case chipAcknowledged
  /// A note on an action of a fault, the deck, a script or the control channel.
  case note(String)
}

extension TraceEvent: CustomStringConvertible {
  /// The event on one line: `>` from the host, `<` from the chip, `-` from neither; then words;
  /// then the bytes of the frame's body.
  public var description: String {
    switch self {
    case .command(let body):
      "> \(PN532Wording.command(Array(body.dropFirst())))  [\(Self.spaced(body))]"
    case .response(let body, let command):
      "< \(command.first.map(PN532Wording.name) ?? "an empty frame"): "
        + PN532Wording.response(body == [0x7F] ? body : Array(body.dropFirst()), to: command)
        + "  [\(Self.spaced(body))]"
    case .hostAcknowledged: "> ACK"
    case .hostRefused: "> NAK"
    case .chipAcknowledged: "< ACK"
    case .note(let text): "- \(text)"
    }
  }

  private static func spaced(_ bytes: [UInt8]) -> String {
    bytes.map { [$0].hexadecimal }.joined(separator: " ")
  }
}

/// A ``TraceEvent`` and its time.
public struct TraceEntry: Hashable, Sendable {
  /// The time since the reader began to serve. A response has the time at which it is sent.
  public let time: Duration
  /// The event.
  public let event: TraceEvent
}

extension TraceEntry: CustomStringConvertible {
  /// The milliseconds since the start with three decimals, and the event.
  public var description: String {
    let microseconds = Int(bounded: time / .microseconds(1))
    let fraction = String(microseconds % 1000)
    let text =
      String(microseconds / 1000) + "." + String(repeating: "0", count: 3 - fraction.count)
      + fraction
    return String(repeating: " ", count: max(0, 12 - text.count)) + text + "  \(event)"
  }
}

/// The chip's commands and responses in words (UM0701-02, section 7).
enum PN532Wording {
  /// A command, code first.
  static func command(_ bytes: [UInt8]) -> String {
    guard let code = bytes.first else { return "an empty frame" }
    let name = name(of: code)
    let detail = detail(code: code, parameters: Array(bytes.dropFirst()))
    return detail.isEmpty ? name : "\(name) \(detail)"
  }

  /// A response (code first, `7F` for the error frame) to a command, in words.
  static func response(_ bytes: [UInt8], to command: [UInt8]) -> String {
    guard bytes.first != 0x7F else { return "error frame: the command is not understood" }
    let data = Array(bytes.dropFirst())
    switch command.first {
    case 0x02 where data.count == 4:
      return "PN5\(hexadecimal(data[0])) version \(data[1]).\(data[2])"
    case 0x40: return exchange(data, of: Array(command.dropFirst(2)))
    case 0x42: return exchange(data, of: Array(command.dropFirst()))
    case 0x44, 0x46, 0x4E, 0x50, 0x52, 0x54, 0x56, 0x16:
      return data.first.map(status) ?? "nothing"
    case 0x4A: return targets(data, behind: 1)
    case 0x60: return targets(data, behind: 3)
    case 0x06 where !data.isEmpty: return data.map(hexadecimal).joined(separator: " ")
    default: return data.isEmpty ? "done" : bytesCount(data.count)
    }
  }

  /// The name of a command.
  static func name(of code: UInt8) -> String {
    names[code] ?? "command \(hexadecimal(code))"
  }

  private static let names: [UInt8: String] = [
    0x00: "Diagnose", 0x02: "GetFirmwareVersion", 0x04: "GetGeneralStatus", 0x06: "ReadRegister",
    0x08: "WriteRegister", 0x0C: "ReadGPIO", 0x0E: "WriteGPIO", 0x10: "SetSerialBaudRate",
    0x12: "SetParameters", 0x14: "SAMConfiguration", 0x16: "PowerDown", 0x32: "RFConfiguration",
    0x40: "InDataExchange", 0x42: "InCommunicateThru", 0x44: "InDeselect", 0x46: "InJumpForPSL",
    0x4A: "InListPassiveTarget", 0x4E: "InPSL", 0x50: "InATR", 0x52: "InRelease",
    0x54: "InSelect", 0x56: "InJumpForDEP", 0x58: "RFRegulationTest", 0x60: "InAutoPoll",
    0x86: "TgGetData", 0x88: "TgGetInitiatorCommand", 0x8A: "TgGetTargetStatus",
    0x8C: "TgInitAsTarget", 0x8E: "TgSetData", 0x90: "TgResponseToInitiator",
    0x92: "TgSetGeneralBytes", 0x94: "TgSetMetaData",
  ]

  private static func detail(code: UInt8, parameters: [UInt8]) -> String {
    switch code {
    case 0x40: return TagWording.command(Array(parameters.dropFirst()))
    case 0x42: return TagWording.command(parameters)
    case 0x4A where parameters.count >= 2:
      let kind = modulations[parameters[1]] ?? "modulation \(hexadecimal(parameters[1]))"
      let data = Array(parameters.dropFirst(2))
      return data.isEmpty ? kind : "\(kind), \(data.hexadecimal)"
    case 0x60 where parameters.count >= 3:
      let types = parameters.dropFirst(2).map(hexadecimal).joined(separator: " ")
      return "types \(types), \(parameters[0]) times \(Int(parameters[1]) * 150) ms"
    case 0x32: return configuration(parameters)
    case 0x10:
      return parameters.first.flatMap { PN532Timing.baudRate(code: $0) }.map(String.init) ?? ""
    case 0x44, 0x52, 0x54: return parameters.first.map { "target \($0)" } ?? ""
    default: return ""
    }
  }

  private static let modulations: [UInt8: String] = [
    0: "type A", 1: "FeliCa at 212 kbit/s", 2: "FeliCa at 424 kbit/s", 3: "type B", 4: "Jewel",
  ]

  private static func configuration(_ parameters: [UInt8]) -> String {
    switch (parameters.first, parameters.count) {
    case (0x01, 2): "field \(parameters[1] & 0x01 != 0 ? "on" : "off")"
    case (0x02, 4): "time-outs"
    case (0x04, 2), (0x05, 4): "retries"
    case (let item?, _): "item \(hexadecimal(item))"
    case (nil, _): ""
    }
  }

  private static func exchange(_ data: [UInt8], of command: [UInt8]) -> String {
    guard let first = data.first else { return "nothing" }
    let answer = Array(data.dropFirst())
    guard first == 0 else { return status(first) }
    guard !answer.isEmpty else { return "ok" }
    if TagWording.isAPDU(command), answer.count >= 2 {
      let word = answer.suffix(2).map(hexadecimal).joined()
      return answer.count == 2 ? "ok, \(word)" : "ok, \(word), \(bytesCount(answer.count - 2))"
    }
    return "ok, \(bytesCount(answer.count))"
  }

  /// The targets found: `behind` is the number of bytes between the count and a type A target.
  private static func targets(_ data: [UInt8], behind: Int) -> String {
    guard let count = data.first, count > 0 else { return "nothing found" }
    let target = Array(data.dropFirst(1 + behind))
    guard target.count > 3, target.count >= 4 + Int(target[3]) else { return "\(count) found" }
    let uid = Array(target[4..<4 + Int(target[3])]).hexadecimal
    let atqa = Array(target[0..<2]).hexadecimal
    return "\(count) found: \(uid), ATQA \(atqa), SAK \(hexadecimal(target[2]))"
  }

  /// A status byte in words (section 7.1); only the low six bits are the error.
  static func status(_ byte: UInt8) -> String {
    let code = byte & 0x3F
    return code == 0 ? "ok" : "\(statuses[code] ?? "error") (\(hexadecimal(byte)))"
  }

  private static let statuses: [UInt8: String] = [
    0x01: "time-out", 0x02: "CRC error", 0x03: "parity error", 0x04: "wrong bit count",
    0x05: "framing error", 0x06: "bit collision", 0x07: "buffer too small",
    0x09: "RF buffer overflow", 0x0A: "no field in time", 0x0B: "RF protocol error",
    0x0D: "overheated", 0x0E: "internal buffer overflow", 0x10: "invalid parameter",
    0x12: "DEP command not supported", 0x13: "NAK or wrong format", 0x14: "wrong key",
    0x23: "wrong UID check byte", 0x25: "wrong state", 0x26: "not allowed",
    0x27: "no such target", 0x29: "released", 0x2A: "card changed", 0x2B: "card disappeared",
    0x2C: "NFCID3 mismatch", 0x2D: "over-current", 0x2E: "no NAD",
  ]

  static func bytesCount(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

  static func hexadecimal(_ byte: UInt8) -> String { [byte].hexadecimal }
}

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

  /// Returns `true` if a frame has the form of a command APDU of the classes that tags use.
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
