internal import Foundation
public import Invocation
public import PositionSources

/// Determines the reader's position for one code after another: listens to a source until the
/// result for the code's region is decided, and asks again only if the known position does not
/// decide it.
public actor PositionWatch {
  /// Searches for a position that decides a question, as `PositionFinder` does.
  public typealias Search =
    @Sendable (_ decided: @escaping @Sendable (LocationFix) -> Bool) async throws(PositionError) ->
    FoundPosition

  private let staysPut: Bool
  private let longestAge: Duration
  private let now: @Sendable () -> Date
  private let search: Search
  private var last: FoundPosition?
  /// The result at the timeout for a reader that does not move; waiting again would give no more.
  private var final: LocatedReading?
  private var turn: Task<Result<LocatedReading, PositionError>, Never>?

  /// Makes a watch.
  ///
  /// - Parameters:
  ///   - staysPut: Whether every code is read from one spot. If not, a position expires like a
  ///     report.
  ///   - longestAge: The longest age of a position for a reader that moves.
  ///   - search: Searches for a position.
  public init(
    staysPut: Bool, longestAge: Duration = PositionFilter().longestAge, search: @escaping Search
  ) {
    self.init(staysPut: staysPut, longestAge: longestAge, now: { Date() }, search: search)
  }

  init(
    staysPut: Bool, longestAge: Duration, now: @escaping @Sendable () -> Date,
    search: @escaping Search
  ) {
    self.staysPut = staysPut
    self.longestAge = longestAge
    self.now = now
    self.search = search
  }

  /// Determines the position for a code that belongs to a region, or for a reading that belongs to
  /// none.
  ///
  /// Callers wait for each other, as there is one receiver.
  ///
  /// - Throws: The error that ended the source. The lack of a usable report is a finding, not an
  ///   error.
  public func reading(in region: Region? = nil) async throws(PositionError) -> LocatedReading {
    let previous = turn
    let task = Task { () -> Result<LocatedReading, PositionError> in
      _ = await previous?.value
      return await self.look(in: region)
    }
    turn = task
    return try await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }.get()
  }

  /// The accuracy, in metres, that suffices for a position without a region.
  private static let exactEnough = 25.0

  private func look(in region: Region?) async -> Result<LocatedReading, PositionError> {
    let decides: @Sendable (LocationFix) -> Bool = { fix in
      guard let region else { return fix.accuracy <= Self.exactEnough }
      return LocationConfirmation.confirm(fix, in: region).result != .undecided
    }
    if let last, decides(last.fix), staysPut || isFresh(last.fix) {
      return .success(LocatedReading(last))
    }
    if let final { return .success(final) }
    do throws(PositionError) {
      let found = try await search(decides)
      last = found
      if staysPut, !found.isDecided { final = LocatedReading(found) }
      return .success(LocatedReading(found))
    } catch {
      guard error.code == .noPosition else { return .failure(error) }
      if staysPut { final = LocatedReading(error) }
      return .success(LocatedReading(error))
    }
  }

  private func isFresh(_ fix: LocationFix) -> Bool {
    guard let time = fix.origin?.time else { return false }
    return abs(now().timeIntervalSince(time)) <= longestAge / .seconds(1)
  }
}
