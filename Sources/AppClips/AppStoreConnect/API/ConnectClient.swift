import CliptagBasics
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import Synchronization
public import WebFetching

/// A client of App Store Connect: signs requests, waits as the server asks, and repeats requests
/// that failed temporarily.
///
/// Its errors contain nothing of the key or of a token.
public final class ConnectClient: Sendable {
  /// The limits of repetition, and of what is received.
  public struct Patience: Sendable, Hashable {
    /// The maximum number of attempts for a request.
    public var attempts = 4
    /// The longest single wait; a request that would need a longer one fails.
    public var longestWait: Duration = .seconds(90)
    /// The wait before the first repetition if the server names none; doubled each time.
    public var firstWait: Duration = .seconds(1)
    /// The bytes of all answers together after which nothing more is asked; each has 16 MiB at most.
    public var receivedBytes = 1 << 28

    /// Makes the default limits.
    public init() {}
  }

  /// The policy of a fetcher for App Store Connect: large pages, and no redirects.
  public static var fetching: WebFetcher.Policy {
    var policy = WebFetcher.Policy()
    policy.maximumBodyBytes = 16 << 20
    policy.totalTimeout = .seconds(100)
    return policy
  }

  private let fetcher: WebFetcher
  private let tokens: TokenSource
  private let patience: Patience
  private let clock: any Clock<Duration>
  private let secondsSince1970: @Sendable () -> Int
  private let lastLimit = Mutex<RateLimit?>(nil)
  private let received = Mutex(0)
  private let tell: @Sendable (String) -> Void

  /// Makes a client.
  ///
  /// - Parameters:
  ///   - credentials: The identity of the caller.
  ///   - fetcher: The fetcher that sends requests.
  ///   - patience: The limits of repetition.
  ///   - clock: The clock for waiting.
  ///   - secondsSince1970: The current time, for tokens.
  ///   - tell: Receives a sentence before each wait.
  public init(
    _ credentials: Credentials, fetcher: WebFetcher = WebFetcher(fetching),
    patience: Patience = Patience(), clock: any Clock<Duration> = ContinuousClock(),
    secondsSince1970: @escaping @Sendable () -> Int = { Int(Date().timeIntervalSince1970) },
    tell: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    tokens = TokenSource(credentials, secondsSince1970: secondsSince1970)
    self.fetcher = fetcher
    self.patience = patience
    self.clock = clock
    self.secondsSince1970 = secondsSince1970
    self.tell = tell
  }

  /// The number of requests left in this hour, from the last answer.
  public var rateLimit: RateLimit? { lastLimit.withLock { $0 } }

  /// Sends a request until it is answered or refused, or the attempts are used up.
  ///
  /// A request that is not idempotent is not repeated when it is unknown whether it arrived.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - url: The URL to use instead of the request's own; on App Store Connect.
  /// - Returns: The body of an answer of 2xx.
  /// - Throws: ``AppStoreConnectError``.
  package func send(
    _ request: ConnectRequest, url: String? = nil
  ) async throws(AppStoreConnectError) -> [UInt8] {
    var hasRenewed = false
    var attempt = 1
    while true {
      guard received.withLock(\.self) <= patience.receivedBytes else {
        throw AppStoreConnectError(
          .tooMuch, "The answers together have more than \(patience.receivedBytes) bytes.",
          hint: "Run the command again; the limit is fixed.", request: request.name)
      }
      let failure: ConnectFailure
      switch await exchange(request, url, token: try tokens.token()) {
      case .success(let response) where (200..<300).contains(response.status):
        return response.body
      case .success(let response) where response.status == 401 && !hasRenewed:
        // The token may have expired on its way, or while the computer slept.
        hasRenewed = true
        tokens.renew()
        continue
      case .success(let response):
        failure = ConnectFailure(response, to: request, now: secondsSince1970())
      case .failure(let error):
        failure = ConnectFailure(error, to: request)
      }
      let wait = failure.wait ?? patience.firstWait * (1 << min(attempt - 1, 10))
      guard failure.mayRepeat, attempt < patience.attempts, wait <= patience.longestWait else {
        throw failure.error
      }
      tell("\(failure.error.message) Trying again in \(wait.components.seconds) s.")
      do {
        try await clock.sleep(for: wait)
      } catch {
        throw .cancelled(request)
      }
      attempt += 1
    }
  }

  private func exchange(
    _ request: ConnectRequest, _ url: String?, token: String
  ) async -> Result<WebResponse, WebFetchError> {
    var headers: HeaderFields = [
      "Authorization": "Bearer \(token)", "Accept": "application/json",
    ]
    if request.body != nil { headers["Content-Type"] = "application/json" }
    let web = WebRequest(
      url ?? request.url, method: request.method, headers: headers, body: request.body)
    do {
      let response = try await fetcher.fetch(web)
      received.withLock { $0 += response.body.count }
      if let limit = response.headers["X-Rate-Limit"].flatMap({ RateLimit($0) }) {
        lastLimit.withLock { $0 = limit }
      }
      return .success(response)
    } catch {
      return .failure(error)
    }
  }

  /// Sends a part of a file to the address of a reservation. The address is a secret while it is
  /// valid: errors name its host only, and the token is not sent there.
  func uploadPart(_ request: WebRequest) async throws(AppStoreConnectError) {
    let afterScheme = request.url.split(separator: "/", omittingEmptySubsequences: true).dropFirst()
    let name = "\(request.method) of the picture to \(afterScheme.first.map(String.init) ?? "-")"
    var attempt = 1
    while true {
      var reason: String
      var mayRepeat = true
      do {
        let response = try await fetcher.fetch(request)
        guard !(200..<300).contains(response.status) else { return }
        reason = "the status is \(response.status)"
        mayRepeat = response.status == 429 || response.status >= 500
      } catch {
        reason = "it fails (\(error.code.rawValue))"
        mayRepeat = error.code != .cancelled
      }
      let wait = patience.firstWait * (1 << min(attempt - 1, 10))
      guard mayRepeat, attempt < patience.attempts else {
        throw AppStoreConnectError(
          .unavailable, "The \(name) did not succeed: \(reason).",
          hint: "Run the command again.", request: name)
      }
      do {
        try await clock.sleep(for: wait)
      } catch {
        throw .cancelled(ConnectRequest("upload", method: request.method))
      }
      attempt += 1
    }
  }
}

extension ConnectClient: AnswerSource {
  /// Asks App Store Connect.
  public func answer(
    to request: ConnectRequest, page: Int, next: String?
  ) async throws(AppStoreConnectError) -> [UInt8]? {
    do {
      return try await send(request, url: next)
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }
}

/// The limit of requests per hour and its remainder, from `X-Rate-Limit` ("Identifying Rate
/// Limits").
public struct RateLimit: Hashable, Sendable {
  /// The number of requests allowed to a user per hour.
  public let limit: Int
  /// The number of requests left.
  public let remaining: Int

  /// Reads a field such as `user-hour-lim:3600;user-hour-rem:3577;`; nil for anything else.
  package init?(_ field: String) {
    var values: [Substring: Int] = [:]
    for part in field.split(separator: ";") {
      let words = part.split(separator: ":", maxSplits: 1)
      guard words.count == 2 else { continue }
      values[words[0].drop { $0 == " " }] = Int(words[1])
    }
    guard let limit = values["user-hour-lim"], let remaining = values["user-hour-rem"] else {
      return nil
    }
    self.limit = limit
    self.remaining = remaining
  }
}
