/// The chains of a registry in memory.
struct MemoryRecord: Sendable {
  var own: Recorder?
  var chains: [Recorder: [RecordEntry]] = [:]
  /// The entries of each code, in the order in which they came.
  var codes: [CodeID: [RecordEntry]] = [:]
}

/// The record.
extension MemoryRecords {
  func ownRecorder() -> Recorder {
    if let own = state.record.own { return own }
    let made = Recorder()
    state.record.own = made
    return made
  }

  func head(of recorder: Recorder) -> ChainHead? { state.record.chains[recorder]?.last?.head }

  func heads() -> [ChainHead] {
    state.record.chains.values.compactMap { $0.last?.head }.sorted { $0.recorder < $1.recorder }
  }

  func hash(of recorder: Recorder, number: Int) -> EntryHash? {
    guard let chain = state.record.chains[recorder], (1...chain.count).contains(number) else {
      return nil
    }
    return chain[number - 1].hash
  }

  func append(_ entry: RecordEntry) {
    state.record.chains[entry.recorder, default: []].append(entry)
    state.record.codes[entry.code, default: []].append(entry)
  }

  func entries(of id: CodeID) -> [RecordEntry] {
    (state.record.codes[id] ?? []).sorted {
      ($0.recorder, $0.number) < ($1.recorder, $1.number)
    }
  }

  func entryCount(of id: CodeID) -> (entries: Int, recorders: Int) {
    let entries = state.record.codes[id] ?? []
    return (entries.count, Set(entries.map(\.recorder)).count)
  }

  func forEachEntry(
    _ body: (RecordEntry) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    for (_, chain) in state.record.chains.sorted(by: { $0.key < $1.key }) {
      for entry in chain { try body(entry) }
    }
  }

  func codesOfWrongStatus() -> [CodeID] {
    codes(CodeFilter()).filter { code in
      let isRetired = state.record.codes[code.id]?.contains { $0.kind == .retired } ?? false
      return isRetired != (code.status == .retired)
    }.map(\.id)
  }

  func codesWithoutIssue() -> [CodeID] {
    codes(CodeFilter()).map(\.id).filter { id in
      !(state.record.codes[id]?.contains { $0.issued != nil } ?? false)
    }
  }

  func letCodesFollow() {}
}
