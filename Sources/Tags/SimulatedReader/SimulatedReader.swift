/// A PN532 with a simulated tag, on a pseudo-terminal that unmodified libnfc opens as
/// `pn532_uart:/dev/pts/N`.
///
/// It serves from its initialisation, one client after another, until ``stop()``, the release of
/// its last reference, or ``Fault/unplug(afterCommands:)``. Several may run at once.
///
/// ```swift
/// let reader = try SimulatedReader(.ntag215)
/// print(reader.connectionString)
/// try await reader.run()
/// ```
///
/// When a client closes the terminal, a tag that a fault had removed, torn or swapped is back on
/// the reader, so that a second run can finish. The chip keeps its state, as the real one does. A
/// torn write stays torn.
///
/// The terminal has no speed: a client may choose any. Responses come at once, or with the delays
/// of ``SimulatedTiming``.
public final class SimulatedReader: Sendable {
  private let service: any SimulationService
  private let model: SimulatedPCSCModel?

  /// Opens a pseudo-terminal and starts to serve.
  ///
  /// - Parameters:
  ///   - kind: The tag on the reader, in its factory state.
  ///   - uid: Its UID, of the kind's size; `nil` for the kind's default.
  ///   - faults: The faults and their moments.
  ///   - memoryFile: The file for the tag's memory, in the layout described in
  ///     ``SimulatedTagKind``; for a Type 2 tag exactly `layout.pageCount * 4` bytes, every page in
  ///     order, PWD and PACK in clear. If the file exists and is not empty, the tag takes its
  ///     memory, UID included; otherwise it is created. From then on every change is in the file
  ///     before the client learns of it, whole or not at all. Counters and the count of wrong
  ///     passwords are not kept. Two readers must not share a file.
  ///   - timing: The delays of responses.
  ///   - trace: A closure called with every event on the line, in order, on the reader's thread;
  ///     the reader waits for it to return.
  ///   - script: The commands executed at chosen moments.
  ///   - pcsc: The socket of the PC/SC service to which the reader is attached; `nil` for a serial
  ///     port.
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

  /// Opens a pseudo-terminal and starts to serve any tag, in any state; `nil` for none.
  ///
  /// - Parameter stranger: The tag that a fault places instead of this one or beside it; by
  ///   default, a blank tag of the same product.
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
          .memoryWithoutTag, "The memory file \(file.path) requires a tag.",
          hint: "Give a kind of tag, or leave the memory file out.", path: file.path)
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

  /// Opens a pseudo-terminal and starts to serve a deck, one tag after another.
  ///
  /// - Parameters:
  ///   - deck: The tags; ``SimulatedDeck`` states when one replaces another. A tag with a memory
  ///     file takes its memory from it if it exists, and the file is created when the tag is first
  ///     placed on the reader.
  ///   - faults: The faults and their moments, counted across all tags.
  ///   - timing: The delays of responses.
  ///   - trace: A closure called with every event, in order, on the reader's thread.
  ///   - script: The commands executed at chosen moments.
  ///   - pcsc: The socket of the PC/SC service to which the reader is attached; `nil` for a serial
  ///     port.
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

  /// Opens a pseudo-terminal or a socket, and starts to play a recorded session.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - tag: The tag that answers what the session does not; by default the one that the session
  ///     names.
  ///   - timing: The delays of responses.
  ///   - trace: A closure called with every event, in order, on the reader's thread.
  ///   - pcsc: The reader and its socket; `nil` for a PN532.
  /// - Throws: `.malformedUID`, `.malformedMemory`, `.noPseudoTerminal`.
  package init(
    playing session: PlayedSession, tag: (any SimulatedCard)? = nil,
    timing: SimulatedTiming = .none, trace: (@Sendable (TraceEntry) -> Void)? = nil,
    pcsc: PCSCSocket? = nil
  ) throws(SimulatedReaderError) {
    model = pcsc?.model
    let chip = try session.chip(tag)
    guard let pcsc else {
      service = try ReaderService(chip: chip, timing: timing, trace: trace)
      return
    }
    var reader = SimulatedPCSCReader(chip: chip, model: pcsc.model)
    reader.playedATR = session.facts.atr
    if let firmware = session.facts.firmware { reader.firmware = firmware }
    service = try PCSCService(reader, path: pcsc.path, trace: trace)
  }

  private static func service(
    _ chip: SimulatedPN532, _ timing: SimulatedTiming,
    _ trace: (@Sendable (TraceEntry) -> Void)?, _ pcsc: PCSCSocket?
  ) throws(SimulatedReaderError) -> any SimulationService {
    guard let pcsc else { return try ReaderService(chip: chip, timing: timing, trace: trace) }
    return try PCSCService(
      SimulatedPCSCReader(chip: chip, model: pcsc.model), path: pcsc.path, trace: trace)
  }

  deinit { service.thread.stop() }

  /// The path of the terminal, for example `/dev/pts/7`, or of the socket.
  public var devicePath: String { service.path }

  /// The connection string that opens it, for example `pn532_uart:/dev/pts/7`, or `pcsc:` and the
  /// name of a PC/SC reader.
  public var connectionString: String {
    model.map { "pcsc:\($0.readerName)" } ?? "pn532_uart:\(devicePath)"
  }

  /// Waits until the reader has stopped. Cancelling the task stops it, within a few milliseconds.
  ///
  /// - Throws: `.memoryUnwritable` if a change could not be saved; the client was left without a
  ///   response. Being stopped, cancelled or unplugged is not an error.
  public func run() async throws(SimulatedReaderError) {
    let failure = await withTaskCancellationHandler {
      await service.thread.ended()
    } onCancel: {
      service.thread.stop()
    }
    if let failure { throw failure }
  }

  /// Stops serving; the terminal hangs up. Returns at once; ``run()`` returns when the reader has
  /// stopped.
  public func stop() { service.thread.stop() }

  /// The tag that belongs on this reader, in its current state, also while a fault keeps it away.
  package var card: (any SimulatedCard)? { service.withChip { ($0.field.card, []) } }

  /// The tag that a fault placed instead of this one or beside it, in its current state or as it
  /// left; `nil` if there was none.
  package var stranger: (any SimulatedCard)? { service.withChip { ($0.field.stranger, []) } }

  /// Replaces the tag with the stranger, as if by hand.
  ///
  /// - Parameter isNoticed: `true` if a smart card service notices; a quick hand is faster than its
  ///   polling.
  package func swapTag(isNoticed: Bool) {
    service.withChip { ($0.field.swap(isNoticed: isNoticed), []) }
  }

  /// Places the stranger beside the tag, where the next selection without a UID picks it.
  package func layStrangerBeside() {
    service.withChip { ($0.field.layBeside(), []) }
  }

  /// The number of selections that found a tag since the start.
  package var selections: Int { service.withChip { ($0.field.selections, []) } }

  /// The selection after which the host first knew a UID; `nil` before.
  package var identifyingSelection: Int? {
    service.withChip { ($0.field.identifyingSelection, []) }
  }

  /// The memory of the tag that belongs on this reader, as in its memory file; `nil` if there is no
  /// tag.
  public var memory: [UInt8]? { card?.memory }

  /// The Type 2 tag that belongs on this reader; `nil` if there is another tag or none.
  package var tag: SimulatedTag? { service.withChip { ($0.field.tag, []) } }

  /// Places another tag on the reader, or removes it with `nil`. A client that waits for a tag
  /// finds it. The memory file, if there is one, is the new tag's from now on.
  package func replaceTag(with tag: (any SimulatedCard)?) {
    service.withChip { ((), $0.changeTag(to: tag)) }
  }

  /// The deck with every tag in its current state; `nil` if the reader has none.
  package var deck: SimulatedDeck? { service.withChip { ($0.field.deckNow, []) } }

  /// Executes a command of the control channel; ``SimulatorCommand`` lists the commands.
  ///
  /// - Returns: The reply, one line.
  @discardableResult
  public func perform(_ command: SimulatorCommand) -> SimulatorAnswer {
    service.withChip { $0.perform(command) }
  }

  /// Adds a fault.
  ///
  /// - Parameter fault: The fault; its number counts from now on.
  public func add(_ fault: Fault) { perform(.fault(fault)) }

  /// The figures of the reader's work since the start.
  public var counts: ReaderCounts { service.withChip { ($0.counts, []) } }

  /// The number of commands that the chip has taken since the start.
  package var commandCount: Int { service.withChip { ($0.commandCount, []) } }

  /// The latest exchanges between client and chip, oldest first, at most
  /// ``SimulatedPN532/exchangeLimit``.
  package var exchanges: [PN532Exchange] { service.withChip { ($0.exchanges, []) } }
}

/// A Unix socket on which a simulated reader takes the place of pcscd.
public struct PCSCSocket: Hashable, Sendable {
  /// The simulated model.
  public let model: SimulatedPCSCModel
  /// The path at which the socket is created; clients look for it in `PCSCLITE_CSOCK_NAME`.
  public let path: String

  /// Makes a socket description.
  public init(_ model: SimulatedPCSCModel, path: String) {
    self.model = model
    self.path = path
  }
}
