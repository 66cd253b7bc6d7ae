public import Invocation

/// One open transaction on a registry: everything that can be looked up and changed in one go.
///
/// A transaction is lent to the body of ``RegistryStore/read(_:)`` or ``RegistryStore/write(_:)``
/// and cannot be kept. Changing methods called in a `read` throw ``RegistryError/Code/readOnly``.
public struct RegistryTransaction: ~Copyable {
  let records: any RegistryRecords
  private let mayChange: Bool

  init(_ records: any RegistryRecords, mayChange: Bool) {
    self.records = records
    self.mayChange = mayChange
  }

  /// The records, for a method that changes them.
  borrowing func changeable() throws(RegistryError) -> any RegistryRecords {
    guard mayChange else {
      throw RegistryError(
        .readOnly, "The registry was opened for looking things up only.",
        hint: "Open it for changes.")
    }
    return records
  }
}

/// Looking things up.
extension RegistryTransaction {
  /// How many of each thing there are.
  public borrowing func counts() throws(RegistryError) -> RegistryCounts { try records.counts() }

  /// The clip with a bundle identifier.
  public borrowing func clip(bundleID: String) throws(RegistryError) -> AppClip? {
    try records.clip(bundleID: bundleID)
  }

  /// The clips that name `host` (an A-label in lower case) among their domains.
  public borrowing func clips(associatedWith host: String) throws(RegistryError) -> [AppClip] {
    try records.clips(associatedWith: host)
  }

  /// Every clip, by bundle identifier.
  public borrowing func clips() throws(RegistryError) -> [AppClip] { try records.clips() }

  /// Every experience, of any status, whose link has this host and one of these folded keys.
  public borrowing func experiences(
    host: String, foldedKeys: Set<String>
  ) throws(RegistryError) -> [AdvancedExperience] {
    foldedKeys.isEmpty ? [] : try records.experiences(host: host, foldedKeys: foldedKeys)
  }

  /// Every advanced experience, or those of one clip, by clip and link.
  public borrowing func experiences(
    ofClip bundleID: String? = nil
  ) throws(RegistryError) -> [AdvancedExperience] {
    try records.experiences(ofClip: bundleID)
  }

  /// The experience whose link has the same normal form as `link`.
  public borrowing func experience(
    link: InvocationURL
  ) throws(RegistryError) -> AdvancedExperience? {
    try records.experience(normalized: link.normalized)
  }

  /// The place with an id, byte for byte.
  public borrowing func place(id: String) throws(RegistryError) -> Place? {
    try records.place(id: id)
  }

  /// Every place, by id.
  public borrowing func places() throws(RegistryError) -> [Place] { try records.places() }

  /// Clips, experiences and places as one document, sorted.
  public borrowing func document() throws(RegistryError) -> RegistryDocument {
    RegistryDocument(
      clips: try records.clips(), experiences: try records.experiences(ofClip: nil),
      places: try records.places())
  }
}

/// Adding and replacing.
extension RegistryTransaction {
  /// Adds a clip.
  ///
  /// - Throws: ``RegistryError/Code/alreadyExists``; ``RegistryError/Code/invalid`` when a registry
  ///   file with this clip would be refused, as in the methods below.
  public borrowing func add(_ clip: AppClip) throws(RegistryError) {
    let records = try changeable()
    guard try records.clip(bundleID: clip.bundleID) == nil else {
      throw .exists("clip", clip.bundleID)
    }
    try ValueRules.check(clip)
    try records.store(clip)
  }

  /// Replaces the clip with the same bundle identifier; its experiences stay.
  ///
  /// - Throws: ``RegistryError/Code/notFound``.
  public borrowing func replace(_ clip: AppClip) throws(RegistryError) {
    let records = try changeable()
    guard try records.clip(bundleID: clip.bundleID) != nil else {
      throw .missing("clip", clip.bundleID)
    }
    try ValueRules.check(clip)
    try records.store(clip)
  }

  /// Adds an advanced experience.
  ///
  /// - Throws: ``RegistryError/Code/alreadyExists`` when another experience has a link of the same
  ///   normal form, ``RegistryError/Code/unknownClip``, ``RegistryError/Code/unknownPlace``.
  public borrowing func add(_ experience: AdvancedExperience) throws(RegistryError) {
    let records = try changeable()
    guard try records.experience(normalized: experience.link.normalized) == nil else {
      throw .exists("experience", experience.link.payload)
    }
    try store(experience, in: records)
  }

  /// Replaces the experience with the same link; it may change to another clip.
  ///
  /// - Throws: ``RegistryError/Code/notFound``, ``RegistryError/Code/unknownClip``,
  ///   ``RegistryError/Code/unknownPlace``.
  public borrowing func replace(_ experience: AdvancedExperience) throws(RegistryError) {
    let records = try changeable()
    guard try records.experience(normalized: experience.link.normalized) != nil else {
      throw .missing("experience", experience.link.payload)
    }
    try store(experience, in: records)
  }

  /// Adds a place.
  ///
  /// - Throws: ``RegistryError/Code/alreadyExists``.
  public borrowing func add(_ place: Place) throws(RegistryError) {
    let records = try changeable()
    guard try records.place(id: place.id) == nil else { throw .exists("place", place.id) }
    try ValueRules.check(place)
    try records.store(place)
  }

  /// Replaces the place with the same id.
  ///
  /// - Throws: ``RegistryError/Code/notFound``.
  public borrowing func replace(_ place: Place) throws(RegistryError) {
    let records = try changeable()
    guard try records.place(id: place.id) != nil else { throw .missing("place", place.id) }
    try ValueRules.check(place)
    try records.store(place)
  }

  /// Stores an experience that keeps the rules and whose clip and fixed place exist.
  borrowing func store(
    _ experience: AdvancedExperience, in records: any RegistryRecords
  ) throws(RegistryError) {
    try ValueRules.check(experience)
    guard try records.clip(bundleID: experience.clip) != nil else {
      throw RegistryError(
        .unknownClip,
        "The experience \(experience.link.payload) belongs to \(experience.clip), which is not in "
          + "the registry.",
        hint: "Add that clip first, or correct its identifier.")
    }
    if case .fixed(let id) = experience.place, try records.place(id: id) == nil {
      throw RegistryError(
        .unknownPlace,
        "The experience \(experience.link.payload) names the place “\(id)”, which is not in the "
          + "registry.",
        hint: "Add that place first, or correct its id.")
    }
    try records.store(experience)
  }
}

/// Removing.
extension RegistryTransaction {
  /// Removes a clip.
  ///
  /// - Parameters:
  ///   - bundleID: The clip's bundle identifier.
  ///   - evenIfInUse: Whether the clip's experiences are removed with it.
  /// - Returns: The experiences that went with it.
  /// - Throws: ``RegistryError/Code/notFound``, ``RegistryError/Code/inUse``.
  @discardableResult
  public borrowing func removeClip(
    bundleID: String, evenIfInUse: Bool = false
  ) throws(RegistryError) -> RemovalReport {
    let records = try changeable()
    guard try records.clip(bundleID: bundleID) != nil else { throw .missing("clip", bundleID) }
    let links = try records.experiences(ofClip: bundleID).map(\.link.normalized)
    guard links.isEmpty || evenIfInUse else {
      throw RegistryError(
        .inUse, "The clip \(bundleID) has \(links.count) experience(s), first \(links[0]).",
        hint: "Remove them first, or ask for them to be removed with the clip.")
    }
    for link in links { try records.deleteExperience(normalized: link) }
    try records.deleteClip(bundleID: bundleID)
    return RemovalReport(experiences: links)
  }

  /// Removes the experience whose link has the same normal form as `link`.
  ///
  /// - Throws: ``RegistryError/Code/notFound``.
  public borrowing func removeExperience(link: InvocationURL) throws(RegistryError) {
    let records = try changeable()
    guard try records.experience(normalized: link.normalized) != nil else {
      throw .missing("experience", link.payload)
    }
    try records.deleteExperience(normalized: link.normalized)
  }

  /// Removes a place. It is in use while an experience always names it, or a code that is not
  /// retired belongs to it.
  ///
  /// - Parameters:
  ///   - id: The place's id.
  ///   - evenIfInUse: Whether to remove it all the same: experiences lose their place rule, codes
  ///     keep the id.
  /// - Returns: The experiences and the number of codes that named it.
  /// - Throws: ``RegistryError/Code/notFound``, ``RegistryError/Code/inUse``.
  @discardableResult
  public borrowing func removePlace(
    id: String, evenIfInUse: Bool = false
  ) throws(RegistryError) -> RemovalReport {
    let records = try changeable()
    guard try records.place(id: id) != nil else { throw .missing("place", id) }
    let experiences = try records.experiences(fixedTo: id)
    let codes = try records.codes(CodeFilter(status: .issued, placeID: id)).count
    guard evenIfInUse || experiences.isEmpty && codes == 0 else {
      throw RegistryError(
        .inUse,
        "The place “\(id)” is named by \(experiences.count) experience(s) and \(codes) code(s) in "
          + "use.",
        hint: "Change those first, or ask for the place to be removed even if it is in use.")
    }
    for experience in experiences { try records.store(experience.withoutPlace()) }
    try records.deletePlace(id: id)
    return RemovalReport(experiences: experiences.map(\.link.normalized), codes: codes)
  }
}

extension AdvancedExperience {
  /// The same experience without a place rule.
  func withoutPlace() -> AdvancedExperience {
    AdvancedExperience(clip: clip, link: link, card: card, language: language, status: status)
  }
}

extension RegistryError {
  static func exists(_ kind: String, _ key: String) -> RegistryError {
    RegistryError(
      .alreadyExists, "The \(kind) “\(key)” is in the registry already.",
      hint: "Replace it, or choose another name.")
  }

  static func missing(_ kind: String, _ key: String) -> RegistryError {
    RegistryError(
      .notFound, "The \(kind) “\(key)” is not in the registry.",
      hint: "Check the spelling, or list what is there.")
  }
}
