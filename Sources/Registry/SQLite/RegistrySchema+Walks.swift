extension RegistrySchema {
  /// Walks. A stop says how many readings it has and whether there is a picture, so that nothing can
  /// be put to it later; stops and readings are numbered without a gap, and nothing is ever changed
  /// or deleted, whoever writes to the file.
  ///
  /// A reading names its code and place without foreign keys: it keeps what was read. Its payload is
  /// bytes, because a stranger's code may hold any, U+0000 too.
  static let walkStep = """
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
}
