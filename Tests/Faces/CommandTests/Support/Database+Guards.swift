import GRDB

extension Database {
  /// Changes data that triggers guard, and restores the triggers: without them no registry is
  /// opened.
  func executeWithoutGuards(_ sql: String) throws {
    let guards = try Row.fetchAll(
      self, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    for row in guards { try execute(sql: "DROP TRIGGER \(row["name"] as String)") }
    try execute(sql: sql)
    for row in guards { try execute(sql: row["sql"]) }
  }
}
