import CliptagBasics
import Foundation
import Invocation
import Issuing
import Jobs
import NFCReader
import Registry
import TagTypes
import Verifying

/// The one reader of the station and its use: a batch, checking whatever is laid down, or the tags
/// of a parcel. It has one use at a time; if the reader is unplugged, the bench waits for it.
actor ReaderBench {
  /// The purposes for which tags are read.
  enum Reading: Sendable, Equatable {
    case check
    case parcel(place: String)
  }

  nonisolated let board: BenchBoard
  private let hub: EventHub
  private let runner: RequestRunner
  private let matching: PrefixEngine
  private let readerName: String?
  /// Verifies whatever is laid down.
  private let verifier: @Sendable (any RegistryStore) throws -> Verifier
  /// The receiver of the tags of a parcel.
  private var parcel: (@Sendable (String, CodeObservation) async -> Void)?

  private var work: Task<Void, Never>?
  private var order: RunBatch?

  /// The pause after a reader or a registry does not answer.
  private static let pause = Duration.seconds(1)
  /// The time to wait for a tag that is being written before a run is ended all the same.
  private static let patience = Duration.seconds(10)

  init(
    reader: String?, matching: PrefixEngine, runner: RequestRunner, hub: EventHub,
    verifier: @escaping @Sendable (any RegistryStore) throws -> Verifier
  ) {
    readerName = reader
    self.matching = matching
    self.runner = runner
    self.hub = hub
    self.verifier = verifier
    board = BenchBoard(telling: hub)
  }

  /// Sets the receiver of the tags of a parcel.
  func setParcel(_ take: @escaping @Sendable (String, CodeObservation) async -> Void) {
    parcel = take
  }

  // MARK: Batches

  /// Begins a batch, or goes on with it.
  ///
  /// - Throws: ``Failure`` with code `station-busy` while another batch is written.
  func start(_ wanted: RunBatch) async throws {
    try checkIsFree(for: wanted.name)
    await end()
    board.change { state in
      if state.batch != wanted.name { state = state.cleared }
      state.mode = .batch
      state.phase = .opening
      state.batch = wanted.name
      state.failure = nil
      state.locks = wanted.options.locks
      state.setsPassword = wanted.options.setsPassword
    }
    resume(wanted)
  }

  /// Throws ``Failure`` with code `station-busy` while another batch than one of that name is
  /// written.
  func checkIsFree(for name: String) throws {
    if isWriting, !board.now.phase.isOver, order?.name != name { throw Self.busy(order?.name) }
  }

  private func resume(_ wanted: RunBatch) {
    board.change { $0.finishedBefore = $0.finished }
    order = wanted
    work = Task { await InputNames.$areOptions.withValue(false) { await self.write(wanted) } }
  }

  /// Ends the batch that is written, after the tag that is worked on.
  ///
  /// - Parameter name: The batch that is meant; `nil` for whichever is written.
  /// - Throws: ``Failure`` with code `not-found` when another batch is written, or none.
  func stop(_ name: String?) async throws {
    guard isWriting, name == nil || name == order?.name else {
      guard let name else { return }
      throw Failure(
        "not-found", .noInput, "The batch \(name.printable) is not being written.",
        hint: "Check /api/now.")
    }
    await end()
    board.change { state in
      state.phase = .stopped
      state.row = nil
    }
  }

  /// Records decisions about rows; a run of that batch goes on with them.
  ///
  /// - Parameter name: The batch; `nil` for the one that is written.
  func decide(_ decisions: TagBatch.Decisions, in name: String?) async throws {
    guard let name = name ?? order?.name else {
      throw Failure(
        "not-found", .noInput, "No batch is being written.", hint: "Give the batch.")
    }
    let running = isWriting && order?.name == name ? order : nil
    if running != nil { await end() }
    defer { if let running { resume(running) } }
    try await RunBatch(name).batch(in: try workplace()).record(decisions)
    board.change { state in if state.batch == name { state.failure = nil } }
  }

  private var isWriting: Bool { work != nil && order != nil }

  /// The workplace of the present operator.
  func workplace() throws -> Workplace {
    Workplace(registry: try runner.registryForWriting(), engine: matching)
  }

  private func write(_ order: RunBatch) async {
    await keepingReader { reader in
      let board = self.board
      let output = try await order.write(on: reader, in: try await self.workplace()) {
        event, result in
        board.change { $0.take(event, result) }
      }
      board.change { state in
        state.phase = .finished
        state.row = nil
        state.counts = output.counts
      }
    }
  }

  // MARK: Reading

  /// Begins to read whatever is laid on the reader.
  func read(for reading: Reading) async throws {
    if isWriting, !board.now.phase.isOver { throw Self.busy(order?.name) }
    await end()
    board.change { state in
      state = state.cleared
      state.phase = .opening
      switch reading {
      case .check: state.mode = .check
      case .parcel(let place): (state.mode, state.place) = (.parcel, place)
      }
    }
    work = Task { await InputNames.$areOptions.withValue(false) { await self.observe(reading) } }
  }

  /// Ends reading.
  func stopReading() async {
    guard [.check, .parcel].contains(board.now.mode) else { return }
    await end()
    board.change { $0 = $0.cleared }
  }

  private func observe(_ reading: Reading) async {
    await keepingReader { reader in
      let board = self.board
      let hub = self.hub
      let verifier = try self.verifier(try await self.workplace().registry)
      board.change { $0.phase = .waiting }
      let day = Duration.seconds(86_400)
      let presence = { @Sendable (presence: TagPresence) in
        board.change { state in
          switch presence {
          case .met(let uid): (state.phase, state.uid, state.failure) = (.reading, uid, nil)
          case .gone: (state.phase, state.uid) = (.waiting, nil)
          }
        }
        if presence == .gone, reading == .check { hub.tell("tag", ["type": "gone"]) }
      }
      _ = try await ReadTags().run(
        on: reader, within: day, through: verifier, presence: presence
      ) { seen in
        switch reading {
        case .check: self.tell(seen)
        case .parcel(let place): await self.parcel?(place, seen)
        }
        board.change { state in
          state.phase = .seen
          state.failure = seen.failure.map { Failure(describing: $0, source: seen.source) }
        }
      }
    }
  }

  /// Announces the observation of a tag.
  private nonisolated func tell(_ seen: CodeObservation) {
    if let failure = seen.failure {
      return hub.tell("tag", Failure(describing: failure, source: seen.source).json)
    }
    for code in seen.codes {
      hub.tell(
        "tag",
        code.failure.map { Failure(describing: $0, source: seen.source).json }
          ?? JSONValue(result: code.result))
    }
  }

  // MARK: The reader

  /// Works with the reader until the work is done, and anew whenever the reader was away.
  private nonisolated func keepingReader(
    _ body: @escaping @Sendable (NFCReader) async throws -> Void
  ) async {
    while !Task.isCancelled {
      do {
        let reader = try await NFCReader.open(readerName)
        board.change { $0.reader = reader.connectionString }
        do {
          try await body(reader)
          return await reader.close()
        } catch {
          await reader.close()
          throw (error as? RunBatch.Ended)?.underlying ?? error
        }
      } catch {
        guard !Task.isCancelled else { return }
        let failure = Failure(describing: error, source: readerName)
        let isRegistry = error is RegistryError
        let isAway = failure.status == .unavailable || failure.code == "reader-failed"
        board.change { state in
          state.phase = !isAway ? .failed : isRegistry ? .registryLost : .readerLost
          state.failure = failure
          state.row = isAway ? state.row : nil
        }
        guard isAway else { return }
        try? await Task.sleep(for: Self.pause)
      }
    }
  }

  /// Ends what the reader is used for, once no tag is in the middle of something.
  private func end() async {
    guard let work else { return }
    let deadline = ContinuousClock.now + Self.patience
    while board.now.phase.isBusy, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(20))
    }
    work.cancel()
    await work.value
    self.work = nil
    order = nil
  }

  /// Ends everything.
  func close() async { await end() }

  private static func busy(_ batch: String?) -> Failure {
    Failure(
      "station-busy", .unavailable,
      "The reader is used for the batch \((batch ?? "").printable).",
      hint: "Stop the batch first; it can be continued later.")
  }
}

extension BenchState {
  /// The state of a bench that is used for nothing.
  fileprivate var cleared: BenchState {
    var state = BenchState()
    state.sequence = sequence
    state.reader = reader
    return state
  }

  /// Takes in what happened during a batch.
  fileprivate mutating func take(_ event: TagBatch.Event, _ result: BatchTagResult?) {
    if let result { recent.insert(JSONValue(result: result), at: 0) }
    failure = nil
    switch event {
    case .wants(let row, let progress):
      (phase, self.row, ownRows, uid, tagType) = (.waiting, row, [], nil, nil)
      take(progress)
    case .wantsOwnTags(let rows, let progress):
      (phase, row, ownRows, uid, tagType) = (.ownTags, nil, rows, nil, nil)
      take(progress)
    case .met(let uid): (phase, self.uid) = (.reading, uid)
    case .writes(let row): (phase, self.row, tagType) = (.writing, row, row.tag?.type)
    case .isAnotherTag(let uid, let row):
      (phase, self.row, self.uid) = (.anotherTag, row, uid)
    case .served(let served, let progress):
      take(served)
      take(progress)
    }
  }

  private mutating func take(_ served: TagBatch.Served) {
    func failed(_ error: any Error) { failure = Failure(describing: error) }
    switch served {
    case .finished(let row, _):
      (phase, self.row, uid, tagType) = (.done, row, row.tag?.uid, row.tag?.type)
    case .alreadyDone(let row): (phase, self.row, uid) = (.alreadyDone, row, row.tag?.uid)
    case .refused(let uid, let row, let error):
      (phase, self.row, self.uid) = (.refused, row ?? self.row, uid)
      failed(error)
    case .left(let uid, let row, let error):
      (phase, self.row, self.uid) = (.left, row ?? self.row, uid)
      failed(error)
    case .torn(let row, let error):
      (phase, self.row, uid) = (.torn, row, row.tag?.uid)
      failed(error)
    case .spoiled(let row, let error):
      (phase, self.row) = (.spoiled, row)
      failed(error)
    case .unasked(let uid): (phase, self.uid) = (.unasked, uid)
    }
  }

  private mutating func take(_ progress: BatchProgress) {
    counts = progress.counts
    perMinute = progress.perMinute
    remaining = progress.remainingTime
    finished = finishedBefore + progress.finished
  }
}

extension BenchState.Phase {
  /// Whether nothing more comes of it.
  var isOver: Bool { [.finished, .stopped, .failed, .idle].contains(self) }
}
