import Foundation

/// The registry's tables, guards and roles in a database of PostgreSQL.
///
/// They stand in a schema of their own, so that the database may hold other things. The tables are those of
/// ``RegistryTable``; what SQLite's triggers refuse is refused here by triggers, too, and those who only work
/// with the registry cannot take them away: the tables belong to a role that nobody logs in as.
enum PostgreSQLSchema {
  /// The schema, and the channel on which changes are told.
  static let name = "cliptag"

  /// The version this software reads and writes; that of ``RegistrySchema`` with the same tables.
  static let currentVersion = 11

  /// The statements that make everything in the schema, which is the first of the search path.
  static var statements: [String] {
    tables + indexes + functions + guards.map(\.statement) + [
      "CREATE TABLE meta (version bigint NOT NULL)",
      "CREATE UNIQUE INDEX meta_has_one_row ON meta ((true))",
      "INSERT INTO meta VALUES (\(currentVersion))",
    ]
  }

  /// A table's statement. Texts compare byte for byte, whatever the database's language is.
  private static var tables: [String] {
    RegistryTable.all.map { table in
      let columns = table.columns.map { column in
        let type =
          switch column.kind {
          case .text: "text COLLATE \"C\""
          case .integer: "bigint"
          case .number: "double precision"
          case .bytes: "bytea"
          case .truth: "boolean"
          case .identity: "bigint GENERATED ALWAYS AS IDENTITY"
          }
        return "\(column.name) \(type)\(column.isOptional ? "" : " NOT NULL")"
      }
      // A merge may tell of a code before it is there.
      let rules = table.rules.map { $0.hasPrefix("FOREIGN KEY") ? $0 + " DEFERRABLE" : $0 }
      let parts = columns + ["PRIMARY KEY (\(table.key.joined(separator: ", ")))"] + rules
      // Who logged in keeps a chain: nobody else goes on with it.
      let login = table.name == "recorder" ? ["login text COLLATE \"C\""] : []
      return "CREATE TABLE \(table.name) (\((parts + login).joined(separator: ", ")))"
    }
  }

  private static let indexes = [
    "CREATE INDEX clip_domain_by_host ON clip_domain (host)",
    "CREATE INDEX experience_by_key ON experience (host, folded_key)",
    "CREATE INDEX experience_by_clip ON experience (bundle_id, normalized)",
    "CREATE INDEX experience_by_place ON experience (place_id) WHERE place_id IS NOT NULL",
    "CREATE INDEX code_by_payload ON code (payload)",
    "CREATE INDEX code_by_tag ON code (tag_uid) WHERE tag_uid IS NOT NULL",
    "CREATE INDEX code_by_place ON code (place_id) WHERE place_id IS NOT NULL",
    "CREATE INDEX code_entry_by_code ON code_entry (code)",
    "CREATE INDEX code_entry_of_reprint ON code_entry (code) WHERE kind = 'issued' AND NOT begins",
    "CREATE UNIQUE INDEX batch_row_has_its_own_tag ON batch_row (batch, uid) WHERE uid IS NOT NULL",
    "CREATE INDEX batch_row_by_tag ON batch_row (uid) WHERE uid IS NOT NULL",
    "CREATE INDEX batch_row_by_state ON batch_row (batch, state)",
    """
    CREATE INDEX batch_row_by_wanted_tag ON batch_row (batch, wanted_uid) WHERE wanted_uid IS NOT NULL
    """,
    "CREATE INDEX batch_event_by_tag ON batch_event (batch, uid) WHERE uid IS NOT NULL",
    "CREATE INDEX walk_stop_by_digest ON walk_stop (walk, digest) WHERE digest IS NOT NULL",
    "CREATE INDEX walk_stop_by_sign ON walk_stop (walk, sign) WHERE sign IS NOT NULL",
  ]

  /// A function for triggers.
  private static func function(_ name: String, declaring: String = "", _ body: String) -> String {
    """
    CREATE FUNCTION \(name)() RETURNS trigger LANGUAGE plpgsql
    SET search_path = \(Self.name), pg_temp AS $$
    \(declaring.isEmpty ? "" : "DECLARE \(declaring)")
    BEGIN
    \(body)
    RETURN NEW;
    END $$
    """
  }

  private static func refusing(_ condition: String, _ why: String) -> String {
    "\nIF \(condition) THEN RAISE EXCEPTION '\(why)'; END IF;\n"
  }

  private static let functions = [
    function("refuse", "RAISE EXCEPTION '%', TG_ARGV[0];"),
    function(
      "chain_goes_on", declaring: "last record; own text;",
      """
      SELECT * INTO last FROM (
        (SELECT number, hash FROM code_entry WHERE recorder = NEW.recorder
         ORDER BY number DESC LIMIT 1)
        UNION ALL
        (SELECT number, hash FROM setting_entry WHERE recorder = NEW.recorder
         ORDER BY number DESC LIMIT 1)
      ) AS heads ORDER BY number DESC LIMIT 1;
      """
        + refusing(
          """
          NEW.number <> coalesce(last.number, 0) + 1
            OR NEW.previous <> coalesce(last.hash, decode(repeat('00', 32), 'hex'))
          """, "the record is append-only")
        + "SELECT login INTO own FROM recorder WHERE key = NEW.recorder;"
        + refusing("own <> session_user", "a chain is gone on with by who began it")),
    // A station says with its own chain who it is; only itself can leave it.
    function(
      "recorder_has_login",
      """
      IF TG_OP = 'UPDATE' THEN
      """
        + refusing(
          """
          NEW.key <> OLD.key OR NEW.id <> OLD.id OR NEW.home IS NOT NULL
            OR OLD.login IS DISTINCT FROM session_user AND OLD.home IS NOT NULL
          """, "the record is append-only")
          + """
          END IF;
          NEW.login := CASE WHEN NEW.home IS NULL THEN NULL ELSE session_user END;
          """),
    function(
      "code_is_retired",
      refusing(
        """
        NEW.status <> 'retired' OR OLD.status <> 'issued'
          OR to_jsonb(NEW) - 'status' <> to_jsonb(OLD) - 'status'
        """, "an issued code only ever becomes retired")),
    function(
      "batch_row_is_next",
      refusing(
        """
        NEW.state <> 'pending' OR NEW.number <>
          (SELECT coalesce(max(number), 0) + 1 FROM batch_row WHERE batch = NEW.batch)
        """, "rows of a batch are appended")),
    function(
      "batch_row_goes_on",
      refusing(
        """
        NEW.batch <> OLD.batch OR NEW.number <> OLD.number OR NEW.url <> OLD.url
          OR NEW.label IS DISTINCT FROM OLD.label OR NEW.place IS DISTINCT FROM OLD.place
          OR NEW.wanted_uid IS DISTINCT FROM OLD.wanted_uid OR NEW.captions <> OLD.captions
        """, "what a batch was asked for is not changed")
        + refusing(
          """
          OLD.state || ' ' || NEW.state NOT IN (
            'pending intended', 'pending skipped', 'intended pending', 'intended written',
            'intended done', 'written written', 'written done', 'written pending', 'done done',
            'done pending', 'skipped pending')
            OR NEW.uid <> OLD.uid
          """, "a row of a batch does not go this way")),
    function(
      "batch_event_is_next",
      refusing(
        """
        NEW.sequence <> (SELECT coalesce(max(sequence), 0) + 1 FROM batch_event
          WHERE batch = NEW.batch AND row = NEW.row)
        """, "the history of a batch is append-only")),
    function(
      "counter_rises",
      refusing(
        "NEW.counter <= OLD.counter OR NEW.uid <> OLD.uid", "the counter of a tag only rises")),
    function(
      "walk_stop_is_next",
      refusing(
        """
        NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM walk_stop WHERE walk = NEW.walk)
        """, "walks are append-only")),
    function(
      "walk_reading_is_next",
      refusing(
        """
        NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM walk_reading
                       WHERE walk = NEW.walk AND stop = NEW.stop)
          OR NEW.number > (SELECT readings FROM walk_stop
                           WHERE walk = NEW.walk AND number = NEW.stop)
        """, "walks are append-only")),
    function(
      "walk_picture_is_the_one",
      refusing(
        """
        NOT EXISTS (SELECT 1 FROM walk_stop
                    WHERE walk = NEW.walk AND number = NEW.stop AND pictured)
        """, "walks are append-only")),
  ]

  private struct Guard {
    let name: String
    let statement: String

    init(_ name: String, _ event: String, _ table: String, each: String = "ROW", _ call: String) {
      self.name = name
      statement =
        "CREATE TRIGGER \(name) BEFORE \(event) ON \(table) FOR EACH \(each) EXECUTE FUNCTION \(call)"
    }
  }

  /// Tables of which nothing is ever changed, and those of which nothing is ever deleted.
  private static let unchanged = [
    "code_entry", "setting_entry", "batch", "batch_event", "walk", "walk_stop", "walk_reading",
    "walk_picture", "app_clip_code_badge",
  ]
  private static let kept = unchanged + ["code", "batch_row", "recorder"]

  /// The guards. `batch_row_is_appended` alone is switched off for a moment, by the owner, to take in a
  /// registry whose batches are under way.
  private static let guards: [Guard] =
    unchanged.map {
      Guard("\($0)_is_not_changed", "UPDATE", $0, "refuse('\($0): nothing is changed')")
    }
    + kept.flatMap { table in
      [
        Guard("\(table)_is_not_deleted", "DELETE", table, "refuse('\(table): nothing is deleted')"),
        Guard(
          "\(table)_is_not_emptied", "TRUNCATE", table, each: "STATEMENT",
          "refuse('\(table): nothing is deleted')"),
      ]
    }
    + [
      Guard("code_entry_continues_its_chain", "INSERT", "code_entry", "chain_goes_on()"),
      Guard("setting_entry_continues_its_chain", "INSERT", "setting_entry", "chain_goes_on()"),
      Guard("recorder_has_its_login", "INSERT OR UPDATE", "recorder", "recorder_has_login()"),
      Guard("code_is_only_retired", "UPDATE", "code", "code_is_retired()"),
      Guard("batch_row_is_appended", "INSERT", "batch_row", "batch_row_is_next()"),
      Guard("batch_row_goes_its_way", "UPDATE", "batch_row", "batch_row_goes_on()"),
      Guard("batch_event_continues_the_sequence", "INSERT", "batch_event", "batch_event_is_next()"),
      Guard("tag_counter_only_rises", "UPDATE", "tag_counter", "counter_rises()"),
      Guard("walk_stop_follows_the_last", "INSERT", "walk_stop", "walk_stop_is_next()"),
      Guard("walk_reading_follows_the_last", "INSERT", "walk_reading", "walk_reading_is_next()"),
      Guard("walk_picture_is_the_one", "INSERT", "walk_picture", "walk_picture_is_the_one()"),
    ]

  /// The version of a registry that is there and whose guards are on their posts.
  ///
  /// - Throws: ``RegistryError``; ``ServerTrouble``.
  static func checkedVersion(
    _ connection: PostgreSQLConnection, _ address: ServerAddress
  ) throws -> Int {
    let place = address.description
    let results: [PostgreSQLResult]
    do {
      results = try connection.run([
        .init(sql: "SELECT version FROM \(name).meta"),
        .init(
          sql: """
            SELECT t.tgname::text AS name, t.tgenabled IN ('O', 'A') AS watches FROM pg_trigger AS t
            JOIN pg_class AS c ON c.oid = t.tgrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = '\(name)' AND NOT t.tgisinternal
            """),
      ])
    } catch let trouble as ServerTrouble where ["42P01", "3F000"].contains(trouble.state) {
      throw RegistryError(
        .missing, "There is no registry in the database \(place) yet.",
        hint: "Have the owner of the database make one, or open another.", path: place)
    }
    let version = PostgreSQLRow(results[0]).integer("version").map(Int.init) ?? 0
    guard version <= currentVersion else {
      throw RegistryError(
        .newerVersion,
        "The registry \(place) has format \(version); this version of cliptag knows formats up to "
          + "\(currentVersion).",
        hint: "Install a newer cliptag.", path: place)
    }
    var watching: Set<String> = []
    let rows = PostgreSQLRows(results[1])
    while let row = try rows.next() {
      if row.integer("watches") == 1 { watching.insert(row.text("name") ?? "") }
    }
    let missing = guards.map(\.name).filter { !watching.contains($0) }.sorted()
    guard missing.isEmpty else {
      throw RegistryError(
        .altered,
        "The registry \(place) is not guarded as cliptag guards it: \(missing.prefix(3).joined(separator: ", "))"
          + (missing.count > 3 ? " and \(missing.count - 3) more" : "")
          + " is off or missing. Its owner changed it.",
        hint:
          "Find out who switched that off, and verify the record; what this registry says is not to "
          + "be trusted.", path: place)
    }
    return version
  }
}
