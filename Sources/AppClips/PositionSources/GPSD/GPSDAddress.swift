/// The address of a gpsd: a host and a TCP port.
public struct GPSDAddress: Hashable, Sendable, CustomStringConvertible {
  /// A host name or an IP address.
  public let host: String
  /// The port, 1 to 65,535.
  public let port: Int

  /// This computer, at the port registered with IANA for gpsd.
  public static let standard = GPSDAddress(validHost: "127.0.0.1", port: 2947)

  private init(validHost host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// Creates an address; `nil` if the host is invalid or the port is out of range.
  public init?(host: String, port: Int) {
    guard !host.isEmpty, (1...65_535).contains(port),
      host.unicodeScalars.allSatisfy({ $0.isASCII && $0 > " " && $0 != "\u{7F}" })
    else { return nil }
    self.init(validHost: host, port: port)
  }

  /// Parses `HOST`, `HOST:PORT`, `:PORT` or `[ADDRESS]:PORT`; omitted parts are those of
  /// ``standard``.
  public init?(_ text: String) {
    var host = text[...]
    var port: Int? = Self.standard.port
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      if !rest.isEmpty { port = rest.first == ":" ? Self.port(rest.dropFirst()) : nil }
    } else if let colon = text.firstIndex(of: ":"), text[colon...].count(where: { $0 == ":" }) == 1
    {
      host = text[..<colon]
      port = Self.port(text[text.index(after: colon)...])
      if host.isEmpty { host = Self.standard.host[...] }
    }
    guard let port else { return nil }
    self.init(host: String(host), port: port)
  }

  private static func port(_ text: Substring) -> Int? {
    text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
  }

  /// `HOST:PORT`, with an IPv6 address in brackets.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
