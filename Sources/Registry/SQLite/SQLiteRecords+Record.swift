import Foundation
internal import GRDB

/// The record.
extension SQLiteRecords {
  func ownRecorder() throws(RegistryError) -> Recorder {
    if let own { return own }
    let known = try rows(
      "SELECT id FROM recorder WHERE home = ?", [home], { try Recorder(column: $0["id"]) }
    ).first
    let recorder = known ?? Recorder()
    if known == nil { try store(recorder, home: home) }
    own = recorder
    return recorder
  }

  /// Keeps a recorder that is new.
  ///
  /// - Parameter home: Where this registry is, for its own recorder.
  func store(_ recorder: Recorder, home: String?) throws(RegistryError) {
    try run("INSERT INTO recorder VALUES (NULL, ?, ?)", [recorder.description, home])
  }

  /// The number that stands for a recorder in this file.
  private func key(of recorder: Recorder) throws(RegistryError) -> Int64? {
    if let known = recorderKeys[recorder] { return known }
    let key = try rows(
      "SELECT key FROM recorder WHERE id = ?", [recorder.description], { $0["key"] as Int64 }
    ).first
    recorderKeys[recorder] = key
    return key
  }

  func head(of recorder: Recorder) throws(RegistryError) -> ChainHead? {
    if let known = knownHeads[recorder] { return known }
    guard let key = try key(of: recorder) else { return nil }
    let head = try rows(
      "SELECT number, hash FROM code_entry WHERE recorder = ? ORDER BY number DESC LIMIT 1", [key],
      {
        ChainHead(recorder: recorder, number: $0["number"], hash: try EntryHash(column: $0["hash"]))
      }
    ).first
    knownHeads[recorder] = head
    return head
  }

  func heads() throws(RegistryError) -> [ChainHead] {
    let recorders = try rows(
      "SELECT id FROM recorder ORDER BY id", [], { try Recorder(column: $0["id"]) })
    var heads: [ChainHead] = []
    for recorder in recorders {
      if let head = try head(of: recorder) { heads.append(head) }
    }
    return heads
  }

  func hash(of recorder: Recorder, number: Int) throws(RegistryError) -> EntryHash? {
    guard let key = try key(of: recorder) else { return nil }
    return try rows(
      "SELECT hash FROM code_entry WHERE recorder = ? AND number = ?", [key, number],
      { try EntryHash(column: $0["hash"]) }
    ).first
  }

  func append(_ entry: RecordEntry) throws(RegistryError) {
    var key = try key(of: entry.recorder)
    if key == nil {
      try store(entry.recorder, home: nil)
      key = try self.key(of: entry.recorder)
    }
    try run(
      "INSERT INTO code_entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        key, entry.number, Data(entry.previous.bytes), Data(entry.hash.bytes),
        entry.code.description, entry.milliseconds, entry.kind.rawValue, entry.who,
        FlatJSON.text(entry.details), entry.isAdopted, entry.issued != nil,
      ])
    knownHeads[entry.recorder] = entry.head
  }

  private static let entryColumns = """
    SELECT entry.*, recorder.id AS recorder_id, code.* FROM code_entry AS entry
    JOIN recorder ON recorder.key = entry.recorder
    LEFT JOIN code ON entry.begins AND code.id = entry.code
    """

  func entries(of id: CodeID) throws(RegistryError) -> [RecordEntry] {
    try rows(
      Self.entryColumns + " WHERE entry.code = ? ORDER BY recorder.id, entry.number",
      [id.description], RecordEntry.init(row:))
  }

  func entryCount(of id: CodeID) throws(RegistryError) -> (entries: Int, recorders: Int) {
    try rows(
      "SELECT count(*), count(DISTINCT recorder) FROM code_entry WHERE code = ?", [id.description],
      { ($0[0] as Int, $0[1] as Int) }
    ).first ?? (0, 0)
  }

  func forEachEntry(
    _ body: (RecordEntry) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    let recorders = try rows(
      "SELECT key, id FROM recorder ORDER BY id", [],
      { (key: $0["key"] as Int64, recorder: try Recorder(column: $0["id"])) })
    for (key, _) in recorders {
      try throwingRegistryErrors(path: path) {
        let cursor = try Row.fetchCursor(
          try database.makeStatement(
            sql: Self.entryColumns + " WHERE entry.recorder = ? ORDER BY entry.number"),
          arguments: [key])
        while let row = try cursor.next() { try body(RecordEntry(row: row)) }
      }
    }
  }

  func codesOfWrongStatus() throws(RegistryError) -> [CodeID] {
    try codeIDs(
      """
      (status = 'retired') <> EXISTS
        (SELECT 1 FROM code_entry WHERE code = code.id AND kind = 'retired')
      """)
  }

  func codesWithoutIssue() throws(RegistryError) -> [CodeID] {
    try codeIDs("NOT EXISTS (SELECT 1 FROM code_entry WHERE code = code.id AND begins)")
  }

  private func codeIDs(_ condition: String) throws(RegistryError) -> [CodeID] {
    try rows(
      "SELECT id FROM code WHERE \(condition) ORDER BY id", [],
      { row in
        let name: String = row["id"]
        guard let id = CodeID(name) else { throw RegistryError.damaged("the code name “\(name)”") }
        return id
      })
  }

  func sightings() throws(RegistryError) -> [Sighting] {
    let kinds = Sighting.kinds.map { "'\($0)'" }.joined(separator: ", ")
    // A name in quotes and a colon stand in a text of JSON only where they are a name: quotes inside
    // a text are escaped.
    return try rows(
      """
      SELECT code,
        max(CASE WHEN kind <> 'retired' THEN time END),
        max(CASE WHEN kind = 'retired' THEN time END)
      FROM code_entry
      WHERE kind IN (\(kinds), 'retired')
        OR kind = 'verified' AND instr(details, '"\(CodeEvent.Fact.position)":') > 0
      GROUP BY code
      """, [],
      { row in
        let name: String = row[0]
        guard let code = CodeID(name) else {
          throw RegistryError.damaged("the code name “\(name)”")
        }
        return Sighting(
          code: code, last: (row[1] as Int64?).map(Date.init(millisecondsSince1970:)),
          retired: (row[2] as Int64?).map(Date.init(millisecondsSince1970:)))
      })
  }

  func letCodesFollow() throws(RegistryError) { try run("PRAGMA defer_foreign_keys = ON") }
}

extension Recorder {
  init(column text: String) throws {
    guard let recorder = Recorder(text) else {
      throw RegistryError.damaged("the recorder “\(text)”")
    }
    self = recorder
  }
}

extension EntryHash {
  init(column data: Data) throws {
    guard let hash = EntryHash(data) else {
      throw RegistryError.damaged("a hash of \(data.count) bytes")
    }
    self = hash
  }
}

extension RecordEntry {
  /// Takes a row as it is: what no version would write is found by its hash.
  init(row: Row) throws {
    let name: String = row["code"]
    let details: String = row["details"]
    let begins: Bool = row["begins"]
    guard let code = CodeID(name) else { throw RegistryError.damaged("the code name “\(name)”") }
    self.init(
      recorder: try Recorder(column: row["recorder_id"]), number: row["number"],
      previous: try EntryHash(column: row["previous"]), hash: try EntryHash(column: row["hash"]),
      code: code, milliseconds: row["time"], kind: CodeEvent.Kind(rawValue: row["kind"]),
      who: row["who"], details: FlatJSON.texts(details) ?? ["": details],
      isAdopted: row["adopted"], issued: begins ? try IssuedCode(row: row).facts : nil)
  }
}

/// Where a registry file is, which tells the file from its copies: the machine, and the file's own
/// number on its disk. A file that is moved on one disk keeps it.
enum RecorderHome {
  static func of(path: String) -> String {
    let machine = FileManager.default.contents(atPath: "/etc/machine-id") ?? Data()
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let number = (attributes?[.systemFileNumber] as? UInt64) ?? 0
    let name = String(decoding: machine, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    return "\(name) \(number)"
  }
}
