import CliptagBasics
public import Invocation

/// Clips.
extension RegistryOperations where Self: ~Copyable {
  /// Returns the number of things of each kind.
  public borrowing func counts() throws(RegistryError) -> RegistryCounts {
    try read { registry in
      RegistryCounts(
        clips: try registry.number("SELECT count(*) AS number FROM clip"),
        experiences: try registry.number("SELECT count(*) AS number FROM experience"),
        places: try registry.number("SELECT count(*) AS number FROM place"),
        codes: try registry.number("SELECT count(*) AS number FROM code"))
    }
  }

  /// Returns the clip with a bundle identifier.
  public borrowing func clip(bundleID: String) throws(RegistryError) -> AppClip? {
    try clips("WHERE clip.bundle_id = ?", [bundleID]).first
  }

  /// Returns the clips that name `host` (an A-label in lower case) among their domains, by bundle
  /// identifier.
  public borrowing func clips(associatedWith host: String) throws(RegistryError) -> [AppClip] {
    try clips(
      "WHERE clip.bundle_id IN (SELECT bundle_id FROM clip_domain WHERE host = ?)", [host])
  }

  /// Returns every clip, by bundle identifier.
  public borrowing func clips() throws(RegistryError) -> [AppClip] { try clips("", []) }

  private borrowing func clips(
    _ condition: String, _ arguments: [(any SQLValue)?]
  ) throws(RegistryError) -> [AppClip] {
    var clips: [AppClip] = []
    // One row for each domain of a clip, or one row without a domain.
    _ = try rows(
      """
      SELECT clip.*, domain.host FROM clip
      LEFT JOIN clip_domain AS domain ON domain.bundle_id = clip.bundle_id
      \(condition) ORDER BY clip.bundle_id, domain.position
      """, arguments, comeInPieces: condition.isEmpty,
      { row in
        let id: String = try row["bundle_id"]
        if clips.last.map({ ByteKey($0.bundleID) }) != ByteKey(id) {
          clips.append(try AppClip(row: row))
        }
        if let host: String = row["host"] { clips[clips.count - 1].domains.append(host) }
      })
    return clips
  }

  /// Adds a clip.
  ///
  /// - Throws: `RegistryError.Code.alreadyExists`; `RegistryError.Code.invalid` when a registry
  ///   file with this clip would be refused, as when experiences and places are added or replaced.
  public borrowing func add(_ clip: AppClip) throws(RegistryError) {
    try write { registry in
      guard try registry.clip(bundleID: clip.bundleID) == nil else {
        throw RegistryError.exists("clip", clip.bundleID)
      }
      try ValueRules.check(clip)
      try registry.store(clip)
    }
  }

  /// Replaces the clip with the same bundle identifier; its experiences stay.
  ///
  /// - Throws: `RegistryError.Code.notFound`.
  public borrowing func replace(_ clip: AppClip) throws(RegistryError) {
    try write { registry in
      guard try registry.clip(bundleID: clip.bundleID) != nil else {
        throw RegistryError.missing("clip", clip.bundleID)
      }
      try ValueRules.check(clip)
      try registry.store(clip)
    }
  }

  /// Removes a clip.
  ///
  /// - Parameters:
  ///   - bundleID: The clip's bundle identifier.
  ///   - evenIfInUse: Whether the clip's experiences are removed with it.
  /// - Returns: The removed experiences.
  /// - Throws: `RegistryError.Code.notFound`, `RegistryError.Code.inUse`.
  @discardableResult
  public borrowing func removeClip(
    bundleID: String, evenIfInUse: Bool = false
  ) throws(RegistryError) -> RemovalReport {
    try write { registry in
      guard try registry.clip(bundleID: bundleID) != nil else {
        throw RegistryError.missing("clip", bundleID)
      }
      let links = try registry.experiences(ofClip: bundleID).map(\.link.normalized)
      guard links.isEmpty || evenIfInUse else {
        throw RegistryError(
          .inUse,
          "The clip \(bundleID) has \(links.count == 1 ? "an experience:" : "\(links.count) experiences, first") \(links[0]).",
          hint: "Remove them first, or remove them with the clip.")
      }
      for link in links { try registry.deleteExperience(normalized: link) }
      try registry.deleteClip(bundleID: bundleID)
      return RemovalReport(experiences: links)
    }
  }
}

extension RegistryTransaction {
  /// Inserts or replaces a clip and records it; its experiences stay.
  borrowing func store(_ clip: AppClip) throws(RegistryError) {
    try keep(clip)
    try tell(Setting(.clip, clip.bundleID))
  }

  /// Inserts or replaces as ``store(_:)-(AppClip)`` does, without recording it.
  borrowing func keep(_ clip: AppClip) throws(RegistryError) {
    let card = clip.defaultExperience
    try run(
      """
      INSERT INTO clip (bundle_id, app_bundle_id, team, app_store_id, location_confirmation,
        default_title, default_subtitle, default_action, listing)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (bundle_id) DO UPDATE SET
        app_bundle_id = excluded.app_bundle_id, team = excluded.team,
        app_store_id = excluded.app_store_id,
        location_confirmation = excluded.location_confirmation,
        default_title = excluded.default_title, default_subtitle = excluded.default_subtitle,
        default_action = excluded.default_action, listing = excluded.listing
      """,
      [
        clip.bundleID, clip.appBundleID, clip.team, clip.appStoreID, clip.locationConfirmation,
        card?.title, card?.subtitle, card?.action.rawValue, clip.listing.column,
      ])
    try run("DELETE FROM clip_domain WHERE bundle_id = ?", [clip.bundleID])
    for (position, host) in clip.domains.enumerated() {
      try run(
        "INSERT INTO clip_domain (bundle_id, position, host) VALUES (?, ?, ?)",
        [clip.bundleID, position, host])
    }
  }

  /// Deletes a clip that has no experiences.
  borrowing func deleteClip(bundleID: String) throws(RegistryError) {
    try run("DELETE FROM clip WHERE bundle_id = ?", [bundleID])
    try tell(Setting(.clip, bundleID))
  }
}

extension AppClip {
  /// A clip without its domains.
  fileprivate init(row: any RegistryRow) throws(RegistryError) {
    var card: ExperienceCard?
    if let action: CardAction = try row.nameIfAny("default_action", "the action ") {
      card = ExperienceCard(
        title: row["default_title"], subtitle: row["default_subtitle"], action: action)
    }
    self.init(
      bundleID: try row["bundle_id"], appBundleID: try row["app_bundle_id"],
      team: try row["team"], appStoreID: row["app_store_id"], domains: [],
      locationConfirmation: try row["location_confirmation"], defaultExperience: card,
      listing: try ClipListing(row: row))
  }
}
