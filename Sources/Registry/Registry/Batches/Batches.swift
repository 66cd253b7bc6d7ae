import CliptagBasics
package import Foundation

/// Batches, their rows, events and claims.
extension RegistryOperations where Self: ~Copyable {
  /// Returns every batch, by name.
  package borrowing func batches() throws(RegistryError) -> [Batch] {
    try rows("SELECT * FROM batch ORDER BY name", [], Batch.init(row:))
  }

  /// Returns the batch with a name, byte for byte.
  package borrowing func batch(named name: String) throws(RegistryError) -> Batch? {
    try rows("SELECT * FROM batch WHERE name = ?", [name], Batch.init(row:)).first
  }

  /// Returns the number of rows of a batch in each state; all zero for an unknown batch.
  package borrowing func batchCounts(_ batch: String) throws(RegistryError) -> BatchCounts {
    let numbers = try rows(
      "SELECT state, count(*) AS number FROM batch_row WHERE batch = ? GROUP BY state", [batch]
    ) { row -> (BatchRow.State, Int) in
      (try row.name("state", "the state "), try row["number"])
    }
    return BatchCounts(Dictionary(uniqueKeysWithValues: numbers))
  }

  /// Returns the rows that match a filter, by batch and number.
  package borrowing func batchRows(
    _ filter: BatchRowFilter
  ) throws(RegistryError) -> [BatchRow] {
    var conditions = SQLConditions()
    conditions.require("batch = ?", filter.batch)
    conditions.require("number = ?", filter.number)
    conditions.require("uid = ?", filter.uid?.uppercased())
    conditions.require("wanted_uid = ?", filter.wantedUID?.uppercased())
    if let states = filter.states {
      // The raw values of an enumeration, which need no escaping in SQL.
      let names = states.map(\.rawValue).sorted().map { "'\($0)'" }
      conditions.require("state IN (\(names.joined(separator: ", ")))")
    }
    if filter.isForAnyTag { conditions.require("wanted_uid IS NULL") }
    if filter.isUnclaimed {
      let others = filter.claimant.map { _ in
        "AND NOT (c.machine = ? AND c.process = ? AND c.started = ?)"
      }
      conditions.require(
        "NOT EXISTS (SELECT 1 FROM batch_claim AS c WHERE c.batch = r.batch AND c.row = r.number \(others ?? ""))",
        all: filter.claimant.map { [$0.machine, $0.process, $0.started] } ?? [])
    }
    let limit = filter.limit.map { "LIMIT \($0)" } ?? ""
    return try rows(
      "SELECT * FROM batch_row AS r \(conditions.clause) ORDER BY batch, number \(limit)",
      conditions.arguments, BatchRow.init(row:))
  }

  /// Returns one row.
  package borrowing func batchRow(
    _ batch: String, _ number: Int
  ) throws(RegistryError) -> BatchRow? {
    try batchRows(BatchRowFilter(batch: batch, number: number)).first
  }

  /// Returns the events of a row, in order.
  package borrowing func batchHistory(
    _ batch: String, _ number: Int
  ) throws(RegistryError) -> [BatchEvent] {
    try rows(
      "SELECT * FROM batch_event WHERE batch = ? AND row = ? ORDER BY sequence", [batch, number],
      BatchEvent.init(row:))
  }

  /// Returns the last event of a tag in a batch.
  package borrowing func lastEvent(
    ofTag uid: String, in batch: String
  ) throws(RegistryError) -> BatchEvent? {
    try rows(
      "SELECT * FROM batch_event WHERE batch = ? AND uid = ? ORDER BY id DESC LIMIT 1",
      [batch, uid.uppercased()], BatchEvent.init(row:)
    ).first
  }

  /// Returns the options with which a batch was last begun or continued; `nil` if none are
  /// recorded.
  package borrowing func batchOptions(_ batch: String) throws(RegistryError) -> [String: String]? {
    try rows(
      "SELECT * FROM batch_event WHERE batch = ? AND kind = ? ORDER BY id DESC LIMIT 1",
      [batch, BatchEvent.Kind.options.rawValue], BatchEvent.init(row:)
    ).first?.details
  }

  /// Returns the claims by row, including those whose process has ended.
  package borrowing func batchClaims(_ batch: String) throws(RegistryError) -> [BatchClaim] {
    try read { registry in
      let ahead = registry.session.clockAhead
      return try registry.rows(
        "SELECT * FROM batch_claim WHERE batch = ? ORDER BY row", [batch]
      ) { row in try BatchClaim(row: row, ahead: ahead) }
    }
  }
}

/// Beginning and continuing a batch.
extension RegistryTransaction {
  /// Begins a batch, or compares it with its original contents.
  ///
  /// A file may have grown: rows after the last known one are added. Any other difference is
  /// refused, because rows already on tags would silently change their meaning.
  ///
  /// - Returns: The number of rows added.
  /// - Throws: `RegistryError.Code.batchChanged` with the differences; nothing is changed then.
  @discardableResult
  package borrowing func openBatch(
    _ name: String, _ orders: [BatchRow.Order], at time: Date, by who: String
  ) throws(RegistryError) -> Int {
    try mustChange()
    if try batch(named: name) == nil {
      try insert(Batch(name: name, created: time, who: session.name(of: who)))
    }
    let added = try comparison(name, orders)
    for number in added {
      try insert(BatchRow(batch: name, number: number, order: orders[number - 1]))
    }
    return added.count
  }

  /// Compares a batch with the orders with which it continues.
  ///
  /// - Returns: The numbers of the rows that are new.
  /// - Throws: `RegistryError.Code.batchChanged` with the differences.
  package borrowing func comparison(
    _ name: String, _ orders: [BatchRow.Order]
  ) throws(RegistryError) -> Range<Int> {
    let known = try batchRows(BatchRowFilter(batch: name))
    for (row, order) in zip(known, orders) {
      if let difference = row.order.difference(from: order) {
        throw .batchChanged(name, "row \(row.number) \(difference)")
      }
    }
    guard known.count <= orders.count else {
      throw .batchChanged(name, "it had \(known.count) rows and now has \(orders.count)")
    }
    return known.count + 1..<orders.count + 1
  }
}

/// Options.
extension RegistryTransaction {
  /// Records the options of a batch that is begun or continued, if they differ from the last ones.
  ///
  /// They are an event of the first row, so that the history contains the author and the time of
  /// the change. A batch without rows has no options.
  package borrowing func recordOptions(
    _ options: [String: String], of batch: String, at time: Date, by who: String
  ) throws(RegistryError) {
    try mustChange()
    guard try batchOptions(batch) != options, try batchRow(batch, 1) != nil else { return }
    try insert(
      BatchEvent(
        batch: batch, row: 1, sequence: try lastBatchSequence(batch, 1) + 1, time: time,
        kind: .options, who: who, uid: nil, details: options))
  }
}

/// Claims.
extension RegistryTransaction {
  /// Claims the first pending row that fits any tag and on which no other station works.
  ///
  /// The station's claims on other rows are released, and those of ended processes are deleted.
  ///
  /// - Returns: The row; `nil` when none is left.
  package borrowing func claimNextRow(
    of batch: String, for station: BatchStation, at time: Date
  ) throws(RegistryError) -> BatchRow? {
    try mustChange()
    var filter = BatchRowFilter(batch: batch, states: [.pending])
    filter.isForAnyTag = true
    filter.isUnclaimed = true
    filter.claimant = station.holder
    filter.limit = 1
    try lookAhead { [filter] registry throws(RegistryError) in
      _ = try registry.batchClaims(batch)
      _ = try registry.batchRows(filter)
    }
    let claims = try livingClaims(of: batch, seenBy: station)
    let row = try batchRows(filter).first
    for claim in claims where claim.holder == station.holder && claim.row != row?.number {
      try deleteClaim(batch, row: claim.row)
    }
    guard let row else { return nil }
    try storeClaim(row, for: station, at: time)
    return row
  }

  /// Claims one row, unless another station that still runs has it.
  ///
  /// - Returns: Whether this station holds the claim now.
  package borrowing func claim(
    _ row: BatchRow, for station: BatchStation, at time: Date
  ) throws(RegistryError) -> Bool {
    try mustChange()
    let claims = try livingClaims(of: row.batch, seenBy: station)
    if let claim = claims.first(where: { $0.row == row.number }) {
      return claim.holder == station.holder
    }
    try storeClaim(row, for: station, at: time)
    return true
  }

  /// Renews every claim of this station.
  package borrowing func renewClaims(
    of batch: String, for station: BatchStation, at time: Date
  ) throws(RegistryError) {
    try mustChange()
    for claim in try batchClaims(batch) where claim.holder == station.holder {
      try store(
        BatchClaim(
          batch: batch, row: claim.row, holder: claim.holder, reader: claim.reader,
          since: claim.since, renewed: time))
    }
  }

  /// Releases this station's claims on a batch; rows that were begun stay reserved for their tags.
  package borrowing func releaseClaims(
    of batch: String, for station: BatchStation, except kept: Int? = nil
  ) throws(RegistryError) {
    try mustChange()
    for claim in try batchClaims(batch)
    where claim.holder == station.holder && claim.row != kept {
      try deleteClaim(batch, row: claim.row)
    }
  }

  private borrowing func storeClaim(
    _ row: BatchRow, for station: BatchStation, at time: Date
  ) throws(RegistryError) {
    try store(
      BatchClaim(
        batch: row.batch, row: row.number, holder: station.holder, reader: station.reader,
        since: time, renewed: time))
  }

  /// Returns the claims whose processes run, and deletes the others.
  private borrowing func livingClaims(
    of batch: String, seenBy station: BatchStation
  ) throws(RegistryError) -> [BatchClaim] {
    try mustChange()
    var living: [BatchClaim] = []
    for claim in try batchClaims(batch) {
      if claim.holder == station.holder || station.isAlive(claim) {
        living.append(claim)
      } else {
        try deleteClaim(batch, row: claim.row)
      }
    }
    return living
  }
}

extension BatchRow.Order {
  /// Describes the difference between a batch's order and the present order of its file.
  fileprivate func difference(from other: BatchRow.Order) -> String? {
    func differs(_ left: String?, _ right: String?) -> Bool {
      left.map { ByteKey($0) } != right.map { ByteKey($0) }
    }
    func words(_ text: String?) -> String { text.map { "“\($0)”" } ?? "none" }
    if differs(url, other.url) { return "had the URL \(url) and now has \(other.url)" }
    if differs(wantedUID, other.wantedUID) {
      return "had the UID \(words(wantedUID)) and now has \(words(other.wantedUID))"
    }
    if differs(label, other.label) {
      return "had the label \(words(label)) and now has \(words(other.label))"
    }
    if differs(placeID, other.placeID) {
      return "had the place \(words(placeID)) and now has \(words(other.placeID))"
    }
    let names = captions.map(\.name)
    guard names == other.captions.map(\.name) else { return "has different columns than before" }
    for (old, new) in zip(captions, other.captions) where differs(old.value, new.value) {
      return "had \(words(old.value)) in the column \(old.name) and now has \(words(new.value))"
    }
    return nil
  }
}

/// Changing rows, claims and events.
extension RegistryTransaction {
  private borrowing func insert(_ batch: Batch) throws(RegistryError) {
    try run(
      "INSERT INTO batch (name, created, who) VALUES (?, ?, ?)",
      [batch.name, batch.created.millisecondsSince1970, batch.who])
  }

  private borrowing func insert(_ row: BatchRow) throws(RegistryError) {
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

  /// Inserts or replaces the claim on a row. The database's clock gives its times: the clocks of
  /// two stations may differ by more than the lifetime of a claim.
  private borrowing func store(_ claim: BatchClaim) throws(RegistryError) {
    try run(
      """
      INSERT INTO batch_claim (batch, row, machine, process, started, reader, since, renewed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (batch, row) DO UPDATE SET
        machine = excluded.machine, process = excluded.process, started = excluded.started,
        reader = excluded.reader, since = excluded.since, renewed = excluded.renewed
      """,
      [
        claim.batch, claim.row, claim.holder.machine, claim.holder.process, claim.holder.started,
        claim.reader, claim.since.addingTimeInterval(session.clockAhead).millisecondsSince1970,
        claim.renewed.addingTimeInterval(session.clockAhead).millisecondsSince1970,
      ])
  }

  private borrowing func deleteClaim(_ batch: String, row: Int) throws(RegistryError) {
    try run("DELETE FROM batch_claim WHERE batch = ? AND row = ?", [batch, row])
  }

  /// Stores a row's new state and the event that records it.
  borrowing func store(_ row: BatchRow, _ event: BatchEvent) throws(RegistryError) {
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
    try insert(event)
  }

  private borrowing func insert(_ event: BatchEvent) throws(RegistryError) {
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

  /// Returns the number of the last event of a row; 0 without any.
  borrowing func lastBatchSequence(_ batch: String, _ row: Int) throws(RegistryError) -> Int {
    try number(
      "SELECT max(sequence) AS number FROM batch_event WHERE batch = ? AND row = ?", [batch, row])
  }

  private borrowing func json(_ value: some Encodable) throws(RegistryError) -> String {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      throw RegistryError(wrapping: error)
    }
  }
}

extension Batch {
  fileprivate init(row: any RegistryRow) throws(RegistryError) {
    self.init(name: try row["name"], created: try row.date("created"), who: try row["who"])
  }
}

extension BatchRow {
  fileprivate init(row: any RegistryRow) throws(RegistryError) {
    let captions: String = try row["captions"]
    let columns =
      captions == "[]"
      ? [] : try? JSONDecoder().decode([Caption].self, from: Data(captions.utf8))
    guard let columns else { throw .damaged("the captions \(captions)") }
    self.init(
      batch: try row["batch"], number: try row["number"],
      order: Order(
        url: try row["url"], label: row["label"], placeID: row["place"],
        wantedUID: row["wanted_uid"], captions: columns))
    state = try row.name("state", "the state ")
    tag = try Tag(row: row)
    changed = row.dateIfAny("changed")
    who = row["who"]
    reason = row["reason"]
  }
}

extension BatchRow.Tag {
  fileprivate init?(row: any RegistryRow) throws(RegistryError) {
    guard let uid: String = row["uid"] else { return nil }
    self.init(
      uid: uid, type: row["tag_type"] ?? "", hash: row["hash"], signature: row["signature"],
      isLocked: row["locked"] ?? false, reader: row["reader"] ?? "",
      code: try row.codeIDIfAny("code"))
  }
}

extension BatchEvent {
  fileprivate init(row: any RegistryRow) throws(RegistryError) {
    self.init(
      batch: try row["batch"], row: try row["row"], sequence: try row["sequence"],
      time: try row.date("time"), kind: Kind(rawValue: try row["kind"]), who: try row["who"],
      uid: row["uid"], details: try row.details("details"))
  }
}

extension BatchClaim {
  /// - Parameter ahead: The time by which the database's clock is ahead of this computer's.
  fileprivate init(row: any RegistryRow, ahead: TimeInterval) throws(RegistryError) {
    self.init(
      batch: try row["batch"], row: try row["row"],
      holder: Holder(
        machine: try row["machine"], process: try row["process"], started: try row["started"]),
      reader: try row["reader"], since: try row.date("since").addingTimeInterval(-ahead),
      renewed: try row.date("renewed").addingTimeInterval(-ahead))
  }
}
