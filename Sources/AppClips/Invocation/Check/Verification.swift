/// The expected behaviour of a phone for one payload, and its certainty.
public struct Verification: Hashable, Sendable {
  /// The text exactly as decoded.
  public let payload: String
  /// The payload as an invocation URL, or `nil` if it is not one.
  public let url: InvocationURL?
  /// The carrier of the payload.
  public let carrier: Carrier
  /// The verdict.
  public let verdict: Verdict
  /// The state according to the registry, before any location is considered.
  public let state: InvocationState
  /// The experience that the payload matches. Its card is shown unless ``state`` indicates that it
  /// is not served.
  public let experience: MatchedExperience?
  /// The clip that would run, or that claims the host.
  public let clip: AppClip?
  /// The known place that the payload names.
  public let place: Place?
  /// The region of the code: that of its place, or one in the payload itself.
  public let region: Region?
  /// The other values in the payload: the variables of the path template except `{place}`.
  public let parameters: [String: String]
  /// The location confirmation, or `nil` if it was not requested.
  public let location: LocationOutcome?
  /// The findings, the most severe first.
  public let findings: [Finding]
}

extension Verification {
  /// Makes the verification for a carrier whose payload could not be determined.
  ///
  /// - Parameters:
  ///   - carrier: The carrier.
  ///   - verdict: The verdict.
  package init(unidentifiedOn carrier: Carrier, verdict: Verdict) {
    self.init(
      payload: "", url: nil, carrier: carrier, verdict: verdict, state: .unregistered,
      experience: nil, clip: nil, place: nil, region: nil, parameters: [:], location: nil,
      findings: [])
  }
}

/// The experience that a payload matched.
public struct MatchedExperience: Hashable, Sendable {
  /// The kinds of experience in App Store Connect.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An experience with its own link.
    case advanced
    /// The clip's only experience without a link.
    case `default`
  }

  /// The kind of experience.
  public let kind: Kind
  /// The registered prefix; `nil` for a default experience.
  public let link: InvocationURL?
  /// The card that is shown if it is served.
  public let card: ExperienceCard
  /// The bundle identifier of the clip.
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

  /// - Returns: `nil` if the clip has no default experience.
  init?(defaultOf clip: AppClip) {
    guard let card = clip.defaultExperience else { return nil }
    self.init(kind: .default, link: nil, card: card, clip: clip.bundleID)
  }
}

/// The verdict on one payload.
public enum Verdict: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Everything that was requested was confirmed.
  case accepted
  /// A requested fact is known to be wrong.
  case rejected
  /// The evidence is not sufficient.
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

/// The registry's state of a payload, before any location is considered.
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

  /// The verdict of the state, before any location is considered.
  public var verdict: Verdict {
    switch self {
    case .ok: .accepted
    case .defaultOnly, .ambiguous: .undecided
    case .orphan, .unregistered, .unassociated, .inactive, .malformed: .rejected
    }
  }
}

/// The carrier of a payload.
public enum Carrier: String, Hashable, Sendable, CaseIterable {
  /// Typed or piped in; examined like a physical code.
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
