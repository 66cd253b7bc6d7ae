import CliptagBasics
import CliptagPlatform
import Foundation
internal import GRDB

/// The contents of a backup.
public struct BackupReport: Hashable, Sendable {
  /// The last entry of every chain.
  public let heads: [ChainHead]
  /// The numbers of clips, experiences, places and codes.
  public let counts: RegistryCounts

  /// The number of entries in its record.
  public var entries: Int { heads.reduce(0) { $0 + $1.number } }
}

/// The result of restoring a backup.
public struct RestoreReport: Hashable, Sendable {
  /// The contents of the registry after the restore.
  public let restored: BackupReport
  /// The new path of the registry that was there before; `nil` when there was none.
  public let replaced: String?
  /// The number of entries that only the previous registry has.
  public let entriesLeft: Int
}

extension RegistryLocation {
  /// Copies a registry while others may use it. The copy continues no chain: each of its writers
  /// begins a new one, so that it may be used anywhere.
  ///
  /// - Parameters:
  ///   - path: The path of the copy, which must not exist. Only its owner may read it.
  ///   - dryRun: Whether to report the contents without writing the copy.
  /// - Throws: `RegistryError` with `RegistryError.Code.missing` if there is no registry,
  ///   `RegistryError.Code.alreadyExists` if the file exists, `RegistryError.Code.unwritable`,
  ///   `RegistryError.Code.diskFull`, or the errors of opening.
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
        .alreadyExists, "\(path) already exists and is not overwritten.",
        hint: "Give another file, such as one with the date in its name.", path: path)
    }
  }

  /// Replaces the registry by a backup, and keeps the former registry beside it under another name.
  /// The registry begins a new chain with its next entry: continuing the old one would fork it,
  /// because others may hold entries of it that the backup lacks.
  ///
  /// The backup is written into the existing file by SQLite, while no other process has it open:
  /// such a process would continue to write to a file that is no longer the registry, and its
  /// changes would be lost.
  ///
  /// - Parameters:
  ///   - backup: A registry file, made by ``backUp(to:dryRun:)`` or copied in any other way.
  ///   - dryRun: Whether to report the result without changing anything.
  /// - Throws: `RegistryError` with `RegistryError.Code.brokenRecord` if the backup's record is
  ///   incomplete, `RegistryError.Code.damaged` if the file is damaged,
  ///   `RegistryError.Code.locked` while another process has the registry open; nothing is
  ///   changed then.
  public func restore(
    from backup: String, dryRun: Bool = false
  ) throws(RegistryError) -> RestoreReport {
    guard let path = filePath else { throw .noFile(self) }
    let source = RegistryLocation.file(backup)
    let registry = try source.open(for: .review)
    let restored = try registry.wholeRecord(named: backup)
    let isThere = try FileIdentity(ofFileAt: path) != nil
    // The existing file may be the damage that the backup repairs.
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
    defer { unlink(copy) }
    if let name {
      try Self.replace(path, with: copy, keeping: name)
    } else {
      guard rename(copy, path) == 0 else { throw .cannotMove(path, errno) }
    }
    return RestoreReport(restored: restored, replaced: name, entriesLeft: left)
  }

  /// Writes a copy that continues no chain.
  private func copy(to path: String) throws(RegistryError) {
    guard let source = filePath else { return }
    var reading = Configuration()
    reading.readonly = true
    reading.busyMode = .timeout(10)
    let queue = try throwingRegistryErrors(path: source) { [reading] in
      try DatabaseQueue(path: source, configuration: reading)
    }
    try Self.write(queue, to: path) { database in
      try database.execute(sql: "UPDATE recorder SET home = NULL")
      guard try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok" else {
        throw RegistryError.damaged("its pages")
      }
    }
  }

  /// Writes a database to a new file that only its owner may read.
  private static func write(
    _ source: DatabaseQueue, to path: String, _ change: (Database) throws -> Void = { _ in }
  ) throws(RegistryError) {
    let part = path + ".part"
    unlink(part)
    let descriptor = CliptagPlatform.open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .cannotMove(part, errno) }
    defer {
      close(descriptor)
      unlink(part)
    }
    try throwingRegistryErrors(path: part) {
      let copy = try DatabaseQueue(path: part)
      try source.backup(to: copy)
      try copy.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA journal_mode = DELETE")
        try change(database)
      }
      try copy.close()
    }
    guard fsync(descriptor) == 0, rename(part, path) == 0 else { throw .cannotMove(path, errno) }
  }

  /// Replaces an existing registry by a copy, and keeps it under another name.
  private static func replace(
    _ path: String, with copy: String, keeping name: String
  ) throws(RegistryError) {
    do {
      let present = try exclusive(path)
      try write(present, to: name)
      try throwingRegistryErrors(path: path) {
        try DatabaseQueue(path: copy).backup(to: present)
        try present.close()
      }
    } catch let error where error.code == .notADatabase || error.code == .damaged {
      try replaceFiles(of: path, with: copy, keeping: name)
    }
  }

  /// Opens a registry that no other process has open, so that none can use it until this is closed.
  private static func exclusive(_ path: String) throws(RegistryError) -> DatabaseQueue {
    do {
      return try throwingRegistryErrors(path: path) {
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { database in
          try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
          // Checkpoints the write-ahead log; refused while another connection uses it.
          _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
          try database.execute(sql: "BEGIN EXCLUSIVE; COMMIT")
        }
        return queue
      }
    } catch let error where error.code == .locked {
      throw .openElsewhere(path)
    }
  }

  /// Replaces a file that SQLite cannot read by a copy. Its write-ahead log is copied with it and
  /// removed; left in place, it would be taken for the new file's.
  private static func replaceFiles(
    of path: String, with copy: String, keeping name: String
  ) throws(RegistryError) {
    guard !isOpenElsewhere(path) else { throw .openElsewhere(path) }
    let present = ["", "-wal"].filter { FileManager.default.fileExists(atPath: path + $0) }
    do {
      for end in present {
        try FileManager.default.copyItem(atPath: path + end, toPath: name + end)
      }
    } catch {
      throw .cannotMove(name, errno)
    }
    for end in ["-wal", "-shm"] { unlink(path + end) }
    guard rename(copy, path) == 0 else { throw .cannotMove(path, errno) }
  }

  /// Returns whether another process holds one of SQLite's locks on a file: that of a transaction,
  /// or the one on the index of the write-ahead log that every open connection has
  /// (sqlite.org/walformat.html, 2.3).
  private static func isOpenElsewhere(_ path: String) -> Bool {
    [("", 0x4000_0000, 512), ("-shm", 120, 9)].contains { end, start, length in
      let descriptor = CliptagPlatform.open(path + end, O_RDWR | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      defer { close(descriptor) }
      var lock = flock()
      lock.l_type = Int16(F_WRLCK)
      lock.l_whence = Int16(SEEK_SET)
      (lock.l_start, lock.l_len) = (off_t(start), off_t(length))
      return withUnsafeMutablePointer(to: &lock) { fcntl(descriptor, F_GETLK, $0) } == 0
        && lock.l_type != Int16(F_UNLCK)
    }
  }

  /// Returns a free name that contains the time of the replacement.
  private static func freeName(beside path: String) -> String {
    let now = Date().ISO8601Format().filter { $0.isNumber || $0 == "T" }
    var name = "\(path).replaced-\(now)"
    while FileManager.default.fileExists(atPath: name) { name += "-2" }
    return name
  }
}

extension RegistryError {
  fileprivate static func noFile(_ location: RegistryLocation) -> RegistryError {
    RegistryError(
      .unwritable,
      "The registry \(location) is not a file; backup and restore work on files only.",
      hint: location.isOnServer
        ? "Back up a server with PostgreSQL's tools, such as pg_dump." : "Open a file.",
      path: location.description)
  }

  fileprivate static func openElsewhere(_ path: String) -> RegistryError {
    RegistryError(
      .locked, "Another process has the registry \(path) open and would continue to write to it.",
      hint: "End that process, such as a station, then restore the backup.", path: path)
  }

  fileprivate static func cannotMove(_ path: String, _ number: Int32) -> RegistryError {
    RegistryError(
      number == ENOSPC ? .diskFull : .unwritable,
      "\(path) cannot be written: \(String(cString: strerror(number))).",
      hint: "Check the folder, its permissions and the free disk space.", path: path)
  }
}
