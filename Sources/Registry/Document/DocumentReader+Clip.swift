import Invocation

/// The rules for clips.
extension DocumentReader {
  mutating func readClip(_ node: DocumentNode) {
    let keys =
      [
        "clip", "app", "team", "appStoreID", "domains", "locationConfirmation",
        "defaultExperience", "experiences",
      ] + Self.clipListingKeys
    guard let fields = fields(node, of: "A clip", keys) else { return }
    let bundleID = required(fields, "clip", in: node, "The clip")
    let appBundleID = required(fields, "app", in: node, "The clip")
    checkIdentifiers(clip: bundleID, app: appBundleID, fields)
    let team = required(fields, "team", in: node, "The clip")
    if let team { report(AppClip.problem(withTeam: team), fields["team"]) }
    let appStoreID = appStoreID(fields["appStoreID"])
    let domains = domains(fields["domains"], in: node)
    let confirms = flag(fields["locationConfirmation"], "locationConfirmation")
    let cardFields = fields["defaultExperience"].map { defaultExperience($0) }
    let card = cardFields.map { self.card($0) }
    let listing = clipListing(fields, card: cardFields ?? [:])
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
        domains: domains, locationConfirmation: confirms, defaultExperience: card,
        listing: listing))
  }

  private mutating func checkIdentifiers(
    clip: String?, app: String?, _ fields: [String: DocumentNode]
  ) {
    let before = problems.count
    if let clip { report(AppClip.problem(withBundleID: clip), fields["clip"]) }
    if let app { report(AppClip.problem(withBundleID: app), fields["app"]) }
    if let clip, let app, problems.count == before {
      report(AppClip.problem(withBundleID: clip, ofApp: app), fields["clip"])
    }
  }

  private mutating func appStoreID(_ node: DocumentNode?) -> String? {
    guard let node, let id = text(node, "appStoreID") else { return nil }
    report(AppClip.problem(withAppStoreID: id), node)
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
    report(AppClip.problem(withDomain: text), node)
    return try? HostName.parse(text)
  }

  mutating func flag(_ node: DocumentNode?, _ key: String) -> Bool {
    guard let node else { return false }
    if case .flag(let flag) = node.value { return flag }
    problem(node, "“\(key)” is true or false, not \(node.kind).")
    return false
  }

  private mutating func defaultExperience(_ node: DocumentNode) -> [String: DocumentNode] {
    let keys = ["title", "subtitle", "action"] + Self.cardListingKeys
    return fields(node, of: "A default experience", keys) ?? [:]
  }

  /// The card's texts, within the lengths that App Store Connect takes.
  mutating func card(_ fields: [String: DocumentNode]) -> ExperienceCard {
    ExperienceCard(
      title: cardText(fields["title"], "title", ExperienceCard.problem(withTitle:)),
      subtitle: cardText(fields["subtitle"], "subtitle", ExperienceCard.problem(withSubtitle:)),
      action: choice(fields["action"], "action", CardAction.self) ?? .open)
  }

  private mutating func cardText(
    _ node: DocumentNode?, _ key: String, _ rule: (String) -> String?
  ) -> String? {
    guard let node, let text = text(node, key) else { return nil }
    report(rule(text), node)
    return text
  }
}
