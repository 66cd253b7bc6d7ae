import Foundation
import Invocation
import Registry
import Verifying

/// Which of several readings of one picture counts.
struct PictureChoice {
  /// The same page of the same file, whoever took it along.
  private struct Key: Hashable {
    let digest: EntryHash
    let page: Int?
  }

  /// A stop with what decides whether it counts.
  struct Choice {
    let walk: Int
    let number: Int
    fileprivate let isLocated: Bool
    fileprivate let time: Date

    fileprivate func isBefore(_ other: Choice) -> Bool {
      if isLocated != other.isLocated { return !isLocated }
      return (time, walk, number) < (other.time, other.walk, other.number)
    }
  }

  private var choices: [Key: Choice] = [:]

  /// Takes a picture's stop.
  mutating func take(_ stop: PictureStop, ofWalk walk: Int) {
    let choice = Choice(
      walk: walk, number: stop.number, isLocated: stop.isLocated, time: stop.time)
    let key = Key(digest: stop.digest, page: stop.page)
    if choices[key]?.isBefore(choice) ?? true { choices[key] = choice }
  }

  /// The stop that counts for the picture of this one; `nil` for a stop without a picture.
  func choice(for stop: WalkStop) -> Choice? {
    guard stop.kind == .picture, let digest = stop.digest else { return nil }
    return choices[Key(digest: digest, page: stop.page)]
  }
}

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

  /// A reading of which nobody knows for certain where it was.
  private struct Doubt {
    let spot: Int
    /// The code of ours with a place; `nil` for anything else.
    let code: Int?
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
  /// Whether each code was read where it belongs, or perhaps there.
  private(set) var isSeen: [Bool]
  /// Whether each code was read certainly where it belongs.
  private(set) var isConfirmed: [Bool]
  private(set) var isVisited: [Bool]
  /// Whether somebody was certainly at each place.
  private(set) var isCertain: [Bool]
  /// What was read at stops that were not certainly where it belongs.
  private var doubts: [Doubt] = []
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
  private let pictures: PictureChoice
  /// The stops whose picture counts as it was read at another stop.
  private(set) var superseded: [WalkReport.StopName: WalkReport.StopName] = [:]

  init(walks: [Walk], places: [Place], codes: [IssuedCode], pictures: PictureChoice) {
    self.walks = walks
    self.pictures = pictures
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
    isConfirmed = isSeen
    meetings = Array(repeating: [], count: codes.count)
    isVisited = Array(repeating: false, count: places.count)
    isCertain = isVisited
    lastVisits = Array(repeating: .distantPast, count: places.count)
    stopCounts = Array(repeating: 0, count: places.count + 1)
    entries = Array(repeating: [], count: places.count + 1)
  }

  /// Counts a stop, unless another reading of its picture counts.
  mutating func take(_ stop: WalkStop, ofWalk walk: Int) {
    if let choice = pictures.choice(for: stop), (choice.walk, choice.number) != (walk, stop.number)
    {
      let name = WalkReport.StopName(walk: stop.walk, number: stop.number)
      superseded[name] = .init(walk: walks[choice.walk].id, number: choice.number)
      return
    }
    let codes = stop.readings.map { $0.code.flatMap { codeNumbers[$0] } }
    let whereabouts = whereabouts(of: stop, codes)
    for place in whereabouts.visited {
      isVisited[place] = true
      stopCounts[place] += 1
      lastVisits[place] = max(lastVisits[place], stop.time)
    }
    for place in whereabouts.certain { isCertain[place] = true }
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
    guard whereabouts.isUnknown || whereabouts.possible.contains(place) else { return }
    isSeen[code] = true
    if whereabouts.certain.contains(place), reading.location != .outside {
      isConfirmed[code] = true
    } else {
      doubts.append(Doubt(spot: spots.count - 1, code: code))
    }
  }

  private mutating func keepFindings(of stop: WalkStop, _ codes: [Int?], home: Int?) {
    let spot = spots.count - 1
    for (number, reading) in stop.readings.enumerated() {
      for finding in reading.findings where finding.severity >= .warning {
        if finding.isAboutThePosition {
          let code = codes[number]
          if code.flatMap({ placeNumber(of: $0) }) == nil {
            doubts.append(Doubt(spot: spot, code: nil))
          }
          continue
        }
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

/// Codes that were read, nobody knows for certain where.
extension WalkTally {
  /// Adds one item for every stop at which codes were read that no stop confirms.
  mutating func addDoubts(from registry: borrowing RegistryTransaction) throws(RegistryError) {
    var counts: [Int: Int] = [:]
    for doubt in doubts where doubt.code.map({ !isConfirmed[$0] }) ?? true {
      counts[doubt.spot, default: 0] += 1
    }
    for (number, count) in counts.sorted(by: { $0.key < $1.key }) {
      let spot = spots[number]
      guard let stop = try registry.stop(spot.number, of: walks[spot.walk].id) else { continue }
      add(
        WalkReport.Item(Finding.unconfirmed(count, at: stop), stop: stop), at: spot.home,
        spot: number)
    }
  }
}

extension Finding {
  /// Whether it says only that a position is missing or not exact enough, which is told once for a
  /// stop.
  fileprivate var isAboutThePosition: Bool {
    Self.reasons.contains(code) || code == .noPosition || code == .undecidedAccuracy
  }

  /// What says why there is no position.
  private static let reasons: [Code] = [.unusablePosition, .inexactPicture]

  fileprivate static func unconfirmed(_ count: Int, at stop: WalkStop) -> Finding {
    let what =
      count == 1
      ? "A code was read here, and whether it hangs where it belongs is not confirmed"
      : "\(count) codes were read here, and whether they hang where they belong is not confirmed"
    let reason = stop.readings.lazy.flatMap(\.findings).first { reasons.contains($0.code) }
    let why =
      if let reason {
        reason.message
      } else if let fix = stop.fix {
        stop.readings.contains { $0.location == .outside }
          ? "the position contradicts what was said of the place."
          : "the position is exact to \(Metres.text(fix.accuracy)) only."
      } else {
        "nobody said where that was."
      }
    return Finding(
      .unconfirmedPlace, .warning,
      "\(what): \(why) Read \(count == 1 ? "it" : "them") again with a better position, or say at "
        + "which place that was.")
  }
}

/// Where a stop was made.
extension WalkTally {
  fileprivate struct Whereabouts {
    /// The places that it counts as a visit of.
    var visited: [Int] = []
    /// The places at which it certainly was.
    var certain: [Int] = []
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
      certain: (certain + inside.map(\.place)).once,
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

/// Codes that were read at positions too far apart for one.
extension WalkTally {
  /// How much farther apart than both accuracies two positions of one code must be, in metres:
  /// somebody may have stood across the street.
  private static let margin = 50.0
  /// Up to so many meetings of a code, each is compared with each.
  private static let fewMeetings = 64

  /// Two stops at which one code was read.
  private struct Pair {
    let first: Int
    let second: Int
    let distance: Double
  }

  /// Adds an item for every code of which there must be a copy.
  ///
  /// Only tags, and codes that were printed to one file: a code that was printed again is told to
  /// hang at several places rightly.
  mutating func addCopies(from registry: borrowing RegistryTransaction) throws(RegistryError) {
    for number in codes.indices where meetings[number].count > 1 {
      guard let pair = farApart(meetings[number].map(Int.init)) else { continue }
      let code = codes[number]
      if code.tagUID == nil {
        let prints = try registry.history(of: code.id).count { $0.kind == .issued }
        guard prints <= 1 else { continue }
      }
      let suspect = suspect(of: pair, code)
      let spot = spots[suspect]
      guard let stop = try registry.stop(spot.number, of: walks[spot.walk].id) else { continue }
      add(
        WalkReport.Item(
          finding(code, pair), stop: stop,
          reading: stop.readings.firstIndex { $0.code == code.id }, code: code),
        at: spot.home, spot: suspect)
    }
  }

  /// Two stops that are too far apart.
  private func farApart(_ met: [Int]) -> Pair? {
    if met.count <= Self.fewMeetings {
      for (offset, first) in met.enumerated() {
        for second in met[(offset + 1)...] {
          if let pair = pair(first, second) { return pair }
        }
      }
      return nil
    }
    // Of very many, the surest is compared with all; whatever lies apart lies apart from it.
    let surest = met.min { accuracy(of: $0) < accuracy(of: $1) } ?? met[0]
    for other in met {
      if let pair = pair(min(surest, other), max(surest, other)) { return pair }
    }
    return nil
  }

  private func accuracy(of spot: Int) -> Double { spots[spot].fix?.accuracy ?? .infinity }

  private func pair(_ first: Int, _ second: Int) -> Pair? {
    guard let here = spots[first].fix, let there = spots[second].fix,
      here.coordinate != there.coordinate
    else { return nil }
    let distance = Geodesic.distance(from: here.coordinate, to: there.coordinate)
    return distance > here.accuracy + there.accuracy + Self.margin
      ? Pair(first: first, second: second, distance: distance) : nil
  }

  /// The stop of the two that is not where the code belongs; else the later.
  private func suspect(of pair: Pair, _ code: IssuedCode) -> Int {
    guard let place = places.first(where: { $0.id == code.placeID }),
      let fix = spots[pair.first].fix, let other = spots[pair.second].fix,
      LocationConfirmation.confirm(fix, in: place.region).result == .outside,
      LocationConfirmation.confirm(other, in: place.region).result != .outside
    else { return pair.second }
    return pair.first
  }

  private func finding(_ code: IssuedCode, _ pair: Pair) -> Finding {
    Finding(
      .copiedCode, .error,
      "\(code.id) (\(code.payload)) was read at \(name(of: pair.first)) and at "
        + "\(name(of: pair.second)), \(Metres.text(pair.distance)) apart, and was made once: one of "
        + "the two is a copy, or it was moved. Take down the one that does not belong there.")
  }

  private func name(of spot: Int) -> String {
    let walk = walks[spots[spot].walk]
    return "stop \(spots[spot].number) of the walk “\(walk.name)” of \(walk.who)"
  }
}
