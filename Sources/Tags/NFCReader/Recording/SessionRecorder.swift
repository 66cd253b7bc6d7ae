import CNFC
import Synchronization
import TagTypes

import CliptagPlatform

/// Writes what passes between this program and a reader to a file, for a report about a tag or a
/// reader that misbehaves, or for a test.
///
/// Every reader that ``record(isolation:_:)`` opens is recorded: the tag's commands as frames of a
/// PN53x, or the commands of PC/SC, with their times. Passwords and keys are zeros, and UIDs are
/// replaced, the same by the same other one. The file is written line by line, so that a crash
/// leaves what came before it.
public final class SessionRecorder: Sendable {
  /// The recorder of the readers that the current task opens; `nil` for none.
  @TaskLocal static var current: SessionRecorder?

  /// Records every reader that a piece of work opens.
  public func record<Value>(
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Value
  ) async rethrows -> Value {
    try await Self.$current.withValue(self, operation: work, isolation: isolation)
  }

  /// The contents that a recording keeps.
  public struct Options: Hashable, Sendable {
    /// A Boolean value that indicates whether UIDs stay as they are.
    public var keepsUIDs = false
    /// A Boolean value that indicates whether the text of messages stays.
    public var keepsMessages = true

    /// Makes options: other UIDs, and the messages.
    public init() {}
  }

  /// The result of a recording.
  public struct Summary: Hashable, Sendable {
    /// The number of commands.
    public let exchanges: Int
    /// A Boolean value that indicates whether UIDs are those of the tags.
    public let keepsUIDs: Bool
    /// A Boolean value that indicates whether UIDs were kept only because a signature needs them.
    public let isUIDNeeded: Bool
  }

  /// The path of the file.
  public let path: String
  private let options: Options
  private let program: String
  private let state: Mutex<State>
  private let start = ContinuousClock.now

  private struct State {
    var session: RecordedSession?
    var mask = SessionMask(.chip)
    var uids = SessionUIDs()
    /// The steps with their UIDs, for a file that has to be written anew.
    var steps: [(step: RecordedSession.Step, page: UInt8?)] = []
    var descriptor: Int32
    var temporary: String?
    var isUIDNeeded = false
    var exchanges = 0
    var lastExchange: (command: [UInt8], answer: [UInt8])?
    var failure: Int32?
  }

  /// Prepares a recording. The file appears, or is replaced, when a reader opens.
  ///
  /// - Parameters:
  ///   - path: The file; only its owner may read it.
  ///   - program: The name and version of the program, for the file.
  ///   - options: The contents that are kept.
  /// - Throws: ``RecordingError`` if the file cannot be created.
  public init(
    path: String, program: String, options: Options = Options()
  ) throws(RecordingError) {
    (self.path, self.program, self.options) = (path, program, options)
    let temporary = "\(path).\(getpid()).part"
    let descriptor = Self.create(temporary)
    guard descriptor >= 0 else { throw RecordingError(path, errno) }
    state = Mutex(State(descriptor: descriptor, temporary: temporary))
  }

  deinit {
    state.withLock { state in
      close(state.descriptor)
      if let temporary = state.temporary { unlink(temporary) }
    }
  }

  private static func create(_ path: String) -> Int32 {
    open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
  }

  /// Ends the recording and makes the file complete.
  ///
  /// - Returns: The number of commands and the treatment of UIDs; `nil` if no reader was opened, and
  ///   there is no file.
  /// - Throws: ``RecordingError`` if the file could not be written whole.
  public func finish() throws(RecordingError) -> Summary? {
    let (summary, failure) = state.withLock { state -> (Summary?, Int32?) in
      guard state.session != nil else { return (nil, nil) }
      if state.failure == nil, fsync(state.descriptor) != 0, errno != EINVAL {
        state.failure = errno
      }
      return (
        Summary(
          exchanges: state.exchanges, keepsUIDs: options.keepsUIDs || state.isUIDNeeded,
          isUIDNeeded: state.isUIDNeeded && !options.keepsUIDs), state.failure
      )
    }
    if let failure { throw RecordingError(path, failure) }
    return summary
  }
}

/// The reason why a recording cannot be written.
public struct RecordingError: Error, Hashable, Sendable {
  /// The file.
  public let path: String
  /// The error number of the system.
  public let systemError: Int32

  init(_ path: String, _ systemError: Int32) {
    (self.path, self.systemError) = (path, systemError)
  }
}

/// The reports of the recorded readers.
extension SessionRecorder {
  /// A reader has opened. Of several in one recording, the first decides the form of the steps.
  func opened(_ device: String, layer: RecordedSession.Layer) {
    state.withLock { state in
      guard state.session == nil else { return }
      var session = RecordedSession(
        id: String(path.split(separator: "/").last?.prefix { $0 != "." } ?? "session"),
        device: device, tag: "not named", layer: layer)
      session.kind =
        layer == .apdu ? "recorded" : "calls of libnfc recorded, frames rebuilt from them"
      session.driver =
        layer == .apdu
        ? "\(program), PC/SC" : "\(program), libnfc \(String(cString: cnfc_version()))"
      state.session = session
      state.mask = SessionMask(layer == .apdu ? .reader : .chip)
      write(session.head, &state)
      guard let temporary = state.temporary else { return }
      if rename(temporary, path) != 0 { state.failure = state.failure ?? errno }
      state.temporary = nil
    }
  }

  /// A tag with this UID was found.
  func found(_ target: TagTarget) {
    state.withLock { state in
      state.uids.add(target.uid)
      state.mask.family =
        target.technology == .iso15693
        ? .vicinity
        : target.speaksISODEP ? .isoDEP : target.sak & 0x08 != 0 ? .classic : .type2
    }
  }

  /// The answer to reset of a tag.
  func reset(_ atr: [UInt8]) {
    state.withLock { state in
      add(.device(atr, note: "ATR", at: now), nil, &state)
    }
  }

  /// A command and its answer; `nil` for none, with the reason.
  func exchanged(_ command: [UInt8], _ answer: [UInt8]?, since begin: Double, note: String = "") {
    state.withLock { state in
      // A search that finds nothing is repeated until a tag comes.
      if let last = state.lastExchange, last == (command, answer ?? []),
        command.starts(with: [0xD4, 0x4A])
      {
        return
      }
      state.lastExchange = (command, answer ?? [])
      state.exchanges += 1
      var host = state.mask.command(command)
      let inner = state.mask.innerCommand
      if !options.keepsMessages { host = state.mask.commandWithoutMessage(host) }
      add(.host(host, at: begin), nil, &state)
      var device = answer.map { state.mask.answer($0) } ?? []
      if !options.keepsMessages { device = state.mask.answerWithoutMessage(device) }
      let page = inner.count > 1 && inner[0] == 0x30 ? inner[1] : nil
      add(.device(device, note: note, at: now), page, &state)
      if state.mask.hasSeenSignature, !state.isUIDNeeded, !options.keepsUIDs {
        state.isUIDNeeded = true
        rewrite(&state)
      }
    }
  }

  /// The time since the beginning in milliseconds.
  var now: Double { start.duration(to: .now) / .milliseconds(1) }

  private func add(_ step: RecordedSession.Step, _ page: UInt8?, _ state: inout State) {
    state.steps.append((step, page))
    write(written(step, page, state).line, &state)
  }

  private func written(
    _ step: RecordedSession.Step, _ page: UInt8?, _ state: State
  ) -> RecordedSession.Step {
    guard !options.keepsUIDs, !state.isUIDNeeded else { return step }
    var step = step
    step.bytes = state.uids.replaced(step.bytes, readFrom: page)
    return step
  }

  /// Writes the whole file anew, with the UIDs.
  private func rewrite(_ state: inout State) {
    guard var session = state.session else { return }
    session.steps = state.steps.map(\.step)
    let temporary = "\(path).\(getpid()).part"
    let descriptor = Self.create(temporary)
    guard descriptor >= 0 else {
      state.failure = state.failure ?? errno
      return
    }
    let old = state.descriptor
    state.descriptor = descriptor
    write(session.text, &state)
    if rename(temporary, path) != 0 { state.failure = state.failure ?? errno }
    close(old)
  }

  private func write(_ text: String, _ state: inout State) {
    guard state.failure == nil else { return }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        CliptagPlatform.write(state.descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        state.failure = errno
        return
      }
      rest = rest.dropFirst(count)
    }
  }
}
