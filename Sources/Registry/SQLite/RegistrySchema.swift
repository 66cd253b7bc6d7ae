internal import GRDB

/// The database's schema, as a list of numbered steps.
///
/// The number of the last step that was taken is the database's `user_version`. Steps are never
/// changed once released; a new version of the schema is a new step at the end.
enum RegistrySchema {
  /// Marks a file as a cliptag registry (`PRAGMA application_id`): “clpt” in ASCII.
  static let applicationID: Int32 = 0x636C_7074

  /// The version this software reads and writes.
  static var currentVersion: Int { steps.count }

  /// What each step does, from version 0.
  static let steps = [
    firstStep, batchStep, counterStep, listingStep, recordStep, regionStep, walkStep,
  ]

  /// Brings a database to the current version, inside an open transaction.
  ///
  /// - Parameter home: Where the file is; see ``RecorderHome``.
  static func migrate(_ database: Database, from version: Int, home: String) throws {
    for (index, step) in steps.enumerated().dropFirst(version) {
      try database.execute(sql: step)
      if step == recordStep { try adoptEvents(database, home: home) }
      try database.execute(sql: "PRAGMA user_version = \(index + 1)")
    }
    try database.execute(sql: "PRAGMA application_id = \(applicationID)")
  }

  /// Keys compare byte for byte (`BINARY`). Times are milliseconds since 1970, UTC.
  ///
  /// A code names its place by id without a foreign key: the place may go, the record stays.
  /// History is append-only: triggers refuse every change and every deletion, and an event must
  /// continue its code's sequence, which also refuses `INSERT OR REPLACE`. A later step makes chains
  /// of it.
  private static let firstStep = """
    CREATE TABLE clip (
      bundle_id TEXT NOT NULL PRIMARY KEY,
      app_bundle_id TEXT NOT NULL,
      team TEXT NOT NULL,
      app_store_id TEXT,
      location_confirmation INTEGER NOT NULL CHECK (location_confirmation IN (0, 1)),
      default_title TEXT,
      default_subtitle TEXT,
      default_action TEXT
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE clip_domain (
      bundle_id TEXT NOT NULL REFERENCES clip ON DELETE CASCADE,
      position INTEGER NOT NULL,
      host TEXT NOT NULL,
      PRIMARY KEY (bundle_id, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX clip_domain_by_host ON clip_domain (host);

    CREATE TABLE place (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL,
      latitude REAL, longitude REAL, radius REAL,
      polygon TEXT,
      CHECK ((polygon IS NULL) = (radius IS NOT NULL)),
      CHECK ((latitude IS NULL) = (radius IS NULL) AND (longitude IS NULL) = (radius IS NULL))
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE experience (
      id INTEGER PRIMARY KEY,
      bundle_id TEXT NOT NULL REFERENCES clip,
      link TEXT NOT NULL,
      normalized TEXT NOT NULL UNIQUE,
      host TEXT NOT NULL,
      folded_key TEXT NOT NULL,
      title TEXT,
      subtitle TEXT,
      action TEXT NOT NULL,
      language TEXT NOT NULL,
      status TEXT NOT NULL,
      place_id TEXT REFERENCES place,
      place_path TEXT,
      place_query TEXT,
      place_latitude TEXT, place_longitude TEXT, place_radius REAL
    ) STRICT;
    CREATE INDEX experience_by_key ON experience (host, folded_key);
    CREATE INDEX experience_by_clip ON experience (bundle_id, normalized);
    CREATE INDEX experience_by_place ON experience (place_id) WHERE place_id IS NOT NULL;

    CREATE TABLE code (
      id TEXT NOT NULL PRIMARY KEY,
      payload TEXT NOT NULL,
      carrier TEXT NOT NULL,
      place_id TEXT,
      created INTEGER NOT NULL,
      registered INTEGER NOT NULL CHECK (registered IN (0, 1)),
      status TEXT NOT NULL,
      output TEXT,
      tag_uid TEXT,
      tag_type TEXT,
      symbol_version INTEGER, symbol_error_correction TEXT,
      symbol_module_size REAL, symbol_width REAL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX code_by_payload ON code (payload);
    CREATE INDEX code_by_tag ON code (tag_uid) WHERE tag_uid IS NOT NULL;
    CREATE INDEX code_by_place ON code (place_id) WHERE place_id IS NOT NULL;

    CREATE TABLE code_event (
      code TEXT NOT NULL REFERENCES code,
      sequence INTEGER NOT NULL,
      time INTEGER NOT NULL,
      kind TEXT NOT NULL,
      who TEXT NOT NULL,
      details TEXT NOT NULL,
      PRIMARY KEY (code, sequence)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER code_event_is_not_changed BEFORE UPDATE ON code_event
    BEGIN SELECT RAISE(ABORT, 'the history of a code is append-only'); END;
    CREATE TRIGGER code_event_is_not_deleted BEFORE DELETE ON code_event
    BEGIN SELECT RAISE(ABORT, 'the history of a code is append-only'); END;
    CREATE TRIGGER code_event_continues_the_sequence BEFORE INSERT ON code_event
    WHEN NEW.sequence IS NOT
      (SELECT coalesce(max(sequence), 0) + 1 FROM code_event WHERE code = NEW.code)
    BEGIN SELECT RAISE(ABORT, 'the history of a code is append-only'); END;

    CREATE TRIGGER code_is_not_deleted BEFORE DELETE ON code
    BEGIN SELECT RAISE(ABORT, 'issued codes are kept'); END;
    CREATE TRIGGER code_is_only_retired BEFORE UPDATE ON code
    WHEN NEW.status <> 'retired' OR OLD.status <> 'issued'
      OR NEW.id IS NOT OLD.id OR NEW.payload IS NOT OLD.payload OR NEW.carrier IS NOT OLD.carrier
      OR NEW.place_id IS NOT OLD.place_id OR NEW.created IS NOT OLD.created
      OR NEW.registered IS NOT OLD.registered OR NEW.output IS NOT OLD.output
      OR NEW.tag_uid IS NOT OLD.tag_uid OR NEW.tag_type IS NOT OLD.tag_type
    BEGIN SELECT RAISE(ABORT, 'an issued code only ever becomes retired'); END;
    CREATE TRIGGER code_is_not_replaced BEFORE INSERT ON code
    WHEN EXISTS (SELECT 1 FROM code WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'issued codes are kept'); END;
    """
}
