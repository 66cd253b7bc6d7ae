/// A refusal by a server, or the reason for which it does not answer.
struct ServerTrouble: Error {
  /// The states of failures that no server reports.
  enum State {
    /// libpq is not installed.
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

  /// The SQLSTATE (PostgreSQL documentation, appendix A) or one of ``State``; empty if the server
  /// sent none.
  let state: String
  let message: String
  /// A Boolean value that indicates whether the connection is no longer usable.
  let isLost: Bool

  /// - Parameter what: The server's fault.
  static func broken(_ what: String) -> ServerTrouble {
    ServerTrouble(state: State.broken, message: what, isLost: true)
  }
}
