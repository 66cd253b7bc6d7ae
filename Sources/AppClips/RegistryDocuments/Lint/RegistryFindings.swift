import CliptagBasics
public import Invocation

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Finding.Code {
  public static let prefixCollision = Self(
    "prefix-collision",
    "Two active links on one host share a text prefix, but not the same path segments.")
  public static let redundantExperience = Self(
    "redundant-experience",
    "A shorter link of the same clip shows the same card, so the longer one is redundant.")
  public static let overlappingClips = Self(
    "overlapping-clips", "A link of one clip is under a link of another.")
  public static let severalClipsOfApp = Self(
    "several-clips-of-app", "An app has several clips in the registry, and one is the maximum.")
  public static let noDefaultExperience = Self(
    "no-default-experience",
    "A clip has no default experience, which App Store Connect requires for every clip.")
  public static let placesTooClose = Self(
    "places-too-close",
    "Two places are so close that a code mounted at the wrong one would be confirmed.")
  public static let linkPattern = Self(
    "link-pattern",
    "A registered link has a pattern character or a fragment, which prefixes do not support.")
  public static let headerImageSize = Self(
    "header-image-size", "A card's picture does not have 1800 × 1200 pixels.")
  public static let missingLocalization = Self(
    "missing-localization", "An experience lacks a language that most of the clip's others have.")
  public static let placeNotInMaps = Self(
    "place-not-in-maps",
    "Maps does not have the place of an experience, so it never offers the clip there.")
  public static let orphanedCode = Self(
    "orphaned-code",
    "An issued code was accepted before a change of the registry, and no longer is.")
  public static let placeAdded = Self(
    "place-added", "An issued code's URL names a place that was added after its issue.")
  public static let unhandledLink = Self(
    "unhandled-link",
    "No route of the app accepts the registered link itself, which Maps and Siri pass.")
  public static let unhandledCode = Self(
    "unhandled-code", "No route of the app accepts the URL of an issued code.")

  /// The codes above, in the order of the documentation.
  package static let ofRegistries: [Self] = [
    .prefixCollision, .redundantExperience, .overlappingClips, .severalClipsOfApp,
    .noDefaultExperience, .placesTooClose, .linkPattern, .headerImageSize, .missingLocalization,
    .placeNotInMaps, .orphanedCode, .placeAdded, .unhandledLink, .unhandledCode,
  ]
}

extension RegistryDocument {
  /// Returns the doubtful points of a registry as a whole, most severe first.
  ///
  /// - `prefix-collision` (warning): `/location1` and `/location10`. Which of them a phone takes for
  ///   a URL is not documented.
  /// - `overlapping-clips` (warning), `duplicate-link` (error): links of two clips on one host, of
  ///   which one covers the other.
  /// - `several-clips-of-app` (warning): an app has exactly one clip.
  /// - `no-place` (warning): a clip asks for location confirmation, and some of its links name no
  ///   place.
  /// - `redundant-experience` (note): a longer link that changes nothing.
  /// - `query-in-link` (warning): the order of query items, and items in front, break such a link.
  /// - `unassociated-host` (error): the link's host is not among the clip's domains.
  /// - `unknown-clip`, `unknown-place` (error): an experience names a clip or place that is not in
  ///   the registry.
  /// - `no-default-experience` (note): other URLs on the clip's hosts have no experience.
  /// - `places-too-close` (warning): a swapped poster would pass the location confirmation.
  /// - `sign-suspect` (warning): a place lies alone, and near others with a sign changed or with
  ///   latitude and longitude exchanged.
  /// - `polygon-not-confirmable`, `several-regions-not-confirmable` (note): a phone confirms one
  ///   circle only.
  /// - `domain-status` (error), `clip-too-large` (error or warning), `header-image-size` and
  ///   `place-not-in-maps` (warning), `missing-localization` (note): facts of App Store Connect.
  ///
  /// The running time is O(n·log n) in the number of experiences and of places.
  public func findings() -> [Finding] {
    (ExperienceLint(self).findings() + ListingLint(document: self).findings()
      + PlaceLint(places).findings()).sorted {
        ($1.severity, $0.code.rawValue, $0.message) < ($0.severity, $1.code.rawValue, $1.message)
      }
  }
}
