/// The contents of an `apple-app-site-association` file: the apps that a host trusts, and its URLs
/// for them.
///
/// Only the `appclips` service matters for opening App Clips; `applinks` decides whether the full
/// app opens a URL when it is installed. `read(_:)` makes one from a file's bytes.
public struct SiteAssociation: Hashable, Sendable {
  /// The service `applinks`: the URLs that open installed apps.
  public var appLinks: AppLinks?
  /// The service `appclips`: the App Clips that URLs of the host may invoke.
  public var appClips: AppList?
  /// The service `webcredentials`: the apps that share passwords with the site.
  public var webCredentials: AppList?
  /// The service `activitycontinuation`: the apps that take over activities (Handoff).
  public var activityContinuation: AppList?

  /// The services in a file, with their spelling.
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

  /// The apps of a service without further contents: `{ "apps": […] }`.
  public struct AppList: Hashable, Sendable {
    /// The identifiers, in the order of the file.
    public var apps: [ListedApp]
    /// The position of the service in the file.
    package let position: DocumentPosition
  }

  /// An application identifier and its position in the file.
  public struct ListedApp: Hashable, Sendable {
    /// Application identifier prefix, dot, bundle identifier; as written.
    public let identifier: String
    /// The position in the file.
    public let position: DocumentPosition

    /// The part before the first dot.
    public var prefix: String { String(identifier.prefix { $0 != "." }) }
    /// The part after the first dot; empty without a dot.
    public var bundleID: String { String(identifier.drop { $0 != "." }.dropFirst()) }
  }

  /// The service `applinks`: the URLs of the host that open each installed app.
  public struct AppLinks: Hashable, Sendable {
    /// The defaults for every rule.
    public var defaults = LinkRule()
    /// The file's own variables: the texts for `$(name)`, by name.
    public var substitutionVariables: [String: [String]] = [:]
    /// The apps with their rules, in the order in which they are tried.
    public var details: [Detail] = []
    /// Every application identifier in the service with its position, including ignored ones.
    package var apps: [ListedApp] = []
    /// The position of the service in the file.
    package var position = DocumentPosition(line: 1, column: 1)
  }

  /// One entry of `details`: apps, and the rules for their URLs.
  public struct Detail: Hashable, Sendable {
    /// The application identifiers: of `appIDs`, or of `appID` if that is missing.
    public var appIDs: [String]
    /// The defaults for the rules of this entry.
    public var defaults = LinkRule()
    /// The rules in the order in which they are tried; the first that matches decides.
    public var rules: [LinkRule]
    /// The position of the entry in the file.
    package var position = DocumentPosition(line: 1, column: 1)
  }

  /// An item of `components`, an item of the older `paths`, or `defaults`, which have the same
  /// keys.
  ///
  /// A `nil` value is taken from the defaults of the entry, then from those of the service.
  public struct LinkRule: Hashable, Sendable {
    /// The origin of a rule.
    public enum Origin: Hashable, Sendable {
      /// The item of `components` with this index, from 0.
      case component(Int)
      /// The item of `paths` with this index, from 0.
      case path(Int)
      /// The object `defaults`.
      case defaults
    }

    /// The condition of a rule on the query.
    public enum Query: Hashable, Sendable {
      /// A pattern for the whole query.
      case whole(String)
      /// Patterns for the values of named items; other items are allowed.
      case items([QueryItemRule])
      /// A dictionary with a value that is not text, which is therefore ignored (observed in
      /// Apple's `swcutil`).
      case unreadable
    }

    /// The origin of the rule.
    public var origin = Origin.defaults
    /// The key `/`: a pattern for the path.
    public var path: String?
    /// The key `?`: the condition on the query.
    public var query: Query?
    /// The key `#`: a pattern for the fragment.
    public var fragment: String?
    /// The key `exclude`: whether a URL that matches does not open the app.
    public var exclude: Bool?
    /// The key `caseSensitive`: whether case matters.
    public var caseSensitive: Bool?
    /// The key `percentEncoded`: whether the URL is compared as written, not decoded.
    public var percentEncoded: Bool?
    /// The key `comment`: the author's comment.
    public var comment: String?
    /// The position of the rule in the file.
    public var position = DocumentPosition(line: 1, column: 1)

    /// The rule as a path into the file: `components[2]`.
    public var name: String {
      switch origin {
      case .component(let index): "components[\(index)]"
      case .path(let index): "paths[\(index)]"
      case .defaults: "defaults"
      }
    }

    /// Returns the rule with missing values taken from defaults.
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

  /// The condition of a rule on each query item of a name.
  public struct QueryItemRule: Hashable, Sendable {
    /// The item's name.
    public let name: String
    /// The pattern for its value.
    public let pattern: String
  }
}
