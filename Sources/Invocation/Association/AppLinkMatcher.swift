/// Decides which URLs of a host an installed app opens, by the `applinks` of the host's association
/// file.
///
/// Documented (Apple, "applinks"): entries and rules are tried in their order, and the first rule
/// that fits decides; all parts that a rule names have to fit; a part that is not named fits; rules
/// take what they leave out from the defaults of their entry, then from those of the service; case
/// matters and URLs are compared as they are written unless a rule says otherwise.
///
/// Observed of Apple's `swcutil` by others and followed here: the treatment of slashes (see
/// `LinkPattern`); an item that is missing from the query has the empty value, and of an item that
/// is there several times each has to fit; a query dictionary with a value that is no text fits any
/// query; without `percentEncoded` the URL is decoded, and the pattern is not.
///
/// Assumed: an unknown variable fits nothing, an own variable hides a predefined one, and defaults
/// hold for `paths` too.
public struct AppLinkMatcher: Sendable {
  /// The host that serves the file, an A-label in lower case.
  public let host: String
  private let details: [Detail]
  private let variables: [String: [LinkPattern]]
  private let foldedVariables: [String: [LinkPattern]]

  /// How many steps one decision may take. The longest URL and a rule of a thousand characters need
  /// at most two million.
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

/// A rule with its defaults put in and its patterns taken apart.
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

  /// Whether every URL fits.
  var fitsEverything: Bool {
    (path?.contains { $0.fitsEverything || $0.parentLength == 0 } ?? true)
      && (query?.fitsEverything ?? true) && items.allSatisfy(\.pattern.fitsEverything)
      && (fragment?.fitsEverything ?? true)
  }

  /// The first part of a URL that does not fit, or `nil` when the rule fits.
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
