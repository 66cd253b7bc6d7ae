import Foundation
import Glibc

/// Questions to whoever sits at the terminal. They go to standard error; the answer comes from
/// standard input.
enum Prompt {
  /// Whether there is somebody to ask.
  static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Asks whether to go on; only `y` or `yes` is one.
  ///
  /// - Throws: `CancellationError` when the run is interrupted.
  static func confirm(_ question: String) throws -> Bool {
    write("\(question) [y/N] ")
    return ["y", "yes"].contains(try line().lowercased())
  }

  /// Asks for a secret, which is not shown while it is typed.
  ///
  /// - Throws: `CancellationError` when the run is interrupted; the terminal shows what is typed
  ///   again in any case.
  static func secret(_ question: String) throws -> String {
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

  private static func write(_ text: String) {
    _ = text.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
  }
}
