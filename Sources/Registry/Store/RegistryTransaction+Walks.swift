package import Foundation
import Invocation

/// Which stops of a walk are asked for.
enum WantedStops {
  case all
  case number(Int)
  /// Those of one sign.
  case sign(String)
}

/// Walks: what was read where. They are only ever added to.
extension RegistryTransaction {
  /// Every walk, of this registry and of those that were merged, oldest first.
  package borrowing func walks() throws(RegistryError) -> [Walk] { try records.walks() }

  /// The number of a walk's last stop; 0 without any.
  package borrowing func lastStop(of walk: Walk.ID) throws(RegistryError) -> Int {
    try records.lastStop(of: walk)
  }

  /// Whether a walk has a stop with these bytes: the same picture and page, or the same tag.
  package borrowing func hasStop(
    in walk: Walk.ID, digest: EntryHash, page: Int?
  ) throws(RegistryError) -> Bool {
    try records.hasStop(in: walk, digest: digest, page: page)
  }

  /// The stops of a walk, in order.
  package borrowing func stops(of walk: Walk.ID) throws(RegistryError) -> [WalkStop] {
    try stops(of: walk, .all)
  }

  /// The stops of one sign of a walk, in order.
  package borrowing func stops(
    onSign sign: String, of walk: Walk.ID
  ) throws(RegistryError) -> [WalkStop] {
    try stops(of: walk, .sign(sign))
  }

  /// The stops of a walk in order, one after another: there may be many.
  package borrowing func forEachStop(
    of walk: Walk.ID, _ body: (WalkStop) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    try records.forEachStop(of: walk, .all, body)
  }

  /// One stop of a walk; `nil` when there is none of that number.
  package borrowing func stop(_ number: Int, of walk: Walk.ID) throws(RegistryError) -> WalkStop? {
    try stops(of: walk, .number(number)).first
  }

  /// The small copy of a stop's picture; `nil` for a stop without.
  package borrowing func picture(
    of walk: Walk.ID, stop: Int
  ) throws(RegistryError) -> WalkPicture? {
    try records.picture(of: walk, stop: stop)
  }

  private borrowing func stops(
    of walk: Walk.ID, _ wanted: WantedStops
  ) throws(RegistryError) -> [WalkStop] {
    var stops: [WalkStop] = []
    try records.forEachStop(of: walk, wanted) { stops.append($0) }
    return stops
  }

  /// Begins a walk, or goes on with the one of this name that this registry began.
  ///
  /// - Returns: The walk, new or known; a known one keeps who walks and when it began.
  package borrowing func begin(
    _ name: String, by who: String, at time: Date
  ) throws(RegistryError) -> Walk {
    let records = try changeable()
    let recorder = try records.ownRecorder()
    let known = try records.walks().last {
      $0.recorder == recorder && ByteKey($0.name) == ByteKey(name)
    }
    if let known { return known }
    let walk = Walk(name: name, who: who, started: time, recorder: recorder)
    try records.insert(walk)
    return walk
  }

  /// Adds a stop to a walk of this registry, and to the history of each of our codes that was read
  /// there the event `read`: both are kept, or neither.
  ///
  /// A code is told to have been read wherever that was and whatever was wrong with it; the details
  /// say where, and what the location confirmation gave. A reading that claims a code which this
  /// registry does not know has no history to be told in.
  ///
  /// - Parameters:
  ///   - stop: The stop; its number follows the walk's last.
  ///   - picture: The small copy of its picture.
  ///   - who: Who walks, for the histories.
  /// - Throws: ``RegistryError/Code/notFound`` for an unknown walk,
  ///   ``RegistryError/Code/foreignWalk``, ``RegistryError/Code/walkChanged`` when the number does
  ///   not follow.
  package borrowing func add(
    _ stop: WalkStop, picture: WalkPicture?, by who: String
  ) throws(RegistryError) {
    let records = try changeable()
    guard let walk = try records.walk(stop.walk) else {
      throw .missing("walk", stop.walk.description)
    }
    guard walk.recorder == (try records.ownRecorder()) else {
      throw RegistryError(
        .foreignWalk, "The walk “\(walk.name)” of \(walk.who) was begun by another registry.",
        hint: "Begin one of that name here; the report is about both.")
    }
    let last = try records.lastStop(of: walk.id)
    guard stop.number == last + 1 else {
      throw RegistryError(
        .walkChanged,
        "The walk “\(walk.name)” has \(last) stops, and stop \(stop.number) does not follow.",
        hint: "Somebody else adds to it at the same time; try again.")
    }
    try records.insert(stop.inWholeMilliseconds, picture: picture)
    var told: Set<CodeID> = []
    for code in stop.readings.compactMap(\.code) where told.insert(code).inserted {
      guard try records.code(id: code) != nil else { continue }
      try record(.read, of: code, at: stop.time, by: who, details: stop.facts(of: code))
    }
  }
}

extension WalkStop {
  /// What the history of a code tells of this stop.
  fileprivate func facts(of code: CodeID) -> [String: String] {
    typealias Fact = CodeEvent.Fact
    let readings = readings.filter { $0.code == code }
    var facts = fix?.facts ?? [:]
    facts[Fact.uid] = readings.lazy.compactMap(\.uid).first
    facts[Fact.sha256] = digest?.description
    facts[Fact.walk] = walk.description
    facts[Fact.stop] = "\(number)"
    facts[Fact.result] = readings.lazy.compactMap(\.location).first?.rawValue
    return facts
  }

  /// The stop as every store keeps it: the time of a position, too, in whole milliseconds.
  fileprivate var inWholeMilliseconds: WalkStop {
    guard let fix, let origin = fix.origin, let time = origin.time else { return self }
    let rounded = PositionOrigin(
      kind: origin.kind, name: origin.name, time: time.inWholeMilliseconds,
      reportCount: origin.reportCount, isSimulated: origin.isSimulated, note: origin.note)
    return WalkStop(
      walk: walk, number: number, time: self.time, kind: kind, source: source, page: page,
      digest: digest, sign: sign,
      fix: LocationFix(coordinate: fix.coordinate, accuracy: fix.accuracy, origin: rounded),
      statedPlace: statedPlace, note: note, unreadCount: unreadCount, readings: readings)
  }
}

extension LocationFix {
  /// The position as the history of a code tells it.
  var facts: [String: String] {
    let metres =
      accuracy == accuracy.rounded() && accuracy < 1e9 ? "\(Int(accuracy))" : "\(accuracy)"
    return [
      CodeEvent.Fact.position: "\(coordinate.latitude),\(coordinate.longitude)",
      CodeEvent.Fact.accuracy: metres,
    ]
  }
}
