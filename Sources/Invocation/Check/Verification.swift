/// What a phone would do with one payload, and how sure that is.
public struct Verification: Hashable, Sendable {
  /// The text exactly as decoded.
  public let payload: String
  /// The payload as an invocation URL, or `nil` when it is none.
  public let url: InvocationURL?
  /// What carried the payload.
  public let carrier: Carrier
  /// The answer.
  public let verdict: Verdict
  /// What the registry says, before any location is considered.
  public let state: InvocationState
  /// The experience that the payload matches. Its card shows unless ``state`` says that it is not
  /// served.
  public let experience: MatchedExperience?
  /// The clip that would run, or that claims the host.
  public let clip: AppClip?
  /// The known place that the payload names.
  public let place: Place?
  /// Where the code should hang: the place's region, or one that the payload itself carries.
  public let region: Region?
  /// What else the payload carries: the variables of the path template other than `{place}`.
  public let parameters: [String: String]
  /// The location confirmation, or `nil` when it was not asked for.
  public let location: LocationOutcome?
  /// Everything worth telling, gravest first.
  public let findings: [Finding]
}

extension Verification {
  /// What is to be said of a carrier whose payload could not be found out.
  ///
  /// - Parameters:
  ///   - carrier: What carried it.
  ///   - verdict: What that means.
  package init(unidentifiedOn carrier: Carrier, verdict: Verdict) {
    self.init(
      payload: "", url: nil, carrier: carrier, verdict: verdict, state: .unregistered,
      experience: nil, clip: nil, place: nil, region: nil, parameters: [:], location: nil,
      findings: [])
  }
}

/// The experience that a payload matched.
public struct MatchedExperience: Hashable, Sendable {
  /// The two kinds of experience that App Store Connect knows.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// One with its own link.
    case advanced
    /// The clip's only one without.
    case `default`
  }

  /// The kind of experience.
  public let kind: Kind
  /// The registered prefix; `nil` for a default experience.
  public let link: InvocationURL?
  /// The card that shows where it is served.
  public let card: ExperienceCard
  /// Bundle identifier of the clip.
  public let clip: String

  package init(kind: Kind, link: InvocationURL?, card: ExperienceCard, clip: String) {
    self.kind = kind
    self.link = link
    self.card = card
    self.clip = clip
  }

  init(advanced experience: AdvancedExperience) {
    self.init(
      kind: .advanced, link: experience.link, card: experience.card, clip: experience.clip)
  }

  /// - Returns: `nil` when the clip has no default experience.
  init?(defaultOf clip: AppClip) {
    guard let card = clip.defaultExperience else { return nil }
    self.init(kind: .default, link: nil, card: card, clip: clip.bundleID)
  }
}

/// The answer about one payload.
public enum Verdict: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Everything that was asked was confirmed.
  case accepted
  /// Something that was asked is known to be wrong.
  case rejected
  /// The evidence is not enough to say.
  case undecided

  /// Orders from good to bad: accepted, undecided, rejected.
  public static func < (left: Verdict, right: Verdict) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .accepted: 0
    case .undecided: 1
    case .rejected: 2
    }
  }
}

/// What the registry says about a payload, before any location is considered.
public enum InvocationState: String, Hashable, Sendable, CaseIterable {
  /// An active advanced experience covers the URL.
  case ok
  /// No advanced experience covers the URL; only the clip's default experience could serve it.
  case defaultOnly = "default-only"
  /// The host has a clip, but no experience covers the URL.
  case orphan
  /// No clip claims the host.
  case unregistered
  /// An experience covers the URL, but its clip is not associated with the host.
  case unassociated
  /// The only experience that covers the URL is deactivated or in transfer.
  case inactive
  /// String prefix and path-segment prefix choose differently.
  case ambiguous
  /// The payload is not an acceptable invocation URL, or no URL at all.
  case malformed

  /// What the state means for the verdict, before any location is considered.
  public var verdict: Verdict {
    switch self {
    case .ok: .accepted
    case .defaultOnly, .ambiguous: .undecided
    case .orphan, .unregistered, .unassociated, .inactive, .malformed: .rejected
    }
  }
}

/// What carried the payload.
public enum Carrier: String, Hashable, Sendable, CaseIterable {
  /// Typed or piped in; examined as if a physical code carried it.
  case url
  /// A QR code.
  case qr
  /// An NFC tag.
  case nfc
  /// An App Clip Code.
  case appClipCode = "app-clip-code"
  /// Another barcode, which no iPhone treats as an invocation.
  case barcode
}
