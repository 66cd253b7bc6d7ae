import CliptagBasics
import CPostgreSQL
import Foundation

/// The result of a statement; the memory is freed with the value.
final class PostgreSQLResult {
  enum Kind { case done, rows, skipped, end, failed, strange }

  private let handle: Int
  let kind: Kind

  init(_ handle: Int) {
    self.handle = handle
    kind =
      switch Int(cpostgresql_kind(handle)) {
      case CPOSTGRESQL_DONE: .done
      case CPOSTGRESQL_ROWS: .rows
      case CPOSTGRESQL_SKIPPED: .skipped
      case CPOSTGRESQL_END: .end
      case CPOSTGRESQL_FAILED: .failed
      default: .strange
      }
  }

  deinit { cpostgresql_clear(handle) }

  /// The number of rows.
  var count: Int { Int(cpostgresql_rows(handle)) }

  /// The size in memory, in bytes.
  var size: Int { cpostgresql_size(handle) }

  /// The command that was run, in the server's words, such as `COMMIT`.
  var command: String { String(cString: cpostgresql_command(handle)) }

  func trouble(isLost: Bool) -> ServerTrouble {
    let state = String(cString: cpostgresql_state(handle))
    // The server ends the connection with these states (class 57, operator intervention) and with
    // class 08.
    let ends = state.hasPrefix("57P0") || state.hasPrefix("08") || state.hasPrefix("25P0")
    return ServerTrouble(
      state: state, message: String(cString: cpostgresql_message(handle)),
      isLost: isLost || state.isEmpty || ends && state != "25P02")
  }

  /// Returns the numbers of the columns, by name; of several with one name, the first.
  func columns() -> [String: Int32] {
    var columns: [String: Int32] = [:]
    for column in 0..<cpostgresql_columns(handle) {
      let name = String(cString: cpostgresql_column(handle, column))
      if columns[name] == nil { columns[name] = column }
    }
    return columns
  }

  fileprivate func value(_ row: Int, _ column: Int32) -> UnsafeRawBufferPointer? {
    guard row < count else { return nil }
    var length: Int32 = 0
    guard let start = cpostgresql_value(handle, Int32(row), column, &length) else { return nil }
    return UnsafeRawBufferPointer(start: start, count: Int(max(0, length)))
  }

  fileprivate func type(_ column: Int32) -> ServerType? {
    ServerType(rawValue: cpostgresql_type(handle, column))
  }
}

/// The types of columns other than bytes, by their numbers in the catalog, which never change.
private enum ServerType: UInt32 {
  case bool = 16
  case int8 = 20
  case int2 = 21
  case int4 = 23
  case oid = 26
  case float8 = 701
}

/// A row of a result.
///
/// A value of the server is accepted only in its proper form: a number that has another length or
/// is malformed counts as NULL, and becomes an error at the next row.
final class PostgreSQLRow: RegistryRow {
  private let result: PostgreSQLResult
  private let columns: [String: Int32]
  fileprivate var row = 0
  /// The problem with a column that was read.
  private(set) var trouble: RegistryError?

  init(_ result: PostgreSQLResult, row: Int = 0) {
    self.result = result
    self.row = row
    columns = result.columns()
  }

  private func value(_ column: String) -> (bytes: UnsafeRawBufferPointer, type: ServerType?)? {
    guard let column = columns[column], let bytes = result.value(row, column) else { return nil }
    return (bytes, result.type(column))
  }

  /// Returns a whole number, in network byte order and in as many bytes as its type has; a truth
  /// value has one.
  func integer(_ column: String) -> Int64? {
    guard let (bytes, type) = value(column) else { return nil }
    let number: Int64? =
      switch type {
      case .bool: bytes.number(UInt8.self)
      case .int2: bytes.number(Int16.self)
      case .int4: bytes.number(Int32.self)
      case .int8: bytes.number(Int64.self)
      case .oid: bytes.number(UInt32.self)
      case .float8: self.number(column).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
      case nil: nil
      }
    return checked(number, column, bytes)
  }

  func number(_ column: String) -> Double? {
    guard let (bytes, type) = value(column) else { return nil }
    guard type == .float8 else { return integer(column).map { Double($0) } }
    let number = bytes.number(Int64.self).map { Double(bitPattern: UInt64(bitPattern: $0)) }
    return checked(number.flatMap { $0.isFinite ? $0 : nil }, column, bytes)
  }

  func text(_ column: String) -> String? {
    value(column).map { String(stored: String(decoding: $0.bytes, as: UTF8.self)) }
  }

  func bytes(_ column: String) -> Data? { value(column).map { Data($0.bytes) } }

  private func checked<Number>(
    _ number: Number?, _ column: String, _ bytes: UnsafeRawBufferPointer
  ) -> Number? {
    if number == nil {
      trouble = RegistryError(
        .damaged, "The server gave \(bytes.count) bytes for “\(column)” that are not a number.",
        hint: "Check the program at this address: it is not a registry, or a damaged one.")
    }
    return number
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the whole number of the bytes, in network byte order; `nil` if the length differs from
  /// the type's.
  fileprivate func number<Number: FixedWidthInteger>(_: Number.Type) -> Int64? {
    guard count == MemoryLayout<Number>.size else { return nil }
    return Int64(Number(bigEndian: loadUnaligned(as: Number.self)))
  }
}

/// The rows of a result, one after another, and those of further results.
final class PostgreSQLRows: RegistryRows {
  private var current: PostgreSQLRow?
  private var (place, count) = (0, 0)
  private var last: PostgreSQLResult
  private let more: (PostgreSQLResult) throws(RegistryError) -> PostgreSQLResult?

  /// - Parameter more: Fetches the rows after those of the last result; `nil` if there are none.
  init(
    _ result: PostgreSQLResult,
    more: @escaping (PostgreSQLResult) throws(RegistryError) -> PostgreSQLResult? = {
      _ throws(RegistryError) in nil
    }
  ) {
    self.more = more
    last = result
    begin(result)
  }

  private func begin(_ result: PostgreSQLResult) {
    last = result
    (place, count) = (0, result.count)
    current = count > 0 ? PostgreSQLRow(result) : nil
  }

  func next() throws(RegistryError) -> (any RegistryRow)? {
    if let trouble = current?.trouble { throw trouble }
    if place == count, count > 0, let result = try more(last) { begin(result) }
    guard place < count, let current else {
      count = 0
      return nil
    }
    current.row = place
    place += 1
    return current
  }
}
