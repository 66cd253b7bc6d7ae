import CliptagBasics
import Foundation

/// Copying a registry from one database to another.
extension RegistryLocation {
  /// Copies the whole contents of a file to a database of PostgreSQL, in one transaction: clips,
  /// experiences, places, codes with their record, counters, keys, batches under way, walks with
  /// their pictures. The record is verified before, and once more in the database.
  ///
  /// The registry in the database is created if it does not exist, and must be empty. The file
  /// stays unchanged; later additions to it can be merged.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - dryRun: Whether to report the contents without copying.
  ///   - busyTimeout: The longest wait for another process that holds the registry's lock.
  ///   - announce: Called with the contents to copy, before other writers of the database have to
  ///     wait.
  /// - Throws: `RegistryError` with `RegistryError.Code.brokenRecord`,
  ///   `RegistryError.Code.alreadyExists` for a database that is not empty,
  ///   `RegistryError.Code.notPermitted` for a login that is not the owner's. Nothing is copied
  ///   then.
  public func takeAll(
    of source: RegistryLocation, dryRun: Bool = false, busyTimeout: Duration = .seconds(10),
    announcing announce: (BackupReport) -> Void = { _ in }
  ) throws(RegistryError) -> BackupReport {
    let registry = try source.open(for: .review, busyTimeout: busyTimeout)
    let report = try registry.wholeRecord(named: source.description)
    guard !dryRun else { return report }
    _ = try makeOnServer(busyTimeout: busyTimeout)
    announce(report)
    return try copy(registry, RegistryTable.all, to: open(busyTimeout: busyTimeout), report)
  }

  /// Creates a file for use without a server, with the clips, experiences, places, codes and their
  /// record, counters and keys. Walks and batches are not copied.
  ///
  /// Each writer of the file begins a new chain; code merge and audit merge bring back the work
  /// from the field.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which must not exist. Only its owner may read it.
  ///   - dryRun: Whether to report the contents without writing the file.
  ///   - busyTimeout: The longest wait for another process that holds the registry's lock.
  /// - Throws: `RegistryError` with `RegistryError.Code.alreadyExists`,
  ///   `RegistryError.Code.brokenRecord`, `RegistryError.Code.unwritable`. No file is left
  ///   then.
  public func checkOut(
    to path: String, dryRun: Bool = false, busyTimeout: Duration = .seconds(10)
  ) throws(RegistryError) -> BackupReport {
    try Self.requireFree(path)
    let registry = try open(for: .review, busyTimeout: busyTimeout)
    let report = try registry.wholeRecord(named: description)
    guard !dryRun else { return report }
    let tables = RegistryTable.all.filter { $0.subject == .settings || $0.subject == .record }
    do throws(RegistryError) {
      return try copy(registry, tables, to: RegistryLocation.file(path).open(), report)
    } catch {
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
      throw error
    }
  }

  private func copy(
    _ source: any RegistryStore, _ tables: [RegistryTable], to target: any RegistryStore,
    _ expected: BackupReport
  ) throws(RegistryError) -> BackupReport {
    try source.read { from in
      try target.write { to in
        for table in tables { try to.requireEmpty(table, in: target) }
        try to.session.beginTakingRows()
        // Entries of a chain are in two tables, and each must follow the one before it; rows
        // derived from them are added with them.
        for table in tables where !table.holdsEntries { try to.take(table, of: from) }
        try from.forEachEntry { entry throws(RegistryError) in try to.append(entry) }
        try to.session.endTakingRows()
        let taken = try to.wholeRecord(named: "the copy")
        guard Set(taken.heads) == Set(expected.heads), taken.counts == expected.counts else {
          throw RegistryError(
            .failed, "The registry was changed during the copy, or the copy is incomplete.",
            hint: "Nothing was stored; try again while the registry is not in use.")
        }
        return taken
      }
    }
  }
}

extension RegistryOperations where Self: ~Copyable {
  /// Returns the contents of the registry, after verifying its record.
  ///
  /// - Throws: `RegistryError.Code.brokenRecord` with the first problem.
  borrowing func wholeRecord(named name: String) throws(RegistryError) -> BackupReport {
    var first: RecordFinding?
    _ = try verifyRecord { finding in first = first ?? finding }
    if let first {
      throw RegistryError(
        .brokenRecord, "\(name): \(first.message) [\(first.code)]",
        hint: "Nothing was imported from it; find the altered data.", path: name)
    }
    return BackupReport(heads: try chainHeads(), counts: try counts())
  }
}

extension RegistryTransaction {
  fileprivate borrowing func requireEmpty(
    _ table: RegistryTable, in store: any RegistryStore
  ) throws(RegistryError) {
    guard try rows("SELECT 1 AS one FROM \(table.name) LIMIT 1", [], { _ in true }).isEmpty else {
      throw RegistryError(
        .alreadyExists, "The registry to be filled is not empty: it has rows of \(table.name).",
        hint: "Use an empty one, or merge the other file.")
    }
  }

  /// Adds the rows of a table unchanged, without the ownership of their chains: the chains of
  /// another database are never continued.
  fileprivate borrowing func take(
    _ table: RegistryTable, of source: borrowing RegistryTransaction
  ) throws(RegistryError) {
    let names = table.columns.map(\.name)
    let insertion =
      "INSERT INTO \(table.name) (\(names.joined(separator: ", "))) \(session.keepingNumbers) "
      + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
    let rows = try source.session.rows(
      "SELECT * FROM \(table.name) ORDER BY \(table.key.joined(separator: ", "))", [],
      isShared: false)
    while let row = try rows.next() {
      let values = table.columns.map { column -> (any SQLValue)? in
        if table.name == "recorder", column.name == "home" { return nil }
        return switch column.kind {
        case .text: row.text(column.name)
        case .integer, .identity: row.integer(column.name)
        case .number: row.number(column.name)
        case .bytes: row.bytes(column.name)
        case .truth: row.integer(column.name).map { $0 != 0 }
        }
      }
      try run(insertion, values)
    }
  }
}
