import CliptagBasics

/// The state of a registry according to the server's catalog, read before any query to the registry
/// itself.
///
/// A view in place of a table, a function with one of our names or a foreign trigger would run with
/// the caller's rights. Therefore only PostgreSQL's own tables are read here, and the search path
/// contains nothing else.
struct PostgreSQLCatalog {
  /// The role to which the registry belongs.
  let owner: String
  /// The format of the registry.
  let version: Int

  /// Looks a registry up.
  ///
  /// - Parameter isEntering: Whether to enter the registry if it is built as this software builds
  ///   it.
  /// - Returns: `nil` if there is none.
  /// - Throws: `RegistryError.Code.notARegistry` if it belongs to another login or is no
  ///   registry, `RegistryError.Code.newerVersion`, and `RegistryError.Code.altered` if it has
  ///   the current format but is not built as this software builds it; ``ServerTrouble``.
  init?(
    _ connection: PostgreSQLConnection, _ address: ServerAddress, isEntering: Bool = false
  ) throws {
    let place = address.description
    let found = try connection.run(Self.questions.map { .init(sql: $0) })
    guard found[0].count > 0 else { return nil }
    let schema = PostgreSQLRow(found[0])
    owner = schema.text("owner") ?? ""
    guard schema.integer("strange") == 0 else {
      throw RegistryError(
        .notARegistry,
        "The schema \(PostgreSQLSchema.name) of the database \(place) belongs to “\(owner)”, a login "
          + "role: cliptag did not make it.",
        hint: "Check the origin of the schema, or use a database without it.", path: place)
    }
    let parts = try Parts(found)
    guard parts.holdsVersion else {
      throw RegistryError(
        .notARegistry,
        "The schema \(PostgreSQLSchema.name) of the database \(place) was not made by cliptag.",
        hint: "Check the origin of the schema, or use a database without it.", path: place)
    }
    // A plain table of the owner: reading it runs no code of others. The rest is known by then to
    // be cliptag's own, and is entered in the same round trip.
    let version = "SELECT version FROM \(PostgreSQLSchema.name).meta"
    let further = isEntering && parts.differences.isEmpty ? PostgreSQLSchema.entering : []
    let answer = try connection.run(([version] + further).map { .init(sql: $0) })
    self.version = answer[0].count > 0 ? Int(PostgreSQLRow(answer[0]).integer("version") ?? 0) : 0
    if self.version > RegistryFormat.current {
      try Self.requireCurrent(self.version, at: address)
    }
    guard self.version == RegistryFormat.current, !parts.differences.isEmpty else { return }
    let differences = parts.differences
    let told = differences.prefix(3).joined(separator: ", ")
    throw RegistryError(
      .altered,
      "The registry \(place) does not have cliptag's schema: \(told)"
        + (differences.count > 3 ? " and \(differences.count - 3) more" : "")
        + ". Its owner changed it.",
      hint:
        "Find the cause, and verify the record; do not trust the data of this registry.",
      path: place)
  }

  /// Looks up a registry, which must exist and have the current format, and enters it.
  static func enter(
    _ connection: PostgreSQLConnection, _ address: ServerAddress
  ) throws -> PostgreSQLCatalog {
    let place = address.description
    guard let found = try PostgreSQLCatalog(connection, address, isEntering: true) else {
      throw RegistryError(
        .missing, "There is no registry in the database \(place) yet.",
        hint: .sentence(
          "\(.haveRegistryMade(inDatabase: true)), or \(.openAnother(isFile: false))"), path: place)
    }
    try found.requireCurrent(address)
    return found
  }

  /// - Throws: `RegistryError.Code.olderVersion`.
  func requireCurrent(_ address: ServerAddress) throws(RegistryError) {
    try Self.requireCurrent(version, at: address)
  }

  /// - Throws: `RegistryError.Code.olderVersion`, `RegistryError.Code.newerVersion`.
  static func requireCurrent(_ version: Int, at address: ServerAddress) throws(RegistryError) {
    guard version != RegistryFormat.current else { return }
    let (place, isNewer) = (address.description, version > RegistryFormat.current)
    throw RegistryError(
      isNewer ? .newerVersion : .olderVersion,
      "The registry \(place) has format \(version); this version of cliptag "
        + (isNewer ? "knows formats up to" : "works with format") + " \(RegistryFormat.current).",
      hint: isNewer
        ? "Install a newer cliptag."
        : "Let its owner run registry upgrade, or use the older cliptag.",
      path: place)
  }

  // MARK: Parts

  /// The contents of the schema, compared with those that this software makes.
  private struct Parts {
    /// A Boolean value that indicates whether the table of the format is a plain table of the
    /// owner's.
    let holdsVersion: Bool
    /// Each difference, in words.
    private(set) var differences: [String] = []

    init(_ found: [PostgreSQLResult]) throws {
      var tables: [String: String] = [:]
      let rows = PostgreSQLRows(found[1])
      while let row = try rows.next() {
        tables[row.text("name") ?? ""] = row.text("parts")
      }
      holdsVersion = tables["meta"]?.hasPrefix("plain ") == true
      compare("table", tables, Self.tables)
      compare("function", try Self.parts(found[2]), Self.functions)
      compare("guard", try Self.parts(found[3]), Self.triggers)
      let conditions = Set(try Self.parts(found[4]).keys)
      differences += KnownValues.names.filter { !conditions.contains($0) }.sorted()
        .map { "the condition “\($0)” is missing" }
      differences += try Self.parts(found[5]).keys.sorted().map { "\($0) is foreign" }
    }

    private mutating func compare(
      _ kind: String, _ found: [String: String], _ expected: [String: String]
    ) {
      for name in Set(found.keys).union(expected.keys).sorted() where found[name] != expected[name]
      {
        let title = "the \(kind) “\(name)”"
        differences.append(
          expected[name] == nil
            ? "\(title) is foreign"
            : found[name] == nil ? "\(title) is missing" : "\(title) differs, or is off")
      }
    }

    private static func parts(_ result: PostgreSQLResult) throws -> [String: String] {
      var parts: [String: String] = [:]
      let rows = PostgreSQLRows(result)
      while let row = try rows.next() {
        parts[row.text("name") ?? "", default: ""] += row.text("parts") ?? ""
      }
      return parts
    }

    private static let tables: [String: String] = {
      var tables = RegistryTable.all.map { table in
        let columns = table.columns.map { column in
          "\(column.name) \(column.kind.serverType)\(column.isOptional ? "" : " NOT NULL")"
            + (column.kind == .identity ? "a" : "")
        }
        return (table.name, columns + (table.name == "recorder" ? ["login text"] : []))
      }
      tables += [
        (
          "meta",
          [
            "version bigint NOT NULL", "channel text NOT NULL", "idle_limit bigint NOT NULL",
            "turn_limit bigint NOT NULL",
          ]
        ),
        ("turn", []),
        (
          "vouched",
          [
            "recorder text NOT NULL", "number bigint NOT NULL", "hash bytea NOT NULL",
            "transaction text NOT NULL",
          ]
        ),
      ]
      // This software does not query views, so their columns are not compared.
      return Dictionary(
        uniqueKeysWithValues: tables.map {
          ($0.0, "plain " + $0.1.sorted().joined(separator: ", "))
        } + RegistryViews.all.map { ($0.name, "view ") })
    }()

    private static let functions = Dictionary(
      uniqueKeysWithValues: PostgreSQLGuards.functions.map { function in
        (
          function.name,
          "(\(function.arguments)) \(function.result) \(function.language) "
            + (function.isOwners ? "owner's search_path=\(PostgreSQLGuards.path)" : "") + " "
            + function.body
        )
      })

    private static let triggers = Dictionary(
      uniqueKeysWithValues: PostgreSQLGuards.triggers.map { trigger in
        (
          trigger.name,
          "\(trigger.table) \(trigger.catalogType) \(trigger.function) "
            + (trigger.argument.isEmpty ? "" : trigger.argument + "\\000")
            + (trigger.isDeferred ? " deferred" : "")
        )
      })
  }

  private static let schema =
    "(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = '\(PostgreSQLSchema.name)')"

  /// The queries to the catalog. Objects of an owner other than the registry's never count as ours.
  private static let questions = [
    """
    SELECT r.rolname::text AS owner, r.rolcanlogin AND r.rolname <> session_user AS strange
    FROM pg_catalog.pg_namespace AS n JOIN pg_catalog.pg_roles AS r ON r.oid = n.nspowner
    WHERE n.nspname = '\(PostgreSQLSchema.name)'
    """,
    """
    SELECT c.relname::text AS name,
      CASE WHEN c.relkind = 'r' AND c.relowner = n.nspowner AND c.relpersistence = 'p'
        AND NOT (c.relrowsecurity OR c.relhasrules OR c.relhassubclass OR c.relispartition)
        AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits WHERE inhrelid = c.oid OR inhparent = c.oid)
        THEN 'plain '
        WHEN c.relkind = 'v' AND c.relowner = n.nspowner AND c.reloptions IS NULL THEN 'view ' ELSE 'strange '
        END
      || coalesce((SELECT string_agg(
          a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
            || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END || a.attidentity::text
            || CASE WHEN a.atthasdef THEN ' DEFAULT' ELSE '' END, ', ' ORDER BY a.attname COLLATE "C")
        FROM pg_catalog.pg_attribute AS a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind <> 'v'), '') AS parts
    FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.oid = \(schema) AND c.relkind NOT IN ('i', 'S', 't')
    """,
    """
    SELECT p.proname::text AS name,
      '(' || pg_get_function_identity_arguments(p.oid) || ') ' || format_type(p.prorettype, NULL) || ' '
        || l.lanname || ' ' || CASE WHEN p.prosecdef THEN 'owner''s ' ELSE '' END
        || coalesce(array_to_string(p.proconfig, ';'), '')
        || CASE WHEN p.proowner = n.nspowner THEN '' ELSE ' of somebody else' END || ' ' || p.prosrc AS parts
    FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
    JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang WHERE n.oid = \(schema)
    """,
    """
    SELECT t.tgname::text AS name,
      c.relname || ' ' || t.tgtype || ' ' || CASE WHEN p.pronamespace = c.relnamespace THEN '' ELSE 'not ' END
        || p.proname || ' ' || encode(t.tgargs, 'escape')
        || CASE WHEN t.tginitdeferred THEN ' deferred' ELSE '' END
        || CASE WHEN t.tgenabled IN ('O', 'A') THEN '' ELSE ' off' END
        || CASE WHEN t.tgqual IS NULL AND t.tgattr::text = '' THEN '' ELSE ' at times' END AS parts
    FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.tgrelid
    JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    WHERE c.relnamespace = \(schema) AND NOT t.tgisinternal
    """,
    """
    SELECT conname::text AS name, '' AS parts FROM pg_catalog.pg_constraint
    WHERE connamespace = \(schema) AND contype = 'c' AND convalidated
    """,
    """
    SELECT 'the operator ' || oprname AS name, '' AS parts FROM pg_catalog.pg_operator
    WHERE oprnamespace = \(schema)
    UNION ALL SELECT 'the type ' || typname, '' FROM pg_catalog.pg_type
    WHERE typnamespace = \(schema) AND typrelid = 0 AND typelem = 0
    UNION ALL SELECT 'the use of ' || d.refobjid::regprocedure, '' FROM pg_catalog.pg_depend AS d
    WHERE d.refclassid = 'pg_catalog.pg_proc'::regclass
      AND (d.classid = 'pg_catalog.pg_constraint'::regclass
          AND d.objid IN (SELECT oid FROM pg_catalog.pg_constraint WHERE connamespace = \(schema))
        OR d.classid = 'pg_catalog.pg_class'::regclass
          AND d.objid IN (SELECT oid FROM pg_catalog.pg_class WHERE relnamespace = \(schema)))
    """,
  ]
}
