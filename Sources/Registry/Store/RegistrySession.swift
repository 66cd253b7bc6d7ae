import Basics
import Foundation

/// The statements of one open transaction: all that a database engine has to provide below the
/// rules.
///
/// The rules and their SQL are written once, in the extensions of ``RegistryOperations`` and
/// ``RegistryTransaction``, for every engine. Arguments are written as `?`.
protocol RegistrySession: AnyObject {
  /// The database's location, which decides which chain it continues; see ``RecorderHome``.
  var home: String { get }

  /// The user of the session; see ``RegistryStore/who``.
  var who: String { get }

  /// The time by which the database's clock is ahead of this computer's; 0 if they are the same.
  var clockAhead: TimeInterval { get }

  /// Runs a statement that gives no rows.
  func run(_ sql: String, _ arguments: [(any SQLValue)?]) throws(RegistryError)

  /// Runs a statement and gives its rows as they are wanted.
  ///
  /// - Parameter isShared: Whether the compiled statement is kept and used again; then no second
  ///   cursor of the same statement may be open beside this one.
  func rows(
    _ sql: String, _ arguments: [(any SQLValue)?], isShared: Bool
  ) throws(RegistryError) -> any RegistryRows

  /// Runs one statement with each of several lists of arguments and gives the rows of all, with the
  /// place of their list. Where asking takes a way to a server, that is gone once for all of them.
  func forEachRow(
    _ sql: String, ofEach lists: [[(any SQLValue)?]],
    _ body: (Int, any RegistryRow) throws(RegistryError) -> Void
  ) throws(RegistryError)

  /// Whether asking takes a way to a server.
  var isFarAway: Bool { get }

  /// Takes note of what will be asked, so that the first of these questions brings the answers of all.
  func lookAhead(_ questions: [(sql: String, arguments: [(any SQLValue)?])])

  /// Lets rows be added before the ones that they refer to, until the transaction ends.
  func letReferencesFollow() throws(RegistryError)

  /// Checks what ``letReferencesFollow()`` put off, and who vouches for entries of others.
  func settleReferences() throws(RegistryError)

  /// Lets the database itself check a checkpoint, where it takes entries of others only up to one.
  func vouch(_ checkpoint: [UInt8]) throws(RegistryError)

  /// Returns the author for the record: on a server the login, and the person beside it.
  func name(of person: String) -> String

  /// The clause of a statement that adds rows with their numbers from another database.
  var keepingNumbers: String { get }

  /// Allows the rows of another registry to be added unchanged, including batches under way.
  func beginTakingRows() throws(RegistryError)

  /// Ends what ``beginTakingRows()`` began; rows that follow get numbers behind those that were taken.
  func endTakingRows() throws(RegistryError)
}

extension RegistrySession {
  var clockAhead: TimeInterval { 0 }

  var isFarAway: Bool { false }
  func lookAhead(_ questions: [(sql: String, arguments: [(any SQLValue)?])]) {}

  func settleReferences() throws(RegistryError) {}
  func vouch(_ checkpoint: [UInt8]) throws(RegistryError) {}
  func name(of person: String) -> String { person }

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
  /// The next row, which is valid until the one after it is asked for; `nil` behind the last.
  func next() throws(RegistryError) -> (any RegistryRow)?
}

/// One row of an answer: what its columns hold, by name.
protocol RegistryRow: AnyObject {
  /// A whole number, or a truth value as 1 or 0; `nil` for nothing.
  func integer(_ column: String) -> Int64?
  /// A number; `nil` for nothing.
  func number(_ column: String) -> Double?
  /// A text; `nil` for nothing.
  func text(_ column: String) -> String?
  /// Bytes; `nil` for nothing.
  func bytes(_ column: String) -> Data?
}

/// An argument in the form that a database takes.
enum SQLArgument: Hashable {
  case integer(Int64)
  case number(Double)
  case text(String)
  case bytes(Data)
  case truth(Bool)
}

/// A value of a column or an argument: whole numbers, numbers, texts, bytes, truth values.
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
  var argument: SQLArgument { .text(self) }
  static func value(_ column: String, of row: any RegistryRow) -> String? { row.text(column) }
}

extension Data: SQLValue {
  var argument: SQLArgument { .bytes(self) }
  static func value(_ column: String, of row: any RegistryRow) -> Data? { row.bytes(column) }
}

extension RegistryRow {
  /// The value of a column that is never empty.
  subscript<Value: SQLValue>(_ column: String) -> Value {
    get throws(RegistryError) {
      guard let value = Value.value(column, of: self) else {
        throw .damaged("nothing in the column “\(column)”")
      }
      return value
    }
  }

  /// The value of a column; `nil` if it is empty.
  subscript<Value: SQLValue>(_ column: String) -> Value? { Value.value(column, of: self) }
}

/// Readers for columns whose values have further rules.
extension RegistryRow {
  /// A time in milliseconds since 1970.
  func date(_ column: String) throws(RegistryError) -> Date {
    Date(millisecondsSince1970: try self[column])
  }

  /// A time in milliseconds since 1970, or nothing.
  func dateIfAny(_ column: String) -> Date? {
    integer(column).map(Date.init(millisecondsSince1970:))
  }

  /// One of the names of an enumeration.
  ///
  /// - Parameter what: What it is, for the message, with a space behind.
  func name<Name: RawRepresentable<String>>(
    _ column: String, _ what: String = ""
  ) throws(RegistryError) -> Name {
    guard let name: Name = try nameIfAny(column, what) else {
      throw .damaged("nothing in the column “\(column)”")
    }
    return name
  }

  /// One of the names of an enumeration, or nothing.
  func nameIfAny<Name: RawRepresentable<String>>(
    _ column: String, _ what: String = ""
  ) throws(RegistryError) -> Name? {
    guard let text = text(column) else { return nil }
    guard let name = Name(rawValue: text) else { throw .damaged("\(what)“\(text)”") }
    return name
  }

  /// A code's name.
  func codeID(_ column: String) throws(RegistryError) -> CodeID {
    let text: String = try self[column]
    guard let id = CodeID(text) else { throw .damaged("the code name “\(text)”") }
    return id
  }

  /// A code's name, or nothing.
  func codeIDIfAny(_ column: String) throws(RegistryError) -> CodeID? {
    text(column) == nil ? nil : try codeID(column)
  }

  /// A recorder's name.
  func recorder(_ column: String) throws(RegistryError) -> Recorder {
    let text: String = try self[column]
    guard let recorder = Recorder(text) else { throw .damaged("the recorder “\(text)”") }
    return recorder
  }

  /// A digest.
  func hash(_ column: String) throws(RegistryError) -> EntryHash {
    guard let hash = try hashIfAny(column) else { throw .damaged("a hash of 0 bytes") }
    return hash
  }

  /// A digest, or nothing.
  func hashIfAny(_ column: String) throws(RegistryError) -> EntryHash? {
    guard let data = bytes(column) else { return nil }
    guard let hash = EntryHash(data) else { throw .damaged("a hash of \(data.count) bytes") }
    return hash
  }

  /// An object of texts in JSON.
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

  /// Adds a condition with an argument; nothing for no value.
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

  /// `WHERE` and all conditions; nothing without any.
  var clause: String {
    conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
  }
}

extension RegistryError {
  /// A row that this version of the software cannot have written.
  static func damaged(_ what: String) -> RegistryError {
    RegistryError(
      .damaged, "The registry holds \(what), which no version of cliptag writes.",
      hint: "Restore the registry from a copy, or export and correct what is left.")
  }
}

/// The answer of a statement that found nothing.
final class NoRows: RegistryRows {
  func next() -> (any RegistryRow)? { nil }
}

/// The session of a registry that does not exist yet: it finds nothing and takes nothing.
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
