import Foundation

/// The statements of one open transaction on a server.
///
/// What gives no rows waits for the next statement that does, or for the end of the transaction, and
/// goes to the server with it: what it refuses is thrown then.
final class PostgreSQLSession: RegistrySession {
  typealias Statement = PostgreSQLConnection.Statement

  let identity: ServerIdentity
  private(set) var connection: PostgreSQLConnection
  private let address: ServerAddress
  /// Makes another connection, as long as nothing was told to this one: it was kept since an earlier
  /// transaction and may have been lost meanwhile.
  private var reconnect: (() throws(RegistryError) -> PostgreSQLConnection)?
  private var queue: [Statement]
  private let opening: [Statement]
  private var cursors = 0
  /// Whether the server was asked anything, and whether it answered.
  private var (hasAsked, hasBegun) = (false, false)
  /// Whether anything was changed.
  private(set) var changes = false
  /// The transaction's number on the server.
  private(set) var transaction: String?

  /// So many rows of a cursor are fetched at once.
  private static let fetched = 1000
  /// So many statements wait at most.
  private static let waiting = 1000
  init(
    _ connection: PostgreSQLConnection, at address: ServerAddress, _ identity: ServerIdentity,
    who: String, forChange: Bool, reconnect: (() throws(RegistryError) -> PostgreSQLConnection)?
  ) {
    self.connection = connection
    self.address = address
    self.identity = identity
    self.who = who
    self.reconnect = reconnect
    // Under REPEATABLE READ the statement that takes the lock would also take the snapshot, and what
    // was changed while it waited would not be seen.
    opening =
      forChange
      ? [
        Statement(sql: "BEGIN ISOLATION LEVEL READ COMMITTED", isKept: true),
        Statement(sql: "SELECT take_turn() AS transaction", isKept: true),
      ] : [Statement(sql: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isKept: true)]
    queue = opening
  }

  var home: String { identity.home }
  let who: String

  func run(_ sql: String, _ arguments: [(any SQLValue)?]) throws(RegistryError) {
    queue.append(Statement(sql: sql, arguments: arguments, isKept: true))
    changes = true
    if queue.count >= Self.waiting { _ = try exchange() }
  }

  func rows(
    _ sql: String, _ arguments: [(any SQLValue)?], isShared: Bool
  ) throws(RegistryError) -> any RegistryRows {
    if isShared {
      queue.append(Statement(sql: sql, arguments: arguments, isKept: true))
      return PostgreSQLRows(try lastResult())
    }
    cursors += 1
    let name = "c\(cursors)"
    queue.append(
      Statement(sql: "DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", arguments: arguments))
    let fetch = Statement(sql: "FETCH \(Self.fetched) FROM \(name)")
    queue.append(fetch)
    return PostgreSQLRows(try lastResult()) { () throws(RegistryError) in
      self.queue.append(fetch)
      let result = try self.lastResult()
      if result.count == 0 { self.queue.append(Statement(sql: "CLOSE \(name)")) }
      return result
    }
  }

  func forEachRow(
    _ sql: String, ofEach lists: [[(any SQLValue)?]],
    _ body: (Int, any RegistryRow) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    for start in stride(from: 0, to: lists.count, by: Self.waiting) {
      let part = lists[start..<min(start + Self.waiting, lists.count)]
      queue += part.map { Statement(sql: sql, arguments: $0, isKept: true) }
      for (index, result) in try exchange().suffix(part.count).enumerated() {
        let rows = PostgreSQLRows(result)
        while let row = try rows.next() { try body(start + index, row) }
      }
    }
  }

  func letReferencesFollow() throws(RegistryError) { try run("SET CONSTRAINTS ALL DEFERRED", []) }

  func settleReferences() throws(RegistryError) {
    try run("SET CONSTRAINTS ALL IMMEDIATE", [])
    // What is only rehearsed is never asked to be kept.
    _ = try exchange()
  }

  /// The server itself checks who signed it, and takes entries of others up to what it vouches for; the
  /// owner's members need none.
  func vouch(_ checkpoint: [UInt8]) throws(RegistryError) {
    try run("SELECT vouch(?)", [Data(checkpoint)])
  }

  func name(of person: String) -> String {
    person == identity.login || person.hasPrefix("\(identity.login) (") && person.hasSuffix(")")
      ? person : "\(identity.login) (\(person))"
  }

  var clockAhead: TimeInterval { connection.clockAhead }

  let keepingNumbers = "OVERRIDING SYSTEM VALUE"

  /// Only the owner may do this.
  func beginTakingRows() throws(RegistryError) {
    try run(
      """
      DO $do$ BEGIN
        EXECUTE format('SET LOCAL ROLE %I', (SELECT pg_get_userbyid(nspowner) FROM pg_namespace
          WHERE nspname = '\(PostgreSQLSchema.name)'));
        ALTER TABLE batch_row DISABLE TRIGGER batch_row_is_appended;
      END $do$
      """, [])
  }

  func endTakingRows() throws(RegistryError) {
    try run("ALTER TABLE batch_row ENABLE TRIGGER batch_row_is_appended", [])
    for table in RegistryTable.all {
      for column in table.columns where column.kind == .identity {
        try run(
          """
          DO $do$ BEGIN
            PERFORM setval(pg_get_serial_sequence('\(table.name)', '\(column.name)'),
              (SELECT coalesce(max(\(column.name)), 0) + 1 FROM \(table.name)), false);
          END $do$
          """, [])
      }
    }
  }

  private func lastResult() throws(RegistryError) -> PostgreSQLResult {
    guard let result = try exchange().last else {
      throw RegistryError(
        ServerTrouble(state: "", message: "a statement without an answer", isLost: true),
        at: address)
    }
    return result
  }

  /// Tells the server what waits, and takes its answers.
  private func exchange() throws(RegistryError) -> [PostgreSQLResult] {
    let statements = queue
    queue = []
    hasAsked = true
    var results: [PostgreSQLResult]
    do {
      results = try connection.run(statements)
    } catch let trouble as ServerTrouble where trouble.isLost && !hasBegun {
      // Nothing of this transaction was kept or seen, so that it may begin once more.
      guard let reconnect else { throw RegistryError(trouble, at: address) }
      self.reconnect = nil
      connection = try reconnect()
      do {
        results = try connection.run(statements)
      } catch {
        throw RegistryError(error, at: address)
      }
    } catch let trouble as ServerTrouble where trouble.state == "55P03" && !hasBegun {
      throw RegistryError(trouble, at: address, heldBy: holder())
    } catch {
      throw RegistryError(error, at: address)
    }
    if !hasBegun {
      hasBegun = true
      if opening.count > 1, results.count > 1, results[1].count > 0 {
        transaction = PostgreSQLRow(results[1]).text("transaction")
      }
      results.removeFirst(opening.count)
    }
    return results
  }

  /// Who holds the lock for which this transaction waited, and since when, as far as the server says.
  private func holder() -> String? {
    let results = try? connection.run([
      Statement(sql: "ROLLBACK"),
      Statement(
        sql: """
          SELECT a.usename::text AS login, l.pid::bigint AS process
          FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid
          WHERE l.relation = 'turn'::regclass AND l.granted AND l.mode = 'ExclusiveLock'
          """),
    ])
    guard let result = results?.last, result.count > 0 else { return nil }
    let row = PostgreSQLRow(result)
    guard let login = row.text("login"), let process = row.integer("process") else { return nil }
    return "the login “\(login)”, server process \(process)"
  }

  /// Asks the server to keep what was done, and tells the other stations.
  ///
  /// - Throws: What a statement that waited was refused for; ``ServerTrouble`` when the connection was
  ///   lost, and nobody knows whether the server kept it.
  func commit() throws {
    // The transaction's number has to be known before the server is asked to end it.
    if !hasBegun { _ = try exchange() }
    queue.append(Statement(sql: "COMMIT", isKept: true))
    let statements = queue
    queue = []
    // A server that can tell nobody, because somebody who listens does not, keeps the change all the same.
    let announcement = Statement(sql: "SELECT pg_notify(channel, '') FROM meta", isKept: true)
    let results = try connection.run(statements, trying: changes ? [announcement] : [])
    guard results.last?.command == "COMMIT" else {
      throw ServerTrouble(
        state: "40000", message: "the server rolled the change back", isLost: false)
    }
  }

  /// Ends a transaction of which nothing is to be kept, without waiting for it.
  ///
  /// - Returns: Whether the connection may be used again.
  func leave() -> Bool {
    guard hasAsked else { return true }
    return (try? connection.post([Statement(sql: "ROLLBACK", isKept: true)])) != nil
  }
}

/// Who and where a connection is.
struct ServerIdentity: Hashable, Sendable {
  /// The login, as the server knows it.
  let login: String
  /// The database and the station, which decide whose chain is gone on with. A database that was restored
  /// elsewhere, or to an earlier time, has another.
  let home: String

  /// What tells a connection what it is to be, and asks the server who and where it is.
  static func opening(busyTimeout: Duration) -> [PostgreSQLConnection.Statement] {
    let milliseconds = max(1, Int((busyTimeout / .milliseconds(1)).rounded(.up)))
    // A station that disappears in the middle of a change gives the lock back after some seconds. What a
    // change does between two statements, such as writing the file that it records, takes less.
    let settings = [
      // Nothing of the database's own is looked for before the catalog said what it is.
      ("search_path", "pg_catalog, pg_temp"), ("lock_timeout", "\(milliseconds)"),
      ("idle_in_transaction_session_timeout", "15000"), ("client_min_messages", "warning"),
      ("tcp_keepalives_idle", "5"), ("tcp_keepalives_interval", "3"), ("tcp_keepalives_count", "3"),
      ("tcp_user_timeout", "10000"),
    ]
    let calls = settings.map { "set_config('\($0.0)', '\($0.1)', false)" }
    return [
      .init(sql: "SELECT \(calls.joined(separator: ", "))"),
      .init(
        sql: """
          SELECT session_user::text AS login, system_identifier, timeline_id,
            extract(epoch FROM clock_timestamp())::float8 AS now,
            (SELECT oid FROM pg_database WHERE datname = current_database())::bigint AS database
          FROM pg_control_system(), pg_control_checkpoint()
          """),
    ]
  }

  init(_ row: PostgreSQLRow, station: String) {
    login = row.text("login") ?? ""
    let numbers = ["system_identifier", "timeline_id", "database"].map { "\(row.integer($0) ?? 0)" }
    home = (["postgresql"] + numbers + [station, login]).joined(separator: " ")
  }
}
