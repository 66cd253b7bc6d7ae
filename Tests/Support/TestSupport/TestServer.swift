import Foundation
import Synchronization

/// The temporary PostgreSQL server that `make test` starts; see `Tests/Scripts/with-postgresql.sh`.
package final class TestServer: Sendable {
  /// The server of this test run; `nil` if the tests run without one.
  package static let shared = ProcessInfo.processInfo.environment["CLIPTAG_TEST_POSTGRESQL"].map {
    TestServer(address: $0)
  }

  private let address: String
  /// The database from which empty registries are copied: copying one is faster than making one.
  private let template = Mutex(TestDatabase?.none)

  private init(address: String) { self.address = address }

  /// Returns the address of a database of this server.
  package func address(of database: String) -> String {
    address.replacing("postgresql:///postgres?", with: "postgresql:///\(database)?")
  }

  /// The server's refusal of a statement.
  package struct Refused: Error, CustomStringConvertible {
    package let description: String
  }

  /// Runs SQL with PostgreSQL's own client.
  ///
  /// - Returns: The rows, with tabs between their columns.
  @discardableResult
  package func ask(_ sql: String, of database: String = "postgres") throws -> String {
    try ask(sql, at: address(of: database))
  }

  /// Runs SQL at another address.
  @discardableResult
  package func ask(_ sql: String, at address: String) throws -> String {
    let place = FileManager.default.temporaryDirectory.path + "/psql-" + UUID().uuidString
    let (output, errors) = (place + ".out", place + ".err")
    defer { for path in [output, errors] { try? FileManager.default.removeItem(atPath: path) } }
    let psql = try ChildProgram(
      [
        "psql", address, "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", sql,
      ], output: output, errors: errors)
    let status = psql.wait()
    let said = FileManager.default.contents(atPath: output) ?? Data()
    let refused = FileManager.default.contents(atPath: errors) ?? Data()
    guard status == 0 else { throw Refused(description: String(decoding: refused, as: UTF8.self)) }
    return String(decoding: said, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// Creates a database from a template; an empty one by default.
  package func database(like template: String = "template0") throws -> TestDatabase {
    let name = "t" + UUID().uuidString.replacing("-", with: "").lowercased()
    try ask("CREATE DATABASE \(name) TEMPLATE \(template)")
    return TestDatabase(server: self, name: name)
  }

  /// Copies a database, after ending its connections.
  package func copy(of database: TestDatabase) throws -> TestDatabase {
    try disconnect(database)
    return try self.database(like: database.name)
  }

  /// Ends every connection to a database, as a server does when it is stopped.
  package func disconnect(_ database: TestDatabase) throws {
    try ask(
      """
      SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
      WHERE datname = '\(database.name)' AND pid <> pg_backend_pid()
      """)
  }

  /// Creates a registry in a new database.
  ///
  /// - Parameter make: Makes a registry in the empty database at an address; called once.
  package func registry(_ make: (String) throws -> Void) throws -> TestDatabase {
    let name = try template.withLock { template in
      if let template { return template.name }
      let made = try database()
      try make(made.address)
      template = made
      return made.name
    }
    return try database(like: name)
  }
}

/// A database of one test, dropped when the value is released.
package final class TestDatabase: Sendable {
  package let server: TestServer
  package let name: String

  fileprivate init(server: TestServer, name: String) {
    self.server = server
    self.name = name
  }

  package var address: String { server.address(of: name) }

  /// Returns the address for another login.
  package func address(as login: String) -> String {
    address.replacing("user=cliptag", with: "user=\(login)")
  }

  @discardableResult
  package func ask(_ sql: String) throws -> String { try server.ask(sql, of: name) }

  deinit { _ = try? server.ask("DROP DATABASE IF EXISTS \(name) WITH (FORCE)") }
}
