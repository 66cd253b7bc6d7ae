/// One route of an app: the URLs that one of its handlers takes.
///
/// `/order/{place}` is a path of exactly two segments; a last segment `*` stands for any number of
/// further ones, also none. Names after a question mark are query items that must be there, with a
/// value if one is given: `/rent?scooter_id` or `/rent?type=bike`. With `https://` and a host in
/// front, the route is for that host alone. Other query items and the fragment make no difference.
public struct RoutePattern: Hashable, Sendable, CustomStringConvertible {
  /// The pattern as written.
  public let text: String
  /// The only host, or `nil` for every host.
  public let host: String?

  /// The pattern as written.
  public var description: String { text }

  private let path: PathTemplate
  private let segmentCount: Int
  private let takesRest: Bool
  private let items: [InvocationURL.QueryItem]

  /// Reads a pattern.
  ///
  /// - Throws: ``PathTemplateError`` or ``InvocationURLError`` with the first rule that it breaks.
  package init(_ text: String) throws {
    self.text = text
    var rest = Substring(text)
    if rest.hasPrefix("https://") {
      rest = rest.dropFirst("https://".count)
      let host = rest.prefix { $0 != "/" && $0 != "?" }
      self.host = try HostName.parse(String(host))
      rest = rest.dropFirst(host.count)
      if !rest.hasPrefix("/") { rest = "/" + rest }
    } else {
      host = nil
    }
    let query = rest.firstIndex(of: "?")
    var path = query.map { rest[..<$0] } ?? rest
    takesRest = path.hasSuffix("/*")
    if takesRest { path = path.dropLast(2) }
    self.path = try PathTemplate(path.isEmpty && takesRest ? "/" : String(path))
    segmentCount = Self.segmentCount(of: path)
    // Read as the query of a URL, so that escapes mean the same on both sides.
    items =
      try query.map { try InvocationURL("https://route.example.com/\(rest[$0...])").queryItems }
      ?? []
  }

  private static func segmentCount(of path: Substring) -> Int {
    path.dropFirst().split(separator: "/", omittingEmptySubsequences: true).count
  }

  /// Whether the route takes a URL.
  public func takes(_ url: InvocationURL) -> Bool {
    if let host, host != url.host { return false }
    guard path.values(in: url.path) != nil else { return false }
    let count = Self.segmentCount(of: Substring(url.path))
    guard takesRest ? count >= segmentCount : count == segmentCount else { return false }
    return items.allSatisfy { item in
      url.queryItems.contains {
        $0.name == item.name && (item.value == nil || $0.value == item.value)
      }
    }
  }
}
