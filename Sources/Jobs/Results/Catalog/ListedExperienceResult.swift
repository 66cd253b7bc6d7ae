import Foundation
package import Invocation

/// The `experience` object of a listing.
package struct ListedExperienceResult: Encodable {
  private struct Localization: Encodable {
    let language: String
    let title: String?
    let subtitle: String?
  }

  private struct Image: Encodable {
    let file: String
    let width: Int?
    let height: Int?
  }

  let type = "experience"
  let kind: String
  let link: String?
  let title: String?
  let subtitle: String?
  let action: String
  let clip: String
  let language: String?
  let status: String?
  private let place: PlaceRuleResult?
  let identifier: String?
  private let localizations: [Localization]
  private let image: Image?
  let poweredBy: Bool
  let businessCategory: String?
  let placeStatus: String?
  let changed: String?

  private enum CodingKeys: CodingKey {
    case type, kind, link, title, subtitle, action, clip, language, status, place, identifier
    case localizations, image, poweredBy, businessCategory, placeStatus, changed
  }

  /// States an advanced experience.
  package init(_ experience: AdvancedExperience) {
    let listing = experience.listing
    kind = "advanced"
    link = experience.link.payload
    (title, subtitle) = (experience.card.title, experience.card.subtitle)
    action = experience.card.action.rawValue
    clip = experience.clip
    language = experience.language
    status = experience.status.rawValue
    place = experience.place.map(PlaceRuleResult.init)
    identifier = listing.identifier
    localizations = Self.inOrder(listing.localizations)
    image = listing.image.map(Self.stated)
    poweredBy = listing.isPoweredBy
    businessCategory = listing.businessCategory
    placeStatus = listing.placeStatus?.rawValue
    changed = listing.changed.map { $0.formatted(.iso8601) }
  }

  /// States a clip's default experience.
  package init(_ card: ExperienceCard, of clip: AppClip) {
    kind = "default"
    (title, subtitle) = (card.title, card.subtitle)
    action = card.action.rawValue
    self.clip = clip.bundleID
    localizations = Self.inOrder(clip.listing.localizations)
    image = clip.listing.image.map(Self.stated)
    poweredBy = false
    changed = clip.listing.changed.map { $0.formatted(.iso8601) }
    (link, language, status, place) = (nil, nil, nil, nil)
    (identifier, businessCategory, placeStatus) = (nil, nil, nil)
  }

  /// The texts by language, in the order of languages.
  private static func inOrder(_ localizations: [CardLocalization]) -> [Localization] {
    localizations.sorted { $0.language < $1.language }.map {
      Localization(language: $0.language, title: $0.title, subtitle: $0.subtitle)
    }
  }

  private static func stated(_ image: HeaderImage) -> Image {
    Image(file: image.file, width: image.size?.width, height: image.size?.height)
  }
}

/// The rule by which payloads under a link name their place.
private struct PlaceRuleResult: Encodable {
  let rule: PlaceRule

  init(_ rule: PlaceRule) { self.rule = rule }

  private enum CodingKeys: CodingKey { case id, path, query, coordinates, radius }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch rule {
    case .fixed(let id): try values.encode(id, forKey: .id)
    case .path(let template): try values.encode(template.text, forKey: .path)
    case .query(let item): try values.encode(item, forKey: .query)
    case .coordinates(let latitude, let longitude, let radius):
      try values.encode([latitude, longitude], forKey: .coordinates)
      try values.encode(radius, forKey: .radius)
    }
  }
}
