import CliptagBasics
import CliptagPlatform

/// The limits of one answer: the time without a message, and the size.
struct ServerWatch {
  private let patience: Duration
  private let limit: Int
  private var deadline: ContinuousClock.Instant
  private var count = 0

  /// - Parameters:
  ///   - patience: The time limit for the server's next message.
  ///   - limit: The largest number of bytes.
  init(patience: Duration, limit: Int = .max) {
    self.patience = patience
    self.limit = limit
    deadline = .now + patience
  }

  /// Waits until the descriptor is readable or writable, a tenth of a second at most, because under
  /// TLS bytes may have been read already.
  ///
  /// - Throws: ``ServerTrouble`` when the server has been silent for too long.
  func wait(at descriptor: Int32, for events: Int32) throws {
    let left = deadline - .now
    guard left > .zero else {
      let seconds = (patience / .seconds(1) * 10).rounded() / 10
      throw ServerTrouble(
        state: ServerTrouble.State.silent, message: "no response for \(seconds) seconds",
        isLost: true)
    }
    var socket = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    let milliseconds = min(100, (left / .milliseconds(1)).rounded(.up))
    _ = poll(&socket, 1, Int32(clamping: Int(bounded: milliseconds)))
  }

  /// Counts received bytes. A thousand of them extend the deadline by a second, so that a server
  /// cannot keep the connection with one byte now and then.
  ///
  /// - Throws: ``ServerTrouble`` when they are too many.
  mutating func take(_ bytes: Int) throws {
    count += bytes
    guard count <= limit else {
      throw ServerTrouble.broken("it sent more than \(limit) bytes in one response")
    }
    deadline = min(deadline + .milliseconds(min(bytes, 1_000_000)), .now + patience)
  }
}
