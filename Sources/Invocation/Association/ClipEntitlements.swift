/// The entitlements of an App Clip's target that decide whether URLs can invoke it.
package struct ClipEntitlements: Hashable, Sendable {
  /// `com.apple.developer.associated-domains`.
  package var associatedDomains: [String]
  /// `com.apple.developer.parent-application-identifiers`.
  package var parentApplicationIdentifiers: [String]
  /// `com.apple.developer.on-demand-install-capable`; `nil` when it is missing.
  package var onDemandInstallCapable: Bool?

  /// Makes entitlements.
  package init(
    associatedDomains: [String], parentApplicationIdentifiers: [String],
    onDemandInstallCapable: Bool?
  ) {
    self.associatedDomains = associatedDomains
    self.parentApplicationIdentifiers = parentApplicationIdentifiers
    self.onDemandInstallCapable = onDemandInstallCapable
  }

  /// What is wrong or worth knowing.
  ///
  /// - Parameters:
  ///   - clip: The clip whose entitlements they are.
  ///   - hosts: The hosts whose URLs are to invoke it, A-labels in lower case.
  package func findings(for clip: AppClip, on hosts: [String]) -> [AssociationFinding] {
    var findings = domainFindings(associatedDomains, of: "clip", on: hosts)
    for entry in associatedDomains where (try? AssociatedDomain(entry))?.service == .appLinks {
      findings.append(
        AssociationFinding(
          .entitlementClipService, .warning,
          "The clip's associated domain \(entry.quotedForMessage) does nothing: a clip cannot have "
            + "universal links. Write appclips: for the clip, and applinks: for the app."))
    }
    let parent = clip.appApplicationIdentifier
    if parentApplicationIdentifiers.map({ clip.expanded($0) }) != [parent] {
      findings.append(
        AssociationFinding(
          .entitlementParentApp, .error,
          "The clip's com.apple.developer.parent-application-identifiers has "
            + "\(listed(parentApplicationIdentifiers)); it has to be \(parent) alone."))
    }
    if onDemandInstallCapable != true {
      findings.append(
        AssociationFinding(
          .entitlementOnDemand, .error,
          "The clip's com.apple.developer.on-demand-install-capable is "
            + "\(onDemandInstallCapable == nil ? "missing" : "false"); it has to be true."))
    }
    return findings
  }
}

/// The entitlements of the full app's target that decide whether URLs can invoke its clip.
package struct AppEntitlements: Hashable, Sendable {
  /// `com.apple.developer.associated-domains`.
  package var associatedDomains: [String]
  /// `com.apple.developer.associated-appclip-app-identifiers`, which Xcode adds when it archives;
  /// `nil` when it is missing.
  package var associatedAppClipIdentifiers: [String]?

  /// Makes entitlements.
  package init(associatedDomains: [String], associatedAppClipIdentifiers: [String]? = nil) {
    self.associatedDomains = associatedDomains
    self.associatedAppClipIdentifiers = associatedAppClipIdentifiers
  }

  /// What is wrong or worth knowing.
  ///
  /// - Parameters:
  ///   - clip: The app's clip.
  ///   - hosts: The hosts whose URLs are to invoke the clip, A-labels in lower case.
  package func findings(for clip: AppClip, on hosts: [String]) -> [AssociationFinding] {
    var findings = domainFindings(associatedDomains, of: "app", on: hosts)
    let key = "The app's com.apple.developer.associated-appclip-app-identifiers"
    let wanted = clip.applicationIdentifier
    guard let clips = associatedAppClipIdentifiers else {
      findings.append(
        AssociationFinding(
          .entitlementAppClip, .note,
          "\(key) is missing; Xcode adds it when it archives the app with its clip."))
      return findings
    }
    if clips.map({ clip.expanded($0) }) != [wanted] {
      findings.append(
        AssociationFinding(
          .entitlementAppClip, .error, "\(key) has \(listed(clips)); it has to be \(wanted) alone.")
      )
    }
    return findings
  }
}

extension AppClip {
  /// An identifier of an entitlements file with what Xcode puts in for its variables.
  fileprivate func expanded(_ identifier: String) -> String {
    for variable in ["$(AppIdentifierPrefix)", "$(TeamIdentifierPrefix)"]
    where identifier.hasPrefix(variable) {
      return "\(team).\(identifier.dropFirst(variable.count))"
    }
    return identifier
  }
}

private func listed(_ identifiers: [String]) -> String {
  identifiers.isEmpty
    ? "no identifier"
    : identifiers.prefix(3).map(\.quotedForMessage).joined(separator: ", ")
      + (identifiers.count > 3 ? " and more" : "")
}

/// The rules for associated domains, the same for both targets.
private func domainFindings(
  _ entries: [String], of target: String, on hosts: [String]
) -> [AssociationFinding] {
  var findings: [AssociationFinding] = []
  var domains: [AssociatedDomain] = []
  for entry in entries {
    do throws(AssociatedDomain.Problem) {
      domains.append(try AssociatedDomain(entry))
    } catch {
      findings.append(
        AssociationFinding(
          error.code, .error, as: error.domainError, "Of the \(target): \(error.message)"))
    }
  }
  for host in hosts {
    let own = domains.filter { $0.service == .appClips && $0.host == host }
    if own.isEmpty {
      let has = domains.contains { $0.host == host }
      findings.append(
        AssociationFinding(
          .entitlementNoDomain, .error,
          "The \(target)'s associated domains lack appclips:\(host)"
            + (has ? ", which is needed beside other services" : "")
            + "; both app and clip need it for each host."))
    } else if own.allSatisfy({ !$0.modes.isEmpty }) {
      findings.append(
        AssociationFinding(
          .entitlementMode, .warning,
          "The \(target) has appclips:\(host) only with ?mode=; customers need it without."))
    } else if own.contains(where: { !$0.modes.isEmpty }) {
      findings.append(
        AssociationFinding(
          .entitlementMode, .note,
          "The \(target) has appclips:\(host) with ?mode= too, which asks the host itself in builds "
            + "for development and on managed devices."))
    }
  }
  return findings
}
