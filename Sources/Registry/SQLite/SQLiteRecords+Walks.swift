import Foundation
internal import GRDB
import Invocation

/// Walks.
extension SQLiteRecords {
  func walks() throws(RegistryError) -> [Walk] {
    try rows("SELECT * FROM walk ORDER BY started, id", [], Walk.init(row:))
  }

  func walk(_ id: Walk.ID) throws(RegistryError) -> Walk? {
    try rows("SELECT * FROM walk WHERE id = ?", [id.description], Walk.init(row:)).first
  }

  func insert(_ walk: Walk) throws(RegistryError) {
    try run(
      "INSERT INTO walk VALUES (NULL, ?, ?, ?, ?, ?)",
      [
        walk.id.description, walk.name, walk.who, walk.started.millisecondsSince1970,
        walk.recorder.description,
      ])
  }

  /// The number that stands for a walk in this file; 0 for one that is not here.
  private func key(of walk: Walk.ID) throws(RegistryError) -> Int64 {
    if let known = walkKeys[walk] { return known }
    let key = try rows(
      "SELECT key FROM walk WHERE id = ?", [walk.description], { $0["key"] as Int64 }
    ).first
    if let key { walkKeys[walk] = key }
    return key ?? 0
  }

  func lastStop(of walk: Walk.ID) throws(RegistryError) -> Int {
    try number("SELECT max(number) FROM walk_stop WHERE walk = ?", [try key(of: walk)])
  }

  func hasStop(in walk: Walk.ID, digest: EntryHash, page: Int?) throws(RegistryError) -> Bool {
    try number(
      "SELECT count(*) FROM walk_stop WHERE walk = ? AND digest = ? AND page IS ?",
      [try key(of: walk), Data(digest.bytes), page]) > 0
  }

  func forEachStop(
    of walk: Walk.ID, _ wanted: WantedStops,
    _ body: (WalkStop) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    let key = try key(of: walk)
    var arguments: StatementArguments = [key]
    let (ofStops, ofReadings): (String, String)
    switch wanted {
    case .all: (ofStops, ofReadings) = ("", "")
    case .number(let number):
      (ofStops, ofReadings) = ("AND number = ?", "AND stop = ?")
      arguments += [number]
    case .sign(let sign):
      ofStops = "AND sign = ?"
      ofReadings =
        "AND stop IN (SELECT number FROM walk_stop AS s WHERE s.walk = r.walk AND sign = ?)"
      arguments += [sign]
    }
    /// Compiled once for single stops, each time for others: a body may ask for stops again.
    func statement(_ sql: String) throws -> Statement {
      if case .number = wanted { return try database.cachedStatement(sql: sql) }
      return try database.makeStatement(sql: sql)
    }
    try throwingRegistryErrors(path: path) {
      let stops = try Row.fetchCursor(
        try statement("SELECT * FROM walk_stop WHERE walk = ? \(ofStops) ORDER BY number"),
        arguments: arguments)
      // Read beside the stops, in the same order: one statement for all, however many there are.
      let readings = try Row.fetchCursor(
        try statement(
          "SELECT * FROM walk_reading AS r WHERE walk = ? \(ofReadings) ORDER BY stop, number"),
        arguments: arguments)
      while let row = try stops.next() {
        let count: Int = row["readings"]
        let number: Int = row["number"]
        var found: [WalkReading] = []
        found.reserveCapacity(count)
        while found.count < count {
          guard let row = try readings.next(), row["stop"] == number else {
            throw RegistryError.damaged("a stop that lacks one of its readings")
          }
          found.append(try WalkReading(row: row))
        }
        try body(try WalkStop(row: row, of: walk, readings: found))
      }
    }
  }

  func picture(of walk: Walk.ID, stop: Int) throws(RegistryError) -> WalkPicture? {
    try rows(
      "SELECT * FROM walk_picture WHERE walk = ? AND stop = ?", [try key(of: walk), stop],
      WalkPicture.init(row:)
    ).first
  }

  func insert(_ stop: WalkStop, picture: WalkPicture?) throws(RegistryError) {
    let key = try key(of: stop.walk)
    let (fix, origin) = (stop.fix, stop.fix?.origin)
    try run(
      "INSERT INTO walk_stop VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        key, stop.number, stop.time.millisecondsSince1970, stop.kind.rawValue, stop.source,
        stop.page, stop.digest.map { Data($0.bytes) }, stop.sign, fix?.coordinate.latitude,
        fix?.coordinate.longitude, fix?.accuracy, origin?.kind.rawValue, origin?.name,
        origin?.time?.millisecondsSince1970, origin?.reportCount, origin?.isSimulated,
        origin?.note, stop.statedPlace, stop.note, stop.unreadCount, stop.readings.count,
        picture != nil,
      ])
    for (index, reading) in stop.readings.enumerated() {
      try run(
        "INSERT INTO walk_reading VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
      "INSERT INTO walk_picture VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
      [
        key, stop.number, picture.width, picture.height, picture.originalWidth,
        picture.originalHeight, Data(picture.jpeg),
      ])
  }
}
