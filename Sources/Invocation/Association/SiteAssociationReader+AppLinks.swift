// `applinks`: the URLs that open an installed app.

extension SiteAssociationReader {
  private static let ruleKeys = [
    "/", "?", "#", "exclude", "caseSensitive", "percentEncoded", "comment",
  ]

  mutating func appLinks(_ node: DocumentNode) -> SiteAssociation.AppLinks? {
    guard case .mapping = node.value else {
      wrongType(node, "“applinks”", "an object such as { \"details\": […] }")
      return nil
    }
    let fields = fields(
      of: node, named: "“applinks”",
      known: ["apps", "details", "defaults", "substitutionVariables"],
      dead: ["paths", "components", "appIDs", "appID"])
    if let apps = fields["apps"] { checkLegacyApps(apps) }
    let links = SiteAssociation.AppLinks(
      defaults: fields["defaults"].map { defaults($0) } ?? .init(),
      substitutionVariables: fields["substitutionVariables"].map { variables($0) } ?? [:],
      details: fields["details"].map { details($0) } ?? [], position: node.position)
    checkRules(of: links)
    return links
  }

  /// What only shows when rules are seen together with defaults and variables.
  private mutating func checkRules(of links: SiteAssociation.AppLinks) {
    for detail in links.details {
      var last: SiteAssociation.LinkRule?
      for rule in detail.rules where !isFull {
        let compiled = CompiledLinkRule(
          rule.completed(by: detail.defaults).completed(by: links.defaults))
        for name in Set(compiled.variableNames).sorted()
        where links.substitutionVariables[name] == nil
          && PredefinedVariables.values(of: name) == nil
        {
          report(
            .applinksUnknownVariable, .warning, at: rule.position,
            "No variable has the name \(name.quotedForMessage), in this case, so the rule fits "
              + "nothing; define it in “substitutionVariables”.")
        }
        if let last {
          report(
            .applinksUnreachableRule, .warning, at: rule.position,
            "The rule is never reached: \(last.name) before it, in line \(last.position.line), fits "
              + "every URL. The first rule that fits decides; put that one last.")
          break
        }
        if compiled.fitsEverything { last = rule }
      }
    }
  }

  /// Up to iOS 12 `applinks` had to have an empty list `apps`.
  private mutating func checkLegacyApps(_ node: DocumentNode) {
    if case .list(let items) = node.value, items.isEmpty { return }
    report(
      .associationDeadKey, .warning, at: node.position,
      "“apps” means nothing in “applinks”, where up to iOS 12 it had to be an empty list; name the "
        + "apps in “details”.")
  }

  // MARK: Details

  private mutating func details(_ node: DocumentNode) -> [SiteAssociation.Detail] {
    switch node.value {
    case .list(let items): return items.compactMap { detail($0, of: nil) }
    case .mapping(let entries):
      report(
        .associationLegacyForm, .note, at: node.position,
        "“details” is an object here, the form of iOS 9; write a list of entries with “appIDs”.")
      return entries.compactMap { entry in
        checkForm(of: entry.key, at: entry.position)
        return detail(entry.value, of: entry.key)
      }
    default:
      wrongType(node, "“details”", "a list of entries with “appIDs” and “components”")
      return []
    }
  }

  /// One entry.
  ///
  /// - Parameter key: The application identifier that the older form has as its key.
  private mutating func detail(_ node: DocumentNode, of key: String?) -> SiteAssociation.Detail? {
    guard case .mapping = node.value else {
      wrongType(node, "An entry of “details”", "an object with “appIDs” and “components”")
      return nil
    }
    let fields = fields(
      of: node, named: "an entry of “details”",
      known: (key == nil ? ["appID", "appIDs"] : []) + ["components", "defaults", "paths"])
    return SiteAssociation.Detail(
      appIDs: key.map { [$0] } ?? appIDs(fields, in: node),
      defaults: fields["defaults"].map { defaults($0) } ?? .init(),
      rules: rules(fields, in: node), position: node.position)
  }

  /// `appIDs` where it is, else `appID`: Apple's `swcutil` ignores the one beside the other.
  private mutating func appIDs(
    _ fields: [String: DocumentNode], in node: DocumentNode
  ) -> [String] {
    let single = fields["appID"].flatMap { text($0, "“appID”") }
    guard let list = fields["appIDs"] else {
      guard let single, let place = fields["appID"]?.position else {
        report(
          .applinksNoApp, .warning, at: node.position,
          "The entry names no app and is not looked at; add “appIDs”.")
        return []
      }
      checkForm(of: single, at: place)
      return [single]
    }
    let apps = identifiers(list, "“appIDs”").map(\.identifier)
    if let place = fields["appID"]?.position {
      let isListed = single.map(apps.contains) ?? false
      report(
        .applinksBothIdentifiers, isListed ? .note : .warning, at: place,
        "“appID” is not looked at beside “appIDs”, except up to iOS 12"
          + (isListed ? "." : "; list the app in “appIDs”."))
    }
    if apps.isEmpty {
      report(
        .applinksNoApp, .warning, at: list.position,
        "The entry names no app and is not looked at; list identifiers in “appIDs”.")
    }
    return apps
  }

  // MARK: Rules

  /// `components` where it is, else `paths`: iOS 13 and later ignore the one beside the other
  /// (WWDC19, session 717).
  private mutating func rules(
    _ fields: [String: DocumentNode], in node: DocumentNode
  ) -> [SiteAssociation.LinkRule] {
    if let components = fields["components"] {
      if let paths = fields["paths"] {
        report(
          .applinksBothRules, .note, at: paths.position,
          "“paths” is not looked at beside “components”, except up to iOS 12.")
      }
      guard case .list(let items) = components.value else {
        wrongType(components, "“components”", "a list of objects such as { \"/\": \"/menu/*\" }")
        return []
      }
      return items.enumerated().compactMap { index, item in
        guard case .mapping = item.value else {
          wrongType(item, "An item of “components”", "an object such as { \"/\": \"/menu/*\" }")
          return nil
        }
        return rule(item, origin: .component(index), named: "an item of “components”")
      }
    }
    if let paths = fields["paths"] { return legacyPaths(paths) }
    report(
      .applinksNoRules, .warning, at: node.position,
      "The entry has no rules, so it opens no URL; add “components”.")
    return []
  }

  private mutating func legacyPaths(_ node: DocumentNode) -> [SiteAssociation.LinkRule] {
    guard case .list(let items) = node.value else {
      wrongType(node, "“paths”", "a list of patterns such as \"/menu/*\"")
      return []
    }
    report(
      .associationLegacyForm, .note, at: node.position,
      "“paths” is the form before iOS 13, and is still read; “components” can do more.")
    return items.enumerated().compactMap { index, item in
      guard let path = text(item, "An item of “paths”") else { return nil }
      let excludes = path.hasPrefix("NOT ")
      let pattern = excludes ? String(path.dropFirst(4).drop { $0 == " " }) : path
      return SiteAssociation.LinkRule(
        origin: .path(index), path: pattern, exclude: excludes, position: item.position)
    }
  }

  /// Pattern keys are not documented for `defaults`, and were observed to hold there.
  private mutating func defaults(_ node: DocumentNode) -> SiteAssociation.LinkRule {
    guard case .mapping(let entries) = node.value else {
      wrongType(node, "“defaults”", "an object such as { \"caseSensitive\": false }")
      return .init()
    }
    let documented = ["caseSensitive", "percentEncoded", "comment"]
    for entry in entries where Self.ruleKeys.contains(entry.key) && !documented.contains(entry.key)
    {
      report(
        .applinksPatternInDefaults, .warning, at: entry.position,
        "“\(entry.key)” in “defaults” is not documented; it was observed to hold for every rule "
          + "without its own. Write it into the rules.")
    }
    return rule(node, origin: .defaults, named: "“defaults”")
  }

  private mutating func rule(
    _ node: DocumentNode, origin: SiteAssociation.LinkRule.Origin, named name: String
  ) -> SiteAssociation.LinkRule {
    let fields = fields(of: node, named: name, known: Self.ruleKeys)
    return SiteAssociation.LinkRule(
      origin: origin, path: fields["/"].flatMap { text($0, "“/”") },
      query: fields["?"].flatMap { query($0) },
      fragment: fields["#"].flatMap { text($0, "“#”") },
      exclude: fields["exclude"].flatMap { flag($0, "“exclude”") },
      caseSensitive: fields["caseSensitive"].flatMap { flag($0, "“caseSensitive”") },
      percentEncoded: fields["percentEncoded"].flatMap { flag($0, "“percentEncoded”") },
      comment: fields["comment"].flatMap { text($0, "“comment”") }, position: node.position)
  }

  private mutating func query(_ node: DocumentNode) -> SiteAssociation.LinkRule.Query? {
    switch node.value {
    case .text(let pattern): return .whole(pattern)
    case .mapping(let entries):
      // As in `fields`, the last of several values counts.
      var patterns: [String: String] = [:]
      var names: [String] = []
      for entry in entries {
        guard case .text(let pattern) = entry.value.value else {
          report(
            .applinksQueryIgnored, .error, at: entry.value.position,
            "The pattern of \(entry.key.quotedForMessage) is \(entry.value.kind), not a text, so "
              + "the whole “?” is not looked at and any query fits; put it in double quotes.")
          return .unreadable
        }
        if patterns.updateValue(pattern, forKey: entry.key) == nil { names.append(entry.key) }
      }
      return .items(names.map { .init(name: $0, pattern: patterns[$0] ?? "") })
    default:
      wrongType(node, "“?”", "a text, or an object of texts by item name")
      return nil
    }
  }

  // MARK: Variables

  private mutating func variables(_ node: DocumentNode) -> [String: [String]] {
    guard case .mapping(let entries) = node.value else {
      wrongType(node, "“substitutionVariables”", "an object of lists by name")
      return [:]
    }
    var variables: [String: [String]] = [:]
    for entry in entries {
      if entry.key.contains(where: { "$()".contains($0) }) || entry.key.isEmpty {
        report(
          .applinksVariable, .warning, at: entry.position,
          "The name \(entry.key.quotedForMessage) cannot be used; a variable's name is not empty "
            + "and holds no $, ( and ).")
      }
      guard case .list(let items) = entry.value.value else {
        wrongType(
          entry.value, "The variable \(entry.key.quotedForMessage)", "a list of texts")
        continue
      }
      variables[entry.key] = items.compactMap { value($0, of: entry.key) }
    }
    return variables
  }

  private mutating func value(_ node: DocumentNode, of name: String) -> String? {
    guard let value = text(node, "A value of the variable \(name.quotedForMessage)") else {
      return nil
    }
    if value.contains("$(") {
      report(
        .applinksVariable, .warning, at: node.position,
        "The value \(value.quotedForMessage) holds a variable, which is not replaced in values.")
    }
    return value
  }
}
