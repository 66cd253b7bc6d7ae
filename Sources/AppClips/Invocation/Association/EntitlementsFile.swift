public import CliptagBasics
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An entitlements file of an app or of an App Clip: Xcode's `.entitlements`, or the output of
/// `codesign -d --entitlements`, as an XML or binary property list.
public struct EntitlementsFile: Hashable, Sendable {
  /// The owner of the entitlements.
  public enum Target: String, Hashable, Sendable, CaseIterable {
    /// The full app.
    case app
    /// The App Clip.
    case clip
  }

  /// The owner of the entitlements, determined by the keys that only one of the two has.
  public let target: Target
  private let values: Values

  /// The maximum size of the file, in bytes; entitlements have a few kilobytes.
  package static let maximumSize = 1 << 16
  /// The maximum number of lists and dictionaries in an XML file; entitlements have a handful, and
  /// the parser uses the stack for nested ones.
  private static let maximumContainers = 500

  /// Reads a file.
  ///
  /// The keys that only a clip's file has (`parent-application-identifiers`,
  /// `on-demand-install-capable`) determine the target; without them the file is assumed to be the
  /// app's.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - name: The file's name in messages.
  /// - Throws: ``EntitlementsFileError``.
  public init(_ bytes: [UInt8], name: String) throws(EntitlementsFileError) {
    if let flaw = Self.flaw(of: bytes) { throw EntitlementsFileError(name, flaw) }
    do {
      values = try PropertyListDecoder().decode(Values.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw EntitlementsFileError(name, Self.reason(of: error))
    } catch {
      throw EntitlementsFileError(name, "it is not a property list")
    }
    let isClip = values.parentApplications != nil || values.onDemandInstallCapable != nil
    target = isClip ? .clip : .app
  }

  /// The clip that the file belongs to, directly or through its app.
  ///
  /// - Parameter clips: The candidates.
  /// - Returns: The clip that the file names; the only candidate, if it names none of them;
  ///   otherwise nil.
  public func clip(among clips: [AppClip]) -> AppClip? {
    let own = values.applicationIdentifier.map(Self.bundleID)
    let parents = values.parentApplications?.map(Self.bundleID) ?? []
    let children = values.associatedAppClips?.map(Self.bundleID) ?? []
    let named = clips.first { clip in
      own == clip.bundleID || own == clip.appBundleID || parents.contains(clip.appBundleID)
        || children.contains(clip.bundleID)
    }
    return named ?? (clips.count == 1 ? clips.first : nil)
  }

  /// The findings about the entitlements.
  ///
  /// - Parameters:
  ///   - clip: The clip that URLs should invoke.
  ///   - hosts: The hosts of those URLs, A-labels in lower case.
  public func findings(for clip: AppClip, on hosts: [String]) -> [AssociationFinding] {
    let domains = values.associatedDomains ?? []
    let target = self.target(for: clip)
    let foreign = foreignFinding(for: clip, target)
    switch target {
    case .app:
      return foreign
        + AppEntitlements(
          associatedDomains: domains, associatedAppClipIdentifiers: values.associatedAppClips,
          isSigned: values.isSigned
        ).findings(for: clip, on: hosts)
    case .clip:
      return foreign
        + ClipEntitlements(
          associatedDomains: domains,
          parentApplicationIdentifiers: values.parentApplications ?? [],
          onDemandInstallCapable: values.onDemandInstallCapable
        ).findings(for: clip, on: hosts)
    }
  }

  /// The owner of the entitlements for a known clip: its identifier decides if the keys do not.
  ///
  /// - Parameter clip: The clip to check against.
  public func target(for clip: AppClip) -> Target {
    let own = values.applicationIdentifier.map { BuildSettingText($0, of: clip) }
    return own?.text == clip.applicationIdentifier ? .clip : target
  }

  /// The finding that the entitlements were signed for another app or clip.
  private func foreignFinding(for clip: AppClip, _ target: Target) -> [AssociationFinding] {
    guard let own = values.applicationIdentifier else { return [] }
    let wanted = target == .clip ? clip.applicationIdentifier : clip.appApplicationIdentifier
    let text = BuildSettingText(own, of: clip)
    // A profile's identifier may end with a wildcard.
    let isWildcard = own.hasSuffix("*") && wanted.hasPrefix(text.text.dropLast())
    guard !isWildcard, !text.canBe(wanted) else { return [] }
    return [
      AssociationFinding(
        .entitlementOtherApp, .error,
        "The application-identifier is \(own.quotedForMessage), and that of the "
          + "\(target == .clip ? "clip" : "clip's app") is \(wanted): the entitlements belong to "
          + "another target or another team's profile.")
    ]
  }

  private struct Values: Hashable, Decodable {
    let associatedDomains: [String]?
    let parentApplications: [String]?
    let onDemandInstallCapable: Bool?
    let associatedAppClips: [String]?
    let applicationIdentifier: String?
    let teamIdentifier: String?
    let isDebuggable: Bool?

    /// Whether the entitlements are those of a signed app: signing adds these keys, with their
    /// values.
    var isSigned: Bool {
      isDebuggable != nil
        || [applicationIdentifier, teamIdentifier].contains { text in
          text.map { !BuildSettingText.holdsSetting($0) } ?? false
        }
    }

    enum CodingKeys: String, CodingKey {
      case associatedDomains = "com.apple.developer.associated-domains"
      case parentApplications = "com.apple.developer.parent-application-identifiers"
      case onDemandInstallCapable = "com.apple.developer.on-demand-install-capable"
      case associatedAppClips = "com.apple.developer.associated-appclip-app-identifiers"
      case applicationIdentifier = "application-identifier"
      case teamIdentifier = "com.apple.developer.team-identifier"
      case isDebuggable = "get-task-allow"
    }
  }

  /// The identifier without its prefix, which is a team's, or a variable of Xcode.
  private static func bundleID(of identifier: String) -> String {
    if let rest = BuildSettingText.afterSetting(identifier) { return String(rest) }
    return String(identifier.drop { $0 != "." }.dropFirst())
  }

  /// The fault that keeps a file from the parser, in words.
  private static func flaw(of bytes: [UInt8]) -> String? {
    guard !bytes.isEmpty else { return "it is empty" }
    guard bytes.count <= maximumSize else {
      return "it has \(bytes.count) bytes; the limit is \(maximumSize)"
    }
    guard !bytes.starts(with: "bplist".utf8) else { return nil }
    guard !bytes.contains(0) else { return "it is neither UTF-8 text nor a binary property list" }
    let containers = bytes.indices.count { index in
      let rest = bytes[index...]
      return rest.starts(with: "<array".utf8) || rest.starts(with: "<dict".utf8)
    }
    guard containers <= maximumContainers else {
      return "it has \(containers) lists and dictionaries, which entitlements do not have"
    }
    return nil
  }

  private static func reason(of error: DecodingError) -> String {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context):
      let path = context.codingPath.map(\.stringValue)
      return path.first.map { "the value of \($0) is of the wrong type" }
        ?? "it is not a dictionary of entitlements"
    default: return "it is not a property list, or a damaged one"
    }
  }
}

/// An error in reading a file as entitlements.
public struct EntitlementsFileError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The kind of failure.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let malformed = Self(
      "malformed-entitlements", .malformedInput,
      "The entitlements file is not a property list, or not of entitlements.")

    public static let all: [Self] = [.malformed]
  }

  /// The kind of failure; there is only one.
  public var code: Code { .malformed }
  /// The name of the file.
  public let name: String
  /// The fault, in one sentence.
  public let message: String
  /// The next step, in one sentence.
  public var hint: String {
    "Use the target's .entitlements file, or the output of codesign -d --entitlements - --xml."
  }

  /// The name of the file.
  public var subject: String? { name }

  init(_ name: String, _ reason: String) {
    self.name = name
    message = "\(name) cannot be read as entitlements: \(reason)."
  }
}

/// The entitlements of an App Clip's target that decide whether URLs can invoke it.
package struct ClipEntitlements: Hashable, Sendable {
  /// The value of `com.apple.developer.associated-domains`.
  package var associatedDomains: [String]
  /// The value of `com.apple.developer.parent-application-identifiers`.
  package var parentApplicationIdentifiers: [String]
  /// The value of `com.apple.developer.on-demand-install-capable`; `nil` if it is missing.
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

  /// The findings about the entitlements.
  ///
  /// - Parameters:
  ///   - clip: The clip whose entitlements they are.
  ///   - hosts: The hosts whose URLs should invoke it, A-labels in lower case.
  package func findings(for clip: AppClip, on hosts: [String]) -> [AssociationFinding] {
    var findings = domainFindings(associatedDomains, of: "clip", for: clip, on: hosts)
    for entry in associatedDomains where (try? AssociatedDomain(entry))?.service == .appLinks {
      findings.append(
        AssociationFinding(
          .entitlementClipService, .warning,
          "The clip's associated domain \(entry.quotedForMessage) has no effect: a clip cannot have "
            + "universal links. Write appclips: for the clip, and applinks: for the app."))
    }
    let key = "The clip's com.apple.developer.parent-application-identifiers"
    findings += identifierFindings(
      parentApplicationIdentifiers, key, .entitlementParentApp,
      wanted: clip.appApplicationIdentifier, for: clip)
    if onDemandInstallCapable != true {
      findings.append(
        AssociationFinding(
          .entitlementOnDemand, .error,
          "The clip's com.apple.developer.on-demand-install-capable is "
            + "\(onDemandInstallCapable == nil ? "missing" : "false"); it must be true."))
    }
    return findings
  }
}

/// The entitlements of the full app's target that decide whether URLs can invoke its clip.
package struct AppEntitlements: Hashable, Sendable {
  /// The value of `com.apple.developer.associated-domains`.
  package var associatedDomains: [String]
  /// The value of `com.apple.developer.associated-appclip-app-identifiers`, which Xcode adds when
  /// it archives; `nil` if it is missing.
  package var associatedAppClipIdentifiers: [String]?
  /// Whether the entitlements are those of a signed app, to which Xcode adds nothing more.
  package var isSigned = false

  /// The findings about the entitlements.
  ///
  /// - Parameters:
  ///   - clip: The app's clip.
  ///   - hosts: The hosts whose URLs should invoke the clip, A-labels in lower case.
  package func findings(for clip: AppClip, on hosts: [String]) -> [AssociationFinding] {
    var findings = domainFindings(associatedDomains, of: "app", for: clip, on: hosts)
    let key = "The app's com.apple.developer.associated-appclip-app-identifiers"
    let wanted = clip.applicationIdentifier
    guard let clips = associatedAppClipIdentifiers else {
      findings.append(
        isSigned
          ? AssociationFinding(
            .entitlementAppClip, .error,
            "\(key) is missing in a signed app, so the app has no clip; embed the clip in "
              + "the app's target (Embed App Clips), and archive it again.")
          : AssociationFinding(
            .entitlementAppClip, .note,
            "\(key) is missing; Xcode adds it when it archives the app with its clip."))
      return findings
    }
    return findings
      + identifierFindings(clips, key, .entitlementAppClip, wanted: wanted, for: clip)
  }
}

/// The findings about a list that must contain exactly one identifier.
private func identifierFindings(
  _ identifiers: [String], _ key: String, _ code: Finding.Code, wanted: String, for clip: AppClip
) -> [AssociationFinding] {
  let texts = identifiers.map { BuildSettingText($0, of: clip) }
  guard texts.count == 1, texts[0].canBe(wanted) else {
    return [
      AssociationFinding(
        code, .error, "\(key) has \(listed(identifiers)); it must be \(wanted) only.")
    ]
  }
  return texts.compactMap { $0.finding("\(key) has", wanted: wanted) }
}

private func listed(_ identifiers: [String]) -> String {
  identifiers.isEmpty
    ? "no identifier"
    : identifiers.prefix(3).map(\.quotedForMessage).joined(separator: ", ")
      + (identifiers.count > 3 ? " and more" : "")
}

/// The findings about associated domains, the same for both targets.
private func domainFindings(
  _ entries: [String], of target: String, for clip: AppClip, on hosts: [String]
) -> [AssociationFinding] {
  var findings: [AssociationFinding] = []
  var domains: [AssociatedDomain] = []
  for entry in entries {
    let text = BuildSettingText(entry, of: clip)
    if !text.settings.isEmpty {
      let possible = hosts.filter { text.isDomain($0) }
      let known = possible.first.map { "appclips:\($0)" } ?? "appclips: and the host"
      findings += [text.finding("The \(target) has the associated domain", wanted: known)]
        .compactMap(\.self)
      domains += possible.compactMap { try? AssociatedDomain("appclips:\($0)\(text.mode)") }
      continue
    }
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
            + (has ? ", which is required beside other services" : "")
            + "; app and clip both need it for each host."))
    } else if own.allSatisfy({ !$0.modes.isEmpty }) {
      findings.append(
        AssociationFinding(
          .entitlementMode, .warning,
          "The \(target) has appclips:\(host) only with ?mode=; add it without a mode."))
    } else if own.contains(where: { !$0.modes.isEmpty }) {
      findings.append(
        AssociationFinding(
          .entitlementMode, .note,
          "The \(target) has appclips:\(host) with ?mode= too, which contacts the host directly in builds "
            + "for development and on managed devices."))
    }
  }
  return findings
}

/// An entry of `com.apple.developer.associated-domains`: `service:host?mode=…`.
package struct AssociatedDomain: Hashable, Sendable {
  /// The service of the entry.
  package let service: SiteAssociation.Service
  /// The host; for `applinks` and `webcredentials` possibly with a leading wildcard.
  package let host: String
  /// The modes, `developer` and `managed`; with any of them the file is fetched from the host
  /// itself, and only by development builds or on managed devices.
  package let modes: Set<String>

  /// The reason why a text is not an entry.
  package struct Problem: Error, Hashable, Sendable {
    /// The kind of finding.
    package let code: Finding.Code
    /// The fault, and the correct form.
    package let message: String
    /// The error that App Store Connect probably reports.
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
      let near = parts.count == 2 ? services.question(about: String(parts[0])) : ""
      let known = services.map { $0 + ":" }.joined(separator: ", ")
      throw Problem(
        code: .entitlementService,
        message: [
          "The associated domain \(shown) does not begin with a service.", near,
          "The services are \(known), in lower case; write appclips: and the host.",
        ].sentences,
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
    // Only the rules for App Clips are known to apply to every entry of the service.
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
