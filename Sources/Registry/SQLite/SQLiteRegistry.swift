import Foundation
internal import GRDB
import Invocation

/// A registry in an SQLite file, which several processes may use at once.
///
/// The file is in WAL mode: readers never wait for a writer, and writers wait for each other, at
/// most the busy time-out. Every committed change is on the disk when the call returns.
public final class SQLiteRegistry: RegistryStore {
  /// What a registry is opened for.
  public enum Access: Hashable, Sendable {
    /// Only looking things up. Nothing is created: a missing file is an empty registry, with a
    /// note. Works on read-only media.
    case lookUp
    /// Looking up and changing. A missing file is created.
    case change
  }

  /// The file's absolute path.
  public let path: String
  /// What the registry was opened for.
  public let access: Access
  /// Things worth telling whoever opened the registry.
  public let notes: [String]
  /// Version of the schema; 0 when there is no file yet.
  public let schemaVersion: Int

  /// `nil` stands for a file that does not exist.
  private let connection: SQLiteConnection?
  /// Where the file is, which decides whose chain it goes on with.
  private let home: String

  /// Opens a registry.
  ///
  /// - Parameters:
  ///   - path: The file; a relative path counts from the current folder.
  ///   - access: What it is opened for.
  ///   - createsFolder: Whether a missing folder of a file to be created is created too.
  ///   - busyTimeout: The longest wait for other processes' locks.
  /// - Throws: ``RegistryError`` with ``RegistryError/Code/notADatabase``,
  ///   ``RegistryError/Code/notARegistry``, ``RegistryError/Code/newerVersion``,
  ///   ``RegistryError/Code/unreadable``, ``RegistryError/Code/unwritable``,
  ///   ``RegistryError/Code/locked``, ``RegistryError/Code/diskFull`` or
  ///   ``RegistryError/Code/damaged``. The file is then as it was.
  public init(
    path: String, access: Access = .change, createsFolder: Bool = false,
    busyTimeout: Duration = .seconds(10)
  ) throws(RegistryError) {
    let path = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    self.path = path
    self.access = access
    var isFolder = false
    let exists = FileManager.default.itemExists(atPath: path, isFolder: &isFolder)
    guard !isFolder else {
      throw RegistryError(
        .unreadable, "The registry \(path) is a folder.", hint: "Name a file in it.", path: path)
    }
    switch access {
    case .lookUp where !exists:
      connection = nil
      notes = [
        "There is no registry at \(path) yet, so nothing is registered. "
          + "Make one: cliptag registry import FILE"
      ]
    case .lookUp:
      let (opened, note) = try SQLiteConnection.forLookUp(path: path, busyTimeout: busyTimeout)
      connection = opened
      notes = note.map { [$0] } ?? []
    case .change:
      try Self.prepareFolder(of: path, creating: createsFolder)
      connection = try SQLiteConnection.forChange(path: path, busyTimeout: busyTimeout)
      notes = []
    }
    home = RecorderHome.of(path: path)
    schemaVersion = connection == nil ? 0 : RegistrySchema.currentVersion
  }

  /// Runs `body` on one unchanging state.
  public func read<Value>(
    _ body: (borrowing RegistryTransaction) throws(RegistryError) -> Value
  ) throws(RegistryError) -> Value {
    guard let connection else {
      return try body(RegistryTransaction(MemoryRecords(MemoryState()), mayChange: false))
    }
    return try throwingRegistryErrors(path: path) {
      try connection.reader.read { database in
        try body(
          RegistryTransaction(SQLiteRecords(database, path: path, home: home), mayChange: false))
      }
    }
  }

  /// Runs `body` and keeps its changes; when it throws, nothing is changed.
  public func write<Value>(
    _ body: (borrowing RegistryTransaction) throws(RegistryError) -> Value
  ) throws(RegistryError) -> Value {
    guard let writer = connection?.writer else {
      throw RegistryError(
        .readOnly, "The registry \(path) was opened for looking things up only.",
        hint: "Open it for changes.", path: path)
    }
    return try throwingRegistryErrors(path: path) {
      try writer.write { database in
        try body(
          RegistryTransaction(SQLiteRecords(database, path: path, home: home), mayChange: true))
      }
    }
  }

  /// A number that is another one once somebody else has changed the registry (SQLite's
  /// `data_version`); `nil` when nobody can say, because each read may use another connection.
  func changeNumber() throws(RegistryError) -> Int? {
    guard access == .lookUp else { return nil }
    guard let connection else { return 0 }
    return try throwingRegistryErrors(path: path) {
      try connection.reader.read { try Int.fetchOne($0, sql: "PRAGMA data_version") }
    }
  }

  private static func prepareFolder(of path: String, creating: Bool) throws(RegistryError) {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    var isFolder = false
    if folder.isEmpty || FileManager.default.itemExists(atPath: folder, isFolder: &isFolder) {
      return
    }
    guard creating else {
      throw RegistryError(
        .unwritable, "The folder \(folder) for the registry does not exist.",
        hint: "Create it, or name another file with --registry.", path: path)
    }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw RegistryError(
        .unwritable, "The folder \(folder) for the registry cannot be created.",
        hint: "Create it, or name another file with --registry.", path: path, underlying: error)
    }
  }
}

extension FileManager {
  /// Whether something is at a path, and whether it is a folder.
  fileprivate func itemExists(atPath path: String, isFolder: inout Bool) -> Bool {
    var found: ObjCBool = false
    defer { isFolder = found.boolValue }
    return fileExists(atPath: path, isDirectory: &found)
  }
}
