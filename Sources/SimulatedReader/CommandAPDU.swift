/// A command of ISO/IEC 7816-4 with short lengths: header, data, and how much may come back.
struct CommandAPDU: Hashable, Sendable {
  let classByte: UInt8
  let instruction: UInt8
  let parameter1: UInt8
  let parameter2: UInt8
  let data: [UInt8]
  /// Le: how many bytes may come back, 1 to 256; `nil` when the command names none.
  let expectedByteCount: Int?

  /// Reads a command; `nil` when its lengths contradict each other.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 4 else { return nil }
    classByte = bytes[0]
    instruction = bytes[1]
    parameter1 = bytes[2]
    parameter2 = bytes[3]
    let body = bytes[4...]
    guard body.count > 1, let count = body.first.map(Int.init) else {
      data = []
      expectedByteCount = body.first.map { $0 == 0 ? 256 : Int($0) }
      return
    }
    guard count > 0, body.count == count + 1 || body.count == count + 2 else { return nil }
    data = Array(body.dropFirst().prefix(count))
    expectedByteCount = body.count == count + 2 ? (bytes.last.map { $0 == 0 ? 256 : Int($0) }) : nil
  }

  /// The offset in P1 and P2, when they hold one of fifteen bits.
  var offset: Int { Int(parameter1 & 0x7F) << 8 | Int(parameter2) }
}

/// The two bytes that end a response.
struct StatusWord: Error, Hashable, Sendable {
  let value: UInt16
  var bytes: [UInt8] { [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)] }

  static let ok = StatusWord(value: 0x9000)
  static let memoryFailure = StatusWord(value: 0x6581)
  static let wrongLength = StatusWord(value: 0x6700)
  static let securityNotSatisfied = StatusWord(value: 0x6982)
  static let noFileSelected = StatusWord(value: 0x6985)
  static let wrongData = StatusWord(value: 0x6A80)
  static let fileNotFound = StatusWord(value: 0x6A82)
  static let wrongParameters = StatusWord(value: 0x6A86)
  static let lengthContradictsParameters = StatusWord(value: 0x6A87)
  static let wrongOffset = StatusWord(value: 0x6B00)
  static let unknownInstruction = StatusWord(value: 0x6D00)
  static let unknownClass = StatusWord(value: 0x6E00)
  static let nativeOK = StatusWord(value: 0x9100)
  static let nativeMore = StatusWord(value: 0x91AF)
  static let nativeIllegalCommand = StatusWord(value: 0x911C)
  static let nativeAuthenticationError = StatusWord(value: 0x91AE)
  static let nativeSignature = StatusWord(value: 0x9190)
  static let nativeLengthError = StatusWord(value: 0x917E)
}
