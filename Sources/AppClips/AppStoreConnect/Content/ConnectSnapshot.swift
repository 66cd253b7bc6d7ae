package import Invocation

/// One app's clips in App Store Connect, with its terms: values that may be extended are kept as
/// text.
public struct ConnectSnapshot: Hashable, Sendable {
  /// The app's number in the App Store (`apps.id`).
  public var app: String
  /// The app's bundle identifier.
  public var bundleID: String
  /// The app's name.
  public var name: String?
  /// The primary locale, whose texts are the main ones, for example `en-US`.
  public var primaryLocale: String?
  /// The app's clips.
  package var clips: [ConnectClip]
  /// Remarks on undocumented values and on builds not yet on sale, as sentences.
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
  /// The clip in the build of the version on sale; in the newest build if no version is on sale.
  package var bundle: ConnectBundle?
}

/// A default experience (`appClipDefaultExperiences`).
package struct ConnectDefaultExperience: Hashable, Sendable {
  /// The resource's identifier.
  package var id: String
  /// The label of the button.
  package var action: String?
  /// Whether its version is in the App Store.
  package var isReleased: Bool?
  /// The texts and pictures by locale.
  package var localizations: [ConnectLocalization]
  /// The URLs for App Review (`appClipAppStoreReviewDetails`).
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
  /// The picture of this locale; advanced experiences have one for all locales.
  package var image: HeaderImage?
}

/// An advanced experience (`appClipAdvancedExperiences`).
package struct ConnectExperience: Hashable, Sendable {
  /// The resource's identifier.
  package var id: String
  /// The link, which never changes.
  package var link: String
  /// The label of the button.
  package var action: String?
  /// Whether the clip was made for another business.
  package var isPoweredBy: Bool
  /// The language of the main texts.
  package var defaultLanguage: String?
  /// The status of the experience.
  package var status: String?
  /// The status of the place in Maps.
  package var placeStatus: String?
  /// The category of the business.
  package var businessCategory: String?
  /// The texts by language.
  package var localizations: [ConnectLocalization]
  /// The picture.
  package var image: HeaderImage?
  /// The place, as unparsed JSON; it belongs to Maps, not to the registry.
  package var place: String?

  /// Whether phones are served the experience.
  package var isServed: Bool { status == nil || status == ExperienceStatus.received.rawValue }
}

/// The clip's part of a build (`buildBundles`).
package struct ConnectBundle: Hashable, Sendable {
  /// The resource's identifier.
  package var id: String
  /// The lowest version of iOS.
  package var minimumOSVersion: String?
  /// The team, from the entitlements.
  package var team: String?
  /// The hosts of the `appclips:` entitlements without a mode; nil if the entitlements are unknown.
  package var domains: [String]?
  /// The largest size once installed, in bytes.
  package var installBytes: Int?
  /// The invocations in TestFlight, of the newest build: URL and title.
  package var invocations: [ConnectInvocation]
  /// The latest status of the domains in Apple's network.
  package var domainStatuses: [ConnectDomainStatus]
}

/// An invocation in TestFlight (`betaAppClipInvocations`).
package struct ConnectInvocation: Hashable, Sendable {
  /// The URL.
  package var url: String
  /// The title shown to testers, in the first language.
  package var title: String
}

/// The state of one domain (`appClipDomainStatuses`).
package struct ConnectDomainStatus: Hashable, Sendable {
  /// The host.
  package var domain: String
  /// Whether clips are served for it.
  package var isValid: Bool
  /// The error code of a domain that is not valid.
  package var errorCode: String?
  /// The time of Apple's last check, as App Store Connect writes it.
  package var updated: String?
}
