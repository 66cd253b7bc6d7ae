public import Invocation

/// What App Store Connect holds of one app's clips, in its own words: values that it may add to are
/// kept as text.
public struct ConnectSnapshot: Hashable, Sendable {
  /// The app's number in the App Store (`apps.id`).
  public var app: String
  /// The app's bundle identifier.
  public var bundleID: String
  /// The app's name.
  public var name: String?
  /// The locale whose texts stand for all others, for example `en-US`.
  public var primaryLocale: String?
  /// The app's clips.
  public var clips: [ConnectClip]
  /// What was found that the documentation does not say, as sentences.
  public var notes: [String]
}

/// One clip (`appClips`).
public struct ConnectClip: Hashable, Sendable {
  /// The resource's identifier.
  public var id: String
  /// The clip's bundle identifier.
  public var bundleID: String
  /// The default experience: that of the version in the App Store, else the last.
  public var defaultExperience: ConnectDefaultExperience?
  /// The advanced experiences, in App Store Connect's order.
  public var experiences: [ConnectExperience]
  /// The clip in the newest build.
  public var bundle: ConnectBundle?
}

/// A default experience (`appClipDefaultExperiences`).
public struct ConnectDefaultExperience: Hashable, Sendable {
  /// The resource's identifier.
  public var id: String
  /// The word on the button.
  public var action: String?
  /// Whether its version is in the App Store.
  public var isReleased: Bool?
  /// The texts and pictures by locale.
  public var localizations: [ConnectLocalization]
  /// What reviewers are told to open (`appClipAppStoreReviewDetails`).
  public var reviewURLs: [String]
}

/// Texts in one language or locale.
public struct ConnectLocalization: Hashable, Sendable {
  /// The resource's identifier.
  public var id: String
  /// A locale such as `en-US` of a default experience, a language such as `EN` of an advanced one.
  public var language: String
  /// The title; default experiences have none.
  public var title: String?
  /// The subtitle.
  public var subtitle: String?
  /// The picture of this locale; advanced experiences have one for all.
  public var image: HeaderImage?
}

/// An advanced experience (`appClipAdvancedExperiences`).
public struct ConnectExperience: Hashable, Sendable {
  /// The resource's identifier.
  public var id: String
  /// The link, which never changes.
  public var link: String
  /// The word on the button.
  public var action: String?
  /// Whether the clip was made for another business.
  public var isPoweredBy: Bool
  /// The language whose texts stand for all others.
  public var defaultLanguage: String?
  /// Whether it is served.
  public var status: String?
  /// Whether Maps knows the place.
  public var placeStatus: String?
  /// What kind of business it is.
  public var businessCategory: String?
  /// The texts by language.
  public var localizations: [ConnectLocalization]
  /// The picture.
  public var image: HeaderImage?
  /// The place as it came, in JSON: Maps' business, not the registry's.
  public var place: String?

  /// Whether phones are served it.
  public var isServed: Bool { status == nil || status == ExperienceStatus.received.rawValue }
}

/// The clip's part of a build (`buildBundles`).
public struct ConnectBundle: Hashable, Sendable {
  /// The resource's identifier.
  public var id: String
  /// The lowest version of iOS.
  public var minimumOSVersion: String?
  /// The team, as the entitlements name it.
  public var team: String?
  /// The hosts of the `appclips:` entitlements without a mode; nil when the entitlements are not
  /// known.
  public var domains: [String]?
  /// The largest size once installed, in bytes.
  public var installBytes: Int?
  /// The invocations of TestFlight: URL and title.
  public var invocations: [ConnectInvocation]
  /// What Apple's network last found of the domains.
  public var domainStatuses: [ConnectDomainStatus]
}

/// An invocation in TestFlight (`betaAppClipInvocations`).
public struct ConnectInvocation: Hashable, Sendable {
  /// The URL.
  public var url: String
  /// What testers see, in the first language.
  public var title: String
}

/// What was found of one domain (`appClipDomainStatuses`).
public struct ConnectDomainStatus: Hashable, Sendable {
  /// The host.
  public var domain: String
  /// Whether clips are served for it.
  public var isValid: Bool
  /// Why not.
  public var errorCode: String?
  /// When Apple looked last, as App Store Connect writes it.
  public var updated: String?
}
