import GRDB

/// Another process that is changing the registry: a write transaction on its own connection.
final class WriteLock {
  private let queue: DatabaseQueue

  init(on path: String) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
  }

  /// Ends the transaction without a change.
  func release() throws {
    try queue.inDatabase { try $0.execute(sql: "ROLLBACK") }
    try queue.close()
  }
}
