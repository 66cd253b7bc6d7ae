package import Foundation

/// Walks. Each method is one transaction; the rules stand at ``RegistryTransaction``'s methods of
/// the same names.
extension RegistryStore {
  /// Every walk, oldest first.
  public func walks() throws(RegistryError) -> [Walk] {
    try read { registry throws(RegistryError) in try registry.walks() }
  }

  /// Begins a walk, or goes on with the one of this name that this registry began.
  package func begin(_ name: String, by who: String, at time: Date) throws(RegistryError) -> Walk {
    try write { registry throws(RegistryError) in try registry.begin(name, by: who, at: time) }
  }

  /// The number of a walk's last stop; 0 without any.
  package func lastStop(of walk: Walk.ID) throws(RegistryError) -> Int {
    try read { registry throws(RegistryError) in try registry.lastStop(of: walk) }
  }

  /// Whether a walk has a stop with these bytes.
  package func hasStop(
    in walk: Walk.ID, digest: EntryHash, page: Int?
  ) throws(RegistryError) -> Bool {
    try read { registry throws(RegistryError) in
      try registry.hasStop(in: walk, digest: digest, page: page)
    }
  }

  /// The stops of a walk, in order.
  public func stops(of walk: Walk.ID) throws(RegistryError) -> [WalkStop] {
    try read { registry throws(RegistryError) in try registry.stops(of: walk) }
  }

  /// The stops of one sign of a walk, in order.
  package func stops(onSign sign: String, of walk: Walk.ID) throws(RegistryError) -> [WalkStop] {
    try read { registry throws(RegistryError) in try registry.stops(onSign: sign, of: walk) }
  }

  /// The stops of a walk in order, one after another: there may be many.
  public func forEachStop(
    of walk: Walk.ID, _ body: (WalkStop) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    try read { registry throws(RegistryError) in try registry.forEachStop(of: walk, body) }
  }

  /// One stop of a walk; `nil` when there is none of that number.
  public func stop(_ number: Int, of walk: Walk.ID) throws(RegistryError) -> WalkStop? {
    try read { registry throws(RegistryError) in try registry.stop(number, of: walk) }
  }

  /// The small copy of a stop's picture; `nil` for a stop without.
  public func picture(of walk: Walk.ID, stop: Int) throws(RegistryError) -> WalkPicture? {
    try read { registry throws(RegistryError) in try registry.picture(of: walk, stop: stop) }
  }

  /// Adds a stop to a walk of this registry, and to the history of each of our codes that was read.
  package func add(
    _ stop: WalkStop, picture: WalkPicture? = nil, by who: String
  ) throws(RegistryError) {
    try write { registry throws(RegistryError) in
      try registry.add(stop, picture: picture, by: who)
    }
  }
}
