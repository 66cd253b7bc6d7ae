import CliptagBasics
import CliptagPlatform
import CPostgreSQL
import Foundation
import Synchronization

/// A connection to a server, in libpq's pipeline mode: statements are sent and answered together,
/// so that a group of them costs one round trip.
///
/// One transaction at a time uses it, as ``PostgreSQLPool`` ensures; the handle is closed with the
/// value. The state beside the handle is protected by a lock nevertheless.
final class PostgreSQLConnection: Sendable {
  /// A statement and its arguments. A kept statement is prepared once for each connection.
  struct Statement {
    let sql: String
    var arguments: [(any SQLValue)?] = []
    var isKept = false
  }

  private struct Kept {
    /// The names of prepared statements, by their text.
    var names: [String: String] = [:]
    /// The number of prepared statements; a name is never reused.
    var prepared = 0
    /// Groups that were sent and whose answers were not read.
    var owed: [[Awaited]] = []
    var notifications = 0
    var clockAhead: Double = 0
    var isPooled = false
    var onlyReads = false
    var mark = ""
    var isLost = false
  }

  private let handle: Int
  private let patience: Duration
  private let limit: Int
  private let kept = Mutex(Kept())

  /// Connects to the first of the hosts that answers.
  ///
  /// - Parameters:
  ///   - patience: The time limit for any message of the server, here and at each query.
  ///   - limit: The largest size of one result, in bytes.
  /// - Throws: ``ServerTrouble``.
  init(
    _ address: ServerAddress, patience: Duration, limit: Int = PostgreSQLConnection.largestResult
  ) throws {
    self.patience = patience
    self.limit = limit
    handle = try ServerSettings(address).connect(within: patience)
  }

  deinit { cpostgresql_finish(handle) }

  /// Breaks the connection, so that the server aborts the running statement.
  func abandon() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// The largest size of one result, in bytes. Larger results are fetched in pieces.
  static let largestResult = 512 << 20

  /// The number of the server's process, as the server sent it on connecting.
  var process: Int { Int(cpostgresql_process(handle)) }

  /// The time by which the server's clock is ahead of this computer's, in seconds; 0 if it is less
  /// than a possible round trip to the server.
  var clockAhead: Double { kept.withLock(\.clockAhead) }

  /// Stores the server's answer to the first query about itself.
  ///
  /// - Parameters:
  ///   - row: The result of the query of ``ServerIdentity``.
  ///   - mark: The text that marks the session.
  func setUp(_ row: PostgreSQLRow, mark: String) throws(RegistryError) {
    let ahead = row.number("now").map { $0 - Date().timeIntervalSince1970 } ?? 0
    let (answering, onlyReads) = (row.integer("process"), row.integer("only_reads") == 1)
    if let trouble = row.trouble { throw trouble }
    kept.withLock { kept in
      kept.clockAhead = abs(ahead) > 2 ? ahead : 0
      kept.isPooled = answering != Int64(process)
      kept.onlyReads = onlyReads
      kept.mark = mark
    }
  }

  /// A Boolean value that indicates whether a process of the server answers other than the one that
  /// greeted, because of a pooler.
  var isPooled: Bool { kept.withLock(\.isPooled) }

  /// The text that marks the session.
  var mark: String { kept.withLock(\.mark) }

  /// The descriptor of the connection.
  var descriptor: Int32 { cpostgresql_socket(handle) }

  /// Runs statements as one group, optionally followed by others whose failure is ignored.
  ///
  /// - Parameter extra: The time added to the usual time limit.
  /// - Returns: The result of each of the first.
  /// - Throws: ``ServerTrouble``; no statement after the failed one was run.
  func run(
    _ statements: [Statement], trying others: [Statement] = [], extra: Duration = .zero
  ) throws -> [PostgreSQLResult] {
    try noticingLoss {
      let awaited = try send(statements + others)
      try settle()
      return Array(
        try answers(to: awaited, needed: statements.count, patience: patience + extra)
          .prefix(statements.count))
    }
  }

  /// A Boolean value that indicates whether the connection was lost, so that no answer will arrive.
  var isLost: Bool { kept.withLock(\.isLost) }

  private func noticingLoss<Value>(_ body: () throws -> Value) throws -> Value {
    guard !isLost else { throw lost() }
    do {
      return try body()
    } catch let trouble as ServerTrouble where trouble.isLost {
      kept.withLock { $0.isLost = true }
      throw trouble
    }
  }

  /// Sends statements as one group without waiting for them; their results are discarded at the
  /// next use of the connection.
  func post(_ statements: [Statement]) throws {
    try noticingLoss {
      let awaited = try send(statements)
      kept.withLock { $0.owed.append(awaited) }
    }
  }

  /// Returns a number that grows when the registry changes: the number of notifications so far; on
  /// a read-only server, which sends none, its replay position.
  ///
  /// - Throws: ``ServerTrouble`` when the connection is lost.
  func changes() throws -> Int {
    if kept.withLock(\.onlyReads) {
      let results = try run([
        .init(
          sql: """
            SELECT (pg_last_wal_replay_lsn() - '0/0')::int8 AS place, pg_is_in_recovery() AS only_reads
            """, isKept: true)
      ])
      let row = PostgreSQLRow(results[0])
      guard row.integer("only_reads") == 1 else {
        throw ServerTrouble(state: "", message: "the server was promoted", isLost: true)
      }
      return Int(row.integer("place") ?? 0)
    }
    return try notifications()
  }

  /// Returns the number of notifications so far.
  ///
  /// - Throws: ``ServerTrouble`` when the connection is lost.
  func notifications() throws -> Int {
    try noticingLoss {
      try settle()
      guard cpostgresql_take(handle) else { throw lost() }
      let count = Int(cpostgresql_notifications(handle))
      return kept.withLock { kept in
        kept.notifications += count
        return kept.notifications
      }
    }
  }

  private func settle() throws {
    let groups = kept.withLock { kept in
      defer { kept.owed = [] }
      return kept.owed
    }
    for group in groups { _ = try answers(to: group, patience: patience) }
  }

  /// An expected answer of a group: the result of a statement, or its preparation.
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
      let arguments = ServerArguments(statement.arguments)
      let taken = arguments.bytes.withUnsafeBufferPointer { bytes in
        cpostgresql_run(
          handle, name, name == nil ? Self.numbered(statement.sql) : nil,
          Int32(arguments.offsets.count), bytes.baseAddress, arguments.offsets, arguments.lengths)
      }
      guard taken else { throw lost() }
      awaited.append(.statement)
    }
    guard cpostgresql_end_group(handle), cpostgresql_send(handle) >= 0 else { throw lost() }
    return awaited
  }

  /// Reads all answers of a group, whatever they contain.
  ///
  /// - Parameter needed: The number of statements that must not fail; `nil` for all.
  private func answers(
    to awaited: [Awaited], needed: Int? = nil, patience: Duration
  ) throws -> [PostgreSQLResult] {
    var results: [PostgreSQLResult] = []
    var trouble: ServerTrouble?
    var next = awaited[...]
    var silences = 0
    while true {
      var watch = ServerWatch(patience: patience, limit: limit)
      let handle = try nextResult(&watch)
      guard handle != 0 else {
        // A null result follows each statement; two in a row mean the end of the connection.
        silences += 1
        guard silences < 2, cpostgresql_is_open(self.handle) else { throw trouble ?? lost() }
        continue
      }
      silences = 0
      let result = PostgreSQLResult(handle)
      switch result.kind {
      case .end:
        if let trouble {
          guard let needed, results.count >= needed else { throw trouble }
          return results
        }
        guard next.isEmpty else { throw ServerTrouble.broken("it left statements unanswered") }
        return results
      case .failed:
        trouble = trouble ?? result.trouble(isLost: !cpostgresql_is_open(self.handle))
      case .rows, .done:
        switch next.popFirst() {
        case .preparation(let sql, let name): kept.withLock { $0.names[sql] = name }
        case .statement: results.append(result)
        case nil: throw ServerTrouble.broken("it sent an unexpected response")
        }
      case .skipped: break
      case .strange: throw ServerTrouble.broken("it sent an unexpected response")
      }
    }
  }

  /// Returns the next result, once it has arrived.
  private func nextResult(_ watch: inout ServerWatch) throws -> Int {
    while cpostgresql_is_busy(handle) {
      // The last message of a lost connection is in the result.
      let left = cpostgresql_send(handle)
      guard left >= 0 else { break }
      try watch.wait(at: descriptor, for: left > 0 ? POLLIN | POLLOUT : POLLIN)
      try watch.take(cpostgresql_arrived(handle))
      guard cpostgresql_take(handle) else { break }
    }
    return cpostgresql_next(handle)
  }

  private func lost() -> ServerTrouble {
    ServerTrouble(state: "", message: String(cString: cpostgresql_error(handle)), isLost: true)
  }

  /// Returns a statement with `$1`, `$2` … in place of each `?`.
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

/// Arguments in libpq's form: texts ended by a zero byte, and bytes unchanged.
private struct ServerArguments {
  var bytes: [CChar] = []
  var offsets: [Int] = []
  var lengths: [Int32] = []

  init(_ arguments: [(any SQLValue)?]) {
    for argument in arguments {
      switch argument?.argument {
      case .integer(let number): append(text: "\(number)")
      case .truth(let truth): append(text: truth ? "t" : "f")
      case .number(let number): append(text: "\(number)")
      case .text(let text): append(text: text)
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
