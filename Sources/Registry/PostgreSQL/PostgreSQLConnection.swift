import Basics
import CPostgreSQL
import Foundation
import Glibc
import Synchronization

/// A connection to a server, in libpq's pipeline mode: statements are sent together and answered
/// together, so that a group of them costs one way there and back.
///
/// It is used by one transaction at a time, which ``PostgreSQLPool`` sees to; the handle goes with the
/// value. What is kept beside the handle is guarded all the same.
final class PostgreSQLConnection: Sendable {
  /// A statement and its arguments. One that is kept is prepared once for each connection.
  struct Statement {
    let sql: String
    var arguments: [(any SQLValue)?] = []
    var isKept = false
  }

  private struct Kept {
    /// The names of prepared statements, by their text.
    var names: [String: String] = [:]
    /// How many statements were prepared; a name is never given twice.
    var prepared = 0
    /// Groups that were sent and whose answers were not looked at.
    var owed: [[Awaited]] = []
    var notifications = 0
    var clockAhead: Double = 0
  }

  private let handle: Int
  private let kept = Mutex(Kept())

  /// Connects, waiting for it.
  ///
  /// - Throws: ``ServerTrouble``.
  init(_ settings: ServerAddress) throws {
    if let why = cpostgresql_load() {
      throw ServerTrouble(
        state: ServerTrouble.noLibrary, message: String(cString: why), isLost: true)
    }
    let parameters = settings.parameters
    handle = withCStrings(parameters.map(\.name)) { names in
      withCStrings(parameters.map(\.value)) { values in cpostgresql_connect(names, values) }
    }
    guard handle != 0, cpostgresql_is_open(handle) else {
      // The handle is freed by deinit only once all is initialised, and it is: `kept` has a default.
      throw ServerTrouble(
        state: "",
        message: handle == 0 ? "out of memory" : String(cString: cpostgresql_error(handle)),
        isLost: true)
    }
  }

  deinit { if handle != 0 { cpostgresql_finish(handle) } }

  /// How far the server's clock is ahead of this computer's, in seconds; 0 for less than the way to the
  /// server and back may take.
  var clockAhead: Double { kept.withLock(\.clockAhead) }

  /// Compares the clocks.
  ///
  /// - Parameter time: What the server's clock shows now, in seconds since 1970.
  func setClock(_ time: Double) {
    let difference = time - Date().timeIntervalSince1970
    kept.withLock { $0.clockAhead = abs(difference) > 2 ? difference : 0 }
  }

  /// The descriptor on which the server speaks.
  var descriptor: Int32 { cpostgresql_socket(handle) }

  /// Runs statements as one group.
  ///
  /// - Returns: What each gave.
  /// - Throws: ``ServerTrouble``: of the statements after the one that failed none was run.
  func run(_ statements: [Statement]) throws -> [PostgreSQLResult] {
    let awaited = try send(statements)
    try settle()
    return try answers(to: awaited)
  }

  /// Runs statements as one group, and tries others behind it on the same way to the server: whether those
  /// fail is of no matter.
  ///
  /// - Returns: What each of the first gave.
  /// - Throws: As ``run(_:)``.
  func run(_ statements: [Statement], trying others: [Statement]) throws -> [PostgreSQLResult] {
    let awaited = try send(statements)
    try settle()
    guard !others.isEmpty else { return try answers(to: awaited) }
    let tried = try send(others)
    let results = Result { try answers(to: awaited) }
    _ = try? answers(to: tried)
    return try results.get()
  }

  /// Sends statements as one group and does not wait for them: what they give is thrown away when the
  /// connection is used next.
  func post(_ statements: [Statement]) throws {
    let awaited = try send(statements)
    kept.withLock { $0.owed.append(awaited) }
  }

  /// How many notifications have come so far.
  ///
  /// - Throws: ``ServerTrouble`` when the connection is lost.
  func notifications() throws -> Int {
    try settle()
    let count = Int(cpostgresql_notifications(handle))
    guard count >= 0 else { throw lost() }
    return kept.withLock { kept in
      kept.notifications += count
      return kept.notifications
    }
  }

  private func settle() throws {
    let groups = kept.withLock { kept in
      defer { kept.owed = [] }
      return kept.owed
    }
    for group in groups { _ = try answers(to: group) }
  }

  /// An answer that a group gives: what a statement said, or that one was prepared.
  private enum Awaited {
    case statement
    case preparation(sql: String, name: String)
  }

  private func send(_ statements: [Statement]) throws -> [Awaited] {
    var awaited: [Awaited] = []
    var fresh: [String: String] = [:]
    for statement in statements {
      var name: String?
      if statement.isKept {
        name = kept.withLock { $0.names[statement.sql] } ?? fresh[statement.sql]
        if name == nil {
          let new = kept.withLock { kept in
            kept.prepared += 1
            return "s\(kept.prepared)"
          }
          guard cpostgresql_prepare(handle, new, Self.numbered(statement.sql)) else {
            throw lost()
          }
          fresh[statement.sql] = new
          awaited.append(.preparation(sql: statement.sql, name: new))
          name = new
        }
      }
      let arguments = try ServerArguments(statement.arguments)
      let taken = arguments.bytes.withUnsafeBufferPointer { bytes in
        cpostgresql_run(
          handle, name, name == nil ? Self.numbered(statement.sql) : nil,
          Int32(arguments.offsets.count), bytes.baseAddress, arguments.offsets, arguments.lengths)
      }
      guard taken else { throw lost() }
      awaited.append(.statement)
    }
    guard cpostgresql_end_group(handle) else { throw lost() }
    return awaited
  }

  /// Reads the answers of a group, all of it whatever is in them.
  private func answers(to awaited: [Awaited]) throws -> [PostgreSQLResult] {
    var results: [PostgreSQLResult] = []
    var trouble: ServerTrouble?
    var next = awaited[...]
    var silences = 0
    while true {
      let handle = cpostgresql_next(self.handle)
      guard handle != 0 else {
        // Behind each statement nothing comes once; twice in a row it is the end of the connection.
        silences += 1
        guard silences < 2, cpostgresql_is_open(self.handle) else { throw trouble ?? lost() }
        continue
      }
      silences = 0
      let result = PostgreSQLResult(handle)
      switch result.kind {
      case .end:
        if let trouble { throw trouble }
        return results
      case .failed:
        trouble = trouble ?? result.trouble(isLost: !cpostgresql_is_open(self.handle))
      case .rows, .done:
        if case .preparation(let sql, let name)? = next.popFirst() {
          kept.withLock { $0.names[sql] = name }
        } else {
          results.append(result)
        }
      case .skipped: break
      }
    }
  }

  private func lost() -> ServerTrouble {
    ServerTrouble(state: "", message: String(cString: cpostgresql_error(handle)), isLost: true)
  }

  /// A statement with `$1`, `$2` … where it has `?`.
  static func numbered(_ sql: String) -> String {
    var text = ""
    var (number, quote) = (0, Character?.none)
    for character in sql {
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if character == "?" {
        number += 1
        text += "$\(number)"
        continue
      }
      text.append(character)
    }
    return text
  }
}

/// What a server refused, or why it does not answer.
struct ServerTrouble: Error {
  /// Stands for libpq that is not there, beside the codes of servers.
  static let noLibrary = "no-library"

  /// The SQLSTATE (PostgreSQL documentation, appendix A); empty when the server said none.
  let state: String
  let message: String
  /// Whether the connection is of no further use.
  let isLost: Bool
}

/// What a statement gave; the memory goes with the value.
final class PostgreSQLResult {
  enum Kind { case done, rows, skipped, end, failed }

  private let handle: Int
  let kind: Kind

  fileprivate init(_ handle: Int) {
    self.handle = handle
    kind =
      switch Int(cpostgresql_kind(handle)) {
      case CPOSTGRESQL_DONE: .done
      case CPOSTGRESQL_ROWS: .rows
      case CPOSTGRESQL_SKIPPED: .skipped
      case CPOSTGRESQL_END: .end
      default: .failed
      }
  }

  deinit { cpostgresql_clear(handle) }

  /// How many rows there are.
  var count: Int { Int(cpostgresql_rows(handle)) }

  /// What was done, in the server's words, such as `COMMIT`.
  var command: String { String(cString: cpostgresql_command(handle)) }

  fileprivate func trouble(isLost: Bool) -> ServerTrouble {
    let state = String(cString: cpostgresql_state(handle))
    // The server ends the connection with these (class 57, operator intervention) and 08.
    let ends = state.hasPrefix("57P0") || state.hasPrefix("08") || state.hasPrefix("25P0")
    return ServerTrouble(
      state: state, message: String(cString: cpostgresql_message(handle)),
      isLost: isLost || state.isEmpty || ends && state != "25P02")
  }

  /// The numbers of the columns, by name; of several of one name the first.
  func columns() -> [String: Int32] {
    var columns: [String: Int32] = [:]
    for column in 0..<cpostgresql_columns(handle) {
      let name = String(cString: cpostgresql_column(handle, column))
      if columns[name] == nil { columns[name] = column }
    }
    return columns
  }

  fileprivate func value(_ row: Int, _ column: Int32) -> UnsafeRawBufferPointer? {
    var length: Int32 = 0
    guard let start = cpostgresql_value(handle, Int32(row), column, &length) else { return nil }
    return UnsafeRawBufferPointer(start: start, count: Int(length))
  }

  fileprivate func isNumber(_ column: Int32) -> Bool {
    // float8, by its number in the catalog, which never changes.
    cpostgresql_type(handle, column) == 701
  }
}

/// A row of a result.
final class PostgreSQLRow: RegistryRow {
  private let result: PostgreSQLResult
  private let columns: [String: Int32]
  fileprivate var row = 0

  init(_ result: PostgreSQLResult, row: Int = 0) {
    self.result = result
    self.row = row
    columns = result.columns()
  }

  private func value(_ column: String) -> (bytes: UnsafeRawBufferPointer, isNumber: Bool)? {
    guard let column = columns[column], let bytes = result.value(row, column) else { return nil }
    return (bytes, result.isNumber(column))
  }

  /// Whole numbers come in network order, in as many bytes as their type has; a truth value is one.
  func integer(_ column: String) -> Int64? {
    guard let (bytes, isNumber) = value(column) else { return nil }
    if isNumber { return number(column).map { Int64($0) } }
    var number: UInt64 = 0
    for byte in bytes { number = number << 8 | UInt64(byte) }
    let unused = 64 - 8 * bytes.count
    return bytes.count == 1 ? Int64(number) : (Int64(bitPattern: number) << unused) >> unused
  }

  func number(_ column: String) -> Double? {
    guard let (bytes, isNumber) = value(column) else { return nil }
    guard isNumber else { return integer(column).map { Double($0) } }
    return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
  }

  func text(_ column: String) -> String? {
    value(column).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  func bytes(_ column: String) -> Data? { value(column).map { Data($0.bytes) } }
}

/// The rows of a result, one after another, and those that more results bring.
final class PostgreSQLRows: RegistryRows {
  private var current: PostgreSQLRow?
  private var (place, count) = (0, 0)
  private let more: () throws(RegistryError) -> PostgreSQLResult?

  /// - Parameter more: Fetches the rows behind the last; nothing when there are none.
  init(
    _ result: PostgreSQLResult,
    more: @escaping () throws(RegistryError) -> PostgreSQLResult? = { () throws(RegistryError) in
      nil
    }
  ) {
    self.more = more
    begin(result)
  }

  private func begin(_ result: PostgreSQLResult) {
    (place, count) = (0, result.count)
    current = count > 0 ? PostgreSQLRow(result) : nil
  }

  func next() throws(RegistryError) -> (any RegistryRow)? {
    if place == count, count > 0, let result = try more() { begin(result) }
    guard place < count, let current else {
      count = 0
      return nil
    }
    current.row = place
    place += 1
    return current
  }
}

/// Arguments as libpq takes them: texts ended by a zero, and bytes as they are.
private struct ServerArguments {
  var bytes: [CChar] = []
  var offsets: [Int] = []
  var lengths: [Int32] = []

  init(_ arguments: [(any SQLValue)?]) throws {
    for argument in arguments {
      switch argument?.argument {
      case .integer(let number): append(text: "\(number)")
      case .truth(let truth): append(text: truth ? "t" : "f")
      case .number(let number): append(text: "\(number)")
      case .text(let text):
        guard !text.utf8.contains(0) else {
          throw RegistryError(
            .invalid, "PostgreSQL cannot keep the text “\(text.shortened)”, which holds U+0000.",
            hint: "Take that character out.")
        }
        append(text: text)
      case .bytes(let data):
        offsets.append(bytes.count)
        lengths.append(Int32(data.count))
        bytes += data.map { CChar(bitPattern: $0) }
      case nil:
        offsets.append(-1)
        lengths.append(-1)
      }
    }
    bytes.append(0)
  }

  private mutating func append(text: String) {
    offsets.append(bytes.count)
    lengths.append(-1)
    bytes += text.utf8.lazy.map { CChar(bitPattern: $0) }
    bytes.append(0)
  }
}

/// Lends texts as C's, in an array ended by null.
private func withCStrings<Value>(
  _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
) -> Value {
  let copies = texts.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  let pointers = copies.map { $0.map { UnsafePointer($0) } } + [nil]
  return pointers.withUnsafeBufferPointer { buffer in
    // An array that ends with null is never empty.
    body(buffer.baseAddress!)
  }
}
