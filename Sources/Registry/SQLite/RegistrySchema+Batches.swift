extension RegistrySchema {
  /// Batches. What was asked for is never changed and nothing is deleted but claims; what has
  /// become of a row changes only along the way that ``BatchRow`` shows, and what happened is
  /// append-only. A UID is on one row of a batch at most, whoever writes to the file.
  static let batchStep = """
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
}
