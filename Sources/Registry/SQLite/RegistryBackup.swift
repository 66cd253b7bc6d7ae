import Foundation
import Glibc
internal import GRDB

/// What a backup holds.
public struct BackupReport: Hashable, Sendable {
  /// The last entry of every chain.
  public let heads: [ChainHead]
  /// Clips, experiences, places and codes.
  public let counts: RegistryCounts

  /// How many entries its record has.
  public var entries: Int { heads.reduce(0) { $0 + $1.number } }
}

/// What restoring a backup did.
public struct RestoreReport: Hashable, Sendable {
  /// What the registry holds now.
  public let restored: BackupReport
  /// Where the registry was put that was there before; `nil` when there was none.
  public let replaced: String?
  /// How many entries only the registry that was there before has.
  public let entriesLeft: Int
}

extension RegistryLocation {
  /// Copies a registry while others may use it. The copy goes on with no chain: whoever writes to it
  /// begins one of their own, so that it may be put anywhere.
  ///
  /// - Parameters:
  ///   - path: The copy, which must not be there yet. Only its owner may read it.
  ///   - dryRun: Whether to say only what it would hold.
  /// - Throws: ``RegistryError`` with ``RegistryError/Code/missing`` without a registry,
  ///   ``RegistryError/Code/alreadyExists`` where there is such a file,
  ///   ``RegistryError/Code/unwritable``, ``RegistryError/Code/diskFull``, or what opening throws.
  public func backUp(to path: String, dryRun: Bool = false) throws(RegistryError) -> BackupReport {
    guard filePath != nil else { throw .noFile(self) }
    try Self.requireFree(path)
    let registry = try open(for: .review)
    let report = BackupReport(heads: try registry.chainHeads(), counts: try registry.counts())
    if !dryRun { try copy(to: path) }
    return report
  }

  /// Refuses to write over a file.
  static func requireFree(_ path: String) throws(RegistryError) {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw RegistryError(
        .alreadyExists, "\(path) is there already, and is not written over.",
        hint: "Name another file, such as one with the date in its name.", path: path)
    }
  }

  /// Puts a backup in place of the registry, which is kept beside it under another name. The registry
  /// begins a chain of its own with its next entry: going on with the old one would fork it, because
  /// others may hold entries of it that the backup has not.
  ///
  /// - Parameters:
  ///   - backup: A registry file, made by ``backUp(to:dryRun:)`` or copied in any other way.
  ///   - dryRun: Whether to say only what would happen.
  /// - Throws: ``RegistryError`` with ``RegistryError/Code/brokenRecord`` when the backup's record is
  ///   not whole, ``RegistryError/Code/damaged`` when the file is not; nothing is changed then.
  public func restore(
    from backup: String, dryRun: Bool = false
  ) throws(RegistryError) -> RestoreReport {
    guard let path = filePath else { throw .noFile(self) }
    let source = RegistryLocation.file(backup)
    let registry = try source.open(for: .review)
    let restored = try registry.wholeRecord(named: backup)
    let isThere = FileManager.default.fileExists(atPath: path)
    // What is there may be what the backup is to mend.
    let present = isThere ? try? open(for: .lookUp).chainHeads() : []
    let left = (present ?? []).reduce(0) { sum, head in
      sum
        + max(0, head.number - (restored.heads.first { $0.recorder == head.recorder }?.number ?? 0))
    }
    let name = isThere ? Self.freeName(beside: path) : nil
    guard !dryRun else {
      return RestoreReport(restored: restored, replaced: name, entriesLeft: left)
    }
    let copy = path + ".restoring"
    unlink(copy)
    try source.copy(to: copy)
    if let name { try Self.move(path, to: name) }
    try Self.move(copy, to: path)
    return RestoreReport(restored: restored, replaced: name, entriesLeft: left)
  }

  /// Writes a copy that goes on with no chain.
  private func copy(to path: String) throws(RegistryError) {
    guard let source = filePath else { return }
    let part = path + ".part"
    unlink(part)
    let descriptor = Glibc.open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .cannotMove(part, errno) }
    defer {
      close(descriptor)
      unlink(part)
    }
    try throwingRegistryErrors(path: part) {
      var reading = Configuration()
      reading.readonly = true
      reading.busyMode = .timeout(10)
      let from = try DatabaseQueue(path: source, configuration: reading)
      let to = try DatabaseQueue(path: part)
      try from.backup(to: to)
      try to.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA journal_mode = DELETE")
        try database.execute(sql: "UPDATE recorder SET home = NULL")
        guard try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok" else {
          throw RegistryError.damaged("its pages")
        }
      }
      try to.close()
    }
    guard fsync(descriptor) == 0, rename(part, path) == 0 else { throw .cannotMove(path, errno) }
  }

  /// A name that says when the registry was replaced.
  private static func freeName(beside path: String) -> String {
    let now = Date().ISO8601Format().filter { $0.isNumber || $0 == "T" }
    var name = "\(path).replaced-\(now)"
    while FileManager.default.fileExists(atPath: name) { name += "-2" }
    return name
  }

  /// Renames a database with what SQLite keeps beside it: the log of changes belongs to it.
  private static func move(_ path: String, to name: String) throws(RegistryError) {
    for end in ["-wal", "-shm", ""] {
      guard rename(path + end, name + end) == 0 || (errno == ENOENT && !end.isEmpty) else {
        throw .cannotMove(path + end, errno)
      }
    }
  }
}

extension RegistryError {
  fileprivate static func noFile(_ location: RegistryLocation) -> RegistryError {
    RegistryError(
      .unwritable,
      "The registry \(location) is no file, which alone is copied and put back as one.",
      hint: location.isOnServer
        ? "Back a server up with PostgreSQL's own tools, such as pg_dump." : "Open a file.",
      path: location.description)
  }

  fileprivate static func cannotMove(_ path: String, _ number: Int32) -> RegistryError {
    RegistryError(
      number == ENOSPC ? .diskFull : .unwritable,
      "\(path) cannot be written: \(String(cString: strerror(number))).",
      hint: "Check the folder, its permissions and the room on the disk.", path: path)
  }
}
