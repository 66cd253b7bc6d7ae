internal import Synchronization

/// Gives a token for each request, and makes a new one before the last one ends.
final class TokenSource: Sendable {
  /// The longest that App Store Connect takes is 20 minutes; less, as clocks differ.
  static let lifetime = 900
  /// How long before its end a token is no longer used: no request takes longer.
  static let margin = 120

  private let credentials: Credentials
  private let secondsSince1970: @Sendable () -> Int
  private let last = Mutex<(token: String, issued: Int)?>(nil)

  /// - Parameter secondsSince1970: What the time is.
  init(_ credentials: Credentials, secondsSince1970: @escaping @Sendable () -> Int) {
    self.credentials = credentials
    self.secondsSince1970 = secondsSince1970
  }

  /// A token that counts for at least ``margin`` seconds more.
  func token() throws(AppStoreConnectError) -> String {
    let now = secondsSince1970()
    // A clock that was set back makes a token of the future, which nobody takes.
    if let last = last.withLock({ $0 }),
      (0..<Self.lifetime - Self.margin).contains(now - last.issued)
    {
      return last.token
    }
    let token = try credentials.token(issued: now, lifetime: Self.lifetime)
    last.withLock { $0 = (token, now) }
    return token
  }

  /// Forgets the last token, which was refused.
  func renew() { last.withLock { $0 = nil } }
}
