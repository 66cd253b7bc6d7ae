import CliptagBasics
public import Foundation
public import Invocation
public import Registry

/// Evaluates walks: the codes in the right place, the missing ones, and the errors.
public struct WalkReview: Sendable {
  let registry: any RegistryStore
  private let now: Date
  private let timeZone: TimeZone

  /// Makes a review.
  ///
  /// - Parameters:
  ///   - registry: The registry with the walks, merged, and the issued codes.
  ///   - now: The time of the report.
  ///   - timeZone: The time zone of days and times in the report.
  public init(of registry: any RegistryStore, now: Date, in timeZone: TimeZone = .gmt) {
    self.registry = registry
    self.now = now
    self.timeZone = timeZone
  }

  /// Reports on several walks together.
  ///
  /// A picture that was read several times (the same page of the same file) counts once: the latest
  /// reading with a position or place, or else the latest. The findings of readings are those
  /// recorded at the stop; notes are left out. In addition there are `Finding.Code.missingCode`,
  /// `Finding.Code.copiedCode`, `Finding.Code.hungTwice`, `Finding.Code.swappedCodes` in place of two
  /// codes at the wrong place and two that are missing, `Finding.Code.movedCode` in place of a
  /// missing code that was read elsewhere, `Finding.Code.phishingCode`,
  /// `Finding.Code.foreignCode`, and `Finding.Code.unreadSymbol`. Findings about a missing or
  /// inexact position are reported once for each stop, as `Finding.Code.unconfirmedPlace`.
  ///
  /// A code is confirmed if it was read at a position that is certainly within its place, or if the
  /// walker stated that place and no position contradicts it.
  ///
  /// A code is expected at its place if it was issued before the last stop there and is not retired
  /// when the report is made, whether or not its installation was recorded.
  ///
  /// - Parameters:
  ///   - walks: The walks.
  ///   - title: The title of the report.
  ///   - place: The only place to report on; `nil` for all. Events elsewhere still affect the
  ///     findings about its codes, such as a swap.
  /// - Throws: The errors of the registry.
  public func report(
    ofWalks walks: [Walk], title: String, at place: Place? = nil
  ) throws -> WalkReport {
    let walks = walks.sorted { ($0.started, $0.id) < ($1.started, $1.id) }
    return try registry.read { (registry) throws(RegistryError) -> WalkReport in
      var pictures = PictureChoice()
      for (number, walk) in walks.enumerated() {
        try registry.forEachPicture(of: walk.id) { pictures.take($0, ofWalk: number) }
      }
      var tally = WalkTally(
        walks: walks, places: try registry.places(), codes: try registry.codes(),
        clips: try registry.clips(), pictures: pictures)
      for (number, walk) in walks.enumerated() {
        try registry.forEachStop(of: walk.id) { tally.take($0, ofWalk: number) }
      }
      tally.dropLateCodes()
      tally.dropRepeats()
      try tally.addDoubts(from: registry)
      try tally.conclude(from: registry)
      let missing = try tally.addMissing(from: registry, in: timeZone)
      let items = try tally.addPrintsNotSeen(from: registry)
      tally.addRemainingClues()
      tally.addStrangers()
      return report(tally, missing, items, title: title, at: place)
    }
  }

  private func report(
    _ tally: WalkTally, _ missing: [[IssuedCode]], _ prints: [CodeID: [CodeItem]], title: String,
    at only: Place?
  ) -> WalkReport {
    func isWanted(_ place: Int) -> Bool { only.map { $0.id == tally.places[place].id } ?? true }
    let places = tally.places.indices.filter { tally.isVisited[$0] && isWanted($0) }.map { place in
      WalkReport.PlaceSection(
        place: tally.places[place], expected: tally.expected[place].count,
        seen: tally.expected[place].count { tally.isSeen($0) },
        unconfirmed: tally.expected[place].filter { tally.isSeen($0) && !tally.isConfirmed[$0] }
          .map { tally.codes[$0] },
        isCertain: tally.isCertain[place], stops: tally.stopCounts[place], missing: missing[place],
        swapped: tally.expected[place].filter { tally.isSwapped($0) }.map { tally.codes[$0] },
        lastVisit: tally.lastVisits[place],
        items: tally.items(at: place), pieces: tally.pieces(at: place, prints),
        sum: tally.sum(at: place),
        troubled: tally.troubled(at: place))
    }
    let nowhere = tally.places.count
    let others =
      only != nil || tally.stopCounts[nowhere] == 0
      ? []
      : [
        WalkReport.PlaceSection(
          place: nil, expected: 0, seen: 0, stops: tally.stopCounts[nowhere], missing: [],
          items: tally.items(at: nowhere))
      ]
    let unvisited = tally.places.indices.filter {
      !tally.isVisited[$0] && isWanted($0) && !tally.expected[$0].isEmpty
    }
    let spots = tally.spots.filter { spot in
      only == nil || spot.visited.contains(where: isWanted) || spot.home.map(isWanted) == true
    }
    let times = spots.map(\.time)
    let period = times.min().flatMap { first in times.max().map { first...$0 } }
    return WalkReport(
      title: title, walks: tally.walks, place: only, made: now, timeZone: timeZone,
      stopCount: spots.count,
      readingCount: spots.reduce(0) { $0 + $1.readings },
      codeCount: Set(spots.flatMap(\.codes)).count,
      period: period,
      sections: places.sorted { $0.isBefore($1) } + others,
      unvisited: unvisited.map { tally.places[$0] }.sorted { $0.isBefore($1) },
      points: spots.compactMap { spot in
        spot.fix.map {
          WalkReport.Point(
            fix: $0, severity: spot.severity, walk: tally.walks[spot.walk].id, number: spot.number)
        }
      }, superseded: tally.superseded,
      scope: only.map { _ in
        Set(spots.map { .init(walk: tally.walks[$0.walk].id, number: $0.number) })
      })
  }
}

extension WalkTally {
  /// The findings at a place, the most urgent first, then in the order of the stops.
  fileprivate func items(at place: Int) -> [WalkReport.Item] {
    // A stable sort keeps the order of the readings of one stop.
    entries[place].sorted {
      ($0.item.finding.urgency, $0.spot ?? .max) < ($1.item.finding.urgency, $1.spot ?? .max)
    }.map(\.item)
  }

  /// Adds the codes that were expected at visited places and were not read there.
  ///
  /// - Returns: The codes, by place.
  fileprivate mutating func addMissing(
    from registry: borrowing RegistryTransaction, in timeZone: TimeZone
  ) throws(RegistryError) -> [[IssuedCode]] {
    let missing = places.indices.map { place in
      isVisited[place] ? expected[place].filter { isMissing($0) } : []
    }
    guard missing.contains(where: { !$0.isEmpty }) else { return missing.map { _ in [] } }
    let sightings = try registry.sightings()
    for (place, missing) in missing.enumerated() where !missing.isEmpty {
      let clues = takeClues(at: place, missing: missing.count)
      let isStrange = strangers.contains { spots[$0.spot].home == place }
      let besides =
        clues.sentence
        + (isStrange ? " A code that is not ours hangs there and may cover it." : "")
      for number in missing {
        let code = codes[number]
        let history = try registry.history(of: code.id)
        let elsewhere = lastElsewhere(history, home: places[place])
        let finding = Finding.missing(
          code, in: history.lastOutputs ?? code.output.map { [$0] } ?? [], at: places[place],
          sightings[code.id], elsewhere, isCertain: isCertain[place], besides: besides)
        let prints = history.last { $0.kind == .issued }
        let remark = sightings[code.id].remark(
          of: PrintedLabel(details: prints?.details ?? [:]).caption, madeOn: code.created,
          elsewhere,
          isCertain: isCertain[place], in: timeZone)
        add(
          WalkReport.Item(
            finding, stop: clues.first?.item.stop, code: code, remark: remark + besides),
          at: place, spot: nil)
      }
    }
    return missing.map { $0.map { codes[$0] } }
  }

  /// Adds the codes that are not ours: threats, those that may cover a missing code, and links.
  fileprivate mutating func addStrangers() {
    for stranger in strangers {
      let home = spots[stranger.spot].home
      // A code that was read elsewhere only has left its place as a missing one has.
      let absent = home.map { home in
        expected[home].filter { isMissing($0) || isAway($0) && !isSwapped($0) }.map { codes[$0] }
      }
      guard
        let (finding, remark) = stranger.finding(
          amid: absent ?? [], isAtPlace: home != nil,
          isCertain: home.map { isCertain[$0] } ?? false)
      else { continue }
      add(
        WalkReport.Item(
          finding, stop: stranger.stop, reading: stranger.reading, code: stranger.code,
          remark: remark), at: home, spot: stranger.spot)
    }
  }

  /// The name of the other place that was stated when a code was last read.
  private func lastElsewhere(_ history: [CodeEvent], home: Place) -> String? {
    let id = history.last { $0.kind == .read }?.details[CodeEvent.Fact.place]
    return places.first { $0.id == id && $0.id != home.id }?.name
  }
}

extension WalkTally.Stranger {
  /// The finding about the code, with a remark for people; `nil` for a text that covers nothing.
  ///
  /// - Parameter missing: The codes that are not at its place, although they should be.
  fileprivate func finding(
    amid missing: [IssuedCode], isAtPlace: Bool, isCertain: Bool
  ) -> (finding: Finding, remark: String)? {
    let payload = stop.readings[reading].payload
    if let threat = kind.threat(payload) { return (threat, kind.remark) }
    guard let first = missing.first else {
      guard kind == .link else { return nil }
      let words =
        (isAtPlace ? "Nothing of ours is missing there: leave it" : "Leave it")
        + ", unless it is on a sign of ours."
      return (
        Finding(
          .foreignCode, .warning, "\(payload.payloadForPeople) is no code of ours. \(words)"), words
      )
    }
    let what =
      missing.count == 1
      ? "one of ours is missing there, \(first.id) (\(first.payload))"
      : "\(missing.count) of ours are missing there"
    let words =
      "\(what): look whether this hangs in its place or covers it, and take it down then."
    return (
      Finding(
        .foreignCode, isCertain ? .error : .warning,
        "\(payload.payloadForPeople) is no code of ours, and \(words)"),
      words.prefix(1).uppercased() + words.dropFirst()
    )
  }
}

extension [WalkTally.Clue] {
  /// What was seen at the place and gave no code, as sentences after others; empty if nothing was.
  fileprivate var sentence: String {
    map { clue in
      let source = clue.item.stop.map { " in \($0.source.nameForPeople)" } ?? ""
      return clue.symbols > 0
        ? " Something\(source) looks like a code and gives no text: it may be this one, covered or "
          + "damaged."
        : " The search\(source) ended early: read that again with a larger budget, or take a picture "
          + "from nearer."
    }.joined()
  }
}

extension Finding {
  fileprivate static func missing(
    _ code: IssuedCode, in outputs: [String], at place: Place, _ sighting: Sighting?,
    _ elsewhere: String?, isCertain: Bool, besides clues: String
  ) -> Finding {
    let files = Counted.list(outputs)
    let made =
      if let uid = code.tagUID {
        "on the tag \(uid)"
      } else if files.isEmpty {
        "issued"
      } else {
        code.carrier == .nfc ? "for a tag as \(files)" : "printed as \(files)"
      }
    let met =
      if let elsewhere, let read = sighting?.lastRead {
        "last read at “\(elsewhere)” on \(read.day), so look there first"
      } else if let last = sighting?.last {
        "last met on \(last.day)"
      } else if let read = sighting?.lastRead {
        "last read on \(read.day), not certainly where it belongs"
      } else {
        "never met since"
      }
    let subject =
      "\(code.id) (\(code.payload)), \(made) on \(code.created.day), should hang at “\(place.name)” "
    return isCertain
      ? Finding(
        .missingCode, .error,
        subject
          + "and was not read there; it was \(met).\(clues) Look for it, and replace it if it is gone."
      )
      : Finding(
        .missingCode, .warning,
        subject
          + "and was not read; whether anybody was there is not certain. It was \(met).\(clues) Go "
          + "there with a better position before you replace it.")
  }
}

extension Sighting? {
  /// A remark that helps to find a missing code.
  fileprivate func remark(
    of caption: String?, madeOn made: Date, _ elsewhere: String?, isCertain: Bool,
    in timeZone: TimeZone
  ) -> String {
    func day(_ date: Date) -> String { WalkReport.Day(date, in: timeZone).text }
    let met =
      if let elsewhere, let read = self?.lastRead {
        "Last read at \(elsewhere.nameForPeople) on \(day(read)), so look there first"
      } else if let last = self?.last {
        "Last met on \(day(last))"
      } else if let read = self?.lastRead {
        "Last read on \(day(read)), not certainly where it belongs"
      } else {
        "Made on \(day(made)), never met since"
      }
    let name = caption.map { "“\($0.nameForPeople)”. " } ?? ""
    return name + met + (isCertain ? "." : "; whether anybody was there is not certain.")
  }
}

extension Date {
  /// The day in UTC, for example `2026-11-21`.
  var day: String { String(registryTimestamp.prefix(10)) }
}

extension WalkReport.PlaceSection {
  /// Orders sections: by the number of their most urgent findings, then of the next; then by name.
  fileprivate func isBefore(_ other: Self) -> Bool {
    func rank(_ section: Self) -> [Int] {
      Finding.Urgency.allCases.filter { $0 < .note }.map { urgency in
        section.items.count { $0.finding.urgency == urgency }
      }
    }
    let (mine, others) = (rank(self), rank(other))
    if mine != others { return others.lexicographicallyPrecedes(mine) }
    guard let place, let others = other.place else { return place != nil }
    return place.isBefore(others)
  }
}

extension Place {
  /// Orders places by name.
  fileprivate func isBefore(_ other: Place) -> Bool { (name, id) < (other.name, other.id) }
}

/// Finds the places that may contain a position, among thousands.
struct PlaceIndex: Sendable {
  /// A circle around a region, or around one of several.
  private struct Entry: Sendable {
    let place: Int
    let point: SIMD3<Double>
    let radius: Double
  }

  private struct Cell: Hashable {
    let x: Int
    let y: Int
    let z: Int
  }

  private let places: [Place]
  private let entries: [Entry]
  /// The entries by cubes as wide as the largest circle and accuracy that are looked up by them.
  private var cells: [Cell: [Int]] = [:]
  /// The entries that are too large for a cube.
  private var large: [Int] = []

  private static let width = 4_000.0

  init(_ places: [Place]) {
    self.places = places
    entries = places.enumerated().flatMap { index, place in
      place.region.bounds.map {
        Entry(place: index, point: Self.point(of: $0.centre), radius: $0.radius)
      }
    }
    for (index, entry) in entries.enumerated() {
      if entry.radius > Self.width / 3 {
        large.append(index)
      } else {
        cells[Self.cell(of: entry.point), default: []].append(index)
      }
    }
  }

  /// A place that may contain a position.
  struct Candidate {
    let place: Int
    let isInside: Bool
    /// The distance to the edge in metres, negative inside.
    let distance: Double
  }

  /// The places that certainly contain a position.
  func containing(_ fix: LocationFix) -> [Place] {
    candidates(at: fix).filter(\.isInside).map { places[$0.place] }
  }

  /// The places that contain or may contain a position, by number.
  func candidates(at fix: LocationFix) -> [Candidate] {
    let point = Self.point(of: fix.coordinate)
    var found: Set<Int> = []
    for index in entries(around: point, within: fix.accuracy) {
      let entry = entries[index]
      let difference = entry.point - point
      let chord = (difference * difference).sum().squareRoot()
      // A chord is shorter than the distance along the ground, and the sphere differs from the
      // ellipsoid by less than one per cent.
      if chord <= (entry.radius + fix.accuracy) * 1.01 + 1 { found.insert(entry.place) }
    }
    return found.sorted().compactMap { place in
      let outcome = LocationConfirmation.confirm(fix, in: places[place].region)
      guard outcome.result != .outside, let distance = outcome.distance else { return nil }
      return Candidate(
        place: place, isInside: outcome.result == .inside,
        distance: distance - (outcome.radius ?? 0))
    }
  }

  private func entries(around point: SIMD3<Double>, within accuracy: Double) -> [Int] {
    guard accuracy <= Self.width / 2 else { return Array(entries.indices) }
    let home = Self.cell(of: point)
    var found = large
    for x in -1...1 {
      for y in -1...1 {
        for z in -1...1 {
          found += cells[Cell(x: home.x + x, y: home.y + y, z: home.z + z)] ?? []
        }
      }
    }
    return found
  }

  /// The position in metres from the centre of a sphere as large as the Earth.
  private static func point(of coordinate: Coordinate) -> SIMD3<Double> {
    let latitude = coordinate.latitude * .pi / 180
    let longitude = coordinate.longitude * .pi / 180
    return 6_371_000
      * SIMD3(
        cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }

  private static func cell(of point: SIMD3<Double>) -> Cell {
    let scaled = (point / width).rounded(.down)
    return Cell(x: Int(bounded: scaled.x), y: Int(bounded: scaled.y), z: Int(bounded: scaled.z))
  }
}
