#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One advanced experience of a clip.
public struct AdvancedExperience: Hashable, Sendable {
  /// The bundle identifier of the clip it belongs to.
  public let clip: String
  /// The registered URL prefix.
  public let link: InvocationURL
  /// The card of the experience.
  public let card: ExperienceCard
  /// The default language, one of App Store Connect's codes such as `EN`.
  public let language: String
  /// The status, which decides whether it is served.
  public let status: ExperienceStatus
  /// The rule by which a payload under ``link`` names its place.
  public var place: PlaceRule?
  /// The other data of App Store Connect.
  public var listing: ExperienceListing

  /// Makes an experience.
  public init(
    clip: String, link: InvocationURL, card: ExperienceCard, language: String = "EN",
    status: ExperienceStatus = .received, place: PlaceRule? = nil,
    listing: ExperienceListing = ExperienceListing()
  ) {
    self.clip = clip
    self.link = link
    self.card = card
    self.language = language
    self.status = status
    self.place = place
    self.listing = listing
  }
}

/// The status of an advanced experience in App Store Connect.
public enum ExperienceStatus: String, Hashable, Sendable, CaseIterable {
  /// Active; the only status that takes part in matching.
  case received = "RECEIVED"
  /// Switched off.
  case deactivated = "DEACTIVATED"
  /// The app is being transferred.
  case appTransferInProgress = "APP_TRANSFER_IN_PROGRESS"
}

/// The data of an advanced experience in App Store Connect besides its link, card, language and
/// status (`AppClipAdvancedExperience` of the App Store Connect API 4.4).
///
/// Every value may be unknown; matching needs none of them.
public struct ExperienceListing: Hashable, Sendable {
  /// The resource's identifier in App Store Connect.
  public var identifier: String?
  /// The card's texts in other languages, by App Store Connect's codes such as `DE`; each language
  /// at most once.
  public var localizations: [CardLocalization]
  /// The card's picture.
  public var image: HeaderImage?
  /// Whether the clip was made on behalf of another business ("Powered by").
  public var isPoweredBy: Bool
  /// The category of the business, one of ``businessCategories``.
  public var businessCategory: String?
  /// The status of the experience's place in Maps.
  public var placeStatus: PlaceStatus?
  /// The time when the experience was registered or last changed.
  public var changed: Date?

  /// Makes a listing; without arguments, all values are unknown.
  public init(
    identifier: String? = nil, localizations: [CardLocalization] = [], image: HeaderImage? = nil,
    isPoweredBy: Bool = false, businessCategory: String? = nil, placeStatus: PlaceStatus? = nil,
    changed: Date? = nil
  ) {
    self.identifier = identifier
    self.localizations = localizations
    self.image = image
    self.isPoweredBy = isPoweredBy
    self.businessCategory = businessCategory
    self.placeStatus = placeStatus
    self.changed = changed
  }

  /// The 27 categories of App Store Connect (`businessCategory`).
  public static let businessCategories = [
    "AUTOMOTIVE", "BEAUTY", "BIKES", "BOOKS", "CASINO", "EDUCATION", "EDUCATION_JAPAN",
    "ENTERTAINMENT", "EV_CHARGER", "FINANCIAL_USD", "FINANCIAL_CNY", "FINANCIAL_GBP",
    "FINANCIAL_JPY", "FINANCIAL_EUR", "FITNESS", "FOOD_AND_DRINK", "GAS", "GROCERY",
    "HEALTH_AND_MEDICAL", "HOTEL_AND_TRAVEL", "MUSIC", "PARKING", "PET_SERVICES",
    "PROFESSIONAL_SERVICES", "SHOPPING", "TICKETING", "TRANSIT",
  ]
}

/// The status of an experience's place in Maps (`placeStatus`).
public enum PlaceStatus: String, Hashable, Sendable, CaseIterable {
  /// Apple has not finished the search.
  case pending = "PENDING"
  /// Maps has the place, and shows the clip there.
  case matched = "MATCHED"
  /// Maps has no such place, and does not show the clip.
  case noMatch = "NO_MATCH"
}
