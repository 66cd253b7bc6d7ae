// Clips in `applinks`, where they have no effect.

extension AssociationFinding {
  /// The finding for a clip in `applinks`.
  static func clipInAppLinks(_ app: SiteAssociation.ListedApp) -> AssociationFinding {
    AssociationFinding(
      .applinksClip, .warning, at: app.position,
      "The clip \(app.identifier.quotedForMessage) has no effect in “applinks”: clips have no "
        + "universal links, and URL rules do not select a clip. Remove it here and list clips in "
        + "“apps” of “appclips”.")
  }
}

extension SiteAssociation {
  /// The identifiers in `applinks` that are clips, judged by the file alone: those that `appclips`
  /// lists too, and those with the form that Xcode gives a clip. Each once.
  var linkedClips: [ListedApp] {
    guard let links = appLinks else { return [] }
    let listed = Set(appClips?.apps.map(\.identifier) ?? [])
    let all = listed.union(links.apps.map(\.identifier))
    var seen: Set<String> = []
    return links.apps.filter { app in
      // `appclips` may list the full app beside its clip, which has a longer identifier.
      let isListed = listed.contains(app.identifier)
      let isClip =
        isListed && all.contains { app.identifier.hasPrefix($0 + ".") }
        || app.hasClipName(among: all)
      return isClip && seen.insert(app.identifier).inserted
    }
  }
}

extension SiteAssociation.ListedApp {
  /// Whether the last part of the identifier is “Clip”: in that spelling after an app's identifier
  /// of at least three parts, in any case after that of an app in the file.
  fileprivate func hasClipName(among apps: Set<String>) -> Bool {
    let parts = identifier.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = parts.last, ["clip", "appclip"].contains(last.lowercased()) else {
      return false
    }
    let app = parts.dropLast().joined(separator: ".")
    return apps.contains(app) || parts.count > 4 && ["Clip", "AppClip"].contains(last)
  }
}
