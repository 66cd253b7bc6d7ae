import CliptagBasics
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
public import Invocation

/// A snapshot in the registry's terms.
public struct ConnectContent: Hashable, Sendable {
  /// The clips.
  public var clips: [AppClip] = []
  /// The advanced experiences of the clips; each link once.
  public var experiences: [AdvancedExperience] = []
  /// Facts that the registry cannot hold, and choices that were made, as sentences.
  public var notes: [String] = []

  /// Makes empty content.
  package init() {}
}

extension ConnectSnapshot {
  /// Returns the snapshot in the registry's terms.
  ///
  /// Facts unknown to App Store Connect are kept from the registry: the rule by which payloads name
  /// places, whether the clip asks for the location, demo links, titles of default experiences, and
  /// the time of the last change of unchanged entries.
  ///
  /// - Parameters:
  ///   - clips: The clips in the registry.
  ///   - experiences: The experiences in the registry.
  ///   - team: The application identifier prefix to use if neither App Store Connect nor the
  ///     registry has one.
  public func content(
    over clips: [AppClip] = [], _ experiences: [AdvancedExperience] = [], team: String? = nil
  ) throws(AppStoreConnectError) -> ConnectContent {
    var content = ConnectContent()
    content.notes = notes
    let present = Dictionary(
      experiences.map { ($0.link.normalized, $0) }, uniquingKeysWith: { first, _ in first })
    for clip in self.clips {
      let old = clips.first { $0.bundleID == clip.bundleID }
      let own = content.add(clip, over: present)
      content.clips.append(try content.clip(clip, of: self, over: old, own, team: team))
    }
    return content
  }
}

extension ConnectContent {
  /// Adds a clip's experiences.
  ///
  /// - Returns: Their links.
  fileprivate mutating func add(
    _ clip: ConnectClip, over present: [String: AdvancedExperience]
  ) -> [InvocationURL] {
    var places = Dictionary(
      experiences.enumerated().map { ($1.link.normalized, $0) }, uniquingKeysWith: { $1 })
    var links: [InvocationURL] = []
    for experience in clip.experiences {
      let link: InvocationURL
      do {
        link = try InvocationURL(experience.link)
      } catch {
        notes.append("\(experience.link.shortened) is left out: \(error)")
        continue
      }
      let value = advanced(experience, link, clip.bundleID, over: present[link.normalized])
      guard let index = places[link.normalized] else {
        places[link.normalized] = experiences.count
        experiences.append(value)
        links.append(link)
        continue
      }
      // An experience that was removed and registered again is listed twice.
      if experience.isServed, experiences[index].status != .received { experiences[index] = value }
    }
    return links
  }

  private mutating func advanced(
    _ experience: ConnectExperience, _ link: InvocationURL, _ clip: String,
    over old: AdvancedExperience?
  ) -> AdvancedExperience {
    let language = language(of: experience)
    let own = experience.localizations.first { $0.language == language }
    var listing = ExperienceListing(
      identifier: experience.id,
      localizations: localizations(experience, besides: language),
      image: experience.image, isPoweredBy: experience.isPoweredBy,
      businessCategory: experience.businessCategory.flatMap {
        ExperienceListing.businessCategories.contains($0) ? $0 : nil
      },
      placeStatus: experience.placeStatus.flatMap(PlaceStatus.init), changed: old?.listing.changed)
    func value() -> AdvancedExperience {
      AdvancedExperience(
        clip: clip, link: link,
        card: ExperienceCard(
          title: text(own?.title, ExperienceCard.problem(withTitle:)),
          subtitle: text(own?.subtitle, ExperienceCard.problem(withSubtitle:)),
          action: experience.action.flatMap(CardAction.init) ?? .open),
        language: language, status: status(of: experience),
        place: old?.place, listing: listing)
    }
    if let old, value() != old { listing.changed = nil }
    return value()
  }

  /// Maps the status; an undocumented status counts as deactivated, as phones may not be served it.
  private func status(of experience: ConnectExperience) -> ExperienceStatus {
    experience.status.map { ExperienceStatus(rawValue: $0) ?? .deactivated } ?? .received
  }

  private func language(of experience: ConnectExperience) -> String {
    let known = AdvancedExperience.languages
    if let language = experience.defaultLanguage, known.contains(language) { return language }
    return experience.localizations.map(\.language).first { known.contains($0) } ?? "EN"
  }

  private func localizations(
    _ experience: ConnectExperience, besides language: String
  ) -> [CardLocalization] {
    var seen: Set<String> = [language]
    return experience.localizations.compactMap { localization in
      guard AdvancedExperience.problem(withLanguage: localization.language) == nil,
        seen.insert(localization.language).inserted
      else { return nil }
      return CardLocalization(
        language: localization.language,
        title: text(localization.title, ExperienceCard.problem(withTitle:)),
        subtitle: text(localization.subtitle, ExperienceCard.problem(withSubtitle:)))
    }.sorted { $0.language < $1.language }
  }

  /// Returns a text that the registry accepts; App Store Connect has the same rules, so others are
  /// rare.
  private func text(_ text: String?, _ problem: (String) -> String?) -> String? {
    text.flatMap { problem($0) == nil ? $0 : nil }
  }

  /// A clip without its experiences.
  fileprivate mutating func clip(
    _ clip: ConnectClip, of snapshot: ConnectSnapshot, over old: AppClip?,
    _ links: [InvocationURL], team: String?
  ) throws(AppStoreConnectError) -> AppClip {
    guard let team = clip.bundle?.team ?? old?.team ?? team else {
      throw AppStoreConnectError(
        .unknownTeam, "The team of \(clip.bundleID) is unknown: no build contains it.",
        hint: .sentence("\(.giveTeam)"))
    }
    if old == nil {
      notes.append(
        "App Store Connect does not report location requests of \(clip.bundleID); the "
          + "registry has false.")
    }
    var listing = listing(clip, snapshot, old)
    func value() -> AppClip {
      AppClip(
        bundleID: clip.bundleID, appBundleID: snapshot.bundleID, team: team,
        appStoreID: snapshot.app, domains: domains(clip, old, links),
        locationConfirmation: old?.locationConfirmation ?? false,
        defaultExperience: card(clip, snapshot, old), listing: listing)
    }
    if let old, value() != old { listing.changed = nil }
    return value()
  }

  private func card(
    _ clip: ConnectClip, _ snapshot: ConnectSnapshot, _ old: AppClip?
  ) -> ExperienceCard? {
    guard let experience = clip.defaultExperience else { return nil }
    return ExperienceCard(
      title: old?.defaultExperience?.title,
      subtitle: text(
        snapshot.main(of: experience)?.subtitle, ExperienceCard.problem(withSubtitle:)),
      action: experience.action.flatMap(CardAction.init) ?? .open)
  }

  /// The hosts named by the build on sale, or by the newest build; without a build, those in the
  /// registry, or those of the links.
  private func domains(
    _ clip: ConnectClip, _ old: AppClip?, _ links: [InvocationURL]
  ) -> [String] {
    if let domains = clip.bundle?.domains ?? old?.domains { return domains }
    return Array(Set(links.map(\.host))).sorted()
  }

  private func listing(
    _ clip: ConnectClip, _ snapshot: ConnectSnapshot, _ old: AppClip?
  ) -> ClipListing {
    let experience = clip.defaultExperience
    let main = experience.flatMap { snapshot.main(of: $0) }
    let known = old?.listing
    return ClipListing(
      identifier: clip.id, name: snapshot.name ?? known?.name,
      minimumIOS: clip.bundle?.minimumOSVersion.flatMap { IOSVersion($0) } ?? known?.minimumIOS,
      isReleased: experience?.isReleased ?? known?.isReleased,
      installBytes: clip.bundle?.installBytes ?? known?.installBytes, demoLink: known?.demoLink,
      localizations: (experience?.localizations ?? []).filter { $0.language != main?.language }
        .map { localization in
          CardLocalization(
            language: localization.language, title: nil,
            subtitle: text(localization.subtitle, ExperienceCard.problem(withSubtitle:)))
        }.sorted { $0.language < $1.language },
      image: main?.image, changed: known?.changed,
      testInvocations: clip.bundle.map(invocations) ?? known?.testInvocations ?? [],
      domainStatuses: clip.bundle.map(statuses) ?? known?.domainStatuses ?? [])
  }

  private func invocations(_ bundle: ConnectBundle) -> [TestInvocation] {
    bundle.invocations.compactMap { invocation in
      (try? InvocationURL(invocation.url)).map { TestInvocation(url: $0, title: invocation.title) }
    }.prefix(ClipListing.maximumTestInvocations).map(\.self)
  }

  private func statuses(_ bundle: ConnectBundle) -> [DomainStatus] {
    bundle.domainStatuses.compactMap { status in
      guard let domain = try? HostName.parse(status.domain) else { return nil }
      return DomainStatus(
        domain: domain, isValid: status.isValid, errorCode: status.errorCode,
        updated: status.updated.flatMap(Self.date))
    }
  }

  /// A time in ISO 8601, with or without fractions of a second.
  private static func date(_ text: String) -> Date? {
    let fractions = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let date = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: fractions))
    return date.map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.down)) }
  }
}

extension ConnectSnapshot {
  /// The main texts: those of the app's primary locale, then English, then the first.
  func main(of experience: ConnectDefaultExperience) -> ConnectLocalization? {
    for locale in [primaryLocale, "en-US"] {
      if let match = experience.localizations.first(where: { $0.language == locale }) {
        return match
      }
    }
    return experience.localizations.first
  }
}
