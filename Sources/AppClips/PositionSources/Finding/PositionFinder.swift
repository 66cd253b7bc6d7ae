import CliptagBasics
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Invocation
internal import Synchronization

/// A position and its origin.
public struct FoundPosition: Hashable, Sendable {
  /// The mean of the reports that were used.
  public let fix: LocationFix
  /// A Boolean value that indicates whether the caller's condition was met.
  public let isDecided: Bool
  /// The counted events of the source.
  public let sightings: PositionSightings
}

/// Reads a source until a condition is met or the time limit passes.
public struct PositionFinder<Time: Clock>: Sendable where Time.Duration == Duration {
  /// The source.
  package let source: any PositionSource
  /// The filter of the reports.
  package let filter: PositionFilter
  private let clock: Time
  private let now: @Sendable () -> Date

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - source: The source to read.
  ///   - filter: The filter of the reports.
  ///   - clock: The clock for time limits.
  ///   - now: The system's clock, from which the age of fixes is computed.
  public init(
    source: any PositionSource, filter: PositionFilter = PositionFilter(), clock: Time,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.source = source
    self.filter = filter
    self.clock = clock
    self.now = now
  }

  /// Finds the position of the receiver, which must not move meanwhile.
  ///
  /// - Parameters:
  ///   - decided: A condition that is called with the mean after each report and returns whether it
  ///     is accurate enough.
  ///   - timeout: The time after which the best position so far is returned.
  /// - Returns: The position; an undecided one if the time limit passed, or the source ended or
  ///   failed, before the condition was met.
  /// - Throws: The error that ended the source, or ``PositionError/Code/noPosition`` with the
  ///   events seen, if no report was usable. A cancelled task ends within 100 ms.
  public func find(
    until decided: @escaping @Sendable (LocationFix) -> Bool, timeout: Duration
  ) async throws(PositionError) -> FoundPosition {
    let search = Search()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await listen(search, decided) }
      group.addTask { try? await clock.sleep(for: timeout) }
      await group.next()
      group.cancelAll()
    }
    if Task.isCancelled { throw .cancelled(source.description) }
    return try search.result(source, timeout)
  }

  private func listen(
    _ search: Search, _ decided: @Sendable (LocationFix) -> Bool
  ) async {
    do throws(PositionError) {
      while let event = try await source.next() {
        if search.take(event, of: source, filter, now: now(), decided) { return }
      }
      search.end(nil)
    } catch {
      if error.code != .cancelled { search.end(error) }
    }
  }

  /// The state shared by the two tasks: the result so far.
  private final class Search: Sendable {
    private struct State {
      var average = PositionAverage()
      var sightings = PositionSightings()
      var fix: LocationFix?
      var isDecided = false
      var hasEnded = false
      var failure: PositionError?
    }

    private let state = Mutex(State())

    /// - Returns: Whether the condition is met.
    func take(
      _ event: PositionEvent, of source: any PositionSource, _ filter: PositionFilter, now: Date,
      _ decided: (LocationFix) -> Bool
    ) -> Bool {
      let fix = state.withLock { state -> LocationFix? in
        state.sightings.note(event)
        guard case .report(let report) = event else { return nil }
        if let refusal = filter.refusal(of: report, now: now) {
          state.sightings.note(refusal)
          return nil
        }
        state.average.add(report)
        state.sightings.jumps = state.average.jumps
        state.fix = state.average.fix(
          from: PositionOrigin(
            kind: source.kind, name: source.name, time: state.average.lastTime,
            reportCount: state.average.count, isSimulated: state.average.isSimulated))
        return state.fix
      }
      guard let fix, decided(fix) else { return false }
      state.withLock { $0.isDecided = true }
      return true
    }

    func end(_ failure: PositionError?) {
      state.withLock { state in
        state.hasEnded = true
        state.failure = failure
      }
    }

    func result(
      _ source: any PositionSource, _ timeout: Duration
    ) throws(PositionError) -> FoundPosition {
      let state = state.withLock { $0 }
      if let fix = state.fix {
        return FoundPosition(fix: fix, isDecided: state.isDecided, sightings: state.sightings)
      }
      if let failure = state.failure { throw failure }
      let cause =
        state.hasEnded ? "before it ended" : "within \(timeout.components.seconds) s"
      throw PositionError(
        .noPosition, source: source.name,
        message: "No position arrived from \(source.description) \(cause): "
          + "\(state.sightings.summary).",
        hint: state.sightings.hint, sightings: state.sightings)
    }
  }
}
