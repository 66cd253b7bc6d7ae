import CliptagBasics

extension SiteAssociation {
  /// The result of reading a file, with all faults and doubtful points.
  public struct Reading: Hashable, Sendable {
    /// The contents of the file; `nil` if it cannot be read at all.
    public let association: SiteAssociation?
    /// The findings, in the order of the file.
    public let findings: [AssociationFinding]
  }

  /// The maximum size that iOS reads, in bytes: 128 KB uncompressed (Apple's archived guide to
  /// universal links, since iOS 9.3.1).
  public static let maximumSize = 128 * 1024

  /// The maximum size that is examined here, in bytes. A file over ``maximumSize`` is still read up
  /// to this size, so that other faults are reported.
  package static let maximumReadSize = 1024 * 1024

  /// Reads a file.
  ///
  /// Reading is strict: everything without a meaning in Apple's documentation is reported, with
  /// line and column, and left out. Only a fault of the JSON itself hides the text after it.
  ///
  /// - Parameter bytes: The file as the server sends it, uncompressed.
  public static func read(_ bytes: [UInt8]) -> Reading {
    var reader = SiteAssociationReader()
    let association = reader.text(of: bytes).flatMap { reader.read($0) }
    return Reading(association: association, findings: reader.sortedFindings)
  }

  /// Reads a file's text.
  public static func read(_ text: String) -> Reading { read(Array(text.utf8)) }
}

/// Turns the nodes of an association file into a ``SiteAssociation``, and reports everything
/// without a meaning.
struct SiteAssociationReader {
  private(set) var findings: [AssociationFinding] = []
  /// The application identifiers found in `applinks`.
  private var linkedApps: [SiteAssociation.ListedApp] = []

  /// The maximum number of findings. A file with more is not an association file, and looking for
  /// near misses of so many keys would take long.
  static let maximumFindings = 500

  var isFull: Bool { findings.count >= Self.maximumFindings }

  mutating func report(
    _ code: Finding.Code, _ severity: Finding.Severity, at position: DocumentPosition,
    as domainError: DomainErrorCode? = nil, _ message: @autoclosure () -> String
  ) {
    guard !isFull else { return }
    findings.append(AssociationFinding(code, severity, at: position, as: domainError, message()))
  }

  /// The findings by position; those at one position in the order of their discovery.
  var sortedFindings: [AssociationFinding] {
    findings.enumerated().sorted { left, right in
      let places = (left.element.position, right.element.position)
      guard let first = places.0, let second = places.1, first != second else {
        return left.offset < right.offset
      }
      return first < second
    }.map(\.element)
  }

  // MARK: The text

  /// The file's text without a byte-order mark; `nil` if it cannot be read.
  mutating func text(of bytes: [UInt8]) -> String? {
    guard isOfRightSize(bytes), isUnsigned(bytes), isInOneByteUnits(bytes) else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let valid = String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix { $0 != "\u{FFFD}" }
      let column = valid.reversed().prefix { $0 != "\n" }.count + 1
      report(
        .associationEncoding, .error,
        at: .init(line: valid.count { $0 == "\n" } + 1, column: column),
        as: .badJSONContent, "The file is not UTF-8 from here on; save it as UTF-8.")
      return nil
    }
    guard text.unicodeScalars.first == "\u{FEFF}" else { return text }
    report(
      .associationByteOrderMark, .warning, at: start,
      "The file begins with a byte-order mark, which JSON does not allow (RFC 8259, section 8.1); "
        + "save it as UTF-8 without one.")
    return String(text.unicodeScalars.dropFirst())
  }

  private var start: DocumentPosition { DocumentPosition(line: 1, column: 1) }

  private mutating func isOfRightSize(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > SiteAssociation.maximumSize else { return true }
    report(
      .associationTooLarge, .error, at: start, as: .otherError,
      "The file has \(bytes.count) bytes; the limit is \(SiteAssociation.maximumSize). Use "
        + "wildcards and substitution variables instead of single URLs.")
    return bytes.count <= SiteAssociation.maximumReadSize
  }

  /// Whether the file is unsigned. CMS (RFC 5652) is a DER sequence, 0x30 and a length over 127,
  /// which JSON cannot begin with; as PEM it begins with dashes.
  private mutating func isUnsigned(_ bytes: [UInt8]) -> Bool {
    let isDER = bytes.count > 1 && bytes[0] == 0x30 && bytes[1] & 0x80 != 0
    guard isDER || bytes.starts(with: "-----BEGIN".utf8) else { return true }
    report(
      .associationSigned, .error, at: start, as: .badPKCS7Signature,
      "The file is signed (CMS), as iOS 9 required; its contents and its signature are not "
        + "checked here. Serve the JSON inside it unsigned, over https.")
    return false
  }

  /// Whether no byte is zero: text in UTF-16 or UTF-32 is full of zeros, and JSON contains none.
  private mutating func isInOneByteUnits(_ bytes: [UInt8]) -> Bool {
    let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    guard isWide || bytes.contains(0) else { return true }
    if isWide || bytes.prefix(2).contains(0) {
      report(
        .associationEncoding, .error, at: start, as: .badJSONContent,
        "The file is UTF-16 or UTF-32; save it as UTF-8.")
    } else {
      let before = bytes.prefix { $0 != 0 }
      let line = before.reversed().prefix { $0 != 0x0A }
      report(
        .associationEncoding, .error,
        at: .init(
          line: before.count { $0 == 0x0A } + 1, column: line.count { $0 & 0xC0 != 0x80 } + 1),
        as: .badJSONContent,
        "Zero byte in the text; the file is damaged or not a text file.")
    }
    return false
  }

  // MARK: The root

  private static let services = SiteAssociation.Service.allCases.map(\.rawValue)

  /// Reads the whole file.
  mutating func read(_ text: String) -> SiteAssociation? {
    let reading = JSONSource.read(text)
    for duplicate in reading.duplicates {
      report(
        .associationDuplicateKey, .warning, at: duplicate.position,
        duplicate.message + " Readers differ in the one they use; this check uses the last.")
    }
    guard let root = reading.root else {
      if let fault = reading.fault { reportFault(fault, in: text) }
      return nil
    }
    guard case .mapping = root.value else {
      report(
        .associationNotJSON, .error, at: root.position, as: .badJSONContent,
        "An association file is an object with “applinks”, “appclips” and so on, not \(root.kind).")
      return nil
    }
    let fields = fields(of: root, named: "the file", known: Self.services)
    var association = SiteAssociation()
    association.appLinks = fields["applinks"].flatMap { appLinks($0) }
    association.appClips = fields["appclips"].flatMap { appList($0, of: .appClips) }
    association.webCredentials = fields["webcredentials"].flatMap {
      appList($0, of: .webCredentials)
    }
    association.activityContinuation = fields["activitycontinuation"].flatMap {
      appList($0, of: .activityContinuation)
    }
    for app in association.linkedClips where !isFull { findings.append(.clipInAppLinks(app)) }
    return association
  }

  private mutating func reportFault(_ fault: DocumentProblem, in text: String) {
    let begin = text.drop { $0.isWhitespace }
    let hint =
      begin.isEmpty
      ? " The file is empty."
      : begin.hasPrefix("<") ? " The content is a web page, perhaps the server's error page." : ""
    report(
      .associationNotJSON, .error, at: fault.position, as: .badJSONContent, fault.message + hint)
  }

  // MARK: Lists of apps

  private mutating func appList(
    _ node: DocumentNode, of service: SiteAssociation.Service
  ) -> SiteAssociation.AppList? {
    let name = "“\(service.rawValue)”"
    if service != .appClips, isEmpty(node, name) {
      return SiteAssociation.AppList(apps: [], position: node.position)
    }
    guard case .mapping = node.value else {
      wrongType(node, name, "an object such as { \"apps\": [\"ABCDE12345.com.example.app\"] }")
      return nil
    }
    let fields = fields(
      of: node, named: name, known: ["apps"],
      dead: ["details", "paths", "components", "appIDs", "appID", "defaults"])
    guard let apps = fields["apps"] else {
      if service == .appClips {
        report(
          .associationWrongType, .error, at: node.position, as: .badJSONContent,
          "\(name) has no “apps”, the list of application identifiers; add it.")
      } else {
        reportEmpty(node, name)
      }
      return SiteAssociation.AppList(apps: [], position: node.position)
    }
    return SiteAssociation.AppList(
      apps: identifiers(
        apps, "“apps” of \(name)", withoutPrefix: service == .appClips ? .error : .warning),
      position: node.position)
  }

  /// Whether the value of a service other than `appclips` is empty, which is reported.
  ///
  /// Such objects are in templates that are copied widely, and clips of those hosts are served.
  private mutating func isEmpty(_ node: DocumentNode, _ name: String) -> Bool {
    switch node.value {
    case .mapping(let entries) where entries.isEmpty: break
    case .list(let items) where items.isEmpty: break
    case .nothing: break
    default: return false
    }
    reportEmpty(node, name)
    return true
  }

  private mutating func reportEmpty(_ node: DocumentNode, _ name: String) {
    report(
      .associationEmptyService, .warning, at: node.position,
      "\(name) names no app, so it has no effect; clips are served regardless. Leave it "
        + "out.")
  }

  /// The application identifiers of a list.
  ///
  /// - Parameter severity: The severity of an identifier without a prefix.
  mutating func identifiers(
    _ node: DocumentNode, _ name: String, withoutPrefix severity: Finding.Severity = .warning
  ) -> [SiteAssociation.ListedApp] {
    guard case .list(let items) = node.value else {
      wrongType(node, name, "a list of application identifiers, in square brackets")
      return []
    }
    var apps: [SiteAssociation.ListedApp] = []
    var lines: [String: Int] = [:]
    for item in items {
      guard let identifier = text(item, "An item of \(name)") else { continue }
      checkForm(of: identifier, at: item.position, withoutPrefix: severity)
      if let line = lines.updateValue(item.position.line, forKey: identifier) {
        report(
          .associationRepeatedIdentifier, .note, at: item.position,
          "\(identifier.quotedForMessage) is already listed in line \(line); remove one.")
      }
      apps.append(.init(identifier: identifier, position: item.position))
    }
    return apps
  }

  /// Checks the form `<application identifier prefix>.<bundle identifier>`.
  mutating func checkForm(
    of identifier: String, at position: DocumentPosition,
    withoutPrefix severity: Finding.Severity = .warning
  ) {
    let app = SiteAssociation.ListedApp(identifier: identifier, position: position)
    let shown = identifier.quotedForMessage
    let example = "such as ABCDE12345.com.example.app.Clip"
    if AppClip.problem(withTeam: app.prefix) == nil {
      guard AppClip.problem(withBundleID: app.bundleID) != nil else { return }
      report(
        .associationIdentifierForm, .error, at: position,
        "\(shown) has no bundle identifier after the prefix; write prefix, dot and bundle "
          + "identifier, \(example).")
    } else if AppClip.problem(withBundleID: identifier) == nil {
      report(
        .associationIdentifierForm, severity, at: position,
        as: severity == .error ? .invalidEntitlementUnknownID : nil,
        "\(shown) does not begin with an application identifier prefix: ten capital "
          + "letters and digits, usually the team identifier; add it in front, \(example).")
    } else {
      report(
        .associationIdentifierForm, .error, at: position,
        "\(shown) is not an application identifier; write prefix, dot and bundle identifier, "
          + "\(example).")
    }
  }

  // MARK: `applinks`: the URLs that open an installed app

  private static let ruleKeys = [
    "/", "?", "#", "exclude", "caseSensitive", "percentEncoded", "comment",
  ]

  mutating func appLinks(_ node: DocumentNode) -> SiteAssociation.AppLinks? {
    if isEmpty(node, "“applinks”") { return SiteAssociation.AppLinks(position: node.position) }
    guard case .mapping = node.value else {
      wrongType(node, "“applinks”", "an object such as { \"details\": […] }")
      return nil
    }
    let fields = fields(
      of: node, named: "“applinks”",
      known: ["apps", "details", "defaults", "substitutionVariables"],
      dead: ["paths", "components", "appIDs", "appID"])
    if let apps = fields["apps"] { checkLegacyApps(apps) }
    let details = fields["details"].map { self.details($0) } ?? []
    let links = SiteAssociation.AppLinks(
      defaults: fields["defaults"].map { defaults($0) } ?? .init(),
      substitutionVariables: fields["substitutionVariables"].map { variables($0) } ?? [:],
      details: details, apps: linkedApps, position: node.position)
    checkRules(of: links)
    return links
  }

  /// Reports faults that depend on rules together with defaults and variables.
  private mutating func checkRules(of links: SiteAssociation.AppLinks) {
    for detail in links.details {
      var last: SiteAssociation.LinkRule?
      for rule in detail.rules where !isFull {
        if let pattern = rule.patterns.first(where: \.opensVariable) {
          report(
            .applinksVariable, .warning, at: rule.position,
            "The pattern \(pattern.quotedForMessage) has a “$(” without a “)”, so "
              + "the rule matches only these literal characters; add the “)”.")
        }
        let compiled = CompiledLinkRule(
          rule.completed(by: detail.defaults).completed(by: links.defaults))
        for name in Set(compiled.variableNames).sorted()
        where links.substitutionVariables[name] == nil
          && PredefinedVariables.values(of: name) == nil
        {
          report(
            .applinksUnknownVariable, .warning, at: rule.position,
            "No variable is named \(name.quotedForMessage) (case-sensitive), so the rule matches "
              + "no URL; define it in “substitutionVariables”.")
        }
        if let last {
          report(
            .applinksUnreachableRule, .warning, at: rule.position,
            "The rule is never reached: \(last.name) before it, in line \(last.position.line), matches "
              + "every URL. The first matching rule decides; move that one to the end.")
          break
        }
        if compiled.fitsEverything { last = rule }
      }
    }
  }

  /// Reports `apps` of `applinks`, which had to be an empty list up to iOS 12.
  private mutating func checkLegacyApps(_ node: DocumentNode) {
    if case .list(let items) = node.value {
      if items.isEmpty { return }
      for item in items {
        guard case .text(let identifier) = item.value else { continue }
        linkedApps.append(.init(identifier: identifier, position: item.position))
      }
    }
    report(
      .associationDeadKey, .warning, at: node.position,
      "“apps” is ignored in “applinks” (up to iOS 12 an empty list was required); list the "
        + "apps in “details”.")
  }

  // MARK: Details

  private mutating func details(_ node: DocumentNode) -> [SiteAssociation.Detail] {
    switch node.value {
    case .list(let items):
      if items.isEmpty {
        report(
          .applinksNoRules, .warning, at: node.position,
          "“details” is empty, so the host's links open no app; list the apps with their rules, or "
            + "leave “applinks” out.")
      }
      return items.compactMap { detail($0, of: nil) }
    case .mapping(let entries):
      report(
        .associationLegacyForm, .note, at: node.position,
        "“details” is an object here, the form of iOS 9; write a list of entries with “appIDs”.")
      return entries.compactMap { entry in
        checkForm(of: entry.key, at: entry.position)
        linkedApps.append(.init(identifier: entry.key, position: entry.position))
        return detail(entry.value, of: entry.key)
      }
    default:
      wrongType(node, "“details”", "a list of entries with “appIDs” and “components”")
      return []
    }
  }

  /// Reads one entry.
  ///
  /// - Parameter key: The application identifier that is the key in the older form.
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

  /// Reads `appIDs` if it exists, otherwise `appID`: Apple's `swcutil` ignores `appID` if both
  /// exist.
  private mutating func appIDs(
    _ fields: [String: DocumentNode], in node: DocumentNode
  ) -> [String] {
    let single = fields["appID"].flatMap { text($0, "“appID”") }
    guard let list = fields["appIDs"] else {
      guard let single, let place = fields["appID"]?.position else {
        report(
          .applinksNoApp, .warning, at: node.position,
          "The entry names no app and is ignored; add “appIDs”.")
        return []
      }
      checkForm(of: single, at: place)
      linkedApps.append(.init(identifier: single, position: place))
      return [single]
    }
    let listed = identifiers(list, "“appIDs”")
    linkedApps += listed
    let apps = listed.map(\.identifier)
    if let place = fields["appID"]?.position {
      let isListed = single.map(apps.contains) ?? false
      report(
        .applinksBothIdentifiers, isListed ? .note : .warning, at: place,
        "“appID” is ignored beside “appIDs”, except up to iOS 12"
          + (isListed ? "." : "; list the app in “appIDs”."))
    }
    if apps.isEmpty {
      report(
        .applinksNoApp, .warning, at: list.position,
        "The entry names no app and is ignored; list identifiers in “appIDs”.")
    }
    return apps
  }

  // MARK: Rules

  /// Reads `components` if it exists, otherwise `paths`: iOS 13 and later ignore `paths` if both
  /// exist (WWDC19, session 717).
  private mutating func rules(
    _ fields: [String: DocumentNode], in node: DocumentNode
  ) -> [SiteAssociation.LinkRule] {
    if let components = fields["components"] {
      if let paths = fields["paths"] {
        report(
          .applinksBothRules, .note, at: paths.position,
          "“paths” is ignored beside “components”, except up to iOS 12.")
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
      "“paths” is the form before iOS 13 and still valid; “components” has more options.")
    return items.enumerated().compactMap { index, item in
      guard let path = text(item, "An item of “paths”") else { return nil }
      let excludes = path.hasPrefix("NOT ")
      let pattern = excludes ? String(path.dropFirst(4).drop { $0 == " " }) : path
      return SiteAssociation.LinkRule(
        origin: .path(index), path: pattern, exclude: excludes, position: item.position)
    }
  }

  /// Reads `defaults`. Pattern keys are not documented there, but were observed to apply.
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
        "“\(entry.key)” in “defaults” is not documented; in tests it applied to every rule "
          + "without the key. Write it into the rules.")
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
      // As in `fields`, the last value of a repeated key counts.
      var patterns: [String: String] = [:]
      var names: [String] = []
      for entry in entries {
        guard case .text(let pattern) = entry.value.value else {
          report(
            .applinksQueryIgnored, .error, at: entry.value.position,
            "The pattern of \(entry.key.quotedForMessage) is \(entry.value.kind), not a string, so "
              + "the whole “?” is ignored and any query matches; put the pattern in double quotes.")
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
          "The name \(entry.key.quotedForMessage) is invalid; a variable's name is not empty "
            + "and contains no $, ( or ).")
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
        "The value \(value.quotedForMessage) contains a variable; values are not substituted.")
    }
    return value
  }

  // MARK: Shapes of JSON

  /// The values of an object by key, the last of each. Other keys are reported and left out.
  ///
  /// - Parameters:
  ///   - name: The name of the object, in a sentence.
  ///   - known: The keys with a meaning in the object.
  ///   - dead: Keys that are commonly put there without effect.
  mutating func fields(
    of node: DocumentNode, named name: String, known: [String], dead: Set<String> = []
  ) -> [String: DocumentNode] {
    guard case .mapping(let entries) = node.value else { return [:] }
    var fields: [String: DocumentNode] = [:]
    for entry in entries {
      if known.contains(entry.key) {
        fields[entry.key] = entry.value
      } else if !isFull {
        reportKey(entry, in: name, known: known, dead: dead)
      }
    }
    return fields
  }

  private mutating func reportKey(
    _ entry: DocumentNode.Entry, in name: String, known: [String], dead: Set<String>
  ) {
    let shown = entry.key.quotedForMessage
    let homes = [
      "apps": "“appclips” and “webcredentials”", "details": "“applinks”",
      "components": "an entry "
        + "of “details”", "paths": "an entry of “details”", "appIDs": "an entry of “details”",
      "substitutionVariables": "“applinks”", "applinks": "the file itself",
      "appclips": "the file itself", "webcredentials": "the file itself",
      "activitycontinuation": "the file itself",
    ]
    if dead.contains(entry.key) {
      report(
        .associationDeadKey, .warning, at: entry.position,
        "\(shown) is not a key of \(name) and is ignored; remove it.")
    } else if let near = Self.nearMiss(of: entry.key, among: known) {
      report(
        .associationMisspelledKey, .warning, at: entry.position,
        "\(shown) is ignored in \(name); the key is “\(near)” (case-sensitive).")
    } else if let home = homes[entry.key] {
      report(
        .associationMisplacedKey, .warning, at: entry.position,
        "\(shown) is ignored in \(name); move it to \(home).")
    } else {
      report(
        .associationUnknownKey, .note, at: entry.position,
        "\(shown) is an unknown key in \(name).")
    }
  }

  /// The known key that a misspelled one was probably meant to be.
  static func nearMiss(of key: String, among known: [String]) -> String? {
    let letters = key.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
    return known.first { $0.lowercased() == letters }
      ?? (letters.utf8.count > 3 ? known.nearest(to: letters) : nil)
  }

  /// The value as text, or `nil` with a report if it is not text.
  mutating func text(_ node: DocumentNode, _ name: String) -> String? {
    if case .text(let text) = node.value { return text }
    wrongType(node, name, "a text in double quotes")
    return nil
  }

  /// The value as `true` or `false`, or `nil` with a report if it is neither.
  mutating func flag(_ node: DocumentNode, _ name: String) -> Bool? {
    if case .flag(let flag) = node.value { return flag }
    wrongType(node, name, "true or false without quotes")
    return nil
  }

  mutating func wrongType(_ node: DocumentNode, _ name: String, _ right: String) {
    report(
      .associationWrongType, .error, at: node.position, as: .badJSONContent,
      "\(name) is \(right), not \(node.kind); it is ignored.")
  }
}

extension SiteAssociation.LinkRule {
  /// Every pattern of the rule.
  fileprivate var patterns: [String] {
    let ofQuery: [String] =
      switch query {
      case .whole(let pattern): [pattern]
      case .items(let items): items.map(\.pattern)
      case .unreadable, nil: []
      }
    return [path, fragment].compactMap { $0 } + ofQuery
  }
}

extension String {
  /// Whether a variable is opened but not closed.
  fileprivate var opensVariable: Bool {
    var rest = self[...]
    while let start = rest.firstRange(of: "$(") {
      guard let end = rest[start.upperBound...].firstIndex(of: ")") else { return true }
      rest = rest[rest.index(after: end)...]
    }
    return false
  }
}
