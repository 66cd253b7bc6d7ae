import Basics

/// One open transaction on a registry: everything that can be looked up and changed in one go.
///
/// A transaction is lent to the body of ``RegistryStore/read(_:)`` or ``RegistryStore/write(_:)``
/// and cannot be kept. Its operations are those of ``RegistryOperations``. Changing methods called
/// in a `read` throw ``RegistryError/Code/readOnly``.
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
    /// Codes as they were issued first; nothing for one that is not there.
    var prints: [CodeID: IssuedCode?] = [:]
    /// The entries of codes, counted by the number of their recorder.
    var tallies: [CodeID: [Int64: EntryTally]] = [:]
    /// The name that sorts last, and nothing without codes, when it was asked for.
    var lastCode: CodeID??
    var places: Set<ByteKey> = []
    /// Every code with a payload, as it was printed last.
    var alike: [ByteKey: [IssuedCode]] = [:]
    /// The last entry that this transaction added.
    var appended: ChainHead?

    /// Keeps the codes with a payload, of which one was printed once more.
    ///
    /// Apart from its caller: in a borrowing function the optimiser of Swift 6.3 fails at such a closure.
    func keep(_ alike: [IssuedCode], withPrint details: [String: String], of first: IssuedCode) {
      var print = first
      print.take(details)
      self.alike[ByteKey(first.payload)] = alike.map { $0.id == print.id ? print : $0 }
    }

    /// Forgets how a code was printed last.
    func forgetPrints(of id: CodeID) {
      if let print = prints[id] ?? nil {
        alike[ByteKey(print.payload)] = nil
      } else {
        alike = [:]
      }
    }
  }

  /// The number of look-ups made at once and kept: a merge may concern millions.
  static let kept = 10_000

  init(_ session: any RegistrySession, mayChange: Bool) {
    self.session = session
    self.mayChange = mayChange
  }

  /// Refuses a change in a transaction that only reads.
  borrowing func mustChange() throws(RegistryError) {
    guard mayChange else { throw .readOnly() }
  }

  /// Runs a statement that gives no rows.
  borrowing func run(
    _ sql: String, _ arguments: [(any SQLValue)?] = []
  ) throws(RegistryError) {
    try session.run(sql, arguments)
  }
}

extension RegistryTransaction: RegistryOperations {
  /// Runs `body` in this transaction.
  ///
  /// - Throws: What `body` throws.
  public borrowing func read<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value {
    do throws(Failure) {
      return try body(self)
    } catch {
      throw RegistryError(wrapping: error)
    }
  }

  /// Runs `body` in this transaction, when that may change the registry.
  ///
  /// What `body` did before it throws is undone only with the whole transaction.
  ///
  /// - Throws: What `body` throws; ``RegistryError/Code/readOnly``.
  public borrowing func write<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value {
    try mustChange()
    return try read(body)
  }
}

extension RegistryOperations where Self: ~Copyable {
  /// The rows of a statement, a value made of each.
  borrowing func rows<Value>(
    _ sql: String, _ arguments: [(any SQLValue)?] = [], _ make: (any RegistryRow) throws -> Value
  ) throws(RegistryError) -> [Value] {
    try read { registry in
      let rows = try registry.session.rows(sql, arguments, isShared: true)
      var values: [Value] = []
      while let row = try rows.next() { values.append(try make(row)) }
      return values
    }
  }

  /// The number that the first row of a statement gives as `number`; 0 without a row.
  borrowing func number(
    _ sql: String, _ arguments: [(any SQLValue)?] = []
  ) throws(RegistryError) -> Int {
    try rows(sql, arguments) { row -> Int in row["number"] ?? 0 }.first ?? 0
  }
}

extension RegistryError {
  /// An error that came out of a transaction's body.
  init(wrapping error: any Error) {
    self =
      error as? RegistryError
      ?? RegistryError(.failed, "\(error)", hint: "Try again.", underlying: error)
  }

  static func readOnly(_ path: String? = nil) -> RegistryError {
    RegistryError(
      .readOnly,
      "The registry \(path.map { "\($0) " } ?? "")was opened for looking things up only.",
      hint: "Open it for changes.", path: path)
  }

  static func exists(_ kind: String, _ key: String) -> RegistryError {
    RegistryError(
      .alreadyExists, "The \(kind) “\(key)” is in the registry already.",
      hint: "Replace it, or choose another name.")
  }

  static func missing(_ kind: String, _ key: String) -> RegistryError {
    RegistryError(
      .notFound, "The \(kind) “\(key)” is not in the registry.",
      hint: "Check the spelling, or list what is there.")
  }
}

/// A text that equals another only byte for byte, as a database compares it.
///
/// Swift takes `é` and `e` + combining accent for equal; a database does not, and an id in a URL is
/// a sequence of bytes.
struct ByteKey: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ByteKey, right: ByteKey) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
