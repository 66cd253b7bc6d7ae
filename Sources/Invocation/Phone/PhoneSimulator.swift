#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Plays what a phone does with a payload, from what the registry holds.
///
/// The order of the steps follows Apple's documentation where it gives one; each step says whether
/// it is documented, observed by developers, or assumed.
public struct PhoneSimulator: Sendable {
  /// What is asked about the payload itself.
  package let check: InvocationCheck
  /// The time, for changes that may not have reached every phone.
  package let now: Date

  /// How long a change may take to reach every phone, in seconds: developers saw a deactivated
  /// experience start for 48 hours.
  package static let settlingTime: Double = 48 * 60 * 60

  /// Makes a simulator.
  public init(check: InvocationCheck, now: Date = Date()) {
    self.check = check
    self.now = now
  }

  /// Plays one payload on one phone.
  ///
  /// - Parameters:
  ///   - payload: The text as decoded.
  ///   - situation: The phone, and how the text reaches it.
  ///   - location: What is known of the position at which it was read.
  /// - Throws: What the directory throws.
  public func play(
    _ payload: String, on situation: PhoneSituation, location: LocationEvidence = .notAsked
  ) throws -> PhoneAnswer {
    let verification = try check.examine(
      payload: payload, carrier: situation.channel.carrier,
      location: situation.channel.isPhysical ? location : .notAsked)
    var walk = PhoneWalk(simulator: self, situation: situation, verification: verification)
    try walk.go()
    return walk.answer
  }
}

/// One way through the stages.
struct PhoneWalk {
  let simulator: PhoneSimulator
  let situation: PhoneSituation
  let verification: Verification
  var steps: [InvocationStep] = []
  /// What starts, once that is decided.
  var start: PhoneAnswer.Start?
  var card: PhoneAnswer.Card?
  var handedOver: String?
  /// What serves the invocation.
  var kind: ServingKind?
  /// The winner, when it is an advanced experience.
  var advanced: AdvancedExperience?
  /// The Local Experience that overrides the registry.
  var localExperience: InvocationURL?

  init(
    simulator: PhoneSimulator, situation: PhoneSituation, verification: Verification
  ) {
    self.simulator = simulator
    self.situation = situation
    self.verification = verification
  }

  var channel: InvocationChannel { situation.channel }
  var clip: AppClip? { verification.clip }
  var directory: any ExperienceDirectory { simulator.check.directory }

  mutating func go() throws {
    lookAtPayload()
    guard start == nil, let url = verification.url else { return }
    try lookForLocalExperience(url)
    if localExperience == nil {
      try lookAtHost(url)
      guard start == nil else { return }
      try chooseExperience(url)
      guard start == nil else { return }
      lookAtSupport(url)
      guard start == nil else { return }
      lookAtChanges()
    }
    showCard()
    launch()
    guard start == .clip || start == .app else {
      card = nil
      return
    }
    handOver(url)
    lookAtLocation()
  }

  var answer: PhoneAnswer {
    PhoneAnswer(
      situation: situation, verification: verification, steps: steps, start: start ?? .nothing,
      program: program, card: card, handedOver: handedOver, verdict: verdict)
  }

  private var program: String? {
    switch start {
    case .clip: clip?.bundleID
    case .app: clip?.appBundleID
    default: nil
    }
  }

  private var verdict: Verdict {
    guard start == .clip || start == .app else { return .rejected }
    var verdict: Verdict = .accepted
    if steps.contains(where: { $0.result == .doubtful }) { verdict = .undecided }
    // A payload that the check cannot accept because of its place stays so on every phone.
    if let location = verification.location {
      switch location.result {
      case .outside: verdict = .rejected
      case .undecided, .noPosition, .noPlace: verdict = max(verdict, .undecided)
      case .inside, .disallowed, .doesNotMatch, .waived: break
      }
    }
    return verdict
  }

  // MARK: Notes for the stages

  mutating func add(
    _ stage: InvocationStep.Stage, _ result: InvocationStep.Result, _ evidence: Evidence,
    _ source: String, _ text: String
  ) {
    steps.append(
      InvocationStep(stage: stage, result: result, text: text, evidence: evidence, source: source))
  }

  /// Ends the way.
  mutating func stop(
    _ stage: InvocationStep.Stage, _ start: PhoneAnswer.Start, _ evidence: Evidence,
    _ source: String, _ text: String
  ) {
    add(stage, .stops, evidence, source, text)
    self.start = start
  }
}
