/// A process that has a device open.
struct PortHolder: Hashable, Sendable {
  let process: Int
  /// The program's name as the kernel shows it.
  let name: String?

  var description: String { name.map { "\($0) (process \(process))" } ?? "process \(process)" }

  /// At most three of them, for a sentence.
  static func list(_ holders: [PortHolder]) -> String {
    let named = holders.prefix(3).map(\.description).joined(separator: ", ")
    return holders.count > 3 ? "\(named) and \(holders.count - 3) more" : named
  }
}

extension SystemView {
  /// Who holds a `flock` on the node, by /proc/locks; nil when it does not tell.
  func lockHolder(of path: String) -> PortHolder? {
    guard let node = node(path), let locks = text("/proc/locks") else { return nil }
    // "1: FLOCK  ADVISORY  WRITE 4711 00:18:5 0 EOF": process, then device and inode of the file.
    for line in locks.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count >= 6, fields[1] == "FLOCK", let process = Int(fields[4]), process > 0
      else { continue }
      let place = fields[5].split(separator: ":")
      guard place.count == 3, UInt64(place[2]) == node.inode,
        let major = UInt64(place[0], radix: 16), let minor = UInt64(place[1], radix: 16),
        major == node.device.major, minor == node.device.minor
      else { continue }
      return holder(process)
    }
    return nil
  }

  /// Processes that have the node open, as far as this user may see, except this one.
  func users(of path: String) -> [PortHolder] {
    let target = resolve(path)
    let own = Int(resolve("/proc/self").split(separator: "/").last ?? "")
    return names("/proc").compactMap(Int.init).filter { $0 != own }.sorted().compactMap { process in
      let folder = "/proc/\(process)/fd"
      let isOpen = names(folder).contains { resolve("\(folder)/\($0)") == target }
      return isOpen ? holder(process) : nil
    }
  }

  private func holder(_ process: Int) -> PortHolder {
    let name = text("/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init)
    return PortHolder(process: process, name: name)
  }
}

extension UInt64 {
  // The layout of Linux's dev_t as its C library's macros `major` and `minor` read it.
  var major: UInt64 { (self >> 8) & 0xfff | (self >> 32) & 0xffff_f000 }
  fileprivate var minor: UInt64 { self & 0xff | (self >> 12) & 0xffff_ff00 }
}

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
