/// Whether an installed app opens a URL, and which rule says so.
public struct AppLinkDecision: Hashable, Sendable {
  /// How it ends.
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// A rule fits: the app opens the URL.
    case matched
    /// A rule fits that excludes: the app does not open the URL.
    case excluded
    /// No rule of the app fits.
    case noRule = "no-rule"
    /// No entry of `details` names the app.
    case notListed = "not-listed"
    /// The file speaks for another host.
    case foreignHost = "foreign-host"
    /// The patterns would take too long to compare.
    case undecided
  }

  /// A rule that was tried before, and did not fit.
  public struct Trial: Hashable, Sendable {
    /// Index of the entry in `details`, from 0.
    public let detail: Int
    /// The rule, completed by the defaults.
    public let rule: SiteAssociation.LinkRule
    /// What of the URL did not fit.
    public let mismatch: Mismatch
  }

  /// The part of a URL that does not fit a rule.
  public enum Mismatch: Hashable, Sendable {
    /// The path.
    case path
    /// The query as a whole.
    case query
    /// The query item of this name, or one of several of it.
    case queryItem(String)
    /// The fragment.
    case fragment
  }

  /// How it ends.
  public let outcome: Outcome
  /// Index in `details` of the entry that decided, from 0.
  public let detail: Int?
  /// The rule that decided, completed by the defaults.
  public let rule: SiteAssociation.LinkRule?
  /// The rules that were tried before it, in order.
  public let trials: [Trial]

  /// Whether the app opens the URL.
  public var opensApp: Bool { outcome == .matched }

  /// The decision and its reason, in one sentence.
  public var explanation: String {
    let place = rule.map { rule in
      "\(rule.name) of details[\(detail ?? 0)] (line \(rule.position.line))"
    }
    switch outcome {
    case .matched:
      return "The app opens the URL: \(place ?? "") fits."
    case .excluded:
      return "The app does not open the URL: \(place ?? "") fits, and excludes it."
    case .noRule:
      let count = trials.count == 1 ? "1 rule" : "\(trials.count) rules"
      return "The app does not open the URL: none of its \(count) fits."
    case .notListed:
      return "The app does not open the URL: no entry of “details” names it."
    case .foreignHost:
      return "The app does not open the URL: the file speaks for another host."
    case .undecided:
      return "Whether the app opens the URL was not found out: \(place ?? "a rule") is too long to "
        + "compare."
    }
  }
}

extension AppLinkDecision.Trial {
  /// What did not fit, in one sentence.
  public var explanation: String {
    let what =
      switch mismatch {
      case .path: "path does not fit \((rule.path ?? "*").quotedForMessage)"
      case .query: "query does not fit \((rule.query?.whole ?? "*").quotedForMessage)"
      case .queryItem(let name):
        "query item \(name.quotedForMessage) does not fit "
          + (rule.query?.pattern(of: name) ?? "*").quotedForMessage
      case .fragment: "fragment does not fit \((rule.fragment ?? "*").quotedForMessage)"
      }
    return "\(rule.name) of details[\(detail)] (line \(rule.position.line)): the URL's \(what)."
  }
}

extension SiteAssociation.LinkRule {
  /// The rule as a path into the file: `components[2]`.
  public var name: String {
    switch origin {
    case .component(let index): "components[\(index)]"
    case .path(let index): "paths[\(index)]"
    case .defaults: "defaults"
    }
  }
}

extension SiteAssociation.LinkRule.Query {
  fileprivate var whole: String? {
    if case .whole(let pattern) = self { pattern } else { nil }
  }

  fileprivate func pattern(of name: String) -> String? {
    guard case .items(let items) = self else { return nil }
    return items.first { $0.name == name }?.pattern
  }
}
