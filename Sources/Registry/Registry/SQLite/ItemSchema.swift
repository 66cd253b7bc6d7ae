/// The table of items: the prints and tags of each code, derived from its history.
///
/// A trigger derives the items of a code again after each entry that concerns one, for every writer,
/// so that they do not depend on the order in which entries are merged.
enum ItemSchema {
  /// The difference between the engines: the function that finds a text in another.
  enum Dialect: String, Sendable {
    case file = "instr"
    case server = "strpos"

    /// The expression for a fact of an entry's details, as it is escaped there, up to a quote in it;
    /// `NULL` without one.
    ///
    /// A file's triggers must not use SQLite's functions for JSON. A name in quotes followed by a
    /// colon occurs in JSON text only as a name.
    fileprivate func fact(_ name: String) -> String {
      let mark = "\"\(name)\":\""
      let rest = "substr(e.details, \(rawValue)(e.details, '\(mark)') + \(mark.count))"
      return
        "CASE WHEN \(rawValue)(e.details, '\(mark)') > 0 THEN substr(\(rest), 1, "
        + "\(rawValue)(\(rest), '\"') - 1) END"
    }
  }

  /// The columns of the table.
  static let columns = "code, file, sheet, label, time, output, details"

  /// Returns the query for the items of codes.
  ///
  /// The slot of a print is its file without the ending of its format, its sheet and its label. Of a
  /// slot the last entry counts, and of a file the last print: a file that is printed again replaces
  /// everything that it held. An App Clip Code that was taken in has an empty file: the file is not
  /// ours.
  ///
  /// - Parameters:
  ///   - dialect: The engine.
  ///   - condition: A condition on the entries, named `e`, that takes all entries of a code or none.
  static func items(_ dialect: Dialect, where condition: String) -> String {
    let (output, sheet, label) = (
      dialect.fact("output"), dialect.fact("sheet"), dialect.fact("label")
    )
    return """
      SELECT code, file, sheet, label, time, output, details FROM (
        SELECT slots.*,
          max(CASE WHEN kind = 'issued' THEN time END) OVER (PARTITION BY code, file) AS run,
          row_number() OVER (PARTITION BY code, file, sheet, label
            ORDER BY time DESC, recorder.id DESC, number DESC) AS place
        FROM (
          SELECT told.*, CASE
            WHEN lower(substr(output, length(output) - 3)) IN ('.pdf', '.svg', '.png', '.eps')
            THEN substr(output, 1, length(output) - 4) ELSE output END AS file
          FROM (
            SELECT e.code, e.recorder, e.number, e.kind, e.details,
              max(e.time) OVER (PARTITION BY e.code, e.recorder ORDER BY e.number) AS time,
              CASE WHEN code.carrier = 'app-clip-code'
                AND (e.begins OR \(dialect.fact("pattern")) IS NOT NULL) THEN ''
                ELSE coalesce(\(output), CASE WHEN e.begins THEN code.output END, '') END AS output,
              coalesce(\(sheet), '') AS sheet, coalesce(\(label), '') AS label
            FROM code_entry AS e LEFT JOIN code ON code.id = e.code WHERE \(condition)
          ) AS told WHERE kind IN ('issued', 'discarded')
        ) AS slots JOIN recorder ON recorder.key = slots.recorder
      ) AS ranked WHERE place = 1 AND kind = 'issued' AND time = run
      """
  }

  /// The step for a file.
  static let file = """
    CREATE TABLE code_item (
      code TEXT NOT NULL REFERENCES code,
      file TEXT NOT NULL,
      sheet TEXT NOT NULL,
      label TEXT NOT NULL,
      time INTEGER NOT NULL,
      output TEXT NOT NULL,
      details TEXT NOT NULL,
      PRIMARY KEY (code, file, sheet, label)
    ) STRICT, WITHOUT ROWID;

    INSERT INTO code_item (\(columns))
    \(items(.file, where: "1 = 1"));

    CREATE TRIGGER code_item_is_derived AFTER INSERT ON code_entry
    WHEN NEW.kind IN ('issued', 'discarded')
    BEGIN
      DELETE FROM code_item WHERE code = NEW.code;
      INSERT INTO code_item (\(columns))
      \(items(.file, where: "e.code = NEW.code"));
    END;
    """

  /// The step for a database of PostgreSQL.
  static let server =
    PostgreSQLSchema.tables(since: 15) + [
      "INSERT INTO code_item (\(columns)) \(items(.server, where: "true"))",
      PostgreSQLSchema.readable("code_item"),
    ]
}
