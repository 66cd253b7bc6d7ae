internal import GRDB

/// The last counters of tags.
extension SQLiteRecords {
  func tagCounters() throws(RegistryError) -> [TagCounter] {
    try rows("SELECT * FROM tag_counter ORDER BY uid", [], TagCounter.init(row:))
  }

  func tagCounter(uid: String) throws(RegistryError) -> TagCounter? {
    try rows("SELECT * FROM tag_counter WHERE uid = ?", [uid], TagCounter.init(row:)).first
  }

  func store(_ counter: TagCounter) throws(RegistryError) {
    try run(
      """
      INSERT INTO tag_counter VALUES (?, ?, ?)
      ON CONFLICT (uid) DO UPDATE SET counter = excluded.counter, seen = excluded.seen
      """,
      [counter.uid, counter.counter, counter.seen.millisecondsSince1970])
  }

  func deleteTagCounter(uid: String) throws(RegistryError) {
    try run("DELETE FROM tag_counter WHERE uid = ?", [uid])
  }
}
