/// The registry's data of one App Clip, without its advanced experiences.
public struct AppClip: Hashable, Sendable {
  /// The bundle identifier of the App Clip, for example `com.example.fruta.Clip`.
  public let bundleID: String
  /// The bundle identifier of the full app.
  public let appBundleID: String
  /// The application identifier prefix, usually the ten-character team identifier.
  public let team: String
  /// The number of the app in the App Store, for the Smart App Banner.
  public let appStoreID: String?
  /// The exact hosts of the clip's `appclips:` associated-domain entries, A-labels in lower case.
  public var domains: [String]
  /// Whether `NSAppClipRequestLocationConfirmation` is true in the clip's `Info.plist`.
  public let locationConfirmation: Bool
  /// The default experience, if the clip has one.
  public let defaultExperience: ExperienceCard?
  /// The other data of App Store Connect.
  public var listing: ClipListing

  /// Makes a clip.
  ///
  /// The default arguments are Apple's defaults for a clip: no request for location confirmation,
  /// no default experience.
  public init(
    bundleID: String, appBundleID: String, team: String, appStoreID: String? = nil,
    domains: [String], locationConfirmation: Bool = false, defaultExperience: ExperienceCard? = nil,
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

  /// Makes a clip of which only the application identifier is known, such as
  /// `ABCDE12345.com.example.fruta.Clip`.
  ///
  /// - Returns: `nil` if the text is not such an identifier.
  package init?(applicationIdentifier text: String, domains: [String] = []) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let (team, bundleID) = (String(parts[0]), String(parts[1]))
    guard Self.problem(withTeam: team) == nil, Self.problem(withBundleID: bundleID) == nil,
      let dot = bundleID.lastIndex(of: ".")
    else { return nil }
    self.init(
      bundleID: bundleID, appBundleID: String(bundleID[..<dot]), team: team, domains: domains)
  }

  /// The clip's application identifier, which a site's association must list.
  public var applicationIdentifier: String { "\(team).\(bundleID)" }
  /// The full app's application identifier.
  public var appApplicationIdentifier: String { "\(team).\(appBundleID)" }
}

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The data of a clip in App Store Connect that matching does not need.
///
/// Every value may be unknown.
public struct ClipListing: Hashable, Sendable {
  /// The resource's identifier in App Store Connect.
  public var identifier: String?
  /// The app's name, which the card shows.
  public var name: String?
  /// The lowest version of iOS that the clip's binary runs on.
  public var minimumIOS: IOSVersion?
  /// Whether a version with this clip is in the App Store; default and demo links work only then.
  public var isReleased: Bool?
  /// The clip's largest size once installed, in bytes, over all devices (`buildBundleFileSizes`).
  public var installBytes: Int?
  /// The demo link that App Store Connect issued.
  public var demoLink: InvocationURL?
  /// The default experience's texts in other languages, by locales such as `de-DE`.
  public var localizations: [CardLocalization]
  /// The default experience's picture.
  public var image: HeaderImage?
  /// The time when the default experience was last changed.
  public var changed: Date?
  /// The invocations of the build that TestFlight offers, at most ``maximumTestInvocations``.
  public var testInvocations: [TestInvocation]
  /// The latest status of the clip's domains, as devices see it (`appClipDomainCacheStatus`).
  public var domainStatuses: [DomainStatus]

  /// The maximum number of invocations of a build in TestFlight (App Store Connect Help).
  public static let maximumTestInvocations = 3

  /// Makes a listing; without arguments, all values are unknown.
  public init(
    identifier: String? = nil, name: String? = nil, minimumIOS: IOSVersion? = nil,
    isReleased: Bool? = nil, installBytes: Int? = nil, demoLink: InvocationURL? = nil,
    localizations: [CardLocalization] = [], image: HeaderImage? = nil, changed: Date? = nil,
    testInvocations: [TestInvocation] = [], domainStatuses: [DomainStatus] = []
  ) {
    self.identifier = identifier
    self.name = name
    self.minimumIOS = minimumIOS
    self.isReleased = isReleased
    self.installBytes = installBytes
    self.demoLink = demoLink
    self.localizations = localizations
    self.image = image
    self.changed = changed
    self.testInvocations = testInvocations
    self.domainStatuses = domainStatuses
  }

  /// The latest status of a host, if known.
  func domainStatus(of host: String) -> DomainStatus? {
    domainStatuses.first { $0.domain == host }
  }
}

/// An invocation offered to testers in TestFlight (`betaAppClipInvocation`); no card is shown.
public struct TestInvocation: Hashable, Sendable {
  /// The URL that the clip receives.
  public let url: InvocationURL
  /// The title shown to testers.
  public let title: String

  /// Makes an invocation.
  public init(url: InvocationURL, title: String) {
    self.url = url
    self.title = title
  }
}

/// The status of the association file of one domain at Apple (`appClipDomainStatuses`).
public struct DomainStatus: Hashable, Sendable {
  /// The host.
  public let domain: String
  /// Whether clips are served for it.
  public let isValid: Bool
  /// The error code of a domain that is not valid: one of the 18 codes of App Store Connect, such
  /// as `BAD_JSON_CONTENT`.
  public let errorCode: String?
  /// The time of Apple's last check.
  public let updated: Date?

  /// Makes a status.
  public init(domain: String, isValid: Bool, errorCode: String? = nil, updated: Date? = nil) {
    self.domain = domain
    self.isValid = isValid
    self.errorCode = errorCode
    self.updated = updated
  }
}
