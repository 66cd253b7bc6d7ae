/// An acceptable invocation URL. (Boundary type; the parser is written next.)
public struct InvocationURL: Hashable, Sendable {
  /// The text exactly as decoded or typed.
  public let payload: String
  /// The host as an A-label in lower case.
  public let host: String
  /// The form used for comparison: lower-case scheme and host, normal percent-escapes, `/` for an
  /// empty path, no fragment.
  public let normalized: String

  /// Path and query of ``normalized``, which prefixes are compared against.
  public var matchingKey: String { String(normalized.dropFirst("https://".count + host.count)) }
  /// ``matchingKey`` in lower case: two keys that differ only by case share it.
  public var foldedKey: String { matchingKey.lowercased() }
}
