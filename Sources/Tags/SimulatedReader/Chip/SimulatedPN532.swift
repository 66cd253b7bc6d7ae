import CliptagBasics
import TagTypes

/// A PN532 behind its serial line (UM0701-02), as bytes in and bytes out, without time and without
/// a device.
///
/// The chip keeps its state between clients, as the real one does; only the host's commands and
/// ``lineClosed()`` change it. It sleeps until one or two bytes on the line wake it: five rising
/// edges are needed, which `55` has in one byte, and earlier bytes are lost.
///
/// Some responses are delayed: see ``delay``.
package struct SimulatedPN532: Sendable {
  /// The tag in front of the antenna, and its faults.
  package internal(set) var field: SimulatedField
  /// The latest exchanges, oldest first, at most ``exchangeLimit``.
  package private(set) var exchanges: [PN532Exchange] = []
  /// The number of exchanges that are kept.
  package static let exchangeLimit = 4096
  /// A Boolean value that indicates whether ``Fault/unplug(afterCommands:)`` has happened: the
  /// reader no longer answers.
  package private(set) var isUnplugged = false
  /// A Boolean value that indicates whether the simulation has ended: the reader was unplugged or
  /// ordered to quit.
  var isFinished: Bool { isUnplugged || hasQuit }
  /// The pending lines of the script.
  var script = SimulatorScript()
  /// A Boolean value that indicates whether the trace is active; `nil` if no trace was requested.
  var isTracing: Bool?
  var hasQuit = false

  /// The recorded answers of the chip, or of the PC/SC reader around it; `nil` if it plays none.
  var played: PlayedAnswers?

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
  /// Takes passwords and keys out of the trace.
  private var traceMask = SessionMask(.chip)
  private var responseCount = 0
  /// The number of searches for tags so far.
  var searchCount = 0
  private var risingEdgesUntilAwake = PN532Timing.risingEdgesToWake

  /// Makes a sleeping chip, as after power-up.
  ///
  /// - Parameters:
  ///   - tag: The tag in front of the antenna; `nil` for none.
  ///   - faults: The faults of the tag and of the reader.
  package init(tag: (any SimulatedCard)?, faults: [Fault] = []) {
    field = SimulatedField(tag: tag, faults: faults.filter { !$0.isReaders })
    self.faults = faults.filter(\.isReaders)
  }

  /// Makes a sleeping chip with a deck of tags.
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

  /// Removes all pending faults.
  mutating func clearFaults() {
    faults = []
    field.faults = []
  }

  /// The pending faults.
  var allFaults: [Fault] { faults + field.faults }

  /// The figures of the reader's work since the start.
  package var counts: ReaderCounts {
    var counts = line.counts
    counts.exchanges = commandCount
    counts.tagCommands = field.tagCommands
    counts.writes = field.writes
    counts.radioTime = field.radioTime
    return counts
  }

  /// The number of commands that the chip took since the start.
  package private(set) var commandCount = 0

  /// Takes bytes from the host and returns the bytes that the chip sends at once.
  ///
  /// - Parameter bytes: Any bytes, split anywhere.
  package mutating func receive(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    hear(bytes).flatMap(\.bytes)
  }

  /// Takes bytes from the host and returns the chip's actions, in order.
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
        // Before the first command there is no response to repeat.
        guard !lastResponse.isEmpty else { continue }
        output.append(line.send(lastResponse, event: lastEvent))
      case .information(let body):
        output += take(body)
        output += runScript()
      }
    }
    return output
  }

  /// The delay before the chip answers the command in progress.
  ///
  /// `nil` if there is no such command, or if the chip waits for a tag. After the delay, call
  /// ``delayElapsed()``.
  package var delay: Duration? { pending?.delay }

  /// Continues after the time in ``delay`` has passed.
  ///
  /// - Returns: The bytes that the chip now sends.
  package mutating func delayElapsed() -> [UInt8] { letDelayElapse().flatMap(\.bytes) }

  /// Continues after the time in ``delay`` has passed.
  mutating func letDelayElapse() -> [ChipOutput] {
    guard let reply = pending, let delay = reply.delay else { return [] }
    pending = nil
    line.waited(delay)
    return send(reply.response, radio: reply.radio)
  }

  /// Handles a line closed by the client: discards an incomplete frame, and puts back a tag that a
  /// fault removed, for the next client. The chip itself does not notice.
  package mutating func lineClosed() {
    reader.reset()
    line.reset()
    field.putBackIfAway()
    played?.rewind()
    field.played?.rewind()
  }

  /// Places another tag on the reader, or removes it with `nil`.
  ///
  /// - Returns: The bytes that the chip now sends, if it was waiting for a tag.
  package mutating func replaceTag(with tag: (any SimulatedCard)?) -> [UInt8] {
    changeTag(to: tag).flatMap(\.bytes)
  }

  /// Places another tag on the reader, or removes it with `nil`.
  mutating func changeTag(to tag: (any SimulatedCard)?) -> [ChipOutput] {
    field.replaceTag(with: tag)
    return lookAgain()
  }

  /// Repeats the search of a chip that is waiting for a tag.
  mutating func lookAgain() -> [ChipOutput] {
    guard let search = pending?.search, let response = look(for: search) else { return [] }
    pending = nil
    return send(response)
  }

  /// Puts the chip to sleep; the next one or two bytes wake it and are lost.
  mutating func sleep() {
    field.switchOff()
    registers.fieldSwitched(on: false)
    risingEdgesUntilAwake = PN532Timing.risingEdgesToWake
  }

  /// Changes the speed after the response to the command in progress has been sent.
  mutating func changeBaudRate(to rate: Int) { line.nextBaudRate = rate }

  /// Counts the rising edges of a byte between its start bit (0) and its stop bit (1).
  private mutating func isAwake(after byte: UInt8) -> Bool {
    guard risingEdgesUntilAwake > 0 else { return true }
    let line = UInt16(byte) << 1 | 0x200
    risingEdgesUntilAwake -= (line & ~(line << 1)).nonzeroBitCount
    return false
  }

  /// The error of a player that was sent another command than the recorded one.
  var playedFailure: SimulatedReaderError? {
    guard let difference = played?.difference ?? field.played?.difference else { return nil }
    let expected = difference.expected.map { "where the session has \($0.hexadecimal)" }
    return SimulatedReaderError(
      .sessionDiffers,
      "The program sent \(difference.command.hexadecimal) "
        + (expected ?? "after the end of the session") + ".",
      hint: "Send what was recorded, or play the session leniently, with a tag for the rest.")
  }

  /// The recorded reply to a command. The chip executes it as well, so that its state fits if it
  /// has to answer the next one.
  private mutating func playedReply(to body: [UInt8]) -> PN532Reply? {
    guard played?.level == .chip, let answer = played?.answer(to: body) else { return nil }
    if played?.mode == .lenient { _ = run(code: body[1], parameters: Array(body[2...])) }
    switch answer {
    case .bytes(let bytes) where bytes.first == 0xD5: return .data(Array(bytes.dropFirst(2)))
    case .bytes: return .syntaxError
    case .silence: return .later(PendingReply(response: [], delay: nil))
    }
  }

  private mutating func take(_ body: [UInt8]) -> [ChipOutput] {
    pending = nil
    field.prepare(&traceMask)
    let heard = ChipOutput(event: .command(body: traceMask.command(body)), endsEarlier: true)
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
    let reply = playedReply(to: body) ?? run(code: body[1], parameters: Array(body[2...]))
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

  /// Sends a response, code first, or the error frame for `nil`.
  private mutating func send(_ response: [UInt8]?, radio: Duration = .zero) -> [ChipOutput] {
    responseCount += 1
    let command = exchanges.last?.command ?? []
    if !exchanges.isEmpty { exchanges[exchanges.count - 1].response = response ?? [0x7F] }
    lastResponse = response.map { PN532Frame.information([0xD5] + $0) } ?? PN532Frame.syntaxError
    let shown = response.map { traceMask.answer([0xD5] + $0) } ?? [0x7F]
    lastEvent = .response(body: shown, command: command)
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

/// The faults of the reader itself.
extension SimulatedPN532 {
  /// A Boolean value that indicates whether the last counted command, and every later one, stays
  /// unanswered.
  var isSilent: Bool {
    faults.contains { fault in
      if case .silence(let count) = fault { commandCount > count } else { false }
    }
  }

  private mutating func unplugs() -> Bool {
    for case .unplug(let count) in faults where commandCount >= count { isUnplugged = true }
    return isUnplugged
  }

  /// Resets the chip by a brief loss of power, before it takes the command that has just been
  /// counted.
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
  /// - Returns: `true` if the reader is present and takes the command.
  mutating func takesCommand(_ command: [UInt8]) -> Bool {
    guard !unplugs() else { return false }
    commandCount += 1
    if exchanges.count == Self.exchangeLimit { exchanges.removeFirst(Self.exchangeLimit / 4) }
    exchanges.append(PN532Exchange(command: command))
    return !takeFault(.busy(commandCount)) && !takeFault(.errorFrame(commandCount))
  }

  /// Returns `true` if the response reaches the host.
  mutating func letsAnswerThrough() -> Bool {
    responseCount += 1
    return !takeFault(.dropResponse(responseCount)) && !takeFault(.corruptResponse(responseCount))
  }

  /// Removes a one-time fault. Returns `true` if it was pending.
  mutating func takeFault(_ fault: Fault) -> Bool {
    guard let index = faults.firstIndex(of: fault) else { return false }
    faults.remove(at: index)
    return true
  }
}

/// The commands to the chip itself (UM0701-02, sections 7.2 and 7.3.1).
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
    // RFRegulationTest and TgInitAsTarget end only at the host's request.
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

  /// Sets the modelled speed; the pseudo-terminal has none.
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
    // Retries of exchanges and analogue settings are accepted without effect.
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
