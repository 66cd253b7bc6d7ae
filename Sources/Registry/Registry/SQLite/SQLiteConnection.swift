import CliptagBasics
import CliptagPlatform
import Foundation
import CSQLite
internal import GRDB

/// An opened and checked database.
struct SQLiteConnection: Sendable {
  /// The database for transactions that only read.
  let reader: any DatabaseReader
  /// The database for transactions that change; `nil` if it was opened for looking up.
  let writer: (any DatabaseWriter)?
  /// A Boolean value that indicates whether each read may use another connection.
  let readsOnSeveral: Bool
  /// The copy of a database on read-only media, removed with the value.
  private let copy: TemporaryCopy?

  /// A Boolean value that indicates whether the database is a copy of the file.
  var isCopy: Bool { copy != nil }

  private init(
    reader: any DatabaseReader, writer: (any DatabaseWriter)? = nil, copy: TemporaryCopy? = nil
  ) {
    readsOnSeveral = reader is DatabasePool
    self.reader = reader
    self.writer = writer
    self.copy = copy
  }

  /// Opens a database for changes, creating or migrating it.
  static func forChange(path: String, busyTimeout: Duration) throws(RegistryError) -> Self {
    let existed = try FileIdentity(ofFileAt: path) != nil
    // SQLite would make the file readable for everybody. Files beside it get the same permissions.
    if !existed { close(open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)) }
    do {
      return try throwingRegistryErrors(path: path) { try migrated(path: path, busyTimeout) }
    } catch let error where error.code == .unreadable && !existed {
      throw RegistryError(
        .unwritable, "The registry \(path) cannot be created.",
        hint: "Make its folder writable, or \(.openAnother(isFile: true)).", path: path,
        underlying: error.underlying)
    }
  }

  /// Makes an empty database in memory.
  static func inMemory(home: String) throws(RegistryError) -> Self {
    try throwingRegistryErrors(path: "in memory") {
      let queue = try DatabaseQueue(configuration: configuration(busyTimeout: .zero))
      try queue.write { try RegistrySchema.migrate($0, from: 0, home: home) }
      return SQLiteConnection(reader: queue, writer: queue)
    }
  }

  private static func migrated(path: String, _ busyTimeout: Duration) throws -> Self {
    try checkKind(path: path, busyTimeout: busyTimeout)
    let pool = try openPool(path: path, busyTimeout: busyTimeout)
    // In WAL mode GRDB lets commits wait in memory; a printed code must not be lost.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    try pool.write { database in
      // Checked again inside the transaction: another process may have migrated the file meanwhile.
      let version = try checkedVersion(of: database, path: path)
      if version < RegistrySchema.currentVersion {
        try RegistrySchema.migrate(database, from: version, home: RecorderHome.of(path: path))
      }
    }
    return SQLiteConnection(reader: pool, writer: pool)
  }

  /// Opens an existing database for reading. It is not changed, unless its format is older: then it
  /// is migrated, as by a connection for changes.
  ///
  /// - Returns: The connection, or `nil` for an empty file, and notes about the file.
  static func forLookUp(
    path: String, busyTimeout: Duration
  ) throws(RegistryError) -> (SQLiteConnection?, note: String?) {
    do {
      let (queue, version) = try openReadOnly(path: path, busyTimeout: busyTimeout)
      switch version {
      case 0: return (nil, "The registry \(path) is empty.")
      case RegistrySchema.currentVersion: return (SQLiteConnection(reader: queue), nil)
      default:
        // One connection reads again, so that it can detect changes by others.
        _ = try forChange(path: path, busyTimeout: busyTimeout)
        let (queue, _) = try openReadOnly(path: path, busyTimeout: busyTimeout)
        return (SQLiteConnection(reader: queue), nil)
      }
    } catch let error where error.code == .unreadable || error.code == .unwritable {
      // A WAL database needs its index file beside it. On read-only media the index cannot be
      // created, and no other process can write either, so a copy has the same contents.
      guard FileManager.default.isReadableFile(atPath: path) else { throw error }
      let copy = try TemporaryCopy(of: path)
      var (queue, version) = try openReadOnly(path: copy.path, busyTimeout: busyTimeout)
      guard version > 0 else { throw error }
      if version < RegistrySchema.currentVersion {
        _ = try forChange(path: copy.path, busyTimeout: busyTimeout)
        (queue, version) = try openReadOnly(path: copy.path, busyTimeout: busyTimeout)
      }
      return (
        SQLiteConnection(reader: queue, copy: copy),
        "The registry \(path) is on read-only storage; a temporary copy is used."
      )
    }
  }

  /// Migrates a file of an older format, or for a rehearsal a copy of it.
  ///
  /// - Returns: The format before.
  static func upgrade(
    path: String, isRehearsal: Bool, busyTimeout: Duration
  ) throws(RegistryError) -> Int {
    guard try FileIdentity(ofFileAt: path) != nil else {
      throw RegistryError(
        .missing, "The registry \(path) does not exist.", hint: "Give an existing registry.",
        path: path)
    }
    let (queue, version) = try openReadOnly(path: path, busyTimeout: busyTimeout)
    try throwingRegistryErrors(path: path) { try queue.close() }
    guard isRehearsal else {
      _ = try forChange(path: path, busyTimeout: busyTimeout)
      return version
    }
    let copy = try TemporaryCopy(of: path)
    _ = try forChange(path: copy.path, busyTimeout: busyTimeout)
    return version
  }

  private static func openReadOnly(
    path: String, busyTimeout: Duration
  ) throws(RegistryError) -> (DatabaseQueue, version: Int) {
    try throwingRegistryErrors(path: path) {
      var configuration = configuration(busyTimeout: busyTimeout)
      configuration.readonly = true
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      return (queue, try queue.read { try checkedVersion(of: $0, path: path) })
    }
  }

  /// Refuses files that are not registries before a connection for changes enables WAL in them.
  private static func checkKind(path: String, busyTimeout: Duration) throws {
    guard let file = try FileIdentity(ofFileAt: path), !file.isEmpty else { return }
    var configuration = configuration(busyTimeout: busyTimeout)
    configuration.readonly = true
    let queue: DatabaseQueue
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
      _ = try queue.read { try checkedVersion(of: $0, path: path) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
      return  // the connection for changes gives the better reason
    }
  }

  private static func openPool(path: String, busyTimeout: Duration) throws -> DatabasePool {
    let deadline = ContinuousClock.now + busyTimeout
    while true {
      do {
        return try DatabasePool(path: path, configuration: configuration(busyTimeout: busyTimeout))
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        // Enabling WAL is the one step for which SQLite does not call the busy handler.
        guard ContinuousClock.now < deadline else { throw error }
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
  }

  private static func configuration(busyTimeout: Duration) -> Configuration {
    var configuration = Configuration()
    let seconds = busyTimeout / .seconds(1)
    configuration.busyMode = .timeout(seconds)
    configuration.foreignKeysEnabled = true
    configuration.prepareDatabase(defend)
    return configuration
  }

  /// The number of steps of SQLite's virtual machine that a statement may take in an unverified
  /// file: some seconds, a thousand times the need of a registry's schema.
  static let stepsAtOpening: Int32 = 50_000_000

  /// Restricts a new connection's trust in the file it opened, and reads the schema, which
  /// otherwise the first statement does.
  private static func defend(_ database: Database) throws {
    guard let connection = database.sqliteConnection else { return }
    let result = csqlite_defend(UnsafeMutableRawPointer(connection))
    guard result == 0 else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: result), message: "the connection cannot be protected")
    }
    try withLimitedSteps(database) { _ = try Row.fetchOne($0, sql: "SELECT 1 FROM sqlite_master") }
  }

  /// Runs statements, each of which fails when it takes too many steps.
  static func withLimitedSteps<Value>(
    _ database: Database, to steps: Int32 = stepsAtOpening, _ body: (Database) throws -> Value
  ) throws -> Value {
    let connection = database.sqliteConnection.map { UnsafeMutableRawPointer($0) }
    csqlite_limit_steps(connection, steps)
    defer { csqlite_limit_steps(connection, 0) }
    return try body(database)
  }

  /// Returns the version of a registry, 0 for an empty database. No table is queried before the
  /// schema is known to be that of the version: a table could be an endless view, and a foreign
  /// trigger could undo changes.
  ///
  /// - Throws: `RegistryError.Code.notARegistry`, `RegistryError.Code.newerVersion`,
  ///   `RegistryError.Code.altered`.
  private static func checkedVersion(of database: Database, path: String) throws -> Int {
    try withLimitedSteps(database) { try checkedVersion(ofBounded: $0, path: path) }
  }

  private static func checkedVersion(ofBounded database: Database, path: String) throws -> Int {
    let applicationID = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    let isEmpty = try Row.fetchOne(database, sql: "SELECT 1 FROM sqlite_master LIMIT 1") == nil
    if isEmpty, applicationID == 0, version == 0 { return 0 }
    guard applicationID == RegistrySchema.applicationID, version > 0 else {
      throw RegistryError(
        .notARegistry, "The file \(path) is a database of another application.",
        hint: .sentence("\(.openAnother(isFile: true))"), path: path)
    }
    guard version <= RegistrySchema.currentVersion else {
      throw RegistryError(
        .newerVersion,
        "The registry \(path) has format \(version); this version of cliptag knows formats up to "
          + "\(RegistrySchema.currentVersion).",
        hint: "Install a newer cliptag.", path: path)
    }
    let differences = try SchemaPart.differences(of: database, fromVersion: version)
    guard differences.isEmpty else {
      let told = differences.prefix(3).joined(separator: ", ")
      let more = differences.count > 3 ? " and \(differences.count - 3) more" : ""
      throw RegistryError(
        .altered,
        "The registry \(path) does not have cliptag's schema: \(told)\(more). Another program changed "
          + "the file.",
        hint: "Restore a copy; do not trust the data of this file.", path: path)
    }
    return version
  }
}

/// A copy of a database and its write-ahead log, removed with the value.
private final class TemporaryCopy: Sendable {
  let path: String
  private let folder: ScratchFolder

  init(of original: String) throws(RegistryError) {
    let files = FileManager.default
    guard let folder = ScratchFolder() else {
      throw RegistryError(
        .unreadable, "The registry \(original) is on read-only storage and cannot be copied.",
        hint: "Free some space in the folder for temporary files, or set TMPDIR to another.",
        path: original)
    }
    self.folder = folder
    path = folder.path + "/registry.sqlite"
    do {
      try files.copyItem(atPath: original, toPath: path)
      if files.fileExists(atPath: original + "-wal") {
        try files.copyItem(atPath: original + "-wal", toPath: path + "-wal")
      }
      // Copies keep the permissions of the original, which may forbid writing.
      for suffix in ["", "-wal"] where files.fileExists(atPath: path + suffix) {
        try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + suffix)
      }
    } catch {
      throw RegistryError(
        .unreadable, "The registry \(original) is on read-only storage and cannot be copied.",
        hint: "Free some space in the folder for temporary files, or set TMPDIR to another.",
        path: original, underlying: error)
    }
  }
}
