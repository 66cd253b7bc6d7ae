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

  /// The answer for this phone: rejected when nothing of ours starts, undecided when a step is
  /// doubtful, and never better than what the location confirmation says.
  public let verdict: Verdict
}
