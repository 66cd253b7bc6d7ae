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
  public let result: Result
  /// One or more sentences for a person.
  public let text: String
  /// How well it is known.
  public let evidence: Evidence
  /// Where it is known from.
  public let source: String
}
