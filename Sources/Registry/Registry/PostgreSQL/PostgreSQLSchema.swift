/// The registry's tables in a database of PostgreSQL.
///
/// They are in a separate schema, so that the database may have other contents. The tables are
/// those of ``RegistryTable``; the triggers of ``PostgreSQLGuards`` refuse what SQLite's triggers
/// refuse, and users of the registry cannot remove them: the tables belong to a role without a
/// login.
enum PostgreSQLSchema {
  /// The name of the schema.
  static let name = "cliptag"

  /// The statements that make everything in the schema, which comes first in the search path.
  static var statements: [String] { first + upgrade(from: RegistryFormat.firstOnServers) }

  /// The statements that make the tables of the first format on servers.
  static var first: [String] {
    tables(since: RegistryFormat.firstOnServers) + indexes + [
      "CREATE TABLE meta (version bigint NOT NULL)",
      "CREATE UNIQUE INDEX meta_has_one_row ON meta ((true))",
      "INSERT INTO meta VALUES (\(RegistryFormat.firstOnServers))",
    ]
  }

  /// Returns the statements that bring a registry of an older format to the current one. They call
  /// none of the older format's functions.
  static func upgrade(from version: Int) -> [String] {
    [PostgreSQLGuards.removal] + RegistryFormat.steps.dropFirst(version).flatMap(\.server)
      + PostgreSQLGuards.statements + ["UPDATE meta SET version = \(RegistryFormat.current)"]
  }

  /// The step for the lock of writers. A row of `meta` also holds the time for which a session may
  /// hold the lock, in milliseconds, which the owner may change, and the channel of notifications,
  /// hidden from logins that may not read the registry. `turn` is the row that is locked; `vouched`
  /// holds the ends of chains that checkpoints vouched for, each in one transaction.
  static let turnStep = [
    "ALTER TABLE meta ADD COLUMN channel text, ADD COLUMN idle_limit bigint, ADD COLUMN turn_limit bigint",
    """
    UPDATE meta SET channel = 'cliptag_' || replace(gen_random_uuid()::text, '-', ''),
      idle_limit = 15000, turn_limit = 3600000
    """,
    """
    ALTER TABLE meta ALTER COLUMN channel SET NOT NULL, ALTER COLUMN idle_limit SET NOT NULL,
      ALTER COLUMN turn_limit SET NOT NULL
    """,
    "CREATE TABLE turn ()",
    """
    CREATE TABLE vouched (recorder text NOT NULL, number bigint NOT NULL, hash bytea NOT NULL,
      transaction text NOT NULL)
    """,
  ]

  /// The step for the last print of each code, and the index that finds it.
  static let lastPrintStep =
    tables(since: 13) + [
      "DROP INDEX code_entry_by_code",
      "CREATE INDEX code_entry_by_code ON code_entry (code, recorder, time)",
      """
      INSERT INTO code_print (code, time, recorder, number, details)
      \(RegistrySchema.printsInOrder)
      SELECT code, time, recorder, number, details FROM prints WHERE place = 1
      """,
      readable("code_print"),
    ]

  /// Grants readers of the history access to a derived table.
  static func readable(_ table: String) -> String {
    """
    DO $do$ DECLARE it record; BEGIN
      FOR it IN SELECT DISTINCT a.grantee::regrole AS role
        FROM pg_catalog.pg_class AS c, aclexplode(c.relacl) AS a
        WHERE c.oid = 'code_entry'::regclass AND a.privilege_type = 'SELECT'
          AND a.grantee NOT IN (0, c.relowner)
      LOOP EXECUTE format('GRANT SELECT ON \(table) TO %s', it.role); END LOOP;
    END $do$
    """
  }

  /// The statements that enter the registry.
  static let entering = ["SELECT set_config('search_path', '\(PostgreSQLGuards.path)', false)"]

  /// The statements that listen to changes of others, which a read-only server does not announce.
  static let listening = """
    DO $do$ BEGIN
      IF NOT pg_is_in_recovery() THEN
        EXECUTE format('LISTEN %I', (SELECT channel FROM \(name).meta));
      END IF;
    END $do$
    """

  /// Returns the statements that make tables. Texts compare byte for byte, in a database of any
  /// language.
  static func tables(since version: Int) -> [String] {
    RegistryTable.all.filter { $0.since == version }.map { table in
      let columns = table.columns.filter { $0.since == nil }.map { column in
        let more =
          switch column.kind {
          case .text: " COLLATE \"C\""
          case .identity: " GENERATED ALWAYS AS IDENTITY"
          default: ""
          }
        return
          "\(column.name) \(column.kind.serverType)\(more)\(column.isOptional ? "" : " NOT NULL")"
      }
      // A merge may refer to a code before it is inserted.
      let rules = table.rules.map { $0.hasPrefix("FOREIGN KEY") ? $0 + " DEFERRABLE" : $0 }
      let parts = columns + ["PRIMARY KEY (\(table.key.joined(separator: ", ")))"] + rules
      // Only the login that owns a chain may continue it.
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
}

extension RegistryTable.Kind {
  /// The type of a column, as the catalog of a server calls it.
  var serverType: String {
    switch self {
    case .text: "text"
    case .integer, .identity: "bigint"
    case .number: "double precision"
    case .bytes: "bytea"
    case .truth: "boolean"
    }
  }
}
