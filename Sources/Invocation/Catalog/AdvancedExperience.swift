#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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

/// The texts of a card in one language.
public struct CardLocalization: Hashable, Sendable {
  /// The language: a code such as `DE` for advanced experiences, a locale such as `de-DE` for
  /// default ones, as App Store Connect has them.
  public let language: String
  /// The title; a default experience has none, as it shows the app's name.
  public let title: String?
  /// The subtitle.
  public let subtitle: String?

  /// Makes the texts of one language.
  public init(language: String, title: String?, subtitle: String?) {
    self.language = language
    self.title = title
    self.subtitle = subtitle
  }
}

/// The picture on a card.
public struct HeaderImage: Hashable, Sendable {
  /// The file's name.
  public let file: String
  /// Width and height in pixels, where they are known.
  public let size: Size?

  /// Width and height in pixels.
  public struct Size: Hashable, Sendable {
    /// Pixels across.
    public let width: Int
    /// Pixels down.
    public let height: Int

    /// Makes a size.
    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// Makes a picture.
  public init(file: String, size: Size? = nil) {
    self.file = file
    self.size = size
  }

  /// What App Store Connect takes: 1800 × 1200 pixels, PNG or JPEG without transparency (App Store
  /// Connect Help, "App Clip header image").
  public static let requiredSize = Size(width: 1800, height: 1200)
}
