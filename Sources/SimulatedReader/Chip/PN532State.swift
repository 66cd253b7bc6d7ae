/// How a command ends.
enum PN532Reply {
  /// The data behind the response code.
  case data([UInt8])
  /// An error frame: the chip does not know the command or its parameters.
  case syntaxError
  /// The answer comes later. Its response is still without code.
  case later(PendingReply)

  static func status(_ status: PN532Status) -> PN532Reply { .data([status.rawValue]) }
}

/// What the chip says of an exchange (UM0701-02, section 7.1).
enum PN532Status: UInt8 {
  case ok = 0x00
  case timeout = 0x01
  case badCRC = 0x02
  case bufferTooSmall = 0x07
  case protocolError = 0x0B
  case badFrame = 0x13
  case wrongKey = 0x14
  case wrongContext = 0x27
}

/// The answer to a command that the chip is busy with.
struct PendingReply: Sendable {
  /// What it sends in the end, response code first; for a search, what it says when nothing came.
  var response: [UInt8]
  /// When; `nil` when it waits for a tag, or for ever.
  var delay: Duration?
  /// What it is looking for.
  var search: TagSearch?
  /// How long the air was busy before the wait began.
  var radio = Duration.zero
}

/// A search for a tag by InListPassiveTarget or InAutoPoll.
struct TagSearch: Sendable {
  /// The technology asked for, as InListPassiveTarget's BrTy; 0 is type A at 106 kbit/s.
  var baudRateAndType: UInt8
  /// For type A the UID with its cascade tags, or the beginning of it, empty for any tag; for
  /// others the data of their request.
  var initiatorData: [UInt8]
  var attempts: Int
  /// The types that InAutoPoll asks for, in order; empty for InListPassiveTarget.
  var polledTypes: [UInt8] = []
}

/// The tag the chip counts as its target number 1.
struct PN532Target: Sendable {
  var uid: [UInt8]
  var isSelected: Bool
  /// How it was found, as InListPassiveTarget's BrTy; 0 is type A at 106 kbit/s.
  var baudRateAndType: UInt8 = 0
  /// The block protocol of ISO/IEC 14443-4; `nil` with a tag that was not activated for it.
  var isoDEP: ISODEPState?

  /// Speed both ways and modulation, as GetGeneralStatus tells them (UM0701-02, section 7.2.3).
  var speedsAndModulation: [UInt8] {
    switch baudRateAndType {
    case 1, 2: [baudRateAndType, baudRateAndType, 0x10]
    case 4: [0, 0, 0x02]
    default: [0, 0, 0x00]
    }
  }
}

/// Times and retries that RFConfiguration sets (UM0701-02, section 7.3.1).
struct PN532Timing: Sendable {
  /// The wake-up condition of the serial line (section 6.3.1).
  static let risingEdgesToWake = 5
  /// One request and its silence.
  static let attempt = Duration.milliseconds(5)
  /// One round of InAutoPoll for one type is this times the period.
  static let pollUnit = Duration.milliseconds(150)

  /// How long the chip waits for a tag's answer; 51.2 ms from power-up.
  var answer = Duration.microseconds(51_200)
  /// MxRtyPassiveActivation; 255 is without end.
  var activationRetries = 0xFF

  /// The speed that a code of SetSerialBaudRate stands for (section 7.2.8).
  static func baudRate(code: UInt8) -> Int? {
    let rates = [
      9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600, 1_288_000,
    ]
    return rates.indices.contains(Int(code)) ? rates[Int(code)] : nil
  }

  /// Sets the answer time from the chip's logarithmic scale; 0 is no time-out, which is kept at
  /// the longest so that a tag that left never blocks the chip.
  mutating func setAnswer(code: UInt8) {
    let exponent = code == 0 ? 16 : min(Int(code), 16)
    answer = .microseconds(100 << (exponent - 1))
  }
}

/// The registers of the contactless interface (UM0701-02, section 8.6), as far as they act.
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
  /// How many bits of the last byte go out; 0 is all.
  var lastBitsSent: UInt8 { self[Address.bitFraming] & 0x07 }

  /// How many bits of the last byte came in; 0 is all.
  mutating func received(lastBits: UInt8) { self[Address.control] = lastBits }

  mutating func fieldSwitched(on: Bool) {
    self[Address.txControl] = self[Address.txControl] & 0xFC | (on ? 0x03 : 0x00)
  }

  /// What InListPassiveTarget leaves behind at 106 kbit/s type A: CRC on both ways, whole bytes, and
  /// in the FIFO the request when nothing answered it.
  mutating func prepareForTypeA(unanswered request: UInt8?) {
    self[Address.txMode] = 0x80
    self[Address.rxMode] = 0x80
    self[Address.bitFraming] = 0
    self[Address.fifoData] = request ?? 0
  }
}

/// One command to the chip and what it said.
package struct PN532Exchange: Hashable, Sendable {
  /// Command code and parameters, without `D4`.
  package let command: [UInt8]
  /// Response code and data, without `D5`; `7F` for an error frame; `nil` while the chip is still
  /// busy, or when the host went on without waiting.
  package internal(set) var response: [UInt8]?
}

extension PN532Exchange: CustomStringConvertible {
  /// The exchange in words, for example `InDataExchange READ page 4 → ok, 16 bytes`.
  package var description: String {
    let answer = response.map { PN532Wording.response($0, to: command) } ?? "no answer"
    return "\(PN532Wording.command(command)) → \(answer)"
  }
}
