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
  /// How many commands the chip took since the start.
  public private(set) var commandCount = 0
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
  private var lastResponse: [UInt8] = []
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

  /// Takes bytes from the host and returns what the chip sends at once.
  ///
  /// - Parameter bytes: Any bytes, cut anywhere.
  public mutating func receive(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var heard: [UInt8] = []
    for byte in bytes where isAwake(after: byte) { heard.append(byte) }
    var output: [UInt8] = []
    for item in reader.take(heard) where !isUnplugged {
      switch item {
      case .acknowledge: pending = nil
      case .negativeAcknowledge: output += lastResponse
      case .information(let body): output += take(body)
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
  public mutating func delayElapsed() -> [UInt8] {
    guard let reply = pending, reply.delay != nil else { return [] }
    pending = nil
    return send(reply.response)
  }

  /// The client closed the line: the beginning of a frame is forgotten, and a tag that a fault took
  /// away is put back for the next client. The chip itself notices nothing.
  public mutating func lineClosed() {
    reader.reset()
    field.putBackIfAway()
  }

  /// Lays another tag on the reader, or takes it away with `nil`.
  ///
  /// - Returns: What the chip sends now, when it was waiting for a tag.
  public mutating func replaceTag(with tag: (any SimulatedCard)?) -> [UInt8] {
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

  /// Counts the rising edges of a byte between its start bit (0) and its stop bit (1).
  private mutating func isAwake(after byte: UInt8) -> Bool {
    guard risingEdgesUntilAwake > 0 else { return true }
    let line = UInt16(byte) << 1 | 0x200
    risingEdgesUntilAwake -= (line & ~(line << 1)).nonzeroBitCount
    return false
  }

  private mutating func take(_ body: [UInt8]) -> [UInt8] {
    pending = nil
    for case .unplug(let count) in faults where commandCount >= count {
      isUnplugged = true
      return []
    }
    commandCount += 1
    if exchanges.count == Self.exchangeLimit { exchanges.removeFirst(Self.exchangeLimit / 4) }
    guard body.count >= 2, body[0] == 0xD4 else {
      exchanges.append(PN532Exchange(command: Array(body.dropFirst())))
      return PN532Frame.acknowledge + send(nil)
    }
    exchanges.append(PN532Exchange(command: Array(body[1...])))
    switch run(code: body[1], parameters: Array(body[2...])) {
    case .data(let data): return PN532Frame.acknowledge + send([body[1] &+ 1] + data)
    case .syntaxError: return PN532Frame.acknowledge + send(nil)
    case .later(var reply):
      reply.response.insert(body[1] &+ 1, at: 0)
      pending = reply
      return PN532Frame.acknowledge
    }
  }

  /// Sends a response, code first, or with `nil` the error frame.
  private mutating func send(_ response: [UInt8]?) -> [UInt8] {
    responseCount += 1
    if !exchanges.isEmpty { exchanges[exchanges.count - 1].response = response ?? [0x7F] }
    lastResponse = response.map { PN532Frame.information([0xD5] + $0) } ?? PN532Frame.syntaxError
    for fault in faults {
      switch fault {
      case .dropResponse(responseCount):
        return []
      case .corruptResponse(responseCount):
        var damaged = lastResponse
        damaged[damaged.count - 2] ^= 0xFF
        return damaged
      default: continue
      }
    }
    return lastResponse
  }
}

/// One command to the chip and what it said.
public struct PN532Exchange: Hashable, Sendable {
  /// Command code and parameters, without `D4`.
  public let command: [UInt8]
  /// Response code and data, without `D5`; `7F` for an error frame; `nil` while the chip is still
  /// busy, or when the host went on without waiting.
  public internal(set) var response: [UInt8]?
}
