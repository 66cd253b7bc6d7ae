/// A PN532 behind its serial line (UM0701-02): bytes in, bytes out, no time and no device.
///
/// The chip keeps its state between clients, as the real one does; only the host's commands and
/// ``lineClosed()`` change it. It sleeps until a byte or two on the line wake it: five rising edges
/// are needed, which `55` has in one byte, and what came before is lost.
///
/// Some answers come later: see ``delay``.
package struct SimulatedPN532: Sendable {
  /// The tag in front of the antenna, and its faults.
  package internal(set) var field: SimulatedField
  /// The latest exchanges, oldest first, at most ``exchangeLimit`` of them.
  package private(set) var exchanges: [PN532Exchange] = []
  /// How many exchanges are kept.
  package static let exchangeLimit = 4096
  /// Whether ``Fault/unplug(afterCommands:)`` has happened: nothing answers any more.
  package private(set) var isUnplugged = false
  /// Whether it is over: unplugged, or told to quit.
  var isFinished: Bool { isUnplugged || hasQuit }
  /// What is still to be done at chosen moments.
  var script = SimulatorScript()
  /// Whether the trace goes on; `nil` when nobody asked for one.
  var isTracing: Bool?
  var hasQuit = false

  var registers = PN532Registers()
  var timing = PN532Timing()
  var target: PN532Target?
  var pending: PendingReply?
  var lastError: UInt8 = 0
  var parameterFlags = PN532Flags.powerUp

  var faults: [Fault]
  private var reader = PN532FrameReader()
  private var line = SerialLine()
  private var lastResponse: [UInt8] = []
  private var lastEvent: TraceEvent?
  private var responseCount = 0
  /// Searches for tags so far.
  var searchCount = 0
  private var risingEdgesUntilAwake = PN532Timing.risingEdgesToWake

  /// Makes a chip that sleeps, as after power-up.
  ///
  /// - Parameters:
  ///   - tag: What lies in front of the antenna; `nil` for nothing.
  ///   - faults: What goes wrong with the tag and with the reader.
  package init(tag: (any SimulatedCard)?, faults: [Fault] = []) {
    field = SimulatedField(tag: tag, faults: faults.filter { !$0.isReaders })
    self.faults = faults.filter(\.isReaders)
  }

  /// Makes a chip that sleeps, with a deck of tags.
  package init(deck: SimulatedDeck, faults: [Fault] = []) {
    field = SimulatedField(deck: deck, faults: faults.filter { !$0.isReaders })
    self.faults = faults.filter(\.isReaders)
  }

  /// Adds a fault whose number counts from now on.
  mutating func add(_ fault: Fault) {
    let fault = fault.counted(from: counts, responses: responseCount, searches: searchCount)
    if fault.isReaders { faults.append(fault) } else { field.faults.append(fault) }
  }

  /// Nothing more goes wrong.
  mutating func clearFaults() {
    faults = []
    field.faults = []
  }

  /// What still goes wrong.
  var allFaults: [Fault] { faults + field.faults }

  /// What has been asked of it since the start.
  package var counts: ReaderCounts {
    var counts = line.counts
    counts.exchanges = commandCount
    counts.tagCommands = field.tagCommands
    counts.writes = field.writes
    counts.radioTime = field.radioTime
    return counts
  }

  /// How many commands the chip took since the start.
  package private(set) var commandCount = 0

  /// Takes bytes from the host and returns what the chip sends at once.
  ///
  /// - Parameter bytes: Any bytes, cut anywhere.
  package mutating func receive(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    hear(bytes).flatMap(\.bytes)
  }

  /// Takes bytes from the host and returns what the chip does, in order.
  mutating func hear(_ bytes: some Sequence<UInt8>) -> [ChipOutput] {
    var heard: [UInt8] = []
    var count = 0
    for byte in bytes {
      count += 1
      if isAwake(after: byte) { heard.append(byte) }
    }
    line.receive(count)
    var output: [ChipOutput] = []
    for item in reader.take(heard) where !isUnplugged {
      switch item {
      case .acknowledge:
        pending = nil
        output.append(ChipOutput(event: .hostAcknowledged, endsEarlier: true))
      case .negativeAcknowledge:
        output.append(ChipOutput(event: .hostRefused, endsEarlier: true))
        // Before the first command there is nothing to say again.
        guard !lastResponse.isEmpty else { continue }
        output.append(line.send(lastResponse, event: lastEvent))
      case .information(let body):
        output += take(body)
        output += runScript()
      }
    }
    return output
  }

  /// How long the chip will be silent before it answers the command it is busy with.
  ///
  /// `nil` when it is busy with nothing, or until a tag comes. When the time has passed, call
  /// ``delayElapsed()``.
  package var delay: Duration? { pending?.delay }

  /// The time in ``delay`` has passed.
  ///
  /// - Returns: What the chip sends now.
  package mutating func delayElapsed() -> [UInt8] { letDelayElapse().flatMap(\.bytes) }

  /// The time in ``delay`` has passed.
  mutating func letDelayElapse() -> [ChipOutput] {
    guard let reply = pending, let delay = reply.delay else { return [] }
    pending = nil
    line.waited(delay)
    return send(reply.response, radio: reply.radio)
  }

  /// The client closed the line: the beginning of a frame is forgotten, and a tag that a fault took
  /// away is put back for the next client. The chip itself notices nothing.
  package mutating func lineClosed() {
    reader.reset()
    line.reset()
    field.putBackIfAway()
  }

  /// Lays another tag on the reader, or takes it away with `nil`.
  ///
  /// - Returns: What the chip sends now, when it was waiting for a tag.
  package mutating func replaceTag(with tag: (any SimulatedCard)?) -> [UInt8] {
    changeTag(to: tag).flatMap(\.bytes)
  }

  /// Lays another tag on the reader, or takes it away with `nil`.
  mutating func changeTag(to tag: (any SimulatedCard)?) -> [ChipOutput] {
    field.replaceTag(with: tag)
    return lookAgain()
  }

  /// The chip was waiting for a tag, and one may be there now.
  mutating func lookAgain() -> [ChipOutput] {
    guard let search = pending?.search, let response = look(for: search) else { return [] }
    pending = nil
    return send(response)
  }

  /// Goes to sleep; the next byte or two wake it and are lost.
  mutating func sleep() {
    field.switchOff()
    registers.fieldSwitched(on: false)
    risingEdgesUntilAwake = PN532Timing.risingEdgesToWake
  }

  /// Speaks at another speed as soon as the answer to the command that asks for it has been sent.
  mutating func changeBaudRate(to rate: Int) { line.nextBaudRate = rate }

  /// Counts the rising edges of a byte between its start bit (0) and its stop bit (1).
  private mutating func isAwake(after byte: UInt8) -> Bool {
    guard risingEdgesUntilAwake > 0 else { return true }
    let line = UInt16(byte) << 1 | 0x200
    risingEdgesUntilAwake -= (line & ~(line << 1)).nonzeroBitCount
    return false
  }

  private mutating func take(_ body: [UInt8]) -> [ChipOutput] {
    pending = nil
    let heard = ChipOutput(event: .command(body: body), endsEarlier: true)
    guard !unplugs() else { return [heard] }
    commandCount += 1
    if takeFault(.busy(commandCount)) {
      return [heard, .note("fault busy=\(commandCount): the reader takes no notice")]
    }
    restart()
    if exchanges.count == Self.exchangeLimit { exchanges.removeFirst(Self.exchangeLimit / 4) }
    exchanges.append(PN532Exchange(command: Array(body.dropFirst())))
    let acknowledged = line.send(PN532Frame.acknowledge, event: .chipAcknowledged)
    guard body.count >= 2, body[0] == 0xD4 else { return [heard, acknowledged] + send(nil) }
    if takeFault(.errorFrame(commandCount)) {
      return [heard, acknowledged, .note("fault error-frame=\(commandCount)")] + send(nil)
    }

    let before = field.radioTime
    let reply = run(code: body[1], parameters: Array(body[2...]))
    let radio = field.radioTime - before
    let begun = [heard, acknowledged] + field.takeNotes()
    switch reply {
    case .data(let data): return begun + send([body[1] &+ 1] + data, radio: radio)
    case .syntaxError: return begun + send(nil)
    case .later(var reply):
      reply.response.insert(body[1] &+ 1, at: 0)
      reply.radio = radio
      pending = reply
      return begun
    }
  }

  /// Sends a response, code first, or with `nil` the error frame.
  private mutating func send(_ response: [UInt8]?, radio: Duration = .zero) -> [ChipOutput] {
    responseCount += 1
    let command = exchanges.last?.command ?? []
    if !exchanges.isEmpty { exchanges[exchanges.count - 1].response = response ?? [0x7F] }
    lastResponse = response.map { PN532Frame.information([0xD5] + $0) } ?? PN532Frame.syntaxError
    lastEvent = .response(body: response.map { [0xD5] + $0 } ?? [0x7F], command: command)
    var frame = lastResponse
    var notes: [ChipOutput] = []
    for fault in faults {
      switch fault {
      case .dropResponse(responseCount):
        return [.note("fault \(fault): the response is lost")]
      case .corruptResponse(responseCount):
        frame[frame.count - 2] ^= 0xFF
        notes.append(.note("fault \(fault): the next response has a wrong check byte"))
      case .delayResponse(responseCount, let milliseconds):
        notes.append(.note("fault \(fault): the next response is late"))
        notes[notes.count - 1].hold = .milliseconds(milliseconds)
      case .noise(responseCount):
        frame = [0xFF, 0x00, 0x00, 0x55, 0xAA] + frame
        notes.append(.note("fault \(fault): bytes that are no frame come first"))
      default: continue
      }
    }
    var output = line.send(frame, event: lastEvent)
    output.radio = radio
    return notes + [output]
  }
}

/// Faults of the reader itself.
extension SimulatedPN532 {
  private mutating func unplugs() -> Bool {
    for case .unplug(let count) in faults where commandCount >= count { isUnplugged = true }
    return isUnplugged
  }

  /// The chip loses its power for a moment and forgets everything, before it takes the command that
  /// has just been counted.
  private mutating func restart() {
    guard takeFault(.restart(afterCommands: commandCount - 1)) else { return }
    switchField(on: false)
    registers = PN532Registers()
    timing = PN532Timing()
    parameterFlags = PN532Flags.powerUp
    target = nil
    lastError = 0
    field.note("fault restart-after=\(commandCount - 1): the reader starts anew")
  }

  /// Strikes off a fault that happens once; tells whether it was due.
  mutating func takeFault(_ fault: Fault) -> Bool {
    guard let index = faults.firstIndex(of: fault) else { return false }
    faults.remove(at: index)
    return true
  }
}

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
