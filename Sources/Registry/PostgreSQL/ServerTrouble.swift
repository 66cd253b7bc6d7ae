/// A refusal by a server, or the reason for which it does not answer.
struct ServerTrouble: Error {
  /// The states that are none of a server's.
  enum State {
    /// libpq is not there.
    static let noLibrary = "no-library"
    /// No answer arrived within the time limit.
    static let silent = "silent"
    /// The answer does not follow PostgreSQL's protocol, or is too large.
    static let broken = "broken"
    /// The connection is less secure than required.
    static let unsafe = "unsafe"
    /// A pooler gives each transaction another session.
    static let pooled = "pooled"
  }

  /// The SQLSTATE (PostgreSQL documentation, appendix A) or one of ``State``; empty when the server said
  /// none.
  let state: String
  let message: String
  /// Whether the connection is of no further use.
  let isLost: Bool

  init(state: String, message: String, isLost: Bool) {
    self.state = state
    self.message = message
    self.isLost = isLost
  }

  /// - Parameter what: What the server did.
  static func broken(_ what: String) -> ServerTrouble {
    ServerTrouble(state: State.broken, message: what, isLost: true)
  }
}
