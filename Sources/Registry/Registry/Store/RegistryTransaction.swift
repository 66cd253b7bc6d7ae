import CliptagBasics

/// An open transaction on a registry, for look-ups and changes.
///
/// A transaction is passed to the body of ``RegistryStore/read(_:)`` or ``RegistryStore/write(_:)``
/// and cannot be stored. Its operations are those of ``RegistryOperations``. Changing methods
/// called in a `read` throw `RegistryError.Code.readOnly`.
public struct RegistryTransaction: ~Copyable {
  let session: any RegistrySession
  /// The results of earlier look-ups in this transaction, which no other transaction can change.
  let known = Known()
  private let mayChange: Bool

  final class Known {
    var ownRecorder: Recorder?
    var recorderKeys: [Recorder: Int64] = [:]
    var heads: [Recorder: ChainHead] = [:]
    var walkKeys: [Walk.ID: Int64] = [:]
    /// Codes as they were first issued; `nil` for a missing code.
    var prints: [CodeID: IssuedCode?] = [:]
    /// The entries of codes, counted by the number of their recorder.
    var tallies: [CodeID: [Int64: EntryTally]] = [:]
    /// The name that sorts last, once looked up; `nil` inside if there are no codes.
    var lastCode: CodeID??
    var places: Set<ByteKey> = []
    /// Every code with a payload, with the facts of its last print.
    var alike: [ByteKey: [IssuedCode]] = [:]
    /// The earliest time of the next entry about a setting, in milliseconds since 1970.
    var earliestSettingTime: Int64?
    /// The last entry that this transaction added.
    var appended: ChainHead?

    /// Stores the codes with a payload, of which one was printed again.
    ///
    /// A separate function, because the optimiser of Swift 6.3 fails at such a closure in a
    /// borrowing function.
    func keep(_ alike: [IssuedCode], withPrint details: [String: String], of first: IssuedCode) {
      var print = first
      print.take(details)
      self.alike[ByteKey(first.payload)] = alike.map { $0.id == print.id ? print : $0 }
    }

    /// Removes the last print of a code.
    func forgetPrints(of id: CodeID) {
      if let print = prints[id] ?? nil {
        alike[ByteKey(print.payload)] = nil
      } else {
        alike = [:]
      }
    }
  }

  /// The number of look-ups made at once and cached: a merge may concern millions.
  static let kept = 10_000

  init(_ session: any RegistrySession, mayChange: Bool) {
    self.session = session
    self.mayChange = mayChange
  }

  /// Refuses a change in a transaction that only reads.
  borrowing func mustChange() throws(RegistryError) {
    guard mayChange else { throw .readOnly() }
  }

  /// Runs a statement without rows.
  borrowing func run(
    _ sql: String, _ arguments: [(any SQLValue)?] = []
  ) throws(RegistryError) {
    try session.run(sql, arguments)
  }
}

extension RegistryTransaction: RegistryOperations {
  /// Runs `body` in this transaction.
  ///
  /// - Throws: The error of `body`.
  public borrowing func read<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value {
    do throws(Failure) {
      return try body(self)
    } catch {
      throw RegistryError(wrapping: error)
    }
  }

  /// Runs `body` in this transaction, which must be one that may change the registry.
  ///
  /// Changes that `body` makes before it throws are undone only with the whole transaction.
  ///
  /// - Throws: The error of `body`; `RegistryError.Code.readOnly`.
  public borrowing func write<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value {
    try mustChange()
    return try read(body)
  }
}

extension RegistryOperations where Self: ~Copyable {
  /// Returns the rows of a statement, each converted into a value.
  ///
  /// - Parameter comeInPieces: Whether a server sends the rows in pieces, as those of a whole table
  ///   have to be: one answer of a server has a largest size.
  borrowing func rows<Value>(
    _ sql: String, _ arguments: [(any SQLValue)?] = [], comeInPieces: Bool = false,
    _ make: (any RegistryRow) throws -> Value
  ) throws(RegistryError) -> [Value] {
    try read { registry in
      let rows = try registry.session.rows(sql, arguments, isShared: !comeInPieces)
      var values: [Value] = []
      while let row = try rows.next() { values.append(try make(row)) }
      return values
    }
  }

  /// Returns the column `number` of the first row of a statement; 0 without a row.
  borrowing func number(
    _ sql: String, _ arguments: [(any SQLValue)?] = []
  ) throws(RegistryError) -> Int {
    try rows(sql, arguments) { row -> Int in row["number"] ?? 0 }.first ?? 0
  }
}

extension RegistryError {
  /// Converts an error from a transaction's body.
  init(wrapping error: any Error) {
    self =
      error as? RegistryError
      ?? RegistryError(.failed, "\(error)", hint: "Try again.", underlying: error)
  }

  static func readOnly(_ path: String? = nil) -> RegistryError {
    RegistryError(
      .readOnly,
      "The registry \(path.map { "\($0) " } ?? "")was opened read-only.",
      hint: "Open it for changes.", path: path)
  }

  static func exists(_ kind: String, _ key: String) -> RegistryError {
    RegistryError(
      .alreadyExists, "The \(kind) “\(key)” is already in the registry.",
      hint: "Replace it, or choose another name.")
  }

  static func missing(_ kind: String, _ key: String) -> RegistryError {
    RegistryError(
      .notFound, "The \(kind) “\(key)” is not in the registry.",
      hint: "Check the spelling, or list the existing ones.")
  }
}
