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

    /// Makes the policy that the properties say.
    public init() {}
  }

  /// What becomes of redirects. None leads to anything but HTTPS.
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
