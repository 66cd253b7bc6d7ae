package import Foundation

/// The steps of one row. Each is one event and one change of state, refused if the row is in
/// another state than the step requires.
extension RegistryTransaction {
  /// Chooses a tag for a row. Call it before the first page is written.
  ///
  /// - Throws: `RegistryError.Code.rowNotFree` when the row is no longer pending or the station
  ///   has not claimed it; `RegistryError.Code.tagInBatch` when the tag belongs to another row of
  ///   the batch.
  package borrowing func intend(
    _ row: BatchRow, _ tag: BatchRow.Tag, at time: Date, for station: BatchStation
  ) throws(RegistryError) -> BatchRow {
    try lookAhead { registry throws(RegistryError) in
      try registry.lookUpStep(of: row)
      _ = try registry.batchClaims(row.batch)
      _ = try registry.batchRows(BatchRowFilter(batch: row.batch, uid: tag.uid))
    }
    var row = try current(row, [.pending])
    guard
      try batchClaims(row.batch).contains(where: {
        $0.row == row.number && $0.holder == station.holder
      })
    else { throw .rowNotFree(row) }
    if let other = try batchRows(BatchRowFilter(batch: row.batch, uid: tag.uid)).first {
      throw .tagInBatch(tag.uid, other)
    }
    row.state = .intended
    row.tag = tag
    return try store(
      row, .intended, at: time, by: station.who, uid: tag.uid,
      ["reader": tag.reader, "type": tag.type])
  }

  /// Releases a row that was intended for a tag to which nothing was written.
  package borrowing func release(
    _ row: BatchRow, at time: Date, by who: String, reason: String
  ) throws(RegistryError) -> BatchRow {
    var row = try current(row, [.intended])
    let uid = row.tag?.uid
    row.state = .pending
    row.tag = nil
    row.reason = reason
    return try store(row, .released, at: time, by: who, uid: uid, ["reason": reason])
  }

  /// Records that a row's tag holds its URL and was read back.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - time: The time of writing.
  ///   - who: The operator.
  ///   - tag: The tag with hash, signature and code.
  ///   - isComplete: Whether the row is done; `false` if the tag must still be locked or get a
  ///     password.
  package borrowing func recordWritten(
    _ row: BatchRow, _ tag: BatchRow.Tag, isComplete: Bool, at time: Date, by who: String
  ) throws(RegistryError) -> BatchRow {
    var row = try current(row, [.intended, .written])
    guard row.tag?.uid == tag.uid else { throw .rowNotFree(row) }
    row.state = isComplete ? .done : .written
    row.tag = tag
    row.reason = nil
    return try store(
      row, .written, at: time, by: who, uid: tag.uid,
      ["reader": tag.reader, "hash": tag.hash, "code": tag.code?.description]
        .compactMapValues { $0 })
  }

  /// Records that a row's tag was locked; the row is done.
  package borrowing func recordLocked(
    _ row: BatchRow, at time: Date, by who: String
  ) throws(RegistryError) -> BatchRow {
    var row = try current(row, [.written, .done])
    guard let tag = row.tag else { throw .rowNotFree(row) }
    row.state = .done
    row.tag = BatchRow.Tag(
      uid: tag.uid, type: tag.type, hash: tag.hash, signature: tag.signature, isLocked: true,
      reader: tag.reader, code: tag.code)
    return try store(row, .locked, at: time, by: who, uid: tag.uid, ["reader": tag.reader])
  }

  /// Records that a row's tag has a password; the row is done.
  package borrowing func recordGuarded(
    _ row: BatchRow, at time: Date, by who: String
  ) throws(RegistryError) -> BatchRow {
    var row = try current(row, [.written, .done])
    guard let tag = row.tag else { throw .rowNotFree(row) }
    row.state = .done
    return try store(row, .guarded, at: time, by: who, uid: tag.uid, ["reader": tag.reader])
  }

  /// Marks the tag that was begun for a row as spoiled; the row needs another.
  ///
  /// A code that was recorded for the tag is retired.
  package borrowing func spoil(
    _ row: BatchRow, at time: Date, by who: String, reason: String
  ) throws(RegistryError) -> BatchRow {
    let row = try current(row, [.intended, .written])
    return try free(row, .spoiled, at: time, by: who, reason: reason)
  }

  /// Marks a row as needing no tag.
  ///
  /// - Throws: `RegistryError.Code.rowNotFree` when the row is not pending.
  package borrowing func skip(
    _ row: BatchRow, at time: Date, by who: String, reason: String
  ) throws(RegistryError) -> BatchRow {
    var row = try current(row, [.pending])
    row.state = .skipped
    row.reason = reason
    return try store(row, .skipped, at: time, by: who, uid: nil, ["reason": reason])
  }

  /// Resets a row that is done, skipped or begun, so that it needs a tag again. Its former tag is
  /// spoiled, and the tag's code is retired.
  package borrowing func redo(
    _ row: BatchRow, at time: Date, by who: String, reason: String
  ) throws(RegistryError) -> BatchRow {
    let row = try current(row, [.done, .skipped, .intended, .written])
    return try free(
      row, row.state == .skipped ? .redone : .spoiled, at: time, by: who, reason: reason)
  }

  private borrowing func free(
    _ old: BatchRow, _ kind: BatchEvent.Kind, at time: Date, by who: String, reason: String
  ) throws(RegistryError) -> BatchRow {
    var row = old
    row.state = .pending
    row.tag = nil
    row.reason = reason
    if let id = old.tag?.code, try code(id: id)?.status == .issued {
      try retire(id, at: time, by: who, details: ["reason": reason])
    }
    return try store(row, kind, at: time, by: who, uid: old.tag?.uid, ["reason": reason])
  }

  /// Looks up the data that every step of a row needs; see ``lookAhead(appending:_:)``.
  package borrowing func lookUpStep(of row: BatchRow) throws(RegistryError) {
    _ = try batchRow(row.batch, row.number)
    _ = try lastBatchSequence(row.batch, row.number)
  }

  /// Returns the row in its present state.
  ///
  /// - Throws: `RegistryError.Code.notFound`; `RegistryError.Code.rowNotFree` if it is in none
  ///   of the expected states.
  private borrowing func current(
    _ row: BatchRow, _ states: Set<BatchRow.State>
  ) throws(RegistryError) -> BatchRow {
    try mustChange()
    guard let row = try batchRow(row.batch, row.number) else {
      throw .missing("row", "\(row.number) of batch \(row.batch)")
    }
    guard states.contains(row.state) else { throw .rowNotFree(row) }
    return row
  }

  private borrowing func store(
    _ changed: BatchRow, _ kind: BatchEvent.Kind, at time: Date, by person: String, uid: String?,
    _ details: [String: String]
  ) throws(RegistryError) -> BatchRow {
    let who = session.name(of: person)
    var row = changed
    row.changed = time.inWholeMilliseconds
    row.who = who
    try store(
      row,
      BatchEvent(
        batch: row.batch, row: row.number,
        sequence: try lastBatchSequence(row.batch, row.number) + 1, time: time, kind: kind,
        who: who, uid: uid, details: details))
    return row
  }
}
