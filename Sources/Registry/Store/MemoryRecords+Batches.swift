/// One batch in memory.
struct BatchState: Sendable {
  let batch: Batch
  /// In the order of their numbers, which begin with 1.
  var rows: [BatchRow] = []
  /// In the order they happened.
  var events: [BatchEvent] = []
  /// By row.
  var claims: [Int: BatchClaim] = [:]
}

/// Batches in memory.
extension MemoryRecords {
  func batches() -> [Batch] { state.batches.sorted { $0.key < $1.key }.map(\.value.batch) }

  func batch(named name: String) -> Batch? { state.batches[ByteKey(name)]?.batch }

  func insert(_ batch: Batch) { state.batches[ByteKey(batch.name)] = BatchState(batch: batch) }

  func batchCounts(_ batch: String) -> BatchCounts {
    var numbers: [BatchRow.State: Int] = [:]
    for row in state.batches[ByteKey(batch)]?.rows ?? [] { numbers[row.state, default: 0] += 1 }
    return BatchCounts(numbers)
  }

  func batchRows(_ filter: BatchRowFilter) -> [BatchRow] {
    let batches =
      filter.batch.map { [state.batches[ByteKey($0)]].compactMap(\.self) }
      ?? state.batches.sorted { $0.key < $1.key }.map(\.value)
    let rows = batches.lazy.flatMap { batch in
      batch.rows.lazy.filter {
        filter.admits($0) && !(filter.isUnclaimed && batch.claims[$0.number] != nil)
      }
    }
    return Array(rows.prefix(filter.limit ?? .max))
  }

  func insert(_ row: BatchRow) { state.batches[ByteKey(row.batch)]?.rows.append(row) }

  func update(_ row: BatchRow) {
    state.batches[ByteKey(row.batch)]?.rows[row.number - 1] = row
  }

  func batchHistory(_ batch: String, _ row: Int) -> [BatchEvent] {
    state.batches[ByteKey(batch)]?.events.filter { $0.row == row } ?? []
  }

  func lastBatchSequence(_ batch: String, _ row: Int) -> Int {
    state.batches[ByteKey(batch)]?.events.last { $0.row == row }?.sequence ?? 0
  }

  func lastBatchEvent(_ batch: String, uid: String) -> BatchEvent? {
    state.batches[ByteKey(batch)]?.events.last { $0.uid == uid }
  }

  func append(_ event: BatchEvent) { state.batches[ByteKey(event.batch)]?.events.append(event) }

  func batchClaims(_ batch: String) -> [BatchClaim] {
    state.batches[ByteKey(batch)]?.claims.values.sorted { $0.row < $1.row } ?? []
  }

  func store(_ claim: BatchClaim) {
    state.batches[ByteKey(claim.batch)]?.claims[claim.row] = claim
  }

  func deleteClaim(_ batch: String, row: Int) {
    state.batches[ByteKey(batch)]?.claims[row] = nil
  }
}

extension BatchRowFilter {
  /// Whether a row is let through, claims aside.
  fileprivate func admits(_ row: BatchRow) -> Bool {
    number.map { $0 == row.number } ?? true
      && states.map { $0.contains(row.state) } ?? true
      && uid.map { $0.uppercased() == row.tag?.uid } ?? true
      && wantedUID.map { $0.uppercased() == row.order.wantedUID } ?? true
      && !(isForAnyTag && row.order.wantedUID != nil)
  }
}
