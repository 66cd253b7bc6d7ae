/// The behaviour of a phone for a payload, step by step.
public struct PhoneAnswer: Hashable, Sendable {
  /// The program or page that is started in the end.
  public enum Start: String, Hashable, Sendable, CaseIterable {
    /// The clip, downloaded if necessary.
    case clip
    /// The installed full app.
    case app
    /// No clip: the phone offers the page in the browser.
    case browser
    /// A sheet with the message that the clip is not available.
    case unavailable
    /// No program or page.
    case nothing
  }

  /// The card that is shown before the start.
  public struct Card: Hashable, Sendable {
    /// The title: the experience's own, or the app's name.
    public let title: String?
    /// The subtitle.
    public let subtitle: String?
    /// The label of its button.
    public let action: CardAction
    /// The picture, if it is known.
    public let image: HeaderImage?
    /// The language of its texts, or `nil` if unknown.
    public let language: String?
    /// The name of the full app, which the card offers as well, or `nil` if unknown.
    public let app: String?
    /// Whether the card says "Powered by".
    public let isPoweredBy: Bool
  }

  /// The phone and the way of invocation.
  public let situation: PhoneSituation
  /// The result of the check, for any phone.
  public let verification: Verification
  /// The steps, in order.
  public let steps: [InvocationStep]
  /// The program or page that is started.
  public let start: Start
  /// The bundle identifier of the started program.
  public let program: String?
  /// The card, if one is shown.
  public let card: Card?
  /// The URL that the program receives, verbatim; `nil` if it receives none.
  public let handedOver: String?
  /// The registered experience that serves the invocation when the clip or its app starts; `nil` if
  /// none does. It may differ from the verification's, which may be switched off.
  public let experience: MatchedExperience?
  /// The link of the Local Experience that serves the invocation, before any registered one.
  public let localExperience: InvocationURL?
  /// The verification's findings, adapted to this phone.
  public let findings: [Finding]

  /// The verdict for this phone: rejected if neither the clip nor its app starts, undecided if a
  /// step is doubtful, and never better than the location confirmation.
  public let verdict: Verdict

  /// The steps that keep the verdict from being accepted: the one at which the way ends, or those
  /// that are doubtful.
  public var reasons: [InvocationStep] {
    switch verdict {
    case .accepted: []
    case .undecided: steps.filter { $0.result == .doubtful }
    case .rejected:
      // If another program starts than the code was made for, no step ends the way.
      steps.contains { $0.result == .stops }
        ? steps.filter { $0.result == .stops } : steps.filter { $0.result == .doubtful }
    }
  }
}

/// The evidence for a step of a phone.
public enum Evidence: String, Hashable, Sendable, CaseIterable {
  /// Apple documents it, or stated it in a session.
  case documented
  /// Developers observed it.
  case observed
  /// Undocumented and not observed; an assumption of this software.
  case assumed
}

/// One step of a phone on the way from a payload to a clip.
public struct InvocationStep: Hashable, Sendable {
  /// The stages, in the order in which a phone passes them.
  public enum Stage: String, Hashable, Sendable, CaseIterable {
    /// The contents of the carrier.
    case payload
    /// The check for an invocation URL.
    case url
    /// The clips that claim the host, and whether Apple's servers agree.
    case host
    /// A developer's Local Experience, which comes before all others.
    case localExperience = "local-experience"
    /// The experiences that cover the URL, and the one that wins.
    case experience
    /// Whether iOS serves that kind of experience in this way.
    case support
    /// Whether a change has reached every phone.
    case settling
    /// The contents of the card.
    case card
    /// The program that is started.
    case launch
    /// The parameters that the started program receives.
    case parameters
    /// Whether the program can have the location confirmed, and the region.
    case location
  }

  /// The result of a step.
  public enum Result: String, Hashable, Sendable, CaseIterable {
    /// The way continues.
    case passes
    /// The way continues, but not on every phone.
    case doubtful
    /// The way ends here.
    case stops
    /// The step decides nothing.
    case note
  }

  /// The stage.
  public let stage: Stage
  /// The result.
  public internal(set) var result: Result
  /// One or more sentences for a person.
  public let text: String
  /// The evidence.
  public let evidence: Evidence
  /// The source of the evidence.
  public let source: String
}
