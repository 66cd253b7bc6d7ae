package import Foundation

/// Batches: what was asked for, what was done, who is at work.
extension RegistryTransaction {
  /// Every batch, by name.
  package borrowing func batches() throws(RegistryError) -> [Batch] { try records.batches() }

  /// The batch with a name, byte for byte.
  package borrowing func batch(named name: String) throws(RegistryError) -> Batch? {
    try records.batch(named: name)
  }

  /// How many rows of a batch are in which state; all zero for an unknown batch.
  package borrowing func batchCounts(_ batch: String) throws(RegistryError) -> BatchCounts {
    try records.batchCounts(batch)
  }

  /// The rows that a filter lets through, by batch and number.
  package borrowing func batchRows(
    _ filter: BatchRowFilter
  ) throws(RegistryError) -> [BatchRow] {
    try records.batchRows(filter)
  }

  /// One row.
  package borrowing func batchRow(
    _ batch: String, _ number: Int
  ) throws(RegistryError) -> BatchRow? {
    try records.batchRows(BatchRowFilter(batch: batch, number: number)).first
  }

  /// What happened to a row, in order.
  package borrowing func batchHistory(
    _ batch: String, _ number: Int
  ) throws(RegistryError) -> [BatchEvent] {
    try records.batchHistory(batch, number)
  }

  /// The last thing that happened to a tag in a batch.
  package borrowing func lastEvent(
    ofTag uid: String, in batch: String
  ) throws(RegistryError) -> BatchEvent? {
    try records.lastBatchEvent(batch, uid: uid.uppercased())
  }

  /// Who works on which row, by row; also claims whose process has gone.
  package borrowing func batchClaims(_ batch: String) throws(RegistryError) -> [BatchClaim] {
    try records.batchClaims(batch)
  }
}

/// Beginning a batch, or going on with it.
extension RegistryTransaction {
  /// Begins a batch, or compares it with what it was begun with.
  ///
  /// A file may have grown: rows after the last known one are added. Anything else that differs is
  /// refused, for rows that are on tags already would silently mean something else.
  ///
  /// - Returns: How many rows were added.
  /// - Throws: ``RegistryError/Code/batchChanged`` with what differs; nothing is changed then.
  @discardableResult
  package borrowing func openBatch(
    _ name: String, _ orders: [BatchRow.Order], at time: Date, by who: String
  ) throws(RegistryError) -> Int {
    let records = try changeable()
    if try records.batch(named: name) == nil {
      try records.insert(Batch(name: name, created: time, who: who))
    }
    let added = try comparison(name, orders)
    for number in added {
      try records.insert(BatchRow(batch: name, number: number, order: orders[number - 1]))
    }
    return added.count
  }

  /// Compares a batch with the orders it is to go on with.
  ///
  /// - Returns: The numbers of the rows that are new.
  /// - Throws: ``RegistryError/Code/batchChanged`` with what differs.
  package borrowing func comparison(
    _ name: String, _ orders: [BatchRow.Order]
  ) throws(RegistryError) -> Range<Int> {
    let known = try records.batchRows(BatchRowFilter(batch: name))
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

/// Claims.
extension RegistryTransaction {
  /// Claims the first row that needs a tag, whichever, and that nobody works on.
  ///
  /// A row that this station has claimed already comes first. Claims whose process has gone are
  /// dropped.
  ///
  /// - Returns: The row; `nil` when none is left.
  package borrowing func claimNextRow(
    of batch: String, for station: BatchStation, at time: Date
  ) throws(RegistryError) -> BatchRow? {
    let records = try changeable()
    let claims = try livingClaims(of: batch, seenBy: station)
    for claim in claims where claim.holder == station.holder {
      if let row = try batchRow(batch, claim.row), row.state == .pending,
        row.order.wantedUID == nil
      {
        return row
      }
    }
    var filter = BatchRowFilter(batch: batch, states: [.pending])
    filter.isForAnyTag = true
    filter.isUnclaimed = true
    filter.limit = 1
    guard let row = try records.batchRows(filter).first else { return nil }
    try claim(row, for: station, at: time, in: records)
    return row
  }

  /// Claims one row, unless another station that still runs has it.
  ///
  /// - Returns: Whether the row is this station's now.
  package borrowing func claim(
    _ row: BatchRow, for station: BatchStation, at time: Date
  ) throws(RegistryError) -> Bool {
    let records = try changeable()
    let claims = try livingClaims(of: row.batch, seenBy: station)
    if let claim = claims.first(where: { $0.row == row.number }) {
      return claim.holder == station.holder
    }
    try claim(row, for: station, at: time, in: records)
    return true
  }

  /// Says of every claim of this station that it still stands.
  package borrowing func renewClaims(
    of batch: String, for station: BatchStation, at time: Date
  ) throws(RegistryError) {
    let records = try changeable()
    for claim in try records.batchClaims(batch) where claim.holder == station.holder {
      try records.store(
        BatchClaim(
          batch: batch, row: claim.row, holder: claim.holder, reader: claim.reader,
          since: claim.since, renewed: time))
    }
  }

  /// Gives up this station's claims on a batch; rows that were begun stay the tag's they were
  /// begun for.
  package borrowing func releaseClaims(
    of batch: String, for station: BatchStation, except kept: Int? = nil
  ) throws(RegistryError) {
    let records = try changeable()
    for claim in try records.batchClaims(batch)
    where claim.holder == station.holder && claim.row != kept {
      try records.deleteClaim(batch, row: claim.row)
    }
  }

  private borrowing func claim(
    _ row: BatchRow, for station: BatchStation, at time: Date, in records: any RegistryRecords
  ) throws(RegistryError) {
    try records.store(
      BatchClaim(
        batch: row.batch, row: row.number, holder: station.holder, reader: station.reader,
        since: time, renewed: time))
  }

  /// The claims whose processes run; the others are dropped.
  private borrowing func livingClaims(
    of batch: String, seenBy station: BatchStation
  ) throws(RegistryError) -> [BatchClaim] {
    let records = try changeable()
    var living: [BatchClaim] = []
    for claim in try records.batchClaims(batch) {
      if claim.holder == station.holder || station.isAlive(claim) {
        living.append(claim)
      } else {
        try records.deleteClaim(batch, row: claim.row)
      }
    }
    return living
  }
}

extension BatchRow.Order {
  /// What differs between what a batch knows and what its file says now, in words.
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
    guard names == other.captions.map(\.name) else { return "has other columns than before" }
    for (old, new) in zip(captions, other.captions) where differs(old.value, new.value) {
      return "had \(words(old.value)) in the column \(old.name) and now has \(words(new.value))"
    }
    return nil
  }
}
