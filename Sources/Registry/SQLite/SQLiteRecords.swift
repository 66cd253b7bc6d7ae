internal import GRDB
import Invocation

/// The primitive steps of a transaction on an SQLite database: clips, experiences and places.
final class SQLiteRecords: RegistryRecords {
  let database: Database
  let path: String
  /// Where the file is; see ``RecorderHome``.
  let home: String

  // What was looked up in this transaction, which nobody else can change.
  var own: Recorder?
  var recorderKeys: [Recorder: Int64] = [:]
  var knownHeads: [Recorder: ChainHead] = [:]
  var walkKeys: [Walk.ID: Int64] = [:]

  init(_ database: Database, path: String, home: String) {
    self.database = database
    self.path = path
    self.home = home
  }

  /// Runs a statement, which is compiled once per connection.
  func run(_ sql: String, _ arguments: StatementArguments = []) throws(RegistryError) {
    try throwingRegistryErrors(path: path) {
      try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }
  }

  /// Reads rows and makes a value of each.
  func rows<Value>(
    _ sql: String, _ arguments: StatementArguments = [], _ make: (Row) throws -> Value
  ) throws(RegistryError) -> [Value] {
    try throwingRegistryErrors(path: path) {
      let cursor = try Row.fetchCursor(
        try database.cachedStatement(sql: sql), arguments: arguments)
      var values: [Value] = []
      while let row = try cursor.next() { values.append(try make(row)) }
      return values
    }
  }

  func number(_ sql: String, _ arguments: StatementArguments = []) throws(RegistryError) -> Int {
    try rows(sql, arguments) { row -> Int in row[0] ?? 0 }.first ?? 0
  }

  func counts() throws(RegistryError) -> RegistryCounts {
    RegistryCounts(
      clips: try number("SELECT count(*) FROM clip"),
      experiences: try number("SELECT count(*) FROM experience"),
      places: try number("SELECT count(*) FROM place"),
      codes: try number("SELECT count(*) FROM code"))
  }

  // MARK: Clips

  func clip(bundleID: String) throws(RegistryError) -> AppClip? {
    try clips("WHERE bundle_id = ?", [bundleID]).first
  }

  func clips(associatedWith host: String) throws(RegistryError) -> [AppClip] {
    try clips("WHERE bundle_id IN (SELECT bundle_id FROM clip_domain WHERE host = ?)", [host])
  }

  func clips() throws(RegistryError) -> [AppClip] { try clips("", []) }

  private func clips(
    _ condition: String, _ arguments: StatementArguments
  ) throws(RegistryError) -> [AppClip] {
    try rows(
      """
      SELECT clip.*, (
        SELECT group_concat(host, ' ')
        FROM (SELECT host FROM clip_domain AS d WHERE d.bundle_id = clip.bundle_id
              ORDER BY position)
      ) AS domains
      FROM clip \(condition) ORDER BY bundle_id
      """, arguments, AppClip.init(row:))
  }

  func store(_ clip: AppClip) throws(RegistryError) {
    let card = clip.defaultExperience
    try run(
      """
      INSERT INTO clip VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
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
      try run("INSERT INTO clip_domain VALUES (?, ?, ?)", [clip.bundleID, position, host])
    }
  }

  func deleteClip(bundleID: String) throws(RegistryError) {
    try run("DELETE FROM clip WHERE bundle_id = ?", [bundleID])
  }

  // MARK: Experiences

  func experience(normalized: String) throws(RegistryError) -> AdvancedExperience? {
    try rows(
      "SELECT * FROM experience WHERE normalized = ?", [normalized],
      AdvancedExperience.init(row:)
    ).first
  }

  func experiences(
    host: String, foldedKeys: Set<String>
  ) throws(RegistryError) -> [AdvancedExperience] {
    // A power of two of places for keys, so that few statements are compiled; what is left over is
    // NULL, which equals nothing.
    var places = 8
    while places < foldedKeys.count { places *= 2 }
    var arguments: [(any DatabaseValueConvertible)?] = [host]
    arguments += foldedKeys.map { $0 }
    arguments += Array(repeating: nil, count: places - foldedKeys.count)
    let marks = Array(repeating: "?", count: places).joined(separator: ", ")
    return try rows(
      "SELECT * FROM experience WHERE host = ? AND folded_key IN (\(marks)) ORDER BY normalized",
      StatementArguments(arguments), AdvancedExperience.init(row:))
  }

  func catalog(
    ofHost host: String, atMost limit: Int
  ) throws(RegistryError) -> ExperienceCatalog? {
    let count = try number(
      "SELECT count(*) FROM (SELECT 1 FROM experience WHERE host = ? LIMIT ?)", [host, limit + 1])
    guard count <= limit else { return nil }
    return try ExperienceCatalog { add throws(RegistryError) in
      _ = try rows(
        "SELECT * FROM experience WHERE host = ? ORDER BY folded_key", [host],
        { row in add(try AdvancedExperience(row: row)) })
    }
  }

  func experiences(ofClip bundleID: String?) throws(RegistryError) -> [AdvancedExperience] {
    if let bundleID {
      return try rows(
        "SELECT * FROM experience WHERE bundle_id = ? ORDER BY normalized", [bundleID],
        AdvancedExperience.init(row:))
    }
    return try rows(
      "SELECT * FROM experience ORDER BY bundle_id, normalized", [], AdvancedExperience.init(row:))
  }

  func experiences(fixedTo placeID: String) throws(RegistryError) -> [AdvancedExperience] {
    try rows(
      "SELECT * FROM experience WHERE place_id = ? ORDER BY normalized", [placeID],
      AdvancedExperience.init(row:))
  }

  func store(_ experience: AdvancedExperience) throws(RegistryError) {
    let link = experience.link
    let rule = PlaceRuleColumns(experience.place)
    try run(
      """
      INSERT INTO experience VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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

  func deleteExperience(normalized: String) throws(RegistryError) {
    try run("DELETE FROM experience WHERE normalized = ?", [normalized])
  }

  // MARK: Places

  func place(id: String) throws(RegistryError) -> Place? {
    try rows("SELECT * FROM place WHERE id = ?", [id], Place.init(row:)).first
  }

  func places() throws(RegistryError) -> [Place] {
    try rows("SELECT * FROM place ORDER BY id", [], Place.init(row:))
  }

  func store(_ place: Place) throws(RegistryError) {
    let region = RegionColumns(place.region)
    try run(
      """
      INSERT INTO place VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET
        name = excluded.name, latitude = excluded.latitude, longitude = excluded.longitude,
        radius = excluded.radius, polygon = excluded.polygon, regions = excluded.regions
      """,
      [
        place.id, place.name, region.latitude, region.longitude, region.radius, region.polygon,
        region.regions,
      ])
  }

  func deletePlace(id: String) throws(RegistryError) {
    try run("DELETE FROM place WHERE id = ?", [id])
  }
}
