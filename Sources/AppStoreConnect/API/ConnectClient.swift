public import FoundationEssentials
import Synchronization
public import WebFetching

/// Talks to App Store Connect: signs, waits where it is told to, and repeats what failed by chance.
///
/// Nothing of the key or of a token is in its errors.
public final class ConnectClient: Sendable {
  /// How long the client tries.
  public struct Patience: Sendable, Hashable {
    /// How often a request is sent at most.
    public var attempts = 4
    /// The longest single wait; whoever asks for a longer one is not waited for.
    public var longestWait: Duration = .seconds(90)
    /// The wait before the first repetition, where nobody says; doubled each time.
    public var firstWait: Duration = .seconds(1)

    /// Makes the patience that the properties say.
    public init() {}
  }

  /// What a fetcher for App Store Connect allows: large pages, and no redirects.
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
  private let tell: @Sendable (String) -> Void

  /// Makes a client.
  ///
  /// - Parameters:
  ///   - credentials: Who asks.
  ///   - fetcher: What sends.
  ///   - patience: How long it tries.
  ///   - clock: What it waits by.
  ///   - secondsSince1970: What the time is, for tokens.
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

  /// How many requests may follow in this hour, as the last answer said.
  public var rateLimit: RateLimit? { lastLimit.withLock { $0 } }

  /// Sends a request until it is answered, refused, or patience ends.
  ///
  /// A request that does more each time it is sent is not repeated when it is unknown whether it
  /// arrived.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - url: Where to send it instead of the request's own URL; on App Store Connect.
  /// - Returns: The body of an answer of 2xx.
  /// - Throws: ``AppStoreConnectError``.
  package func send(
    _ request: ConnectRequest, url: String? = nil
  ) async throws(AppStoreConnectError) -> [UInt8] {
    var hasRenewed = false
    var attempt = 1
    while true {
      let failure: ConnectFailure
      switch await exchange(request, url, token: try tokens.token()) {
      case .success(let response) where (200..<300).contains(response.status):
        return response.body
      case .success(let response) where response.status == 401 && !hasRenewed:
        // The token may have ended on its way, or with a computer that slept.
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
      if let limit = response.headers["X-Rate-Limit"].flatMap({ RateLimit($0) }) {
        lastLimit.withLock { $0 = limit }
      }
      return .success(response)
    } catch {
      return .failure(error)
    }
  }

  /// Sends a part of a file to where a reservation says. The address is a secret for as long as it
  /// counts, so that errors tell its host alone, and the token does not go there.
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
        reason = "it answers \(response.status)"
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

/// The requests that may follow in this hour, as `X-Rate-Limit` says
/// ("Identifying Rate Limits").
public struct RateLimit: Hashable, Sendable {
  /// How many a user has in each hour.
  public let limit: Int
  /// How many are left.
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
