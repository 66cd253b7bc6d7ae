/// The step that adds the findings of walks that are followed up: a row for each entry of their
/// histories.
enum FollowUpStep {
  /// The format with this table.
  static let format = 17

  /// The condition on kinds of entries, in SQL for both engines.
  static let rule =
    "CHECK (kind IN ("
    + FollowUp.Entry.Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ") + "))"

  static let file = """
    CREATE TABLE follow_up (
      id TEXT NOT NULL,
      entry TEXT NOT NULL,
      time INTEGER NOT NULL,
      kind TEXT NOT NULL,
      who TEXT NOT NULL,
      recorder TEXT NOT NULL,
      details TEXT NOT NULL,
      PRIMARY KEY (id, entry),
      \(rule)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER follow_up_is_not_changed BEFORE UPDATE ON follow_up
    BEGIN SELECT RAISE(ABORT, 'findings to follow up are append-only'); END;
    CREATE TRIGGER follow_up_is_not_deleted BEFORE DELETE ON follow_up
    BEGIN SELECT RAISE(ABORT, 'findings to follow up are append-only'); END;
    CREATE TRIGGER follow_up_is_not_replaced BEFORE INSERT ON follow_up
    WHEN EXISTS (SELECT 1 FROM follow_up WHERE id = NEW.id AND entry = NEW.entry)
    BEGIN SELECT RAISE(ABORT, 'findings to follow up are append-only'); END;
    """

  static let server =
    PostgreSQLSchema.tables(since: format) + [PostgreSQLSchema.readable("follow_up")]
}
