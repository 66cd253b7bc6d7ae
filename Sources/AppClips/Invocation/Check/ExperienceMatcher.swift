/// The rule by which a registered link is a prefix of an invocation URL.
///
/// Apple says "prefix" and gives only examples of whole path segments; it is not published whether
/// `/location1` covers `/location10`. Both rules are implemented, ``segment`` is the default, and a
/// URL on which they disagree is reported as ambiguous.
public enum PrefixEngine: String, Hashable, Sendable, CaseIterable {
  /// Any prefix of the text.
  case string
  /// A prefix that ends where a path segment or a query item ends.
  case segment

  /// The other rule.
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

/// Chooses among the experiences of one host.
///
/// The longest link that covers the URL wins; only active experiences take part (App Store
/// Connect's status `RECEIVED`).
struct ExperienceMatcher {
  /// An experience with its link's matching key, which is used repeatedly.
  private struct Candidate {
    let experience: AdvancedExperience
    let key: String

    init(_ experience: AdvancedExperience) {
      self.experience = experience
      self.key = experience.link.matchingKey
    }
  }

  let key: String
  let engine: PrefixEngine
  private let active: [Candidate]
  private let inactive: [Candidate]
  /// The active candidate that covers the URL.
  private let first: Candidate?

  /// - Parameter candidates: The experiences that the directory has near the URL.
  init(key: String, engine: PrefixEngine, candidates: [AdvancedExperience]) {
    self.key = key
    self.engine = engine
    // The order is fixed, so that the same registry always gives the same answer.
    let sorted = candidates.sorted {
      ($0.link.normalized, $0.clip) < ($1.link.normalized, $1.clip)
    }
    let active = sorted.filter { $0.status == .received }.map(Candidate.init)
    self.active = active
    self.inactive = sorted.filter { $0.status != .received }.map(Candidate.init)
    self.first = Self.longest(active) { engine.covers(link: $0, key: key) }
  }

  /// The active experience that covers the URL.
  var winner: AdvancedExperience? { first?.experience }

  /// The experience that the other engine chooses, if it chooses another link.
  ///
  /// The outer optional states whether the engines disagree, the inner one the other engine's
  /// choice.
  var disagreement: AdvancedExperience?? {
    let other = Self.longest(active) { engine.other.covers(link: $0, key: key) }
    return other?.key == first?.key ? nil : .some(other?.experience)
  }

  /// The other active experiences with the winner's link.
  var rivals: [AdvancedExperience] {
    guard let first else { return [] }
    return active.filter { $0.key == first.key }.dropFirst().map(\.experience)
  }

  /// Whether another clip has an active experience with the winner's link.
  var hasForeignRival: Bool { rivals.contains { $0.clip != first?.experience.clip } }

  /// An inactive experience whose link covers the URL more closely than the winner's.
  var inactiveWinner: AdvancedExperience? {
    Self.longest(inactive, over: first) { engine.covers(link: $0, key: key) }?.experience
  }

  /// An active experience that would win if only the case of its link or of the URL changed.
  var caseMismatch: AdvancedExperience? {
    let folded = key.lowercased()
    return Self.longest(active, over: first) {
      !engine.covers(link: $0, key: key) && engine.covers(link: $0.lowercased(), key: folded)
    }?.experience
  }

  /// An active experience that would win if a slash were added to or removed from the end of the
  /// path.
  var slashMismatch: AdvancedExperience? {
    let toggled = InvocationURL.togglingTrailingSlash(of: key)
    return Self.longest(active) {
      !engine.covers(link: $0, key: key) && engine.covers(link: $0, key: toggled)
    }?.experience
  }

  /// The first candidate with the longest link, which must be longer than `other`'s.
  private static func longest(
    _ candidates: [Candidate], over other: Candidate? = nil, where covers: (String) -> Bool
  ) -> Candidate? {
    var best: Candidate?
    var length = other?.key.utf8.count ?? 0
    for candidate in candidates where candidate.key.utf8.count > length && covers(candidate.key) {
      best = candidate
      length = candidate.key.utf8.count
    }
    return best
  }
}
