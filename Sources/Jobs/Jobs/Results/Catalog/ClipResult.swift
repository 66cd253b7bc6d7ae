package import Invocation

/// The `clip` object of a listing.
package struct ClipResult: Encodable {
  /// The type of the object.
  let type = "clip"
  /// The bundle identifier.
  let clip: String
  /// The app's bundle identifier.
  let app: String
  /// The application identifier prefix.
  let team: String
  /// The app's number in the App Store.
  let appStoreID: String?
  /// The app's name.
  let name: String?
  /// The hosts that the clip is associated with.
  let domains: [String]
  /// Whether the clip confirms the phone's location.
  let locationConfirmation: Bool
  /// The number of its advanced experiences.
  let experiences: Int

  package init(_ clip: AppClip, experiences: Int) {
    self.clip = clip.bundleID
    app = clip.appBundleID
    team = clip.team
    appStoreID = clip.appStoreID
    name = clip.listing.name
    domains = clip.domains
    locationConfirmation = clip.locationConfirmation
    self.experiences = experiences
  }
}
