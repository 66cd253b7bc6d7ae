import CliptagBasics
import Foundation

/// The statements of one open transaction: the interface that a database engine provides to the
/// rules.
///
/// The rules and their SQL are written once, in the extensions of ``RegistryOperations`` and
/// ``RegistryTransaction``, for every engine. Arguments are written as `?`.
protocol RegistrySession: AnyObject {
  /// The database's location, which determines the chain that it continues; see ``RecorderHome``.
  var home: String { get }

  /// The user of the session; see ``RegistryStore/who``.
  var who: String { get }

  /// The time by which the database's clock is ahead of this computer's; 0 if they are the same.
  var clockAhead: TimeInterval { get }

  /// Runs a statement without rows.
  func run(_ sql: String, _ arguments: [(any SQLValue)?]) throws(RegistryError)

  /// Runs a statement and returns its rows on demand.
  ///
  /// - Parameter isShared: Whether the compiled statement is cached and reused; then only one
  ///   cursor of the statement may be open.
  func rows(
    _ sql: String, _ arguments: [(any SQLValue)?], isShared: Bool
  ) throws(RegistryError) -> any RegistryRows

  /// Runs one statement with each of several lists of arguments and passes all rows, with the index
  /// of their list. On a server this takes one round trip.
  func forEachRow(
    _ sql: String, ofEach lists: [[(any SQLValue)?]],
    _ body: (Int, any RegistryRow) throws(RegistryError) -> Void
  ) throws(RegistryError)

  /// A Boolean value that indicates whether a query takes a round trip to a server.
  var isFarAway: Bool { get }

  /// Announces queries, so that the first of them fetches the answers of all.
  func lookAhead(_ questions: [(sql: String, arguments: [(any SQLValue)?])])

  /// Permits rows to be added before those to which they refer, until the transaction ends.
  func letReferencesFollow() throws(RegistryError)

  /// Makes the checks that ``letReferencesFollow()`` deferred, and checks the signatures for
  /// entries of others.
  func settleReferences() throws(RegistryError)

  /// Lets the database check a checkpoint, if it accepts entries of others only with one.
  func vouch(_ checkpoint: [UInt8]) throws(RegistryError)

  /// Returns the author for the record: on a server, the login followed by the person.
  func name(of person: String) -> String

  /// The dialect in which the items of codes are derived.
  var itemDialect: ItemSchema.Dialect { get }

  /// The clause of a statement that adds rows with their numbers from another database.
  var keepingNumbers: String { get }

  /// Permits the rows of another registry to be added unchanged, including batches under way.
  func beginTakingRows() throws(RegistryError)

  /// Ends ``beginTakingRows()``; later rows get numbers after those of the added ones.
  func endTakingRows() throws(RegistryError)
}

extension RegistrySession {
  var clockAhead: TimeInterval { 0 }

  var isFarAway: Bool { false }
  func lookAhead(_ questions: [(sql: String, arguments: [(any SQLValue)?])]) {}

  func settleReferences() throws(RegistryError) {}
  func vouch(_ checkpoint: [UInt8]) throws(RegistryError) {}
  func name(of person: String) -> String { person }

  var itemDialect: ItemSchema.Dialect { .file }
  var keepingNumbers: String { "" }
  func beginTakingRows() throws(RegistryError) {}
  func endTakingRows() throws(RegistryError) {}

  func forEachRow(
    _ sql: String, ofEach lists: [[(any SQLValue)?]],
    _ body: (Int, any RegistryRow) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    for (index, arguments) in lists.enumerated() {
      let rows = try rows(sql, arguments, isShared: true)
      while let row = try rows.next() { try body(index, row) }
    }
  }
}

/// The rows of a statement, one after another.
protocol RegistryRows: AnyObject {
  /// Returns the next row, which is valid until the following call; `nil` after the last.
  func next() throws(RegistryError) -> (any RegistryRow)?
}

/// One row of an answer: the values of its columns, by name.
protocol RegistryRow: AnyObject {
  /// Returns a whole number, or a truth value as 1 or 0; `nil` for NULL.
  func integer(_ column: String) -> Int64?
  /// Returns a number; `nil` for NULL.
  func number(_ column: String) -> Double?
  /// Returns a text, read by ``String/init(stored:)``; `nil` for NULL.
  func text(_ column: String) -> String?
  /// Returns bytes; `nil` for NULL.
  func bytes(_ column: String) -> Data?
}

/// An argument in the form for a database.
enum SQLArgument: Hashable {
  case integer(Int64)
  case number(Double)
  case text(String)
  case bytes(Data)
  case truth(Bool)
}

/// A type of a column or an argument: whole numbers, numbers, texts, bytes, truth values.
protocol SQLValue {
  var argument: SQLArgument { get }
  static func value(_ column: String, of row: any RegistryRow) -> Self?
}

extension Int64: SQLValue {
  var argument: SQLArgument { .integer(self) }
  static func value(_ column: String, of row: any RegistryRow) -> Int64? { row.integer(column) }
}

extension Int: SQLValue {
  var argument: SQLArgument { .integer(Int64(self)) }
  static func value(_ column: String, of row: any RegistryRow) -> Int? {
    row.integer(column).map(Int.init)
  }
}

extension Bool: SQLValue {
  var argument: SQLArgument { .truth(self) }
  static func value(_ column: String, of row: any RegistryRow) -> Bool? {
    row.integer(column).map { $0 != 0 }
  }
}

extension Double: SQLValue {
  var argument: SQLArgument { .number(self) }
  static func value(_ column: String, of row: any RegistryRow) -> Double? { row.number(column) }
}

extension String: SQLValue {
  var argument: SQLArgument { .text(stored) }
  static func value(_ column: String, of row: any RegistryRow) -> String? { row.text(column) }

  /// The text in its form for a database: no engine takes U+0000 in a text. U+FFFF, which is no
  /// character, escapes it and itself, so that each text is kept whole and equals no other.
  private var stored: String {
    guard utf8.contains(where: { $0 == 0 || $0 == Self.escapeStart }) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar == "\0" || scalar == "\u{FFFF}" { text.unicodeScalars.append("\u{FFFF}") }
      text.unicodeScalars.append(scalar == "\0" ? "0" : scalar)
    }
  }

  /// The first byte of U+FFFF in UTF-8.
  private static let escapeStart: UInt8 = 0xEF

  /// Reads a text in its form for a database.
  init(stored text: String) {
    self = text
    guard text.utf8.contains(Self.escapeStart) else { return }
    self = ""
    var rest = text.unicodeScalars[...]
    while var scalar = rest.popFirst() {
      if scalar == "\u{FFFF}", let next = rest.first, next == "0" || next == scalar {
        rest.removeFirst()
        if next == "0" { scalar = "\0" }
      }
      unicodeScalars.append(scalar)
    }
  }
}

extension Data: SQLValue {
  var argument: SQLArgument { .bytes(self) }
  static func value(_ column: String, of row: any RegistryRow) -> Data? { row.bytes(column) }
}

extension RegistryRow {
  /// The value of a column that is never NULL.
  subscript<Value: SQLValue>(_ column: String) -> Value {
    get throws(RegistryError) {
      guard let value = Value.value(column, of: self) else {
        throw .damaged("no value in the column “\(column)”")
      }
      return value
    }
  }

  /// The value of a column; `nil` for NULL.
  subscript<Value: SQLValue>(_ column: String) -> Value? { Value.value(column, of: self) }
}

/// Readers for columns with further rules.
extension RegistryRow {
  /// Returns a time in milliseconds since 1970.
  func date(_ column: String) throws(RegistryError) -> Date {
    Date(millisecondsSince1970: try self[column])
  }

  /// Returns a time in milliseconds since 1970, or `nil`.
  func dateIfAny(_ column: String) -> Date? {
    integer(column).map(Date.init(millisecondsSince1970:))
  }

  /// Returns one of the names of an enumeration.
  ///
  /// - Parameter what: The kind of name, for the message, followed by a space.
  func name<Name: RawRepresentable<String>>(
    _ column: String, _ what: String = ""
  ) throws(RegistryError) -> Name {
    guard let name: Name = try nameIfAny(column, what) else {
      throw .damaged("no value in the column “\(column)”")
    }
    return name
  }

  /// Returns one of the names of an enumeration, or `nil`.
  func nameIfAny<Name: RawRepresentable<String>>(
    _ column: String, _ what: String = ""
  ) throws(RegistryError) -> Name? {
    guard let text = text(column) else { return nil }
    guard let name = Name(rawValue: text) else { throw .damaged("\(what)“\(text)”") }
    return name
  }

  /// Returns a code's name.
  func codeID(_ column: String) throws(RegistryError) -> CodeID {
    let text: String = try self[column]
    guard let id = CodeID(text) else { throw .damaged("the code name “\(text)”") }
    return id
  }

  /// Returns a code's name, or `nil`.
  func codeIDIfAny(_ column: String) throws(RegistryError) -> CodeID? {
    text(column) == nil ? nil : try codeID(column)
  }

  /// Returns a recorder's name.
  func recorder(_ column: String) throws(RegistryError) -> Recorder {
    let text: String = try self[column]
    guard let recorder = Recorder(text) else { throw .damaged("the recorder “\(text)”") }
    return recorder
  }

  /// Returns a digest.
  func hash(_ column: String) throws(RegistryError) -> EntryHash {
    guard let hash = try hashIfAny(column) else { throw .damaged("a hash of 0 bytes") }
    return hash
  }

  /// Returns a digest, or `nil`.
  func hashIfAny(_ column: String) throws(RegistryError) -> EntryHash? {
    guard let data = bytes(column) else { return nil }
    guard let hash = EntryHash(data) else { throw .damaged("a hash of \(data.count) bytes") }
    return hash
  }

  /// Returns an object of texts in JSON.
  func details(_ column: String) throws(RegistryError) -> [String: String] {
    let text: String = try self[column]
    guard let details = FlatJSON.texts(text) else { throw .damaged("the event details \(text)") }
    return details
  }
}

/// Conditions of a statement, each with its argument.
struct SQLConditions {
  private var conditions: [String] = []
  /// The arguments, in the order of the conditions.
  private(set) var arguments: [(any SQLValue)?] = []

  /// Adds a condition with an argument, unless the value is `nil`.
  mutating func require(_ condition: String, _ value: (any SQLValue)?) {
    guard let value else { return }
    conditions.append(condition)
    arguments.append(value)
  }

  /// Adds a condition with several arguments.
  mutating func require(_ condition: String, all values: [any SQLValue]) {
    conditions.append(condition)
    arguments += values
  }

  /// Adds a condition without an argument.
  mutating func require(_ condition: String) { conditions.append(condition) }

  /// `WHERE` and all conditions; empty without conditions.
  var clause: String {
    conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
  }
}

extension RegistryError {
  /// Returns the error for a row that this version of the software cannot have written.
  static func damaged(_ what: String) -> RegistryError {
    RegistryError(
      .damaged, "The registry contains \(what), which no known version of cliptag writes.",
      hint: "Restore the registry from a copy, or export and correct the rest.")
  }
}

/// The rows of a statement without results.
final class NoRows: RegistryRows {
  func next() -> (any RegistryRow)? { nil }
}

/// The session of a registry that does not exist yet: it finds no rows and refuses changes.
final class EmptySession: RegistrySession {
  let home = ""
  let who = Login.name

  func run(_ sql: String, _ arguments: [(any SQLValue)?]) throws(RegistryError) {
    throw .readOnly()
  }

  func rows(
    _ sql: String, _ arguments: [(any SQLValue)?], isShared: Bool
  ) -> any RegistryRows { NoRows() }

  func letReferencesFollow() {}
}
