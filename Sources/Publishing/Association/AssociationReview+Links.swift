public import Invocation

extension AssociationReview {
  /// What `applinks` says about one URL and one app.
  public struct Link: Hashable, Sendable {
    /// The application identifier.
    public let app: String
    /// Whether the app opens the URL when it is installed, and why.
    public let decision: AppLinkDecision
  }

  /// The most apps that a URL is tried with; files in use list a few dozen.
  private static let maximumApps = 200

  /// Which apps open a URL when they are installed.
  ///
  /// - Parameter url: The URL. Without a host of its own, the file is taken for that of the URL's.
  /// - Returns: A decision for each app that the file names, in its order, at most 200 of them;
  ///   empty when the file names none.
  public func links(for url: InvocationURL) -> [Link] {
    guard let links = association?.appLinks else { return [] }
    let matcher = AppLinkMatcher(links, host: host ?? url.host)
    var seen: Set<String> = []
    let apps = links.details.flatMap(\.appIDs).filter { seen.insert($0).inserted }
    return apps.prefix(Self.maximumApps).map { app in
      Link(app: app, decision: matcher.decision(for: url, app: app))
    }
  }
}
