import CliptagBasics
package import Foundation
import Invocation

/// Walks and their readings. They are only ever added to.
extension RegistryOperations where Self: ~Copyable {
  /// Returns every walk, of this registry and of those that were merged, oldest first.
  public borrowing func walks() throws(RegistryError) -> [Walk] {
    try rows("SELECT * FROM walk ORDER BY started, id", [], Walk.init(row:))
  }

  /// Returns the number of a walk's last stop; 0 without any.
  package borrowing func lastStop(of walk: Walk.ID) throws(RegistryError) -> Int {
    try read { registry in
      try registry.number(
        "SELECT max(number) AS number FROM walk_stop WHERE walk = ?", [try registry.key(of: walk)])
    }
  }

  /// Returns the number of a walk's last stop with these bytes: the same picture and page, or the
  /// same tag; `nil` without any.
  package borrowing func lastStop(
    of walk: Walk.ID, digest: EntryHash, page: Int?
  ) throws(RegistryError) -> Int? {
    try read { registry in
      var conditions = SQLConditions()
      conditions.require("walk = ?", try registry.key(of: walk))
      conditions.requirePicture(digest, page: page)
      let number = try registry.number(
        "SELECT coalesce(max(number), 0) AS number FROM walk_stop \(conditions.clause)",
        conditions.arguments)
      return number > 0 ? number : nil
    }
  }

  /// Returns the other walks that have a page of a picture with these bytes, oldest first.
  package borrowing func otherWalks(
    with digest: EntryHash, page: Int?, besides walk: Walk.ID
  ) throws(RegistryError) -> [Walk] {
    var conditions = SQLConditions()
    conditions.require("stop.walk = other.key")
    conditions.requirePicture(digest, page: page)
    return try rows(
      """
      SELECT * FROM walk AS other
      WHERE EXISTS (SELECT 1 FROM walk_stop AS stop \(conditions.clause)) AND id <> ?
      ORDER BY started, id
      """, conditions.arguments + [walk.description], Walk.init(row:))
  }

  /// Passes the pictures of a walk, in order, without their readings.
  package borrowing func forEachPicture(
    of walk: Walk.ID, _ body: (PictureStop) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    try read { registry throws(RegistryError) in
      let rows = try registry.session.rows(
        """
        SELECT number, time, digest, page, latitude IS NOT NULL OR stated_place IS NOT NULL AS told
        FROM walk_stop WHERE walk = ? AND kind = 'picture' AND digest IS NOT NULL ORDER BY number
        """, [try registry.key(of: walk)], isShared: false)
      while let row = try rows.next() {
        guard let digest = try row.hashIfAny("digest") else { continue }
        try body(
          PictureStop(
            number: try row["number"], time: try row.date("time"), digest: digest,
            page: row["page"], isLocated: row["told"] ?? false))
      }
    }
  }

  /// Returns the stops of a walk, in order.
  public borrowing func stops(of walk: Walk.ID) throws(RegistryError) -> [WalkStop] {
    try stops(of: walk, .all)
  }

  /// Returns the stops of one sign of a walk, in order.
  package borrowing func stops(
    onSign sign: String, of walk: Walk.ID
  ) throws(RegistryError) -> [WalkStop] {
    try stops(of: walk, .sign(sign))
  }

  /// Returns one stop of a walk; `nil` if there is no stop with that number.
  public borrowing func stop(_ number: Int, of walk: Walk.ID) throws(RegistryError) -> WalkStop? {
    try stops(of: walk, .number(number)).first
  }

  private borrowing func stops(
    of walk: Walk.ID, _ wanted: WantedStops
  ) throws(RegistryError) -> [WalkStop] {
    var stops: [WalkStop] = []
    try forEachStop(of: walk, wanted) { stops.append($0) }
    return stops
  }

  /// Passes the stops of a walk in order, because there may be many.
  public borrowing func forEachStop(
    of walk: Walk.ID, _ body: (WalkStop) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    try forEachStop(of: walk, .all, body)
  }

  private borrowing func forEachStop(
    of walk: Walk.ID, _ wanted: WantedStops,
    _ body: (WalkStop) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    var (ofStops, ofReadings) = ("", "")
    var arguments: [(any SQLValue)?] = []
    // For single stops the statement is compiled once, for others each time: a body may query stops
    // again.
    var isShared = false
    switch wanted {
    case .all: break
    case .number(let number):
      (ofStops, ofReadings) = ("AND number = ?", "AND stop = ?")
      arguments = [number]
      isShared = true
    case .sign(let sign):
      ofStops = "AND sign = ?"
      ofReadings =
        "AND stop IN (SELECT number FROM walk_stop AS s WHERE s.walk = r.walk AND sign = ?)"
      arguments = [sign]
    }
    try read { [ofStops, ofReadings, arguments, isShared] registry in
      let arguments = [try registry.key(of: walk)] + arguments
      let stops = try registry.session.rows(
        "SELECT * FROM walk_stop WHERE walk = ? \(ofStops) ORDER BY number", arguments,
        isShared: isShared)
      // Read beside the stops, in the same order: one statement for all of them.
      let readings = try registry.session.rows(
        "SELECT * FROM walk_reading AS r WHERE walk = ? \(ofReadings) ORDER BY stop, number",
        arguments, isShared: isShared)
      while let row = try stops.next() {
        let count: Int = try row["readings"]
        let number: Int = try row["number"]
        var found: [WalkReading] = []
        found.reserveCapacity(count)
        while found.count < count {
          guard let row = try readings.next(), row.integer("stop") == Int64(number) else {
            throw RegistryError.damaged("a stop that lacks one of its readings")
          }
          found.append(try WalkReading(row: row))
        }
        try body(try WalkStop(row: row, of: walk, readings: found))
      }
    }
  }

  /// Returns the small copy of a stop's picture; `nil` for a stop without one.
  public borrowing func picture(
    of walk: Walk.ID, stop: Int
  ) throws(RegistryError) -> WalkPicture? {
    try read { registry in
      try registry.rows(
        "SELECT * FROM walk_picture WHERE walk = ? AND stop = ?",
        [try registry.key(of: walk), stop], WalkPicture.init(row:)
      ).first
    }
  }

  /// Begins a walk, or continues the walk of this name that this registry began; of several, that
  /// of the same person.
  ///
  /// - Parameters:
  ///   - name: The walk's name for people.
  ///   - who: The person who walks.
  ///   - time: The time at which it begins.
  ///   - isOwn: Whether only a walk of the same person is continued.
  /// - Returns: The new or known walk; a known one keeps its person and time.
  package borrowing func begin(
    _ name: String, by person: String, at time: Date, isOwn: Bool = false
  ) throws(RegistryError) -> Walk {
    try write { registry in
      let who = registry.session.name(of: person)
      let recorder = try registry.ownRecorder()
      let known = try registry.walks().filter {
        $0.recorder == recorder && ByteKey($0.name) == ByteKey(name)
      }
      let own = known.last { ByteKey($0.who) == ByteKey(who) }
      if let walk = own ?? (isOwn ? nil : known.last) { return walk }
      let walk = Walk(name: name, who: who, started: time, recorder: recorder)
      try registry.insert(walk)
      return walk
    }
  }

  /// Adds a stop to a walk of this registry, and the event `read` to the history of each of the
  /// registry's codes read there: either both are stored or neither.
  ///
  /// A stop of a picture that the walk already has supersedes the earlier one: both are kept, and a
  /// report counts the later. The events record this.
  ///
  /// A code gets the event at any place and with any finding; the details hold the place and the
  /// result of the location confirmation. A reading that claims a code unknown to this registry
  /// adds no event.
  ///
  /// - Parameters:
  ///   - stop: The stop; its number follows the walk's last.
  ///   - picture: The small copy of its picture.
  ///   - who: The person who walks, for the histories.
  /// - Throws: `RegistryError.Code.notFound` for an unknown walk,
  ///   `RegistryError.Code.foreignWalk`, `RegistryError.Code.walkChanged` when the number does
  ///   not follow.
  package borrowing func add(
    _ stop: WalkStop, picture: WalkPicture? = nil, by who: String
  ) throws(RegistryError) {
    try write { registry in
      guard let walk = try registry.walk(stop.walk) else {
        throw RegistryError.missing("walk", stop.walk.description)
      }
      guard walk.recorder == (try registry.ownRecorder()) else {
        throw RegistryError(
          .foreignWalk, "The walk “\(walk.name)” of \(walk.who) belongs to another registry.",
          hint: "Begin a walk of that name here; the report covers both.")
      }
      let last = try registry.lastStop(of: walk.id)
      guard stop.number == last + 1 else {
        throw RegistryError(
          .walkChanged,
          "The walk “\(walk.name)” has \(last) stops, and stop \(stop.number) does not follow.",
          hint: "Another process adds to it at the same time; try again.")
      }
      let superseded: Int? =
        if stop.kind == .picture, let digest = stop.digest {
          try registry.lastStop(of: walk.id, digest: digest, page: stop.page)
        } else { nil }
      try registry.insert(stop.inWholeMilliseconds, picture: picture)
      var told: Set<CodeID> = []
      try registry.lookAhead(stop.readings.compactMap(\.code))
      for code in stop.readings.compactMap(\.code) where told.insert(code).inserted {
        guard try registry.firstPrint(of: code) != nil else { continue }
        var facts = stop.facts(of: code)
        facts[CodeEvent.Fact.supersedes] = superseded.map { "\($0)" }
        try registry.record(.read, of: code, at: stop.time, by: who, details: facts)
      }
    }
  }
}

/// A stop with a picture, without its readings.
package struct PictureStop: Hashable, Sendable {
  /// The stop's number in its walk.
  package let number: Int
  /// The time of the reading.
  package let time: Date
  /// SHA-256 of the picture's file.
  package let digest: EntryHash
  /// The page of a document, from 1.
  package let page: Int?
  /// A Boolean value that indicates whether the stop has a position or a stated place.
  package let isLocated: Bool
}

/// The selection of a walk's stops.
private enum WantedStops {
  case all
  case number(Int)
  /// The stops of one sign.
  case sign(String)
}

extension RegistryTransaction {
  borrowing func walk(_ id: Walk.ID) throws(RegistryError) -> Walk? {
    try rows("SELECT * FROM walk WHERE id = ?", [id.description], Walk.init(row:)).first
  }

  /// Inserts a walk whose id is new.
  borrowing func insert(_ walk: Walk) throws(RegistryError) {
    try run(
      "INSERT INTO walk (id, name, who, started, recorder) VALUES (?, ?, ?, ?, ?)",
      [
        walk.id.description, walk.name, walk.who, walk.started.millisecondsSince1970,
        walk.recorder.description,
      ])
  }

  /// Returns the number of a walk in this database; 0 for an unknown walk.
  fileprivate borrowing func key(of walk: Walk.ID) throws(RegistryError) -> Int64 {
    if let key = known.walkKeys[walk] { return key }
    let key = try rows(
      "SELECT key FROM walk WHERE id = ?", [walk.description], { row -> Int64 in try row["key"] }
    ).first
    known.walkKeys[walk] = key
    return key ?? 0
  }

  /// Adds a stop that follows the last of its walk, with its readings.
  borrowing func insert(_ stop: WalkStop, picture: WalkPicture?) throws(RegistryError) {
    let key = try key(of: stop.walk)
    let (fix, origin) = (stop.fix, stop.fix?.origin)
    try run(
      """
      INSERT INTO walk_stop (walk, number, time, kind, source, page, digest, sign, latitude, longitude,
        accuracy, origin, origin_name, origin_time, origin_reports, origin_simulated, origin_note,
        stated_place, note, unread, readings, pictured, taken, findings)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        key, stop.number, stop.time.millisecondsSince1970, stop.kind.rawValue, stop.source,
        stop.page, stop.digest.map { Data($0.bytes) }, stop.sign, fix?.coordinate.latitude,
        fix?.coordinate.longitude, fix?.accuracy, origin?.kind.rawValue, origin?.name,
        origin?.time?.millisecondsSince1970, origin?.reportCount, origin?.isSimulated,
        origin?.note, stop.statedPlace, stop.note, stop.unreadCount, stop.readings.count,
        picture != nil, stop.taken?.millisecondsSince1970,
        stop.findings.isEmpty ? nil : stop.findings.column,
      ])
    for (index, reading) in stop.readings.enumerated() {
      try run(
        """
        INSERT INTO walk_reading (walk, stop, number, carrier, payload, uid, tag_type, locked, corners,
          grade, code, place, verdict, state, location, distance, findings)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          key, stop.number, index + 1, reading.carrier.rawValue, Data(reading.payload.utf8),
          reading.uid, reading.tagType, reading.isLocked, reading.corners.column, reading.grade,
          reading.code?.description, reading.placeID, reading.verdict.rawValue,
          reading.state.rawValue, reading.location?.rawValue, reading.distance,
          reading.findings.column,
        ])
    }
    guard let picture else { return }
    try run(
      """
      INSERT INTO walk_picture (walk, stop, width, height, original_width, original_height, jpeg)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        key, stop.number, picture.width, picture.height, picture.originalWidth,
        picture.originalHeight, Data(picture.jpeg),
      ])
  }
}

extension Walk {
  fileprivate init(row: any RegistryRow) throws(RegistryError) {
    let name: String = try row["id"]
    guard let id = ID(name) else { throw .damaged("the walk “\(name)”") }
    self.init(
      id: id, name: try row["name"], who: try row["who"], started: try row.date("started"),
      recorder: try row.recorder("recorder"))
  }
}

extension WalkStop {
  fileprivate init(
    row: any RegistryRow, of walk: Walk.ID, readings: [WalkReading]
  ) throws(RegistryError) {
    let findings: String? = row["findings"]
    self.init(
      walk: walk, number: try row["number"], time: try row.date("time"),
      taken: row.dateIfAny("taken"), kind: try row.name("kind"), source: try row["source"],
      page: row["page"],
      digest: try row.hashIfAny("digest"), sign: row["sign"], fix: try LocationFix(row: row),
      statedPlace: row["stated_place"], note: row["note"], unreadCount: try row["unread"],
      readings: readings,
      findings: try findings.map { text throws(RegistryError) in try [Finding](column: text) } ?? []
    )
  }
}

extension LocationFix {
  /// Reads the fix of a stop; `nil` for a stop without one.
  fileprivate init?(row: any RegistryRow) throws(RegistryError) {
    guard let latitude: Double = row["latitude"], let longitude: Double = row["longitude"],
      let accuracy: Double = row["accuracy"]
    else { return nil }
    var origin: PositionOrigin?
    if let kind: PositionOrigin.Kind = try row.nameIfAny("origin") {
      origin = PositionOrigin(
        kind: kind, name: row["origin_name"], time: row.dateIfAny("origin_time"),
        reportCount: row["origin_reports"] ?? 1, isSimulated: row["origin_simulated"] ?? false,
        note: row["origin_note"])
    }
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude),
      let fix = LocationFix(coordinate: coordinate, accuracy: accuracy, origin: origin)
    else { throw .damaged("the position \(latitude),\(longitude)") }
    self = fix
  }
}

extension WalkReading {
  fileprivate init(row: any RegistryRow) throws(RegistryError) {
    let payload: Data = try row["payload"]
    self.init(
      carrier: try row.name("carrier"), payload: String(decoding: payload, as: UTF8.self),
      uid: row["uid"], tagType: row["tag_type"], isLocked: row["locked"],
      corners: try [[Double]](column: try row["corners"]), grade: row["grade"],
      code: try row.codeIDIfAny("code"), placeID: row["place"],
      verdict: try row.name("verdict"), state: try row.name("state"),
      location: try row.nameIfAny("location"), distance: row["distance"],
      findings: try [Finding](column: try row["findings"]))
  }
}

extension WalkPicture {
  fileprivate init(row: any RegistryRow) throws(RegistryError) {
    let jpeg: Data = try row["jpeg"]
    self.init(
      jpeg: Array(jpeg), width: try row["width"], height: try row["height"],
      originalWidth: try row["original_width"], originalHeight: try row["original_height"])
  }
}

/// Corners in the form `x,y x,y …`.
extension [[Double]] {
  fileprivate var column: String {
    map { $0.map { "\($0)" }.joined(separator: ",") }.joined(separator: " ")
  }

  fileprivate init(column text: String) throws(RegistryError) {
    let corners = text.split(separator: " ").map { $0.split(separator: ",").map { Double($0) } }
    guard corners.allSatisfy({ !$0.contains(nil) }) else { throw .damaged("the corners \(text)") }
    self = corners.map { $0.compactMap(\.self) }
  }
}

/// Findings in the form of a list of objects of texts.
extension [Finding] {
  fileprivate var column: String {
    FlatJSON.text(
      map {
        ["code": $0.code.rawValue, "severity": $0.severity.rawValue, "message": $0.message]
      })
  }

  fileprivate init(column text: String) throws(RegistryError) {
    let findings = FlatJSON.list(text)?.map { object -> Finding? in
      guard let code = object["code"], let message = object["message"],
        let severity = object["severity"].flatMap(Finding.Severity.init)
      else { return nil }
      return Finding(Finding.Code(rawValue: code), severity, message)
    }
    guard let findings, !findings.contains(nil) else {
      throw RegistryError.damaged("the findings \(text)")
    }
    self = findings.compactMap(\.self)
  }
}

extension WalkStop {
  /// Returns the details of this stop for the history of a code.
  fileprivate func facts(of code: CodeID) -> [String: String] {
    typealias Fact = CodeEvent.Fact
    let readings = readings.filter { $0.code == code }
    var facts = fix?.facts ?? [:]
    facts[Fact.uid] = readings.lazy.compactMap(\.uid).first
    facts[Fact.sha256] = digest?.description
    facts[Fact.walk] = walk.description
    facts[Fact.stop] = "\(number)"
    facts[Fact.place] = statedPlace
    facts[Fact.taken] = taken?.registryTimestamp
    facts[Fact.result] = readings.lazy.compactMap(\.location).first?.rawValue
    return facts
  }

  /// The stop as every store keeps it: with the time of its position, too, in whole milliseconds.
  fileprivate var inWholeMilliseconds: WalkStop {
    guard let fix, let origin = fix.origin, let time = origin.time else { return self }
    let rounded = PositionOrigin(
      kind: origin.kind, name: origin.name, time: time.inWholeMilliseconds,
      reportCount: origin.reportCount, isSimulated: origin.isSimulated, note: origin.note)
    return WalkStop(
      walk: walk, number: number, time: self.time, taken: taken, kind: kind, source: source,
      page: page, digest: digest, sign: sign,
      fix: LocationFix(coordinate: fix.coordinate, accuracy: fix.accuracy, origin: rounded),
      statedPlace: statedPlace, note: note, unreadCount: unreadCount, readings: readings,
      findings: findings)
  }
}

extension LocationFix {
  /// The position as details for the history of a code.
  var facts: [String: String] {
    let metres =
      accuracy == accuracy.rounded() && accuracy < 1e9 ? "\(Int(bounded: accuracy))" : "\(accuracy)"
    return [
      CodeEvent.Fact.position: "\(coordinate.latitude),\(coordinate.longitude)",
      CodeEvent.Fact.accuracy: metres,
    ]
  }
}

extension SQLConditions {
  /// Requires that a stop has these bytes: a page of a picture, or a tag.
  fileprivate mutating func requirePicture(_ digest: EntryHash, page: Int?) {
    require("digest = ?", Data(digest.bytes))
    if let page {
      require("page = ?", page)
    } else {
      require("page IS NULL")
    }
  }
}
