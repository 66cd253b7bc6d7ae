/// An entry of `com.apple.developer.associated-domains`: `service:host?mode=…`.
package struct AssociatedDomain: Hashable, Sendable {
  /// What the entry is for.
  package let service: SiteAssociation.Service
  /// The host; for `applinks` and `webcredentials` perhaps with a wildcard in front.
  package let host: String
  /// The modes, `developer` and `managed`; with any of them the file is fetched from the host itself,
  /// and only by builds for development or on managed devices.
  package let modes: Set<String>

  /// Why a text is not an entry.
  package struct Problem: Error, Hashable, Sendable {
    /// The kind of finding that it is.
    package let code: Finding.Code
    /// What is wrong, and what to write instead.
    package let message: String
    /// What App Store Connect probably says to it.
    package let domainError: DomainErrorCode
  }

  /// Reads an entry.
  ///
  /// The host of an `appclips:` entry is exact: no scheme, wildcard, path, slash or port.
  package init(_ entry: String) throws(Problem) {
    let shown = entry.quotedForMessage
    let parts = entry.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let services = SiteAssociation.Service.allCases.map(\.rawValue)
    guard parts.count == 2, let service = SiteAssociation.Service(rawValue: String(parts[0]))
    else {
      let near = parts.count == 2 ? String(parts[0]).suggestion(among: services) : ""
      let known = services.map { $0 + ":" }.joined(separator: ", ")
      throw Problem(
        code: .entitlementService,
        message:
          "The associated domain \(shown) does not begin with a service.\(near) The services "
          + "are \(known) in this case; write appclips: and the host.",
        domainError: .invalidEntitlementUnhandledSection)
    }
    let ends = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.service = service
    host = try Self.host(String(ends[0]), of: service, in: shown)
    modes = try ends.count > 1 ? Self.modes(ends[1], in: shown) : []
  }

  private static func host(
    _ text: String, of service: SiteAssociation.Service, in shown: String
  ) throws(Problem) -> String {
    // Only what is said about App Clips is known to hold for every entry of the service.
    guard service == .appClips else { return text.lowercased() }
    if let problem = AppClip.problem(withDomain: text) {
      throw Problem(
        code: .entitlementDomainForm,
        message: "The associated domain \(shown) is malformed. "
          + problem, domainError: .invalidEntitlementSyntaxError)
    }
    return (try? HostName.parse(text)) ?? text
  }

  private static func modes(_ text: Substring, in shown: String) throws(Problem) -> Set<String> {
    let prefix = "mode="
    let modes = Set(
      text.dropFirst(prefix.count).split(separator: "+", omittingEmptySubsequences: false)
        .map(String.init))
    guard text.hasPrefix(prefix), modes.isSubset(of: ["developer", "managed"]) else {
      throw Problem(
        code: .entitlementDomainForm,
        message: "The associated domain \(shown) is malformed. Only ?mode=developer, ?mode=managed "
          + "or ?mode=developer+managed may follow the host.",
        domainError: .invalidEntitlementSyntaxError)
    }
    return modes
  }
}
