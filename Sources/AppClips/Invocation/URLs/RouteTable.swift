/// The routes of an app from a small file: one pattern per line; `#` begins a remark.
public struct RouteTable: Hashable, Sendable {
  /// The patterns, in the order of the file.
  public let patterns: [RoutePattern]

  /// A line that is not a pattern.
  public struct Problem: Error, Hashable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The fault of the line.
    public let message: String
  }

  /// Reads a file.
  ///
  /// - Throws: ``Problem`` of the first line that is not a pattern.
  public init(reading text: String) throws(Problem) {
    var patterns: [RoutePattern] = []
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() {
      let pattern = Self.pattern(in: line)
      guard !pattern.isEmpty else { continue }
      do {
        patterns.append(try RoutePattern(pattern))
      } catch {
        let problem = (error as? PathTemplateError)?.problem
        throw Problem(line: index + 1, message: problem ?? "\(error)")
      }
    }
    self.patterns = patterns
  }

  /// The part before the remark, without surrounding white space. A number sign inside a pattern
  /// would be a fragment, which routes do not have.
  private static func pattern(in line: Substring) -> String {
    let text = line.prefix { $0 != "#" }.drop { $0.isWhitespace }
    return String(text.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// The first route that accepts a URL, or `nil`.
  public func route(for url: InvocationURL) -> RoutePattern? {
    patterns.first { $0.takes(url) }
  }
}

/// One route of an app: the URLs that one of its handlers accepts.
///
/// `/order/{place}` is a path of exactly two segments; a last segment `*` matches any number of
/// further ones, including none. Names after a question mark are query items that must be present,
/// with a value if one is given: `/rent?scooter_id` or `/rent?type=bike`. With `https://` and a
/// host in front, the route applies to that host alone. Other query items and the fragment are
/// ignored.
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
    // Parsed as the query of a URL, so that escapes have the same meaning on both sides.
    items =
      try query.map { try InvocationURL("https://route.example.com/\(rest[$0...])").queryItems }
      ?? []
  }

  private static func segmentCount(of path: Substring) -> Int {
    path.dropFirst().split(separator: "/", omittingEmptySubsequences: true).count
  }

  /// Whether the route accepts a URL.
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
