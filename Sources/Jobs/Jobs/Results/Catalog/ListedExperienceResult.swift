import Foundation
package import Invocation

/// The `experience` object of a listing.
package struct ListedExperienceResult: Encodable {
  /// The texts of a card in one language.
  private struct Localization: Encodable {
    /// The language, as App Store Connect names it.
    let language: String
    /// The title of the card.
    let title: String?
    /// The subtitle of the card.
    let subtitle: String?
  }

  /// The picture of a card.
  private struct Image: Encodable {
    /// The name of the file.
    let file: String
    /// The width in pixels.
    let width: Int?
    /// The height in pixels.
    let height: Int?
  }

  /// The type of the object.
  let type = "experience"
  /// `advanced` or `default`.
  let kind: String
  /// The registered link; `nil` for a default experience.
  let link: String?
  /// The title of the card.
  let title: String?
  /// The subtitle of the card.
  let subtitle: String?
  /// The label of the card's button.
  let action: String
  /// The bundle identifier of the clip.
  let clip: String
  /// The language of the card.
  let language: String?
  /// The status in App Store Connect; `nil` for a default experience.
  let status: String?
  /// The rule by which payloads name their place.
  private let place: PlaceRuleResult?
  /// The resource's identifier in App Store Connect.
  let identifier: String?
  /// The card's texts in other languages.
  private let localizations: [Localization]
  /// The card's picture.
  private let image: Image?
  /// Whether the clip was made on behalf of another business.
  let poweredBy: Bool
  /// The category of the business.
  let businessCategory: String?
  /// `PENDING`, `MATCHED` or `NO_MATCH`: the status of the experience's place in Maps.
  let placeStatus: String?
  /// The time of the last change, by RFC 3339.
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
  /// The id of the one place.
  private var id: String?
  /// The template of paths whose variable is the place's id.
  private var path: String?
  /// The item of the query that has the place's id.
  private var query: String?
  /// The items of the query that have the latitude and the longitude.
  private var coordinates: [String]?
  /// The radius around them, in metres.
  private var radius: Double?

  private enum CodingKeys: CodingKey { case id, path, query, coordinates, radius }

  init(_ rule: PlaceRule) {
    switch rule {
    case .fixed(let id): self.id = id
    case .path(let template): path = template.text
    case .query(let item): query = item
    case .coordinates(let latitude, let longitude, let radius):
      (coordinates, self.radius) = ([latitude, longitude], radius)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    if let id { try values.encode(id, forKey: .id) }
    if let path { try values.encode(path, forKey: .path) }
    if let query { try values.encode(query, forKey: .query) }
    if let coordinates { try values.encode(coordinates, forKey: .coordinates) }
    if let radius { try values.encode(radius, forKey: .radius) }
  }
}
