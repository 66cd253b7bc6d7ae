/// Decides which URLs of a host an installed app opens, from the `applinks` of the host's
/// association file.
///
/// Documented (Apple, "applinks"): entries and rules are tried in order, and the first rule that
/// matches decides; all parts that a rule names must match; a part that is not named matches;
/// missing values of a rule are taken from the defaults of its entry, then from those of the
/// service; matching is case-sensitive and uses URLs as written unless a rule says otherwise.
///
/// Observed by others in Apple's `swcutil` and followed here: the treatment of slashes (see
/// `LinkPattern`); an item missing from the query has the empty value, and all items with the same
/// name must match; a query dictionary with a value that is not text matches any query; without
/// `percentEncoded` the URL is decoded, and the pattern is not.
///
/// Assumed: an unknown variable matches nothing, an own variable hides a predefined one, and
/// defaults apply to `paths` too.
public struct AppLinkMatcher: Sendable {
  /// The host that serves the file, an A-label in lower case.
  public let host: String
  private let details: [Detail]
  private let variables: [String: [LinkPattern]]
  private let foldedVariables: [String: [LinkPattern]]

  /// The maximum number of steps for one decision. The longest URL and a rule of a thousand
  /// characters need at most two million.
  static let maximumSteps = 4_000_000

  private struct Detail {
    let apps: Set<String>
    let rules: [CompiledLinkRule]
  }

  /// Makes a matcher.
  ///
  /// - Parameters:
  ///   - links: The `applinks` of the file.
  ///   - host: The host that serves it, an A-label in lower case.
  public init(_ links: SiteAssociation.AppLinks, host: String) {
    self.host = host
    details = links.details.map { detail in
      Detail(
        apps: Set(detail.appIDs),
        rules: detail.rules.map {
          CompiledLinkRule(
            $0.completed(by: detail.defaults).completed(by: links.defaults))
        })
    }
    var variables: [String: [LinkPattern]] = [:]
    for name in Set(details.flatMap(\.rules).flatMap(\.variableNames)) {
      let values = links.substitutionVariables[name] ?? PredefinedVariables.values(of: name)
      variables[name] = values?.map { LinkPattern($0, variables: false) }
    }
    self.variables = variables
    foldedVariables = variables.mapValues { $0.map(\.folded) }
  }

  /// Decides about a URL.
  ///
  /// - Parameters:
  ///   - url: The URL that is opened.
  ///   - app: The application identifier of the installed app.
  public func decision(for url: InvocationURL, app: String) -> AppLinkDecision {
    guard url.host == host else { return ending(.foreignHost) }
    let own = details.indices.filter { details[$0].apps.contains(app) }
    guard !own.isEmpty else { return ending(.notListed) }
    var texts = LinkTexts(url, variables: variables, foldedVariables: foldedVariables)
    var budget = Self.maximumSteps
    var trials: [AppLinkDecision.Trial] = []
    for index in own {
      for rule in details[index].rules {
        let mismatch = rule.mismatch(with: &texts, budget: &budget)
        if budget < 0 {
          return AppLinkDecision(
            outcome: .undecided, detail: index, rule: rule.rule, trials: trials)
        }
        guard let mismatch else {
          return AppLinkDecision(
            outcome: rule.rule.exclude == true ? .excluded : .matched, detail: index,
            rule: rule.rule, trials: trials)
        }
        trials.append(.init(detail: index, rule: rule.rule, mismatch: mismatch))
      }
    }
    return ending(.noRule, after: trials)
  }

  private func ending(
    _ outcome: AppLinkDecision.Outcome, after trials: [AppLinkDecision.Trial] = []
  ) -> AppLinkDecision {
    AppLinkDecision(outcome: outcome, detail: nil, rule: nil, trials: trials)
  }
}

/// The decision whether an installed app opens a URL, with the rule that decided.
public struct AppLinkDecision: Hashable, Sendable {
  /// The outcome of a decision.
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// A rule matches: the app opens the URL.
    case matched
    /// A rule with `exclude` matches: the app does not open the URL.
    case excluded
    /// No rule of the app matches.
    case noRule = "no-rule"
    /// No entry of `details` names the app.
    case notListed = "not-listed"
    /// The file belongs to another host.
    case foreignHost = "foreign-host"
    /// The patterns would take too long to compare.
    case undecided
  }

  /// A rule that was tried before, and did not match.
  public struct Trial: Hashable, Sendable {
    /// Index of the entry in `details`, from 0.
    public let detail: Int
    /// The rule, completed by the defaults.
    public let rule: SiteAssociation.LinkRule
    /// The part of the URL that did not match.
    public let mismatch: Mismatch

    /// The mismatch, in one sentence.
    public var explanation: String {
      let what =
        switch mismatch {
        case .path: "path does not match \((rule.path ?? "*").quotedForMessage)"
        case .query: "query does not match \((rule.query?.whole ?? "*").quotedForMessage)"
        case .queryItem(let name):
          "query item \(name.quotedForMessage) does not match "
            + (rule.query?.pattern(of: name) ?? "*").quotedForMessage
        case .fragment: "fragment does not match \((rule.fragment ?? "*").quotedForMessage)"
        }
      return "\(rule.name) of details[\(detail)] (line \(rule.position.line)): the URL's \(what)."
    }
  }

  /// The part of a URL that does not match a rule.
  public enum Mismatch: Hashable, Sendable {
    /// The path.
    case path
    /// The query as a whole.
    case query
    /// The query item of this name, or one of several with it.
    case queryItem(String)
    /// The fragment.
    case fragment
  }

  /// The outcome.
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
      return "The app opens the URL: \(place ?? "") matches."
    case .excluded:
      return "The app does not open the URL: \(place ?? "") matches and excludes it."
    case .noRule:
      let count = trials.count == 1 ? "1 rule" : "\(trials.count) rules"
      return "The app does not open the URL: none of its \(count) matches."
    case .notListed:
      return "The app does not open the URL: no entry of “details” names it."
    case .foreignHost:
      return "The app does not open the URL: the file belongs to another host."
    case .undecided:
      return "The decision of the app's link rules is unknown: \(place ?? "a rule") is too long to "
        + "compare."
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

/// A rule with its defaults applied and its patterns parsed.
struct CompiledLinkRule {
  let rule: SiteAssociation.LinkRule
  private let view: LinkTexts.View
  private let path: [LinkPattern]?
  private let query: LinkPattern?
  private let items: [(name: String, pattern: LinkPattern)]
  private let fragment: LinkPattern?

  /// - Parameter rule: The rule, completed by the defaults.
  init(_ rule: SiteAssociation.LinkRule) {
    self.rule = rule
    let view = LinkTexts.View(
      isFolded: rule.caseSensitive == false, isDecoded: rule.percentEncoded == false)
    func pattern(_ text: String) -> LinkPattern {
      view.isFolded ? LinkPattern(text).folded : LinkPattern(text)
    }
    self.view = view
    path = rule.path.map { pattern($0).pathForms }
    fragment = rule.fragment.map(pattern)
    switch rule.query {
    case .whole(let text): (query, items) = (pattern(text), [])
    case .items(let rules): (query, items) = (nil, rules.map { ($0.name, pattern($0.pattern)) })
    case .unreadable, nil: (query, items) = (nil, [])
    }
  }

  var variableNames: [String] {
    ((path ?? []) + [query, fragment].compactMap(\.self) + items.map(\.pattern))
      .flatMap(\.variableNames)
  }

  /// Whether the rule matches every URL.
  var fitsEverything: Bool {
    (path?.contains { $0.fitsEverything || $0.parentLength == 0 } ?? true)
      && (query?.fitsEverything ?? true) && items.allSatisfy(\.pattern.fitsEverything)
      && (fragment?.fitsEverything ?? true)
  }

  /// The first part of a URL that does not match, or `nil` if the rule matches.
  func mismatch(with texts: inout LinkTexts, budget: inout Int) -> AppLinkDecision.Mismatch? {
    if let path {
      let run = texts.run(over: .path, view)
      let fits = path.contains { run.fits($0, parentFits: true, budget: &budget) }
      if !fits { return .path }
    }
    if let query, !texts.run(over: .query, view).fits(query, budget: &budget) { return .query }
    for item in items {
      let runs = texts.runs(overItems: item.name, view)
      if !runs.allSatisfy({ $0.fits(item.pattern, budget: &budget) }) {
        return .queryItem(item.name)
      }
    }
    if let fragment, !texts.run(over: .fragment, view).fits(fragment, budget: &budget) {
      return .fragment
    }
    return nil
  }
}

/// The parts of a URL in the form that rules compare, created on first use.
struct LinkTexts {
  /// The form in which a rule compares a URL.
  struct View: Hashable {
    /// Whether matching ignores case.
    let isFolded: Bool
    /// Whether percent escapes are decoded.
    let isDecoded: Bool
  }

  enum Part: Hashable {
    case path
    case query
    case fragment
  }

  private struct Key: Hashable {
    let part: Part
    let view: View
  }

  private let parts: [Part: String]
  private let items: [(name: String, value: String)]
  private let variables: [String: [LinkPattern]]
  private let foldedVariables: [String: [LinkPattern]]
  private var runs: [Key: LinkPatternRun] = [:]

  init(
    _ url: InvocationURL, variables: [String: [LinkPattern]],
    foldedVariables: [String: [LinkPattern]]
  ) {
    let written = Self.split(url.payload)
    parts = [.path: written.path, .query: written.query, .fragment: written.fragment]
    items = written.query.isEmpty ? [] : Self.items(of: written.query)
    self.variables = variables
    self.foldedVariables = foldedVariables
  }

  /// The matching run for a part of the URL.
  mutating func run(over part: Part, _ view: View) -> LinkPatternRun {
    let key = Key(part: part, view: view)
    if let run = runs[key] { return run }
    var text = parts[part] ?? ""
    if view.isDecoded { text = PercentEscapes.decode(text) }
    if part == .path { while text.unicodeScalars.last == "/" { text.unicodeScalars.removeLast() } }
    let run = run(over: text, view)
    runs[key] = run
    return run
  }

  /// The matching runs for the value of each query item of a name; for one empty value if there is
  /// none.
  func runs(overItems name: String, _ view: View) -> [LinkPatternRun] {
    let name = compared(name, view.isFolded)
    let values = items.filter { item in
      compared(view.isDecoded ? PercentEscapes.decode(item.name) : item.name, view.isFolded)
        == name
    }.map { view.isDecoded ? PercentEscapes.decode($0.value) : $0.value }
    return (values.isEmpty ? [""] : values).map { run(over: $0, view) }
  }

  private func run(over text: String, _ view: View) -> LinkPatternRun {
    LinkPatternRun(
      compared(text, view.isFolded), variables: view.isFolded ? foldedVariables : variables)
  }

  private func compared(_ text: String, _ isFolded: Bool) -> [Unicode.Scalar] {
    isFolded ? text.unicodeScalars.map(\.caseFolded) : Array(text.unicodeScalars)
  }

  // MARK: Splitting

  /// The parts as written, except that characters beyond ASCII are escaped, as a phone does.
  private static func split(
    _ payload: String
  ) -> (path: String, query: String, fragment: String) {
    let text = payload.utf8
    let behindHost = text.dropFirst("https://".utf8.count).drop { !"/?#".utf8.contains($0) }
    let path = behindHost.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let behindPath = behindHost[path.endIndex...]
    let query = behindPath.prefix { $0 != UInt8(ascii: "#") }
    return (
      escaped(path), escaped(query.dropFirst()), escaped(behindPath[query.endIndex...].dropFirst())
    )
  }

  private static func escaped(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes {
      if byte < 0x80 {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += PercentEscapes.escape(byte)
      }
    }
    return text
  }

  private static func items(of query: String) -> [(name: String, value: String)] {
    query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { item in
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      return (String(Substring(name)), String(Substring(item[name.endIndex...].dropFirst())))
    }
  }
}
