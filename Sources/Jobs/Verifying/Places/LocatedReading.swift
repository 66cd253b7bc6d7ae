import CliptagBasics
public import Invocation
package import Pictures
package import PositionSources

/// The evidence of the position of one reading, and the findings about it.
public struct LocatedReading: Sendable {
  /// The evidence of the position.
  public let evidence: LocationEvidence
  /// The findings about the position.
  public let findings: [Finding]

  /// Makes the position of a reading.
  public init(_ evidence: LocationEvidence, findings: [Finding] = []) {
    self.evidence = evidence
    self.findings = findings
  }

  /// The position that a receiver gave.
  package init(_ found: FoundPosition) {
    self.init(.fix(found.fix), findings: Finding.about(found))
  }

  /// A missing position, with the reason.
  package init(_ error: PositionError) {
    self.init(.missing, findings: [Finding.about(error)])
  }
}

/// Takes the position of a reading from the picture's metadata.
public struct PictureLocation: Sendable {
  /// The accuracy in metres assumed for pictures that do not give one; `nil` if their position is
  /// not used.
  package let accuracy: Double?

  /// Makes a rule.
  public init(accuracy: Double? = nil) { self.accuracy = accuracy }

  /// The position that a picture gives.
  ///
  /// - Parameters:
  ///   - picture: The picture's own position, if it has one.
  ///   - name: The picture's name in the result.
  package func reading(of picture: PicturePosition?, named name: String) -> LocatedReading {
    guard let picture,
      let coordinate = Coordinate(latitude: picture.latitude, longitude: picture.longitude)
    else { return LocatedReading(.missing) }
    guard let accuracy = picture.horizontalError ?? accuracy else {
      return LocatedReading(
        .missing,
        findings: [
          Finding(
            .inexactPicture, .warning,
            advising:
              "The picture has a position without its accuracy; \(.giveAccuracy).")
        ])
    }
    let origin = PositionOrigin(kind: .exif, name: name, time: picture.time)
    let fix = LocationFix(coordinate: coordinate, accuracy: accuracy, origin: origin)
    return LocatedReading(fix.map(LocationEvidence.fix) ?? .missing)
  }
}

extension LocationEvidence {
  /// A position that was measured or given, not one derived from a place.
  package var measured: LocationFix? {
    guard case .fix(let fix) = self, fix.origin?.kind != .place else { return nil }
    return fix
  }
}

extension Place {
  /// An exact position within the region of the place that a user selected.
  ///
  /// - Returns: `nil` if no point inside the region is found directly.
  package var statedFix: LocationFix? {
    let origin = PositionOrigin(kind: .place, name: id)
    return region.bounds.lazy.compactMap { LocationFix(coordinate: $0.centre, origin: origin) }
      .first { LocationConfirmation.confirm($0, in: region).result == .inside }
  }
}
