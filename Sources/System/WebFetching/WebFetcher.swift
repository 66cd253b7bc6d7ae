import CliptagBasics
import Synchronization

/// Fetches from servers over HTTPS only, within limits.
///
/// Connections stay open between requests. Each request runs on a separate thread, so that any
/// number may wait at once. libcurl does the work; it is loaded by the first request.
public final class WebFetcher: Sendable {
  /// The limits of the requests.
  public let policy: Policy
  private let idle = Mutex<[Connections]>([])

  /// The number of sets of open connections that are kept for later requests.
  private static let maximumIdle = 4

  /// Creates a fetcher.
  public init(_ policy: Policy = Policy()) { self.policy = policy }

  /// Sends a request and waits for the complete answer.
  ///
  /// Cancelling the task ends the wait within milliseconds, regardless of the server: libcurl is
  /// woken. (If libcurl is older than 7.87, only after the look-up of the host name.)
  ///
  /// - Returns: The answer, regardless of its status.
  /// - Throws: ``WebFetchError``.
  public func fetch(_ request: WebRequest) async throws(WebFetchError) -> WebResponse {
    try CurlLibrary.load(for: request.url)
    if let flaw = request.flaw {
      throw WebFetchError(
        .invalidRequest, "The request to \(request.url) cannot be sent: \(flaw).",
        hint: "Correct it.", url: request.url)
    }
    let deadline = ContinuousClock.now + policy.totalTimeout
    var request = request
    var address = try WebAddress(request.url)
    var redirects: [WebRedirect] = []
    while true {
      let transfer = Transfer(
        request: request, address: address, policy: policy, deadline: deadline)
      let answer: Transfer.Answer
      switch await run(transfer) {
      case .success(let value): answer = value
      case .failure(let error): throw error.after(redirects)
      }
      guard let target = answer.target else { return answer.response.after(redirects) }
      let next = try follow(target, status: answer.response.status, from: address, &redirects)
      request = request.redirected(status: answer.response.status, from: address, to: next)
      address = next
    }
  }

  private func run(_ transfer: Transfer) async -> Result<Transfer.Answer, WebFetchError> {
    guard let connections = idle.withLock({ $0.popLast() }) ?? Connections() else {
      return .failure(transfer.failure("not enough memory"))
    }
    let cancellation = Cancellation()
    cancellation.wakes(connections)
    let result = await withTaskCancellationHandler {
      await onOwnThread { transfer.run(on: connections, until: cancellation) }
    } onCancel: {
      cancellation.cancel()
    }
    cancellation.wakes(nil)
    idle.withLock { idle in
      if idle.count < Self.maximumIdle { idle.append(connections) }
    }
    return result ?? .failure(transfer.failure("the system provides no thread"))
  }

  /// Follows a redirect if the policy allows it.
  private func follow(
    _ target: String, status: Int, from address: WebAddress, _ redirects: inout [WebRedirect]
  ) throws(WebFetchError) -> WebAddress {
    let next: WebAddress?
    let kind: WebRedirect.Kind
    do throws(WebFetchError) {
      (next, kind) = try address.redirect(to: target)
    } catch {
      throw WebFetchError(
        .badResponse, "\(address.url) redirects to a URL that cannot be fetched: \(error.message)",
        hint: "Correct the server's Location header.", url: address.url, redirects: redirects)
    }
    let redirect = WebRedirect(status: status, from: address.url, to: target, kind: kind)
    redirects.append(redirect)
    guard let next else { throw redirect.refused(.insecureRedirect, redirects) }
    guard case .follow(let limit, let acrossSites) = policy.redirects else {
      throw redirect.refused(.redirected, redirects)
    }
    guard acrossSites || kind != .crossSite else {
      throw redirect.refused(.crossSiteRedirect, redirects)
    }
    guard redirects.count <= limit else { throw redirect.refused(.tooManyRedirects, redirects) }
    return next
  }
}

extension WebRedirect {
  /// Returns the error for refusing this redirect.
  fileprivate func refused(
    _ code: WebFetchError.Code, _ redirects: [WebRedirect]
  ) -> WebFetchError {
    let why =
      switch code {
      case .insecureRedirect: ", which is not HTTPS"
      case .crossSiteRedirect: ", which is another host or port"
      case .tooManyRedirects: " as redirect number \(redirects.count)"
      default: ""
      }
    let itself = "Serve the response at \(redirects[0].from) itself"
    return WebFetchError(
      code, "\(from) redirects to \(to)\(why) (status \(status)).",
      hint: code == .crossSiteRedirect
        ? "\(itself), or give \(to) as the URL." : "\(itself).", url: from,
      redirects: redirects)
  }
}

extension WebResponse {
  /// Returns the same answer with redirects.
  fileprivate func after(_ redirects: [WebRedirect]) -> WebResponse {
    var response = self
    response.redirects = redirects
    return response
  }
}

extension WebFetcher {
  /// The limits of a fetcher: sizes, times, redirects and addresses.
  public struct Policy: Sendable, Hashable {
    /// The size limit of a body in bytes, after decompression.
    public var maximumBodyBytes = 1 << 20
    /// The time limit for a connection: name, TCP and TLS together, separately for each redirect.
    public var connectTimeout: Duration = .seconds(10)
    /// The time limit without any transfer over an open connection.
    public var stallTimeout: Duration = .seconds(15)
    /// The time limit for everything, redirects included.
    public var totalTimeout: Duration = .seconds(30)
    /// The treatment of redirects.
    public var redirects: RedirectRule = .none
    /// The user agent of the requests.
    public var userAgent = "cliptag"
    /// A PEM file of certificate authorities to trust instead of the system's.
    public var certificateAuthorities: String?
    /// Endpoints to connect to for hosts, instead of the addresses of their names. The certificate
    /// must still be the host's.
    public var endpoints: [String: Endpoint] = [:]
    /// The proxy.
    public var proxy: ProxyRule = .environment
    /// A Boolean value that indicates whether addresses of this computer and of private networks
    /// are allowed. Otherwise only those in ``endpoints`` are, and those of a proxy, which has its
    /// own rules.
    public var allowsPrivateAddresses = false

    /// Creates a policy with the default limits.
    public init() {}
  }

  /// The treatment of redirects. None leads to a URL that is not HTTPS. A site is a host and a
  /// port.
  public enum RedirectRule: Sendable, Hashable {
    /// A redirect is an error.
    case none
    /// Up to `limit` redirects are followed, to other sites only if `acrossSites` is set.
    case follow(limit: Int, acrossSites: Bool)
  }

  /// An address and a port.
  public struct Endpoint: Sendable, Hashable {
    /// A numeric address or a host name.
    public var address: String
    /// The port.
    public var port: UInt16

    /// Creates an endpoint.
    public init(address: String, port: UInt16) {
      self.address = address
      self.port = port
    }
  }

  /// The choice of a proxy.
  public enum ProxyRule: Sendable, Hashable {
    /// The proxy of `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` (or the same in lower case).
    case environment
    /// A direct connection, regardless of the environment.
    case direct
    /// A given proxy, for example `http://proxy.example.com:3128`.
    case server(String)
  }
}
