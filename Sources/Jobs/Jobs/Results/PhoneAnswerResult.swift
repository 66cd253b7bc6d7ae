public import Invocation

/// The behaviour of a given phone: the `explanation` object of a verification.
public struct PhoneAnswerResult: Encodable, Hashable, Sendable {
  /// The card that the phone shows.
  public struct Card: Encodable, Hashable, Sendable {
    /// The title.
    public let title: String?
    /// The subtitle.
    public let subtitle: String?
    /// The label of the button.
    public let action: String
    /// The file of the picture.
    public let image: String?
    /// The language of the words.
    public let language: String?
  }

  /// One step of the phone.
  public struct Step: Encodable, Hashable, Sendable {
    /// The stage.
    public let stage: String
    /// `passes`, `doubtful`, `stops` or `note`.
    public let result: String
    /// The step in a sentence.
    public let text: String
    /// `documented`, `observed` or `assumed`.
    public let evidence: String
    /// The source of the evidence.
    public let source: String
  }

  /// The way in which the URL reaches the phone.
  public let via: String
  /// The version of iOS.
  public let ios: String
  /// `none`, `clip` or `app`.
  public let installed: String
  /// The language of the phone.
  public let language: String?
  /// `clip`, `app`, `browser`, `unavailable` or `nothing`.
  public let starts: String
  /// The bundle identifier of the started program.
  public let program: String?
  /// The card, if one is shown.
  public let card: Card?
  /// The URL that the program receives.
  public let handedOver: String?
  /// The registered experience that is served.
  public let experience: ExperienceResult?
  /// The link of the Local Experience that is served.
  public let localExperience: String?
  /// The reasons for a verdict that is not `accepted`, in sentences.
  public let reasons: [String]
  /// The steps, in order.
  public let steps: [Step]

  /// States a phone's behaviour.
  public init(_ answer: PhoneAnswer) {
    let situation = answer.situation
    via = situation.channel.rawValue
    ios = situation.version.description
    installed = situation.installed.rawValue
    language = situation.language
    starts = answer.start.rawValue
    program = answer.program
    card = answer.card.map { card in
      Card(
        title: card.title, subtitle: card.subtitle, action: card.action.rawValue,
        image: card.image?.file, language: card.language)
    }
    handedOver = answer.handedOver
    experience = answer.experience.map(ExperienceResult.init)
    localExperience = answer.localExperience?.normalized
    reasons = answer.reasons.map(\.text)
    steps = answer.steps.map { step in
      Step(
        stage: step.stage.rawValue, result: step.result.rawValue, text: step.text,
        evidence: step.evidence.rawValue, source: step.source)
    }
  }
}
