import AppClipCodes
import CliptagBasics

/// Reads a live source until it ends, enough was read, or a time limit passes without a new code.
public struct LiveScan<Time: Clock>: Sendable where Time.Duration == Duration {
  /// The reason that a scan ended without a failure.
  public enum End: Hashable, Sendable {
    /// The receiver of the readings stopped the scan.
    case enough
    /// The source ended.
    case endOfInput
    /// No new code arrived within the time limit.
    case timedOut
  }

  private let clock: Time
  private let timeout: Duration?
  private let awayFor: Duration

  /// Creates a scan.
  ///
  /// - Parameters:
  ///   - clock: The clock for the time limit and the absence of codes.
  ///   - timeout: The time limit for the first code, and for each following one; `nil` means no
  ///     limit.
  ///   - awayFor: The time for which a code must be absent to be reported again.
  public init(clock: Time, timeout: Duration? = nil, awayFor: Duration = .seconds(3)) {
    self.clock = clock
    self.timeout = timeout
    self.awayFor = awayFor
  }

  /// Reads the source on a separate thread.
  ///
  /// After this returns or throws, the source is no longer read. Cancelling the task ends it within
  /// 100 ms, or after the search of the current picture of a camera.
  ///
  /// - Parameters:
  ///   - source: The source to read.
  ///   - report: A closure that is called with each new reading, in order, and returns whether to
  ///     continue.
  /// - Throws: ``LiveSourceError`` after all earlier readings were reported, `CancellationError`,
  ///   or errors of `report`.
  public func run(
    _ source: any LiveSource, _ report: (LiveReading) async throws -> Bool
  ) async throws -> End {
    let (readings, continuation) = AsyncStream.makeStream(of: LiveReading.self)
    let wanted = BlockingQueue.Wanted()
    async let outcome = BlockingQueue("CodeScanning.LiveScan").run(wanted) { wanted in
      defer { continuation.finish() }
      return read(source, wanted, continuation)
    }
    var isEnough = false
    var failure: (any Error)?
    do {
      for await next in readings where !isEnough { isEnough = try await !report(next) }
    } catch {
      failure = error
    }
    wanted.end()
    let end = await outcome
    if let failure { throw failure }
    try Task.checkCancellation()
    if isEnough { return .enough }
    return try end.get()
  }

  /// The loop on the source's thread.
  private func read(
    _ source: any LiveSource, _ wanted: BlockingQueue.Wanted,
    _ continuation: AsyncStream<LiveReading>.Continuation
  ) -> Result<End, LiveSourceError> {
    var filter = SightingFilter(
      clock: clock, awayFor: awayFor, sightingsNeeded: source.sightingsNeeded)
    var deadline = timeout.map { clock.now.advanced(by: $0) }
    do throws(LiveSourceError) {
      while true {
        let isInTime = { deadline.map { clock.now < $0 } ?? true }
        guard let next = try source.next(while: { wanted.isSet && isInTime() }) else {
          return .success(isInTime() ? .endOfInput : .timedOut)
        }
        guard filter.isNew(next) else { continue }
        deadline = timeout.map { clock.now.advanced(by: $0) }
        continuation.yield(next)
      }
    } catch {
      return .failure(error)
    }
  }
}

/// Passes a code once until it has been absent for a while.
///
/// A code that remains in front of a camera is read in every picture, and a fixed scanner reads the
/// same label repeatedly; both count once.
package struct SightingFilter<Time: Clock>: Sendable where Time.Duration == Duration {
  private enum Key: Hashable, Sendable {
    case text(String, DecodedCode.Symbology?)
    /// An App Clip Code, as first read.
    case appClipCode(AppClipCodeReading)
  }

  private struct Sightings: Sendable {
    var count: Int
    var last: Time.Instant
  }

  private let clock: Time
  private let awayFor: Duration
  private let needed: Int
  private var known: [Key: Sightings] = [:]

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - clock: The clock for the absence of codes.
  ///   - awayFor: The time for which a code must be absent to be reported again; zero passes every
  ///     reading if one sighting is enough.
  ///   - sightingsNeeded: The number of times that a code must be read, each before it was absent
  ///     that long; 1 or more.
  package init(clock: Time, awayFor: Duration = .seconds(3), sightingsNeeded: Int = 1) {
    self.clock = clock
    self.awayFor = awayFor
    needed = sightingsNeeded
  }

  /// Returns whether a reading must be reported. Unreadable ones always are.
  package mutating func isNew(_ reading: LiveReading) -> Bool {
    let now = clock.now
    // A slow machine takes seconds for a picture: codes with too few sightings are remembered
    // longer.
    known = known.filter { _, sightings in
      sightings.last.duration(to: now) < (sightings.count < needed ? awayFor * 10 : awayFor)
    }
    guard awayFor > .zero || needed > 1, let key = key(reading) else { return true }
    let count = (known[key]?.count ?? 0) + 1
    known[key] = Sightings(count: count, last: now)
    return count == needed
  }

  /// Returns the identity of a reading. Some bits of an App Clip Code are read differently in each
  /// picture: it is the same as an earlier one if few of them differ.
  private func key(_ reading: LiveReading) -> Key? {
    switch reading {
    case .decoded(let code): return .text(code.text, code.symbology)
    case .text(let read, let kind): return .text(read, kind)
    case .appClipCode(let code):
      let same = known.keys.first { key in
        if case .appClipCode(let earlier) = key { earlier.isLike(code.reading) } else { false }
      }
      return same ?? .appClipCode(code.reading)
    case .unreadable: return nil
    }
  }
}
