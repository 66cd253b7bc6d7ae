/// Turns the nodes of an association file into a ``SiteAssociation``, and reports what has no
/// meaning. Here are the root and the services that are lists; `applinks` stands in an extension.
struct SiteAssociationReader {
  private(set) var findings: [AssociationFinding] = []

  /// The most findings that are kept. A file with more is not an association file, and looking for
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

  /// By place; those of one place in the order of their discovery.
  var sortedFindings: [AssociationFinding] {
    findings.enumerated().sorted { left, right in
      let places = (left.element.position, right.element.position)
      guard let first = places.0, let second = places.1, first != second else {
        return left.offset < right.offset
      }
      return first < second
    }.map(\.element)
  }

  // MARK: The root

  private static let services = SiteAssociation.Service.allCases.map(\.rawValue)

  /// Reads the whole file.
  mutating func read(_ text: String) -> SiteAssociation? {
    let reading = JSONSource.read(text)
    for duplicate in reading.duplicates {
      report(
        .associationDuplicateKey, .warning, at: duplicate.position,
        duplicate.message + " Readers differ in which of them they take; here it is the last.")
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
    return association
  }

  private mutating func reportFault(_ fault: DocumentProblem, in text: String) {
    let begin = text.drop { $0.isWhitespace }
    let hint =
      begin.isEmpty
      ? " The file is empty."
      : begin.hasPrefix("<") ? " This looks like a web page, perhaps the server's error page." : ""
    report(
      .associationNotJSON, .error, at: fault.position, as: .badJSONContent, fault.message + hint)
  }

  // MARK: Lists of apps

  private mutating func appList(
    _ node: DocumentNode, of service: SiteAssociation.Service
  ) -> SiteAssociation.AppList? {
    let name = "“\(service.rawValue)”"
    guard case .mapping = node.value else {
      wrongType(node, name, "an object such as { \"apps\": [\"ABCDE12345.com.example.app\"] }")
      return nil
    }
    let fields = fields(
      of: node, named: name, known: ["apps"],
      dead: ["details", "paths", "components", "appIDs", "appID", "defaults"])
    guard let apps = fields["apps"] else {
      report(
        .associationWrongType, .error, at: node.position, as: .badJSONContent,
        "\(name) has no “apps”, the list of application identifiers; add it.")
      return SiteAssociation.AppList(apps: [], position: node.position)
    }
    return SiteAssociation.AppList(
      apps: identifiers(apps, "“apps” of \(name)"), position: node.position)
  }

  /// The application identifiers of a list.
  mutating func identifiers(
    _ node: DocumentNode, _ name: String
  ) -> [SiteAssociation.ListedApp] {
    guard case .list(let items) = node.value else {
      wrongType(node, name, "a list of application identifiers, in square brackets")
      return []
    }
    var apps: [SiteAssociation.ListedApp] = []
    var lines: [String: Int] = [:]
    for item in items {
      guard let identifier = text(item, "An item of \(name)") else { continue }
      checkForm(of: identifier, at: item.position)
      if let line = lines.updateValue(item.position.line, forKey: identifier) {
        report(
          .associationRepeatedIdentifier, .note, at: item.position,
          "\(identifier.quotedForMessage) is listed already in line \(line); remove one.")
      }
      apps.append(.init(identifier: identifier, position: item.position))
    }
    return apps
  }

  /// `<application identifier prefix>.<bundle identifier>`.
  mutating func checkForm(of identifier: String, at position: DocumentPosition) {
    let app = SiteAssociation.ListedApp(identifier: identifier, position: position)
    let shown = identifier.quotedForMessage
    let example = "such as ABCDE12345.com.example.app.Clip"
    if AppClip.problem(withTeam: app.prefix) == nil {
      guard AppClip.problem(withBundleID: app.bundleID) != nil else { return }
      report(
        .associationIdentifierForm, .error, at: position,
        "\(shown) does not go on with a bundle identifier; write prefix, dot and bundle "
          + "identifier, \(example).")
    } else if AppClip.problem(withBundleID: identifier) == nil {
      report(
        .associationIdentifierForm, .warning, at: position,
        "\(shown) does not begin with an application identifier prefix, which is ten capital "
          + "letters and digits and usually the team's; write it in front, \(example).")
    } else {
      report(
        .associationIdentifierForm, .error, at: position,
        "\(shown) is not an application identifier; write prefix, dot and bundle identifier, "
          + "\(example).")
    }
  }
}

extension DocumentProblem {
  /// Where it is.
  package var position: DocumentPosition { DocumentPosition(line: line, column: column) }
}
