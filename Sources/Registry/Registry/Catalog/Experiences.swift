import CliptagBasics
public import Invocation

/// Advanced experiences.
extension RegistryOperations where Self: ~Copyable {
  /// Returns every experience, of any status, whose link has this host and one of these folded
  /// keys.
  public borrowing func experiences(
    host: String, foldedKeys: Set<String>
  ) throws(RegistryError) -> [AdvancedExperience] {
    if foldedKeys.isEmpty { return [] }
    // A power of two of places for keys, so that few statements are compiled; unused places are
    // NULL, which equals no key.
    var places = 8
    while places < foldedKeys.count { places *= 2 }
    var arguments: [(any SQLValue)?] = [host]
    arguments += foldedKeys.map { $0 }
    arguments += Array(repeating: nil, count: places - foldedKeys.count)
    let marks = Array(repeating: "?", count: places).joined(separator: ", ")
    return try rows(
      "SELECT * FROM experience WHERE host = ? AND folded_key IN (\(marks)) ORDER BY normalized",
      arguments, AdvancedExperience.init(row:))
  }

  /// Returns every advanced experience, or those of one clip, by clip and link.
  public borrowing func experiences(
    ofClip bundleID: String? = nil
  ) throws(RegistryError) -> [AdvancedExperience] {
    if let bundleID {
      return try rows(
        "SELECT * FROM experience WHERE bundle_id = ? ORDER BY normalized", [bundleID],
        comeInPieces: true, AdvancedExperience.init(row:))
    }
    return try rows(
      "SELECT * FROM experience ORDER BY bundle_id, normalized", [], comeInPieces: true,
      AdvancedExperience.init(row:))
  }

  /// Returns the experience whose link has the same normal form as `link`.
  public borrowing func experience(
    link: InvocationURL
  ) throws(RegistryError) -> AdvancedExperience? {
    try rows(
      "SELECT * FROM experience WHERE normalized = ?", [link.normalized],
      AdvancedExperience.init(row:)
    ).first
  }

  /// Returns every experience of a host, compiled for checks; `nil` when there are more than
  /// `limit`.
  borrowing func catalog(
    ofHost host: String, atMost limit: Int
  ) throws(RegistryError) -> ExperienceCatalog? {
    try read { registry in
      let count = try registry.number(
        "SELECT count(*) AS number FROM (SELECT 1 FROM experience WHERE host = ? LIMIT ?) AS few",
        [host, limit + 1])
      guard count <= limit else { return nil }
      return try ExperienceCatalog { add throws(RegistryError) in
        _ = try registry.rows(
          "SELECT * FROM experience WHERE host = ? ORDER BY folded_key", [host],
          { row in add(try AdvancedExperience(row: row)) })
      }
    }
  }

  /// Adds an advanced experience.
  ///
  /// - Throws: `RegistryError.Code.alreadyExists` when another experience has a link of the same
  ///   normal form, `RegistryError.Code.unknownClip`, `RegistryError.Code.unknownPlace`.
  public borrowing func add(_ experience: AdvancedExperience) throws(RegistryError) {
    try write { registry in
      guard try registry.experience(link: experience.link) == nil else {
        throw RegistryError.exists("experience", experience.link.payload)
      }
      try registry.checkAndStore(experience)
    }
  }

  /// Replaces the experience with the same link; it may change to another clip.
  ///
  /// - Throws: `RegistryError.Code.notFound`, `RegistryError.Code.unknownClip`,
  ///   `RegistryError.Code.unknownPlace`.
  public borrowing func replace(_ experience: AdvancedExperience) throws(RegistryError) {
    try write { registry in
      guard try registry.experience(link: experience.link) != nil else {
        throw RegistryError.missing("experience", experience.link.payload)
      }
      try registry.checkAndStore(experience)
    }
  }

  /// Removes the experience whose link has the same normal form as `link`.
  ///
  /// - Throws: `RegistryError.Code.notFound`.
  public borrowing func removeExperience(link: InvocationURL) throws(RegistryError) {
    try write { registry in
      guard try registry.experience(link: link) != nil else {
        throw RegistryError.missing("experience", link.payload)
      }
      try registry.deleteExperience(normalized: link.normalized)
    }
  }
}

extension RegistryTransaction {
  /// Returns the experiences with these links, by normal form, with one look-up.
  borrowing func experiences(
    links: [InvocationURL]
  ) throws(RegistryError) -> [ByteKey: AdvancedExperience] {
    var experiences: [ByteKey: AdvancedExperience] = [:]
    try session.forEachRow(
      "SELECT * FROM experience WHERE normalized = ?", ofEach: links.map { [$0.normalized] }
    ) { index, row throws(RegistryError) in
      experiences[ByteKey(links[index].normalized)] = try AdvancedExperience(row: row)
    }
    return experiences
  }

  /// Stores an experience after checking its rules and the existence of its clip and fixed place.
  fileprivate borrowing func checkAndStore(
    _ experience: AdvancedExperience
  ) throws(RegistryError) {
    try ValueRules.check(experience)
    guard try clip(bundleID: experience.clip) != nil else {
      throw RegistryError(
        .unknownClip,
        "The experience \(experience.link.payload) belongs to \(experience.clip), which is not in "
          + "the registry.",
        hint: "Add that clip first, or correct its identifier.")
    }
    if case .fixed(let id) = experience.place, try place(id: id) == nil {
      throw RegistryError(
        .unknownPlace,
        "The experience \(experience.link.payload) refers to the place “\(id)”, which is not in the "
          + "registry.",
        hint: "Add that place first, or correct its id.")
    }
    try store(experience)
  }

  /// Inserts or replaces by the link's normal form, and records it. The clip and a fixed place must
  /// exist.
  borrowing func store(_ experience: AdvancedExperience) throws(RegistryError) {
    try keep(experience)
    try tell(Setting(.experience, experience.link.normalized))
  }

  /// Inserts or replaces as ``store(_:)-(AdvancedExperience)`` does, without recording it.
  borrowing func keep(_ experience: AdvancedExperience) throws(RegistryError) {
    let link = experience.link
    let rule = PlaceRuleColumns(experience.place)
    try run(
      """
      INSERT INTO experience (bundle_id, link, normalized, host, folded_key, title, subtitle, action,
        language, status, place_id, place_path, place_query, place_latitude, place_longitude,
        place_radius, listing)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (normalized) DO UPDATE SET
        bundle_id = excluded.bundle_id, link = excluded.link, title = excluded.title,
        subtitle = excluded.subtitle, action = excluded.action, language = excluded.language,
        status = excluded.status, place_id = excluded.place_id, place_path = excluded.place_path,
        place_query = excluded.place_query, place_latitude = excluded.place_latitude,
        place_longitude = excluded.place_longitude, place_radius = excluded.place_radius,
        listing = excluded.listing
      """,
      [
        experience.clip, link.payload, link.normalized, link.host, link.foldedKey,
        experience.card.title, experience.card.subtitle, experience.card.action.rawValue,
        experience.language, experience.status.rawValue, rule.id, rule.path, rule.query,
        rule.latitudeItem, rule.longitudeItem, rule.radius, experience.listing.column,
      ])
  }

  borrowing func deleteExperience(normalized: String) throws(RegistryError) {
    try run("DELETE FROM experience WHERE normalized = ?", [normalized])
    try tell(Setting(.experience, normalized))
  }
}

extension AdvancedExperience {
  init(row: any RegistryRow) throws(RegistryError) {
    let link: String = try row["link"]
    guard let url = try? InvocationURL(link) else {
      throw RegistryError.damaged("the link “\(link)”")
    }
    self.init(
      clip: try row["bundle_id"], link: url,
      card: ExperienceCard(
        title: row["title"], subtitle: row["subtitle"],
        action: try row.name("action", "the action ")),
      language: try row["language"], status: try row.name("status", "the status "),
      place: try PlaceRuleColumns(row: row).rule(), listing: try ExperienceListing(row: row))
  }
}

/// A place rule as columns of its experience.
private struct PlaceRuleColumns {
  var id: String?
  var path: String?
  var query: String?
  var latitudeItem: String?
  var longitudeItem: String?
  var radius: Double?

  init(_ rule: PlaceRule?) {
    switch rule {
    case .fixed(let id): self.id = id
    case .path(let template): path = template.text
    case .query(let item): query = item
    case .coordinates(let latitudeItem, let longitudeItem, let radius):
      self.latitudeItem = latitudeItem
      self.longitudeItem = longitudeItem
      self.radius = radius
    case nil: break
    }
  }

  init(row: any RegistryRow) {
    id = row["place_id"]
    path = row["place_path"]
    query = row["place_query"]
    latitudeItem = row["place_latitude"]
    longitudeItem = row["place_longitude"]
    radius = row["place_radius"]
  }

  func rule() throws(RegistryError) -> PlaceRule? {
    if let id { return .fixed(id: id) }
    if let path {
      guard let template = try? PathTemplate(path) else {
        throw RegistryError.damaged("the path template “\(path)”")
      }
      return .path(template: template)
    }
    if let query { return .query(item: query) }
    if let latitudeItem, let longitudeItem, let radius {
      return .coordinates(
        latitudeItem: latitudeItem, longitudeItem: longitudeItem, radius: radius)
    }
    return nil
  }
}
