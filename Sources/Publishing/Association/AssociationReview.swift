public import Invocation

/// An association file, fetched or at hand, looked at with the clips that it has to list.
public struct AssociationReview: Hashable, Sendable {
  /// Where the file comes from.
  public enum Origin: String, Hashable, Sendable, CaseIterable {
    /// From the host itself, as Apple's crawler asks it.
    case site
    /// From Apple's content delivery network.
    case cdn
    /// From a file at hand.
    case file
  }

  /// Where the file comes from.
  public let origin: Origin
  /// The host that serves it, an A-label in lower case; nil when that was not said.
  public let host: String?
  /// The request and its answer; nil for a file at hand.
  public let answer: AssociationAnswer?
  /// How many bytes the file has; nil when there is none.
  package let size: Int?
  /// What the file says; nil when there is none, or none that can be read.
  public let association: SiteAssociation?
  /// The clips that the file has to list, and whether it does; nil when there is no file to tell.
  public let clips: [ClipListing]
  /// What is wrong or worth knowing about the file and how it is served.
  public private(set) var findings: [AssociationFinding]
  /// What the host itself says beside this, when both were asked.
  public private(set) var comparison: AssociationComparison?
  /// The entitlements that were looked at with it.
  public private(set) var entitlements: [EntitlementsReview] = []

  /// A clip, and whether the file lists it.
  public struct ClipListing: Hashable, Sendable {
    /// The clip.
    public let clip: AppClip
    /// Whether the file lists it; nil when there is no file that can be read.
    public let isListed: Bool?
  }

  /// The entitlements of one target.
  public struct EntitlementsReview: Hashable, Sendable {
    /// What the file is called.
    public let source: String
    /// Whose entitlements they are.
    public let target: EntitlementsFile.Target
    /// The clip that they were looked at for.
    public let clip: AppClip
    /// What is wrong or worth knowing.
    public let findings: [AssociationFinding]
  }

  /// Reviews what came of asking for a host's file.
  ///
  /// - Parameters:
  ///   - answer: What came of it.
  ///   - clips: The clips that the host's URLs are to invoke.
  ///   - path: The path that somebody gave with the host, which decides nothing.
  public init(_ answer: AssociationAnswer, clips: [AppClip], path: String = "") {
    self.init(
      origin: answer.source == .site ? .site : .cdn, host: answer.host, answer: answer,
      file: answer.file, clips: clips)
    if let finding = Self.pathFinding(path, of: answer.host) { findings.append(finding) }
  }

  /// The file belongs to the host, whatever the path.
  private static func pathFinding(_ path: String, of host: String) -> AssociationFinding? {
    let file = "apple-app-site-association"
    guard !["", "/", "/.well-known/\(file)", "/\(file)"].contains(path) else { return nil }
    let isFile = path.split(separator: "/").last?.hasPrefix(file) == true
    return AssociationFinding(
      .associationHostPath, isFile ? .warning : .note,
      "\(path.printable) was left out: an association file holds for the whole host and counts only at "
        + "https://\(host)/.well-known/\(file), never in a folder. Where only a folder is yours, ask "
        + "for that place, or use a host of your own.")
  }

  /// Compares what Apple's network has with what the host itself says.
  ///
  /// - Parameter site: The review of the host's own answer.
  public mutating func compare(withSite site: AssociationReview) {
    let comparison = AssociationComparison(site: site, network: self)
    self.comparison = comparison
    if let finding = comparison.finding { findings.append(finding) }
  }

  /// Reviews a file at hand.
  ///
  /// - Parameters:
  ///   - file: Its bytes.
  ///   - host: The host that serves it or will, an A-label in lower case; nil when it is not known.
  ///   - clips: The clips that it has to list.
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
            + "\"appclips\": { \"apps\": [\"ABCDE12345.com.example.app.Clip\"] } with yours."))
    }
    if let host, clips.isEmpty, file != nil { findings.append(Self.unknownHost(host)) }
    // What two clips share is told once.
    var seen: Set<AssociationFinding> = []
    self.findings = findings.filter { seen.insert($0).inserted }
  }

  private static func unknownHost(_ host: String) -> AssociationFinding {
    AssociationFinding(
      .unknownHost, .warning,
      "No clip of the registry has \(host) among its domains, so which clips the file has to list "
        + "is not known; add the host to the clip's domains in the registry, or name the clip.")
  }

  /// Looks at the entitlements of one of the targets as well.
  ///
  /// - Parameters:
  ///   - file: The entitlements.
  ///   - source: What the file is called.
  ///   - clip: The clip that they are to let URLs invoke, on the host of the review, or on the
  ///     clip's domains when the review has none.
  public mutating func add(_ file: EntitlementsFile, source: String, for clip: AppClip) {
    entitlements.append(
      EntitlementsReview(
        source: source, target: file.target(for: clip), clip: clip,
        findings: file.findings(for: clip, on: host.map { [$0] } ?? clip.domains)))
  }

  /// Whether the host could not be reached at all, which says little about its file.
  package var isUnreachable: Bool {
    guard let answer, answer.file == nil, answer.response == nil else { return false }
    let codes: [DomainErrorCode] = [.dnsError, .networkError, .networkErrorTemporary, .timeout]
    return answer.domainError.map(codes.contains) ?? false
  }

  /// Whether URLs of the host can invoke its clips, as far as file and entitlements decide it.
  public var verdict: Verdict {
    let all = findings + entitlements.flatMap(\.findings)
    if isUnreachable { return .undecided }
    return all.contains { $0.finding.severity == .error } ? .rejected : .accepted
  }
}

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
