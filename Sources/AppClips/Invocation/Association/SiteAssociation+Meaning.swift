// The differences in meaning between two association files, regardless of their bytes.

extension SiteAssociation {
  /// The differences from another file, service by service in the order of ``Service``: the
  /// identifiers that only one of the two lists, and whether their rules differ.
  package func differences(from other: SiteAssociation) -> [Difference] {
    Service.allCases.compactMap { service in
      let (own, others) = (identifiers(of: service), other.identifiers(of: service))
      let difference = Difference(
        service: service, added: own.subtracting(others).sorted(),
        missing: others.subtracting(own).sorted(),
        hasOtherRules: service == .appLinks && rulesByApp != other.rulesByApp)
      return difference.isEmpty ? nil : difference
    }
  }

  /// The difference between two files in one service.
  package struct Difference: Hashable, Sendable {
    /// The service.
    package let service: Service
    /// The identifiers that this file lists and the other does not.
    package let added: [String]
    /// The identifiers that the other file lists and this one does not.
    package let missing: [String]
    /// Whether the rules of an app differ.
    package let hasOtherRules: Bool

    fileprivate var isEmpty: Bool { added.isEmpty && missing.isEmpty && !hasOtherRules }
  }

  private func identifiers(of service: Service) -> Set<String> {
    switch service {
    case .appLinks: Set(appLinks?.details.filter { !$0.rules.isEmpty }.flatMap(\.appIDs) ?? [])
    case .appClips: Set(appClips?.apps.map(\.identifier) ?? [])
    case .webCredentials: Set(webCredentials?.apps.map(\.identifier) ?? [])
    case .activityContinuation: Set(activityContinuation?.apps.map(\.identifier) ?? [])
    }
  }

  /// The rules of each app in order, with the defaults applied and without comments, and the values
  /// of the variables that they name.
  private var rulesByApp: [String: [Rule]] {
    var rules: [String: [Rule]] = [:]
    for detail in appLinks?.details ?? [] {
      let own = detail.rules.map { rule in
        Rule(
          rule.completed(by: detail.defaults).completed(by: appLinks?.defaults ?? .init()),
          variables: appLinks?.substitutionVariables ?? [:])
      }
      for app in detail.appIDs where !own.isEmpty { rules[app, default: []] += own }
    }
    return rules
  }

  private struct Rule: Hashable {
    let rule: LinkRule
    let variables: [String: [String]]

    init(_ rule: LinkRule, variables: [String: [String]]) {
      let names = Set(CompiledLinkRule(rule).variableNames)
      self.variables = variables.filter { names.contains($0.key) }
      self.rule = LinkRule(
        path: rule.path, query: rule.query?.sorted, fragment: rule.fragment,
        exclude: rule.exclude ?? false, caseSensitive: rule.caseSensitive ?? true,
        percentEncoded: rule.percentEncoded ?? true)
    }
  }
}

extension SiteAssociation.LinkRule.Query {
  /// The query with its items sorted by name.
  fileprivate var sorted: Self {
    guard case .items(let items) = self else { return self }
    return .items(items.sorted { $0.name < $1.name })
  }
}
