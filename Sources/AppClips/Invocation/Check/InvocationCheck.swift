/// Determines what a phone would do with a payload: URL rules, association, experience, place,
/// position.
///
/// A check is a value without state between payloads, and may be used by several tasks at once if
/// its directory may.
public struct InvocationCheck: Sendable {
  /// The source of clips, experiences and places.
  public let directory: any ExperienceDirectory
  /// The engine that compares registered links.
  public let engine: PrefixEngine

  /// Makes a check.
  public init(directory: any ExperienceDirectory, engine: PrefixEngine = .segment) {
    self.directory = directory
    self.engine = engine
  }

  /// Examines one payload.
  ///
  /// The verdict describes phones in general; ``PhoneSimulator`` gives a more detailed answer. It
  /// is the worst of three. The registry's: ``InvocationState/ok`` is accepted,
  /// ``InvocationState/defaultOnly`` and ``InvocationState/ambiguous`` are undecided, the others
  /// are rejected. The clip's: one that no phone starts is rejected. And the location's, if it was
  /// requested and the clip asks for confirmation: inside and waived are accepted, outside is
  /// rejected, unknown is undecided.
  ///
  /// - Parameters:
  ///   - payload: The text as decoded, untrimmed.
  ///   - carrier: The carrier of the payload.
  ///   - location: The evidence of the position at which it was read.
  /// - Returns: The answer, also for a payload that is not a URL.
  /// - Throws: Only the errors of the directory.
  public func examine(
    payload: String, carrier: Carrier, location: LocationEvidence = .notAsked
  ) throws -> Verification {
    try lookUp(payload, on: carrier).verification(at: location)
  }

  /// Looks a payload up, before its position is known.
  ///
  /// - Throws: Only the errors of the directory.
  package func lookUp(_ payload: String, on carrier: Carrier) throws -> PayloadLookup {
    try lookUp(payload, on: carrier, by: InvocationWay(channel: nil))
  }

  /// Looks up a payload that reaches a phone in a known way, possibly without a code.
  func lookUp(_ payload: String, by way: InvocationWay) throws -> PayloadLookup {
    try lookUp(payload, on: way.channel?.carrier ?? .url, by: way)
  }

  private func lookUp(
    _ payload: String, on carrier: Carrier, by way: InvocationWay
  ) throws -> PayloadLookup {
    let url: InvocationURL
    do throws(InvocationURLError) {
      url = try InvocationURL(payload)
    } catch {
      return PayloadLookup(
        payload: payload, url: nil, carrier: carrier,
        answer: RegistryAnswer(state: .malformed, findings: [error.finding]), placing: Placing())
    }
    let answer = try RegistryLookup(directory: directory, engine: engine)
      .answer(for: url, carrier: carrier, by: way)
    let placing = try answer.advanced.map {
      try PlaceLookup(directory: directory).placing(of: url, under: $0)
    }
    return PayloadLookup(
      payload: payload, url: url, carrier: carrier, answer: answer, placing: placing ?? Placing())
  }
}

/// A payload as the directory knows it. Only the position at which it was read is left to judge.
package struct PayloadLookup: Sendable {
  let payload: String
  let url: InvocationURL?
  let carrier: Carrier
  let answer: RegistryAnswer
  let placing: Placing

  /// Judges the position.
  package func verification(at location: LocationEvidence) -> Verification {
    let judgement = LocationJudge(carrier: carrier, answer: answer, placing: placing)
      .judgement(on: location)
    var findings = answer.findings + placing.findings + (judgement?.findings ?? [])
    if carrier == .barcode {
      findings.append(
        Finding(
          .barcodeCarrier, .warning,
          "The payload comes from a barcode that is not a QR code; no iPhone invokes a clip from it."
        ))
    }
    return Verification(
      payload: payload, url: url, carrier: carrier,
      verdict: max(answer.verdict, judgement?.verdict ?? .accepted),
      state: answer.state, experience: answer.experience, clip: answer.clip,
      place: placing.place, region: placing.region, parameters: placing.parameters,
      location: judgement?.outcome, findings: findings.gravestFirst)
  }
}

/// The way in which a URL reaches a phone.
struct InvocationWay {
  /// The channel; `nil` for that of any code.
  let channel: InvocationChannel?
  /// The Smart App Banner of the page at the URL; `nil` if it was not examined.
  var page: SmartAppBanner?

  /// Whether a code in the physical world is read.
  var isPhysical: Bool { channel?.isPhysical ?? true }
  /// Whether the page decides which clip is meant.
  var isChosenByPage: Bool { channel?.isChosenByPage ?? false }
}
