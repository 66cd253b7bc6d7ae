/// What the registry knows of one App Clip, without its advanced experiences.
public struct AppClip: Hashable, Sendable {
  /// Bundle identifier of the App Clip, for example `com.example.fruta.Clip`.
  public let bundleID: String
  /// Bundle identifier of the full app.
  public let appBundleID: String
  /// Application identifier prefix, usually the ten-character team identifier.
  public let team: String
  /// Number of the app in the App Store, for the Smart App Banner.
  public let appStoreID: String?
  /// Exact hosts of the clip's `appclips:` associated-domain entries, A-labels in lower case.
  public var domains: [String]
  /// Whether `NSAppClipRequestLocationConfirmation` is true in the clip's `Info.plist`.
  public let locationConfirmation: Bool
  /// The default experience, if the clip has one.
  public let defaultExperience: ExperienceCard?
  /// What else App Store Connect holds of it.
  public var listing: ClipListing

  /// Makes a clip.
  public init(
    bundleID: String, appBundleID: String, team: String, appStoreID: String? = nil,
    domains: [String], locationConfirmation: Bool, defaultExperience: ExperienceCard? = nil,
    listing: ClipListing = ClipListing()
  ) {
    self.bundleID = bundleID
    self.appBundleID = appBundleID
    self.team = team
    self.appStoreID = appStoreID
    self.domains = domains
    self.locationConfirmation = locationConfirmation
    self.defaultExperience = defaultExperience
    self.listing = listing
  }
}

/// The text of an App Clip card.
public struct ExperienceCard: Hashable, Sendable {
  /// Title, at most 30 characters (App Store Connect).
  public let title: String?
  /// Subtitle, at most 56 characters (App Store Connect).
  public let subtitle: String?
  /// The word on the card's button.
  public let action: CardAction

  /// Makes a card.
  public init(title: String?, subtitle: String?, action: CardAction) {
    self.title = title
    self.subtitle = subtitle
    self.action = action
  }
}

/// The call to action on an App Clip card, with App Store Connect's values.
public enum CardAction: String, Hashable, Sendable, CaseIterable {
  /// For everything that is neither media nor a game.
  case open = "OPEN"
  /// For media and information.
  case view = "VIEW"
  /// For games.
  case play = "PLAY"
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
