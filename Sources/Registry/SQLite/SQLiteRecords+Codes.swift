import Foundation
internal import GRDB

/// Issued codes and their history.
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

  func history(of id: CodeID) throws(RegistryError) -> [CodeEvent] {
    try rows(
      "SELECT * FROM code_event WHERE code = ? ORDER BY sequence", [id.description],
      CodeEvent.init(row:))
  }

  func lastSequence(of id: CodeID) throws(RegistryError) -> Int {
    try number("SELECT max(sequence) FROM code_event WHERE code = ?", [id.description])
  }

  func append(_ event: CodeEvent) throws(RegistryError) {
    let details = try throwingRegistryErrors(path: path) {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(event.details), as: UTF8.self)
    }
    try run(
      "INSERT INTO code_event VALUES (?, ?, ?, ?, ?, ?)",
      [
        event.code.description, event.sequence, event.time.millisecondsSince1970,
        event.kind.rawValue, event.who, details,
      ])
  }
}
