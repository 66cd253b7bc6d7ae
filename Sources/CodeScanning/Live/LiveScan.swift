import AppClipCodes
import Basics

/// Reads a live source until it ends, enough was read, or nothing came for too long.
public struct LiveScan<Time: Clock>: Sendable where Time.Duration == Duration {
  /// Why a scan ended without a failure.
  public enum End: Hashable, Sendable {
    /// Whoever is told of the readings wants no more.
    case enough
    /// The source has no more.
    case endOfInput
    /// No new code came for the time-out.
    case timedOut
  }

  private let clock: Time
  private let timeout: Duration?
  private let awayFor: Duration

  /// Makes a scan.
  ///
  /// - Parameters:
  ///   - clock: Measures the time-out and how long a code was away.
  ///   - timeout: How long to wait for the first code, and for each after it; `nil` waits for ever.
  ///   - awayFor: How long a code has to be away to be reported again.
  public init(clock: Time, timeout: Duration? = nil, awayFor: Duration = .seconds(3)) {
    self.clock = clock
    self.timeout = timeout
    self.awayFor = awayFor
  }

  /// Reads the source on a thread of its own.
  ///
  /// When this returns or throws, nobody reads the source any more. Cancelling the task ends it
  /// within 100 ms, or when the picture of a camera that is just looked at is done.
  ///
  /// - Parameters:
  ///   - source: What to read.
  ///   - report: Is told of each reading that is new, in order, and answers whether to go on.
  /// - Throws: ``LiveSourceError`` after all that was read before has been reported,
  ///   `CancellationError`, or what `report` throws.
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

/// Lets a code through once, until it was away for a while.
///
/// A code that stays in front of a camera is met in every picture, and a scanner on a stand reads
/// the same label again and again; both mean the code once.
package struct SightingFilter<Time: Clock>: Sendable where Time.Duration == Duration {
  private enum Key: Hashable, Sendable {
    case text(String, DecodedCode.Symbology?)
    /// An App Clip Code, as it was read first.
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

  /// Makes a filter.
  ///
  /// - Parameters:
  ///   - clock: Tells how long a code was away.
  ///   - awayFor: How long a code has to be away to be news again; zero lets every reading through.
  ///   - sightingsNeeded: How often a code has to be met, each time before it was away that long;
  ///     1 or more.
  package init(clock: Time, awayFor: Duration = .seconds(3), sightingsNeeded: Int = 1) {
    self.clock = clock
    self.awayFor = awayFor
    needed = sightingsNeeded
  }

  /// Whether a reading is to be reported. What is unreadable always is.
  package mutating func isNew(_ reading: LiveReading) -> Bool {
    let now = clock.now
    // A slow machine looks at a picture in seconds: what was not met often enough yet is waited for longer.
    known = known.filter { _, sightings in
      sightings.last.duration(to: now) < (sightings.count < needed ? awayFor * 10 : awayFor)
    }
    guard awayFor > .zero || needed > 1, let key = key(reading) else { return true }
    let count = (known[key]?.count ?? 0) + 1
    known[key] = Sightings(count: count, last: now)
    return count == needed
  }

  /// What tells a reading from others. Of an App Clip Code some bits are read otherwise in each picture:
  /// it is the same as one that was met before when few of them differ.
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
