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
    try examine(
      payload: payload, carrier: carrier, way: InvocationWay(channel: nil), location: location)
  }

  /// Examines a payload that reaches a phone in a known way, possibly without a code.
  func examine(
    payload: String, by way: InvocationWay, location: LocationEvidence
  ) throws -> Verification {
    try examine(
      payload: payload, carrier: way.channel?.carrier ?? .url, way: way, location: location)
  }

  private func examine(
    payload: String, carrier: Carrier, way: InvocationWay, location: LocationEvidence
  ) throws -> Verification {
    let url: InvocationURL
    do throws(InvocationURLError) {
      url = try InvocationURL(payload)
    } catch {
      return verification(
        of: payload, url: nil, carrier: carrier,
        answer: RegistryAnswer(state: .malformed, findings: [error.finding]),
        placing: Placing(), location: location)
    }
    let answer = try RegistryLookup(directory: directory, engine: engine)
      .answer(for: url, carrier: carrier, by: way)
    let placing = try answer.advanced.map {
      try PlaceLookup(directory: directory).placing(of: url, under: $0)
    }
    return verification(
      of: payload, url: url, carrier: carrier, answer: answer, placing: placing ?? Placing(),
      location: location)
  }

  private func verification(
    of payload: String, url: InvocationURL?, carrier: Carrier, answer: RegistryAnswer,
    placing: Placing, location: LocationEvidence
  ) -> Verification {
    let judgement = LocationJudge(carrier: carrier, answer: answer, placing: placing)
      .judgement(on: location)
    var findings = answer.findings + placing.findings + (judgement?.findings ?? [])
    if carrier == .barcode {
      findings.append(
        Finding(
          .barcodeCarrier, .warning,
          "The payload comes from a barcode that is not a QR code; no iPhone invokes a clip by it."
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
