import CliptagBasics
import Foundation

/// The statements of one open transaction on a server.
///
/// A statement without rows waits for the next statement with rows, or for the end of the
/// transaction, and is sent with it; its refusal is thrown then.
final class PostgreSQLSession: RegistrySession {
  typealias Statement = PostgreSQLConnection.Statement

  /// A connection, with its server's identity and location.
  typealias Line = (connection: PostgreSQLConnection, identity: ServerIdentity)

  private(set) var identity: ServerIdentity
  private(set) var connection: PostgreSQLConnection
  private let address: ServerAddress
  /// Opens another connection, as long as nothing was sent on this one, which may have been lost
  /// since an earlier transaction.
  private var reconnect: (() throws(RegistryError) -> Line)?
  private var queue: [Statement]
  private let opening: [Statement]
  private let isChange: Bool
  private var cursors = 0
  private var ahead = AnswersAhead<PostgreSQLResult>()
  /// Whether a query was sent to the server, and whether it answered.
  private var (hasAsked, hasBegun) = (false, false)
  /// The number of statements that changed the registry.
  private(set) var changes = 0
  /// The transaction's number on the server.
  private(set) var transaction: String?

  /// The number of rows of a cursor fetched at once: few at first, for a caller that needs only
  /// those.
  private static let fetched = (first: 1000, most: 16_000)
  /// The approximate size of a piece, in bytes.
  private static let piece = 4 << 20
  /// The number of changes from which the server's checks before the commit need more time.
  private static let many = 1000
  /// The largest number of waiting statements.
  private static let waiting = 1000

  /// Continues the open transaction of an owner, who ends it.
  init(continuing line: Line, at address: ServerAddress) {
    (connection, identity) = line
    self.address = address
    who = line.identity.login
    (isChange, opening, queue) = (true, [], [])
    (hasAsked, hasBegun) = (true, true)
  }

  init(
    _ line: Line, at address: ServerAddress, who: String, forChange: Bool,
    reconnect: (() throws(RegistryError) -> Line)?
  ) {
    (connection, identity) = line
    self.address = address
    self.who = who
    self.reconnect = reconnect
    isChange = forChange
    // Under REPEATABLE READ, the statement that takes the lock would also take the snapshot, and
    // miss changes made while it waited.
    opening =
      (forChange
        ? [
          Statement(sql: "BEGIN ISOLATION LEVEL READ COMMITTED", isKept: true),
          Statement(sql: "SELECT take_turn() AS transaction", isKept: true),
        ] : [Statement(sql: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isKept: true)])
      // Its owner may have upgraded the registry since the last transaction of the connection.
      + [Statement(sql: "SELECT version FROM meta", isKept: true)]
    queue = opening
  }

  var home: String { identity.home }
  let who: String

  func run(_ sql: String, _ arguments: [(any SQLValue)?]) throws(RegistryError) {
    queue.append(Statement(sql: sql, arguments: arguments, isKept: true))
    changes += 1
    ahead.forget(changedBy: sql)
    if queue.count >= Self.waiting { _ = try exchange() }
  }

  func rows(
    _ sql: String, _ arguments: [(any SQLValue)?], isShared: Bool
  ) throws(RegistryError) -> any RegistryRows {
    if isShared {
      if let known = try answerAhead(to: sql, arguments) { return PostgreSQLRows(known) }
      queue.append(Statement(sql: sql, arguments: arguments, isKept: true))
      return PostgreSQLRows(try lastResult())
    }
    cursors += 1
    let name = "c\(cursors)"
    queue.append(
      Statement(sql: "DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", arguments: arguments))
    var wanted = Self.fetched.first
    queue.append(Statement(sql: "FETCH \(wanted) FROM \(name)"))
    return PostgreSQLRows(try lastResult()) { last throws(RegistryError) in
      // Fewer rows than asked for are the last.
      guard last.count == wanted else {
        self.queue.append(Statement(sql: "CLOSE \(name)"))
        return nil
      }
      // Over a slow line each round trip counts; large rows come in smaller pieces.
      wanted = max(
        1, min(2 * wanted, Self.fetched.most, last.count * Self.piece / max(1, last.size)))
      self.queue.append(Statement(sql: "FETCH \(wanted) FROM \(name)"))
      let result = try self.lastResult()
      if result.count == 0 { self.queue.append(Statement(sql: "CLOSE \(name)")) }
      return result
    }
  }

  var isFarAway: Bool { true }

  func lookAhead(_ questions: [(sql: String, arguments: [(any SQLValue)?])]) {
    ahead.announce(questions)
  }

  /// Returns the known answer to an announced query; the query runs with the others of its group.
  private func answerAhead(
    to sql: String, _ arguments: [(any SQLValue)?]
  ) throws(RegistryError) -> PostgreSQLResult? {
    guard !ahead.isEmpty else { return nil }
    let question = RegistryQuestion(sql, arguments)
    if let answer = ahead[question] { return answer }
    guard let due = ahead.due(with: question) else { return nil }
    queue += due.map { Statement(sql: $0.question.sql, arguments: $0.arguments, isKept: true) }
    for (one, answer) in zip(due, try exchange().suffix(due.count)) {
      ahead.keep(answer, to: one.question)
    }
    return ahead[question]
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
    // A rehearsal never reaches the commit, which would check the references.
    let isLong = changes > Self.many
    if isLong { try run("SET LOCAL statement_timeout = 0", []) }
    try run("SET CONSTRAINTS ALL IMMEDIATE", [])
    _ = try exchange(extra: isLong ? .milliseconds(changes) : .zero)
    // Later changes, such as those of counters, precede their entries.
    try run("SET CONSTRAINTS ALL DEFERRED", [])
  }

  /// Lets the server check the signature, and accept entries of others up to the heads of the
  /// checkpoint; members of the owner need none.
  func vouch(_ checkpoint: [UInt8]) throws(RegistryError) {
    try run("SELECT vouch(?)", [Data(checkpoint)])
  }

  func name(of person: String) -> String {
    person == identity.login || person.hasPrefix("\(identity.login) (") && person.hasSuffix(")")
      ? person : "\(identity.login) (\(person))"
  }

  var clockAhead: TimeInterval { connection.clockAhead }

  let itemDialect = ItemSchema.Dialect.server
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

  /// Sends the waiting statements to the server, and takes its answers.
  ///
  /// - Parameter extra: The time added to the usual deadline.
  private func exchange(
    extra: Duration = .zero
  ) throws(RegistryError) -> [PostgreSQLResult] {
    let statements = queue
    queue = []
    hasAsked = true
    var results: [PostgreSQLResult]
    do {
      results = try connection.run(statements, extra: extra)
    } catch let trouble as ServerTrouble where trouble.isLost && !hasBegun {
      // Nothing of this transaction was committed or seen, so that it may begin once more.
      // A silent server is not asked once more.
      guard let reconnect, trouble.state != ServerTrouble.State.silent else {
        throw RegistryError(trouble, at: address)
      }
      self.reconnect = nil
      let former = home
      (connection, identity) = try reconnect()
      do {
        results = try connection.run(statements.map { $0.replacing(former, with: home) })
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
      if isChange, results.count > 1, results[1].count > 0 {
        transaction = PostgreSQLRow(results[1]).text("transaction")
      }
      let formats = results[opening.count - 1]
      let format = formats.count > 0 ? PostgreSQLRow(formats).integer("version") : nil
      try PostgreSQLCatalog.requireCurrent(Int(format ?? 0), at: address)
      results.removeFirst(opening.count)
    }
    return results
  }

  /// Returns the holder of the lock for which this transaction waited, and since when, as far as
  /// the server reports it.
  private func holder() -> String? {
    let results = try? connection.run([
      Statement(sql: "ROLLBACK"),
      Statement(
        sql: """
          SELECT a.usename::text AS login, l.pid::bigint AS process
          FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid
          WHERE l.relation = 'turn'::regclass AND l.granted
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND l.mode = 'ExclusiveLock'
          """),
    ])
    guard let result = results?.last, result.count > 0 else { return nil }
    let row = PostgreSQLRow(result)
    guard let login = row.text("login"), let process = row.integer("process") else { return nil }
    return "the login “\(login)”, server process \(process)"
  }

  /// Commits the transaction, and notifies the other stations.
  ///
  /// - Throws: The refusal of a waiting statement; ``ServerTrouble`` if the connection was lost, so
  ///   that the outcome is unknown.
  func commit() throws {
    // The transaction's number must be known before the server is asked to commit.
    if !hasBegun { _ = try exchange() }
    // Deferred checks run now.
    let isLong = changes > Self.many
    if isLong { queue.append(Statement(sql: "SET LOCAL statement_timeout = 0")) }
    queue.append(Statement(sql: "COMMIT", isKept: true))
    let statements = queue
    queue = []
    // If the server cannot notify, because a listener does not read, the change is kept
    // nevertheless.
    let announcement = Statement(sql: "SELECT pg_notify(channel, '') FROM meta", isKept: true)
    let results = try connection.run(
      statements, trying: changes > 0 ? [announcement] : [],
      extra: isLong ? .milliseconds(changes) : .zero)
    guard results.last?.command == "COMMIT" else {
      throw ServerTrouble(
        state: "40000", message: "the server rolled the change back", isLost: false)
    }
  }

  /// Rolls a transaction back, without waiting.
  ///
  /// - Returns: Whether the connection may be used again.
  func leave() -> Bool {
    guard hasAsked else { return true }
    return (try? connection.post([Statement(sql: "ROLLBACK")])) != nil
  }
}

extension PostgreSQLConnection.Statement {
  /// Returns the statement with another home of a chain, for a server that has changed.
  fileprivate func replacing(_ former: String, with home: String) -> Self {
    guard former != home else { return self }
    var copy = self
    copy.arguments = arguments.map { argument in
      if case .text(former) = argument?.argument { home } else { argument }
    }
    return copy
  }
}

/// The identity and location of a connection's server.
struct ServerIdentity: Hashable, Sendable {
  /// The login, as the server knows it.
  let login: String
  /// The database and the station, which determine the chain that is continued. A database that was
  /// restored elsewhere, or to an earlier time, has another.
  let home: String

  /// The cluster and the database, which stay the same when a replica takes over.
  private let cluster: [Int64]

  /// Returns whether the other is the same login in the same database, perhaps on another server.
  func follows(_ other: ServerIdentity) -> Bool {
    login == other.login && cluster == other.cluster
  }

  /// Returns the statements that configure a connection and ask the server for its identity and
  /// location.
  ///
  /// - Parameters:
  ///   - patience: The time limits; see ``ServerPatience``.
  ///   - mark: A text that stays with the session.
  static func opening(
    _ patience: ServerPatience, mark: String
  ) -> [PostgreSQLConnection.Statement] {
    func milliseconds(_ duration: Duration?) -> String {
      "\(duration.map { max(1, Int(bounded: ($0 / .milliseconds(1)).rounded(.up))) } ?? 0)"
    }
    // A station that disappears during a change releases the lock after some seconds. Work between
    // two statements of a change, such as writing the recorded file, takes less.
    let settings = [
      // No object of the database is looked up before the catalog was checked.
      ("search_path", "pg_catalog, pg_temp"), ("lock_timeout", milliseconds(patience.forLock)),
      ("statement_timeout", milliseconds(patience.forStatement)),
      ("idle_in_transaction_session_timeout", "15000"), ("client_min_messages", "warning"),
      ("tcp_keepalives_idle", "5"), ("tcp_keepalives_interval", "3"), ("tcp_keepalives_count", "3"),
      ("tcp_user_timeout", "10000"), (Self.mark, mark),
    ]
    let calls = settings.map { "set_config('\($0.0)', '\($0.1)', false)" }
    return [
      .init(sql: "SELECT \(calls.joined(separator: ", "))"),
      // After a promotion, the control file shows the new timeline only with the next checkpoint.
      // Not every server permits the other query.
      .init(
        sql: """
          DO $do$ BEGIN
            PERFORM set_config('cliptag.timeline', pg_walfile_name(pg_current_wal_lsn()), false);
          EXCEPTION WHEN OTHERS THEN NULL; END $do$
          """),
      .init(
        sql: """
          SELECT session_user::text AS login, system_identifier,
            coalesce(
              ('x' || left(nullif(current_setting('cliptag.timeline', true), ''), 8))::bit(32)::int4,
              timeline_id) AS timeline_id,
            extract(epoch FROM clock_timestamp())::float8 AS now, pg_backend_pid() AS process,
            pg_is_in_recovery() AS only_reads,
            (SELECT oid FROM pg_database WHERE datname = current_database())::bigint AS database
          FROM pg_control_system(), pg_control_checkpoint()
          """),
    ]
  }

  /// The name of the setting that distinguishes a session from others.
  static let mark = "cliptag.mark"

  init(_ row: PostgreSQLRow, station: String) throws(RegistryError) {
    login = row.text("login") ?? ""
    let numbers = ["system_identifier", "timeline_id", "database"].map { row.integer($0) ?? 0 }
    if let trouble = row.trouble { throw trouble }
    home = (["postgresql"] + numbers.map { "\($0)" } + [station, login]).joined(separator: " ")
    cluster = [numbers[0], numbers[2]]
  }
}

/// The time limits for a server.
struct ServerPatience {
  /// The time limit for the lock that another station holds.
  let forLock: Duration
  /// The time limit for one statement, as the server counts; `nil` for no limit.
  let forStatement: Duration?
  /// The time limit for any message of the server.
  let forAnswer: Duration

  /// The time limits of a station: a server that answers reports itself which step took too long.
  init(_ busyTimeout: Duration) {
    let margin = Duration.seconds(1)
    forLock = busyTimeout >= margin * 2 ? busyTimeout - margin : busyTimeout
    forAnswer = forLock + margin
    forStatement = forLock + margin / 2
  }

  /// Returns the time limits of an owner who makes or upgrades tables.
  static func forOwner(_ busyTimeout: Duration) -> ServerPatience {
    ServerPatience(lock: ServerPatience(busyTimeout).forLock, answer: .seconds(3600))
  }

  private init(lock: Duration, answer: Duration) {
    forLock = lock
    forStatement = nil
    forAnswer = answer
  }
}
