#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One advanced experience of a clip.
public struct AdvancedExperience: Hashable, Sendable {
  /// Bundle identifier of the clip it belongs to.
  public let clip: String
  /// The registered URL prefix.
  public let link: InvocationURL
  /// The card that it shows.
  public let card: ExperienceCard
  /// Default language, one of App Store Connect's codes such as `EN`.
  public let language: String
  /// Whether it is served.
  public let status: ExperienceStatus
  /// How a payload under ``link`` names the place it belongs to.
  public var place: PlaceRule?
  /// What else App Store Connect holds of it.
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

/// Whether App Store Connect serves an advanced experience.
public enum ExperienceStatus: String, Hashable, Sendable, CaseIterable {
  /// Active; the only status that takes part in matching.
  case received = "RECEIVED"
  /// Switched off.
  case deactivated = "DEACTIVATED"
  /// The app is changing hands.
  case appTransferInProgress = "APP_TRANSFER_IN_PROGRESS"
}

/// What App Store Connect holds of an advanced experience besides its link, card, language and
/// status (`AppClipAdvancedExperience` of the App Store Connect API 4.4).
///
/// Everything may be unknown; matching needs none of it.
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
  /// One of ``businessCategories``.
  public var businessCategory: String?
  /// Whether Maps knows the experience's place.
  public var placeStatus: PlaceStatus?
  /// When the experience was registered or last changed.
  public var changed: Date?

  /// Makes a listing; without arguments, one that knows nothing.
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

/// What Maps says of the place of an experience (`placeStatus`).
public enum PlaceStatus: String, Hashable, Sendable, CaseIterable {
  /// Apple is still looking.
  case pending = "PENDING"
  /// Maps has the place, and shows the clip there.
  case matched = "MATCHED"
  /// Maps has no such place, and does not show the clip.
  case noMatch = "NO_MATCH"
}
