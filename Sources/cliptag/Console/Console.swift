import Foundation
import Glibc
import Synchronization

/// Where a run's words go: results to standard output, everything else to standard error.
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
  private let status = Mutex(ExitStatus.done)
  /// What waits to be written to standard output; `nil` when nothing has to wait.
  private let pending = Mutex<[UInt8]?>(nil)

  init(json: Bool, quiet: Bool, verbose: Bool, color: ColorChoice) {
    self.json = json
    self.quiet = quiet
    self.verbose = verbose
    output = Style(color.isOn(for: STDOUT_FILENO) && !json)
    error = Style(color.isOn(for: STDERR_FILENO))
  }

  /// The status the run has come to so far.
  var exitStatus: ExitStatus { status.withLock { $0 } }

  /// Takes another outcome into the run's status.
  func note(_ outcome: ExitStatus) { status.withLock { $0 = $0.joined(with: outcome) } }

  /// Prints one result: the JSON line, or the text for people.
  func result(_ value: JSONValue, text: @autoclosure () -> String) {
    if json {
      print(value)
    } else if !quiet {
      write(text() + "\n", to: STDOUT_FILENO)
    }
  }

  /// Prints one JSON line.
  func print(_ value: JSONValue) {
    var line: [UInt8] = []
    line.reserveCapacity(1024)
    value.write(to: &line)
    line.append(UInt8(ascii: "\n"))
    write(line)
  }

  /// Prints a hint or progress for people; silent with `--quiet`.
  func say(_ text: String) {
    if !quiet { write(text + "\n", to: STDERR_FILENO) }
  }

  /// Whether progress is drawn on standard error: on a terminal that can take a line back.
  var showsProgress: Bool {
    !quiet && isatty(STDERR_FILENO) == 1 && GlobalOptions.setting("TERM") != "dumb"
  }

  /// Draws on standard error without ending the line.
  func draw(_ text: String) { write(text, to: STDERR_FILENO) }

  /// Sounds the terminal's bell; silent with `--quiet`.
  func sound(_ times: Int) {
    if !quiet { write(String(repeating: "\u{07}", count: times), to: STDERR_FILENO) }
  }

  /// Prints details for whoever asked with `--verbose`.
  func detail(_ text: @autoclosure () -> String) {
    if verbose { write(text() + "\n", to: STDERR_FILENO) }
  }

  /// Reports a failure and takes its status into the run's.
  func report(_ failure: Failure) {
    note(failure.status)
    if json { print(failure.json) }
    let place = failure.source.map { source in
      source.isEmpty || source == "-" || failure.message.contains(source) ? "" : "\(source): "
    }
    write(
      "\(error.red("error:")) \(place ?? "")\(failure.message)\n"
        + "\(error.bold("next:")) \(failure.hint)\n",
      to: STDERR_FILENO)
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

  private func write(_ text: String, to descriptor: Int32) {
    if descriptor == STDOUT_FILENO { return write(Array(text.utf8)) }
    // On a terminal a complaint stands after the results that were there before it.
    flush()
    Self.write(Array(text.utf8), to: descriptor)
  }

  /// A reader that has gone away (a closed pipe) ends the run as it ends other filters.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 {
        if errno == EINTR { continue }
        if errno == EPIPE { exit(128 + SIGPIPE) }
        if descriptor == STDOUT_FILENO {
          let reason = String(cString: strerror(errno))
          let text = "error: standard output cannot be written: \(reason)\n"
          _ = text.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
          exit(ExitStatus.cannotCreate.rawValue)
        }
        return
      }
      rest = rest.dropFirst(written)
    }
  }
}
