/// The modelled serial line between host and chip: its speed and its load.
struct SerialLine: Sendable {
  /// The speed in baud from power-up (UM0701-02, section 6.3.1).
  static let firstBaudRate = 115_200

  /// The figures of the line, without those of the chip and the field.
  private(set) var counts = ReaderCounts()
  /// The speed in baud from the next response on.
  var nextBaudRate = SerialLine.firstBaudRate

  private var baudRate = SerialLine.firstBaudRate
  /// The transfer time of the host's bytes, which ends before the chip sends anything.
  private var arrival = Duration.zero

  /// Counts bytes from the host.
  mutating func receive(_ count: Int) {
    let time = ModelledTime.line(bytes: count, baudRate: baudRate)
    counts.bytesFromHost += count
    counts.lineTime += time
    arrival += time
  }

  /// Sends bytes to the host.
  mutating func send(_ bytes: [UInt8], event: TraceEvent? = nil) -> ChipOutput {
    let time = ModelledTime.line(bytes: bytes.count, baudRate: baudRate)
    counts.bytesToHost += bytes.count
    counts.lineTime += time
    defer { arrival = .zero }
    if event != .chipAcknowledged { baudRate = nextBaudRate }
    return ChipOutput(bytes: bytes, line: arrival + time, event: event)
  }

  /// Counts a message over USB instead, with its response.
  mutating func exchange(sent: Int, answered: Int, taking time: Duration) {
    counts.bytesFromHost += sent
    counts.bytesToHost += answered
    counts.lineTime += time
  }

  /// Counts time in which the chip waited for a tag.
  mutating func waited(_ time: Duration) { counts.waitingTime += time }

  /// Resets the line after the client closed it. The next client begins at the first speed, as with
  /// a reader that was replugged.
  mutating func reset() {
    let counts = counts
    self = SerialLine()
    self.counts = counts
  }
}

/// The chip's actions with their due times, in order.
struct OutputQueue: Sendable {
  typealias Instant = ContinuousClock.Instant

  private var items: [(due: Instant, output: ChipOutput)] = []
  /// The due time and number of the chip's delayed response.
  private var reply: (number: Int, due: Instant)?

  /// Adds the chip's actions, each delayed according to the timing.
  mutating func add(_ outputs: [ChipOutput], timing: SimulatedTiming) {
    for output in outputs {
      if output.endsEarlier { items.removeAll { !$0.output.bytes.isEmpty } }
      let earliest = max(items.last?.due ?? .now, .now)
      items.append((earliest + output.delay(timing), output))
    }
  }

  /// Schedules the delayed response of the command in progress. A wait that has begun continues.
  mutating func schedule(replyOf chip: SimulatedPN532) {
    guard let delay = chip.delay else {
      reply = nil
      return
    }
    guard reply?.number != chip.commandCount else { return }
    // The wait begins after the acknowledgement is sent.
    reply = (chip.commandCount, max(items.last?.due ?? .now, .now) + delay)
  }

  /// Returns `true` if the chip has finished the command in progress.
  func isReplyDue(of chip: SimulatedPN532) -> Bool {
    guard let reply, reply.number == chip.commandCount, chip.delay != nil else { return false }
    return reply.due <= .now
  }

  /// Removes and returns the actions that are due.
  mutating func takeDue() -> [ChipOutput] {
    let now = Instant.now
    let due = items.prefix { $0.due <= now }.map(\.output)
    items.removeFirst(due.count)
    return due
  }

  /// The time at which the next action is due.
  var deadline: Instant? {
    [items.first?.due, reply?.due].compactMap(\.self).min()
  }
}

/// One action of the chip, with its delay after the previous one.
struct ChipOutput: Sendable {
  /// The bytes for the host; may be empty.
  var bytes: [UInt8] = []
  /// The line time until they have arrived: of the host's previous bytes and of these bytes.
  var line = Duration.zero
  /// The preceding time of radio exchanges and tag memory writes.
  var radio = Duration.zero
  /// The delay by a fault, independent of the timing.
  var hold = Duration.zero
  /// The event for a trace.
  var event: TraceEvent?
  /// A Boolean value that indicates whether the host has ended the chip's work: output that is not
  /// sent yet is discarded.
  var endsEarlier = false

  /// The delay before the action.
  func delay(_ timing: SimulatedTiming) -> Duration {
    switch timing {
    case .none: hold
    case .radio: hold + radio
    case .wire: hold + radio + line
    }
  }

  /// An output that only adds a text to the trace.
  static func note(_ text: String) -> ChipOutput { ChipOutput(event: .note(text)) }
}
