import CliptagBasics
import Foundation
package import Invocation

/// The rules for advanced experiences.
extension DocumentReader {
  mutating func readExperience(_ node: DocumentNode, clip: String, domains: [String]) {
    guard var fields = fields(node, of: .experience) else { return }
    let link = link(fields, in: node, domains: domains)
    if let link, let left = present?.complete(&fields, ofExperience: link, clip: clip) {
      unstated.append(left)
    }
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
      problem(node, "The link “\(text.shortened)” is invalid: \(error)")
      return nil
    }
    if let line = linkLines[link.normalized] {
      problem(
        node,
        "The link “\(text.shortened)” is already used by the experience on line \(line); a link can be "
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
    guard let fields = fields(node, of: .placeRule) else { return nil }
    let present = kinds.filter { fields[$0] != nil }
    guard present.count == 1, let kind = present.first, let value = fields[kind] else {
      problem(
        node,
        "A place rule has exactly one of \(list(kinds)); this one has "
          + (present.isEmpty ? "none." : "\(list(present))."))
      return nil
    }
    if let radius = fields["radius"], kind != "coordinates" {
      problem(radius, "“radius” is valid with “coordinates” only; a place has its own. Remove it.")
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
      problem(node, error.message)
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
        "“coordinates” lists two query items, for latitude and longitude, like [latitude, "
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

  /// Reads a radius that Apple's location confirmation permits.
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
  /// The text's first 60 characters at most, for a message.
  package var shortened: String { count <= 60 ? self : prefix(59) + "…" }
}

/// The rules for the facts of App Store Connect besides links, cards and domains.
extension DocumentReader {
  package mutating func experienceListing(
    _ fields: [String: DocumentNode], language: String
  ) -> ExperienceListing {
    let category = optionalText(fields, "businessCategory")
    if let category, !ExperienceListing.businessCategories.contains(category),
      let node = fields["businessCategory"]
    {
      problem(
        node,
        [
          "“\(category.shortened)” is not a business category of App Store Connect.",
          ExperienceListing.businessCategories.question(about: category),
        ].sentences)
    }
    let localizations = localizations(fields["localizations"], of: AdvancedExperience.self)
    if localizations.contains(where: { $0.language == language }),
      let node = fields["localizations"]
    {
      problem(
        node,
        "\(language) is the experience's primary language: its texts are “title” and “subtitle”. "
          + "Remove it from “localizations”.")
    }
    return ExperienceListing(
      identifier: optionalText(fields, "identifier"), localizations: localizations,
      image: fields["image"].flatMap { image($0) },
      isPoweredBy: optionalFlag(fields, "poweredBy") ?? false, businessCategory: category,
      placeStatus: choice(fields["placeStatus"], "placeStatus", PlaceStatus.self),
      changed: time(fields["changed"], "changed"))
  }

  /// - Parameters:
  ///   - fields: The keys of the clip.
  ///   - card: The keys of its default experience.
  package mutating func clipListing(
    _ fields: [String: DocumentNode], card: [String: DocumentNode]
  ) -> ClipListing {
    let invocations = testInvocations(fields["testInvocations"])
    return ClipListing(
      identifier: optionalText(fields, "identifier"), name: optionalText(fields, "name"),
      minimumIOS: version(fields["minimumIOS"]), isReleased: optionalFlag(fields, "released"),
      installBytes: fields["installBytes"].flatMap { count($0, "installBytes") },
      demoLink: fields["demoLink"].flatMap { url($0, "demoLink") },
      localizations: localizations(card["localizations"], of: ClipListing.self),
      image: card["image"].flatMap { image($0) }, changed: time(card["changed"], "changed"),
      testInvocations: invocations,
      domainStatuses: list(fields["domainStatuses"], "domainStatuses").compactMap {
        domainStatus($0)
      })
  }

  // MARK: Cards

  /// Reads the texts by language; the type determines the notation of languages.
  private mutating func localizations<Owner>(
    _ node: DocumentNode?, of owner: Owner.Type
  ) -> [CardLocalization] {
    guard let node else { return [] }
    guard case .mapping(let entries) = node.value else {
      problem(node, "“localizations” is a mapping from languages to texts, not \(node.kind).")
      return []
    }
    let isAdvanced = owner == AdvancedExperience.self
    return entries.compactMap { entry in
      let refusal =
        isAdvanced
        ? AdvancedExperience.problem(withLanguage: entry.key)
        : Self.problem(withLocale: entry.key)
      if let refusal { problems.append(DocumentProblem(at: entry.position, refusal)) }
      let shape = isAdvanced ? DocumentShape.localization : .defaultLocalization
      guard let texts = fields(entry.value, of: shape) else { return nil }
      let card = card(texts)
      return CardLocalization(language: entry.key, title: card.title, subtitle: card.subtitle)
    }
  }

  /// Returns the problem with a locale of App Store Connect such as `de-DE`, `fr` or `zh-Hans`, or
  /// `nil`.
  private static func problem(withLocale locale: String) -> String? {
    let parts = locale.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isSound =
      parts.count <= 2 && (2...3).contains(parts[0].count)
      && parts[0].allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      && parts.dropFirst().allSatisfy { (2...4).contains($0.count) }
    return isSound ? nil : "“\(locale.shortened)” is not a locale such as de-DE, fr or zh-Hans."
  }

  private mutating func image(_ node: DocumentNode) -> HeaderImage? {
    guard let fields = fields(node, of: .image),
      let file = required(fields, "file", in: node, "The image")
    else { return nil }
    guard let width = fields["width"], let height = fields["height"] else {
      if fields["width"] != nil || fields["height"] != nil {
        problem(node, "An image has both “width” and “height”, in pixels, or neither.")
      }
      return HeaderImage(file: file)
    }
    guard let width = count(width, "width"), let height = count(height, "height") else {
      return nil
    }
    return HeaderImage(file: file, size: HeaderImage.Size(width: width, height: height))
  }

  // MARK: Lists

  private mutating func testInvocations(_ node: DocumentNode?) -> [TestInvocation] {
    let items = list(node, "testInvocations")
    if let node, items.count > ClipListing.maximumTestInvocations {
      problem(
        node,
        "TestFlight has at most \(ClipListing.maximumTestInvocations) invocations a build; these "
          + "are \(items.count).")
    }
    return items.compactMap { item in
      guard let fields = fields(item, of: .testInvocation),
        let title = required(fields, "title", in: item, "The test invocation"),
        required(fields, "url", in: item, "The test invocation") != nil,
        let url = fields["url"].flatMap({ url($0, "url") })
      else { return nil }
      return TestInvocation(url: url, title: title)
    }
  }

  private mutating func domainStatus(_ node: DocumentNode) -> DomainStatus? {
    guard let fields = fields(node, of: .domainStatus),
      let domain = required(fields, "domain", in: node, "The domain status")
    else { return nil }
    guard let isValid = optionalFlag(fields, "valid") else {
      problem(node, "The domain status lacks “valid”; write true or false.")
      return nil
    }
    report(AppClip.problem(withDomain: domain), fields["domain"])
    return DomainStatus(
      domain: domain, isValid: isValid, errorCode: optionalText(fields, "errorCode"),
      updated: time(fields["updated"], "updated"))
  }

  // MARK: Values

  private mutating func optionalText(
    _ fields: [String: DocumentNode], _ key: String
  ) -> String? {
    fields[key].flatMap { text($0, key) }
  }

  private mutating func optionalFlag(_ fields: [String: DocumentNode], _ key: String) -> Bool? {
    fields[key].map { flag($0, key) }
  }

  /// Reads a version of iOS, with or without quotes.
  private mutating func version(_ node: DocumentNode?) -> IOSVersion? {
    guard let node else { return nil }
    let written: String? =
      if case .number(let number) = node.value { number.plain } else { text(node, "minimumIOS") }
    guard let written else { return nil }
    if let version = IOSVersion(written) { return version }
    problem(
      node,
      "“\(written.shortened)” is not a version of iOS such as \"16.4\"; 26 follows 18.")
    return nil
  }

  private mutating func count(_ node: DocumentNode, _ key: String) -> Int? {
    guard let number = number(node, key) else { return nil }
    if let count = Int(exactly: number), count > 0 { return count }
    problem(node, "“\(key)” must be a positive integer, not \(number.plain).")
    return nil
  }

  private mutating func url(_ node: DocumentNode, _ key: String) -> InvocationURL? {
    guard let text = text(node, key) else { return nil }
    do {
      return try InvocationURL(text)
    } catch {
      problem(node, "“\(key)” is invalid: \(error)")
      return nil
    }
  }

  private mutating func time(_ node: DocumentNode?, _ key: String) -> Date? {
    guard let node, let text = text(node, key) else { return nil }
    if let date = try? Date(text, strategy: .iso8601) { return date }
    problem(node, "“\(key)” is a time such as \"2026-03-01T09:30:00Z\", not “\(text.shortened)”.")
    return nil
  }
}
