import CliptagBasics

import CliptagPlatform

/// A serial port locked against other cooperating programs.
///
/// libnfc marks a port as taken with a bit that current kernels drop, so two programs open the same
/// port and both read garbage. The lock is `flock` on the device node, as in the exclusive mode of
/// pySerial and other terminal programs. It ends with the descriptor, even if the process is
/// killed; `TIOCEXCL` would not on a pseudo-terminal whose other side stays open.
final class PortLock: Sendable {
  let descriptor: Int32

  /// The reason why a port could not be locked.
  enum Failure: Error, Equatable {
    /// Another process holds the lock.
    case held
    /// The port did not open; the value is `errno`.
    case unopened(Int32)
    /// The node exists but is not a serial port.
    case notATerminal
    /// So many files are open that the C library would abort libnfc, which waits with `select`.
    case tooManyFiles
  }

  /// Opens `path` and locks it. Does not wait for a lock that is held.
  ///
  /// The port is opened non-blocking, so that a modem line that is not ready does not delay the
  /// call.
  init(path: String) throws(Failure) {
    let descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unopened(errno) }
    do throws(Failure) {
      guard isatty(descriptor) == 1 else { throw .notATerminal }
      // libnfc opens three more descriptors for the port.
      guard descriptor < FD_SETSIZE - 8 else { throw .tooManyFiles }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw errno == EWOULDBLOCK ? .held : .unopened(errno)
      }
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  /// Unlocks explicitly before closing: another process in the middle of a fork has a copy of the
  /// descriptor until it runs its program, and would keep the port locked for that moment.
  deinit {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

extension PortLock {
  /// Returns `true` if the error means that another process uses the port exclusively (`TIOCEXCL`).
  static func isBusy(_ code: Int32) -> Bool { code == EBUSY }

  /// The system's sentence for an `errno`.
  static func sentence(_ code: Int32) -> String { String(cString: strerror(code)) }
}
