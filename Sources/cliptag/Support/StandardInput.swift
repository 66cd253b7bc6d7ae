import Foundation
import Glibc

/// Standard input, read so that Ctrl-C is noticed while nothing comes.
enum StandardInput {
  /// How often a waiting read looks whether the run was cancelled, in milliseconds.
  private static let interval: Int32 = 50

  /// Reads what is there, at most as much as `buffer` takes.
  ///
  /// - Returns: The number of bytes; 0 at the end.
  /// - Throws: `CancellationError`, or ``Failure`` when standard input cannot be read.
  static func read(into buffer: inout [UInt8]) throws -> Int {
    while true {
      try Task.checkCancellation()
      var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, interval) != 0 else { continue }
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR, errno != EAGAIN { throw Failure.unreadable("-", errno) }
    }
  }
}
