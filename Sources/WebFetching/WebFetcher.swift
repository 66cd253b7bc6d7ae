import Synchronization

/// Fetches from servers over HTTPS within limits, and nothing else than HTTPS.
///
/// Connections stay open from one request to the next. Each request works on a thread of its own,
/// so that any number may wait at once. libcurl does the work; it is opened by the first request.
public final class WebFetcher: Sendable {
  /// What is allowed.
  public let policy: Policy
  private let idle = Mutex<[Connections]>([])

  /// How many sets of open connections are kept for later requests.
  private static let maximumIdle = 4

  /// Makes a fetcher.
  public init(_ policy: Policy = Policy()) { self.policy = policy }

  /// Sends a request and waits for the whole answer.
  ///
  /// Cancelling the task ends the wait within milliseconds, whatever the server does: libcurl is
  /// woken. (Where libcurl is older than 7.87, not before the host's name is looked up.)
  ///
  /// - Returns: The answer, whatever its status.
  /// - Throws: ``WebFetchError``.
  public func fetch(_ request: WebRequest) async throws(WebFetchError) -> WebResponse {
    try CurlLibrary.load(for: request.url)
    if let flaw = request.flaw {
      throw WebFetchError(
        .invalidRequest, "The request to \(request.url) cannot be sent: \(flaw).",
        hint: "Put it right.", url: request.url)
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
      return .failure(transfer.failure("there is no memory for it"))
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
    return result ?? .failure(transfer.failure("the system gives no thread"))
  }

  /// Judges a redirect.
  private func follow(
    _ target: String, status: Int, from address: WebAddress, _ redirects: inout [WebRedirect]
  ) throws(WebFetchError) -> WebAddress {
    let next: WebAddress?
    let kind: WebRedirect.Kind
    do throws(WebFetchError) {
      (next, kind) = try address.redirect(to: target)
    } catch {
      throw WebFetchError(
        .badResponse, "\(address.url) redirects to what cannot be fetched: \(error.message)",
        hint: "Put the server's Location right.", url: address.url, redirects: redirects)
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
  /// The error that this redirect is refused with.
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
    let itself = "Have the server give the answer at \(redirects[0].from) itself"
    return WebFetchError(
      code, "\(from) redirects to \(to)\(why) (status \(status)).",
      hint: code == .crossSiteRedirect
        ? "\(itself), or name \(to) if that is what is meant." : "\(itself).", url: from,
      redirects: redirects)
  }
}

extension WebResponse {
  /// The same answer at the end of redirects.
  fileprivate func after(_ redirects: [WebRedirect]) -> WebResponse {
    var response = self
    response.redirects = redirects
    return response
  }
}

extension WebFetcher {
  /// What a fetcher allows servers, and how long it waits.
  public struct Policy: Sendable, Hashable {
    /// The most bytes of a body, counted after decompression.
    public var maximumBodyBytes = 1 << 20
    /// How long a connection may take: the name, TCP and TLS together, anew for each redirect.
    public var connectTimeout: Duration = .seconds(10)
    /// How long nothing may come or go over a connection that stands.
    public var stallTimeout: Duration = .seconds(15)
    /// How long everything may take, redirects included.
    public var totalTimeout: Duration = .seconds(30)
    /// What becomes of redirects.
    public var redirects: RedirectRule = .none
    /// What the request says it comes from.
    public var userAgent = "cliptag"
    /// A PEM file of certificate authorities to trust instead of the system's.
    public var certificateAuthorities: String?
    /// Where to connect to for a host, instead of what its name resolves to. The certificate must
    /// still be the host's.
    public var endpoints: [String: Endpoint] = [:]
    /// Through what to connect.
    public var proxy: ProxyRule = .environment
    /// Whether addresses of this computer and of private networks are connected to. Without it only
    /// those are that ``endpoints`` names, and those of a proxy, which knows its own rules.
    public var allowsPrivateAddresses = false

    /// Makes the policy that the properties say.
    public init() {}
  }

  /// What becomes of redirects. None leads to anything but HTTPS. A site is a host and a port.
  public enum RedirectRule: Sendable, Hashable {
    /// A redirect is an error.
    case none
    /// Up to `limit` redirects are followed, to other hosts only where `acrossSites` says so.
    case follow(limit: Int, acrossSites: Bool)
  }

  /// An address with a port.
  public struct Endpoint: Sendable, Hashable {
    /// A numeric address or a host's name.
    public var address: String
    /// The port.
    public var port: UInt16

    /// Makes an endpoint.
    public init(address: String, port: UInt16) {
      self.address = address
      self.port = port
    }
  }

  /// Through what to connect.
  public enum ProxyRule: Sendable, Hashable {
    /// What `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` (or the same in lower case) say.
    case environment
    /// Directly, whatever the environment says.
    case direct
    /// This one, for example `http://proxy.example.com:3128`.
    case server(String)
  }
}
