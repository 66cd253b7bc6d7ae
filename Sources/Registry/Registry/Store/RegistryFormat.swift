/// A step from one format of the registry to the next, for every engine.
struct RegistryStep {
  /// A summary of the step.
  let summary: String
  /// The statements for a file.
  let file: String
  /// The statements for a database of PostgreSQL. Functions and triggers are recreated after each
  /// upgrade, so that a step changes only tables.
  var server: [String] = []
}

/// The formats of a registry, as one list of numbered steps for files and servers. Steps are never
/// changed once released; a new format is a new step at the end.
enum RegistryFormat {
  /// The format that this software reads and writes.
  static var current: Int { steps.count }

  /// The first format on servers, whose tables ``RegistryTable`` describes.
  static let firstOnServers = 11

  /// The steps, from format 0.
  static let steps =
    RegistrySchema.firstSteps + [
      RegistryStep(
        summary:
          "checks of what columns may hold; on a server the owner's functions say who did it",
        file: KnownValues.file, server: KnownValues.server + PostgreSQLSchema.turnStep),
      RegistryStep(
        summary: "the last print of each code, beside its history",
        file: RegistrySchema.lastPrintStep, server: PostgreSQLSchema.lastPrintStep),
      RegistryStep(
        summary: "views for programs that ask the database themselves", file: RegistryViews.file,
        server: RegistryViews.server),
      RegistryStep(
        summary: "the prints and tags of each code, from its history", file: ItemSchema.file,
        server: ItemSchema.server),
      RegistryStep(
        summary: "when pictures were taken, findings about stops, and the languages of places",
        file: WalkStep.file, server: WalkStep.server),
      RegistryStep(
        summary: "findings of walks that are followed up", file: FollowUpStep.file,
        server: FollowUpStep.server),
      RegistryViews.itemStep, mergeStep,
    ]

  /// The step that adds to a recorder the number from which its entries about settings came by
  /// merges, and on a server an index that finds the entries about a setting.
  static let mergeStep = RegistryStep(
    summary: "the recorders whose entries were merged, and on a server no change without its entry",
    file: "ALTER TABLE recorder ADD COLUMN merged INTEGER;",
    server: [
      "ALTER TABLE recorder ADD COLUMN merged bigint",
      "CREATE INDEX setting_entry_by_subject ON setting_entry (subject)",
    ])

  /// The format whose step is ``mergeStep``.
  static let merges = 19

  /// Returns the summaries of the steps after a format, in order.
  static func news(since version: Int) -> [String] { steps.dropFirst(version).map(\.summary) }
}

/// The permitted texts of columns that determine how a row is read: a row with another text would
/// be unreadable.
enum KnownValues {
  /// Conditions on new rows of a table, in SQL for both engines; a server's omit `NEW.`.
  private static let rules: [(table: String, condition: String)] =
    [
      (
        "code",
        """
        NEW.carrier IN ('qr', 'nfc', 'app-clip-code') AND NEW.status IN ('issued', 'retired')
          AND length(NEW.id) = 28 AND substr(NEW.id, 1, 2) = 'c-'
        """
      ),
      ("recorder", "length(NEW.id) = 36"),
      (
        "experience",
        """
        NEW.action IN ('OPEN', 'VIEW', 'PLAY')
          AND NEW.status IN ('RECEIVED', 'DEACTIVATED', 'APP_TRANSFER_IN_PROGRESS')
        """
      ),
      (
        "walk_stop",
        """
        NEW.kind IN ('picture', 'tag', 'scanner', 'print')
          AND coalesce(NEW.origin, 'given') IN ('given', 'gpsd', 'nmea', 'exif', 'place')
        """
      ),
      (
        "walk_reading",
        """
        NEW.carrier IN ('url', 'qr', 'nfc', 'app-clip-code', 'barcode')
          AND NEW.verdict IN ('accepted', 'rejected', 'undecided')
          AND NEW.state IN ('ok', 'default-only', 'orphan', 'unregistered', 'unassociated', 'inactive',
            'ambiguous', 'malformed')
        """
      ),
    ] + ["code_entry", "setting_entry", "batch_event"].map { ($0, kind) }

  /// A condition on kinds, which newer versions may add by merges: letters and hyphens.
  private static let kind = "NEW.kind <> '' AND trim(NEW.kind, '\(alphabet)') = ''"
  private static let alphabet = "abcdefghijklmnopqrstuvwxyz-"

  /// The triggers of a file, because SQLite cannot add a condition to an existing table. Earlier
  /// rows stay unchanged.
  static let file = rules.map { rule in
    """

    CREATE TRIGGER \(rule.table)_is_known BEFORE INSERT ON \(rule.table)
    WHEN NOT (\(rule.condition))
    BEGIN SELECT RAISE(ABORT, 'no version of cliptag writes this'); END;
    """
  }.joined()

  static let server = rules.map { rule in
    "ALTER TABLE \(rule.table) ADD CONSTRAINT \(rule.table)_is_known "
      + "CHECK (\(rule.condition.replacing("NEW.", with: "")))"
  }

  /// The names of the conditions on a server.
  static let names = rules.map { "\($0.table)_is_known" }
}
