/// Checks whether a host's association file lets its URLs invoke a clip.
public struct SiteAssociationCheck: Sendable {
  /// The host that serves the file, an A-label in lower case; `nil` if unknown.
  package let host: String?
  /// The clip that the host's URLs should invoke.
  package let clip: AppClip
  /// Clips that are known to belong to the host as well.
  package let otherClips: [AppClip]

  /// Makes a check.
  public init(host: String?, clip: AppClip, otherClips: [AppClip] = []) {
    self.host = host
    self.clip = clip
    self.otherClips = otherClips
  }

  /// Whether a file lists the clip, with exactly its identifier.
  public func isListed(in association: SiteAssociation) -> Bool {
    association.appClips?.apps.contains { $0.identifier == clip.applicationIdentifier } ?? false
  }

  /// The findings about the clip in a file, besides those from reading it.
  public func findings(in association: SiteAssociation) -> [AssociationFinding] {
    var findings: [AssociationFinding] = []
    if let host, !clip.domains.contains(host) {
      findings.append(
        AssociationFinding(
          .associationForeignHost, .warning,
          "The clip \(clip.bundleID) does not have \(host) among its domains, so iOS does not fetch "
            + "this file; add appclips:\(host) to the entitlements and \(host) to the registry."))
    }
    let linked = association.appLinks?.apps.first {
      [$0.identifier, $0.bundleID].contains(clip.bundleID)
    }
    if let linked { findings.append(.clipInAppLinks(linked)) }
    guard let list = association.appClips else {
      findings.append(
        AssociationFinding(
          .associationNoAppClips, .error, as: .invalidEntitlementMissingSection,
          "The file has no “appclips”, so the host invokes no clip; add "
            + "\"appclips\": { \"apps\": [\"\(clip.applicationIdentifier)\"] }."))
      return findings
    }
    if !isListed(in: association) { findings.append(missing(from: list)) }
    return findings + notes(about: list)
  }

  /// The finding for a clip that is not listed, based on the identifiers that are.
  private func missing(from list: SiteAssociation.AppList) -> AssociationFinding {
    let wanted = clip.applicationIdentifier
    func finding(
      _ code: Finding.Code, _ app: SiteAssociation.ListedApp, _ what: String
    ) -> AssociationFinding {
      AssociationFinding(
        code, .error, at: app.position, as: .invalidEntitlementUnknownID,
        "\(app.identifier.quotedForMessage) \(what); write \(wanted).")
    }
    if let app = list.apps.first(where: { $0.identifier.lowercased() == wanted.lowercased() }) {
      return finding(.associationIdentifierCase, app, "differs from the clip in capitalisation")
    }
    if let app = list.apps.first(where: { $0.bundleID == clip.bundleID }) {
      return finding(
        .associationOtherPrefix, app, "has the clip's bundle identifier with another prefix")
    }
    if let app = list.apps.first(where: { $0.identifier == clip.bundleID }) {
      return finding(
        .associationOtherPrefix, app, "has the clip's bundle identifier without a prefix")
    }
    let listsApp = list.apps.contains { $0.identifier == clip.appApplicationIdentifier }
    return AssociationFinding(
      .associationClipMissing, .error, at: list.position, as: .invalidEntitlementUnknownID,
      "“appclips” does not list the clip"
        + (listsApp ? ", only its app" : list.apps.isEmpty ? "; its list is empty" : "")
        + "; add \"\(wanted)\" to its “apps”.")
  }

  private func notes(about list: SiteAssociation.AppList) -> [AssociationFinding] {
    var notes: [AssociationFinding] = []
    let app = clip.appApplicationIdentifier
    if let listed = list.apps.first(where: { $0.identifier == app }) {
      notes.append(
        AssociationFinding(
          .associationAppListed, .note, at: listed.position,
          "\(app) is the full app, which “appclips” does not need; the entry is harmless."))
    }
    let known = Set(otherClips.map(\.applicationIdentifier))
    let others = list.apps.filter {
      let key = $0.identifier.lowercased()
      return key != clip.applicationIdentifier.lowercased() && $0.identifier != app
        && !known.contains($0.identifier) && $0.bundleID != clip.bundleID
        && $0.identifier != clip.bundleID
    }
    if let first = others.first {
      let names = others.prefix(3).map(\.identifier.quotedForMessage).joined(separator: ", ")
      notes.append(
        AssociationFinding(
          .associationOtherClips, .note, at: first.position,
          "“appclips” also lists \(names)\(others.count > 3 ? " and more" : ""), which the registry "
            + "does not have for this host."))
    }
    return notes
  }
}
