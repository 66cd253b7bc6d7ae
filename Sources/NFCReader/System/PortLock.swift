#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A serial port held against every other program that asks.
///
/// libnfc marks a port as taken with a bit that current kernels drop, so two programs open the
/// same port and both read garbage. The lock is `flock` on the device node, as pySerial's and
/// other terminal programs' exclusive mode. It ends with the descriptor, even when the process is
/// killed; `TIOCEXCL` would not on a pseudo-terminal whose other side stays open.
final class PortLock: Sendable {
  let descriptor: Int32

  /// Why a port could not be locked.
  enum Failure: Error, Equatable {
    /// Somebody holds the lock.
    case held
    /// The port did not open; the value is `errno`.
    case unopened(Int32)
    /// The node is there, and is no serial port.
    case notATerminal
    /// So many files are open that libnfc, which waits with `select`, would be ended by the C
    /// library.
    case tooManyFiles
  }

  /// Opens `path` and locks it. Does not wait for a lock that is held.
  ///
  /// The port is opened non-blocking: a modem line that is not ready must not hold us up.
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

  /// Unlocks, and does not only close: a process that another thread is just forking has a copy of
  /// the descriptor until it runs its program, and would keep the port locked for that moment.
  deinit {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

extension PortLock {
  /// Whether the system says that somebody has the port for himself alone (`TIOCEXCL`).
  static func isBusy(_ code: Int32) -> Bool { code == EBUSY }

  /// The system's sentence for an `errno`.
  static func sentence(_ code: Int32) -> String { String(cString: strerror(code)) }
}
