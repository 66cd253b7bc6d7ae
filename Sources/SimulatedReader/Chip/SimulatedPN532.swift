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
  var line = SerialLine()
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
    let fault = fault.counted(
      from: counts, responses: responseCount, searches: searchCount, selections: field.selections)
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
    guard !isSilent else { return [heard] }
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
  /// Whether the last command that was counted, and every later one, stays unanswered.
  var isSilent: Bool {
    faults.contains { fault in
      if case .silence(let count) = fault { commandCount > count } else { false }
    }
  }

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

  /// Counts a command that another reader's firmware takes for this chip's field.
  ///
  /// - Returns: Whether the reader is there and takes notice.
  mutating func takesCommand(_ command: [UInt8]) -> Bool {
    guard !unplugs() else { return false }
    commandCount += 1
    if exchanges.count == Self.exchangeLimit { exchanges.removeFirst(Self.exchangeLimit / 4) }
    exchanges.append(PN532Exchange(command: command))
    return !takeFault(.busy(commandCount)) && !takeFault(.errorFrame(commandCount))
  }

  /// Whether the answer to it reaches the host.
  mutating func letsAnswerThrough() -> Bool {
    responseCount += 1
    return !takeFault(.dropResponse(responseCount)) && !takeFault(.corruptResponse(responseCount))
  }

  /// Strikes off a fault that happens once; tells whether it was due.
  mutating func takeFault(_ fault: Fault) -> Bool {
    guard let index = faults.firstIndex(of: fault) else { return false }
    faults.remove(at: index)
    return true
  }
}

/// Commands to the chip itself (UM0701-02, sections 7.2 and 7.3.1).
extension SimulatedPN532 {
  mutating func run(code: UInt8, parameters: [UInt8]) -> PN532Reply {
    switch code {
    case 0x00: diagnose(parameters)
    case 0x02: .data([0x32, 0x01, 0x06, 0x07])
    case 0x04: .data(generalStatus)
    case 0x06: readRegisters(parameters)
    case 0x08: writeRegisters(parameters)
    case 0x0C: .data([0xFF, 0xFF, 0x00])
    case 0x0E: parameters.count == 2 ? .data([]) : .syntaxError
    case 0x10: setBaudRate(parameters)
    case 0x12: setParameters(parameters)
    case 0x14: configureSAM(parameters)
    case 0x16: powerDown(parameters)
    case 0x32: configureRF(parameters)
    // RFRegulationTest and TgInitAsTarget end when the host says so, never by themselves.
    case 0x58, 0x8C: .later(PendingReply(response: [], delay: nil))
    // The other target commands need an initiator, and there is none.
    case 0x86, 0x88, 0x8A, 0x8E, 0x90, 0x92, 0x94: .status(.wrongContext)
    default: runInitiator(code: code, parameters: parameters)
    }
  }

  private mutating func diagnose(_ parameters: [UInt8]) -> PN532Reply {
    switch parameters.first {
    case 0x00: .data(parameters)
    case 0x01, 0x02, 0x07: .status(.ok)
    // Polling for FeliCa: 0x80 counts as all polls failed.
    case 0x04: .data([0x80])
    case 0x06: isISODEPTargetPresent()
    case 0x05: .later(PendingReply(response: [], delay: nil))
    default: .syntaxError
    }
  }

  private var generalStatus: [UInt8] {
    let targets = target.map { [1, 1] + $0.speedsAndModulation } ?? [0]
    return [lastError, field.isOn ? 1 : 0] + targets + [0]
  }

  private func readRegisters(_ parameters: [UInt8]) -> PN532Reply {
    guard !parameters.isEmpty, parameters.count.isMultiple(of: 2) else { return .syntaxError }
    return .data(
      stride(from: 0, to: parameters.count, by: 2).map { offset in
        registers[UInt16(parameters[offset]) << 8 | UInt16(parameters[offset + 1])]
      })
  }

  private mutating func writeRegisters(_ parameters: [UInt8]) -> PN532Reply {
    guard !parameters.isEmpty, parameters.count.isMultiple(of: 3) else { return .syntaxError }
    for offset in stride(from: 0, to: parameters.count, by: 3) {
      let address = UInt16(parameters[offset]) << 8 | UInt16(parameters[offset + 1])
      registers[address] = parameters[offset + 2]
    }
    return .data([])
  }

  private mutating func setParameters(_ parameters: [UInt8]) -> PN532Reply {
    guard parameters.count == 1 else { return .syntaxError }
    parameterFlags = parameters[0]
    return .data([])
  }

  private func configureSAM(_ parameters: [UInt8]) -> PN532Reply {
    guard let mode = parameters.first, (1...4).contains(mode), parameters.count <= 3 else {
      return .syntaxError
    }
    return .data([])
  }

  /// The pseudo-terminal has no speed; the new one counts for times alone.
  private mutating func setBaudRate(_ parameters: [UInt8]) -> PN532Reply {
    guard parameters.count == 1, let rate = PN532Timing.baudRate(code: parameters[0]) else {
      return .syntaxError
    }
    changeBaudRate(to: rate)
    return .data([])
  }

  private mutating func powerDown(_ parameters: [UInt8]) -> PN532Reply {
    guard (1...2).contains(parameters.count) else { return .syntaxError }
    target = nil
    sleep()
    return .status(.ok)
  }

  private mutating func configureRF(_ parameters: [UInt8]) -> PN532Reply {
    switch (parameters.first, parameters.count) {
    case (0x01, 2): switchField(on: parameters[1] & 0x01 != 0)
    case (0x02, 4): timing.setAnswer(code: parameters[3])
    case (0x05, 4): timing.activationRetries = Int(parameters[3])
    // Retries of exchanges and analogue settings are taken and change nothing here.
    case (0x04, 2), (0x0A, 12), (0x0B, 9), (0x0C, 4), (0x0D, 10): break
    default: return .syntaxError
    }
    return .data([])
  }

  mutating func switchField(on: Bool) {
    if on { field.switchOn() } else { field.switchOff() }
    registers.fieldSwitched(on: on)
  }
}
