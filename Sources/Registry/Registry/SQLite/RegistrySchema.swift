internal import GRDB

/// The database's schema, as a list of numbered steps.
///
/// The database's `user_version` is the number of its last step. Steps are never changed once
/// released; a new version of the schema is a new step at the end.
enum RegistrySchema {
  /// Marks a file as a cliptag registry (`PRAGMA application_id`): “clpt” in ASCII.
  static let applicationID: Int32 = 0x636C_7074

  /// The version that this software reads and writes.
  static var currentVersion: Int { RegistryFormat.current }

  /// The statements of each step, from version 0.
  static let steps = RegistryFormat.steps.map(\.file)

  /// The steps up to the first format on servers.
  static let firstSteps = [
    RegistryStep(summary: "clips, experiences, places and codes", file: firstStep),
    RegistryStep(summary: "batches", file: batchStep),
    RegistryStep(summary: "counters of tags", file: counterStep),
    RegistryStep(summary: "what App Store Connect holds besides", file: listingStep),
    RegistryStep(summary: "the record as chains", file: recordStep),
    RegistryStep(summary: "places of several regions", file: regionStep),
    RegistryStep(summary: "walks", file: walkStep),
    RegistryStep(summary: "prints of a code after its first", file: printStep),
    RegistryStep(summary: "trusted keys", file: trustStep),
    RegistryStep(summary: "entries about clips, places and other settings", file: settingStep),
    RegistryStep(summary: "App Clip Codes", file: appClipCodeStep),
  ]

  /// Brings a database to the current version, or an older one, inside an open transaction.
  ///
  /// - Parameter home: The location of the file; see ``RecorderHome``.
  static func migrate(
    _ database: Database, from version: Int, to last: Int = RegistryFormat.current, home: String
  ) throws {
    for (index, step) in steps.prefix(last).enumerated().dropFirst(version) {
      try database.execute(sql: step)
      if step == recordStep { try adoptEvents(database, home: home) }
      let session = SQLiteSession(database, path: "", home: home)
      let registry = RegistryTransaction(session, mayChange: true)
      if step == settingStep { try registry.adoptSettings() }
      if step == RegistryFormat.mergeStep.file { try registry.adoptMerges() }
      try database.execute(sql: "PRAGMA user_version = \(index + 1)")
    }
    try database.execute(sql: "PRAGMA application_id = \(applicationID)")
  }

  /// Keys compare byte for byte (`BINARY`). Times are milliseconds since 1970, UTC.
  ///
  /// A code names its place by id without a foreign key: the place may be removed, the record
  /// stays. History is append-only: triggers refuse every change and every deletion, and an event
  /// must continue its code's sequence, which also refuses `INSERT OR REPLACE`. A later step
  /// converts the history into chains.
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

  /// Batches. Orders never change and only claims are deleted; the state of a row changes only
  /// along the transitions of ``BatchRow``, and events are append-only. A UID is on at most one row
  /// of a batch. These rules hold for every writer of the file.
  private static let batchStep = """
    CREATE TABLE batch (
      name TEXT NOT NULL PRIMARY KEY,
      created INTEGER NOT NULL,
      who TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE batch_row (
      batch TEXT NOT NULL REFERENCES batch,
      number INTEGER NOT NULL CHECK (number > 0),
      url TEXT NOT NULL,
      label TEXT,
      place TEXT,
      wanted_uid TEXT,
      captions TEXT NOT NULL,
      state TEXT NOT NULL
        CHECK (state IN ('pending', 'intended', 'written', 'done', 'skipped')),
      uid TEXT,
      tag_type TEXT,
      hash TEXT,
      signature TEXT,
      locked INTEGER CHECK (locked IN (0, 1)),
      reader TEXT,
      code TEXT REFERENCES code,
      changed INTEGER,
      who TEXT,
      reason TEXT,
      PRIMARY KEY (batch, number),
      CHECK ((uid IS NOT NULL) = (state IN ('intended', 'written', 'done')))
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX batch_row_has_its_own_tag ON batch_row (batch, uid) WHERE uid IS NOT NULL;
    CREATE INDEX batch_row_by_tag ON batch_row (uid) WHERE uid IS NOT NULL;
    CREATE INDEX batch_row_by_state ON batch_row (batch, state);
    CREATE INDEX batch_row_by_wanted_tag ON batch_row (batch, wanted_uid)
      WHERE wanted_uid IS NOT NULL;

    CREATE TABLE batch_claim (
      batch TEXT NOT NULL,
      row INTEGER NOT NULL,
      machine TEXT NOT NULL,
      process INTEGER NOT NULL,
      started TEXT NOT NULL,
      reader TEXT NOT NULL,
      since INTEGER NOT NULL,
      renewed INTEGER NOT NULL,
      PRIMARY KEY (batch, row),
      FOREIGN KEY (batch, row) REFERENCES batch_row
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE batch_event (
      id INTEGER PRIMARY KEY,
      batch TEXT NOT NULL,
      row INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      time INTEGER NOT NULL,
      kind TEXT NOT NULL,
      who TEXT NOT NULL,
      uid TEXT,
      details TEXT NOT NULL,
      UNIQUE (batch, row, sequence),
      FOREIGN KEY (batch, row) REFERENCES batch_row
    ) STRICT;
    CREATE INDEX batch_event_by_tag ON batch_event (batch, uid) WHERE uid IS NOT NULL;

    CREATE TRIGGER batch_is_not_changed BEFORE UPDATE ON batch
    BEGIN SELECT RAISE(ABORT, 'batches are kept'); END;
    CREATE TRIGGER batch_is_not_deleted BEFORE DELETE ON batch
    BEGIN SELECT RAISE(ABORT, 'batches are kept'); END;
    CREATE TRIGGER batch_is_not_replaced BEFORE INSERT ON batch
    WHEN EXISTS (SELECT 1 FROM batch WHERE name = NEW.name)
    BEGIN SELECT RAISE(ABORT, 'batches are kept'); END;

    CREATE TRIGGER batch_row_is_not_deleted BEFORE DELETE ON batch_row
    BEGIN SELECT RAISE(ABORT, 'rows of a batch are kept'); END;
    CREATE TRIGGER batch_row_is_appended BEFORE INSERT ON batch_row
    WHEN NEW.state <> 'pending' OR NEW.number IS NOT
      (SELECT coalesce(max(number), 0) + 1 FROM batch_row WHERE batch = NEW.batch)
    BEGIN SELECT RAISE(ABORT, 'rows of a batch are appended'); END;
    CREATE TRIGGER batch_row_keeps_its_order BEFORE UPDATE ON batch_row
    WHEN NEW.batch IS NOT OLD.batch OR NEW.number IS NOT OLD.number OR NEW.url IS NOT OLD.url
      OR NEW.label IS NOT OLD.label OR NEW.place IS NOT OLD.place
      OR NEW.wanted_uid IS NOT OLD.wanted_uid OR NEW.captions IS NOT OLD.captions
    BEGIN SELECT RAISE(ABORT, 'what a batch was asked for is not changed'); END;
    CREATE TRIGGER batch_row_goes_its_way BEFORE UPDATE ON batch_row
    WHEN OLD.state || ' ' || NEW.state NOT IN (
      'pending intended', 'pending skipped', 'intended pending', 'intended written',
      'intended done', 'written written', 'written done', 'written pending', 'done done',
      'done pending', 'skipped pending')
      OR NEW.uid IS NOT OLD.uid AND OLD.uid IS NOT NULL AND NEW.uid IS NOT NULL
      OR EXISTS (SELECT 1 FROM batch_row
                 WHERE batch = NEW.batch AND uid = NEW.uid AND number <> NEW.number)
    BEGIN SELECT RAISE(ABORT, 'a row of a batch does not go this way'); END;

    CREATE TRIGGER batch_event_is_not_changed BEFORE UPDATE ON batch_event
    BEGIN SELECT RAISE(ABORT, 'the history of a batch is append-only'); END;
    CREATE TRIGGER batch_event_is_not_deleted BEFORE DELETE ON batch_event
    BEGIN SELECT RAISE(ABORT, 'the history of a batch is append-only'); END;
    CREATE TRIGGER batch_event_continues_the_sequence BEFORE INSERT ON batch_event
    WHEN EXISTS (SELECT 1 FROM batch_event WHERE id = NEW.id) OR NEW.sequence IS NOT
        (SELECT coalesce(max(sequence), 0) + 1 FROM batch_event
         WHERE batch = NEW.batch AND row = NEW.row)
    BEGIN SELECT RAISE(ABORT, 'the history of a batch is append-only'); END;
    """

  /// The last counter in each tag's messages. It only rises, for every writer of the file: a lower
  /// counter would let a copied message pass again. To start again, the row is deleted.
  private static let counterStep = """
    CREATE TABLE tag_counter (
      uid TEXT NOT NULL PRIMARY KEY,
      counter INTEGER NOT NULL CHECK (counter BETWEEN 0 AND 16777215),
      seen INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER tag_counter_only_rises BEFORE UPDATE ON tag_counter
    WHEN NEW.counter <= OLD.counter OR NEW.uid IS NOT OLD.uid
    BEGIN SELECT RAISE(ABORT, 'the counter of a tag only rises'); END;
    CREATE TRIGGER tag_counter_is_not_replaced BEFORE INSERT ON tag_counter
    WHEN EXISTS (SELECT 1 FROM tag_counter WHERE uid = NEW.uid AND counter >= NEW.counter)
    BEGIN SELECT RAISE(ABORT, 'the counter of a tag only rises'); END;
    """

  /// The further facts of App Store Connect: the keys of a registry file as one JSON text, or NULL,
  /// because they are only read and written with their clip or experience.
  private static let listingStep = """
    ALTER TABLE clip ADD COLUMN listing TEXT;
    ALTER TABLE experience ADD COLUMN listing TEXT;
    """

  /// The record as chains. Each recorder's entries are numbered without a gap, each holds the hash
  /// of the one before, and triggers refuse to change or delete any, for every writer of the file.
  /// The hashes reveal changes after the removal of the triggers.
  ///
  /// The facts of the issue stay in `code`; the entry with which a code begins is hashed with it.
  private static let recordStep = """
    CREATE TABLE recorder (
      key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      home TEXT UNIQUE
    ) STRICT;

    CREATE TABLE code_entry (
      recorder INTEGER NOT NULL REFERENCES recorder,
      number INTEGER NOT NULL CHECK (number > 0),
      previous BLOB NOT NULL CHECK (length(previous) = 32),
      hash BLOB NOT NULL CHECK (length(hash) = 32),
      code TEXT NOT NULL REFERENCES code,
      time INTEGER NOT NULL,
      kind TEXT NOT NULL,
      who TEXT NOT NULL,
      details TEXT NOT NULL,
      adopted INTEGER NOT NULL CHECK (adopted IN (0, 1)),
      begins INTEGER NOT NULL CHECK (begins IN (0, 1)),
      PRIMARY KEY (recorder, number)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX code_entry_by_code ON code_entry (code);
    """

  /// Runs after the old events are adopted: it drops their table.
  private static let recordGuards = """
    DROP TABLE code_event;

    CREATE TRIGGER code_entry_is_not_changed BEFORE UPDATE ON code_entry
    BEGIN SELECT RAISE(ABORT, 'the record of codes is append-only'); END;
    CREATE TRIGGER code_entry_is_not_deleted BEFORE DELETE ON code_entry
    BEGIN SELECT RAISE(ABORT, 'the record of codes is append-only'); END;
    CREATE TRIGGER code_entry_continues_its_chain BEFORE INSERT ON code_entry
    WHEN NEW.number IS NOT
        (SELECT coalesce(max(number), 0) + 1 FROM code_entry WHERE recorder = NEW.recorder)
      OR NEW.previous IS NOT coalesce(
        (SELECT hash FROM code_entry WHERE recorder = NEW.recorder AND number = NEW.number - 1),
        zeroblob(32))
    BEGIN SELECT RAISE(ABORT, 'the record of codes is append-only'); END;
    """

  /// Adopts the events from before the chains as the first entries of this file's chain, code by
  /// code, unchanged.
  private static func adoptEvents(_ database: Database, home: String) throws {
    let recorder = Recorder()
    let events = try Row.fetchCursor(
      database,
      sql: """
        SELECT code_event.*, code.* FROM code_event
        JOIN code ON code.id = code_event.code ORDER BY code_event.code, sequence
        """)
    let registry = RegistryTransaction(
      SQLiteSession(database, path: "", home: home), mayChange: true)
    var head: ChainHead?
    while let row: any RegistryRow = try events.next() {
      if head == nil { try registry.store(recorder, home: home) }
      let event = CodeEvent(
        code: try row.codeID("code"), sequence: try row["sequence"],
        time: try row.date("time"), kind: CodeEvent.Kind(rawValue: try row["kind"]),
        who: try row["who"], details: try row.details("details"))
      let entry = try RecordEntry(
        of: event, after: head, by: recorder,
        issuing: event.sequence == 1 ? try IssuedCode(row: row) : nil, isAdopted: true)
      try registry.append(entry)
      head = entry.head
    }
    try database.execute(sql: recordGuards)
  }

  /// The regions of a place of several regions, as one JSON text in the form of a registry file.
  /// The first is in the older columns, too; a place of one region has no value here.
  private static let regionStep = "ALTER TABLE place ADD COLUMN regions TEXT"

  /// Walks. A stop holds the number of its readings and whether there is a picture, so that none
  /// can be added later; stops and readings are numbered without a gap, and cannot be changed or
  /// deleted, by any writer of the file.
  ///
  /// A reading names its code and place as they were read, without foreign keys. Its payload is
  /// bytes, because a foreign code may contain any, including U+0000.
  private static let walkStep = """
    CREATE TABLE walk (
      key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      who TEXT NOT NULL,
      started INTEGER NOT NULL,
      recorder TEXT NOT NULL
    ) STRICT;

    CREATE TABLE walk_stop (
      walk INTEGER NOT NULL REFERENCES walk,
      number INTEGER NOT NULL CHECK (number > 0),
      time INTEGER NOT NULL,
      kind TEXT NOT NULL,
      source TEXT NOT NULL,
      page INTEGER,
      digest BLOB CHECK (length(digest) = 32),
      sign TEXT,
      latitude REAL, longitude REAL, accuracy REAL,
      origin TEXT, origin_name TEXT, origin_time INTEGER, origin_reports INTEGER,
      origin_simulated INTEGER CHECK (origin_simulated IN (0, 1)), origin_note TEXT,
      stated_place TEXT,
      note TEXT,
      unread INTEGER NOT NULL,
      readings INTEGER NOT NULL CHECK (readings >= 0),
      pictured INTEGER NOT NULL CHECK (pictured IN (0, 1)),
      PRIMARY KEY (walk, number),
      CHECK ((latitude IS NULL) = (accuracy IS NULL)),
      CHECK ((longitude IS NULL) = (accuracy IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX walk_stop_by_digest ON walk_stop (walk, digest) WHERE digest IS NOT NULL;
    CREATE INDEX walk_stop_by_sign ON walk_stop (walk, sign) WHERE sign IS NOT NULL;

    CREATE TABLE walk_reading (
      walk INTEGER NOT NULL,
      stop INTEGER NOT NULL,
      number INTEGER NOT NULL CHECK (number > 0),
      carrier TEXT NOT NULL,
      payload BLOB NOT NULL,
      uid TEXT,
      tag_type TEXT,
      locked INTEGER CHECK (locked IN (0, 1)),
      corners TEXT NOT NULL,
      grade REAL,
      code TEXT,
      place TEXT,
      verdict TEXT NOT NULL,
      state TEXT NOT NULL,
      location TEXT,
      distance REAL,
      findings TEXT NOT NULL,
      PRIMARY KEY (walk, stop, number),
      FOREIGN KEY (walk, stop) REFERENCES walk_stop
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE walk_picture (
      id INTEGER PRIMARY KEY,
      walk INTEGER NOT NULL,
      stop INTEGER NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      original_width INTEGER NOT NULL,
      original_height INTEGER NOT NULL,
      jpeg BLOB NOT NULL,
      UNIQUE (walk, stop),
      FOREIGN KEY (walk, stop) REFERENCES walk_stop
    ) STRICT;
    """
    + ["walk", "walk_stop", "walk_reading", "walk_picture"].map { table in
      """

      CREATE TRIGGER \(table)_is_not_changed BEFORE UPDATE ON \(table)
      BEGIN SELECT RAISE(ABORT, 'walks are append-only'); END;
      CREATE TRIGGER \(table)_is_not_deleted BEFORE DELETE ON \(table)
      BEGIN SELECT RAISE(ABORT, 'walks are append-only'); END;
      """
    }.joined() + """

      CREATE TRIGGER walk_is_not_replaced BEFORE INSERT ON walk
      WHEN EXISTS (SELECT 1 FROM walk WHERE id = NEW.id OR key = NEW.key)
      BEGIN SELECT RAISE(ABORT, 'walks are append-only'); END;
      CREATE TRIGGER walk_stop_follows_the_last BEFORE INSERT ON walk_stop
      WHEN NEW.number IS NOT
        (SELECT coalesce(max(number), 0) + 1 FROM walk_stop WHERE walk = NEW.walk)
      BEGIN SELECT RAISE(ABORT, 'walks are append-only'); END;
      CREATE TRIGGER walk_reading_follows_the_last BEFORE INSERT ON walk_reading
      WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM walk_reading
                              WHERE walk = NEW.walk AND stop = NEW.stop)
        OR NEW.number > (SELECT readings FROM walk_stop WHERE walk = NEW.walk AND number = NEW.stop)
      BEGIN SELECT RAISE(ABORT, 'walks are append-only'); END;
      CREATE TRIGGER walk_picture_is_the_one BEFORE INSERT ON walk_picture
      WHEN EXISTS (SELECT 1 FROM walk_picture
                   WHERE id = NEW.id OR walk = NEW.walk AND stop = NEW.stop)
        OR NOT EXISTS (SELECT 1 FROM walk_stop
                       WHERE walk = NEW.walk AND number = NEW.stop AND pictured)
      BEGIN SELECT RAISE(ABORT, 'walks are append-only'); END;
      """

  /// An index of the later prints of a code: its facts are those of the last one.
  private static let printStep = """
    CREATE INDEX code_entry_of_reprint ON code_entry (code) WHERE kind = 'issued' AND NOT begins;
    """

  /// Keys whose checkpoints vouch for the records of others: SubjectPublicKeyInfo in Base64.
  private static let trustStep = """
    CREATE TABLE trusted_key (
      name TEXT NOT NULL PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      added INTEGER NOT NULL,
      who TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// Entries about the settings that affect the acceptance of codes: clips, experiences, places,
  /// counters, trusted keys. They share the chains and numbers of the entries about codes.
  private static let settingStep = """
    CREATE TABLE setting_entry (
      recorder INTEGER NOT NULL REFERENCES recorder,
      number INTEGER NOT NULL CHECK (number > 0),
      previous BLOB NOT NULL CHECK (length(previous) = 32),
      hash BLOB NOT NULL CHECK (length(hash) = 32),
      subject TEXT NOT NULL,
      time INTEGER NOT NULL,
      kind TEXT NOT NULL,
      who TEXT NOT NULL,
      details TEXT NOT NULL,
      adopted INTEGER NOT NULL CHECK (adopted IN (0, 1)),
      PRIMARY KEY (recorder, number)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER setting_entry_is_not_changed BEFORE UPDATE ON setting_entry
    BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;
    CREATE TRIGGER setting_entry_is_not_deleted BEFORE DELETE ON setting_entry
    BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;
    DROP TRIGGER code_entry_continues_its_chain;
    """
    + ["code_entry", "setting_entry"].map { table in
      """

      CREATE TRIGGER \(table)_continues_its_chain BEFORE INSERT ON \(table)
      WHEN NEW.number IS NOT 1 + max(
          (SELECT coalesce(max(number), 0) FROM code_entry WHERE recorder = NEW.recorder),
          (SELECT coalesce(max(number), 0) FROM setting_entry WHERE recorder = NEW.recorder))
        OR NEW.previous IS NOT coalesce(
          (SELECT hash FROM code_entry WHERE recorder = NEW.recorder AND number = NEW.number - 1),
          (SELECT hash FROM setting_entry
           WHERE recorder = NEW.recorder AND number = NEW.number - 1),
          zeroblob(32))
      BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;
      """
    }.joined()

  /// The contents of the files of App Clip Codes, as one JSON text of texts, because they are only
  /// read with their code; and the outlines of their badges, of which there are few.
  private static let appClipCodeStep = """
    ALTER TABLE code ADD COLUMN app_clip_code TEXT;
    DROP TRIGGER code_is_only_retired;
    CREATE TRIGGER code_is_only_retired BEFORE UPDATE ON code
    WHEN NEW.status <> 'retired' OR OLD.status <> 'issued'
      OR NEW.id IS NOT OLD.id OR NEW.payload IS NOT OLD.payload OR NEW.carrier IS NOT OLD.carrier
      OR NEW.place_id IS NOT OLD.place_id OR NEW.created IS NOT OLD.created
      OR NEW.registered IS NOT OLD.registered OR NEW.output IS NOT OLD.output
      OR NEW.tag_uid IS NOT OLD.tag_uid OR NEW.tag_type IS NOT OLD.tag_type
      OR NEW.app_clip_code IS NOT OLD.app_clip_code
    BEGIN SELECT RAISE(ABORT, 'an issued code only ever becomes retired'); END;

    CREATE TABLE app_clip_code_badge (
      digest TEXT NOT NULL PRIMARY KEY,
      outlines TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER app_clip_code_badge_is_not_changed BEFORE UPDATE ON app_clip_code_badge
    BEGIN SELECT RAISE(ABORT, 'badges are kept'); END;
    CREATE TRIGGER app_clip_code_badge_is_not_deleted BEFORE DELETE ON app_clip_code_badge
    BEGIN SELECT RAISE(ABORT, 'badges are kept'); END;
    """

  /// The query for the prints of each code after its first, in the order of ``CodeHistory``;
  /// `place` is 1 for the last.
  static let printsInOrder = """
    WITH told AS (
      SELECT code, recorder, number, kind, begins, details,
        max(time) OVER (PARTITION BY code, recorder ORDER BY number) AS time
      FROM code_entry
      WHERE code IN (SELECT code FROM code_entry WHERE kind = 'issued' AND NOT begins)
    ), prints AS (
      SELECT told.code, told.time, recorder.id AS recorder, told.number, told.details,
        row_number() OVER (PARTITION BY told.code
          ORDER BY told.time DESC, recorder.id DESC, told.number DESC) AS place
      FROM told JOIN recorder ON recorder.key = told.recorder
      WHERE told.kind = 'issued' AND NOT told.begins
    )
    """

  /// The facts of a code's last print in its history, in which an entry counts as no earlier than
  /// those before it in its chain. A trigger maintains them, for every writer of the file.
  static let lastPrintStep = """
    CREATE TABLE code_print (
      code TEXT NOT NULL PRIMARY KEY REFERENCES code,
      time INTEGER NOT NULL,
      recorder TEXT NOT NULL,
      number INTEGER NOT NULL,
      details TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    DROP INDEX code_entry_by_code;
    CREATE INDEX code_entry_by_code ON code_entry (code, recorder, time);

    INSERT INTO code_print
    \(printsInOrder)
    SELECT code, time, recorder, number, details FROM prints WHERE place = 1;

    CREATE TRIGGER code_print_is_the_last AFTER INSERT ON code_entry
    WHEN NEW.kind = 'issued' AND NOT NEW.begins
    BEGIN
      INSERT INTO code_print (code, time, recorder, number, details)
      SELECT NEW.code,
        (SELECT max(time) FROM code_entry WHERE code = NEW.code AND recorder = NEW.recorder),
        recorder.id, NEW.number, NEW.details
      FROM recorder WHERE recorder.key = NEW.recorder
      ON CONFLICT (code) DO UPDATE SET time = excluded.time, recorder = excluded.recorder,
        number = excluded.number, details = excluded.details
      WHERE (excluded.time, excluded.recorder, excluded.number)
        > (code_print.time, code_print.recorder, code_print.number);
    END;
    CREATE TRIGGER code_print_is_not_deleted BEFORE DELETE ON code_print
    BEGIN SELECT RAISE(ABORT, 'the last print of a code is kept'); END;
    """
}
