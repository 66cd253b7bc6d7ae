import CliptagBasics
import Foundation

/// The result of creating a registry in a database of PostgreSQL.
public struct ServerSetup: Hashable, Sendable {
  /// The role that owns the tables, without a login.
  public let owner: String
  /// The role of logins that issue and record.
  public let station: String
  /// The role of logins that only look up and check.
  public let reader: String
  /// A Boolean value that indicates whether the registry existed before.
  public let wasThere: Bool
  /// The version of its tables.
  public var format: Int { RegistryFormat.current }
}

extension RegistryLocation {
  /// Creates a registry in a database of PostgreSQL, with its roles. An existing registry keeps its
  /// contents; its roles are granted their rights once more, and each login begins a new chain with
  /// its next entry.
  ///
  /// The login needs the rights to create roles, and schemas in the database: those of a superuser,
  /// or of a login with `CREATEROLE` that created the database or was granted `CREATE` on it. If an
  /// administrator created the roles before and granted the owner's role to the login, it needs no
  /// right to create roles.
  ///
  /// - Throws: `RegistryError` with `RegistryError.Code.notPermitted`, whose hint contains the
  ///   statements for an administrator; `RegistryError.Code.unavailable`,
  ///   `RegistryError.Code.newerVersion`. Nothing is changed then.
  public func makeOnServer(busyTimeout: Duration = .seconds(10)) throws(RegistryError)
    -> ServerSetup
  {
    guard let address = serverAddress(patience: busyTimeout) else {
      throw RegistryError(
        .unwritable, "Only a registry on a server has roles.", hint: "Give a server's address.")
    }
    let (connection, _) = try PostgreSQLRegistry.connect(address, .forOwner(busyTimeout))
    do {
      return try RegistryRoles.make(on: connection, at: address)
    } catch {
      throw RegistryError(error, at: address)
    }
  }
}

/// The roles of a registry. Roles belong to a whole server, so their names begin with the
/// database's: a writer of one shop's registry may not write in another's.
enum RegistryRoles {
  /// The facts of the server and the login from the catalog.
  private struct Facts {
    let database: String
    let login: String
    /// A Boolean value that indicates whether a login that creates a role may grant it but not act
    /// as it, as since version 16.
    let separatesSetting: Bool

    init(_ row: PostgreSQLRow) {
      database = row.text("database") ?? ""
      login = row.text("login") ?? ""
      separatesSetting = (row.integer("version") ?? 0) >= 160_000
    }
  }

  /// A role's facts in the catalog.
  private struct Role {
    var exists = false
    /// A Boolean value that indicates whether the login may act as the role.
    var isOpen = false
    /// A Boolean value that indicates whether the role of stations is a member of the role.
    var hasStations = false
  }

  static func make(
    on connection: PostgreSQLConnection, at address: ServerAddress
  ) throws -> ServerSetup {
    let found = try connection.run([
      .init(
        sql: """
          SELECT current_database()::text AS database, session_user::text AS login,
            current_setting('server_version_num')::bigint AS version
          """)
    ])
    let facts = Facts(PostgreSQLRow(found[0]))
    let registry = try PostgreSQLCatalog(connection, address)
    try registry?.requireCurrent(address)
    // A database that was renamed or restored under another name keeps its roles.
    let present = registry?.owner
    let isThere = present != nil
    var name = present ?? facts.database
    if name.hasSuffix("_owner") { name.removeLast("_owner".count) }
    let setup = ServerSetup(
      owner: present ?? "\(name)_owner", station: "\(name)_station", reader: "\(name)_reader",
      wasThere: isThere)
    guard setup.station.utf8.count <= 63 else {
      throw RegistryError(
        .invalid,
        "The name of the database, “\(facts.database)”, is too long for the names of its roles.",
        hint: "Use a database with a name of at most 55 bytes.", path: address.description)
    }
    // A dump restored where its roles were missing belongs to the login that restored it.
    guard present != facts.login else { throw restoredWithoutRoles(facts, address) }
    let statements =
      ["BEGIN"]
      + roles(
        setup, facts, try known([setup.owner, setup.station, setup.reader], facts, connection))
      + (isThere
        ? [] : ["CREATE SCHEMA \(PostgreSQLSchema.name) AUTHORIZATION \(quoted(setup.owner))"])
      + becoming(setup) + (isThere ? leavingChains : PostgreSQLSchema.statements) + rights(setup)
      + ["RESET ROLE", "COMMIT"]
    do {
      _ = try connection.run(statements.map { .init(sql: $0) })
    } catch {
      _ = try? connection.run([.init(sql: "ROLLBACK")])
      guard let trouble = error as? ServerTrouble, trouble.state == "42501" else { throw error }
      throw notPermitted(setup, facts, trouble, address)
    }
    return setup
  }

  /// Makes each login begin a new chain. An existing registry may be a copy of one that continues
  /// elsewhere, such as a snapshot of the server's volume, which cannot be distinguished from the
  /// original.
  private static let leavingChains = [
    "ALTER TABLE recorder DISABLE TRIGGER recorder_has_its_login",
    "UPDATE recorder SET home = NULL WHERE home IS NOT NULL",
    "ALTER TABLE recorder ENABLE TRIGGER recorder_has_its_login",
  ]

  private static func restoredWithoutRoles(
    _ facts: Facts, _ address: ServerAddress
  ) -> RegistryError {
    let names = ["owner", "station", "reader"].map { quoted("\(facts.database)_\($0)") }
    return RegistryError(
      .notARegistry,
      "The registry \(address.description) belongs to the login “\(facts.login)”, like a dump that was "
        + "restored without its roles: stations cannot use it.",
      hint: Hint(
        "Make the roles, then restore the dump into an empty database: "
          + names.map { "CREATE ROLE \($0) NOLOGIN;" }.joined(separator: " ")),
      path: address.description)
  }

  /// Brings a registry of an older format up to date, as its owner.
  ///
  /// - Returns: The format before.
  static func upgrade(
    on line: PostgreSQLSession.Line, at address: ServerAddress, isRehearsal: Bool
  ) throws -> Int {
    let connection = line.connection
    guard let registry = try PostgreSQLCatalog(connection, address) else {
      throw RegistryError(
        .missing, "The database \(address.description) has no registry yet.",
        hint: "Let the owner of the database make one.", path: address.description)
    }
    guard registry.version < RegistryFormat.current else { return registry.version }
    guard registry.version >= RegistryFormat.firstOnServers else {
      throw RegistryError(
        .damaged,
        "The registry \(address.description) states format \(registry.version).",
        hint: "Restore it from a copy.", path: address.description)
    }
    let stem = registry.owner.hasSuffix("_owner") ? registry.owner.dropLast(6) : registry.owner[...]
    let setup = ServerSetup(
      owner: registry.owner, station: "\(stem)_station", reader: "\(stem)_reader", wasThere: true)
    let statements =
      ["BEGIN"] + becoming(setup) + ["LOCK TABLE meta IN ACCESS EXCLUSIVE MODE"]
      + PostgreSQLSchema.upgrade(from: registry.version) + rights(setup)
    do {
      _ = try connection.run(statements.map { .init(sql: $0) })
      if registry.version < RegistryFormat.merges {
        let session = PostgreSQLSession(continuing: line, at: address)
        try RegistryTransaction(session, mayChange: true).adoptMerges()
        try session.settleReferences()
      }
      _ = try connection.run(
        ["RESET ROLE", isRehearsal ? "ROLLBACK" : "COMMIT"].map { .init(sql: $0) })
    } catch {
      _ = try? connection.run([.init(sql: "ROLLBACK")])
      throw error
    }
    return registry.version
  }

  /// Returns the statements that continue as the owner, in the registry.
  private static func becoming(_ setup: ServerSetup) -> [String] {
    [
      "SET LOCAL ROLE \(quoted(setup.owner))",
      "SET LOCAL search_path = \(PostgreSQLGuards.path)",
    ]
  }

  /// Returns the catalog's facts about roles, by name.
  private static func known(
    _ names: [String], _ facts: Facts, _ connection: PostgreSQLConnection
  ) throws -> [String: Role] {
    let results = try connection.run(
      names.map { name in
        .init(
          sql: """
            SELECT pg_has_role(session_user, oid, '\(facts.separatesSetting ? "SET" : "MEMBER")') AS open,
              EXISTS (SELECT 1 FROM pg_catalog.pg_auth_members WHERE roleid = r.oid
                AND member = (SELECT oid FROM pg_catalog.pg_roles WHERE rolname = ?::name)) AS stations
            FROM pg_catalog.pg_roles AS r WHERE rolname = ?::name
            """, arguments: [names[1], name])
      })
    var roles: [String: Role] = [:]
    for (name, result) in zip(names, results) where result.count > 0 {
      let row = PostgreSQLRow(result)
      roles[name] = Role(
        exists: true, isOpen: row.integer("open") == 1, hasStations: row.integer("stations") == 1)
    }
    return roles
  }

  private static func notPermitted(
    _ setup: ServerSetup, _ facts: Facts, _ trouble: ServerTrouble, _ address: ServerAddress
  ) -> RegistryError {
    let creations = [setup.owner, setup.station, setup.reader].map {
      "CREATE ROLE \(quoted($0)) NOLOGIN;"
    }
    let grants = [
      "GRANT \(quoted(setup.reader)) TO \(quoted(setup.station));",
      "GRANT \(quoted(setup.owner)) TO \(quoted(facts.login));",
      "GRANT CREATE ON DATABASE \(quoted(facts.database)) TO \(quoted(facts.login));",
    ]
    return RegistryError(
      .notPermitted,
      "The login “\(facts.login)” may not make the registry \(address.description) "
        + "(\(address.redacted(trouble.message.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""))).",
      hint: Hint(
        "Let an administrator of the server grant the missing rights of these, then try again: "
          + (creations + grants).joined(separator: " ")),
      path: address.description, underlying: trouble)
  }

  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// Returns the statements that create missing roles, so that the login may act as the owner.
  private static func roles(
    _ setup: ServerSetup, _ facts: Facts, _ known: [String: Role]
  ) -> [String] {
    let names = [setup.owner, setup.station, setup.reader]
    var statements = names.filter { known[$0] == nil }.map { "CREATE ROLE \(quoted($0)) NOLOGIN" }
    // A superuser may act as every role and needs no grant. Before version 16 the creator of a role
    // is not its member; since then it is a member that may only grant the role.
    if known[setup.owner]?.isOpen != true {
      statements.append(
        """
        DO $do$ BEGIN
          IF NOT (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = session_user) THEN
            GRANT \(quoted(setup.owner)) TO \(quoted(facts.login))
              \(facts.separatesSetting ? "WITH SET TRUE, INHERIT TRUE" : "");
          END IF;
        END $do$
        """)
    }
    if known[setup.reader]?.hasStations != true {
      statements.append("GRANT \(quoted(setup.reader)) TO \(quoted(setup.station))")
    }
    return statements
  }

  /// The tables and columns that a station may change: of the history, it may only add rows.
  private static let changes: [(table: String, rights: String)] = [
    ("clip", "INSERT, UPDATE, DELETE"), ("clip_domain", "INSERT, UPDATE, DELETE"),
    ("place", "INSERT, UPDATE, DELETE"), ("experience", "INSERT, UPDATE, DELETE"),
    ("code", "INSERT, UPDATE (status)"), ("recorder", "INSERT, UPDATE (home, merged)"),
    ("code_entry", "INSERT"), ("setting_entry", "INSERT"),
    ("tag_counter", "INSERT, UPDATE, DELETE"), ("app_clip_code_badge", "INSERT"),
    ("batch", "INSERT"), ("batch_event", "INSERT"), ("batch_claim", "INSERT, UPDATE, DELETE"),
    (
      "batch_row",
      "INSERT, UPDATE (state, uid, tag_type, hash, signature, locked, reader, code, changed, who, reason)"
    ),
    ("walk", "INSERT"), ("walk_stop", "INSERT"), ("walk_reading", "INSERT"),
    ("walk_picture", "INSERT"), ("follow_up", "INSERT"),
  ]

  private static func rights(_ setup: ServerSetup) -> [String] {
    let (station, reader) = (quoted(setup.station), quoted(setup.reader))
    return [
      "GRANT USAGE ON SCHEMA \(PostgreSQLSchema.name) TO \(reader)",
      "GRANT SELECT ON ALL TABLES IN SCHEMA \(PostgreSQLSchema.name) TO \(reader)",
    ] + changes.map { "GRANT \($0.rights) ON \($0.table) TO \(station)" }
      + PostgreSQLGuards.calledByStations.map { "GRANT EXECUTE ON FUNCTION \($0) TO \(station)" }
  }
}
