import CliptagBasics
import Foundation
internal import GRDB
import Synchronization
import TagAuthenticity

/// A table, an index or a trigger of a database, with the statement that made it.
///
/// Triggers and constraints in the file protect its contents, so a file is only used if it has
/// exactly the parts of its version. Everything compares byte for byte.
struct SchemaPart: Hashable {
  private let kind: ByteKey
  private let name: ByteKey
  private let table: ByteKey
  private let sql: Data?

  /// The parts of each version, as its steps create them.
  private static let made = Mutex<[Int: Set<SchemaPart>]>([:])

  /// The digest of the parts of the current version. A file with these parts is known without making
  /// a registry to compare it with, which would be most of the work of opening it.
  ///
  /// A version of SQLite may store a statement in other words; then the parts are compared.
  static let currentDigest =
    "17EBBECC0453787DAA604E207207F4C7DB894E6C1455C351B67FE2A83E0BE40A"

  /// The tables that SQLite creates for statistics on request.
  private static let statistics: Set<String> = ["sqlite_stat1", "sqlite_stat4"]

  private init(_ row: Row) {
    kind = ByteKey(row.text("type") ?? "")
    name = ByteKey(row.text("name") ?? "")
    table = ByteKey(row.text("tbl_name") ?? "")
    sql = row.bytes("statement")
  }

  /// Returns the differences between a database and a registry of a version, in words.
  static func differences(
    of database: Database, fromVersion version: Int
  ) throws -> [String] {
    let parts = try SchemaPart.parts(of: database).filter { !$0.isStatistics }
    if version == RegistrySchema.currentVersion, try digest(of: parts) == currentDigest {
      return []
    }
    let expected = try SchemaPart.expected(ofVersion: version)
    let present = Set(parts)
    guard present != expected else { return [] }
    let missing = expected.subtracting(present)
    let added = present.subtracting(expected)
    let names = Set(missing.map(\.name)).intersection(added.map(\.name))
    let altered = names.map { (name: $0.text, words: "“\($0.text)” differs") }
    let gone = missing.filter { !names.contains($0.name) }
      .map { (name: $0.name.text, words: "\($0.title) is missing") }
    let strange = added.filter { !names.contains($0.name) }
      .map { (name: $0.name.text, words: "\($0.title) is foreign") }
    return (strange + altered + gone).sorted { $0.name < $1.name }.map(\.words)
  }

  private static func expected(ofVersion version: Int) throws -> Set<SchemaPart> {
    if let known = made.withLock({ $0[version] }) { return known }
    let queue = try DatabaseQueue()
    let parts = try queue.write { database in
      try RegistrySchema.migrate(database, from: 0, to: version, home: "")
      return Set(try SchemaPart.parts(of: database))
    }
    made.withLock { $0[version] = parts }
    return parts
  }

  /// Returns the parts of a database, ordered by kind, name and table.
  static func parts(of database: Database) throws -> [SchemaPart] {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT type, name, tbl_name, CAST(sql AS BLOB) AS statement FROM sqlite_master
        ORDER BY type, name, tbl_name
        """)
    var parts: [SchemaPart] = []
    while let row = try rows.next() { parts.append(SchemaPart(row)) }
    return parts
  }

  /// Returns the SHA-256 of parts in hexadecimal. Each text is preceded by its length.
  static func digest(of parts: [SchemaPart]) throws -> String {
    var bytes: [UInt8] = []
    func append(_ text: some Collection<UInt8>) {
      withUnsafeBytes(of: UInt64(text.count).littleEndian) { bytes += $0 }
      bytes += text
    }
    for part in parts {
      for text in [part.kind, part.name, part.table] { append(text.text.utf8) }
      append([part.sql == nil ? 0 : 1])
      append(part.sql ?? Data())
    }
    return try SHA256.digest(of: bytes).hexadecimal
  }

  private var isStatistics: Bool {
    guard kind.text == "table", Self.statistics.contains(name.text), let sql else { return false }
    return String(decoding: sql, as: UTF8.self).hasPrefix("CREATE TABLE \(name.text)(")
  }

  private var title: String { "the \(kind.text) “\(name.text)”" }
}
