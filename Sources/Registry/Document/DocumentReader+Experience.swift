import Invocation

/// The rules for advanced experiences.
extension DocumentReader {
  mutating func readExperience(_ node: DocumentNode, clip: String, domains: [String]) {
    let keys =
      ["link", "title", "subtitle", "action", "language", "status", "place"]
      + Self.experienceListingKeys
    guard let fields = fields(node, of: "An experience", keys) else { return }
    let link = link(fields, in: node, domains: domains)
    let card = card(fields)
    let language = language(fields["language"])
    let status = choice(fields["status"], "status", ExperienceStatus.self) ?? .received
    let place = fields["place"].flatMap { placeRule($0, link: link) }
    let listing = experienceListing(fields, language: language)
    guard let link else { return }
    document.experiences.append(
      AdvancedExperience(
        clip: clip, link: link, card: card, language: language, status: status, place: place,
        listing: listing))
  }

  private mutating func link(
    _ fields: [String: DocumentNode], in node: DocumentNode, domains: [String]
  ) -> InvocationURL? {
    guard let text = required(fields, "link", in: node, "The experience"),
      let node = fields["link"]
    else { return nil }
    let link: InvocationURL
    do {
      link = try InvocationURL(text)
    } catch {
      problem(node, "The link “\(text.shortened)” is not acceptable: \(error)")
      return nil
    }
    if let line = linkLines[link.normalized] {
      problem(
        node,
        "The link “\(text.shortened)” is that of the experience on line \(line); a link can be "
          + "registered once.")
    } else {
      linkLines[link.normalized] = node.position.line
    }
    if !domains.contains(link.host) {
      warning(
        node,
        "The host “\(link.host)” is not among the clip's domains, so the link cannot invoke it; add "
          + "it to “domains”.")
    }
    return link
  }

  private mutating func language(_ node: DocumentNode?) -> String {
    guard let node, let code = text(node, "language") else { return "EN" }
    report(AdvancedExperience.problem(withLanguage: code), node)
    return code
  }

  // MARK: Place rules

  private mutating func placeRule(_ node: DocumentNode, link: InvocationURL?) -> PlaceRule? {
    let kinds = ["id", "path", "query", "coordinates"]
    guard let fields = fields(node, of: "A place rule", kinds + ["radius"]) else { return nil }
    let present = kinds.filter { fields[$0] != nil }
    guard present.count == 1, let kind = present.first, let value = fields[kind] else {
      problem(
        node,
        "A place rule has exactly one of \(list(kinds)); this has "
          + (present.isEmpty ? "none." : "\(list(present))."))
      return nil
    }
    if let radius = fields["radius"], kind != "coordinates" {
      problem(radius, "“radius” goes with “coordinates” only; a place has its own. Remove it.")
    }
    switch kind {
    case "id":
      guard let id = text(value, "id") else { return nil }
      namedPlaces.append((id, value.position))
      return .fixed(id: id)
    case "path": return pathRule(value, link: link)
    case "query":
      return text(value, "query").map { .query(item: $0) }
    default: return coordinatesRule(value, radius: fields["radius"], in: node)
    }
  }

  private mutating func pathRule(_ node: DocumentNode, link: InvocationURL?) -> PlaceRule? {
    guard let text = text(node, "path") else { return nil }
    let template: PathTemplate
    do {
      template = try PathTemplate(text)
    } catch {
      problem(node, "\(error).")
      return nil
    }
    let rule = PlaceRule.path(template: template)
    if let link {
      report(rule.problem(under: link), node)
    } else if !template.namesPlace {
      problem(node, "The path template “\(text.shortened)” has no {place} in it.")
    }
    return rule
  }

  private mutating func coordinatesRule(
    _ node: DocumentNode, radius: DocumentNode?, in rule: DocumentNode
  ) -> PlaceRule? {
    let names = list(node, "coordinates").compactMap { text($0, "coordinates") }
    guard names.count == 2, names[0] != names[1] else {
      problem(
        node,
        "“coordinates” names two query items, the latitude's and the longitude's, like [latitude, "
          + "longitude].")
      return nil
    }
    guard let radius else {
      problem(rule, "A place rule with “coordinates” lacks “radius”, in metres; add it.")
      return nil
    }
    guard let metres = self.radius(radius) else { return nil }
    return .coordinates(latitudeItem: names[0], longitudeItem: names[1], radius: metres)
  }

  /// A radius that Apple's location confirmation takes.
  mutating func radius(_ node: DocumentNode) -> Double? {
    guard let metres = number(node, "radius") else { return nil }
    if let refusal = Region.Circle.problem(withRadius: metres) {
      problem(node, refusal)
      return nil
    }
    return metres
  }
}

extension String {
  /// At most 60 characters, for a message.
  var shortened: String { count <= 60 ? self : prefix(59) + "…" }
}
