internal import TagTypes

/// How one tag command travels, and what its answer has to look like.
struct ExchangeRule: Hashable, Sendable {
  /// Whether the reader frames the command (InDataExchange) or passes it on as it is.
  let isFramedByReader: Bool
  /// Bytes of the answer, when the data sheet fixes them.
  let answerLength: Int?
  /// Whether sending the command twice does the same as sending it once.
  let isRepeatable: Bool
  /// Milliseconds the reader may take for it; nil for the reader's own time-out.
  let timeout: Int32?

  /// The longest command that libnfc and the chip's frame take beside InDataExchange's own two
  /// bytes (UM0701-02, 7.3.8). libnfc copies a longer one past the end of its buffer.
  static let commandByteLimit = 262

  init(_ command: [UInt8], target: TagTarget) {
    if target.speaksISODEP {
      self.init(
        isFramedByReader: true, answerLength: nil, isRepeatable: false,
        timeout: Self.timeout(answerToSelect: target.ats))
    } else if target.sak & 0x08 != 0 {
      self.init(ofMIFAREClassic: command)
    } else {
      self.init(ofType2: command)
    }
  }

  /// NTAG213/215/216 data sheet, section 10.
  private init(ofType2 command: [UInt8]) {
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

  /// MF1S50YYX data sheet, section 12. Nothing but AUTH is sent twice: the selection that comes
  /// before the second time ends what AUTH opened.
  private init(ofMIFAREClassic command: [UInt8]) {
    switch command.first {
    case 0x60, 0x61:  // AUTH with key A, with key B
      self.init(isFramedByReader: true, answerLength: 0, isRepeatable: true)
    case 0x30:  // READ
      self.init(isFramedByReader: true, answerLength: 16, isRepeatable: false)
    case 0xA0:  // WRITE
      self.init(isFramedByReader: true, answerLength: 0, isRepeatable: false)
    default: self.init(isFramedByReader: true, answerLength: nil, isRepeatable: false)
    }
  }

  private init(
    isFramedByReader: Bool, answerLength: Int?, isRepeatable: Bool, timeout: Int32? = nil
  ) {
    self.isFramedByReader = isFramedByReader
    self.answerLength = answerLength
    self.isRepeatable = isRepeatable
    self.timeout = timeout
  }

  /// Milliseconds for one APDU: 2 s for the line and for a tag that asks for more time, and four
  /// frame waiting times, because the chip repeats a block that stayed unanswered.
  ///
  /// The frame waiting time is 302 µs · 2^FWI, with FWI in the upper half of TB(1), 4 where that
  /// is absent (ISO/IEC 14443-4, 5.2.5 and 7.2).
  private static func timeout(answerToSelect ats: [UInt8]) -> Int32 {
    var waitingIndex: UInt8 = 4
    // T0 says which of TA(1), TB(1), TC(1) follow it.
    if let format = ats.first, format & 0x20 != 0 {
      let place = format & 0x10 != 0 ? 2 : 1
      if ats.indices.contains(place), ats[place] >> 4 < 15 { waitingIndex = ats[place] >> 4 }
    }
    return 2000 + 4 * (302 << Int32(waitingIndex)) / 1000
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
