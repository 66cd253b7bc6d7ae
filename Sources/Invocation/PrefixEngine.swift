/// How a registered link is a prefix of an invocation URL.
///
/// Apple says "prefix" and gives only examples of whole path segments; nobody has published
/// whether `/location1` covers `/location10`. Both readings are kept, ``segment`` is the one we
/// trust, and a URL on which they choose differently is told as ambiguous.
public enum PrefixEngine: String, Hashable, Sendable, CaseIterable {
  /// Any prefix of the text.
  case string
  /// A prefix that ends where a path segment or a query item ends.
  case segment

  /// The other reading.
  package var other: PrefixEngine { self == .string ? .segment : .string }

  /// Whether a registered link covers a URL.
  ///
  /// - Parameters:
  ///   - link: The ``InvocationURL/matchingKey`` of the link.
  ///   - key: The ``InvocationURL/matchingKey`` of the URL, on the same host.
  public func covers(link: String, key: String) -> Bool {
    let linkBytes = link.utf8
    let keyBytes = key.utf8
    guard keyBytes.starts(with: linkBytes) else { return false }
    guard self == .segment, let last = linkBytes.last,
      let next = keyBytes.dropFirst(linkBytes.count).first
    else { return true }
    if linkBytes.contains(UInt8(ascii: "?")) {
      return next == UInt8(ascii: "&") || last == UInt8(ascii: "&") || last == UInt8(ascii: "?")
    }
    return next == UInt8(ascii: "/") || next == UInt8(ascii: "?") || last == UInt8(ascii: "/")
  }
}
