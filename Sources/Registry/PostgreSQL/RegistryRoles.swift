import Foundation

/// What making a registry in a database of PostgreSQL did.
public struct ServerSetup: Hashable, Sendable {
  /// The role to which the tables belong. Nobody logs in as it.
  public let owner: String
  /// The role of who issues and records.
  public let station: String
  /// The role of who only looks things up and checks.
  public let reader: String
  /// Whether the registry was there already.
  public let wasThere: Bool
  /// The version of its tables.
  public var format: Int { PostgreSQLSchema.currentVersion }
}

extension RegistryLocation {
  /// Makes a registry in a database of PostgreSQL, and the roles of those who work with it; one that is
  /// there keeps what it holds, and its roles are given what they need once more.
  ///
  /// The login needs the right to create roles and to create schemas in the database; whoever made the
  /// database has the second, a superuser has both. Where the roles are there already and the login is a
  /// member of that of the owner, it needs no right to create them.
  ///
  /// - Throws: ``RegistryError`` with ``RegistryError/Code/notPermitted``,
  ///   ``RegistryError/Code/unavailable``, ``RegistryError/Code/newerVersion``. Nothing is changed then.
  public func makeOnServer(busyTimeout: Duration = .seconds(10)) throws(RegistryError)
    -> ServerSetup
  {
    guard let address = serverAddress(patience: busyTimeout) else {
      throw RegistryError(
        .unwritable, "Only a registry on a server has roles.", hint: "Name a server's address.")
    }
    let (connection, _) = try PostgreSQLRegistry.connect(address, busyTimeout: busyTimeout)
    do {
      return try RegistryRoles.make(on: connection, at: address)
    } catch {
      throw RegistryError(error, at: address)
    }
  }
}

/// The roles of a registry. A role is one of all databases of a server, so that their names begin with the
/// database's: who may write in one shop's registry may not in another's.
enum RegistryRoles {
  static func make(
    on connection: PostgreSQLConnection, at address: ServerAddress
  ) throws -> ServerSetup {
    let facts = try connection.run([
      .init(
        sql: """
          SELECT current_database()::text AS database, session_user::text AS login,
            (SELECT pg_get_userbyid(nspowner)::text FROM pg_namespace
             WHERE nspname = '\(PostgreSQLSchema.name)') AS owner
          """)
    ])
    let row = PostgreSQLRow(facts[0])
    let database = row.text("database") ?? ""
    // A database that was renamed or restored under another name keeps its roles.
    let present = row.text("owner")
    let isThere = present != nil
    if isThere { _ = try PostgreSQLSchema.checkedVersion(connection, address) }
    var name = present ?? database
    if name.hasSuffix("_owner") { name.removeLast("_owner".count) }
    let setup = ServerSetup(
      owner: present ?? "\(name)_owner", station: "\(name)_station", reader: "\(name)_reader",
      wasThere: isThere)
    guard setup.station.utf8.count <= 63 else {
      throw RegistryError(
        .invalid,
        "The name of the database, “\(database)”, is too long for the names of its roles.",
        hint: "Take a database with a name of at most 55 bytes.", path: address.description)
    }
    let statements =
      ["BEGIN", "SELECT pg_advisory_xact_lock(\(PostgreSQLSession.lock))"]
      + roles(setup, login: row.text("login") ?? "", database: database)
      + (isThere ? [] : PostgreSQLSchema.statements)
      + ["SET LOCAL search_path = \(PostgreSQLSchema.name), pg_temp"] + rights(setup)
      + ["RESET ROLE", "COMMIT"]
    do {
      _ = try connection.run(statements.map { .init(sql: $0) })
    } catch {
      _ = try? connection.run([.init(sql: "ROLLBACK")])
      throw error
    }
    return setup
  }

  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  private static func text(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }

  /// Makes what is missing of the roles, and becomes the owner.
  private static func roles(_ setup: ServerSetup, login: String, database: String) -> [String] {
    let creations = [setup.owner, setup.station, setup.reader].map { role in
      """
      DO $do$ BEGIN
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = \(text(role))) THEN
          CREATE ROLE \(quoted(role)) NOLOGIN;
        END IF;
      END $do$
      """
    }
    let (owner, place) = (quoted(setup.owner), quoted(database))
    return creations + [
      """
      DO $do$ BEGIN
        IF NOT pg_has_role(\(text(login)), \(text(setup.owner)), 'MEMBER') THEN
          GRANT \(owner) TO \(quoted(login));
        END IF;
        IF NOT pg_has_role(\(text(setup.station)), \(text(setup.reader)), 'MEMBER') THEN
          GRANT \(quoted(setup.reader)) TO \(quoted(setup.station));
        END IF;
        IF NOT has_database_privilege(\(text(setup.owner)), \(text(database)), 'CREATE') THEN
          GRANT CREATE ON DATABASE \(place) TO \(owner);
        END IF;
      END $do$
      """,
      "SET LOCAL ROLE \(owner)",
    ]
  }

  /// What a station may change of a table: nothing of what is history, and of other things what its work
  /// changes.
  private static let changes: [(table: String, rights: String)] = [
    ("clip", "INSERT, UPDATE, DELETE"), ("clip_domain", "INSERT, UPDATE, DELETE"),
    ("place", "INSERT, UPDATE, DELETE"), ("experience", "INSERT, UPDATE, DELETE"),
    ("code", "INSERT, UPDATE (status)"), ("recorder", "INSERT, UPDATE (home)"),
    ("code_entry", "INSERT"), ("setting_entry", "INSERT"),
    ("tag_counter", "INSERT, UPDATE, DELETE"), ("app_clip_code_badge", "INSERT"),
    ("batch", "INSERT"), ("batch_event", "INSERT"), ("batch_claim", "INSERT, UPDATE, DELETE"),
    (
      "batch_row",
      "INSERT, UPDATE (state, uid, tag_type, hash, signature, locked, reader, code, changed, who, reason)"
    ),
    ("walk", "INSERT"), ("walk_stop", "INSERT"), ("walk_reading", "INSERT"),
    ("walk_picture", "INSERT"),
  ]

  private static func rights(_ setup: ServerSetup) -> [String] {
    let (station, reader) = (quoted(setup.station), quoted(setup.reader))
    return [
      "GRANT USAGE ON SCHEMA \(PostgreSQLSchema.name) TO \(reader)",
      "GRANT SELECT ON ALL TABLES IN SCHEMA \(PostgreSQLSchema.name) TO \(reader)",
    ] + changes.map { "GRANT \($0.rights) ON \($0.table) TO \(station)" }
  }
}
