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

  /// `applinks`: which URLs of the host open which installed app.
  public struct AppLinks: Hashable, Sendable {
    /// What holds for every rule that does not say otherwise.
    public var defaults: LinkRule
    /// Own variables: the texts that `$(name)` stands for, by name.
    public var substitutionVariables: [String: [String]]
    /// The apps with their rules, in the order in which they are tried.
    public var details: [Detail]
    /// Every application identifier in the service with its place, also those that nobody reads.
    package var apps: [ListedApp]
    /// Where the service stands in the file.
    package let position: DocumentPosition

    /// Makes the service.
    package init(
      defaults: LinkRule = LinkRule(), substitutionVariables: [String: [String]] = [:],
      details: [Detail] = [], apps: [ListedApp] = [],
      position: DocumentPosition = DocumentPosition(line: 1, column: 1)
    ) {
      self.defaults = defaults
      self.substitutionVariables = substitutionVariables
      self.details = details
      self.apps = apps
      self.position = position
    }
  }

  /// One entry of `details`: apps, and the rules for their URLs.
  public struct Detail: Hashable, Sendable {
    /// The application identifiers: of `appIDs`, or of `appID` where that is missing.
    public var appIDs: [String]
    /// What holds for the rules of this entry that do not say otherwise.
    public var defaults: LinkRule
    /// The rules in the order in which they are tried; the first that fits decides.
    public var rules: [LinkRule]
    /// Where the entry stands in the file.
    package let position: DocumentPosition

    /// Makes an entry.
    package init(
      appIDs: [String], defaults: LinkRule = LinkRule(), rules: [LinkRule],
      position: DocumentPosition = DocumentPosition(line: 1, column: 1)
    ) {
      self.appIDs = appIDs
      self.defaults = defaults
      self.rules = rules
      self.position = position
    }
  }

  /// One of `components`, one of the older `paths`, or `defaults`, which have the same keys.
  ///
  /// What is `nil` is taken from the defaults of the entry, then from those of the service.
  public struct LinkRule: Hashable, Sendable {
    /// Where a rule comes from.
    public enum Origin: Hashable, Sendable {
      /// The item of `components` with this index, from 0.
      case component(Int)
      /// The item of `paths` with this index, from 0.
      case path(Int)
      /// `defaults`.
      case defaults
    }

    /// What a rule wants of the query.
    public enum Query: Hashable, Sendable {
      /// A pattern for the whole query.
      case whole(String)
      /// Patterns for the values of named items; others may be there.
      case items([QueryItemRule])
      /// A dictionary that holds a value which is no text, and is therefore not looked at
      /// (observed of Apple's `swcutil`).
      case unreadable
    }

    /// Where the rule comes from.
    public var origin: Origin
    /// `/`: a pattern for the path.
    public var path: String?
    /// `?`: what the query has to be.
    public var query: Query?
    /// `#`: a pattern for the fragment.
    public var fragment: String?
    /// `exclude`: whether a URL that fits does not open the app.
    public var exclude: Bool?
    /// `caseSensitive`: whether case matters.
    public var caseSensitive: Bool?
    /// `percentEncoded`: whether the URL is compared as it is written, not decoded.
    public var percentEncoded: Bool?
    /// `comment`: the author's words.
    public var comment: String?
    /// Where the rule stands in the file.
    public var position: DocumentPosition

    /// Makes a rule.
    package init(
      origin: Origin = .defaults, path: String? = nil, query: Query? = nil,
      fragment: String? = nil, exclude: Bool? = nil, caseSensitive: Bool? = nil,
      percentEncoded: Bool? = nil, comment: String? = nil,
      position: DocumentPosition = DocumentPosition(line: 1, column: 1)
    ) {
      self.origin = origin
      self.path = path
      self.query = query
      self.fragment = fragment
      self.exclude = exclude
      self.caseSensitive = caseSensitive
      self.percentEncoded = percentEncoded
      self.comment = comment
      self.position = position
    }

    /// The rule as a path into the file: `components[2]`.
    public var name: String {
      switch origin {
      case .component(let index): "components[\(index)]"
      case .path(let index): "paths[\(index)]"
      case .defaults: "defaults"
      }
    }

    /// The rule with what it leaves out taken from defaults.
    package func completed(by defaults: LinkRule) -> LinkRule {
      var rule = self
      rule.path = path ?? defaults.path
      rule.query = query ?? defaults.query
      rule.fragment = fragment ?? defaults.fragment
      rule.exclude = exclude ?? defaults.exclude
      rule.caseSensitive = caseSensitive ?? defaults.caseSensitive
      rule.percentEncoded = percentEncoded ?? defaults.percentEncoded
      return rule
    }
  }

  /// What a rule wants of each query item of a name.
  public struct QueryItemRule: Hashable, Sendable {
    /// The item's name.
    public let name: String
    /// The pattern for its value.
    public let pattern: String

    /// Makes a rule.
    package init(name: String, pattern: String) {
      self.name = name
      self.pattern = pattern
    }
  }
}
