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
