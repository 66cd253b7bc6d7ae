/// The last counters of tags, in memory.
extension MemoryRecords {
  func tagCounters() -> [TagCounter] {
    state.counters.values.sorted { $0.uid.utf8Precedes($1.uid) }
  }

  func tagCounter(uid: String) -> TagCounter? { state.counters[ByteKey(uid)] }

  func store(_ counter: TagCounter) { state.counters[ByteKey(counter.uid)] = counter }

  func deleteTagCounter(uid: String) { state.counters[ByteKey(uid)] = nil }
}
