/// What a phone does with a payload, step by step.
public struct PhoneAnswer: Hashable, Sendable {
  /// What is started in the end.
  public enum Start: String, Hashable, Sendable, CaseIterable {
    /// The clip, downloaded if need be.
    case clip
    /// The full app, as it is installed.
    case app
    /// No clip: the phone offers the page in the browser.
    case browser
    /// A sheet that says that the clip is not available.
    case unavailable
    /// Nothing.
    case nothing
  }

  /// The card that is shown before the start.
  public struct Card: Hashable, Sendable {
    /// The title: the experience's own, or the app's name.
    public let title: String?
    /// The subtitle.
    public let subtitle: String?
    /// The word on its button.
    public let action: CardAction
    /// The picture, if it is known.
    public let image: HeaderImage?
    /// The language of its texts, or `nil` when it is not known.
    public let language: String?
    /// The name of the full app, which the card offers as well, or `nil` when it is not known.
    public let app: String?
    /// Whether the card says "Powered by".
    public let isPoweredBy: Bool
  }

  /// The phone and the way.
  public let situation: PhoneSituation
  /// What the check says about the payload, whatever the phone.
  public let verification: Verification
  /// The steps, in their order.
  public let steps: [InvocationStep]
  /// What is started.
  public let start: Start
  /// Bundle identifier of what is started.
  public let program: String?
  /// The card, where one is shown.
  public let card: Card?
  /// The URL that the program is handed, verbatim; `nil` when it gets none.
  public let handedOver: String?
  /// The registered experience that serves the invocation when something of ours starts; `nil` where
  /// none does. It need not be the verification's, which may be switched off.
  public let experience: MatchedExperience?
  /// The link of the Local Experience that serves the invocation, before any registered one.
  public let localExperience: InvocationURL?
  /// The verification's findings, as far as they concern this phone.
  public let findings: [Finding]

  /// The answer for this phone: rejected when nothing of ours starts, undecided when a step is
  /// doubtful, and never better than what the location confirmation says.
  public let verdict: Verdict

  /// The steps for which the answer is not accepted: where the way ends, or what is doubtful.
  public var reasons: [InvocationStep] {
    switch verdict {
    case .accepted: []
    case .undecided: steps.filter { $0.result == .doubtful }
    case .rejected:
      // Where something else starts than what the code was made for, no step ends the way.
      steps.contains { $0.result == .stops }
        ? steps.filter { $0.result == .stops } : steps.filter { $0.result == .doubtful }
    }
  }
}

/// How well it is known that a phone does something.
public enum Evidence: String, Hashable, Sendable, CaseIterable {
  /// Apple documents it, or said it in a session.
  case documented
  /// Developers saw it.
  case observed
  /// Nobody has said; this software's choice.
  case assumed
}

/// One step on a phone's way from a payload to a clip.
public struct InvocationStep: Hashable, Sendable {
  /// The stages, in the order in which a phone goes through them.
  public enum Stage: String, Hashable, Sendable, CaseIterable {
    /// What the carrier holds.
    case payload
    /// Whether that is an invocation URL.
    case url
    /// Which clips claim the host, and whether Apple's servers agree.
    case host
    /// A developer's Local Experience, which comes before all others.
    case localExperience = "local-experience"
    /// Which experiences cover the URL, and which one wins.
    case experience
    /// Whether iOS serves that kind of experience on this way.
    case support
    /// Whether a change has reached every phone.
    case settling
    /// What the card shows.
    case card
    /// What is started.
    case launch
    /// What the started program is handed.
    case parameters
    /// Whether the program can have the location confirmed, and where.
    case location
  }

  /// What a step comes to.
  public enum Result: String, Hashable, Sendable, CaseIterable {
    /// The way goes on.
    case passes
    /// The way goes on, but not on every phone.
    case doubtful
    /// The way ends here.
    case stops
    /// Nothing is decided here.
    case note
  }

  /// The stage.
  public let stage: Stage
  /// What it comes to.
  public internal(set) var result: Result
  /// One or more sentences for a person.
  public let text: String
  /// How well it is known.
  public let evidence: Evidence
  /// Where it is known from.
  public let source: String
}
