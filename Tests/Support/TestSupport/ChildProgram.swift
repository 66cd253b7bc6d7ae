import CliptagPlatform
import Foundation

/// A child process that a test runs in the background.
///
/// Foundation's `Process` learns of a program's end from a socket that other tests' child processes
/// may keep open; this type calls `waitpid`.
package final class ChildProgram: Sendable {
  private let number: pid_t

  /// Starts a program without input; its output and its errors go to files.
  package init(_ arguments: [String], output: String, errors: String = "/dev/null") throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    // Opened for reading, too, so that opening a FIFO does not block.
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_RDWR | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT, 0o600)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Threads of a test run block signals, and children inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child = pid_t()
    let failure = posix_spawnp(&child, arguments[0], &actions, &attributes, words, environ)
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
    number = child
  }

  /// Waits for the program's end.
  ///
  /// - Returns: The exit status, or 128 plus the number of the signal that ended the program.
  package func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(number, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// Ends the program.
  package func end() {
    kill(number, SIGKILL)
    _ = wait()
  }
}
