import Invocation

/// The rules for clips.
extension DocumentReader {
  mutating func readClip(_ node: DocumentNode) {
    let keys = [
      "clip", "app", "team", "appStoreID", "domains", "locationConfirmation", "defaultExperience",
      "experiences",
    ]
    guard let fields = fields(node, of: "A clip", keys) else { return }
    let bundleID = required(fields, "clip", in: node, "The clip")
    let appBundleID = required(fields, "app", in: node, "The clip")
    checkIdentifiers(clip: bundleID, app: appBundleID, fields)
    let team = team(fields, in: node)
    let appStoreID = appStoreID(fields["appStoreID"])
    let domains = domains(fields["domains"], in: node)
    let confirms = flag(fields["locationConfirmation"], "locationConfirmation")
    let card = fields["defaultExperience"].map { defaultExperience($0) }
    if let bundleID, let position = fields["clip"]?.position {
      if let line = clipLines[bundleID] {
        problems.append(
          DocumentProblem(
            at: position,
            "The clip “\(bundleID)” is here for the second time, after line \(line); put its "
              + "experiences together and remove one."))
      } else {
        clipLines[bundleID] = position.line
      }
    }
    for experience in list(fields["experiences"], "experiences") {
      readExperience(experience, clip: bundleID ?? "", domains: domains)
    }
    guard let bundleID, let appBundleID, let team else { return }
    document.clips.append(
      AppClip(
        bundleID: bundleID, appBundleID: appBundleID, team: team, appStoreID: appStoreID,
        domains: domains, locationConfirmation: confirms, defaultExperience: card))
  }

  /// A clip's identifier is the app's, a dot and a suffix (Apple, “Creating an App Clip with
  /// Xcode”).
  private mutating func checkIdentifiers(
    clip: String?, app: String?, _ fields: [String: DocumentNode]
  ) {
    for (key, identifier) in [("clip", clip), ("app", app)] {
      guard let identifier, let node = fields[key] else { continue }
      let labels = identifier.split(separator: ".", omittingEmptySubsequences: false)
      let isWellFormed =
        labels.count > 1
        && labels.allSatisfy {
          !$0.isEmpty && $0.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
        }
      if !isWellFormed {
        problem(
          node,
          "“\(identifier)” is not a bundle identifier; it has letters, digits and hyphens, and "
            + "dots between them, like com.example.fruta.")
        return
      }
    }
    guard let clip, let app, let node = fields["clip"] else { return }
    if !clip.hasPrefix(app + ".") {
      problem(
        node,
        "The clip's identifier must be the app's with a suffix, like \(app).Clip; “\(clip)” is not."
      )
    }
  }

  private mutating func team(_ fields: [String: DocumentNode], in node: DocumentNode) -> String? {
    guard let team = required(fields, "team", in: node, "The clip"), let node = fields["team"]
    else { return nil }
    guard team.utf8.allSatisfy(\.isASCIIAlphanumeric) else {
      problem(
        node,
        "“\(team)” is not an application identifier prefix; it has letters and digits only, like "
          + "ABCDE12345.")
      return nil
    }
    if team.utf8.count != 10 || team != team.uppercased() {
      warning(
        node, "The prefix “\(team)” is unusual; a team identifier has ten capitals and digits.")
    }
    return team
  }

  private mutating func appStoreID(_ node: DocumentNode?) -> String? {
    guard let node, let id = text(node, "appStoreID") else { return nil }
    guard id.utf8.allSatisfy({ (0x30...0x39).contains($0) }), id.utf8.count <= 20 else {
      problem(node, "“appStoreID” is the app's number in the App Store, digits only, not “\(id)”.")
      return nil
    }
    return id
  }

  /// The exact hosts of a clip, in their normal form.
  private mutating func domains(_ node: DocumentNode?, in clip: DocumentNode) -> [String] {
    guard let node else {
      problem(clip, "The clip lacks “domains”; list the hosts of its “appclips:” entries.")
      return []
    }
    var domains: [String] = []
    let items = list(node, "domains")
    if items.isEmpty, !problems.contains(where: { $0.line == node.position.line }) {
      warning(node, "The clip has no domains, so no code can invoke it.")
    }
    for item in items {
      guard let text = text(item, "domains"), let host = host(text, item) else { continue }
      if domains.contains(host) {
        problem(item, "The domain “\(host)” is listed twice; remove one.")
      } else {
        domains.append(host)
      }
    }
    return domains
  }

  private mutating func host(_ text: String, _ node: DocumentNode) -> String? {
    let remedy: String? =
      if text.hasPrefix("*") {
        "an App Clip's domains have no wildcards; list each host"
      } else if text.contains("://") || text.contains("/") {
        "write the host alone, without https:// and path"
      } else if text.lowercased().hasPrefix("appclips:") {
        "write the host alone, without “appclips:”"
      } else if text.contains("?") {
        "write the host alone; “?mode=…” is for development builds"
      } else {
        nil
      }
    if let remedy {
      problem(node, "“\(text)” is not a domain: \(remedy).")
      return nil
    }
    do {
      return try HostName.parse(text)
    } catch {
      problem(node, "\(error.problem); \(error.remedy).")
      return nil
    }
  }

  private mutating func flag(_ node: DocumentNode?, _ key: String) -> Bool {
    guard let node else { return false }
    if case .flag(let flag) = node.value { return flag }
    problem(node, "“\(key)” is true or false, not \(node.kind).")
    return false
  }

  private mutating func defaultExperience(_ node: DocumentNode) -> ExperienceCard {
    guard let fields = fields(node, of: "A default experience", ["title", "subtitle", "action"])
    else { return ExperienceCard(title: nil, subtitle: nil, action: .open) }
    return card(fields)
  }

  /// The card's texts, within the lengths that App Store Connect takes.
  mutating func card(_ fields: [String: DocumentNode]) -> ExperienceCard {
    ExperienceCard(
      title: cardText(fields["title"], "title", limit: 30),
      subtitle: cardText(fields["subtitle"], "subtitle", limit: 56),
      action: choice(fields["action"], "action", CardAction.self) ?? .open)
  }

  private mutating func cardText(_ node: DocumentNode?, _ key: String, limit: Int) -> String? {
    guard let node, let text = text(node, key) else { return nil }
    guard text.count <= limit else {
      problem(
        node,
        "“\(key)” has \(text.count) characters; App Store Connect takes at most \(limit).")
      return nil
    }
    return text
  }
}

extension UInt8 {
  /// Whether the byte is a letter or a digit of ASCII.
  var isASCIIAlphanumeric: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
