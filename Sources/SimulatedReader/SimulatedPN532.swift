/// A PN532 behind its serial line (UM0701-02): bytes in, bytes out, no time and no device.
///
/// The chip keeps its state between clients, as the real one does; only the host's commands and
/// ``lineClosed()`` change it. It sleeps until a byte or two on the line wake it: five rising edges
/// are needed, which `55` has in one byte, and what came before is lost.
///
/// Some answers come later: see ``delay``.
public struct SimulatedPN532: Sendable {
  /// The tag in front of the antenna, and its faults.
  public internal(set) var field: SimulatedField
  /// The latest exchanges, oldest first, at most ``exchangeLimit`` of them.
  public private(set) var exchanges: [PN532Exchange] = []
  /// How many exchanges are kept.
  public static let exchangeLimit = 4096
  /// Whether ``Fault/unplug(afterCommands:)`` has happened: nothing answers any more.
  public private(set) var isUnplugged = false

  var registers = PN532Registers()
  var timing = PN532Timing()
  var target: PN532Target?
  var pending: PendingReply?
  var lastError: UInt8 = 0
  var parameterFlags = PN532Flags.powerUp

  private var faults: [Fault]
  private var reader = PN532FrameReader()
  private var line = SerialLine()
  private var lastResponse: [UInt8] = []
  private var lastEvent: TraceEvent?
  private var responseCount = 0
  private var risingEdgesUntilAwake = PN532Timing.risingEdgesToWake

  /// Makes a chip that sleeps, as after power-up.
  ///
  /// - Parameters:
  ///   - tag: What lies in front of the antenna; `nil` for nothing.
  ///   - faults: What goes wrong with the tag and with the reader.
  public init(tag: (any SimulatedCard)?, faults: [Fault] = []) {
    field = SimulatedField(tag: tag, faults: faults)
    self.faults = faults
  }

  /// What has been asked of it since the start.
  public var counts: ReaderCounts {
    var counts = line.counts
    counts.exchanges = commandCount
    counts.tagCommands = field.tagCommands
    counts.writes = field.writes
    counts.radioTime = field.radioTime
    return counts
  }

  /// How many commands the chip took since the start.
  public private(set) var commandCount = 0

  /// Takes bytes from the host and returns what the chip sends at once.
  ///
  /// - Parameter bytes: Any bytes, cut anywhere.
  public mutating func receive(_ bytes: some Sequence<UInt8>) -> [UInt8] {
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
      }
    }
    return output
  }

  /// How long the chip will be silent before it answers the command it is busy with.
  ///
  /// `nil` when it is busy with nothing, or until a tag comes. When the time has passed, call
  /// ``delayElapsed()``.
  public var delay: Duration? { pending?.delay }

  /// The time in ``delay`` has passed.
  ///
  /// - Returns: What the chip sends now.
  public mutating func delayElapsed() -> [UInt8] { letDelayElapse().flatMap(\.bytes) }

  /// The time in ``delay`` has passed.
  mutating func letDelayElapse() -> [ChipOutput] {
    guard let reply = pending, let delay = reply.delay else { return [] }
    pending = nil
    line.waited(delay)
    return send(reply.response, radio: reply.radio)
  }

  /// The client closed the line: the beginning of a frame is forgotten, and a tag that a fault took
  /// away is put back for the next client. The chip itself notices nothing.
  public mutating func lineClosed() {
    reader.reset()
    line.reset()
    field.putBackIfAway()
  }

  /// Lays another tag on the reader, or takes it away with `nil`.
  ///
  /// - Returns: What the chip sends now, when it was waiting for a tag.
  public mutating func replaceTag(with tag: (any SimulatedCard)?) -> [UInt8] {
    changeTag(to: tag).flatMap(\.bytes)
  }

  /// Lays another tag on the reader, or takes it away with `nil`.
  mutating func changeTag(to tag: (any SimulatedCard)?) -> [ChipOutput] {
    field.replaceTag(with: tag)
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
    for case .unplug(let count) in faults where commandCount >= count {
      isUnplugged = true
      return [heard]
    }
    commandCount += 1
    if exchanges.count == Self.exchangeLimit { exchanges.removeFirst(Self.exchangeLimit / 4) }
    exchanges.append(PN532Exchange(command: Array(body.dropFirst())))
    let acknowledged = line.send(PN532Frame.acknowledge, event: .chipAcknowledged)
    guard body.count >= 2, body[0] == 0xD4 else { return [heard, acknowledged] + send(nil) }

    let before = field.radioTime
    let reply = run(code: body[1], parameters: Array(body[2...]))
    let radio = field.radioTime - before
    switch reply {
    case .data(let data):
      return [heard, acknowledged] + send([body[1] &+ 1] + data, radio: radio)
    case .syntaxError:
      return [heard, acknowledged] + send(nil)
    case .later(var reply):
      reply.response.insert(body[1] &+ 1, at: 0)
      reply.radio = radio
      pending = reply
      return [heard, acknowledged]
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
        return [ChipOutput(event: .note("fault \(fault): the response is lost"))]
      case .corruptResponse(responseCount):
        frame[frame.count - 2] ^= 0xFF
        notes.append(
          ChipOutput(event: .note("fault \(fault): the next response has a wrong check byte")))
      default: continue
      }
    }
    var output = line.send(frame, event: lastEvent)
    output.radio = radio
    return notes + [output]
  }
}
