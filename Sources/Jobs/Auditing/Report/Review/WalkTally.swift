import Foundation
import Invocation
import Registry
import Verifying

/// Selects the reading that counts among several of one picture.
struct PictureChoice {
  /// The same page of the same file, in any walk.
  private struct Key: Hashable {
    let digest: EntryHash
    let page: Int?
  }

  /// A stop with the criteria for the selection.
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

  /// Adds a picture's stop.
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

/// Evaluates walks, stop by stop. Only the facts that the report needs are kept of a stop.
struct WalkTally {
  /// A stop, without its readings.
  struct Spot {
    let walk: Int
    let number: Int
    let fix: LocationFix?
    let time: Date
    /// The place under which the report lists it.
    let home: Int?
    /// The place that the walker stated.
    let stated: Int?
    /// The place at which it was made: certainly, or as the only one that its position leaves open
    /// among those of its codes.
    let place: Int?
    /// The places that it counts as a visit of.
    let visited: [Int]
    /// Whether it is a picture.
    let isPicture: Bool
    /// The number of codes read.
    let readings: Int
    /// The issued codes that were read.
    let codes: [Int32]
    var severity: Finding.Severity?
  }

  /// An item with its sort key.
  struct Entry {
    let item: WalkReport.Item
    let spot: Int?
  }

  /// A reading at an uncertain place.
  private struct Doubt {
    let spot: Int
    /// The issued code with a place; `nil` for any other.
    let code: Int?
  }

  /// Something at a stop that may explain why codes of its place were not read.
  struct Clue {
    let spot: Int
    let item: WalkReport.Item
    /// The number of symbols that gave no text; 0 for a search that ended early.
    let symbols: Int
  }

  /// A code that is not ours.
  struct Stranger {
    let spot: Int
    let stop: WalkStop
    let reading: Int
    /// The code of ours that a tag should hold.
    let code: IssuedCode?
    let kind: ForeignCode
  }

  let walks: [Walk]
  let places: [Place]
  let codes: [IssuedCode]
  /// The codes in use of each place; see ``dropLateCodes()``.
  private(set) var expected: [[Int]]
  private let index: PlaceIndex
  let placeNumbers: [String: Int]
  let codeNumbers: [CodeID: Int]

  private(set) var spots: [Spot] = []
  /// Whether each code was certainly read at its place.
  private(set) var isConfirmed: [Bool]
  /// The state of each code that was read at its place, or perhaps there.
  private(set) var presence: [WalkConclusion.Presence?]
  /// The stops at which each code was read, certainly elsewhere.
  private(set) var away: [[Int32]]
  /// The answer for each code, after the last stop.
  var conclusions: [WalkConclusion]
  /// The hosts of our clips.
  private let domains: Set<String>
  private(set) var itemTally = ItemTally()
  private(set) var isVisited: [Bool]
  /// Whether each place was certainly visited.
  private(set) var isCertain: [Bool]
  /// The readings at stops that were not certainly at the code's place.
  private var doubts: [Doubt] = []
  /// The number of stops at each place; after the last place, the stops at no known place.
  private(set) var stopCounts: [Int]
  /// The findings at each place; after the last place, those at no known place.
  var entries: [[Entry]]
  /// The stops with a position or a stated place at which each code was read.
  private(set) var meetings: [[Int32]]
  private(set) var lastVisits: [Date]
  /// What may explain missing codes, in the order of the stops.
  private var clues: [Clue] = []
  /// The codes that are not ours, each text once at a place, in the order of the stops.
  private(set) var strangers: [Stranger] = []
  private let pictures: PictureChoice
  /// The stops replaced by another reading of the same picture.
  private(set) var superseded: [WalkReport.StopName: WalkReport.StopName] = [:]

  init(
    walks: [Walk], places: [Place], codes: [IssuedCode], clips: [AppClip], pictures: PictureChoice
  ) {
    self.walks = walks
    domains = Set(clips.flatMap(\.domains))
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
    isConfirmed = Array(repeating: false, count: codes.count)
    presence = Array(repeating: nil, count: codes.count)
    conclusions = Array(repeating: .missing, count: codes.count)
    away = Array(repeating: [], count: codes.count)
    meetings = Array(repeating: [], count: codes.count)
    isVisited = Array(repeating: false, count: places.count)
    isCertain = isVisited
    lastVisits = Array(repeating: .distantPast, count: places.count)
    stopCounts = Array(repeating: 0, count: places.count + 1)
    entries = Array(repeating: [], count: places.count + 1)
  }

  /// Adds a stop, unless another reading of its picture counts.
  mutating func take(_ stop: WalkStop, ofWalk walk: Int) {
    if let choice = pictures.choice(for: stop), (choice.walk, choice.number) != (walk, stop.number)
    {
      let name = WalkReport.StopName(walk: stop.walk, number: stop.number)
      superseded[name] = .init(walk: walks[choice.walk].id, number: choice.number)
      if choice.walk != walk { keepKnown(stop) }
      return
    }
    let codes = stop.readings.map { $0.code.flatMap { codeNumbers[$0] } }
    let whereabouts = whereabouts(of: stop, codes)
    for place in whereabouts.visited {
      isVisited[place] = true
      stopCounts[place] += 1
      lastVisits[place] = max(lastVisits[place], stop.visited)
    }
    for place in whereabouts.certain { isCertain[place] = true }
    if whereabouts.visited.isEmpty { stopCounts[places.count] += 1 }
    spots.append(
      Spot(
        walk: walk, number: stop.number, fix: stop.fix, time: stop.visited, home: whereabouts.home,
        stated: stop.statedPlace.flatMap { placeNumbers[$0] },
        place: whereabouts.certain.first ?? whereabouts.likely,
        visited: whereabouts.visited, isPicture: stop.kind == .picture,
        readings: stop.readings.count,
        codes: codes.compactMap { $0.map(Int32.init) }))
    itemTally.take(together: codes.compactMap(\.self), at: spots.count - 1)
    itemTally.take(
      zip(stop.readings, codes).compactMap { reading, code in
        code.flatMap { meet($0, reading, whereabouts) ? $0 : nil }
      })
    keepFindings(of: stop, codes, home: whereabouts.home)
  }

  /// Keeps the finding that another walk has the picture, of a stop that does not count for it.
  private mutating func keepKnown(_ stop: WalkStop) {
    guard let finding = stop.findings.first(where: { $0.code == .knownPicture }) else { return }
    let codes = stop.readings.map { $0.code.flatMap { codeNumbers[$0] } }
    add(
      WalkReport.Item(finding, stop: stop), at: whereabouts(of: stop, codes).home, spot: nil)
  }

  /// Removes codes that were issued after the last stop at their place, and so could not be read.
  mutating func dropLateCodes() {
    for place in places.indices where isVisited[place] {
      expected[place].removeAll {
        presence[$0] == nil
          && codes[$0].created > lastVisits[place].addingTimeInterval(WalkStop.clockError)
      }
    }
  }

  /// Adds an item at a place.
  mutating func add(_ item: WalkReport.Item, at place: Int?, spot: Int?) {
    entries[place ?? places.count].append(Entry(item: item, spot: spot))
    if let spot {
      spots[spot].severity = max(spots[spot].severity ?? .note, item.finding.severity)
    }
  }

  /// Notes a reading of a code.
  ///
  /// - Returns: Whether the code was read at its place, or perhaps there.
  private mutating func meet(
    _ code: Int, _ reading: WalkReading, _ whereabouts: Whereabouts
  ) -> Bool {
    let spot = Int32(spots.count - 1)
    if spots.last?.fix != nil || spots.last?.stated != nil, meetings[code].last != spot {
      meetings[code].append(spot)
    }
    // A foreign tag with the payload of an issued tag does not count as that tag, which may be
    // missing.
    if let uid = reading.uid, let own = codes[code].tagUID, uid.uppercased() != own { return false }
    guard let place = placeNumber(of: code) else { return false }
    guard whereabouts.isUnknown || whereabouts.possible.contains(place) else {
      if away[code].last != spot { away[code].append(spot) }
      return false
    }
    let isCertain = whereabouts.certain.contains(place) && reading.location != .outside
    if isCertain {
      isConfirmed[code] = true
    } else {
      doubts.append(Doubt(spot: spots.count - 1, code: code))
    }
    let state: WalkConclusion.Presence =
      reading.isFaulty ? .faulty : reading.isDead ? .dead : isCertain ? .confirmed : .unconfirmed
    presence[code] = max(presence[code] ?? .unconfirmed, state)
    return true
  }

  private mutating func keepFindings(of stop: WalkStop, _ codes: [Int?], home: Int?) {
    let spot = spots.count - 1
    for (number, reading) in stop.readings.enumerated() {
      let isStrange = keepStranger(number, of: stop, codes[number])
      for finding in reading.findings where finding.severity >= .warning {
        // What is wrong with a foreign print as a code of ours is not wrong with it.
        if finding.code == .phishingCode || isStrange && !Self.ofStrangers.contains(finding.code) {
          continue
        }
        // A retired code is taken down, wherever it hangs.
        if codes[number].map({ self.codes[$0].status == .retired }) ?? false,
          WalkReading.ofPositions.contains(finding.code)
        {
          continue
        }
        if finding.isAboutThePosition {
          let code = codes[number]
          if code.flatMap({ placeNumber(of: $0) }) == nil {
            doubts.append(Doubt(spot: spot, code: nil))
          }
          continue
        }
        add(
          WalkReport.Item(
            finding, stop: stop, reading: number, code: codes[number].map { self.codes[$0] },
            remark: remark(of: finding, on: reading)),
          at: home, spot: spot)
      }
    }
    for finding in stop.findings where finding.severity >= .warning {
      let item = WalkReport.Item(finding, stop: stop)
      if finding.code == .unfinishedSearch {
        clues.append(Clue(spot: spot, item: item, symbols: 0))
      } else {
        add(item, at: home, spot: spot)
      }
    }
    guard stop.unreadCount > 0 else { return }
    let symbols =
      stop.unreadCount == 1
      ? "Something looks like a code and gives"
      : "\(stop.unreadCount) things look like codes and give"
    let item = WalkReport.Item(
      Finding(
        .unreadSymbol, .warning,
        "\(symbols) no text: go nearer, or look whether it is damaged, and read it again."),
      stop: stop)
    clues.append(Clue(spot: spot, item: item, symbols: stop.unreadCount))
  }

  /// The findings that a print that is not ours keeps.
  private static let ofStrangers: [Finding.Code] = [.signDisagrees, .unissuedCode]

  /// Keeps a reading that is not ours.
  ///
  /// - Returns: Whether it is a print that is not ours.
  private mutating func keepStranger(_ number: Int, of stop: WalkStop, _ code: Int?) -> Bool {
    let reading = stop.readings[number]
    guard code.map({ codes[$0].payload != reading.payload }) ?? true, reading.carrier != .url,
      let kind = ForeignCode(reading.payload, on: reading.carrier, amid: domains)
    else { return false }
    let isPrint = reading.uid == nil && reading.carrier != .nfc && code == nil
    let spot = spots.count - 1
    guard isPrint || kind.isThreat else { return false }
    let isKnown = strangers.contains {
      spots[$0.spot].home == spots[spot].home
        && $0.stop.readings[$0.reading].payload == reading.payload
        && $0.stop.readings[$0.reading].uid == reading.uid
    }
    if !isKnown {
      strangers.append(
        Stranger(
          spot: spot, stop: stop, reading: number, code: code.map { codes[$0] }, kind: kind))
    }
    return isPrint
  }

  /// Takes what was seen at a place and may explain its missing codes: it is reported with them, and
  /// not again, unless there are more symbols than missing codes.
  ///
  /// - Parameter count: The number of missing codes, at least 1.
  mutating func takeClues(at place: Int, missing count: Int) -> [Clue] {
    let here = clues.filter { spots[$0.spot].visited.contains(place) }
    clues.removeAll { spots[$0.spot].visited.contains(place) && $0.symbols <= count }
    return here
  }

  /// Adds what explains no missing code: symbols that gave no text, and at no known place a search
  /// that ended early.
  mutating func addRemainingClues() {
    for clue in clues where clue.symbols > 0 || spots[clue.spot].visited.isEmpty {
      add(clue.item, at: spots[clue.spot].home, spot: clue.spot)
    }
    clues = []
  }

  /// The remark of a finding besides its heading and the advice, if there is one.
  private func remark(
    of finding: Finding, on reading: WalkReading
  ) -> String? {
    switch finding.code {
    case .retiredCode: return ""
    case .overwrittenTag:
      return reading.payload.isEmpty
        ? "It holds no URL now." : "It holds \(reading.payload.payloadForPeople) now."
    default: return nil
    }
  }

  func placeNumber(of code: Int) -> Int? {
    codes[code].placeID.flatMap { placeNumbers[$0] }
  }
}

/// Codes that were read at uncertain places.
extension WalkTally {
  /// Adds one item for every stop with codes that no stop confirms.
  mutating func addDoubts(from registry: borrowing RegistryTransaction) throws(RegistryError) {
    var counts: [Int: Int] = [:]
    for doubt in doubts where doubt.code.map({ !isConfirmed[$0] }) ?? true {
      counts[doubt.spot, default: 0] += 1
    }
    for (number, count) in counts.sorted(by: { $0.key < $1.key }) {
      let spot = spots[number]
      guard let stop = try registry.stop(spot.number, of: walks[spot.walk].id) else { continue }
      add(
        WalkReport.Item(
          Finding.unconfirmed(count, at: stop, codesOf: contradictoryPlaces(of: spot)), stop: stop),
        at: spot.home,
        spot: number)
    }
  }
}

extension Finding {
  /// Whether the finding is only about a missing or inexact position, which is reported once for a
  /// stop.
  fileprivate var isAboutThePosition: Bool {
    Self.reasons.contains(code) || code == .noPosition || code == .undecidedAccuracy
  }

  /// The findings that give the reason for a missing position.
  private static let reasons: [Code] = [.unusablePosition, .inexactPicture]

  /// - Parameter places: The names of the places of the codes, if one wall cannot be at all of them.
  fileprivate static func unconfirmed(
    _ count: Int, at stop: WalkStop, codesOf places: [String]
  ) -> Finding {
    let what =
      count == 1
      ? "A code was read here, and whether it hangs where it belongs is not confirmed"
      : "\(count) codes were read here, and whether they hang where they belong is not confirmed"
    let reason = stop.readings.lazy.flatMap(\.findings).first { reasons.contains($0.code) }
    let why =
      if let reason {
        reason.message
      } else if let fix = stop.fix {
        stop.statedPlace != nil && stop.readings.contains { $0.location == .outside }
          ? "the position contradicts what was said of the place."
          : "the position is exact to \(Metres.text(fix.accuracy)) only."
      } else {
        "nobody said where that was."
      }
    let mixed =
      places.isEmpty
      ? ""
      : " They belong to \(Counted.list(places.map { "“\($0)”" })): if that is one wall, some hang at the "
        + "wrong place."
    return Finding(
      .unconfirmedPlace, .warning,
      "\(what): \(why)\(mixed) Read \(count == 1 ? "it" : "them") again with a better position, or say at "
        + "which place that was.")
  }
}

/// The places of a stop.
extension WalkTally {
  fileprivate struct Whereabouts {
    /// The places that it counts as a visit of.
    var visited: [Int] = []
    /// The places at which it certainly was made.
    var certain: [Int] = []
    /// The places at which it may have been made.
    var possible: [Int] = []
    /// The place under which the report lists it.
    var home: Int?
    /// The place of its codes that its position leaves open, if there is one.
    var likely: Int?
    /// Whether its position and place are unknown.
    var isUnknown = false
  }

  /// A stop is a visit of the place that the walker states, and of all places that certainly
  /// contain its position. Of the places that may contain it, it is a visit of those whose codes
  /// were read there, or of the only one, if no place certainly contains it: otherwise a poor
  /// position would make every code of a city missing. Without a place and a position it is a visit
  /// of the places whose codes were read and not rejected; a picture, which is taken at one place, of
  /// those with the most codes.
  fileprivate func whereabouts(of stop: WalkStop, _ codes: [Int?]) -> Whereabouts {
    let stated = stop.statedPlace.flatMap { placeNumbers[$0] }
    var belonging: [Int] = []
    var welcome: [Int] = []
    for (reading, code) in zip(stop.readings, codes) {
      guard let place = code.flatMap({ placeNumber(of: $0) }) else { continue }
      belonging.append(place)
      if reading.verdict != .rejected || reading.isDead { welcome.append(place) }
    }
    guard stated != nil || stop.fix != nil else {
      let visited = stop.kind == .picture ? likely(among: welcome) : welcome.once
      return Whereabouts(visited: visited, home: visited.first, isUnknown: true)
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
      possible: certain + candidates.map(\.place), home: stated ?? nearest?.place,
      likely: visits.count == 1 && belonging.contains(visits[0].place) ? visits[0].place : nil)
  }
}

extension WalkTally {
  /// The distance in metres between two places from which no picture shows both.
  private static let sight = 200.0

  /// The places of most codes of a picture, and those that are in sight of one of them.
  private func likely(among places: [Int]) -> [Int] {
    let counts = Dictionary(grouping: places, by: \.self).mapValues(\.count)
    let most = counts.values.max()
    let likely = places.once.filter { counts[$0] == most }
    let near = places.once.filter { place in
      !likely.contains(place) && likely.contains { !areApart(place, $0) }
    }
    return likely + near
  }

  /// The names of the places of the codes in a picture without a position, if they are not all in
  /// sight of each other.
  fileprivate func contradictoryPlaces(of spot: Spot) -> [String] {
    guard spot.isPicture, spot.fix == nil, spot.stated == nil else { return [] }
    let homes = spot.codes.compactMap { placeNumber(of: Int($0)) }.once
    let isApart = homes.contains { one in homes.contains { areApart(one, $0) } }
    return isApart ? homes.map { places[$0].name } : []
  }

  /// Whether no picture shows two places.
  private func areApart(_ one: Int, _ other: Int) -> Bool {
    one != other
      && places[one].region.bounds.allSatisfy { mine in
        places[other].region.bounds.allSatisfy {
          Geodesic.distance(from: mine.centre, to: $0.centre) > mine.radius + $0.radius + Self.sight
        }
      }
  }
}

extension [Int] {
  /// Each number once, at its first position.
  fileprivate var once: [Int] {
    var known: Set<Int> = []
    return filter { known.insert($0).inserted }
  }
}
