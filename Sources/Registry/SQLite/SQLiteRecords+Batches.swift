import Foundation
internal import GRDB

/// Batches, their rows and what happened to them.
extension SQLiteRecords {
  func batches() throws(RegistryError) -> [Batch] {
    try rows("SELECT * FROM batch ORDER BY name", [], Batch.init(row:))
  }

  func batch(named name: String) throws(RegistryError) -> Batch? {
    try rows("SELECT * FROM batch WHERE name = ?", [name], Batch.init(row:)).first
  }

  func insert(_ batch: Batch) throws(RegistryError) {
    try run(
      "INSERT INTO batch VALUES (?, ?, ?)",
      [batch.name, batch.created.millisecondsSince1970, batch.who])
  }

  func batchCounts(_ batch: String) throws(RegistryError) -> BatchCounts {
    let numbers = try rows(
      "SELECT state, count(*) FROM batch_row WHERE batch = ? GROUP BY state", [batch]
    ) { row in (try BatchRow.State(column: row[0]), row[1] as Int) }
    return BatchCounts(Dictionary(uniqueKeysWithValues: numbers))
  }

  func batchRows(_ filter: BatchRowFilter) throws(RegistryError) -> [BatchRow] {
    var conditions: [String] = []
    var arguments: [any DatabaseValueConvertible] = []
    func require(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
      guard let value else { return }
      conditions.append(condition)
      arguments.append(value)
    }
    require("batch = ?", filter.batch)
    require("number = ?", filter.number)
    require("uid = ?", filter.uid?.uppercased())
    require("wanted_uid = ?", filter.wantedUID?.uppercased())
    if let states = filter.states {
      // The names of an enumeration: nothing that could be anything but itself in SQL.
      let names = states.map(\.rawValue).sorted().map { "'\($0)'" }
      conditions.append("state IN (\(names.joined(separator: ", ")))")
    }
    if filter.isForAnyTag { conditions.append("wanted_uid IS NULL") }
    if filter.isUnclaimed {
      conditions.append(
        "NOT EXISTS (SELECT 1 FROM batch_claim AS c WHERE c.batch = r.batch AND c.row = r.number)")
    }
    let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    return try rows(
      "SELECT * FROM batch_row AS r \(condition) ORDER BY batch, number LIMIT \(filter.limit ?? -1)",
      StatementArguments(arguments), BatchRow.init(row:))
  }

  func insert(_ row: BatchRow) throws(RegistryError) {
    let order = row.order
    let captions = order.captions.isEmpty ? "[]" : try json(order.captions)
    try run(
      """
      INSERT INTO batch_row (batch, number, url, label, place, wanted_uid, captions, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        row.batch, row.number, order.url, order.label, order.placeID, order.wantedUID, captions,
        row.state.rawValue,
      ])
  }

  func update(_ row: BatchRow) throws(RegistryError) {
    let tag = row.tag
    try run(
      """
      UPDATE batch_row SET state = ?, uid = ?, tag_type = ?, hash = ?, signature = ?, locked = ?,
        reader = ?, code = ?, changed = ?, who = ?, reason = ?
      WHERE batch = ? AND number = ?
      """,
      [
        row.state.rawValue, tag?.uid, tag?.type, tag?.hash, tag?.signature, tag?.isLocked,
        tag?.reader, tag?.code?.description, row.changed?.millisecondsSince1970, row.who,
        row.reason, row.batch, row.number,
      ])
  }

  func batchHistory(_ batch: String, _ row: Int) throws(RegistryError) -> [BatchEvent] {
    try rows(
      "SELECT * FROM batch_event WHERE batch = ? AND row = ? ORDER BY sequence", [batch, row],
      BatchEvent.init(row:))
  }

  func lastBatchSequence(_ batch: String, _ row: Int) throws(RegistryError) -> Int {
    try number("SELECT max(sequence) FROM batch_event WHERE batch = ? AND row = ?", [batch, row])
  }

  func lastBatchEvent(_ batch: String, uid: String) throws(RegistryError) -> BatchEvent? {
    try rows(
      "SELECT * FROM batch_event WHERE batch = ? AND uid = ? ORDER BY id DESC LIMIT 1",
      [batch, uid], BatchEvent.init(row:)
    ).first
  }

  func append(_ event: BatchEvent) throws(RegistryError) {
    try run(
      """
      INSERT INTO batch_event (batch, row, sequence, time, kind, who, uid, details)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        event.batch, event.row, event.sequence, event.time.millisecondsSince1970,
        event.kind.rawValue, event.who, event.uid, try json(event.details),
      ])
  }

  func batchClaims(_ batch: String) throws(RegistryError) -> [BatchClaim] {
    try rows(
      "SELECT * FROM batch_claim WHERE batch = ? ORDER BY row", [batch], BatchClaim.init(row:))
  }

  func store(_ claim: BatchClaim) throws(RegistryError) {
    try run(
      "INSERT OR REPLACE INTO batch_claim VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      [
        claim.batch, claim.row, claim.holder.machine, claim.holder.process, claim.holder.started,
        claim.reader, claim.since.millisecondsSince1970, claim.renewed.millisecondsSince1970,
      ])
  }

  func deleteClaim(_ batch: String, row: Int) throws(RegistryError) {
    try run("DELETE FROM batch_claim WHERE batch = ? AND row = ?", [batch, row])
  }

  private func json(_ value: some Encodable) throws(RegistryError) -> String {
    try throwingRegistryErrors(path: path) {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
  }
}
