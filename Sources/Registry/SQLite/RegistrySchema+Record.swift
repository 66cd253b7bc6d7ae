internal import GRDB

extension RegistrySchema {
  /// The record as chains. Each recorder's entries are numbered without a gap, each holds the hash
  /// of the one before, and none is ever changed or deleted, whoever writes to the file: triggers
  /// refuse it. Whoever removes the triggers is found by the hashes.
  ///
  /// What was issued stays in `code`; the entry with which a code begins is hashed with it.
  static let recordStep = """
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

  /// Taken after the old events are in: it drops their table.
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

  /// Takes the events from before there were chains as the first entries of this file's chain, code
  /// by code, each as it was.
  static func adoptEvents(_ database: Database, home: String) throws {
    let recorder = Recorder()
    let events = try Row.fetchCursor(
      database,
      sql: """
        SELECT code_event.*, code.* FROM code_event
        JOIN code ON code.id = code_event.code ORDER BY code_event.code, sequence
        """)
    let records = SQLiteRecords(database, path: "", home: home)
    var head: ChainHead?
    while let row = try events.next() {
      if head == nil { try records.store(recorder, home: home) }
      let event = try CodeEvent(row: row)
      let entry = try RecordEntry(
        of: event, after: head, by: recorder,
        issuing: event.sequence == 1 ? try IssuedCode(row: row) : nil, isAdopted: true)
      try records.append(entry)
      head = entry.head
    }
    try database.execute(sql: recordGuards)
  }
}
