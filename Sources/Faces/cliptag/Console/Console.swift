import CliptagBasics
import ArgumentParser
import CliptagPlatform
import Foundation
import Jobs
import Synchronization

/// The output of a run: results to standard output, everything else to standard error.
///
/// It also keeps the run's exit status, because with several inputs the worst one decides.
final class Console: Sendable {
  /// Whether standard output carries JSON Lines only.
  let json: Bool
  private let quiet: Bool
  private let verbose: Bool
  /// Colours for standard output and for standard error, decided once for each.
  let output: Style
  let error: Style
  /// The recording of the run's output that replaces standard output and standard error.
  private let recording: ConsoleRecording?
  private let status = Mutex(ExitStatus.done)
  /// The next steps that were printed: of equal ones, one is enough.
  private let hints = Mutex<Set<String>>([])
  /// The bytes that wait to be written to standard output; `nil` when none have to wait.
  private let pending = Mutex<[UInt8]?>(nil)

  init(json: Bool, quiet: Bool, verbose: Bool, color: ColorChoice) {
    self.json = json
    self.quiet = quiet
    self.verbose = verbose
    output = Style(color.isOn(for: STDOUT_FILENO) && !json)
    error = Style(color.isOn(for: STDERR_FILENO))
    recording = nil
  }

  /// Creates a console whose output a program takes, as JSON.
  init(recordedBy recording: ConsoleRecording) {
    (json, quiet, verbose) = (true, false, false)
    output = Style(false)
    error = Style(false)
    self.recording = recording
  }

  /// The status the run has come to so far.
  var exitStatus: ExitStatus { status.withLock { $0 } }

  /// Takes another outcome into the run's status.
  func note(_ outcome: ExitStatus) { status.withLock { $0 = $0.joined(with: outcome) } }

  /// Prints one result: the JSON line, or the text for people.
  func result(_ value: JSONValue, text: @autoclosure () -> ConsoleText) {
    if json {
      print(value)
    } else if !quiet {
      write(text() + "\n", to: STDOUT_FILENO)
    }
  }

  /// Prints one JSON line.
  func print(_ value: JSONValue) {
    if let recording { return recording.take(value) }
    var line: [UInt8] = []
    line.reserveCapacity(1024)
    value.write(to: &line)
    line.append(UInt8(ascii: "\n"))
    write(line)
  }

  /// Prints one result whose text has one line.
  ///
  /// It is generic so that a literal is a ``ConsoleText``: of two functions that take what a
  /// literal can be, the one with a `String` would win, and the lines of the literal would be shown
  /// as escapes.
  @_disfavoredOverload
  func result<Words: StringProtocol>(_ value: JSONValue, text: @autoclosure () -> Words) {
    result(value, text: ConsoleText(text()))
  }

  /// Prints a hint or progress for people; silent with `--quiet`.
  func say(_ text: ConsoleText) {
    if let recording { return recording.take(note: text.rendered) }
    if !quiet { write(text + "\n", to: STDERR_FILENO) }
  }

  /// Prints a hint or progress on one line for people; silent with `--quiet`.
  @_disfavoredOverload
  func say<Words: StringProtocol>(_ text: Words) { say(ConsoleText(text)) }

  /// Whether progress is drawn on standard error: on a terminal that can take a line back.
  var showsProgress: Bool {
    recording == nil && !quiet && isatty(STDERR_FILENO) == 1
      && GlobalOptions.setting("TERM") != "dumb"
  }

  /// Draws on standard error without ending the line.
  func draw(_ text: ConsoleText) { write(text, to: STDERR_FILENO) }

  /// Sounds the terminal's bell; silent with `--quiet`.
  func sound(_ times: Int) {
    if !quiet, recording == nil {
      write(.drawing(String(repeating: "\u{07}", count: times)), to: STDERR_FILENO)
    }
  }

  /// Reports the progress of the run to a program that takes its output.
  func tellProgress(_ done: Int, of total: Int) { recording?.take(progress: done, of: total) }

  /// The name of a job's input in the face that runs the job.
  func name(_ input: JobInput) -> String { InputNames.own(input) }

  /// A Boolean value that indicates whether a program takes the run's output.
  var isRecorded: Bool { recording != nil }

  /// Prints details if the user gave `--verbose`.
  func detail(_ text: @autoclosure () -> ConsoleText) {
    if verbose { write(text() + "\n", to: STDERR_FILENO) }
  }

  /// Reports a failure and takes its status into the run's.
  func report(_ failure: Failure) {
    note(failure.status)
    if json { print(of: failure.result) }
    let place = failure.source.map { source in
      source.isEmpty || source == "-" || failure.message.contains(source) ? "" : "\(source): "
    }
    write(
      "\(error.red("error:")) \(place ?? "")\(failure.message)\n", to: STDERR_FILENO)
    guard hints.withLock({ $0.insert(failure.hint).inserted }) else { return }
    write("\(error.bold("next:")) \(failure.hint)\n", to: STDERR_FILENO)
  }

  /// Does the work on one of several inputs: what fails is reported, and the run goes on.
  func attempt(_ source: String, _ work: () throws -> Void) {
    do {
      try work()
    } catch {
      report(Failure(describing: error, source: source))
    }
  }

  /// Writes bytes to standard output, for results that are files.
  func write(_ bytes: [UInt8]) {
    guard recording == nil else { return }
    let isFull = pending.withLock { pending -> Bool? in
      guard pending != nil else { return nil }
      pending?.append(contentsOf: bytes)
      return (pending?.count ?? 0) >= 1 << 16
    }
    switch isFull {
    case nil: Self.write(bytes, to: STDOUT_FILENO)
    case true?: flush()
    case false?: break
    }
  }

  /// Does work whose many small results are written together; ``flush()`` writes those there are.
  func gathering<Value>(_ work: () async throws -> Value) async rethrows -> Value {
    pending.withLock { $0 = $0 ?? [] }
    defer {
      flush()
      pending.withLock { $0 = nil }
    }
    return try await work()
  }

  /// Writes what waits to be written.
  func flush() {
    let bytes = pending.withLock { pending -> [UInt8] in
      defer { if pending != nil { pending = [] } }
      return pending ?? []
    }
    Self.write(bytes, to: STDOUT_FILENO)
  }

  private func write(_ text: ConsoleText, to descriptor: Int32) {
    guard recording == nil else { return }
    let bytes = Array(text.rendered.utf8)
    if descriptor == STDOUT_FILENO { return write(bytes) }
    // On a terminal a complaint follows the results before it.
    flush()
    Self.write(bytes, to: descriptor)
  }

  /// A reader that has gone away (a closed pipe) ends the run as it ends other filters.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes {
        CliptagPlatform.write(descriptor, $0.baseAddress, $0.count)
      }
      if written < 0 {
        if errno == EINTR { continue }
        if errno == EPIPE { exit(128 + SIGPIPE) }
        if descriptor == STDOUT_FILENO {
          let reason = String(cString: strerror(errno))
          let text = "error: standard output cannot be written: \(reason)\n"
          _ = text.withCString { CliptagPlatform.write(STDERR_FILENO, $0, strlen($0)) }
          exit(ExitStatus.cannotCreate.rawValue)
        }
        return
      }
      rest = rest.dropFirst(written)
    }
  }
}

/// The recorded output of a run, for a program: results and failures as JSON, the rest as notes.
final class ConsoleRecording: Sendable {
  /// The recorded output.
  struct Content: Sendable {
    var results: [JSONValue] = []
    var notes: [String] = []
  }

  private let kept = Mutex(Content())
  private let progress: @Sendable (_ done: Int, _ total: Int) -> Void

  /// - Parameter progress: Called now and then during long work.
  init(progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }) {
    self.progress = progress
  }

  /// The output recorded so far.
  var content: Content { kept.withLock { $0 } }

  fileprivate func take(_ value: JSONValue) { kept.withLock { $0.results.append(value) } }
  fileprivate func take(note: String) { kept.withLock { $0.notes.append(note) } }
  fileprivate func take(progress done: Int, of total: Int) { progress(done, total) }
}

/// The choice of coloured output.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
  case auto, always, never

  /// Whether text written to a file descriptor is coloured: the option beats `NO_COLOR`, which
  /// beats the terminal test (no-color.org).
  func isOn(for descriptor: Int32) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      return GlobalOptions.setting("NO_COLOR") == nil && GlobalOptions.setting("TERM") != "dumb"
        && isatty(descriptor) == 1
    }
  }
}

/// The few colours the command uses.
struct Style: Sendable {
  /// Whether colours are used.
  let isColoured: Bool

  init(_ isColoured: Bool) { self.isColoured = isColoured }

  func red(_ text: ConsoleText) -> ConsoleText { wrap(text, "31;1") }
  func green(_ text: ConsoleText) -> ConsoleText { wrap(text, "32;1") }
  func yellow(_ text: ConsoleText) -> ConsoleText { wrap(text, "33;1") }
  func bold(_ text: ConsoleText) -> ConsoleText { wrap(text, "1") }
  func dim(_ text: ConsoleText) -> ConsoleText { wrap(text, "2") }

  private func wrap(_ text: ConsoleText, _ code: String) -> ConsoleText {
    isColoured ? text.wrapped(in: code) : text
  }
}

/// The progress of a long run, as one line at the bottom of the terminal.
final class ProgressBar: Sendable {
  private struct State {
    var isShown = false
    var lastDrawn: ContinuousClock.Instant?
  }

  /// Redrawing costs the terminal more than the reader's eye gains.
  private static let interval = Duration.milliseconds(100)
  private static let width = 24

  private let console: Console
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  /// A bar on standard error, which is drawn when that is a terminal.
  init(_ console: Console) { self.console = console }

  /// Draws the completed part of all; draws nothing if there is nothing to wait for.
  func show(_ done: Int, of total: Int) {
    guard total > 1, console.showsProgress || console.isRecorded else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      if let last = state.lastDrawn, now - last < Self.interval { return }
      state.lastDrawn = now
      guard !console.isRecorded else { return console.tellProgress(done, of: total) }
      state.isShown = true
      console.draw("\r\u{1B}[K\(text(done, of: total, after: now - start))")
    }
  }

  /// Takes the line away, so that something else can be printed in its place.
  func hide() {
    state.withLock { state in
      guard state.isShown else { return }
      state.isShown = false
      state.lastDrawn = nil
      console.draw("\r\u{1B}[K")
    }
  }

  private func text(_ done: Int, of total: Int, after time: Duration) -> String {
    let filled = done * Self.width / total
    let bar =
      String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
    let rate = Double(done) / max(time / .seconds(1), 0.001)
    let rest = Int(bounded: (Double(total - done) / max(rate, 0.001)).rounded(.up))
    let left = rest < 90 ? "\(rest) s" : "\((rest + 30) / 60) min"
    return "[\(bar)] \(done) of \(total), \(Self.rounded(rate)) a second, about \(left) left"
  }

  private static func rounded(_ rate: Double) -> String {
    rate < 10 ? String(format: "%.1f", rate) : "\(Int(bounded: rate.rounded()))"
  }
}

/// Questions to the user at the terminal. They go to standard error; the answer comes from standard
/// input.
enum Prompt {
  /// A Boolean value that indicates whether a user can be asked.
  static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Asks whether to go on; only `y` or `yes` is one.
  ///
  /// - Throws: `CancellationError` when the run is interrupted.
  static func confirm(_ question: ConsoleText) throws -> Bool {
    write("\(question) [y/N] ")
    return ["y", "yes"].contains(try line().lowercased())
  }

  /// Asks whether to do what cannot be undone. Where no user can be asked, the command line is the
  /// answer.
  ///
  /// - Parameters:
  ///   - question: What will be done.
  ///   - isGiven: Whether the command line has the answer already: `--yes`, or a dry run.
  /// - Throws: `CancellationError` when the run is interrupted.
  static func isAgreed(
    _ question: @autoclosure () throws -> ConsoleText, isGiven: Bool, _ console: Console
  ) throws -> Bool {
    if isGiven || console.json || !isPossible { return true }
    if try confirm(question()) { return true }
    console.note(.notAccepted)
    console.say("Nothing was changed.")
    return false
  }

  /// Asks for a secret, which is not shown while it is typed.
  ///
  /// - Throws: `CancellationError` when the run is interrupted; the terminal shows what is typed
  ///   again in any case.
  static func secret(_ question: ConsoleText) throws -> String {
    write("\(question): ")
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { throw Failure.unreadable("-", errno) }
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
      write("\n")
    }
    return try line()
  }

  private static func line() throws -> String {
    var input = InputLines()
    let bytes = try input.next() ?? []
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
  }

  private static func write(_ text: ConsoleText) {
    _ = text.rendered.withCString { CliptagPlatform.write(STDERR_FILENO, $0, strlen($0)) }
  }
}
