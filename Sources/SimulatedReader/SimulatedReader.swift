/// A PN532 with a simulated tag, on a pseudo-terminal that unmodified libnfc opens as
/// `pn532_uart:/dev/pts/N`.
///
/// It serves from the moment it is made, one client after another, until ``stop()``, the end of
/// its last reference, or ``Fault/unplug(afterCommands:)``. Several may run at once.
///
/// ```swift
/// let reader = try SimulatedReader(.ntag215)
/// print(reader.connectionString)
/// try await reader.run()
/// ```
///
/// When a client closes the terminal, a tag that a fault had removed, torn or swapped lies on the
/// reader again, so that a second run can finish. The chip keeps its state, as the real one does.
/// A write that was torn stays torn.
///
/// The terminal has no speed: a client may choose any. Answers come at once, or as late as
/// ``SimulatedTiming`` says.
public final class SimulatedReader: Sendable {
  private let service: any SimulationService
  private let model: SimulatedPCSCModel?

  /// Opens a pseudo-terminal and starts to serve.
  ///
  /// - Parameters:
  ///   - kind: What lies on the reader, as it leaves the factory.
  ///   - uid: Its UID, of the kind's size; `nil` for the kind's usual one.
  ///   - faults: What goes wrong, and when.
  ///   - memoryFile: Where the tag's memory is kept, in the layout that ``SimulatedTagKind``
  ///     tells; for a Type 2 tag exactly `layout.pageCount * 4` bytes, every page in order, PWD and
  ///     PACK in clear. If the file exists and is not empty, the tag takes its memory, UID
  ///     included; otherwise it is created. From then on every change is in the file before the
  ///     client hears of it, whole or not at all. Counters and the count of wrong passwords are
  ///     not kept. Two readers must not share a file.
  ///   - timing: How late answers come.
  ///   - trace: Is called with everything that happens on the line, in order, on the reader's own
  ///     thread; the reader waits for it to return.
  ///   - script: What is done at chosen moments.
  /// - Throws: `.malformedUID`, `.malformedMemory`, `.memoryUnreadable`, `.memoryUnwritable`,
  ///   `.memoryWithoutTag` (nothing has been changed), `.noPseudoTerminal`.
  public convenience init(
    _ kind: SimulatedTagKind, uid: [UInt8]? = nil, faults: [Fault] = [],
    memoryFile: String? = nil, timing: SimulatedTiming = .none,
    trace: (@Sendable (TraceEntry) -> Void)? = nil, script: SimulatorScript = SimulatorScript(),
    pcsc: PCSCSocket? = nil
  ) throws(SimulatedReaderError) {
    try self.init(
      tag: kind.card(uid: uid), faults: faults, memoryFile: memoryFile, timing: timing,
      trace: trace, script: script, pcsc: pcsc)
  }

  /// The same with any tag, in any state; `nil` for nothing.
  ///
  /// - Parameter stranger: The tag that a fault lays in the place of this one or beside it; without one,
  ///   a blank tag of the same product.
  package init(
    tag: (any SimulatedCard)?, stranger: (any SimulatedCard)? = nil, faults: [Fault] = [],
    memoryFile: String? = nil,
    timing: SimulatedTiming = .none, trace: (@Sendable (TraceEntry) -> Void)? = nil,
    script: SimulatorScript = SimulatorScript(), pcsc: PCSCSocket? = nil
  ) throws(SimulatedReaderError) {
    var tag = tag
    let file = memoryFile.map { TagMemoryFile(path: $0) }
    if let file {
      guard let blank = tag else {
        throw SimulatedReaderError(
          .memoryWithoutTag, "\(file.path) cannot keep the memory of no tag.",
          hint: "Name a kind of tag, or leave the memory file out.", path: file.path)
      }
      let held = try file.loaded(for: blank)
      try file.save(held.memory)
      tag = held
    }
    var chip = SimulatedPN532(tag: tag, faults: faults)
    chip.field.memoryFile = memoryFile
    chip.field.strangerTemplate = stranger
    chip.script = script
    model = pcsc?.model
    service = try Self.service(chip, timing, trace, pcsc)
  }

  /// Opens a pseudo-terminal and starts to serve a deck: one tag after another.
  ///
  /// - Parameters:
  ///   - deck: The tags; ``SimulatedDeck`` tells when one takes the place of another. A tag with a
  ///     memory file takes its memory from it if it exists, and the file is created when the tag
  ///     first lies on the reader.
  ///   - faults: What goes wrong, and when; counted across all tags.
  ///   - timing: How late answers come.
  ///   - trace: Is called with everything that happens, in order, on the reader's own thread.
  ///   - script: What is done at chosen moments.
  /// - Throws: `.malformedMemory`, `.memoryUnreadable`, `.memoryUnwritable` (nothing has been
  ///   changed), `.noPseudoTerminal`.
  public init(
    deck: SimulatedDeck, faults: [Fault] = [], timing: SimulatedTiming = .none,
    trace: (@Sendable (TraceEntry) -> Void)? = nil, script: SimulatorScript = SimulatorScript(),
    pcsc: PCSCSocket? = nil
  ) throws(SimulatedReaderError) {
    var deck = deck
    try deck.loadMemories()
    var chip = SimulatedPN532(deck: deck, faults: faults)
    if let path = chip.field.memoryFile, let card = chip.field.card {
      try TagMemoryFile(path: path).save(card.memory)
    }
    chip.script = script
    model = pcsc?.model
    service = try Self.service(chip, timing, trace, pcsc)
  }

  private static func service(
    _ chip: SimulatedPN532, _ timing: SimulatedTiming,
    _ trace: (@Sendable (TraceEntry) -> Void)?, _ pcsc: PCSCSocket?
  ) throws(SimulatedReaderError) -> any SimulationService {
    guard let pcsc else { return try ReaderService(chip: chip, timing: timing, trace: trace) }
    return try PCSCService(
      SimulatedPCSCReader(chip: chip, model: pcsc.model), path: pcsc.path, trace: trace)
  }

  deinit { service.stop() }

  /// The terminal's path, for example `/dev/pts/7`, or the socket's.
  public var devicePath: String { service.path }

  /// What opens it, for example `pn532_uart:/dev/pts/7`; `pcsc:` and the reader's name where it is one
  /// of PC/SC.
  public var connectionString: String {
    model.map { "pcsc:\($0.readerName)" } ?? "pn532_uart:\(devicePath)"
  }

  /// Waits until the reader has stopped. Cancelling the task stops it, within a few milliseconds.
  ///
  /// - Throws: `.memoryUnwritable` when a change could not be kept; the client was left without an
  ///   answer. Being stopped, cancelled or unplugged is no error.
  public func run() async throws(SimulatedReaderError) {
    let failure = await withTaskCancellationHandler {
      await service.ended()
    } onCancel: {
      service.stop()
    }
    if let failure { throw failure }
  }

  /// Stops serving; the terminal hangs up. Returns at once; ``run()`` tells when it is done.
  public func stop() { service.stop() }

  /// What belongs on this reader, as it is now, also while a fault keeps it away.
  package var card: (any SimulatedCard)? { service.withChip { ($0.field.card, []) } }

  /// The tag that a fault laid in the place of this one or beside it, as it is now or was when it left;
  /// `nil` when there was none.
  package var stranger: (any SimulatedCard)? { service.withChip { ($0.field.stranger, []) } }

  /// Lays the stranger in the tag's place, as if by hand.
  ///
  /// - Parameter isNoticed: Whether a smart card service notices; a quick hand is faster than its polling.
  package func swapTag(isNoticed: Bool) {
    service.withChip { ($0.field.swap(isNoticed: isNoticed), []) }
  }

  /// Lays the stranger beside the tag, where the next selection without a UID picks it.
  package func layStrangerBeside() {
    service.withChip { ($0.field.layBeside(), []) }
  }

  /// Selections that found a tag since the start.
  package var selections: Int { service.withChip { ($0.field.selections, []) } }

  /// The selection after which the host first knew a UID; `nil` before.
  package var identifyingSelection: Int? {
    service.withChip { ($0.field.identifyingSelection, []) }
  }

  /// What the tag that belongs on this reader holds now, as its memory file would; `nil` when there
  /// is none.
  public var memory: [UInt8]? { card?.memory }

  /// The Type 2 tag that belongs on this reader; `nil` when something else does, or nothing.
  package var tag: SimulatedTag? { service.withChip { ($0.field.tag, []) } }

  /// Lays another tag on the reader, or takes it away with `nil`. A client that waits for a tag
  /// finds it. The memory file, if there is one, is the new tag's from now on.
  package func replaceTag(with tag: (any SimulatedCard)?) {
    service.withChip { ((), $0.changeTag(to: tag)) }
  }

  /// The deck with every tag as it is now; `nil` when the reader has none.
  package var deck: SimulatedDeck? { service.withChip { ($0.field.deckNow, []) } }

  /// Does what a line of the control channel says; ``SimulatorCommand`` lists what there is.
  ///
  /// - Returns: The answer, one line.
  @discardableResult
  public func perform(_ command: SimulatorCommand) -> SimulatorAnswer {
    service.withChip { $0.perform(command) }
  }

  /// Adds a fault.
  ///
  /// - Parameter fault: What goes wrong; its number counts from now on.
  public func add(_ fault: Fault) { perform(.fault(fault)) }

  /// What has been asked of the reader since the start.
  public var counts: ReaderCounts { service.withChip { ($0.counts, []) } }

  /// How many commands the chip has taken since the start.
  package var commandCount: Int { service.withChip { ($0.commandCount, []) } }

  /// The latest exchanges between client and chip, oldest first, at most
  /// ``SimulatedPN532/exchangeLimit``.
  package var exchanges: [PN532Exchange] { service.withChip { ($0.exchanges, []) } }
}

/// A Unix socket on which a simulated reader takes the place of pcscd.
public struct PCSCSocket: Hashable, Sendable {
  /// Which reader it plays.
  public let model: SimulatedPCSCModel
  /// Where the socket comes to be; clients look for it where `PCSCLITE_CSOCK_NAME` says.
  public let path: String

  /// Names a socket.
  public init(_ model: SimulatedPCSCModel, path: String) {
    self.model = model
    self.path = path
  }
}
