/// One walk in memory.
struct WalkState: Sendable {
  let walk: Walk
  /// In the order of their numbers, which begin with 1.
  var stops: [WalkStop] = []
  /// By stop.
  var pictures: [Int: WalkPicture] = [:]
}

/// Walks in memory.
extension MemoryRecords {
  func walks() -> [Walk] {
    state.walks.values.map(\.walk).sorted { ($0.started, $0.id) < ($1.started, $1.id) }
  }

  func walk(_ id: Walk.ID) -> Walk? { state.walks[id]?.walk }

  func insert(_ walk: Walk) { state.walks[walk.id] = WalkState(walk: walk) }

  func lastStop(of walk: Walk.ID) -> Int { state.walks[walk]?.stops.count ?? 0 }

  func hasStop(in walk: Walk.ID, digest: EntryHash, page: Int?) -> Bool {
    state.walks[walk]?.stops.contains { $0.digest == digest && $0.page == page } ?? false
  }

  func forEachStop(
    of walk: Walk.ID, _ wanted: WantedStops,
    _ body: (WalkStop) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    for stop in state.walks[walk]?.stops ?? [] where wanted.admit(stop) { try body(stop) }
  }

  func picture(of walk: Walk.ID, stop: Int) -> WalkPicture? { state.walks[walk]?.pictures[stop] }

  func insert(_ stop: WalkStop, picture: WalkPicture?) {
    state.walks[stop.walk]?.stops.append(stop)
    state.walks[stop.walk]?.pictures[stop.number] = picture
  }
}

extension WantedStops {
  fileprivate func admit(_ stop: WalkStop) -> Bool {
    switch self {
    case .all: true
    case .number(let number): stop.number == number
    case .sign(let sign): stop.sign.map { ByteKey($0) == ByteKey(sign) } ?? false
    }
  }
}
