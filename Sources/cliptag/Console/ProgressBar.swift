import Foundation
import Glibc
import Synchronization

/// How far a long run has come, as one line at the bottom of the terminal.
final class ProgressBar: Sendable {
  private struct State {
    var done = 0
    var isShown = false
    var lastDrawn: ContinuousClock.Instant?
  }

  /// Redrawing costs the terminal more than the reader's eye gains.
  private static let interval = Duration.milliseconds(100)
  private static let width = 24

  private let total: Int
  private let console: Console
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  /// A bar on standard error; `nil` when that is no terminal, or there is nothing to wait for.
  init?(total: Int, console: Console) {
    guard total > 1, console.showsProgress else { return nil }
    self.total = total
    self.console = console
  }

  /// Counts a piece of work that is done.
  func advance() {
    state.withLock { state in
      state.done += 1
      let now = ContinuousClock.now
      if let last = state.lastDrawn, now - last < Self.interval { return }
      state.lastDrawn = now
      state.isShown = true
      console.draw("\r\u{1B}[K" + text(done: state.done, after: now - start))
    }
  }

  /// Takes the line away, so that something else can be printed in its place.
  func hide() {
    state.withLock { state in
      guard state.isShown else { return }
      state.isShown = false
      state.lastDrawn = nil
      console.draw("\r\u{1B}[K")
    }
  }

  private func text(done: Int, after time: Duration) -> String {
    let filled = done * Self.width / total
    let bar =
      String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
    let rate = Double(done) / max(time / .seconds(1), 0.001)
    let rest = Int((Double(total - done) / max(rate, 0.001)).rounded(.up))
    let left = rest < 90 ? "\(rest) s" : "\((rest + 30) / 60) min"
    return "[\(bar)] \(done) of \(total), \(Self.rounded(rate)) a second, about \(left) left"
  }

  private static func rounded(_ rate: Double) -> String {
    rate < 10 ? String(format: "%.1f", rate) : "\(Int(rate.rounded()))"
  }
}
