import CliptagBasics
import Foundation

/// The record as chains of entries.
extension RegistryOperations where Self: ~Copyable {
  /// Returns the last entry of every chain, by recorder.
  public borrowing func chainHeads() throws(RegistryError) -> [ChainHead] {
    try read { registry in
      var heads: [ChainHead] = []
      for (_, recorder) in try registry.recorders() {
        if let head = try registry.head(of: recorder) { heads.append(head) }
      }
      return heads
    }
  }

  /// Passes every entry of the record, by recorder and number, because there may be millions.
  public borrowing func forEachEntry(
    _ body: (RecordEntry) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    try read { registry in
      for (key, _) in try registry.recorders() {
        try registry.forEachEntry(of: key) { entry throws(RegistryError) in
          try body(entry)
          return true
        }
      }
    }
  }

  /// Returns the entries of one code, by recorder and number.
  borrowing func entries(of id: CodeID) throws(RegistryError) -> [RecordEntry] {
    try rows(
      RecordEntry.columns + " WHERE entry.code = ? ORDER BY recorder.id, entry.number",
      [id.description], RecordEntry.init(row:))
  }
}

extension RegistryOperations where Self: ~Copyable {
  /// Returns the entries of the codes from one to another, by code, recorder and number.
  borrowing func entries(
    from first: CodeID, through last: CodeID
  ) throws(RegistryError) -> [RecordEntry] {
    try rows(
      RecordEntry.columns
        + " WHERE entry.code BETWEEN ? AND ? ORDER BY entry.code, recorder.id, entry.number",
      [first.description, last.description], RecordEntry.init(row:))
  }
}

extension RegistryStore {
  /// Waits until the record has new entries about codes: issued, noted, read, retired or merged.
  ///
  /// It runs on the store's own thread. After the task is cancelled, it returns within half a
  /// second, without codes.
  ///
  /// - Parameter heads: The known ends of the chains, as `chainHeads()` returned them.
  /// - Returns: The codes in their present state, oldest first, and the ends of the chains.
  /// - Throws: The errors of reading; a server that does not answer is tried again for a minute.
  public func codesTold(
    after heads: [ChainHead]
  ) async throws(RegistryError) -> (codes: [IssuedCode], heads: [ChainHead]) {
    try await queue.blocking.run { wanted throws(RegistryError) in
      var answered = ContinuousClock.now
      while wanted.isSet {
        do throws(RegistryError) {
          // The number is taken first, so that changes during the reading are noticed.
          let number = try self.changeNumber()
          let found = try self.read { registry throws(RegistryError) in
            (codes: try registry.codes(after: heads), heads: try registry.chainHeads())
          }
          if found.heads != heads { return found }
          answered = .now
          var isSame = true
          while wanted.isSet, isSame {
            try self.waitForChange(atMost: .milliseconds(500))
            let later = try self.changeNumber()
            isSame = number != nil && later == number
          }
        } catch {
          // A server that restarts, or another that takes over, needs some time.
          guard error.code == .unavailable, .now - answered < .seconds(60) else { throw error }
          try self.waitForChange(atMost: .milliseconds(500))
        }
      }
      return (codes: [], heads: heads)
    }
  }
}

extension RegistryTransaction {
  /// Passes the entries of a chain by number, as long as `body` returns `true`.
  ///
  /// - Parameters:
  ///   - key: The recorder's number in this database.
  ///   - condition: A further condition, with its arguments.
  fileprivate borrowing func forEachEntry(
    of key: Int64, _ condition: String = "", _ arguments: [(any SQLValue)?] = [],
    _ body: (RecordEntry) throws(RegistryError) -> Bool
  ) throws(RegistryError) {
    let ofRecorder = " WHERE entry.recorder = ? \(condition) ORDER BY entry.number"
    let codes = try session.rows(
      RecordEntry.columns + ofRecorder, [key] + arguments, isShared: false)
    let settings = try session.rows(
      RecordEntry.settingColumns + ofRecorder, [key] + arguments, isShared: false)
    func nextSetting() throws(RegistryError) -> RecordEntry? {
      guard let row = try settings.next() else { return nil }
      return try RecordEntry(settingRow: row)
    }
    var setting = try nextSetting()
    while let row = try codes.next() {
      let entry = try RecordEntry(row: row)
      while let next = setting, next.number < entry.number {
        guard try body(next) else { return }
        setting = try nextSetting()
      }
      guard try body(entry) else { return }
    }
    while let next = setting {
      guard try body(next) else { return }
      setting = try nextSetting()
    }
  }

  /// Returns the entries of one chain from a number on, in order.
  ///
  /// - Parameters:
  ///   - head: The last entry to return.
  ///   - number: The number of the entry before the first.
  ///   - count: The largest number of entries.
  ///   - size: The approximate largest size, in bytes; a single entry may exceed it.
  borrowing func entries(
    upTo head: ChainHead, after number: Int, atMost count: Int, _ size: Int
  ) throws(RegistryError) -> [RecordEntry] {
    var entries: [RecordEntry] = []
    var left = size
    guard let key = try key(of: head.recorder) else { return [] }
    try forEachEntry(
      of: key, "AND entry.number > ? AND entry.number <= ?",
      [number, min(head.number, number + count)]
    ) { entry throws(RegistryError) in
      entries.append(entry)
      left -= entry.line.count
      return left > 0
    }
    return entries
  }

  /// Returns the codes with entries after these heads, oldest first.
  fileprivate borrowing func codes(after heads: [ChainHead]) throws(RegistryError) -> [IssuedCode] {
    var ids: Set<CodeID> = []
    for (key, recorder) in try recorders() {
      let last = heads.first { $0.recorder == recorder }?.number ?? 0
      let told = try rows(
        "SELECT DISTINCT code FROM code_entry WHERE recorder = ? AND number > ?", [key, last],
        { try $0.codeID("code") })
      ids.formUnion(told)
    }
    var codes: [IssuedCode] = []
    for id in ids.sorted(by: { $0.description < $1.description }) {
      if let code = try code(id: id) { codes.append(code) }
    }
    return codes
  }

  /// Returns the recorder of this registry, which is created on first use.
  borrowing func ownRecorder() throws(RegistryError) -> Recorder {
    if let own = try presentRecorder() { return own }
    let recorder = Recorder()
    try store(recorder, home: session.home)
    known.ownRecorder = recorder
    return recorder
  }

  /// Returns the recorder of this registry; `nil` before its first entry.
  borrowing func presentRecorder() throws(RegistryError) -> Recorder? {
    if let own = known.ownRecorder { return own }
    // Its number and its last entry are needed next, and are looked up together.
    let found = try rows(
      """
      SELECT key, id,
        (SELECT max(number) FROM code_entry WHERE recorder = r.key) AS code_number,
        (SELECT max(number) FROM setting_entry WHERE recorder = r.key) AS setting_number,
        (SELECT hash FROM code_entry WHERE recorder = r.key ORDER BY number DESC LIMIT 1)
          AS code_hash,
        (SELECT hash FROM setting_entry WHERE recorder = r.key ORDER BY number DESC LIMIT 1)
          AS setting_hash
      FROM recorder AS r WHERE home = ?
      """, [session.home]
    ) { row -> (Recorder, Int64, ChainHead?) in
      let recorder = try row.recorder("id")
      let (code, setting): (Int?, Int?) = (row["code_number"], row["setting_number"])
      let head = try [("code_hash", code), ("setting_hash", setting)]
        .max { $0.1 ?? 0 < $1.1 ?? 0 }
        .flatMap { column, number throws(RegistryError) -> ChainHead? in
          guard let number else { return nil }
          return ChainHead(recorder: recorder, number: number, hash: try row.hash(column))
        }
      return (recorder, try row["key"], head)
    }.first
    guard let (recorder, key, head) = found else { return nil }
    known.ownRecorder = recorder
    known.recorderKeys[recorder] = key
    if let head, known.heads[recorder] == nil { known.heads[recorder] = head }
    return recorder
  }

  /// Ends this registry's own chain; its next entry begins another.
  borrowing func leaveOwnChain() throws(RegistryError) {
    try run("UPDATE recorder SET home = NULL WHERE home = ?", [session.home])
    known.ownRecorder = nil
  }

  /// Stores a new recorder.
  ///
  /// - Parameter home: The location of this registry, for its own recorder.
  borrowing func store(_ recorder: Recorder, home: String?) throws(RegistryError) {
    try run("INSERT INTO recorder (id, home) VALUES (?, ?)", [recorder.description, home])
  }

  /// Returns every recorder, with its number in this database.
  fileprivate borrowing func recorders() throws(RegistryError) -> [(Int64, Recorder)] {
    try rows(
      "SELECT key, id FROM recorder ORDER BY id", [],
      { (try $0["key"], try $0.recorder("id")) })
  }

  /// Returns the number of a recorder in this database.
  borrowing func key(of recorder: Recorder) throws(RegistryError) -> Int64? {
    if let key = known.recorderKeys[recorder] { return key }
    let key = try rows(
      "SELECT key FROM recorder WHERE id = ?", [recorder.description],
      { row -> Int64 in try row["key"] }
    ).first
    known.recorderKeys[recorder] = key
    return key
  }

  /// Returns the last entry of a recorder's chain; `nil` if the registry has none.
  borrowing func head(of recorder: Recorder) throws(RegistryError) -> ChainHead? {
    if let head = known.heads[recorder] { return head }
    guard let key = try key(of: recorder) else { return nil }
    let head = try rows(
      """
      SELECT * FROM (SELECT * FROM
          (SELECT number, hash FROM code_entry WHERE recorder = ? ORDER BY number DESC LIMIT 1) AS c
        UNION ALL SELECT * FROM
          (SELECT number, hash FROM setting_entry WHERE recorder = ? ORDER BY number DESC LIMIT 1) AS s
      ) AS heads
      ORDER BY number DESC LIMIT 1
      """, [key, key],
      { ChainHead(recorder: recorder, number: try $0["number"], hash: try $0.hash("hash")) }
    ).first
    known.heads[recorder] = head
    return head
  }

  /// Returns the hash of one entry; `nil` if the registry does not contain it.
  borrowing func hash(of recorder: Recorder, number: Int) throws(RegistryError) -> EntryHash? {
    try hashes(ofEach: [(recorder, number)])[recorder]?[number]
  }

  /// Returns the hashes of entries, by their recorder and number. On a server this takes one round
  /// trip.
  borrowing func hashes(
    ofEach entries: [(recorder: Recorder, number: Int)]
  ) throws(RegistryError) -> [Recorder: [Int: EntryHash]] {
    var present: [(recorder: Recorder, number: Int)] = []
    var arguments: [[(any SQLValue)?]] = []
    for (recorder, number) in entries {
      guard let key = try key(of: recorder) else { continue }
      present.append((recorder, number))
      arguments.append([key, number, key, number])
    }
    var hashes: [Recorder: [Int: EntryHash]] = [:]
    try session.forEachRow(
      """
      SELECT hash FROM code_entry WHERE recorder = ? AND number = ?
      UNION ALL SELECT hash FROM setting_entry WHERE recorder = ? AND number = ?
      """, ofEach: arguments
    ) { index, row throws(RegistryError) in
      let (recorder, number) = present[index]
      hashes[recorder, default: [:]][number] = try row.hash("hash")
    }
    return hashes
  }

  /// Adds an entry that follows the last of its chain.
  borrowing func append(_ entry: RecordEntry) throws(RegistryError) {
    var key = try key(of: entry.recorder)
    if key == nil {
      try store(entry.recorder, home: nil)
      key = try self.key(of: entry.recorder)
    }
    var values: [(any SQLValue)?] = [
      key, entry.number, Data(entry.previous.bytes), Data(entry.hash.bytes),
      entry.subject.description, entry.milliseconds, entry.kind.rawValue, entry.who,
      FlatJSON.text(entry.details), entry.isAdopted,
    ]
    switch entry.subject {
    case .code(let id):
      if entry.kind == .issued, entry.issued == nil { known.forgetPrints(of: id) }
      if let key, known.tallies[id] != nil {
        known.tallies[id]?[key, default: EntryTally()].add(entry)
      }
      values.append(entry.issued != nil)
      try run(
        """
        INSERT INTO code_entry
          (recorder, number, previous, hash, code, time, kind, who, details, adopted, begins)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, values)
    case .setting:
      try run(
        """
        INSERT INTO setting_entry
          (recorder, number, previous, hash, subject, time, kind, who, details, adopted)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, values)
    }
    known.heads[entry.recorder] = entry.head
    known.appended = entry.head
  }

  /// Returns the codes whose status differs from their entries.
  borrowing func codesOfWrongStatus() throws(RegistryError) -> [CodeID] {
    try codeIDs(
      """
      (status = 'retired') <> EXISTS
        (SELECT 1 FROM code_entry WHERE code = code.id AND kind = 'retired')
      """)
  }

  /// Returns the codes whose last print or items differ from their entries.
  borrowing func codesOfWrongPrint() throws(RegistryError) -> [CodeID] {
    let wrong = try codesOfWrongLastPrint()
    return wrong + (try codesOfWrongItems()).filter { !wrong.contains($0) }
  }

  private borrowing func codesOfWrongItems() throws(RegistryError) -> [CodeID] {
    let derived = ItemSchema.items(session.itemDialect, where: "1 = 1")
    return try rows(
      """
      SELECT DISTINCT code AS id FROM (
        SELECT * FROM (SELECT * FROM (\(derived)) AS derived EXCEPT SELECT \(ItemSchema.columns)
          FROM code_item) AS lacking
        UNION ALL
        SELECT * FROM (SELECT \(ItemSchema.columns) FROM code_item EXCEPT
          SELECT * FROM (\(derived)) AS derived) AS strange
      ) AS wrong ORDER BY 1
      """, [], { try $0.codeID("id") })
  }

  /// Returns the codes whose last print differs from their entries, in the order of
  /// ``CodeHistory``.
  private borrowing func codesOfWrongLastPrint() throws(RegistryError) -> [CodeID] {
    try rows(
      """
      \(RegistrySchema.printsInOrder)
      SELECT coalesce(last.code, kept.code) AS id
      FROM (SELECT * FROM prints WHERE place = 1) AS last
      FULL JOIN code_print AS kept ON kept.code = last.code
      WHERE last.code IS NULL OR kept.code IS NULL OR kept.time <> last.time
        OR kept.recorder <> last.recorder OR kept.number <> last.number
        OR kept.details <> last.details
      ORDER BY 1
      """, [], { try $0.codeID("id") })
  }

  /// Returns the codes without an entry about their issue.
  borrowing func codesWithoutIssue() throws(RegistryError) -> [CodeID] {
    try codeIDs("NOT EXISTS (SELECT 1 FROM code_entry WHERE code = code.id AND begins)")
  }

  private borrowing func codeIDs(_ condition: String) throws(RegistryError) -> [CodeID] {
    try rows("SELECT id FROM code WHERE \(condition) ORDER BY id", [], { try $0.codeID("id") })
  }
}

extension RecordEntry {
  /// The columns of an entry, with the facts of an issue.
  fileprivate static let columns = """
    SELECT entry.*, recorder.id AS recorder_id, code.* FROM code_entry AS entry
    JOIN recorder ON recorder.key = entry.recorder
    LEFT JOIN code ON entry.begins AND code.id = entry.code
    """

  /// The columns of an entry about a setting.
  fileprivate static let settingColumns = """
    SELECT entry.*, recorder.id AS recorder_id FROM setting_entry AS entry
    JOIN recorder ON recorder.key = entry.recorder
    """

  /// Reads a row without checking it.
  fileprivate init(settingRow row: any RegistryRow) throws(RegistryError) {
    let details: String = try row["details"]
    let subject: String = try row["subject"]
    guard let setting = Setting(subject) else { throw .damaged("the subject “\(subject)”") }
    self.init(
      recorder: try row.recorder("recorder_id"), number: try row["number"],
      previous: try row.hash("previous"), hash: try row.hash("hash"),
      subject: .setting(setting), milliseconds: try row["time"],
      kind: CodeEvent.Kind(rawValue: try row["kind"]), who: try row["who"],
      details: FlatJSON.texts(details) ?? ["": details], isAdopted: try row["adopted"],
      issued: nil)
  }

  /// Reads a row without checking it: the hash reveals contents that no version would write.
  fileprivate init(row: any RegistryRow) throws(RegistryError) {
    let details: String = try row["details"]
    var issued: [String: String]?
    if try row["begins"] { issued = try IssuedCode(row: row).facts }
    self.init(
      recorder: try row.recorder("recorder_id"), number: try row["number"],
      previous: try row.hash("previous"), hash: try row.hash("hash"),
      subject: .code(try row.codeID("code")), milliseconds: try row["time"],
      kind: CodeEvent.Kind(rawValue: try row["kind"]), who: try row["who"],
      details: FlatJSON.texts(details) ?? ["": details], isAdopted: try row["adopted"],
      issued: issued)
  }
}
