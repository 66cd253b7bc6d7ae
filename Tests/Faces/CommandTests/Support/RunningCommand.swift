import Subprocess
import Testing

/// A command that is running: its output line by line, its standard input, its signals.
///
/// Lines are waited for; there are no fixed delays.
final class RunningCommand {
  typealias Child = Execution<CustomWriteInput, SequenceOutput, BytesOutput>

  private let child: Child
  private var lines: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator

  init(_ child: Child) {
    self.child = child
    lines = child.standardOutput.strings().makeAsyncIterator()
  }

  /// The next line on standard output; `nil` at its end.
  func line() async throws -> String? {
    let line = try await lines.next()
    if let line, line.hasPrefix(#"{"type":"#) {
      try Schemas.check(output: Array(line.utf8), in: "running")
    }
    return line
  }

  /// Returns the rest of standard output, up to its end.
  func remainingLines() async throws -> [String] {
    var rest: [String] = []
    while let line = try await line() { rest.append(line) }
    return rest
  }

  /// Writes to standard input.
  func write(_ text: String) async throws {
    _ = try await child.standardInputWriter.write(text, using: UTF8.self)
  }

  /// Ends standard input.
  func endInput() async throws { try await child.standardInputWriter.finish() }

  func send(_ signal: Signal) throws { try child.send(signal: signal) }
}
