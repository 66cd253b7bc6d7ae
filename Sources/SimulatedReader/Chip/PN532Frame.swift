/// The frames between host and PN532 (UM0701-02, section 6.2.1).
enum PN532Frame {
  /// Longest body (TFI, code and data) the chip takes or sends.
  static let longestBody = 265
  /// Acknowledges a frame; from the host it also ends whatever the chip is doing.
  static let acknowledge: [UInt8] = [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]
  /// What the chip says of a command it does not understand.
  static let syntaxError: [UInt8] = [0x00, 0x00, 0xFF, 0x01, 0xFF, 0x7F, 0x81, 0x00]

  /// Wraps a body that begins with its frame identifier (`D4` or `D5`).
  static func information(_ body: [UInt8]) -> [UInt8] {
    let length = body.count
    var frame: [UInt8] = [0x00, 0x00, 0xFF]
    if length <= 0xFF {
      frame += [UInt8(length), 0 &- UInt8(length)]
    } else {
      let high = UInt8(truncatingIfNeeded: length >> 8)
      let low = UInt8(truncatingIfNeeded: length)
      frame += [0xFF, 0xFF, high, low, 0 &- (high &+ low)]
    }
    return frame + body + [0 &- body.reduce(0, &+), 0x00]
  }
}

/// Finds the frames in the bytes a host sends.
///
/// A frame with a wrong length check or data check is passed over in silence, as the chip does: the
/// host gets no acknowledgement and sends again.
struct PN532FrameReader: Sendable {
  enum Item: Equatable, Sendable {
    case acknowledge
    case negativeAcknowledge
    /// The body behind the length bytes, frame identifier first.
    case information([UInt8])
  }

  private var buffer: [UInt8] = []

  /// Takes bytes from the line and returns the frames that are complete now.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [Item] {
    buffer += bytes
    var items: [Item] = []
    var position = 0
    scanning: while position + 1 < buffer.count {
      guard buffer[position] == 0x00, buffer[position + 1] == 0xFF else {
        position += 1
        continue
      }
      switch frame(at: position + 2) {
      case .incomplete:
        break scanning
      case .damaged:
        position += 1
      case .complete(let item, let end):
        items.append(item)
        position = end
      }
    }
    buffer.removeFirst(position)
    return items
  }

  /// Forgets the beginning of a frame whose rest will not come.
  mutating func reset() {
    buffer.removeAll()
  }

  private enum Outcome {
    case incomplete
    case damaged
    case complete(Item, end: Int)
  }

  /// Reads the frame whose length bytes begin at `start`.
  private func frame(at start: Int) -> Outcome {
    guard start + 2 <= buffer.count else { return .incomplete }
    var length = Int(buffer[start])
    var body = start + 2
    switch (buffer[start], buffer[start + 1]) {
    case (0x00, 0xFF): return .complete(.acknowledge, end: body)
    case (0xFF, 0x00): return .complete(.negativeAcknowledge, end: body)
    case (0xFF, 0xFF):
      guard start + 5 <= buffer.count else { return .incomplete }
      guard buffer[start + 2] &+ buffer[start + 3] &+ buffer[start + 4] == 0 else {
        return .damaged
      }
      length = Int(buffer[start + 2]) << 8 | Int(buffer[start + 3])
      body = start + 5
    default:
      guard buffer[start] &+ buffer[start + 1] == 0 else { return .damaged }
    }
    guard (1...PN532Frame.longestBody).contains(length) else { return .damaged }
    guard body + length + 1 <= buffer.count else { return .incomplete }
    let content = buffer[body..<body + length]
    guard content.reduce(buffer[body + length], &+) == 0 else { return .damaged }
    return .complete(.information(Array(content)), end: body + length + 1)
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
