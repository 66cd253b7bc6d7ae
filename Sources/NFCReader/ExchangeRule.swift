internal import TagTypes

/// How one tag command travels, and what its answer has to look like.
struct ExchangeRule: Hashable, Sendable {
  /// Whether the reader frames the command (InDataExchange) or passes it on as it is.
  let isFramedByReader: Bool
  /// Bytes of the answer, when the data sheet fixes them.
  let answerLength: Int?
  /// Whether sending the command twice does the same as sending it once.
  let isRepeatable: Bool

  init(_ command: [UInt8], target: TagTarget) {
    // SAK bit 6: the tag speaks ISO/IEC 14443-4 (ISO/IEC 14443-3, table 9), so this is an APDU.
    guard target.sak & 0x20 == 0 else {
      self.init(isFramedByReader: true, answerLength: nil, isRepeatable: false)
      return
    }
    // NTAG213/215/216 data sheet, section 10.
    switch command.first {
    case 0x30:  // READ
      self.init(isFramedByReader: true, answerLength: 16, isRepeatable: true)
    case 0xA2, 0xA0:  // WRITE, COMPATIBILITY_WRITE
      self.init(isFramedByReader: true, answerLength: 0, isRepeatable: true)
    case 0x60:  // GET_VERSION
      self.init(isFramedByReader: false, answerLength: 8, isRepeatable: true)
    case 0x3A:  // FAST_READ
      let pages = command.count == 3 ? Int(command[2]) - Int(command[1]) + 1 : 0
      self.init(
        isFramedByReader: false, answerLength: pages > 0 ? pages * 4 : nil, isRepeatable: true)
    case 0x39:  // READ_CNT
      self.init(isFramedByReader: false, answerLength: 3, isRepeatable: true)
    case 0x3C:  // READ_SIG
      self.init(isFramedByReader: false, answerLength: 32, isRepeatable: true)
    case 0x1B:  // PWD_AUTH: a wrong password sent twice is counted twice
      self.init(isFramedByReader: false, answerLength: 2, isRepeatable: false)
    default: self.init(isFramedByReader: false, answerLength: nil, isRepeatable: false)
    }
  }

  private init(isFramedByReader: Bool, answerLength: Int?, isRepeatable: Bool) {
    self.isFramedByReader = isFramedByReader
    self.answerLength = answerLength
    self.isRepeatable = isRepeatable
  }

  /// The answer as the data sheet has it, or nil when it is a refusal.
  ///
  /// Some readers hand on the CRC, or a four-bit answer as one byte: `A` is the acknowledgement,
  /// anything else a NAK.
  func accept(_ answer: [UInt8]) -> [UInt8]? {
    guard let answerLength else { return answer }
    if answerLength == 0, let first = answer.first { return first == 0x0A ? [] : nil }
    guard answer.count >= answerLength else { return nil }
    return Array(answer.prefix(answerLength))
  }
}
