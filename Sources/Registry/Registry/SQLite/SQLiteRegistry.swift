internal import CliptagBasics
import CliptagPlatform
import CSQLite
import Foundation
internal import GRDB
internal import Invocation
import Synchronization

/// A registry in an SQLite database: a file, which several processes may use at once, or in memory.
final class SQLiteRegistry: RegistryStore {
  let notes: [Hint]
  let schemaVersion: Int
  let who: String
  let queue = RegistryQueue()

  /// The registry's name in messages: the file's absolute path.
  private let path: String
  /// The connection; `nil` for a file that does not exist.
  private let connection: SQLiteConnection?
  /// The database's location, which determines the chain that it continues.
  private let home: String
  /// The build of the file when it was opened; `nil` for a file that does not exist, and for a copy
  /// of one.
  private let build: SchemaMark?
  /// The opened file at the last transaction; `nil` after it was replaced.
  private let lastSeen: Mutex<FileIdentity?>

  /// Opens a file; see ``RegistryLocation/open(for:createsFolder:busyTimeout:)``.
  init(
    path: String, access: RegistryAccess, createsFolder: Bool, busyTimeout: Duration,
    by person: String? = nil
  ) throws(RegistryError) {
    let path = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    self.path = path
    who = person ?? Login.name
    // A file that takes its place during the opening is another one.
    let before = try FileIdentity(ofFileAt: path)
    switch access {
    case .lookUp where before == nil:
      connection = nil
      notes = [
        "The registry \(path) does not exist yet, so nothing is registered. "
          + "\(.importRegistry(orOpenAnother: false))"
      ]
    case .review where before == nil:
      throw RegistryError(
        .missing, "The registry \(path) does not exist.",
        hint: "\(.importRegistry(orOpenAnother: true))", path: path)
    case .lookUp, .review:
      let (opened, note) = try SQLiteConnection.forLookUp(path: path, busyTimeout: busyTimeout)
      connection = opened
      notes = note.map { [Hint($0)] } ?? []
    case .change:
      try Self.prepareFolder(of: path, creating: createsFolder)
      connection = try SQLiteConnection.forChange(path: path, busyTimeout: busyTimeout)
      notes = []
    }
    home = RecorderHome.of(path: path)
    schemaVersion = connection == nil ? 0 : RegistrySchema.currentVersion
    let first = before == nil ? try FileIdentity(ofFileAt: path) : before
    lastSeen = Mutex(first)
    guard let connection, !connection.isCopy else {
      build = nil
      return
    }
    build = try throwingRegistryErrors(path: path) { try connection.reader.read(SchemaMark.init) }
    // What checkpoints write from now on is known.
    _ = isOpenedFile
  }

  private static let inMemory = "in memory"

  /// Creates an empty registry in memory.
  init() throws(RegistryError) {
    path = Self.inMemory
    who = Login.name
    home = "memory"
    notes = []
    connection = try SQLiteConnection.inMemory(home: home)
    schemaVersion = RegistrySchema.currentVersion
    build = nil
    lastSeen = Mutex(nil)
  }

  // SQLite applies the log when the last connection is closed.
  deinit { _ = isOpenedFile }

  var isCurrent: Bool {
    guard path != Self.inMemory else { return true }
    // A file that cannot be read is opened anew, which states the reason.
    do {
      guard let connection else { return try FileIdentity(ofFileAt: path)?.isEmpty ?? true }
      guard let build, isOpenedFile else { return false }
      return try connection.reader.read { try build.isThat(of: $0) }
    } catch {
      return false
    }
  }

  /// A Boolean value that indicates whether no other program moved, removed or wrote over the file
  /// since it was opened.
  ///
  /// After that the log beside the file is emptied, so that nobody applies it to another file: into
  /// the opened one, unless that was written over.
  private var isOpenedFile: Bool {
    guard let connection, build != nil else { return true }
    return lastSeen.withLock { last in
      guard let before = last else { return false }
      let now = try? connection.reader.unsafeRead {
        try FileIdentity(ofFileAt: path, checkpointedBy: connection.readsOnSeveral ? $0 : nil)
      }
      if let now, now.follows(before) {
        if now.checkpoints != nil { last = now }
        return true
      }
      last = nil
      guard let writer = connection.writer else { return false }
      if now?.isSameFile(as: before) == true {
        truncate(URL(filePath: path).resolvingSymlinksInPath().path + "-wal", 0)
      } else {
        try? writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      }
      return false
    }
  }

  private func requireOpenedFile() throws(RegistryError) {
    guard !isOpenedFile else { return }
    throw RegistryError(
      .replaced,
      "Another program moved, removed or wrote over the registry \(path) while it was open; nothing "
        + "was written.",
      hint: "Start again, which opens the present file.", path: path)
  }

  func read<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value {
    guard let connection else {
      return try RegistryTransaction(EmptySession(), mayChange: false).read(body)
    }
    try requireOpenedFile()
    return try throwingRegistryErrors(path: path) {
      try connection.reader.read { try transaction(on: $0, mayChange: false).read(body) }
    }
  }

  func write<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value {
    guard let writer = connection?.writer else { throw .readOnly(path) }
    try requireOpenedFile()
    return try throwingRegistryErrors(path: path) {
      try writer.write { try transaction(on: $0, mayChange: true).write(body) }
    }
  }

  private func transaction(on database: Database, mayChange: Bool) -> RegistryTransaction {
    RegistryTransaction(
      SQLiteSession(database, path: path, home: home, who: who), mayChange: mayChange)
  }

  /// SQLite's `data_version` counts the changes of others, and the database's own count those of
  /// its one connection. `nil` if each read may use another connection.
  func changeNumber() throws(RegistryError) -> Int? {
    guard let connection else { return 0 }
    guard !connection.readsOnSeveral else { return nil }
    return try throwingRegistryErrors(path: path) {
      try connection.reader.read { database in
        (try Int.fetchOne(database, sql: "PRAGMA data_version") ?? 0) + database.totalChangesCount
      }
    }
  }

  /// Pauses for processes that wait for the file, which they poll ten times a second.
  func makeWay() {
    guard path != Self.inMemory else { return }
    usleep(120_000)
  }

  /// Polls the change number several times a second, as SQLite sends no notifications.
  func waitForChange(atMost patience: Duration) throws(RegistryError) {
    let deadline = ContinuousClock.now + patience
    let before = try changeNumber()
    while ContinuousClock.now < deadline, before != nil, try changeNumber() == before {
      usleep(200_000)
    }
  }

  private static func prepareFolder(of path: String, creating: Bool) throws(RegistryError) {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    if folder.isEmpty || access(folder, F_OK) == 0 { return }
    guard creating else {
      throw RegistryError(
        .unwritable, "The folder \(folder) for the registry does not exist.",
        hint: "Create it, or \(.openAnother(isFile: true)).", path: path)
    }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw RegistryError(
        .unwritable, "The folder \(folder) for the registry cannot be created.",
        hint: "Create it, or \(.openAnother(isFile: true)).", path: path, underlying: error)
    }
  }
}

/// The statements of one open transaction on SQLite.
final class SQLiteSession: RegistrySession {
  let home: String
  let who: String
  private let database: Database
  private let path: String

  init(_ database: Database, path: String, home: String, who: String = Login.name) {
    self.who = who
    self.database = database
    self.path = path
    self.home = home
  }

  /// Each statement is compiled once per connection.
  func run(_ sql: String, _ arguments: [(any SQLValue)?]) throws(RegistryError) {
    try throwingRegistryErrors(path: path) {
      try database.cachedStatement(sql: sql).execute(arguments: Self.arguments(arguments))
    }
  }

  func rows(
    _ sql: String, _ arguments: [(any SQLValue)?], isShared: Bool
  ) throws(RegistryError) -> any RegistryRows {
    try throwingRegistryErrors(path: path) {
      let statement =
        isShared
        ? try database.cachedStatement(sql: sql) : try database.makeStatement(sql: sql)
      return SQLiteRows(
        try Row.fetchCursor(statement, arguments: Self.arguments(arguments)), path: path)
    }
  }

  func letReferencesFollow() throws(RegistryError) { try run("PRAGMA defer_foreign_keys = ON", []) }

  private static func arguments(_ arguments: [(any SQLValue)?]) -> StatementArguments {
    StatementArguments(
      arguments.map { value -> (any DatabaseValueConvertible)? in
        switch value?.argument {
        case .integer(let number): number
        case .number(let number): number
        case .text(let text): text
        case .bytes(let bytes): bytes
        case .truth(let truth): truth
        case nil: nil
        }
      })
  }
}

private final class SQLiteRows: RegistryRows {
  private let cursor: RowCursor
  private let path: String

  init(_ cursor: RowCursor, path: String) {
    self.cursor = cursor
    self.path = path
  }

  func next() throws(RegistryError) -> (any RegistryRow)? {
    try throwingRegistryErrors(path: path) { try cursor.next() }
  }
}

extension Row: RegistryRow {
  func integer(_ column: String) -> Int64? { self[column] }
  func number(_ column: String) -> Double? { self[column] }
  func text(_ column: String) -> String? { (self[column] as String?).map(String.init(stored:)) }
  func bytes(_ column: String) -> Data? { self[column] }
}

/// A file, which keeps its identity as long as it is open. Only checkpoints write into a file with a
/// write-ahead log.
struct FileIdentity {
  private let device: dev_t
  private let number: ino_t
  private let size: off_t
  private let modified: timespec
  /// The work that checkpoints have done; see `csqlite_checkpoints`. `nil` during a checkpoint, or if it is
  /// not known.
  let checkpoints: [UInt32]?

  /// The size of the smallest page of SQLite (sqlite.org/fileformat2.html, 1.3.2).
  private static let page: off_t = 512

  /// - Returns: `nil` if there is no file.
  /// - Throws: `RegistryError` if that cannot be told, or the path leads to something else.
  init?(
    ofFileAt path: String, checkpointedBy database: Database? = nil
  ) throws(RegistryError) {
    let before = database.flatMap(Self.checkpoints)
    let found: stat?
    do {
      found = try PlainFile.facts(at: path)
    } catch {
      throw RegistryError(
        .unreadable, "The registry \(path) cannot be reached: \(error.reason).",
        hint: "Check its path and the permissions of its folders.", path: path, underlying: error)
    }
    guard let found else { return nil }
    let kind = found.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFCHR else {
      throw RegistryError(
        .unreadable, "The registry \(path) is a \(kind == S_IFDIR ? "folder" : "pipe or device").",
        hint: kind == S_IFDIR ? "Give a file in it." : "Give a file.", path: path)
    }
    (device, number, size) = (found.st_dev, found.st_ino, found.st_size)
    modified = found.modified
    checkpoints =
      before == database.flatMap(Self.checkpoints) && before?[2] == before?[3] ? before : nil
  }

  private static func checkpoints(_ database: Database) -> [UInt32]? {
    var facts: [UInt32] = [0, 0, 0, 0]
    let connection = database.sqliteConnection.map { UnsafeMutableRawPointer($0) }
    return csqlite_checkpoints(connection, &facts) == 1 ? facts : nil
  }

  var isEmpty: Bool { size == 0 }

  func isSameFile(as other: Self) -> Bool { device == other.device && number == other.number }

  /// Returns whether this is the other file at a later time: a registry only grows, page by page.
  func follows(_ other: Self) -> Bool {
    let isUnwritten =
      size == other.size && modified.tv_sec == other.modified.tv_sec
      && modified.tv_nsec == other.modified.tv_nsec
    return isSameFile(as: other) && size >= other.size && size.isMultiple(of: Self.page)
      && (isUnwritten || checkpoints == nil || checkpoints != other.checkpoints)
  }
}

/// The build of a database: its format, and its tables with everything that belongs to them.
private struct SchemaMark {
  /// A number that differs after a change of the tables, and after some that leave them as they were.
  private let change: Int?
  private let format: Int?
  private let parts: [String]

  init(_ database: Database) throws {
    change = try Int.fetchOne(database, sql: "PRAGMA schema_version")
    format = try Int.fetchOne(database, sql: "PRAGMA user_version")
    parts = try Self.parts(of: database)
  }

  private static func parts(of database: Database) throws -> [String] {
    try String.fetchAll(
      database,
      sql: "SELECT type || name || ifnull(sql, '') AS part FROM sqlite_master ORDER BY part")
  }

  /// Returns whether a database is still built in this way.
  func isThat(of database: Database) throws -> Bool {
    guard try Int.fetchOne(database, sql: "PRAGMA user_version") == format else { return false }
    if try Int.fetchOne(database, sql: "PRAGMA schema_version") == change { return true }
    return try Self.parts(of: database) == parts
  }
}

/// The location of a registry file, which distinguishes it from its copies: the machine, and the
/// file's inode number. A file that is moved on one disk keeps its location.
enum RecorderHome {
  static func of(path: String) -> String {
    let machine = FileManager.default.contents(atPath: "/etc/machine-id") ?? Data()
    // A link has a number of its own.
    var facts = stat()
    let number = lstat(path, &facts) == 0 ? facts.st_ino : 0
    let name = String(decoding: machine, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    return "\(name) \(number)"
  }
}

extension stat {
  /// The time of the last change.
  fileprivate var modified: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }
}
