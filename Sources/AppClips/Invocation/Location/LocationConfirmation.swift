/// The evidence of the position at the time a code was read.
public enum LocationEvidence: Hashable, Sendable {
  /// Location confirmation was not requested.
  case notAsked
  /// A physical code was read, and the position is unknown.
  case missing
  /// A physical code was read at this position.
  case fix(LocationFix)
  /// A physical code was read, and its reader vouches for the place.
  case waived
}

/// The result of a location confirmation.
public struct LocationOutcome: Hashable, Sendable {
  /// The results of a location confirmation.
  public enum Result: String, Hashable, Sendable, CaseIterable {
    /// The reader is certainly in the region.
    case inside
    /// The reader is certainly outside the region.
    case outside
    /// The position is not accurate enough to decide.
    case undecided
    /// iOS would refuse: the code is not physical, or the clip does not ask for confirmation.
    case disallowed
    /// The URL belongs to no registered experience.
    case doesNotMatch
    /// The position is unknown.
    case noPosition
    /// The payload names no known place.
    case noPlace
    /// The reader vouched for the place.
    case waived
  }

  /// The result.
  public let result: Result
  /// The distance in metres from the circle's centre; for a polygon or several regions from the
  /// edge, negative inside. `nil` without a position or a region.
  public let distance: Double?
  /// The circle's radius in metres; `nil` for a polygon, several regions or without a region.
  public let radius: Double?
  /// The position's accuracy in metres; `nil` without a position.
  public let accuracy: Double?
  /// The position that was compared; `nil` without one.
  public let fix: LocationFix?

  /// The distance in metres from the region's edge, negative inside.
  var signedDistance: Double? { distance.map { $0 - (radius ?? 0) } }
}

/// Decides whether a position is in the region of a code.
///
/// The answer has three values, because a position has an accuracy. The phone's own confirmation
/// has only two, and Apple does not document its treatment of accuracy; this answer is never more
/// certain than the position allows.
public enum LocationConfirmation {
  /// Compares a position with a region.
  ///
  /// With the distance *d* from the centre, the accuracy *a* and the radius *r*, the result is
  /// ``LocationOutcome/Result/inside`` if *d* + *a* ≤ *r*, ``LocationOutcome/Result/outside`` if
  /// *d* − *a* > *r*, and otherwise ``LocationOutcome/Result/undecided``. For a polygon, *d* is the
  /// distance from its edge, negative inside, and *r* is zero.
  ///
  /// Several regions give one result: inside if the position is certainly in one of them, outside
  /// if it is certainly in none, otherwise undecided, even if adjacent regions together cover the
  /// whole circle of accuracy. The distance is then that from the edge of the nearest region, or of
  /// the one that contains the position most deeply.
  ///
  /// - Returns: The outcome with its figures in metres.
  public static func confirm(_ fix: LocationFix, in region: Region) -> LocationOutcome {
    let distance: Double
    let radius: Double?
    switch region {
    case .several(let several): return confirm(fix, in: several)
    case .circle(let circle):
      distance = Geodesic.distance(from: circle.centre, to: fix.coordinate)
      radius = circle.radius
    case .polygon(let polygon):
      distance = polygon.signedDistance(from: fix.coordinate)
      radius = nil
    }
    let limit = radius ?? 0
    let result: LocationOutcome.Result =
      if distance + fix.accuracy <= limit {
        .inside
      } else if distance - fix.accuracy > limit {
        .outside
      } else {
        .undecided
      }
    return LocationOutcome(
      result: result, distance: distance, radius: radius, accuracy: fix.accuracy, fix: fix)
  }

  private static func confirm(_ fix: LocationFix, in several: Region.Several) -> LocationOutcome {
    let outcomes = several.regions.map { confirm(fix, in: $0) }
    let result: LocationOutcome.Result =
      if outcomes.contains(where: { $0.result == .inside }) {
        .inside
      } else if outcomes.allSatisfy({ $0.result == .outside }) {
        .outside
      } else {
        .undecided
      }
    let distance = outcomes.compactMap(\.signedDistance).min()
    return LocationOutcome(
      result: result, distance: distance, radius: nil, accuracy: fix.accuracy, fix: fix)
  }

  /// The typing error in the position, or in the place, that would explain the distance.
  ///
  /// Apple's own sample lacks the minus sign of its longitude, and has been copied widely.
  ///
  /// - Returns: The change to a coordinate that brings the position inside, as a clause, or `nil`.
  static func slip(explaining fix: LocationFix, outside region: Region) -> String? {
    let north = fix.coordinate.latitude
    let east = fix.coordinate.longitude
    let slips = [
      ("the sign of the longitude reversed", Coordinate(latitude: north, longitude: -east)),
      ("the sign of the latitude reversed", Coordinate(latitude: -north, longitude: east)),
      ("both signs reversed", Coordinate(latitude: -north, longitude: -east)),
      ("latitude and longitude exchanged", Coordinate(latitude: east, longitude: north)),
    ]
    return slips.first { _, coordinate in
      guard let coordinate, let exact = LocationFix(coordinate: coordinate) else { return false }
      return confirm(exact, in: region).result == .inside
    }?.0
  }
}

/// Decides the location confirmation of a payload.
///
/// Apple publishes the reasons for a refusal, but not their order. Here the order is: `disallowed`,
/// `doesNotMatch`, `waived`, `noPlace`, `noPosition`, and then the geometry. Refusals by the phone
/// precede missing data; missing data of the code precedes that of its reader, because a better
/// position would not help.
struct LocationJudge {
  /// An outcome with its contribution to the verdict.
  struct Judgement {
    var outcome: LocationOutcome
    var verdict: Verdict
    var findings: [Finding] = []
  }

  let carrier: Carrier
  let answer: RegistryAnswer
  let placing: Placing

  /// - Returns: `nil` if confirmation was not requested.
  func judgement(on evidence: LocationEvidence) -> Judgement? {
    let fix: LocationFix?
    switch evidence {
    case .notAsked: return nil
    case .missing, .waived: fix = nil
    case .fix(let known): fix = known
    }
    let measured = fix.flatMap { fix in
      placing.region.map { LocationConfirmation.confirm(fix, in: $0) }
    }
    if carrier == .barcode || answer.clip?.locationConfirmation == false {
      return disallowed(fix: fix, measured: measured)
    }
    // An advanced experience has a registered link; Apple's default link needs none.
    guard answer.advanced != nil || answer.state == .ok else {
      return judgement(.doesNotMatch, .accepted, fix: fix, measured: nil, findings: [])
    }
    if evidence == .waived {
      return judgement(
        .waived, .accepted, fix: fix, measured: nil,
        findings: [
          Finding(
            .locationWaived, .note,
            "The clip requests location confirmation; it was waived, so the place of the "
              + "code is unconfirmed.")
        ])
    }
    guard let region = placing.region else {
      return judgement(.noPlace, .undecided, fix: fix, measured: nil, findings: noPlaceFindings)
    }
    guard let fix, let measured else {
      return judgement(
        .noPosition, .undecided, fix: nil, measured: nil,
        findings: [
          Finding(
            .noPosition, .warning,
            "The clip requests location confirmation, and the position is unknown; give one, or "
              + "waive the confirmation.")
        ])
    }
    return judgement(onGeometry: measured, fix: fix, region: region)
  }

  // MARK: Refusals

  private func disallowed(fix: LocationFix?, measured: LocationOutcome?) -> Judgement {
    guard answer.clip?.locationConfirmation == true else {
      // No phone would ask, but the distance is still reported.
      var findings: [Finding] = []
      if let fix, let measured, measured.result == .outside, let region = placing.region {
        findings = outsideFindings(measured, fix: fix, region: region, severity: .warning)
      }
      return judgement(.disallowed, .accepted, fix: fix, measured: measured, findings: findings)
    }
    return judgement(
      .disallowed, .undecided, fix: fix, measured: measured,
      findings: [
        Finding(
          .locationDisallowed, .warning,
          "The clip requests location confirmation, which iOS performs only for QR codes, NFC tags "
            + "and App Clip Codes.")
      ])
  }

  private var noPlaceFindings: [Finding] {
    guard placing.findings.isEmpty else { return [] }
    return [
      Finding(
        .noPlace, .warning,
        "The clip requests location confirmation, but the place of this code is unknown; "
          + (answer.advanced == nil
            ? "only an advanced experience can have a place rule."
            : "give its experience a place rule."))
    ]
  }

  private func judgement(
    _ result: LocationOutcome.Result, _ verdict: Verdict, fix: LocationFix?,
    measured: LocationOutcome?, findings: [Finding]
  ) -> Judgement {
    let radius: Double? =
      if case .circle(let circle) = placing.region { circle.radius } else { nil }
    return Judgement(
      outcome: LocationOutcome(
        result: result, distance: measured?.distance, radius: radius, accuracy: fix?.accuracy,
        fix: fix),
      verdict: verdict, findings: findings)
  }

  // MARK: Geometry

  private func judgement(
    onGeometry measured: LocationOutcome, fix: LocationFix, region: Region
  ) -> Judgement {
    var judgement = Judgement(outcome: measured, verdict: .accepted)
    switch region {
    case .circle: break
    case .polygon:
      judgement.findings.append(
        Finding(
          .polygonNotConfirmable, .note,
          "\(placeName) is a polygon; a phone's location confirmation uses a circle, so only this "
            + "check detects the difference."))
    case .several(let several):
      judgement.findings.append(
        Finding(
          .severalRegionsNotConfirmable, .note,
          "\(placeName) has \(several.regions.count) regions; a phone's location confirmation uses "
            + "one circle, so only this check covers them all."))
    }
    if measured.result == .outside {
      judgement.verdict = .rejected
      judgement.findings += outsideFindings(measured, fix: fix, region: region, severity: .error)
    } else if measured.result == .undecided {
      judgement.verdict = .undecided
      judgement.findings.append(undecidedFinding(measured))
    }
    return judgement
  }

  private var placeName: String { placing.place?.name ?? "the position in the URL" }

  private func outsideFindings(
    _ measured: LocationOutcome, fix: LocationFix, region: Region, severity: Finding.Severity
  ) -> [Finding] {
    let distance = Metres.text(measured.distance ?? 0)
    let allowed =
      switch region {
      case .circle(let circle): "allowed \(Metres.text(circle.radius))"
      case .polygon: "outside its polygon"
      case .several: "outside all its regions"
      }
    var findings = [
      Finding(
        .outsideRegion, severity,
        "The code was read \(distance) from \(placeName), \(allowed).")
    ]
    if let slip = LocationConfirmation.slip(explaining: fix, outside: region) {
      findings.append(
        Finding(
          .signSuspect, .warning,
          "With \(slip), in the position or in the place, it would be inside; check both."))
    }
    return findings
  }

  /// The accuracy that would decide: at most the distance to the region's edge.
  private func undecidedFinding(_ measured: LocationOutcome) -> Finding {
    let distance = measured.distance ?? 0
    let needed = abs((measured.radius ?? 0) - distance)
    let accuracy = Metres.text(measured.accuracy ?? 0)
    let standing =
      measured.radius.map {
        "\(Metres.text(distance)) from \(placeName), allowed \(Metres.text($0))"
      } ?? "\(Metres.text(abs(distance))) from the edge of \(placeName)"
    return Finding(
      .undecidedAccuracy, .warning,
      "The code was read \(standing), but the position is accurate to \(accuracy) only; "
        + "\(Metres.roundedDown(needed)) or better would decide.")
  }
}
