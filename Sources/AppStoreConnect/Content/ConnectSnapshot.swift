package import Invocation

/// One app's clips in App Store Connect, in its own words: values that it may add to are kept as
/// text.
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
  package var clips: [ConnectClip]
  /// What was found that the documentation does not say, as sentences.
  public var notes: [String]
}

/// One clip (`appClips`).
package struct ConnectClip: Hashable, Sendable {
  /// The resource's identifier.
  package var id: String
  /// The clip's bundle identifier.
  package var bundleID: String
  /// The default experience: that of the version in the App Store, else the last.
  package var defaultExperience: ConnectDefaultExperience?
  /// The advanced experiences, in App Store Connect's order.
  package var experiences: [ConnectExperience]
  /// The clip in the build of the version on sale; in the newest one while none is.
  package var bundle: ConnectBundle?
}

/// A default experience (`appClipDefaultExperiences`).
package struct ConnectDefaultExperience: Hashable, Sendable {
  /// The resource's identifier.
  package var id: String
  /// The word on the button.
  package var action: String?
  /// Whether its version is in the App Store.
  package var isReleased: Bool?
  /// The texts and pictures by locale.
  package var localizations: [ConnectLocalization]
  /// What reviewers are told to open (`appClipAppStoreReviewDetails`).
  package var reviewURLs: [String]
}

/// Texts in one language or locale.
package struct ConnectLocalization: Hashable, Sendable {
  /// The resource's identifier.
  package var id: String
  /// A locale such as `en-US` of a default experience, a language such as `EN` of an advanced one.
  package var language: String
  /// The title; default experiences have none.
  package var title: String?
  /// The subtitle.
  package var subtitle: String?
  /// The picture of this locale; advanced experiences have one for all.
  package var image: HeaderImage?
}

/// An advanced experience (`appClipAdvancedExperiences`).
package struct ConnectExperience: Hashable, Sendable {
  /// The resource's identifier.
  package var id: String
  /// The link, which never changes.
  package var link: String
  /// The word on the button.
  package var action: String?
  /// Whether the clip was made for another business.
  package var isPoweredBy: Bool
  /// The language whose texts stand for all others.
  package var defaultLanguage: String?
  /// Whether it is served.
  package var status: String?
  /// Whether Maps knows the place.
  package var placeStatus: String?
  /// What kind of business it is.
  package var businessCategory: String?
  /// The texts by language.
  package var localizations: [ConnectLocalization]
  /// The picture.
  package var image: HeaderImage?
  /// The place as it came, in JSON: Maps' business, not the registry's.
  package var place: String?

  /// Whether phones are served it.
  package var isServed: Bool { status == nil || status == ExperienceStatus.received.rawValue }
}

/// The clip's part of a build (`buildBundles`).
package struct ConnectBundle: Hashable, Sendable {
  /// The resource's identifier.
  package var id: String
  /// The lowest version of iOS.
  package var minimumOSVersion: String?
  /// The team, as the entitlements name it.
  package var team: String?
  /// The hosts of the `appclips:` entitlements without a mode; nil when the entitlements are not
  /// known.
  package var domains: [String]?
  /// The largest size once installed, in bytes.
  package var installBytes: Int?
  /// The invocations of TestFlight, of the newest build: URL and title.
  package var invocations: [ConnectInvocation]
  /// What Apple's network last found of the domains.
  package var domainStatuses: [ConnectDomainStatus]
}

/// An invocation in TestFlight (`betaAppClipInvocations`).
package struct ConnectInvocation: Hashable, Sendable {
  /// The URL.
  package var url: String
  /// What testers see, in the first language.
  package var title: String
}

/// The state of one domain (`appClipDomainStatuses`).
package struct ConnectDomainStatus: Hashable, Sendable {
  /// The host.
  package var domain: String
  /// Whether clips are served for it.
  package var isValid: Bool
  /// Why not.
  package var errorCode: String?
  /// When Apple looked last, as App Store Connect writes it.
  package var updated: String?
}
