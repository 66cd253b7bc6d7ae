/// Lets a code through once, until it was away for a while.
///
/// A code that stays in front of a camera is met in every picture, and a scanner on a stand reads
/// the same label again and again; both mean the code once.
package struct SightingFilter<Time: Clock>: Sendable where Time.Duration == Duration {
  private struct Key: Hashable, Sendable {
    let text: String
    let symbology: DecodedCode.Symbology?

    init?(_ reading: LiveReading) {
      switch reading {
      case .decoded(let code): (text, symbology) = (code.text, code.symbology)
      case .text(let read, let kind): (text, symbology) = (read, kind)
      case .unreadable: return nil
      }
    }
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
    guard awayFor > .zero || needed > 1, let key = Key(reading) else { return true }
    let now = clock.now
    known = known.filter { $0.value.last.duration(to: now) < awayFor }
    let count = (known[key]?.count ?? 0) + 1
    known[key] = Sightings(count: count, last: now)
    return count == needed
  }
}
