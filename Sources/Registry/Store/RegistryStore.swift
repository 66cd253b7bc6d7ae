public import Foundation
public import Invocation

/// Where clips, experiences, places and issued codes are kept.
///
/// All work happens in transactions: ``read(_:)`` sees one unchanging state, ``write(_:)`` happens
/// wholly or not at all. The methods in the extension are transactions of one step.
///
/// Every call blocks the calling thread; none takes longer than the store's busy time-out plus the
/// work itself.
public protocol RegistryStore: ExperienceDirectory {
  /// Things worth telling whoever opened the store, for example that its file does not exist yet.
  var notes: [String] { get }

  /// Version of the store's schema; 0 when there is no file yet.
  var schemaVersion: Int { get }

  /// Runs `body` on one unchanging state.
  ///
  /// - Throws: What `body` throws, or ``RegistryError`` of the store.
  func read<Value>(
    _ body: (borrowing RegistryTransaction) throws(RegistryError) -> Value
  ) throws(RegistryError) -> Value

  /// Runs `body` and keeps its changes; when it throws, nothing is changed.
  ///
  /// - Throws: What `body` throws, or ``RegistryError`` of the store, such as
  ///   ``RegistryError/Code/locked``, ``RegistryError/Code/diskFull`` or
  ///   ``RegistryError/Code/readOnly``.
  func write<Value>(
    _ body: (borrowing RegistryTransaction) throws(RegistryError) -> Value
  ) throws(RegistryError) -> Value
}

/// What a check looks up.
extension RegistryStore {
  /// The clips that name `host` among their domains, by bundle identifier.
  public func clips(associatedWith host: String) throws(RegistryError) -> [AppClip] {
    try read { registry throws(RegistryError) in try registry.clips(associatedWith: host) }
  }

  /// The clip with a bundle identifier.
  public func clip(bundleID: String) throws(RegistryError) -> AppClip? {
    try read { registry throws(RegistryError) in try registry.clip(bundleID: bundleID) }
  }

  /// The clip with a demo link; of several, the first by bundle identifier.
  public func clip(demoLink: InvocationURL) throws(RegistryError) -> AppClip? {
    try read { registry throws(RegistryError) in try registry.clips() }
      .first { $0.listing.demoLink?.normalized == demoLink.normalized }
  }

  /// Every experience, of any status, whose link has this host and one of these folded keys.
  public func experiences(
    host: String, foldedKeys: Set<String>
  ) throws(RegistryError) -> [AdvancedExperience] {
    try read { registry throws(RegistryError) in
      try registry.experiences(host: host, foldedKeys: foldedKeys)
    }
  }

  /// Every experience, of any status, that covers a URL, or nearly does.
  public func experiences(near url: InvocationURL) throws(RegistryError) -> [AdvancedExperience] {
    try read { registry throws(RegistryError) in
      try registry.experiences(host: url.host, foldedKeys: url.foldedPrefixKeys)
    }
  }

  /// The place with an id.
  public func place(id: String) throws(RegistryError) -> Place? {
    try read { registry throws(RegistryError) in try registry.place(id: id) }
  }
}

/// Listing.
extension RegistryStore {
  /// How many of each thing there are.
  public func counts() throws(RegistryError) -> RegistryCounts {
    try read { registry throws(RegistryError) in try registry.counts() }
  }

  /// Every clip, by bundle identifier.
  public func clips() throws(RegistryError) -> [AppClip] {
    try read { registry throws(RegistryError) in try registry.clips() }
  }

  /// Every advanced experience, or those of one clip, by clip and link.
  public func experiences(
    ofClip bundleID: String? = nil
  ) throws(RegistryError) -> [AdvancedExperience] {
    try read { registry throws(RegistryError) in try registry.experiences(ofClip: bundleID) }
  }

  /// The experience whose link has the same normal form as `link`.
  public func experience(link: InvocationURL) throws(RegistryError) -> AdvancedExperience? {
    try read { registry throws(RegistryError) in try registry.experience(link: link) }
  }

  /// Every place, by id.
  public func places() throws(RegistryError) -> [Place] {
    try read { registry throws(RegistryError) in try registry.places() }
  }

  /// Clips, experiences and places as one document, sorted.
  public func document() throws(RegistryError) -> RegistryDocument {
    try read { registry throws(RegistryError) in try registry.document() }
  }

  /// The issued codes that a filter lets through, oldest first.
  public func codes(_ filter: CodeFilter = CodeFilter()) throws(RegistryError) -> [IssuedCode] {
    try read { registry throws(RegistryError) in try registry.codes(filter) }
  }

  /// The issued code with a name.
  public func code(id: CodeID) throws(RegistryError) -> IssuedCode? {
    try read { registry throws(RegistryError) in try registry.code(id: id) }
  }

  /// What happened to a code, in order; empty for an unknown code.
  public func history(of id: CodeID) throws(RegistryError) -> [CodeEvent] {
    try read { registry throws(RegistryError) in try registry.history(of: id) }
  }
}

/// Changing one thing. Each method is one transaction; the rules stand at
/// ``RegistryTransaction``'s methods of the same names.
extension RegistryStore {
  /// Adds a clip.
  public func add(_ clip: AppClip) throws(RegistryError) {
    try write { registry throws(RegistryError) in try registry.add(clip) }
  }

  /// Adds an advanced experience.
  public func add(_ experience: AdvancedExperience) throws(RegistryError) {
    try write { registry throws(RegistryError) in try registry.add(experience) }
  }

  /// Adds a place.
  public func add(_ place: Place) throws(RegistryError) {
    try write { registry throws(RegistryError) in try registry.add(place) }
  }

  /// Replaces the clip with the same bundle identifier; its experiences stay.
  public func replace(_ clip: AppClip) throws(RegistryError) {
    try write { registry throws(RegistryError) in try registry.replace(clip) }
  }

  /// Replaces the experience with the same link.
  public func replace(_ experience: AdvancedExperience) throws(RegistryError) {
    try write { registry throws(RegistryError) in try registry.replace(experience) }
  }

  /// Replaces the place with the same id.
  public func replace(_ place: Place) throws(RegistryError) {
    try write { registry throws(RegistryError) in try registry.replace(place) }
  }

  /// Removes a clip.
  @discardableResult
  public func removeClip(
    bundleID: String, evenIfInUse: Bool = false
  ) throws(RegistryError) -> RemovalReport {
    try write { registry throws(RegistryError) in
      try registry.removeClip(bundleID: bundleID, evenIfInUse: evenIfInUse)
    }
  }

  /// Removes the experience whose link has the same normal form as `link`.
  public func removeExperience(link: InvocationURL) throws(RegistryError) {
    try write { registry throws(RegistryError) in try registry.removeExperience(link: link) }
  }

  /// Removes a place.
  @discardableResult
  public func removePlace(
    id: String, evenIfInUse: Bool = false
  ) throws(RegistryError) -> RemovalReport {
    try write { registry throws(RegistryError) in
      try registry.removePlace(id: id, evenIfInUse: evenIfInUse)
    }
  }

  /// Brings a document in; see ``RegistryTransaction/apply(_:_:)``.
  ///
  /// - Parameters:
  ///   - document: What is brought in.
  ///   - mode: What becomes of what the registry holds already.
  ///   - dryRun: Whether to report only what would change.
  public func apply(
    _ document: RegistryDocument, _ mode: ImportMode = .merge, dryRun: Bool = false
  ) throws(RegistryError) -> ImportReport {
    if dryRun {
      return try read { registry throws(RegistryError) in
        try registry.changes(applying: document, mode).report
      }
    }
    return try write { registry throws(RegistryError) in try registry.apply(document, mode) }
  }
}

/// Codes and their history.
extension RegistryStore {
  /// Keeps codes and begins the history of each with the event `issued`.
  public func issue(
    _ codes: [IssuedCode], by who: String, details: [String: String] = [:]
  ) throws(RegistryError) {
    try write { registry throws(RegistryError) in
      for code in codes { try registry.issue(code, by: who, details: details) }
    }
  }

  /// Adds an event to a code's history.
  @discardableResult
  public func record(
    _ kind: CodeEvent.Kind, of id: CodeID, at time: Date, by who: String,
    details: [String: String] = [:]
  ) throws(RegistryError) -> CodeEvent {
    try write { registry throws(RegistryError) in
      try registry.record(kind, of: id, at: time, by: who, details: details)
    }
  }

  /// Withdraws a code.
  @discardableResult
  public func retire(
    _ id: CodeID, at time: Date, by who: String, details: [String: String] = [:]
  ) throws(RegistryError) -> CodeEvent {
    try write { registry throws(RegistryError) in
      try registry.retire(id, at: time, by: who, details: details)
    }
  }
}
