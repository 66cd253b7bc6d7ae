import Foundation
public import Invocation
import Synchronization

/// The state of clips, experiences and places in the record: the last entry about settings of each
/// chain.
package struct CatalogState: Hashable, Sendable {
  fileprivate let ends: [Data?]
}

extension RegistryOperations where Self: ~Copyable {
  /// Returns the state of clips, experiences and places, which differs after any change of them.
  package borrowing func catalogState() throws(RegistryError) -> CatalogState {
    CatalogState(
      ends: try rows(
        """
        SELECT (SELECT hash FROM setting_entry WHERE recorder = r.key ORDER BY number DESC LIMIT 1)
          AS hash
        FROM recorder AS r ORDER BY key
        """, [], { $0.bytes("hash") }))
  }
}

/// The registry's answers for checking many URLs: results are cached until ``refresh()`` finds that
/// the registry has changed.
///
/// A host is read as a whole and compiled once it has been named by enough URLs for the number of
/// its experiences: a host of ten at once, one of a million only when that saves time. Until then,
/// the registry is queried. The cache is bounded for any URLs.
public final class RegistryDirectory: ExperienceDirectory {
  /// The number of experiences read for each URL that asks: reading one takes about a thirtieth of
  /// the time of a query.
  private static let experiencesPerURL = 32
  /// The largest number of experiences cached; those of further hosts are looked up in the
  /// registry.
  private static let maximumExperiences = 10_000_000
  /// The largest number of other things cached: hosts, clips and places.
  private static let maximumThings = 100_000

  private struct Kept {
    var catalogs: [String: ExperienceCatalog] = [:]
    /// The number of URLs that named a host that is not compiled yet.
    var times: [String: Int] = [:]
    var clipsByHost: [String: [AppClip]] = [:]
    var clips: [ByteKey: AppClip?] = [:]
    var places: [ByteKey: Place?] = [:]
    var experiences = 0
    var changeNumber: Int?
    var state: CatalogState?
    /// The contents of the whole registry, if it was read ahead.
    var everything: ExperienceCatalog?

    var things: Int {
      catalogs.count + times.count + clipsByHost.count + clips.count + places.count
    }
  }

  /// The registry.
  package let registry: any RegistryStore
  private let kept = Mutex(Kept())

  /// Creates an empty directory.
  public init(_ registry: any RegistryStore) { self.registry = registry }

  /// Reads everything at once, in one transaction, unless the registry has more than `limit`
  /// experiences: ten thousand URLs are then checked against one unchanging state, without further
  /// queries.
  ///
  /// - Returns: Whether the registry was read.
  @discardableResult
  public func readAhead(atMost limit: Int = 20_000) throws(RegistryError) -> Bool {
    let document = try registry.read { registry in
      try registry.counts().experiences <= limit ? try registry.document() : nil
    }
    guard let document else { return false }
    kept.withLock { $0.everything = ExperienceCatalog(document) }
    return true
  }

  /// Reads everything at once, if that takes less time than a query for each of so many URLs.
  func readAhead(for payloads: Int) throws(RegistryError) {
    let (most, _) = payloads.multipliedReportingOverflow(by: Self.experiencesPerURL)
    try readAhead(atMost: min(max(20_000, most), Self.maximumExperiences))
  }

  /// Forgets all results if the registry has changed since the last call.
  public func refresh() throws(RegistryError) {
    let number = try registry.changeNumber()
    kept.withLock { kept in
      let isSame = number != nil && kept.changeNumber == number
      if !isSame || kept.things > Self.maximumThings { kept = Kept() }
      kept.changeNumber = number
    }
  }

  /// Forgets everything unless the registry is still in the state of the last call.
  package func refresh(at state: CatalogState) {
    kept.withLock { kept in
      if kept.state != state || kept.things > Self.maximumThings { kept = Kept() }
      kept.state = state
    }
  }

  private var everything: ExperienceCatalog? { kept.withLock(\.everything) }

  /// Returns the clips that name `host` among their domains, by bundle identifier.
  public func clips(associatedWith host: String) throws(RegistryError) -> [AppClip] {
    if let everything { return everything.clips(associatedWith: host) }
    if let known = kept.withLock({ $0.clipsByHost[host] }) { return known }
    let clips = try registry.read { try $0.clips(associatedWith: host) }
    kept.withLock { $0.clipsByHost[host] = clips }
    return clips
  }

  /// Returns every clip, by bundle identifier.
  public func clips() throws(RegistryError) -> [AppClip] {
    if let everything { return everything.clips() }
    return try registry.read { try $0.clips() }
  }

  /// Returns the clip with a bundle identifier.
  public func clip(bundleID: String) throws(RegistryError) -> AppClip? {
    if let everything { return everything.clip(bundleID: bundleID) }
    let key = ByteKey(bundleID)
    if let known = kept.withLock({ $0.clips[key] }) { return known }
    let clip = try registry.read { try $0.clip(bundleID: bundleID) }
    kept.withLock { $0.clips[key] = .some(clip) }
    return clip
  }

  /// Returns the clip with a demo link.
  public func clip(demoLink: InvocationURL) throws(RegistryError) -> AppClip? {
    if let everything { return everything.clip(demoLink: demoLink) }
    return try registry.read({ try $0.clips() }).first {
      $0.listing.demoLink?.normalized == demoLink.normalized
    }
  }

  /// Returns every experience, of any status, whose link has this host and one of these folded
  /// keys.
  public func experiences(
    host: String, foldedKeys: Set<String>
  ) throws(RegistryError) -> [AdvancedExperience] {
    if let everything { return everything.experiences(host: host, foldedKeys: foldedKeys) }
    return try registry.read { try $0.experiences(host: host, foldedKeys: foldedKeys) }
  }

  /// Returns every experience that covers a URL, or nearly does.
  public func experiences(near url: InvocationURL) throws(RegistryError) -> [AdvancedExperience] {
    if let everything { return everything.experiences(near: url) }
    if let catalog = try catalog(ofHost: url.host) { return catalog.experiences(near: url) }
    return try experiences(host: url.host, foldedKeys: url.foldedPrefixKeys)
  }

  /// Returns the place with an id.
  public func place(id: String) throws(RegistryError) -> Place? {
    if let everything { return everything.place(id: id) }
    let key = ByteKey(id)
    if let known = kept.withLock({ $0.places[key] }) { return known }
    let place = try registry.read { try $0.place(id: id) }
    kept.withLock { $0.places[key] = .some(place) }
    return place
  }

  /// Returns a host's experiences, if enough URLs have named it.
  private func catalog(ofHost host: String) throws(RegistryError) -> ExperienceCatalog? {
    if let known = kept.withLock({ $0.catalogs[host] }) { return known }
    let (times, room) = kept.withLock { kept in
      kept.times[host, default: 0] += 1
      return (kept.times[host, default: 0], Self.maximumExperiences - kept.experiences)
    }
    // Counting takes time, too: it happens at the first, second, fourth, eighth … time.
    guard times & (times - 1) == 0 else { return nil }
    let limit = min(times * Self.experiencesPerURL, room)
    let found = try registry.catalog(ofHost: host, atMost: limit)
    guard let found else { return nil }
    kept.withLock { kept in
      kept.catalogs[host] = found
      kept.times[host] = nil
      kept.experiences += found.experienceCount
    }
    return found
  }
}
