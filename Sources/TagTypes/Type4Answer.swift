/// The answer to one command of a Type 4 tag: data, and two status bytes behind it
/// (ISO/IEC 7816-4, section 5.1).
struct Type4Answer: Hashable, Sendable {
  let data: [UInt8]
  let status: Type4Status

  /// Takes an answer apart; `nil` when it is too short to be one.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 2 else { return nil }
    data = Array(bytes.dropLast(2))
    status = Type4Status(
      rawValue: UInt16(bytes[bytes.count - 2]) << 8 | UInt16(bytes[bytes.count - 1]))
  }
}

/// What a Type 4 tag says of a command: the status bytes SW1 and SW2 (ISO/IEC 7816-4, section 5.6).
struct Type4Status: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt16

  init(rawValue: UInt16) { self.rawValue = rawValue }

  static let done = Type4Status(rawValue: 0x9000)
  /// Fewer bytes than asked for, because the file ends.
  static let endOfFile = Type4Status(rawValue: 0x6282)
  static let memoryFailure = Type4Status(rawValue: 0x6581)
  static let securityNotSatisfied = Type4Status(rawValue: 0x6982)
  static let fileNotFound = Type4Status(rawValue: 0x6A82)
  static let noDiagnosis = Type4Status(rawValue: 0x6F00)
  /// Done, in the wrapped native commands of MIFARE DESFire and NTAG 424 DNA.
  static let nativeDone = Type4Status(rawValue: 0x9100)
  /// Done, and more data waits.
  static let nativeMore = Type4Status(rawValue: 0x91AF)

  /// Done, in answer to Read_Sig.
  static let nativeSignature = Type4Status(rawValue: 0x9190)

  /// Whether the data of the answer counts.
  var isData: Bool { self == .done || self == .endOfFile }

  /// Whether the same command may succeed when it is sent once more.
  var isTransient: Bool { self == .memoryFailure || self == .noDiagnosis }

  /// Whether a tag can mean this by the answer to a command: ISO/IEC 7816-4 knows 9000 and 61xx to
  /// 6Fxx, and the wrapped native commands (class 90) of MIFARE DESFire and NTAG 424 DNA 91xx too.
  /// Anything else was garbled on its way.
  func answers(_ command: [UInt8]) -> Bool {
    switch rawValue >> 8 {
    case 0x61...0x6F: true
    case 0x91: command.first == 0x90
    default: self == .done
    }
  }

  private static let meanings: [UInt16: String] = [
    0x6282: "the file ends before",
    0x6581: "memory failure",
    0x6700: "wrong length",
    0x6900: "command not allowed",
    0x6982: "security status not satisfied",
    0x6985: "conditions of use not satisfied",
    0x6986: "command not allowed",
    0x6A80: "wrong data",
    0x6A81: "function not supported",
    0x6A82: "file not found",
    0x6A84: "not enough memory in the file",
    0x6A86: "wrong parameters",
    0x6A87: "wrong length for the parameters",
    0x6B00: "wrong offset",
    0x6D00: "command not known",
    0x6E00: "class not known",
    0x6F00: "no precise diagnosis",
  ]
}

extension Type4Status: CustomStringConvertible {
  /// The number, and what it means if the standard says so.
  var description: String {
    let digits = [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)].hexadecimal
    return Self.meanings[rawValue].map { "status \(digits), \($0)" } ?? "status \(digits)"
  }
}
