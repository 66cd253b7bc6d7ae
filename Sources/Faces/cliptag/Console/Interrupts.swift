import CliptagBasics
import CliptagPlatform
import Dispatch
import Foundation
import Issuing
import Synchronization

/// Ctrl-C, SIGTERM and the terminal's end (SIGHUP): the first cancels the run so that it can leave
/// things whole, its terminal too, and the program ends soon after in any case; the second ends it
/// at once.
final class Interrupts {
  /// The time that a cancelled run may still take. A picture being decoded does not notice a
  /// cancellation, a tag being written stops after its page, which takes milliseconds.
  private static let grace = DispatchTimeInterval.milliseconds(1500)

  private let sources: [any DispatchSourceSignal]
  private let state: State

  /// Takes over SIGINT, SIGTERM and SIGHUP until the value is released. An ignored SIGHUP, as set
  /// by `nohup`, remains ignored.
  ///
  /// Returns when all handlers are active: a signal during a run is never lost. An earlier signal
  /// ends the program as if the handlers did not exist.
  init() {
    // A closed pipe and a file that grows past its limit are errors to report, not to die of.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let queue = DispatchQueue(label: "cliptag.interrupts")
    let state = State()
    let registered = DispatchGroup()
    // Dispatch puts its own handler in place of the default action once it listens, which it begins
    // to do some time after it was asked to. To ignore the signal until then would be to lose it.
    let signals = Self.ignoresHangup ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
    sources = signals.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      registered.enter()
      source.setRegistrationHandler { registered.leave() }
      source.setEventHandler {
        guard state.hear(number) == 1 else { state.leave() }
        queue.asyncAfter(deadline: .now() + Self.grace) { state.leave() }
      }
      source.activate()
      return source
    }
    self.state = state
    registered.wait()
  }

  deinit {
    for source in sources { source.cancel() }
  }

  private static var ignoresHangup: Bool {
    var action = sigaction()
    sigaction(SIGHUP, nil, &action)
    // A number, because functions cannot be compared.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Sets the action of the first signal, which runs at once if the signal has come already.
  func whenHeard(_ cancel: @escaping @Sendable () -> Void) { state.setCancel(cancel) }

  /// Returns the status of a run that ended with `status`; that of a stopped run names its signal.
  func exitStatus(of status: Int32) -> Int32 {
    status == ExitStatus.interrupted.rawValue ? state.exitStatus : status
  }

  /// The number of signals that came, and the action for the first.
  private final class State: Sendable {
    private struct Values {
      var count = 0
      var first: Int32?
      var cancel: (@Sendable () -> Void)?
    }
    private let values = Mutex(Values())

    /// As shells report a program that a signal ended: 128 and the signal's number. 130 is that of
    /// Ctrl-C, 143 that of SIGTERM.
    var exitStatus: Int32 {
      values.withLock { $0.first.map { 128 + $0 } } ?? ExitStatus.interrupted.rawValue
    }

    /// Ends the program at once, and leaves nothing half-made behind.
    func leave() -> Never {
      UnfinishedFiles.removeAll()
      _exit(exitStatus)
    }

    /// Counts a signal, and cancels.
    func hear(_ signal: Int32) -> Int {
      let (count, cancel) = values.withLock { values in
        values.count += 1
        if values.first == nil { values.first = signal }
        return (values.count, values.cancel)
      }
      if count == 1 { cancel?() }
      return count
    }

    func setCancel(_ cancel: @escaping @Sendable () -> Void) {
      let isLate = values.withLock { values in
        values.cancel = cancel
        return values.count > 0
      }
      if isLate { cancel() }
    }
  }
}
