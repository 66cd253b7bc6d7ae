/// Views for the common questions of a registry's owner, for programs that read the database
/// directly, such as business intelligence tools and `psql`.
///
/// Names and columns of a view do not change their meaning; a new version may add columns at the
/// end. Other programs must not read the underlying tables, which change with any version.
package enum RegistryViews {
  /// The differences between the engines.
  fileprivate struct Dialect {
    /// Converts a time of the tables, milliseconds since 1970, into the engine's type.
    let time: @Sendable (String) -> String
    /// Converts such a time into its month in UTC, as `2026-11`.
    let month: @Sendable (String) -> String
    /// Returns the expression for a fact of an entry's details.
    let fact: @Sendable (String) -> String
    /// The expression for the hash of an entry in hexadecimal.
    let hash: String

    /// SQLite, which has no type for times: texts of ISO 8601 in UTC sort as times do.
    static let file = Dialect(
      time: { "strftime('%Y-%m-%dT%H:%M:%fZ', \($0) / 1000.0, 'unixepoch')" },
      month: { "strftime('%Y-%m', \($0) / 1000.0, 'unixepoch')" },
      fact: { "json_extract(e.details, '$.\($0)')" }, hash: "lower(hex(e.hash))")

    static let server = Dialect(
      time: { "to_timestamp(\($0) / 1000.0)" },
      month: { "to_char(to_timestamp(\($0) / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM')" },
      fact: { "(e.details::jsonb ->> '\($0)')" }, hash: "encode(e.hash, 'hex')")
  }

  /// A view and its comment.
  package struct View: Sendable {
    package let name: String
    package let comment: String
    fileprivate let query: @Sendable (Dialect) -> String
  }

  /// Every view; a view precedes those that are built on it.
  package static let all = first + [items]

  /// The views of format 14.
  private static let first = [
    View(
      name: "event",
      comment:
        "Everything that happened to codes, clips, experiences, places and keys, one row each."
    ) { dialect in
      """
      SELECT \(dialect.time("e.time")) AS time, e.kind, e.who, e.code AS code, c.payload AS url, c.carrier,
        coalesce(\(dialect.fact("place")), c.place_id) AS place, NULL AS subject,
        \(dialect.fact("uid")) AS uid, \(dialect.fact("position")) AS position,
        \(dialect.fact("note")) AS note, e.details, r.id AS recorder, e.number, \(dialect.hash) AS hash
      FROM code_entry AS e JOIN code AS c ON c.id = e.code JOIN recorder AS r ON r.key = e.recorder
      UNION ALL
      SELECT \(dialect.time("e.time")), e.kind, e.who, NULL, NULL, NULL, NULL, e.subject, NULL, NULL, NULL,
        e.details, r.id, e.number, \(dialect.hash)
      FROM setting_entry AS e JOIN recorder AS r ON r.key = e.recorder
      """
    },
    View(
      name: "code_current",
      comment:
        "One row a code: what it is, where it belongs, and what was last done with it and seen of it."
    ) { dialect in
      """
      SELECT c.id AS code, c.payload AS url, c.carrier, c.status, c.place_id AS place, p.name AS place_name,
        \(dialect.time("c.created")) AS issued, c.tag_uid AS uid, c.tag_type, c.output,
        h.prints, h.last_kind, h.last_who, \(dialect.time("h.last_time")) AS last_time,
        \(dialect.time("h.seen")) AS last_seen, \(dialect.time("h.installed")) AS installed
      FROM code AS c LEFT JOIN place AS p ON p.id = c.place_id
      LEFT JOIN (
        SELECT e.code, count(CASE WHEN e.kind = 'issued' THEN 1 END) AS prints, max(e.time) AS last_time,
          max(CASE WHEN e.kind = 'read' THEN e.time END) AS seen,
          max(CASE WHEN e.kind = 'installed' THEN e.time END) AS installed,
          (SELECT l.kind FROM code_entry AS l WHERE l.code = e.code
            ORDER BY l.time DESC, l.recorder DESC, l.number DESC LIMIT 1) AS last_kind,
          (SELECT l.who FROM code_entry AS l WHERE l.code = e.code
            ORDER BY l.time DESC, l.recorder DESC, l.number DESC LIMIT 1) AS last_who
        FROM code_entry AS e GROUP BY e.code
      ) AS h ON h.code = c.id
      """
    },
    View(
      name: "place_status",
      comment:
        "One row a place: how many of its codes are in use, retired, installed and seen, and when last."
    ) { _ in
      """
      SELECT p.id AS place, p.name, p.latitude, p.longitude,
        count(CASE WHEN k.status = 'issued' THEN 1 END) AS in_use,
        count(CASE WHEN k.status = 'retired' THEN 1 END) AS retired,
        count(CASE WHEN k.status = 'issued' AND k.installed IS NOT NULL THEN 1 END) AS installed,
        count(CASE WHEN k.status = 'issued' AND k.last_seen IS NULL THEN 1 END) AS never_seen,
        max(k.last_seen) AS last_seen
      FROM place AS p LEFT JOIN code_current AS k ON k.place = p.id
      GROUP BY p.id, p.name, p.latitude, p.longitude
      """
    },
    View(
      name: "who_did_what",
      comment: "How often each person did each kind of thing, by place and month (UTC)."
    ) { dialect in
      """
      SELECT e.who, c.place_id AS place, \(dialect.month("e.time")) AS month, e.kind, count(*) AS times
      FROM code_entry AS e JOIN code AS c ON c.id = e.code
      GROUP BY e.who, c.place_id, \(dialect.month("e.time")), e.kind
      """
    },
  ]

  /// The view of format 18. The names of items are not in the database.
  private static let items = View(
    name: "item_current",
    comment: "One row an item: a print of a code, with the number of its copies, or its tag."
  ) { dialect in
    func integer(_ text: String) -> String { "CAST(\(text) AS bigint)" }
    return """
      SELECT e.code AS code, c.payload AS url, c.carrier, c.status, c.place_id AS place,
        coalesce(\(dialect.fact("output")), nullif(e.output, '')) AS output, c.tag_uid AS uid,
        \(dialect.fact("caption")) AS caption, \(integer("nullif(e.sheet, '')")) AS sheet,
        \(integer("nullif(e.label, '')")) AS label, \(integer(dialect.fact("row"))) AS row_number,
        coalesce(\(integer(dialect.fact("copies"))), 1) AS copies,
        coalesce(CAST(replace(\(dialect.fact("width")), ' mm', '') AS double precision),
          c.symbol_width) AS width,
        \(dialect.time("e.time")) AS made
      FROM code_item AS e JOIN code AS c ON c.id = e.code
      WHERE c.carrier <> 'app-clip-code' OR e.file <> '' OR NOT EXISTS
        (SELECT 1 FROM code_item AS o WHERE o.code = e.code AND o.file <> '')
      """
  }

  /// The statements of format 14 for a file.
  static let file = first.map(statement).joined(separator: "\n")

  /// The statements of format 14 for a database of PostgreSQL.
  static let server = first.flatMap(serverStatements)

  /// The step that adds the view of items.
  static let itemStep = RegistryStep(
    summary: "a view of the prints and tags of each code", file: statement(items),
    server: serverStatements(items))

  private static func statement(_ view: View) -> String {
    "CREATE VIEW \(view.name) AS \(view.query(.file));"
  }

  private static func serverStatements(_ view: View) -> [String] {
    [
      "CREATE VIEW \(view.name) AS \(view.query(.server))",
      "COMMENT ON VIEW \(view.name) IS '\(view.comment)'",
      PostgreSQLSchema.readable(view.name),
    ]
  }

  /// Questions that the views answer, with their SQL for both engines.
  package static let questions: [(question: String, sql: String)] = [
    (
      "Codes in use that were never read where they hang",
      "SELECT code, url, place, issued FROM code_current WHERE status = 'issued' AND last_seen IS NULL ORDER BY issued"
    ),
    (
      "Places whose codes were not read for the longest time",
      "SELECT place, name, in_use, last_seen FROM place_status WHERE in_use > 0 ORDER BY last_seen LIMIT 20"
    ),
    (
      "Who wrote and locked tags, by month",
      "SELECT month, who, kind, sum(times) FROM who_did_what WHERE kind IN ('written', 'locked') GROUP BY month, who, kind ORDER BY month, who"
    ),
    (
      "Everything that happened to the codes of one place, the newest first",
      "SELECT time, kind, who, code, note FROM event WHERE place = 'cupertino' ORDER BY time DESC"
    ),
    (
      "Codes that were printed more than once",
      "SELECT code, url, prints FROM code_current WHERE prints > 1 ORDER BY prints DESC"
    ),
    (
      "Codes in use of which several prints exist, with their files",
      "SELECT code, url, output, sheet, label, copies FROM item_current WHERE status = 'issued' AND code IN (SELECT code FROM item_current GROUP BY code HAVING sum(copies) > 1) ORDER BY code, made"
    ),
  ]
}
