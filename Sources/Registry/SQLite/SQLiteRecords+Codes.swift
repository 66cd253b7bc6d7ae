internal import GRDB

/// Issued codes.
extension SQLiteRecords {
  func code(id: CodeID) throws(RegistryError) -> IssuedCode? {
    try rows("SELECT * FROM code WHERE id = ?", [id.description], IssuedCode.init(row:)).first
  }

  func codes(_ filter: CodeFilter) throws(RegistryError) -> [IssuedCode] {
    var conditions: [String] = []
    var arguments: [any DatabaseValueConvertible] = []
    func require(_ column: String, _ value: String?) {
      guard let value else { return }
      conditions.append("\(column) = ?")
      arguments.append(value)
    }
    require("status", filter.status?.rawValue)
    require("carrier", filter.carrier?.rawValue)
    require("place_id", filter.placeID)
    require("payload", filter.payload)
    require("tag_uid", filter.tagUID?.uppercased())
    let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    return try rows(
      "SELECT * FROM code \(condition) ORDER BY id", StatementArguments(arguments),
      IssuedCode.init(row:))
  }

  func insert(_ code: IssuedCode) throws(RegistryError) {
    try run(
      "INSERT INTO code VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        code.id.description, code.payload, code.carrier.rawValue, code.placeID,
        code.created.millisecondsSince1970, code.registered, code.status.rawValue, code.output,
        code.tagUID, code.tagType, code.symbol?.version, code.symbol?.errorCorrection,
        code.symbol?.moduleSize, code.symbol?.width,
      ])
  }

  func markRetired(_ id: CodeID) throws(RegistryError) {
    try run("UPDATE code SET status = 'retired' WHERE id = ?", [id.description])
  }
}
