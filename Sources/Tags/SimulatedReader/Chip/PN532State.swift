/// The outcome of a command.
enum PN532Reply {
  /// The data after the response code.
  case data([UInt8])
  /// An error frame: the chip does not support the command or its parameters.
  case syntaxError
  /// A delayed response, without its code.
  case later(PendingReply)

  static func status(_ status: PN532Status) -> PN532Reply { .data([status.rawValue]) }
}

/// The status of an exchange (UM0701-02, section 7.1).
enum PN532Status: UInt8 {
  case ok = 0x00
  case timeout = 0x01
  case badCRC = 0x02
  case bufferTooSmall = 0x07
  case protocolError = 0x0B
  case badFrame = 0x13
  case wrongContext = 0x27
}

/// The delayed response to a command in progress.
struct PendingReply: Sendable {
  /// The final response, code first; for a search, the response if no tag was found.
  var response: [UInt8]
  /// The delay; `nil` if the chip waits for a tag, or indefinitely.
  var delay: Duration?
  /// The search in progress.
  var search: TagSearch?
  /// The time of radio exchanges before the wait began.
  var radio = Duration.zero
}

/// A search for a tag by InListPassiveTarget or InAutoPoll.
struct TagSearch: Sendable {
  /// The requested technology, as InListPassiveTarget's BrTy; 0 is type A at 106 kbit/s.
  var baudRateAndType: UInt8
  /// For type A, the UID with its cascade tags, or the beginning of it, empty for any tag; for
  /// others, the data of their request.
  var initiatorData: [UInt8]
  var attempts: Int
  /// The types requested by InAutoPoll, in order; empty for InListPassiveTarget.
  var polledTypes: [UInt8] = []
}

/// The tag that the chip counts as its target number 1.
struct PN532Target: Sendable {
  var uid: [UInt8]
  var isSelected: Bool
  /// The technology with which it was found, as InListPassiveTarget's BrTy; 0 is type A at 106
  /// kbit/s.
  var baudRateAndType: UInt8 = 0
  /// The block protocol of ISO/IEC 14443-4; `nil` for a tag that was not activated for it.
  var isoDEP: ISODEPState?

  /// The speed in both directions and the modulation, as reported by GetGeneralStatus (UM0701-02,
  /// section 7.2.3).
  var speedsAndModulation: [UInt8] {
    switch baudRateAndType {
    case 1, 2: [baudRateAndType, baudRateAndType, 0x10]
    case 4: [0, 0, 0x02]
    default: [0, 0, 0x00]
    }
  }
}

/// The times and retries set by RFConfiguration (UM0701-02, section 7.3.1).
struct PN532Timing: Sendable {
  /// The number of rising edges on the serial line that wake the chip (section 6.3.1).
  static let risingEdgesToWake = 5
  /// The duration of one unanswered request.
  static let attempt = Duration.milliseconds(5)
  /// The unit of InAutoPoll's period: one round for one type takes this times the period.
  static let pollUnit = Duration.milliseconds(150)

  /// The time for which the chip waits for a tag's response; 51.2 ms from power-up.
  var answer = Duration.microseconds(51_200)
  /// MxRtyPassiveActivation; 255 means endless.
  var activationRetries = 0xFF

  /// The speed in baud for a code of SetSerialBaudRate (section 7.2.8).
  static func baudRate(code: UInt8) -> Int? {
    let rates = [
      9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600, 1_288_000,
    ]
    return rates.indices.contains(Int(code)) ? rates[Int(code)] : nil
  }

  /// Sets the response time-out from the chip's logarithmic scale. 0 means no time-out, for which
  /// the longest is used so that an absent tag never blocks the chip.
  mutating func setAnswer(code: UInt8) {
    let exponent = code == 0 ? 16 : min(Int(code), 16)
    answer = .microseconds(100 << (exponent - 1))
  }
}

/// The registers of the contactless interface (UM0701-02, section 8.6) that have an effect.
struct PN532Registers: Sendable {
  private var values: [UInt16: UInt8] = [
    Address.txMode: 0x80, Address.rxMode: 0x80, Address.txControl: 0x80,
  ]

  enum Address {
    static let txMode: UInt16 = 0x6302
    static let rxMode: UInt16 = 0x6303
    static let txControl: UInt16 = 0x6304
    static let fifoData: UInt16 = 0x6339
    static let control: UInt16 = 0x633C
    static let bitFraming: UInt16 = 0x633D
  }

  subscript(address: UInt16) -> UInt8 {
    get { values[address] ?? 0 }
    set { values[address] = newValue }
  }

  var addsCRC: Bool { self[Address.txMode] & 0x80 != 0 }
  var checksCRC: Bool { self[Address.rxMode] & 0x80 != 0 }
  /// The number of bits sent from the last byte; 0 means all.
  var lastBitsSent: UInt8 { self[Address.bitFraming] & 0x07 }

  /// Sets the number of bits received in the last byte; 0 means all.
  mutating func received(lastBits: UInt8) { self[Address.control] = lastBits }

  mutating func fieldSwitched(on: Bool) {
    self[Address.txControl] = self[Address.txControl] & 0xFC | (on ? 0x03 : 0x00)
  }

  /// Sets the registers as InListPassiveTarget leaves them at 106 kbit/s type A: CRC in both
  /// directions, whole bytes, and an unanswered request in the FIFO.
  mutating func prepareForTypeA(unanswered request: UInt8?) {
    self[Address.txMode] = 0x80
    self[Address.rxMode] = 0x80
    self[Address.bitFraming] = 0
    self[Address.fifoData] = request ?? 0
  }
}

/// One command to the chip and its response.
package struct PN532Exchange: Hashable, Sendable {
  /// The command code and parameters, without `D4`.
  package let command: [UInt8]
  /// The response code and data, without `D5`; `7F` for an error frame; `nil` while the chip is
  /// still busy, or if the host continued without waiting.
  package internal(set) var response: [UInt8]?
}

extension PN532Exchange: CustomStringConvertible {
  /// The exchange in words, for example `InDataExchange READ page 4 → ok, 16 bytes`.
  package var description: String {
    let answer = response.map { PN532Wording.response($0, to: command) } ?? "no answer"
    return "\(PN532Wording.command(command)) → \(answer)"
  }
}
