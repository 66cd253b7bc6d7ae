import Foundation
import Invocation
import Registry

/// Counts what walks saw, stop by stop. Of a stop only what the report needs is kept.
struct WalkTally {
  /// A stop, without what was read there.
  struct Spot {
    let walk: Int
    let number: Int
    let fix: LocationFix?
    /// The place that the report tells it under.
    let home: Int?
    var severity: Finding.Severity?
  }

  /// An item with what orders it.
  struct Entry {
    let item: WalkReport.Item
    let spot: Int?
  }

  /// The same page of the same file, whoever took it along.
  private struct PictureKey: Hashable {
    let digest: EntryHash
    let page: Int?
  }

  let walks: [Walk]
  let places: [Place]
  let codes: [IssuedCode]
  /// The codes in use of each place; see ``dropLateCodes()``.
  private(set) var expected: [[Int]]
  private let index: PlaceIndex
  private let placeNumbers: [String: Int]
  private let codeNumbers: [CodeID: Int]

  private(set) var spots: [Spot] = []
  /// Whether each code was read where it belongs.
  private(set) var isSeen: [Bool]
  private(set) var isVisited: [Bool]
  /// How many stops were made at each place; behind the last, at none that is known.
  private(set) var stopCounts: [Int]
  /// What is wrong at each place; behind the last, at none that is known.
  private(set) var entries: [[Entry]]
  /// The stops of known position at which each code was read.
  private(set) var meetings: [[Int32]]
  private(set) var readingCount = 0
  private(set) var codeCount = 0
  private(set) var period: ClosedRange<Date>?
  private var isMet: [Bool]
  private var lastVisits: [Date]
  private var pictures: Set<PictureKey> = []

  init(walks: [Walk], places: [Place], codes: [IssuedCode]) {
    self.walks = walks
    self.places = places
    self.codes = codes
    index = PlaceIndex(places)
    let placeNumbers = Dictionary(
      places.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    codeNumbers = Dictionary(
      codes.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.placeNumbers = placeNumbers
    var expected: [[Int]] = Array(repeating: [], count: places.count)
    for (number, code) in codes.enumerated() where code.status == .issued {
      if let place = code.placeID.flatMap({ placeNumbers[$0] }) { expected[place].append(number) }
    }
    self.expected = expected
    isSeen = Array(repeating: false, count: codes.count)
    isMet = isSeen
    meetings = Array(repeating: [], count: codes.count)
    isVisited = Array(repeating: false, count: places.count)
    lastVisits = Array(repeating: .distantPast, count: places.count)
    stopCounts = Array(repeating: 0, count: places.count + 1)
    entries = Array(repeating: [], count: places.count + 1)
  }

  /// Counts a stop, unless its picture was counted before.
  mutating func take(_ stop: WalkStop, ofWalk walk: Int) {
    if stop.kind == .picture, let digest = stop.digest,
      !pictures.insert(PictureKey(digest: digest, page: stop.page)).inserted
    {
      return
    }
    let codes = stop.readings.map { $0.code.flatMap { codeNumbers[$0] } }
    let whereabouts = whereabouts(of: stop, codes)
    for place in whereabouts.visited {
      isVisited[place] = true
      stopCounts[place] += 1
      lastVisits[place] = max(lastVisits[place], stop.time)
    }
    if whereabouts.visited.isEmpty { stopCounts[places.count] += 1 }
    spots.append(Spot(walk: walk, number: stop.number, fix: stop.fix, home: whereabouts.home))
    for (reading, code) in zip(stop.readings, codes) {
      if let code { meet(code, reading, whereabouts) }
    }
    keepFindings(of: stop, codes, home: whereabouts.home)
    readingCount += stop.readings.count
    period =
      min(
        period?.lowerBound ?? stop.time, stop.time)...max(
        period?.upperBound ?? stop.time, stop.time)
  }

  /// Expects no code at a place that was issued only after the last stop there: nobody can have
  /// read it.
  mutating func dropLateCodes() {
    for place in places.indices where isVisited[place] {
      expected[place].removeAll { !isSeen[$0] && codes[$0].created > lastVisits[place] }
    }
  }

  /// Adds an item at a place.
  mutating func add(_ item: WalkReport.Item, at place: Int?, spot: Int?) {
    entries[place ?? places.count].append(Entry(item: item, spot: spot))
    if let spot {
      spots[spot].severity = max(spots[spot].severity ?? .note, item.finding.severity)
    }
  }

  private mutating func meet(_ code: Int, _ reading: WalkReading, _ whereabouts: Whereabouts) {
    if !isMet[code] { codeCount += 1 }
    isMet[code] = true
    if spots.last?.fix != nil, meetings[code].last != Int32(spots.count - 1) {
      meetings[code].append(Int32(spots.count - 1))
    }
    // Somebody else's tag with our payload does not stand for ours, which may be gone.
    if let uid = reading.uid, let own = codes[code].tagUID, uid.uppercased() != own { return }
    guard let place = placeNumber(of: code) else { return }
    if whereabouts.isUnknown || whereabouts.possible.contains(place) { isSeen[code] = true }
  }

  private mutating func keepFindings(of stop: WalkStop, _ codes: [Int?], home: Int?) {
    let spot = spots.count - 1
    for (number, reading) in stop.readings.enumerated() {
      for finding in reading.findings where finding.severity >= .warning {
        add(
          WalkReport.Item(
            finding, stop: stop, reading: number, code: codes[number].map { self.codes[$0] }),
          at: home, spot: spot)
      }
    }
    guard stop.unreadCount > 0 else { return }
    let symbols =
      stop.unreadCount == 1
      ? "Something looks like a code and gives"
      : "\(stop.unreadCount) things look like codes and give"
    add(
      WalkReport.Item(
        Finding(
          .unreadSymbol, .warning,
          "\(symbols) no text: go nearer, or look whether it is damaged, and read it again."),
        stop: stop), at: home, spot: spot)
  }

  fileprivate func placeNumber(of code: Int) -> Int? {
    codes[code].placeID.flatMap { placeNumbers[$0] }
  }
}

/// Where a stop was made.
extension WalkTally {
  fileprivate struct Whereabouts {
    /// The places that it counts as a visit of.
    var visited: [Int] = []
    /// The places at which it may have been.
    var possible: [Int] = []
    /// The place that the report tells it under.
    var home: Int?
    /// Whether nobody says where it was.
    var isUnknown = false
  }

  /// A stop is a visit of the place that whoever walks states, and of all places that its position
  /// is certainly in. Of the places that it is perhaps in, it is a visit of those whose codes were
  /// read there, or of the only one, if it is certainly in none: a poor position would otherwise
  /// make every code of a city missing. Without a place and a position it is a visit of the places
  /// whose codes were read and not rejected.
  fileprivate func whereabouts(of stop: WalkStop, _ codes: [Int?]) -> Whereabouts {
    let stated = stop.statedPlace.flatMap { placeNumbers[$0] }
    var belonging: [Int] = []
    var welcome: [Int] = []
    for (reading, code) in zip(stop.readings, codes) {
      guard let place = code.flatMap({ placeNumber(of: $0) }) else { continue }
      belonging.append(place)
      if reading.verdict != .rejected { welcome.append(place) }
    }
    guard stated != nil || stop.fix != nil else {
      return Whereabouts(visited: welcome.once, home: welcome.first, isUnknown: true)
    }
    let candidates = stop.fix.map { index.candidates(at: $0) } ?? []
    let inside = candidates.filter(\.isInside)
    let visits = candidates.filter {
      $0.isInside || belonging.contains($0.place)
        || stated == nil && inside.isEmpty && candidates.count == 1
    }
    let nearest = visits.min {
      ($0.isInside ? 0 : 1, belonging.contains($0.place) ? 0 : 1, $0.distance)
        < ($1.isInside ? 0 : 1, belonging.contains($1.place) ? 0 : 1, $1.distance)
    }
    let certain = stated.map { [$0] } ?? []
    return Whereabouts(
      visited: (certain + visits.map(\.place)).once,
      possible: certain + candidates.map(\.place), home: stated ?? nearest?.place)
  }
}

extension [Int] {
  /// Each number once, in its first place.
  fileprivate var once: [Int] {
    var known: Set<Int> = []
    return filter { known.insert($0).inserted }
  }
}
