import CliptagBasics
import Foundation
internal import GRDB

/// Runs a step on the database and converts its failure into a registry error.
func throwingRegistryErrors<Value>(
  path: String, _ step: () throws -> Value
) throws(RegistryError) -> Value {
  do {
    return try step()
  } catch {
    throw RegistryError(error, path: path)
  }
}

extension RegistryError {
  /// Converts SQLite's result code into the registry's error.
  ///
  /// - Parameters:
  ///   - error: The error of GRDB or Foundation; a `RegistryError` stays unchanged.
  ///   - path: The database's file.
  init(_ error: any Error, path: String) {
    if let error = error as? RegistryError {
      self = error
      return
    }
    guard let database = error as? DatabaseError else {
      self.init(
        .failed, "The registry \(path) failed: \(error).", hint: "Try again.", path: path,
        underlying: error)
      return
    }
    // The index beside a database in WAL mode is the first file to grow, and has its own error
    // code.
    let isFull = [.SQLITE_IOERR_SHMSIZE].contains(database.extendedResultCode)
    let (code, problem, hint) = Self.words(for: isFull ? .SQLITE_FULL : database.resultCode)
    let detail =
      "SQLite \(database.extendedResultCode.rawValue): \(database.message ?? "no message")"
    self.init(
      code, "The registry \(path) \(problem) (\(detail)).", hint: hint, path: path,
      underlying: error)
  }

  private static func words(for result: ResultCode) -> (Code, String, Hint) {
    switch result {
    case .SQLITE_NOTADB:
      (.notADatabase, "is not a database", "Give another file, or move this one away.")
    case .SQLITE_CORRUPT:
      (.damaged, "is damaged", .sentence("\(.restoreCopy)"))
    case .SQLITE_INTERRUPT:
      (.damaged, "has an endless loop in its structure", .sentence("\(.restoreCopy)"))
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
      (
        .locked, "is locked by another process",
        "Try again when the other process has finished."
      )
    case .SQLITE_FULL:
      (.diskFull, "found no space left on the disk", "Free some space, then run the command again.")
    case .SQLITE_READONLY:
      (
        .unwritable, "cannot be written",
        "Make the file and its folder writable, or \(.openAnother(isFile: false))."
      )
    case .SQLITE_CANTOPEN:
      (
        .unreadable, "cannot be opened",
        "Check that the file and its folder exist and are readable."
      )
    case .SQLITE_PERM, .SQLITE_AUTH:
      (.unreadable, "is not readable", "Request permission from its owner.")
    default:
      (.failed, "failed", "Try again; if the error persists, check the disk.")
    }
  }
}
