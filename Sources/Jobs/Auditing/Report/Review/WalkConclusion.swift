import Foundation
import Invocation
import Registry

/// The answer of a whole walk for one issued code: how many of it exist, and where each was seen.
///
/// It is found once, after the last stop; findings, sums and texts follow from it.
enum WalkConclusion {
  /// Read where it belongs, and perhaps nowhere else.
  case present(Presence)
  /// In the place of another code, which is in its place.
  case swapped(with: Int, at: Int)
  /// Read elsewhere only, at these stops.
  case moved(to: [Int])
  /// Read at these stops, which are too far apart for the number of prints that were made.
  case copied(apart: [Int], made: Int)
  /// Seen at more places in the picture of one stop than prints were made.
  case twice(at: Int, count: Int, made: Int)
  /// Not read anywhere.
  case missing

  /// The state of a code that was read where it belongs.
  enum Presence: Int, Comparable {
    case unconfirmed, confirmed, dead, faulty

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }
}

/// The codes that should hang at visited places, each counted in one state.
public struct CodeSum: Hashable, Sendable {
  /// The number of codes that were certainly read where they belong, and open what they should.
  public internal(set) var confirmed = 0
  /// The number of codes that were read, but perhaps elsewhere.
  public internal(set) var unconfirmed = 0
  /// The number of codes that hang elsewhere, or that are not as they were issued.
  public internal(set) var wrong = 0
  /// The number of codes that were read nowhere.
  public internal(set) var missing = 0
  /// The number of codes that were read where they belong and open no App Clip.
  public internal(set) var dead = 0

  /// The number of all codes.
  public var all: Int { confirmed + unconfirmed + wrong + missing + dead }

  static func + (one: Self, other: Self) -> Self {
    CodeSum(
      confirmed: one.confirmed + other.confirmed, unconfirmed: one.unconfirmed + other.unconfirmed,
      wrong: one.wrong + other.wrong, missing: one.missing + other.missing,
      dead: one.dead + other.dead)
  }
}

extension WalkTally {
  /// The sum of the codes expected at a place.
  func sum(at place: Int) -> CodeSum {
    expected[place].reduce(into: CodeSum()) { sum, code in
      switch state(of: code) {
      case .confirmed?: sum.confirmed += 1
      case .unconfirmed?: sum.unconfirmed += 1
      case .faulty?: sum.wrong += 1
      case .dead?: sum.dead += 1
      case nil: sum.missing += 1
      }
    }
  }

  /// The state in which a code counts; `nil` for a missing one.
  private func state(of code: Int) -> WalkConclusion.Presence? {
    switch conclusions[code] {
    case .present(let presence): presence
    case .swapped, .moved: .faulty
    case .copied, .twice: presence[code] ?? .faulty
    case .missing: nil
    }
  }

  /// Whether a code was read at its place, or perhaps there.
  func isSeen(_ code: Int) -> Bool { presence[code] != nil }

  /// Whether a code was read nowhere.
  func isMissing(_ code: Int) -> Bool {
    if case .missing = conclusions[code] { true } else { false }
  }

  /// Whether a code is in the place of another one, and that one here.
  func isSwapped(_ code: Int) -> Bool {
    if case .swapped = conclusions[code] { true } else { false }
  }

  /// Whether a code was read elsewhere only.
  func isAway(_ code: Int) -> Bool { !isSeen(code) && !away[code].isEmpty }

  /// The codes expected at a place that are not as they should be, and count as such.
  func troubled(at place: Int) -> Set<CodeID> {
    Set(
      expected[place].lazy.filter { code in
        switch state(of: code) {
        case .confirmed, .unconfirmed: false
        case .faulty, .dead, nil: true
        }
      }.map { codes[$0].id })
  }
}

/// The conclusions.
extension WalkTally {
  /// Makes one finding of what several stops at a place show of one sign: that of the stop which
  /// shows it most often.
  mutating func dropRepeats() {
    struct Sign: Hashable {
      let finding: Finding.Code
      let code: CodeID
      let uid: String?
    }
    func sign(_ entry: Entry) -> Sign? {
      guard let code = entry.item.code, entry.item.reading != nil else { return nil }
      return Sign(
        finding: entry.item.finding.code, code: code.id, uid: entry.item.walkReading?.uid)
    }
    for place in places.indices {
      var shown: [Sign: [Int: Int]] = [:]
      for entry in entries[place] {
        guard let sign = sign(entry), let spot = entry.spot else { continue }
        shown[sign, default: [:]][spot, default: 0] += 1
      }
      entries[place].removeAll { entry in
        guard let sign = sign(entry), let spots = shown[sign] else { return false }
        let best = spots.max { ($0.value, -$0.key) < ($1.value, -$1.key) }
        return best?.key != entry.spot
      }
    }
  }

  /// Concludes for each code from all its readings, and replaces the findings of single stops by
  /// those of the conclusion.
  mutating func conclude(from registry: borrowing RegistryTransaction) throws(RegistryError) {
    var made: [Int: Int] = [:]
    for code in codes.indices where codes[code].status == .issued {
      conclusions[code] = presence[code].map { .present($0) } ?? .missing
      let apart = farApart(meetings[code].map(Int.init))
      let most = itemTally.most(code)
      guard apart.count > 1 || most != nil || !away[code].isEmpty else { continue }
      let prints = try printsMade(code, from: registry)
      made[code] = prints
      if apart.count > prints {
        conclusions[code] = .copied(apart: apart, made: prints)
      } else if let most, most.count > prints {
        conclusions[code] = .twice(at: most.spot, count: most.count, made: prints)
      } else if isAway(code) {
        conclusions[code] = .moved(to: away[code].map(Int.init))
      }
    }
    pairSwaps()
    let visited = expected.enumerated().filter { isVisited[$0.offset] }.flatMap(\.element)
    let isExpected = Set(visited)
    for (code, prints) in made.sorted(by: { $0.key < $1.key }) {
      try report(code, made: prints, isExpected: isExpected.contains(code), from: registry)
    }
    rewordUnissued()
  }

  /// Says what to do with a text at a wrong place that was issued as no code.
  private mutating func rewordUnissued() {
    for place in entries.indices {
      for (index, entry) in entries[place].enumerated()
      where entry.item.finding.code == .wrongPlace && entry.item.code == nil {
        let belongs = entry.item.walkReading?.placeID.flatMap { placeNumbers[$0] }
        guard let belongs else { continue }
        replace(index, at: place, home: belongs, words: "take it down here")
      }
    }
  }

  /// Replaces the words of a finding about a wrong place.
  private mutating func replace(_ index: Int, at place: Int, home: Int, words: String) {
    let entry = entries[place][index]
    let here = entry.spot.flatMap { spots[$0].place }
    let mounted = here.map { " and is mounted at \(places[$0].name)" } ?? ""
    entries[place][index] = Entry(
      item: WalkReport.Item(
        Finding(
          .wrongPlace, .error, "It belongs to \(places[home].name)\(mounted); \(words)."),
        stop: entry.item.stop, reading: entry.item.reading, code: entry.item.code,
        remark: "Belongs to \(places[home].name.nameForPeople); \(words)."), spot: entry.spot)
  }

  /// Adds the findings of the conclusion about a code.
  private mutating func report(
    _ code: Int, made: Int, isExpected: Bool, from registry: borrowing RegistryTransaction
  ) throws(RegistryError) {
    switch conclusions[code] {
    case .swapped(let other, let there):
      guard let home = placeNumber(of: code) else { return }
      return reportSwap(code, at: there, with: other, at: home)
    case .copied(let apart, _):
      try reportCopies(of: code, apart, made: made, from: registry)
    case .twice(let spot, let count, _):
      let words = "\(count) of it are in one picture, and it was made \(Self.times(made))"
      try add(
        Finding(
          .hungTwice, .warning,
          "\(codes[code].id) (\(codes[code].payload)): \(words). Take down what is one too many, or "
            + "record that it was printed again."),
        remark: words.prefix(1).uppercased() + words.dropFirst() + ".", about: code, read: spot,
        at: spots[spot].home, last: true, from: registry)
    case .present, .moved, .missing: break
    }
    guard let home = placeNumber(of: code) else { return }
    let lastMet = try lastMet(code, at: home, from: registry)
    for place in placesOfReadings(of: code) where !away[code].isEmpty {
      for (index, entry) in entries[place].enumerated()
      where entry.isAboutThePlace && entry.item.code?.id == codes[code].id
        && entry.spot.flatMap({ spots[$0].place }) != nil
      {
        replace(
          index, at: place, home: home,
          words: misplaced(code, home: home, made: made, lastMet))
      }
    }
    guard isExpected, isAway(code) else { return }
    let names = Counted.list(awayNames(of: code))
    let from =
      if case .copied = conclusions[code] {
        "it was read at \(names): find out which of them is ours, and hang it here"
      } else {
        "it was read at \(names), fetch it from there"
      }
    let spot = Int(away[code][0])
    try add(
      Finding(
        .movedCode, .error,
        "\(codes[code].id) (\(codes[code].payload)) belongs here and was not read here; \(from)."),
      remark: from.prefix(1).uppercased() + from.dropFirst() + ".", about: code, read: spot,
      at: home, isElsewhere: true, from: registry)
  }

  /// The places under which the report lists the stops at which a code was read.
  private func placesOfReadings(of code: Int) -> Set<Int> {
    Set(meetings[code].map { spots[Int($0)].home ?? places.count })
  }

  /// The second half of a sentence about a code at a wrong place.
  private func misplaced(
    _ code: Int, home: Int, made: Int, _ lastMet: Date?
  ) -> String {
    if isSeen(code) {
      return made > 1
        ? "it is one of its \(made) prints: take it back"
        : "something that is the same was read there, perhaps: look there before you move it"
    }
    guard isVisited[home] else {
      if made > 1 { return "it is one of its \(made) prints: take it back" }
      return lastMet.map {
        "it was met there on \($0.day) and was moved since, or this is a copy: look there first, and "
          + "take this one back or down"
      } ?? "nobody looked there: take it back, unless the same hangs there"
    }
    return
      "it was not read there\(lastMet.map { " (last met there on \($0.day))" } ?? ""): take it back"
  }

  /// The places, or else the stops, at which a code was read that belongs elsewhere.
  func awayNames(of code: Int) -> [String] {
    var names: [String] = []
    for spot in away[code].map({ spots[Int($0)] }) {
      let name =
        spot.place.map { "“\(places[$0].name)”" }
        ?? spot.fix.map { "\($0.coordinate.forPeople) (stop \(spot.number))" }
        ?? "stop \(spot.number)"
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The last time at which the code was met at its place, if that was before it was read elsewhere.
  private func lastMet(
    _ code: Int, at home: Int, from registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> Date? {
    guard !isSeen(code), let read = away[code].map({ spots[Int($0)].time }).max(),
      let met = try registry.sightings(of: [codes[code]])[codes[code].id]?.last, met <= read
    else { return nil }
    return met
  }

  /// Adds an item about a reading of a code.
  ///
  /// - Parameters:
  ///   - last: Whether it is about the last reading of the code at the stop, not about the first.
  ///   - isElsewhere: Whether the stop was at another place than the item's.
  private mutating func add(
    _ finding: Finding, remark: String, about code: Int, read spot: Int, at home: Int?,
    last: Bool = false, isElsewhere: Bool = false, from registry: borrowing RegistryTransaction
  ) throws(RegistryError) {
    let (number, walk) = (spots[spot].number, walks[spots[spot].walk].id)
    guard let stop = try registry.stop(number, of: walk) else { return }
    let id = codes[code].id
    let reading =
      last
      ? stop.readings.lastIndex { $0.code == id } : stop.readings.firstIndex { $0.code == id }
    add(
      WalkReport.Item(finding, stop: stop, reading: reading, code: codes[code], remark: remark),
      at: home, spot: isElsewhere ? nil : spot)
  }
}

/// Codes that were read at positions too far apart for one code.
extension WalkTally {
  /// The distance, in metres beyond both accuracies, from which two positions of one code are
  /// contradictory: a reader may be across the street.
  private static let margin = 50.0
  /// The number of readings of a code up to which each is tried as the first of those apart.
  private static let fewMeetings = 64

  /// Returns the most stops found that are all too far from each other, in order.
  fileprivate func farApart(_ met: [Int]) -> [Int] {
    // Of very many stops, the most accurate is compared with all; any distant stop is distant from
    // it.
    let surest = met.min { accuracy(of: $0) < accuracy(of: $1) }
    let starts = met.count <= Self.fewMeetings ? met : [surest].compactMap(\.self)
    var most: [Int] = []
    for start in starts {
      let apart = met.reduce(into: [start]) { apart, other in
        if apart.allSatisfy({ areApart($0, other) }) { apart.append(other) }
      }
      if apart.count > most.count { most = apart }
    }
    return most.sorted()
  }

  private func accuracy(of spot: Int) -> Double { spots[spot].fix?.accuracy ?? .infinity }

  /// Whether two stops are too far apart for one code. A stated place is a position: two of them
  /// differ, and a position is apart from one if it is outside by more than a street.
  private func areApart(_ first: Int, _ second: Int) -> Bool {
    let (here, there) = (spots[first], spots[second])
    if let one = here.stated, let other = there.stated, one != other { return true }
    if here.fix != nil, there.fix != nil { return distance(first, second) != nil }
    func isOutside(_ fix: LocationFix?, _ place: Int?) -> Bool {
      guard let fix, let place,
        let wide = LocationFix(coordinate: fix.coordinate, accuracy: fix.accuracy + Self.margin)
      else { return false }
      return LocationConfirmation.confirm(wide, in: places[place].region).result == .outside
    }
    return isOutside(here.fix, there.stated) || isOutside(there.fix, here.stated)
  }

  /// The distance in metres between two stops that are too far apart for one code; `nil` for
  /// others.
  private func distance(_ first: Int, _ second: Int) -> Double? {
    guard let here = spots[first].fix, let there = spots[second].fix,
      here.coordinate != there.coordinate
    else { return nil }
    let distance = Geodesic.distance(from: here.coordinate, to: there.coordinate)
    return distance > here.accuracy + there.accuracy + Self.margin ? distance : nil
  }

  /// Reports a code at each place where it was read and does not belong, in place of the findings
  /// about its position there.
  fileprivate mutating func reportCopies(
    of code: Int, _ apart: [Int], made: Int, from registry: borrowing RegistryTransaction
  ) throws(RegistryError) {
    let id = codes[code].id
    // What is across the street from its place is near it.
    let home = meetings[code].filter { !away[code].contains($0) }.map(Int.init)
    let elsewhere = away[code].map(Int.init).filter { spot in
      home.allSatisfy { areApart($0, spot) }
    }
    for place in placesOfReadings(of: code) {
      entries[place].removeAll { entry in
        entry.isAboutThePlace && entry.item.code?.id == id
          && entry.spot.map(elsewhere.contains) == true
      }
    }
    let known = whatIsKnown(apart, made: made)
    let advice = whatToDo(code)
    // Without one that is certainly elsewhere, the last one read is shown.
    var suspects: [Int] = []
    for spot in elsewhere where suspects.allSatisfy({ areApart($0, spot) }) {
      suspects.append(spot)
    }
    for spot in suspects.isEmpty ? apart.suffix(1) : suspects[...] {
      try add(
        Finding(
          .copiedCode, .error, "\(id) (\(codes[code].payload)) was read at \(known) \(advice)"),
        remark: "Read at \(known) \(advice)", about: code, read: spot, at: spots[spot].home,
        from: registry)
    }
  }

  private func whatToDo(_ code: Int) -> String {
    guard let home = placeNumber(of: code), !away[code].isEmpty else {
      return "Find out which is ours, and take the other down."
    }
    let place = "“\(places[home].name)”"
    if isSeen(code) {
      return "It was read at \(place), where it belongs, too: take it down here, and keep it."
    }
    return
      (isVisited[home] ? "None was read at \(place), where it belongs" : "It belongs to \(place)")
      + ": take it down here, and find out which is ours."
  }

  private func whatIsKnown(_ apart: [Int], made: Int) -> String {
    let distance = apart.dropFirst().compactMap { self.distance(apart[0], $0) }.max()
    let far = distance.map { ", \(Metres.text($0)) apart" } ?? ""
    let many = apart.count - made == 1 ? "one" : "\(apart.count - made)"
    return
      "\(Counted.list(apart.map(name)))\(far), and was made \(Self.times(made)): "
      + "\(many) of the \(apart.count == 2 ? "two" : "\(apart.count)") "
      + "\(many == "one" ? "is a copy" : "are copies"), or it was moved."
  }

  private func name(of spot: Int) -> String {
    let walk = walks[spots[spot].walk]
    let place = spots[spot].place.map { "“\(places[$0].name)”, " } ?? ""
    return "\(place)stop \(spots[spot].number) of the walk “\(walk.name)” of \(walk.who)"
  }

  private static func times(_ made: Int) -> String {
    switch made {
    case 1: "once"
    case 2: "twice"
    default: "\(made) times"
    }
  }

  /// The number of a code's prints that may be in use. A tag is unique.
  private func printsMade(
    _ code: Int, from registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> Int {
    codes[code].tagUID == nil ? try registry.items(of: codes[code]).pieceCount : 1
  }
}

/// Codes at each other's places.
extension WalkTally {
  /// Pairs codes that are at each other's places.
  private mutating func pairSwaps() {
    /// The place of a code and the place where it was read instead.
    struct Way: Hashable {
      let home: Int
      let found: Int
    }
    var ways: [Way: [Int]] = [:]
    for code in codes.indices where codes[code].status == .issued {
      guard case .moved(let spots) = conclusions[code], let home = placeNumber(of: code),
        let found = self.spots[spots[0]].place, found != home
      else { continue }
      ways[Way(home: home, found: found), default: []].append(code)
    }
    for (way, there) in ways.sorted(by: {
      ($0.key.home, $0.key.found) < ($1.key.home, $1.key.found)
    })
    where way.home < way.found {
      var here = ways[Way(home: way.found, found: way.home)] ?? []
      for code in there where !isSwapped(code) {
        let free = here.indices.filter { !isSwapped(here[$0]) }
        // A tag is matched with a tag before a print.
        let alike = free.first { codes[here[$0]].carrier == codes[code].carrier } ?? free.first
        guard let alike else { break }
        let other = here.remove(at: alike)
        conclusions[code] = .swapped(with: other, at: way.found)
        conclusions[other] = .swapped(with: code, at: way.home)
      }
    }
  }

  /// Reports a code where it hangs in the place of another one, instead of the wrong place.
  private mutating func reportSwap(_ code: Int, at here: Int, with other: Int, at home: Int) {
    func takes(_ entry: Entry) -> Bool {
      entry.isAboutThePlace && entry.item.code?.id == codes[code].id
    }
    let shown = entries[here].first(where: takes)
    entries[here].removeAll(where: takes)
    let finding = Finding(
      .swappedCodes, .error,
      "\(codes[code].id) (\(codes[code].payload)) hangs at “\(places[here].name)” and belongs to "
        + "“\(places[home].name)”; \(codes[other].id) (\(codes[other].payload)) hangs there and belongs "
        + "here: swap the two.")
    add(
      WalkReport.Item(
        finding, stop: shown?.item.stop, reading: shown?.item.reading, code: codes[code],
        remark: "Belongs to \(places[home].name.nameForPeople), where "
          + "\(codes[other].payload.payloadForPeople) hangs in its place."), at: here,
      spot: shown?.spot)
  }
}

extension WalkTally.Entry {
  /// Whether it says that a code is not where it belongs.
  fileprivate var isAboutThePlace: Bool {
    [.wrongPlace, .outsideRegion].contains(item.finding.code)
  }
}

extension WalkReading {
  /// The findings about a link that opens no App Clip.
  private static let ofDeadLinks: Set<Finding.Code> = [
    .inactiveExperience, .noMatch, .unknownHost, .unassociatedHost, .domainStatus, .unknownClip,
  ]
  /// The findings about a position.
  static let ofPositions: Set<Finding.Code> = [.outsideRegion, .signSuspect, .wrongPlace]

  /// Whether the code is not as it was issued.
  var isFaulty: Bool {
    findings.contains {
      $0.severity == .error && !Self.ofDeadLinks.contains($0.code)
        && !Self.ofPositions.contains($0.code)
    }
  }

  /// Whether the code is as it was issued, and opens no App Clip.
  var isDead: Bool { state.verdict == .rejected && !isFaulty }
}

extension [CodeEvent] {
  /// The time in seconds within which issued codes belong to one command.
  private static let atOnce = 60.0

  /// The files of the last command that issued the code, each once; `nil` if its entries name none.
  var lastOutputs: [String]? {
    let issued = filter { $0.kind == .issued }
    guard let last = issued.last else { return nil }
    let outputs: [String] = issued.filter { last.time.timeIntervalSince($0.time) <= Self.atOnce }
      .compactMap { $0.details["output"] }
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    return outputs.isEmpty ? nil : outputs
  }
}
