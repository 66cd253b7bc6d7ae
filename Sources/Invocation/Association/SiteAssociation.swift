/// What an `apple-app-site-association` file says: which apps a host trusts, and with which of its
/// URLs.
///
/// Only the `appclips` service matters for opening App Clips; `applinks` decides whether the full
/// app opens a URL when it is installed. `read(_:)` makes one from a file's bytes.
public struct SiteAssociation: Hashable, Sendable {
  /// `applinks`: the URLs that open installed apps.
  public var appLinks: AppLinks?
  /// `appclips`: the App Clips that URLs of the host may invoke.
  public var appClips: AppList?
  /// `webcredentials`: the apps that share passwords with the site.
  public var webCredentials: AppList?
  /// `activitycontinuation`: the apps that take over activities (Handoff).
  public var activityContinuation: AppList?

  /// Makes an association.
  package init(
    appLinks: AppLinks? = nil, appClips: AppList? = nil, webCredentials: AppList? = nil,
    activityContinuation: AppList? = nil
  ) {
    self.appLinks = appLinks
    self.appClips = appClips
    self.webCredentials = webCredentials
    self.activityContinuation = activityContinuation
  }

  /// The services that a file may name, as they are spelled in it.
  public enum Service: String, Hashable, Sendable, CaseIterable {
    /// Universal links.
    case appLinks = "applinks"
    /// App Clips.
    case appClips = "appclips"
    /// Shared web credentials.
    case webCredentials = "webcredentials"
    /// Handoff.
    case activityContinuation = "activitycontinuation"
  }

  /// The apps of a service that knows nothing else: `{ "apps": […] }`.
  public struct AppList: Hashable, Sendable {
    /// The identifiers, in the order of the file.
    public var apps: [ListedApp]
    /// Where the service stands in the file.
    package let position: DocumentPosition

    /// Makes a list.
    package init(apps: [ListedApp], position: DocumentPosition) {
      self.apps = apps
      self.position = position
    }
  }

  /// An application identifier and its place in the file.
  public struct ListedApp: Hashable, Sendable {
    /// Application identifier prefix, dot, bundle identifier; as written.
    public let identifier: String
    /// Where it stands.
    public let position: DocumentPosition

    /// Makes a listed app.
    package init(identifier: String, position: DocumentPosition) {
      self.identifier = identifier
      self.position = position
    }

    /// What stands before the first dot.
    public var prefix: String { String(identifier.prefix { $0 != "." }) }
    /// What stands behind the first dot; empty without one.
    public var bundleID: String { String(identifier.drop { $0 != "." }.dropFirst()) }
  }
}

extension AppClip {
  /// The clip's application identifier, which a site's association has to list.
  public var applicationIdentifier: String { "\(team).\(bundleID)" }
  /// The full app's application identifier.
  public var appApplicationIdentifier: String { "\(team).\(appBundleID)" }
}
