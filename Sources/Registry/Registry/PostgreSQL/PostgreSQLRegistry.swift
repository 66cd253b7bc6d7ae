import CliptagBasics
import CliptagPlatform
import Foundation
import Synchronization

/// A registry in a database of PostgreSQL, which many stations use at once.
///
/// Changes are made one after another: each takes one lock of the database. A read sees one
/// unchanging state and never waits for a writer.
final class PostgreSQLRegistry: RegistryStore {
  let notes: [Hint] = []
  let schemaVersion: Int
  let who: String
  let queue = RegistryQueue()

  private let address: ServerAddress
  private let access: RegistryAccess
  private let busyTimeout: Duration
  private let pool: Mutex<Pool>

  private struct Pool {
    /// The identity and location of the registry: another replica may have taken over.
    var identity: ServerIdentity
    /// A Boolean value that indicates whether connections listen for changes, from the first
    /// request on.
    var listens = false
    /// Connections without a transaction.
    var idle: [PostgreSQLConnection] = []
    /// A Boolean value that indicates whether another database or another login was found at the
    /// address.
    var isReplaced = false
    /// The number of connections with a transaction.
    var busy = 0
    /// The notifications of closed connections, plus one for each: the registry may have changed
    /// since.
    var gone = 0
  }

  /// Opens an existing registry; see ``RegistryLocation/open(for:createsFolder:busyTimeout:)``.
  init(
    _ address: ServerAddress, access: RegistryAccess, busyTimeout: Duration, by person: String?
  ) throws(RegistryError) {
    self.address = address
    self.access = access
    self.busyTimeout = busyTimeout
    let (connection, identity) = try Self.connect(address, ServerPatience(busyTimeout))
    who = person.map { "\(identity.login) (\($0))" } ?? identity.login
    do {
      try Self.refuseSharedSessions(connection, address, ServerPatience(busyTimeout))
      schemaVersion = try PostgreSQLCatalog.enter(connection, address).version
    } catch {
      throw RegistryError(error, at: address)
    }
    pool = Mutex(Pool(identity: identity, idle: [connection]))
  }

  /// Connects, and configures the connection.
  static func connect(
    _ address: ServerAddress, _ patience: ServerPatience
  ) throws(RegistryError) -> PostgreSQLSession.Line {
    do {
      let connection = try PostgreSQLConnection(address, patience: patience.forAnswer)
      let mark = UUID().uuidString
      let results = try connection.run(ServerIdentity.opening(patience, mark: mark))
      let row = PostgreSQLRow(results[2])
      try connection.setUp(row, mark: mark)
      return (connection, try ServerIdentity(row, station: address.station))
    } catch {
      throw RegistryError(error, at: address)
    }
  }

  /// Refuses a pooler that gives each transaction another session of the server: the settings of a
  /// session would be lost, or apply to another client's session.
  ///
  /// Behind a pooler, the process that answers is not the one that greeted. A pooler that keeps
  /// sessions is as good as the server: it does not assign another session while a second
  /// connection takes the first free one.
  private static func refuseSharedSessions(
    _ connection: PostgreSQLConnection, _ address: ServerAddress, _ patience: ServerPatience
  ) throws {
    guard connection.isPooled else { return }
    let other = try PostgreSQLConnection(address, patience: patience.forAnswer)
    _ = try other.run([.init(sql: "BEGIN"), .init(sql: "SELECT 1")])
    let results = try connection.run([
      .init(sql: "SELECT current_setting('\(ServerIdentity.mark)', true) AS mark")
    ])
    guard PostgreSQLRow(results[0]).text("mark") == connection.mark else {
      throw ServerTrouble(
        state: ServerTrouble.State.pooled, message: "the session was another one", isLost: true)
    }
  }

  func read<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value {
    let session = try begin(forChange: false)
    defer { end(session, isUsable: session.leave()) }
    return try RegistryTransaction(session, mayChange: false).read(body)
  }

  func write<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value {
    guard access == .change else { throw .readOnly(address.description) }
    let session = try begin(forChange: true)
    let transaction = RegistryTransaction(session, mayChange: true)
    let value: Value
    do throws(RegistryError) {
      value = try transaction.write(body)
    } catch {
      // A server that is read-only now may have accepted changes before.
      end(session, isUsable: error.code != .readOnly && session.leave())
      throw error
    }
    do {
      try session.commit()
      end(session, isUsable: true)
    } catch let trouble as ServerTrouble where trouble.isLost {
      end(session, isUsable: false)
      guard try wasKept(session.transaction, transaction.known.appended) else {
        throw RegistryError(trouble, at: address)
      }
    } catch {
      end(session, isUsable: session.leave())
      throw RegistryError(error, at: address)
    }
    return value
  }

  /// The format of the registry is looked at in each transaction.
  var isCurrent: Bool { pool.withLock { !$0.isReplaced } }

  private func begin(forChange: Bool) throws(RegistryError) -> PostgreSQLSession {
    let (kept, identity) = pool.withLock { pool in
      pool.busy += 1
      return (pool.idle.popLast(), pool.identity)
    }
    do throws(RegistryError) {
      // An idle connection may be lost by now; a new one reports that at once.
      if let kept {
        return PostgreSQLSession(
          (kept, identity), at: address, who: who, forChange: forChange, reconnect: newConnection)
      }
      return PostgreSQLSession(
        try newConnection(), at: address, who: who, forChange: forChange, reconnect: nil)
    } catch {
      pool.withLock { $0.busy -= 1 }
      throw error
    }
  }

  /// Opens another connection, of the same login to the same database. A replica that took over has
  /// another timeline, and separate chains.
  private func newConnection() throws(RegistryError) -> PostgreSQLSession.Line {
    let line = try Self.connect(address, ServerPatience(busyTimeout))
    let (isSame, listens) = pool.withLock { pool in
      guard line.identity.follows(pool.identity) else {
        pool.isReplaced = true
        return (false, false)
      }
      if line.identity != pool.identity {
        // The other connections lead to the former server.
        pool.gone += pool.idle.count
        pool.idle = []
        pool.identity = line.identity
      }
      return (true, pool.listens)
    }
    guard isSame else {
      throw RegistryError(
        .unavailable,
        "The registry \(address.description) now has another database or another login.",
        hint: "Start again to check the whole registry.", path: address.description)
    }
    do {
      _ = try line.connection.run(PostgreSQLSchema.entering.map { .init(sql: $0) })
    } catch {
      throw RegistryError(error, at: address)
    }
    if listens { listen(line.connection) }
    return line
  }

  private func end(_ session: PostgreSQLSession, isUsable: Bool) {
    let told = isUsable ? nil : try? session.connection.notifications()
    if !isUsable { session.connection.abandon() }
    pool.withLock { pool in
      pool.busy -= 1
      if isUsable {
        pool.idle.append(session.connection)
      } else {
        pool.gone += 1 + (told ?? 0)
      }
    }
  }

  /// Determines, on another connection, whether a transaction was committed whose end the server
  /// did not acknowledge. A transaction that still runs there, because the server has not noticed
  /// the lost connection, is ended.
  ///
  /// The server identifies it by its number. After a crash, a number that was never stored may be
  /// assigned to another transaction, so the expected changes are looked up, too.
  private func wasKept(
    _ transaction: String?, _ appended: ChainHead?
  ) throws(RegistryError) -> Bool {
    guard let transaction else { return false }
    let deadline = ContinuousClock.now + max(busyTimeout, .seconds(10))
    while true {
      if let answer = answer(to: transaction) {
        switch answer {
        case .aborted: return false
        case .committed:
          guard let appended else { return true }
          let found: EntryHash? = try read { registry throws(RegistryError) in
            try registry.hash(of: appended.recorder, number: appended.number)
          }
          return found == appended.hash
        case .running: break
        }
      }
      guard ContinuousClock.now < deadline else { throw .unconfirmed(transaction, at: address) }
      // The server restarts, or notices that the old connection is lost.
      usleep(50_000)
    }
  }

  private enum Answer { case committed, aborted, running }

  /// - Returns: `nil` if the server does not answer, or no longer knows the transaction.
  private func answer(to transaction: String) -> Answer? {
    do {
      let (connection, _) = try Self.connect(address, ServerPatience(busyTimeout))
      let results = try connection.run([
        .init(
          sql: """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE backend_xid = ?::text::xid8::xid AND usename = session_user
            """, arguments: [transaction]),
        .init(sql: "SELECT pg_xact_status(?::text::xid8) AS status", arguments: [transaction]),
      ])
      switch results.last.flatMap({ PostgreSQLRow($0).text("status") }) {
      case "committed": return .committed
      case "aborted": return .aborted
      case "in progress": return .running
      default: return nil
      }
    } catch let trouble as ServerTrouble where trouble.state == "22023" {
      // The number is not assigned yet: the server crashed before it stored any of the transaction.
      return .aborted
    } catch {
      return nil
    }
  }

  /// Subscribes a connection to changes. A read-only server sends no notifications.
  private func listen(_ connection: PostgreSQLConnection) {
    _ = try? connection.run([.init(sql: PostgreSQLSchema.listening)])
  }

  /// Returns the number of notifications of all connections without a transaction, and on a
  /// read-only server its replay position; `nil` while a connection has a transaction.
  func changeNumber() throws(RegistryError) -> Int? {
    let isFirst = pool.withLock { pool in
      defer { pool.listens = true }
      return !pool.listens
    }
    return pool.withLock { pool in
      guard pool.busy == 0 else { return nil }
      var count = 0
      pool.idle.removeAll { connection in
        if isFirst { listen(connection) }
        guard let told = try? connection.changes() else {
          pool.gone += 1
          return true
        }
        count += told
        return false
      }
      // Without a connection, no notifications arrive.
      return pool.idle.isEmpty ? nil : count + pool.gone
    }
  }

  func waitForChange(atMost patience: Duration) throws(RegistryError) {
    let connection = pool.withLock { $0.idle.last }
    let milliseconds = Int32(
      clamping: Int(bounded: max(0, min(patience / .milliseconds(1), 3_600_000))))
    guard let connection else {
      // The connection is tried again soon, until a server is available once more.
      _ = poll(nil, 0, min(milliseconds, 500))
      return
    }
    var descriptor = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&descriptor, 1, milliseconds)
  }
}
