public import FoundationEssentials
public import Invocation
internal import Synchronization

/// A position, and how it was found.
public struct FoundPosition: Hashable, Sendable {
  /// The mean of the reports that were used.
  public let fix: LocationFix
  /// Whether the caller's question was decided.
  public let isDecided: Bool
  /// What came from the source.
  public let sightings: PositionSightings
}

/// Listens to a source until a question is decided or the time is over.
public struct PositionFinder<Time: Clock>: Sendable where Time.Duration == Duration {
  /// What is listened to.
  package let source: any PositionSource
  /// Which reports count.
  package let filter: PositionFilter
  private let clock: Time
  private let now: @Sendable () -> Date

  /// Makes a finder.
  ///
  /// - Parameters:
  ///   - source: What is listened to.
  ///   - filter: Which reports count.
  ///   - clock: Measures time-outs.
  ///   - now: The system's clock, against which the age of fixes is told.
  public init(
    source: any PositionSource, filter: PositionFilter = PositionFilter(), clock: Time,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.source = source
    self.filter = filter
    self.clock = clock
    self.now = now
  }

  /// Finds where the reader stands, who keeps still meanwhile.
  ///
  /// - Parameters:
  ///   - decided: Is asked with the mean after each report, and says whether it is exact enough.
  ///   - timeout: After what time the best that there is counts.
  /// - Returns: The position; when the time was over, the source ended or failed before the
  ///   question was decided, an undecided one.
  /// - Throws: What ended the source, or ``PositionError/Code/noPosition`` with what was seen, when
  ///   there was no report of use. A cancelled task ends within 100 ms.
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

  /// What two tasks share: what was found so far.
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

    /// - Returns: Whether the question is decided.
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
        message: "No position came from \(source.description) \(cause): "
          + "\(state.sightings.summary).",
        hint: state.sightings.hint, sightings: state.sightings)
    }
  }
}
