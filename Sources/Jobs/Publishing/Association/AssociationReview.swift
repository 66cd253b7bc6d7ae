public import Invocation

/// A review of an association file, fetched or local, against the clips that it must list.
public struct AssociationReview: Hashable, Sendable {
  /// The origin of the file.
  public enum Origin: String, Hashable, Sendable, CaseIterable {
    /// The host, queried like Apple's crawler.
    case site
    /// Apple's content delivery network.
    case cdn
    /// A local file.
    case file
  }

  /// The origin of the file.
  public let origin: Origin
  /// The host that serves the file, an A-label in lower case; `nil` if unknown.
  public let host: String?
  /// The answer to the request; `nil` for a local file.
  public let answer: AssociationAnswer?
  /// The size of the file in bytes; `nil` if there is no file.
  package let size: Int?
  /// The contents of the file; `nil` if there is no readable file.
  public let association: SiteAssociation?
  /// The clips that the file must list, and whether it does.
  public let clips: [ClipListing]
  /// The findings about the file and how it is served.
  public private(set) var findings: [AssociationFinding]
  /// The comparison with the host's file, if both were fetched.
  public private(set) var comparison: AssociationComparison?
  /// The entitlements that were reviewed with the file.
  public private(set) var entitlements: [EntitlementsReview] = []

  /// A clip and whether the file lists it.
  public struct ClipListing: Hashable, Sendable {
    /// The clip.
    public let clip: AppClip
    /// A Boolean value that indicates whether the file lists the clip; `nil` if there is no
    /// readable file.
    public let isListed: Bool?
  }

  /// The entitlements of one target.
  public struct EntitlementsReview: Hashable, Sendable {
    /// The name of the file.
    public let source: String
    /// The target of the entitlements.
    public let target: EntitlementsFile.Target
    /// The clip for which they were reviewed.
    public let clip: AppClip
    /// The findings.
    public let findings: [AssociationFinding]
  }

  /// Reviews the outcome of a request for a host's file.
  ///
  /// - Parameters:
  ///   - answer: The outcome of the request.
  ///   - clips: The clips that the host's URLs must invoke.
  ///   - path: The path that was given with the host; it has no effect on the verdict.
  public init(_ answer: AssociationAnswer, clips: [AppClip], path: String = "") {
    self.init(
      origin: answer.source == .site ? .site : .cdn, host: answer.host, answer: answer,
      file: answer.file, clips: clips)
    if let finding = Self.pathFinding(path, of: answer.host) { findings.append(finding) }
  }

  /// Returns a finding about the path: the file applies to the host, regardless of the path.
  private static func pathFinding(_ path: String, of host: String) -> AssociationFinding? {
    let file = "apple-app-site-association"
    guard !["", "/", "/.well-known/\(file)", "/\(file)"].contains(path) else { return nil }
    let isFile = path.split(separator: "/").last?.hasPrefix(file) == true
    return AssociationFinding(
      .associationHostPath, isFile ? .warning : .note,
      "\(path.printable) was left out: an association file applies to the whole host and is read only at "
        + "https://\(host)/.well-known/\(file), not in a folder. If you control only a folder, request "
        + "that location, or use another host.")
  }

  /// Compares the file in Apple's network with that of the host.
  ///
  /// - Parameter site: The review of the host's answer.
  public mutating func compare(withSite site: AssociationReview) {
    let comparison = AssociationComparison(site: site, network: self)
    self.comparison = comparison
    if let finding = comparison.finding { findings.append(finding) }
  }

  /// Reviews a local file.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - host: The current or future host of the file, an A-label in lower case; `nil` if unknown.
  ///   - clips: The clips that it must list.
  public init(file: [UInt8], host: String?, clips: [AppClip]) {
    self.init(origin: .file, host: host, answer: nil, file: file, clips: clips)
  }

  private init(
    origin: Origin, host: String?, answer: AssociationAnswer?, file: [UInt8]?, clips: [AppClip]
  ) {
    self.origin = origin
    self.host = host
    self.answer = answer
    size = file?.count
    let reading = file.map { SiteAssociation.read($0) }
    let association = reading?.association
    self.association = association
    let checks = clips.map { clip in
      SiteAssociationCheck(
        host: host ?? clip.domains.first, clip: clip,
        otherClips: clips.filter { $0 != clip })
    }
    self.clips = checks.map { check in
      ClipListing(clip: check.clip, isListed: association.map { check.isListed(in: $0) })
    }
    var findings = (answer?.findings ?? []) + (reading?.findings ?? [])
    if let association { findings += checks.flatMap { $0.findings(in: association) } }
    if let association, clips.isEmpty, association.appClips == nil {
      findings.append(
        AssociationFinding(
          .associationNoAppClips, .warning,
          "The file has no “appclips”, so its host invokes no clip; add "
            + "\"appclips\": { \"apps\": [\"ABCDE12345.com.example.app.Clip\"] } for your clip."))
    }
    if let host, clips.isEmpty, file != nil { findings.append(Self.unknownHost(host)) }
    // Findings that two clips share are listed once.
    var seen: Set<AssociationFinding> = []
    self.findings = findings.filter { seen.insert($0).inserted }
  }

  private static func unknownHost(_ host: String) -> AssociationFinding {
    AssociationFinding(
      .unknownHost, .warning,
      "No clip of the registry has \(host) among its domains, so the required clips of the file "
        + "are unknown; add the host to the clip's domains in the registry, or give the clip.")
  }

  /// Adds a review of the entitlements of one of the targets.
  ///
  /// - Parameters:
  ///   - file: The entitlements.
  ///   - source: The name of the file.
  ///   - clip: The clip that URLs must invoke, on the host of the review, or on the clip's domains
  ///     if the review has no host.
  public mutating func add(_ file: EntitlementsFile, source: String, for clip: AppClip) {
    entitlements.append(
      EntitlementsReview(
        source: source, target: file.target(for: clip), clip: clip,
        findings: file.findings(for: clip, on: host.map { [$0] } ?? clip.domains)))
  }

  /// A Boolean value that indicates whether the host was unreachable, which says little about its
  /// file.
  package var isUnreachable: Bool {
    guard let answer, answer.file == nil, answer.response == nil else { return false }
    let codes: [DomainErrorCode] = [.dnsError, .networkError, .networkErrorTemporary, .timeout]
    return answer.domainError.map(codes.contains) ?? false
  }

  /// The verdict on whether URLs of the host can invoke its clips, as far as file and entitlements
  /// decide it.
  public var verdict: Verdict {
    let all = findings + entitlements.flatMap(\.findings)
    if isUnreachable { return .undecided }
    return all.contains { $0.finding.severity == .error } ? .rejected : .accepted
  }
}

extension AssociationReview {
  /// The decision of `applinks` on one URL and one app.
  public struct Link: Hashable, Sendable {
    /// The application identifier.
    public let app: String
    /// The decision whether the installed app opens the URL, with the reason.
    public let decision: AppLinkDecision
  }

  /// The largest number of apps tested with a URL; files in use list a few dozen.
  private static let maximumApps = 200

  /// Returns which apps open a URL if they are installed.
  ///
  /// - Parameter url: The URL. If the review has no host, the host of the URL is assumed.
  /// - Returns: A decision for each app in the file, in file order, at most 200; empty if the file
  ///   contains none.
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
