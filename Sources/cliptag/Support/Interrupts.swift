import Dispatch
import Foundation
import Glibc
import Synchronization

/// Ctrl-C and SIGTERM: the first cancels the run so that it can leave things whole, and the
/// program ends soon after in any case; the second ends it at once.
final class Interrupts: Sendable {
  /// How long a cancelled run may still take. A picture being decoded does not notice a
  /// cancellation, a tag being written stops after its page, which takes milliseconds.
  private static let grace = DispatchTimeInterval.milliseconds(1500)

  private let count = Mutex(0)
  private let sources: [any DispatchSourceSignal]

  /// Takes over SIGINT and SIGTERM until the value is released.
  init(cancel: @escaping @Sendable () -> Void) {
    signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "cliptag.interrupts")
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: queue)
    }
    for source in sources {
      source.setEventHandler { [weak self] in
        guard let self else { return }
        let times = self.count.withLock { count in
          count += 1
          return count
        }
        if times > 1 { _exit(ExitStatus.interrupted.rawValue) }
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
}
