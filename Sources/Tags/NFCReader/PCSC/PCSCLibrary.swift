import CliptagBasics
internal import CPCSC
import Dispatch
import Synchronization

/// A table of the PC/SC functions that this module calls, one trampoline each.
///
/// ``system`` calls the library. A test passes its own table.
struct PCSCCalls: Sendable {
  typealias Context = Int
  typealias Card = Int

  /// The reason why PC/SC cannot be used; `nil` if it can. The first call loads the library.
  var trouble: @Sendable () -> String?
  /// `SCardEstablishContext`.
  var establish: @Sendable (inout Context) -> UInt32
  /// `SCardReleaseContext`.
  var release: @Sendable (Context) -> UInt32
  /// `SCardListReaders`: names, each terminated by a zero, and their length in bytes.
  var list: @Sendable (Context, UnsafeMutableBufferPointer<CChar>, inout Int) -> UInt32
  /// `SCardGetStatusChange` for one reader: milliseconds, state before and after, ATR.
  var wait: @Sendable (Context, String, UInt32, inout UInt32, inout [UInt8]) -> UInt32
  /// `SCardCancel`.
  var cancel: @Sendable (Context) -> UInt32
  /// `SCardConnect`: the share mode; the card and its protocol.
  var connect: @Sendable (Context, String, UInt32, inout Card, inout UInt32) -> UInt32
  /// `SCardReconnect`: the share mode, and the initialisation of the card.
  var reconnect: @Sendable (Card, UInt32, UInt32, inout UInt32) -> UInt32
  /// `SCardDisconnect`.
  var disconnect: @Sendable (Card, UInt32) -> UInt32
  /// `SCardTransmit`.
  var transmit: @Sendable (Card, UInt32, [UInt8], inout [UInt8]) -> UInt32
  /// The time limit of the service and the reader for one call.
  var limit = CallLimit()

  /// The table that calls the library.
  static let system = PCSCCalls(
    trouble: { cpcsc_load().map { String(cString: $0) } },
    establish: { cpcsc_establish(&$0) },
    release: { cpcsc_release($0) },
    list: { cpcsc_list($0, $1.baseAddress, &$2) },
    wait: { context, reader, milliseconds, state, atr in
      var bytes = [UInt8](repeating: 0, count: 33)
      var count = 0
      let result = cpcsc_wait(context, reader, milliseconds, &state, &bytes, &count)
      atr = Array(bytes.prefix(count))
      return result
    },
    cancel: { cpcsc_cancel($0) },
    connect: { cpcsc_connect($0, $1, $2, &$3, &$4) },
    reconnect: { cpcsc_reconnect($0, $1, $2, &$3) },
    disconnect: { cpcsc_disconnect($0, $1) },
    transmit: { card, linkProtocol, command, answer in
      // More than the longest response of a reader here, including its status word.
      var bytes = [UInt8](repeating: 0, count: 4096)
      var count = bytes.count
      let result = cpcsc_transmit(card, linkProtocol, command, command.count, &bytes, &count)
      answer = Array(bytes.prefix(count))
      return result
    })
}

/// The state of a reader, as reported by SCardGetStatusChange.
struct PCSCState: Hashable, Sendable {
  /// The bits, with the count of card events in the upper half.
  let rawValue: UInt32

  /// The reader no longer exists (SCARD_STATE_UNKNOWN, UNAVAILABLE).
  var isGone: Bool { rawValue & 0x0C != 0 }
  /// A card is present (SCARD_STATE_PRESENT).
  var isPresent: Bool { rawValue & 0x20 != 0 }
  /// Another program uses the card exclusively (SCARD_STATE_EXCLUSIVE).
  var isExclusive: Bool { rawValue & 0x80 != 0 }
  /// The card does not answer (SCARD_STATE_MUTE).
  var isMute: Bool { rawValue & 0x200 != 0 }
  /// The count of card insertions and removals, modulo 65,536.
  var events: UInt32 { rawValue >> 16 }
}

/// One connection to the smart card service, as its only owner.
///
/// No call to the service blocks for longer than its limit permits, whatever the service or the
/// reader does. An abandoned call makes the connection unusable, because the library still waits
/// for the response.
final class PCSCContext: Sendable {
  let calls: PCSCCalls
  let handle: PCSCCalls.Context
  private let worker: LimitedWorker

  /// A Boolean value that indicates whether a call was abandoned; every later call fails at once.
  var hasGivenUp: Bool { worker.hasGivenUp }

  /// Connects to the service.
  ///
  /// - Throws: `.noService` and others, as the library reports them; `.timedOut`.
  init(calls: PCSCCalls) throws(DeviceFailure) {
    worker = LimitedWorker(calls.limit)
    self.calls = calls.limited(by: worker)
    var handle = 0
    try PCSCStatus.check(self.calls.establish(&handle))
    self.handle = handle
  }

  deinit { _ = calls.release(handle) }

  /// The names of all readers, in the service's order.
  ///
  /// A service that was started by this connection may know no reader for some milliseconds; it is
  /// queried again for a quarter of a second.
  func readers() throws(DeviceFailure) -> [String] {
    for attempt in 0..<6 {
      let names = try readersNow()
      if !names.isEmpty || attempt == 5 { return names }
      _ = state(of: #"\\?PnP?\Notification"#, waiting: 50)
    }
    return []
  }

  private func readersNow() throws(DeviceFailure) -> [String] {
    var text = [CChar](repeating: 0, count: 8192)
    var count = text.count
    let code = text.withUnsafeMutableBufferPointer { calls.list(handle, $0, &count) }
    if PCSCStatus(rawValue: code) == .noReaders { return [] }
    try PCSCStatus.check(code)
    return text.prefix(max(0, min(count, text.count))).split(separator: 0).map { name in
      String(decoding: name.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }

  /// The state of a reader, at once or after it has changed.
  func state(
    of reader: String, after known: PCSCState? = nil, waiting milliseconds: UInt32 = 0
  ) -> (state: PCSCState, atr: [UInt8], status: PCSCStatus) {
    var state = known?.rawValue ?? 0
    var atr: [UInt8] = []
    let code = calls.wait(handle, reader, milliseconds, &state, &atr)
    return (PCSCState(rawValue: state), atr, PCSCStatus(rawValue: code))
  }
}

extension PCSCCalls {
  /// The same functions, abandoned with `SCARD_E_TIMEOUT` if they take too long.
  fileprivate func limited(by worker: LimitedWorker) -> PCSCCalls {
    let raw = self
    let timedOut = PCSCStatus.timedOut.rawValue
    var limited = self
    limited.establish = { context in
      let result = worker.run {
        var context = 0
        return (raw.establish(&context), context)
      }
      context = result?.1 ?? 0
      return result?.0 ?? timedOut
    }
    limited.release = { context in worker.run { raw.release(context) } ?? timedOut }
    limited.list = { context, text, count in
      let room = text.count
      let result = worker.run {
        var names = [CChar](repeating: 0, count: room)
        var count = room
        let code = names.withUnsafeMutableBufferPointer { raw.list(context, $0, &count) }
        return (code, names, count)
      }
      guard let (code, names, length) = result else { return timedOut }
      _ = text.update(fromContentsOf: names)
      count = length
      return code
    }
    limited.wait = { context, reader, milliseconds, state, atr in
      let known = state
      let result = worker.run(longer: .milliseconds(Int(milliseconds))) {
        var state = known
        var atr: [UInt8] = []
        return (raw.wait(context, reader, milliseconds, &state, &atr), state, atr)
      }
      guard let result else { return timedOut }
      (state, atr) = (result.1, result.2)
      return result.0
    }
    // This call ends one in progress, so it cannot wait for its turn.
    limited.cancel = { context in
      DispatchQueue.global().async { _ = raw.cancel(context) }
      return 0
    }
    limited.connect = { context, reader, sharing, card, linkProtocol in
      let result = worker.run {
        var (card, linkProtocol) = (0, UInt32(0))
        return (raw.connect(context, reader, sharing, &card, &linkProtocol), card, linkProtocol)
      }
      guard let result else { return timedOut }
      (card, linkProtocol) = (result.1, result.2)
      return result.0
    }
    limited.reconnect = { card, sharing, initialization, linkProtocol in
      let known = linkProtocol
      let result = worker.run {
        var linkProtocol = known
        return (raw.reconnect(card, sharing, initialization, &linkProtocol), linkProtocol)
      }
      guard let result else { return timedOut }
      linkProtocol = result.1
      return result.0
    }
    limited.disconnect = { card, disposition in
      worker.run { raw.disconnect(card, disposition) } ?? timedOut
    }
    limited.transmit = { card, linkProtocol, command, answer in
      let result = worker.run {
        var answer: [UInt8] = []
        return (raw.transmit(card, linkProtocol, command, &answer), answer)
      }
      guard let result else { return timedOut }
      answer = result.1
      return result.0
    }
    return limited
  }
}

/// Reports events of a PC/SC reader without a command to it.
///
/// It has a separate connection to the service, so that a wait can be ended while the reader is in
/// use.
final class PCSCPresence: Sendable {
  private let context: PCSCContext
  private let reader: String
  private let queue = DispatchQueue(label: "PCSCPresence")

  init(calls: PCSCCalls, reader: String) throws(DeviceFailure) {
    context = try PCSCContext(calls: calls)
    self.reader = reader
  }

  /// The present state.
  var now: PCSCState { context.state(of: reader).state }

  /// Waits until the state of the reader differs from `known`, at most for the shorter of `time`
  /// and half a second. Cancelling the task ends the wait; if the task was cancelled while the wait
  /// began, it ends after that time.
  func change(from known: PCSCState, atMost time: Duration) async {
    let milliseconds = UInt32(clamping: Int(bounded: max(1, min(500, time / .milliseconds(1)))))
    guard !Task.isCancelled else { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { [self] in
          _ = context.state(of: reader, after: known, waiting: milliseconds)
          continuation.resume()
        }
      }
    } onCancel: { [self] in
      _ = context.calls.cancel(context.handle)
    }
  }
}
