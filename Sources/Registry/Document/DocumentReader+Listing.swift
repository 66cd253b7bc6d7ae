import Foundation
import Invocation

/// The rules for what App Store Connect holds besides links, cards and domains.
extension DocumentReader {
  static let cardListingKeys = ["localizations", "image", "changed"]
  static let experienceListingKeys =
    ["identifier", "poweredBy", "businessCategory", "placeStatus"] + cardListingKeys
  static let clipListingKeys = [
    "identifier", "name", "minimumIOS", "released", "installBytes", "demoLink", "testInvocations",
    "domainStatuses",
  ]

  mutating func experienceListing(
    _ fields: [String: DocumentNode], language: String
  ) -> ExperienceListing {
    let category = optionalText(fields, "businessCategory")
    if let category, !ExperienceListing.businessCategories.contains(category),
      let node = fields["businessCategory"]
    {
      let hint = category.suggestion(among: ExperienceListing.businessCategories)
      problem(
        node, "“\(category.shortened)” is not a business category of App Store Connect.\(hint)")
    }
    let localizations = localizations(fields["localizations"], of: AdvancedExperience.self)
    if localizations.contains(where: { $0.language == language }),
      let node = fields["localizations"]
    {
      problem(
        node,
        "\(language) is the experience's own language: its texts are “title” and “subtitle”. "
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
  ///   - fields: The clip's own keys.
  ///   - card: Those of its default experience.
  mutating func clipListing(
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

  /// The texts by language; the type tells how languages are written.
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
      let keys = isAdvanced ? ["title", "subtitle"] : ["subtitle"]
      guard let texts = fields(entry.value, of: "A localization", keys) else { return nil }
      let card = card(texts)
      return CardLocalization(language: entry.key, title: card.title, subtitle: card.subtitle)
    }
  }

  /// What is wrong with a locale of App Store Connect such as `de-DE`, `fr` or `zh-Hans`, or `nil`.
  private static func problem(withLocale locale: String) -> String? {
    let parts = locale.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isSound =
      parts.count <= 2 && (2...3).contains(parts[0].count)
      && parts[0].allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      && parts.dropFirst().allSatisfy { (2...4).contains($0.count) }
    return isSound ? nil : "“\(locale.shortened)” is not a locale such as de-DE, fr or zh-Hans."
  }

  private mutating func image(_ node: DocumentNode) -> HeaderImage? {
    guard let fields = fields(node, of: "An image", ["file", "width", "height"]),
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
      guard let fields = fields(item, of: "A test invocation", ["url", "title"]),
        let title = required(fields, "title", in: item, "The test invocation"),
        let address = fields["url"]
      else { return nil }
      return url(address, "url").map { TestInvocation(url: $0, title: title) }
    }
  }

  private mutating func domainStatus(_ node: DocumentNode) -> DomainStatus? {
    let keys = ["domain", "valid", "errorCode", "updated"]
    guard let fields = fields(node, of: "A domain status", keys),
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

  /// A version of iOS, with or without quotes.
  private mutating func version(_ node: DocumentNode?) -> IOSVersion? {
    guard let node else { return nil }
    if case .number(let number) = node.value, let version = IOSVersion(number.plain) {
      return version
    }
    guard let text = text(node, "minimumIOS") else { return nil }
    if let version = IOSVersion(text) { return version }
    problem(node, "“\(text.shortened)” is not a version of iOS such as \"16.4\".")
    return nil
  }

  private mutating func count(_ node: DocumentNode, _ key: String) -> Int? {
    guard let number = number(node, key) else { return nil }
    if let count = Int(exactly: number), count > 0 { return count }
    problem(node, "“\(key)” is a whole number over 0, not \(number.plain).")
    return nil
  }

  private mutating func url(_ node: DocumentNode, _ key: String) -> InvocationURL? {
    guard let text = text(node, key) else { return nil }
    do {
      return try InvocationURL(text)
    } catch {
      problem(node, "“\(key)” is not acceptable: \(error)")
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
