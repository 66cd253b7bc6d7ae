import Glibc
import SimulatedReader
import Synchronization

/// Where the frames of a simulated reader are written, one line each, as they happen.
final class TraceOutput: Sendable {
  private let descriptor: Int32
  private let path: String
  private let hasFailed = Mutex(false)

  /// Opens a trace.
  ///
  /// - Parameter path: A file, which is begun anew; `-` for standard error.
  /// - Throws: ``Failure`` when the file cannot be created.
  init(_ path: String) throws(Failure) {
    self.path = path
    if path == "-" {
      descriptor = STDERR_FILENO
    } else {
      descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else {
        throw Failure(
          "cannot-create", .cannotCreate,
          "The trace cannot be created: \(String(cString: strerror(errno))).",
          hint: "Name a file in a folder where you may write, or - for standard error.",
          source: path)
      }
    }
  }

  deinit {
    if descriptor != STDERR_FILENO { close(descriptor) }
  }

  /// Writes one line. A trace that cannot be written is given up, with a word on standard error; the
  /// reader goes on.
  func write(_ entry: TraceEntry) {
    hasFailed.withLock { hasFailed in
      guard !hasFailed else { return }
      let line = Array("\(entry)\n".utf8)
      guard
        line.withUnsafeBytes({ Glibc.write(descriptor, $0.baseAddress, $0.count) }) != line.count
      else { return }
      hasFailed = true
      let reason = errno == 0 ? "it is full" : String(cString: strerror(errno))
      let text = "the trace ends here: \(path) cannot be written: \(reason)\n"
      _ = text.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
    }
  }
}
