/// The serial line between host and chip, as far as it counts: its speed and how busy it was.
struct SerialLine: Sendable {
  /// What the chip speaks from power-up (UM0701-02, section 6.3.1).
  static let firstBaudRate = 115_200

  /// The figures of the line; those of the chip and the field are not in here.
  private(set) var counts = ReaderCounts()
  /// The speed from the next response on.
  var nextBaudRate = SerialLine.firstBaudRate

  private var baudRate = SerialLine.firstBaudRate
  /// How long what the host sent was on its way; it is over before the chip sends anything.
  private var arrival = Duration.zero

  /// Bytes have come from the host.
  mutating func receive(_ count: Int) {
    let time = ModelledTime.line(bytes: count, baudRate: baudRate)
    counts.bytesFromHost += count
    counts.lineTime += time
    arrival += time
  }

  /// Bytes go to the host.
  mutating func send(_ bytes: [UInt8], event: TraceEvent? = nil) -> ChipOutput {
    let time = ModelledTime.line(bytes: bytes.count, baudRate: baudRate)
    counts.bytesToHost += bytes.count
    counts.lineTime += time
    defer { arrival = .zero }
    if event != .chipAcknowledged { baudRate = nextBaudRate }
    return ChipOutput(bytes: bytes, line: arrival + time, event: event)
  }

  /// A message went over USB instead, and its answer came back.
  mutating func exchange(sent: Int, answered: Int, taking time: Duration) {
    counts.bytesFromHost += sent
    counts.bytesToHost += answered
    counts.lineTime += time
  }

  /// The chip has waited for a tag.
  mutating func waited(_ time: Duration) { counts.waitingTime += time }

  /// The client closed the line; the next one begins at the first speed, as with a reader that was
  /// plugged in again.
  mutating func reset() {
    let counts = counts
    self = SerialLine()
    self.counts = counts
  }
}

/// What a chip does, with the moment for each thing, in order.
struct OutputQueue: Sendable {
  typealias Instant = ContinuousClock.Instant

  private var items: [(due: Instant, output: ChipOutput)] = []
  /// When the chip's pending answer is due, and which one that is.
  private var reply: (number: Int, due: Instant)?

  /// Adds what the chip does now, each thing as late as the timing says.
  mutating func add(_ outputs: [ChipOutput], timing: SimulatedTiming) {
    for output in outputs {
      if output.endsEarlier { items.removeAll { !$0.output.bytes.isEmpty } }
      let earliest = max(items.last?.due ?? .now, .now)
      items.append((earliest + output.delay(timing), output))
    }
  }

  /// The chip is busy with a command: notes when it will be done. A wait that has begun goes on.
  mutating func schedule(replyOf chip: SimulatedPN532) {
    guard let delay = chip.delay else {
      reply = nil
      return
    }
    guard reply?.number != chip.commandCount else { return }
    // The wait begins when the acknowledgement is out.
    reply = (chip.commandCount, max(items.last?.due ?? .now, .now) + delay)
  }

  /// Whether the chip is done with the command it is busy with.
  func isReplyDue(of chip: SimulatedPN532) -> Bool {
    guard let reply, reply.number == chip.commandCount, chip.delay != nil else { return false }
    return reply.due <= .now
  }

  /// Takes out what is due.
  mutating func takeDue() -> [ChipOutput] {
    let now = Instant.now
    let due = items.prefix { $0.due <= now }.map(\.output)
    items.removeFirst(due.count)
    return due
  }

  /// When the next thing is due.
  var deadline: Instant? {
    [items.first?.due, reply?.due].compactMap(\.self).min()
  }
}

/// One thing the chip does, in the order it does them, and how long after the one before.
struct ChipOutput: Sendable {
  /// What goes to the host; may be nothing.
  var bytes: [UInt8] = []
  /// How long the line is busy before they have arrived: with what the host sent just before, and
  /// with the bytes themselves.
  var line = Duration.zero
  /// How long the air and the tag's memory are busy before.
  var radio = Duration.zero
  /// How long a fault holds it back, whatever the timing.
  var hold = Duration.zero
  /// What happens, for a trace.
  var event: TraceEvent?
  /// The host has ended what the chip was doing: what it has not sent yet it never sends.
  var endsEarlier = false

  /// How long to wait before it.
  func delay(_ timing: SimulatedTiming) -> Duration {
    switch timing {
    case .none: hold
    case .radio: hold + radio
    case .wire: hold + radio + line
    }
  }

  /// Words for a trace.
  static func note(_ text: String) -> ChipOutput { ChipOutput(event: .note(text)) }
}
