import Dispatch
import Foundation
import Glibc
import Synchronization

/// Ctrl-C and SIGTERM: the first cancels the run so that it can leave things whole, and the
/// program ends soon after in any case; the second ends it at once.
final class Interrupts {
  /// How long a cancelled run may still take. A picture being decoded does not notice a
  /// cancellation, a tag being written stops after its page, which takes milliseconds.
  private static let grace = DispatchTimeInterval.milliseconds(1500)

  private let sources: [any DispatchSourceSignal]

  /// Takes over SIGINT and SIGTERM until the value is released.
  init(cancel: @escaping @Sendable () -> Void) {
    // A closed pipe and a file that grows past its limit are errors to report, not to die of.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let queue = DispatchQueue(label: "cliptag.interrupts")
    let count = Counter()
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: queue)
    }
    for source in sources {
      source.setEventHandler {
        if count.next() > 1 { _exit(ExitStatus.interrupted.rawValue) }
        cancel()
        queue.asyncAfter(deadline: .now() + Self.grace) {
          _exit(ExitStatus.interrupted.rawValue)
        }
      }
      source.activate()
    }
  }

  deinit {
    for source in sources { source.cancel() }
  }

  private final class Counter: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
      value.withLock { value in
        value += 1
        return value
      }
    }
  }
}
