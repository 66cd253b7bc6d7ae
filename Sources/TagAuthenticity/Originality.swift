/// What a tag's originality signature says.
public enum Originality: Hashable, Sendable {
  /// The maker signed this UID. A chip that copies UID and signature of a genuine one passes all the
  /// same; only tags that compute (NTAG 424 DNA) can be told from copies.
  case genuine
  /// The signature is not one of the maker for this UID.
  case notGenuine
  /// Nothing can be said, for the reason given as a clause.
  case notCheckable(reason: String)

  /// The stable name in machine-readable output: `genuine`, `not-genuine` or `not-checkable`.
  public var name: String {
    switch self {
    case .genuine: "genuine"
    case .notGenuine: "not-genuine"
    case .notCheckable: "not-checkable"
    }
  }

  /// Why nothing can be said; `nil` when something was.
  public var reason: String? {
    if case .notCheckable(let reason) = self { reason } else { nil }
  }
}
