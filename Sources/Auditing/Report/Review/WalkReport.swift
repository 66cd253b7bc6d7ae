public import Foundation
public import Invocation
public import Registry

/// What walks found, for a manager: how much of what should hang was seen, and what is wrong.
public struct WalkReport: Sendable {
  /// Something that somebody should look at.
  public struct Item: Sendable {
    /// What was found.
    public let finding: Finding
    /// The stop it was found at; `nil` for what was not seen at all.
    public let stop: WalkStop?
    /// The reading at the stop, by its place in `WalkStop.readings`; `nil` when it is about the
    /// stop or about no reading.
    public let reading: Int?
    /// The code of ours that it is about.
    public let code: IssuedCode?
    /// What is worth telling besides the kind of finding, the code and what to do; `nil` where only
    /// the finding's own sentence tells it.
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

  /// What was found at one place, or at none that is known.
  public struct PlaceSection: Sendable {
    /// The place; `nil` for stops that were at no known place.
    public let place: Place?
    /// How many codes should hang there.
    public let expected: Int
    /// How many of those were read there, or perhaps there; see ``unconfirmed``.
    public let seen: Int
    /// Those of ``seen`` of which nobody knows for certain that they were read there: the position
    /// was missing, or not exact enough.
    public let unconfirmed: [IssuedCode]
    /// How many were read, certainly there.
    public var confirmed: Int { seen - unconfirmed.count }
    /// Whether somebody was certainly there. If not, what was not read is perhaps not missing.
    public let isCertain: Bool
    /// How many stops were made there.
    public let stops: Int
    /// What should hang there and was not read.
    public let missing: [IssuedCode]
    /// What should hang there and hangs at the place of another code, which hangs here; it is told as
    /// `Finding.Code.swappedCodes` and is not missing.
    public let swapped: [IssuedCode]
    /// When somebody was there last; `nil` for no known place.
    public let lastVisit: Date?
    /// What is wrong, gravest first; also what is missing.
    public let items: [Item]
    /// What hangs there and belongs to the place of what is told as `Finding.Code.swappedCodes` at
    /// another section: whoever comes here sees this side of it. It is not counted again.
    public let counterparts: [Item]

    /// Makes a section.
    package init(
      place: Place?, expected: Int, seen: Int, unconfirmed: [IssuedCode] = [],
      isCertain: Bool = true, stops: Int, missing: [IssuedCode],
      swapped: [IssuedCode] = [], lastVisit: Date? = nil, items: [Item],
      counterparts: [Item] = []
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
      self.counterparts = counterparts
    }
  }

  /// What tells a stop from all others.
  public struct StopName: Hashable, Sendable {
    /// The walk.
    public let walk: Walk.ID
    /// The stop's number in its walk.
    public let number: Int

    /// Makes a name.
    package init(walk: Walk.ID, number: Int) {
      self.walk = walk
      self.number = number
    }
  }

  /// A stop on the map.
  public struct Point: Hashable, Sendable {
    /// Where.
    public let fix: LocationFix
    /// The gravest thing found there; `nil` for nothing.
    public let severity: Finding.Severity?
    /// Which walk and stop.
    public let walk: Walk.ID
    /// The stop's number in its walk.
    public let number: Int

    /// Makes a point.
    package init(fix: LocationFix, severity: Finding.Severity?, walk: Walk.ID, number: Int) {
      self.fix = fix
      self.severity = severity
      self.walk = walk
      self.number = number
    }
  }

  /// What the report is called: the name of its walks.
  public let title: String
  /// The walks, oldest first.
  public let walks: [Walk]
  /// The one place that it is about; `nil` for all.
  public let place: Place?
  /// When the report was made.
  public let made: Date
  /// The time zone in which days and times are told.
  public let timeZone: TimeZone
  /// How many stops were made, each picture counted once.
  public let stopCount: Int
  /// How many codes were read, each time counted.
  public let readingCount: Int
  /// How many different codes of ours were read.
  public let codeCount: Int
  /// From the first stop to the last; `nil` without stops.
  public let period: ClosedRange<Date>?
  /// The places, those with the gravest findings first; what was at no known place last.
  public let sections: [PlaceSection]
  /// Places at which codes should hang and where no stop was made, by their names.
  public let unvisited: [Place]
  /// Every stop whose position is known.
  public let points: [Point]
  /// The stops that do not count, each with the one that counts in its place: a later reading of the
  /// same picture.
  public let superseded: [StopName: StopName]
  /// The stops that it is about; `nil` for all.
  package let scope: Set<StopName>?

  /// Makes a report.
  package init(
    title: String, walks: [Walk], place: Place? = nil, made: Date, timeZone: TimeZone = .gmt,
    stopCount: Int, readingCount: Int, codeCount: Int,
    period: ClosedRange<Date>?, sections: [PlaceSection],
    unvisited: [Place], points: [Point], superseded: [StopName: StopName] = [:],
    scope: Set<StopName>? = nil
  ) {
    self.title = title
    self.walks = walks
    self.place = place
    self.made = made
    self.timeZone = timeZone
    self.stopCount = stopCount
    self.readingCount = readingCount
    self.codeCount = codeCount
    self.period = period
    self.sections = sections
    self.unvisited = unvisited
    self.points = points
    self.superseded = superseded
    self.scope = scope
  }

  /// Whether the report is about a stop.
  package func isAbout(_ stop: WalkStop) -> Bool {
    scope?.contains(StopName(walk: stop.walk, number: stop.number)) ?? true
  }

  /// How many findings are of a severity.
  public func count(of severity: Finding.Severity) -> Int {
    sections.reduce(0) { $0 + $1.items.count { $0.finding.severity == severity } }
  }
  /// How many codes should hang at the places that were visited.
  public var expectedCount: Int { sections.reduce(0) { $0 + $1.expected } }
  /// How many of those were read where they belong, or perhaps there.
  public var seenCount: Int { sections.reduce(0) { $0 + $1.seen } }
  /// How many of those were read, certainly where they belong.
  public var confirmedCount: Int { sections.reduce(0) { $0 + $1.confirmed } }
  /// How many of those were read, and nobody knows for certain where.
  public var unconfirmedCount: Int { seenCount - confirmedCount }
}

/// Where a report takes from what it does not hold itself, one piece at a time: five hundred
/// pictures do not fit into memory.
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
  /// One picture that shows something somebody should look at, with what was found in it.
  struct Exhibit {
    /// The stop at which it was taken; of several with the same picture the first.
    let stop: WalkStop
    /// What was found, gravest first, with the place it was found at.
    var items: [Item]
    /// The readings that have findings, by their places in the stop, with the gravest.
    var severities: [Int: Finding.Severity] {
      items.reduce(into: [:]) { severities, item in
        guard let reading = item.reading, item.walkReading != nil else { return }
        severities[reading] = max(severities[reading] ?? .note, item.finding.severity)
      }
    }
  }

  /// The pictures with findings, each once, in the order of the sections; one that several laptops
  /// took in, or two places share, is one picture.
  var exhibits: [Exhibit] {
    var exhibits: [Exhibit] = []
    var places: [ExhibitKey: Int] = [:]
    for item in sections.lazy.flatMap({ $0.items + $0.counterparts }) {
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

  /// What tells one picture from another.
  enum ExhibitKey: Hashable {
    case file(EntryHash, Int?)
    case stop(Walk.ID, Int)

    init(_ stop: WalkStop) {
      self =
        stop.digest.map { .file($0, stop.page) } ?? .stop(stop.walk, stop.number)
    }
  }
}
