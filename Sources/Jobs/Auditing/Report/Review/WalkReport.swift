public import Foundation
public import Invocation
public import Registry

/// The results of walks, for a manager: the codes that were expected and seen, and the errors.
public struct WalkReport: Sendable {
  /// A result that needs attention.
  public struct Item: Sendable {
    /// The finding.
    public let finding: Finding
    /// The stop at which it was found; `nil` for a code that was not seen at all.
    public let stop: WalkStop?
    /// The index of the reading in `WalkStop.readings`; `nil` if it is about the stop or about no
    /// reading.
    public let reading: Int?
    /// The issued code that it is about.
    public let code: IssuedCode?
    /// A remark besides the kind of finding, the code and the advice; `nil` if the finding's own
    /// sentence is used.
    package let remark: String?

    /// Makes an item.
    package init(
      _ finding: Finding, stop: WalkStop? = nil, reading: Int? = nil, code: IssuedCode? = nil,
      remark: String? = nil
    ) {
      self.finding = finding
      self.stop = stop
      self.reading = reading
      self.code = code
      self.remark = remark
    }
  }

  /// The results at one place, or at no known place.
  public struct PlaceSection: Sendable {
    /// The place; `nil` for stops that were at no known place.
    public let place: Place?
    /// The number of codes expected there.
    public let expected: Int
    /// The number of those that were read there, or perhaps there; see ``unconfirmed``.
    public let seen: Int
    /// The codes of ``seen`` that were not certainly read there: the position was missing, or not
    /// exact enough.
    public let unconfirmed: [IssuedCode]
    /// The number of codes that were certainly read there.
    public var confirmed: Int { seen - unconfirmed.count }
    /// Whether the place was certainly visited. If not, codes that were not read may not be
    /// missing.
    public let isCertain: Bool
    /// The number of stops made there.
    public let stops: Int
    /// The expected codes that were not read.
    public let missing: [IssuedCode]
    /// The expected codes that are at the place of another code, which is here; they are reported
    /// as `Finding.Code.swappedCodes` and are not missing.
    public let swapped: [IssuedCode]
    /// The time of the last visit; `nil` for no known place.
    public let lastVisit: Date?
    /// The findings, the most urgent first, including missing codes.
    public let items: [Item]
    /// The number of prints and tags of the expected codes, with all copies, and of those certainly
    /// seen: of a code with several prints, the most in one picture.
    package let pieces: (pieces: Int, seen: Int)
    /// The expected codes, each counted in one state.
    public let sum: CodeSum
    /// The expected codes that ``sum`` counts as wrong, missing or dead.
    let troubled: Set<CodeID>

    /// Makes a section.
    package init(
      place: Place?, expected: Int, seen: Int, unconfirmed: [IssuedCode] = [],
      isCertain: Bool = true, stops: Int, missing: [IssuedCode],
      swapped: [IssuedCode] = [], lastVisit: Date? = nil, items: [Item],
      pieces: (pieces: Int, seen: Int)? = nil, sum: CodeSum? = nil,
      troubled: Set<CodeID>? = nil
    ) {
      self.place = place
      self.expected = expected
      self.seen = seen
      self.unconfirmed = unconfirmed
      self.isCertain = isCertain
      self.stops = stops
      self.missing = missing
      self.swapped = swapped
      self.lastVisit = lastVisit
      self.items = items
      self.pieces = pieces ?? (expected, seen)
      self.sum =
        sum
        ?? CodeSum(
          confirmed: seen - unconfirmed.count, unconfirmed: unconfirmed.count,
          wrong: swapped.count, missing: missing.count)
      self.troubled = troubled ?? Set((missing + swapped).map(\.id))
    }
  }

  /// The unique identity of a stop.
  public struct StopName: Hashable, Sendable {
    /// The walk.
    public let walk: Walk.ID
    /// The stop's number in its walk.
    public let number: Int
  }

  /// A stop on the map.
  public struct Point: Hashable, Sendable {
    /// The position of the stop.
    public let fix: LocationFix
    /// The highest severity found there; `nil` if there are no findings.
    public let severity: Finding.Severity?
    /// The walk of the stop.
    public let walk: Walk.ID
    /// The stop's number in its walk.
    public let number: Int
  }

  /// The title of the report: the name of its walks.
  public let title: String
  /// The walks, oldest first.
  public let walks: [Walk]
  /// The only place that the report covers; `nil` for all.
  public let place: Place?
  /// The time at which the report was made.
  public let made: Date
  /// The time zone of days and times in the report.
  public let timeZone: TimeZone
  /// The number of stops, with each picture counted once.
  public let stopCount: Int
  /// The number of codes read, with each reading counted.
  public let readingCount: Int
  /// The number of different issued codes that were read.
  public let codeCount: Int
  /// The time from the first stop to the last; `nil` without stops.
  public let period: ClosedRange<Date>?
  /// The places, the most urgent findings first; stops at no known place last.
  public let sections: [PlaceSection]
  /// The places with expected codes where no stop was made, by name.
  public let unvisited: [Place]
  /// Every stop whose position is known.
  public let points: [Point]
  /// The stops that do not count, each with the one that replaces it: a later reading of the same
  /// picture.
  public let superseded: [StopName: StopName]
  /// The stops that the report covers; `nil` for all.
  package let scope: Set<StopName>?
  /// The findings of all walks that are followed up, by their names.
  package var followUps: [FollowUp.ID: FollowUp] = [:]

  /// Whether the report covers a stop.
  package func isAbout(_ stop: WalkStop) -> Bool { isAbout(stop.number, of: stop.walk) }

  /// Whether the report covers the stop with a number in its walk.
  func isAbout(_ number: Int, of walk: Walk.ID) -> Bool {
    scope?.contains(StopName(walk: walk, number: number)) ?? true
  }

  /// The number of findings of a severity.
  public func count(of severity: Finding.Severity) -> Int {
    sections.reduce(0) { $0 + $1.items.count { $0.finding.severity == severity } }
  }
  /// The codes expected at the places that were visited, each counted in one state.
  public var sum: CodeSum { sections.reduce(CodeSum()) { $0 + $1.sum } }
  /// The number of codes expected at the places that were visited.
  public var expectedCount: Int { sections.reduce(0) { $0 + $1.expected } }
  /// The number of those that were read at their place, or perhaps there.
  public var seenCount: Int { sections.reduce(0) { $0 + $1.seen } }
  /// The number of those that were certainly read at their place.
  public var confirmedCount: Int { sections.reduce(0) { $0 + $1.confirmed } }
  /// The number of those that were read at an uncertain place.
  public var unconfirmedCount: Int { seenCount - confirmedCount }
}

/// The source of pictures and stops for a report, one at a time: five hundred pictures do not fit
/// into memory.
package struct WalkMaterial {
  /// The small copy of a stop's picture, if there is one.
  package let picture: (_ walk: Walk.ID, _ stop: Int) throws -> WalkPicture?
  /// Calls a closure with every stop of a walk, in order.
  package let forEachStop: (_ walk: Walk.ID, _ body: (WalkStop) throws -> Void) throws -> Void

  /// Takes closures.
  package init(
    picture: @escaping (_ walk: Walk.ID, _ stop: Int) throws -> WalkPicture?,
    forEachStop: @escaping (_ walk: Walk.ID, _ body: (WalkStop) throws -> Void) throws -> Void
  ) {
    self.picture = picture
    self.forEachStop = forEachStop
  }
}

extension WalkReport {
  /// One picture with findings that need attention.
  struct Exhibit {
    /// The stop at which it was taken; the first of several with the same picture.
    let stop: WalkStop
    /// The findings, the most severe first, with their places.
    var items: [Item]
    /// The highest severity of each reading with findings, by its index in the stop.
    var severities: [Int: Finding.Severity] {
      items.reduce(into: [:]) { severities, item in
        guard let reading = item.reading, item.walkReading != nil else { return }
        severities[reading] = max(severities[reading] ?? .note, item.finding.severity)
      }
    }
  }

  /// The pictures with findings, each once, in the order of the sections; a picture that several
  /// computers imported, or that two places share, counts once.
  var exhibits: [Exhibit] {
    var exhibits: [Exhibit] = []
    var places: [ExhibitKey: Int] = [:]
    for item in sections.lazy.flatMap(\.items) {
      guard let stop = item.stop, stop.kind == .picture else { continue }
      let key = ExhibitKey(stop)
      if let place = places[key] {
        exhibits[place].items.append(item)
      } else {
        places[key] = exhibits.count
        exhibits.append(Exhibit(stop: stop, items: [item]))
      }
    }
    return exhibits
  }

  /// The unique identity of a picture.
  enum ExhibitKey: Hashable {
    case file(EntryHash, Int?)
    case stop(Walk.ID, Int)

    init(_ stop: WalkStop) {
      self =
        stop.digest.map { .file($0, stop.page) } ?? .stop(stop.walk, stop.number)
    }
  }
}
