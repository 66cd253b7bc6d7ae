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

extension SiteAssociation.LinkRule.Query {
  fileprivate var whole: String? {
    if case .whole(let pattern) = self { pattern } else { nil }
  }

  fileprivate func pattern(of name: String) -> String? {
    guard case .items(let items) = self else { return nil }
    return items.first { $0.name == name }?.pattern
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

/// The parts of a URL as rules compare them, made when they are first needed.
struct LinkTexts {
  /// How a rule looks at a URL.
  struct View: Hashable {
    /// Case does not matter.
    let isFolded: Bool
    /// Percent escapes are decoded.
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

  /// The patterns' counterpart of a part.
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

  /// The same for the value of each query item of a name; of one empty value where there is none.
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

  /// The parts as they are written, only with characters beyond ASCII as escapes, which is what a
  /// phone makes of them.
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
