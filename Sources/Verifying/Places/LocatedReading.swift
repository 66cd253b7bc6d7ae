public import Invocation
package import Pictures
package import PositionSources

/// What is known of the position of one reading, and what is worth telling about it.
public struct LocatedReading: Sendable {
  /// What is known.
  public let evidence: LocationEvidence
  /// What is worth telling.
  public let findings: [Finding]

  /// Makes a reading's position.
  public init(_ evidence: LocationEvidence, findings: [Finding] = []) {
    self.evidence = evidence
    self.findings = findings
  }

  /// What a receiver gave.
  package init(_ found: FoundPosition) {
    self.init(.fix(found.fix), findings: Finding.about(found))
  }

  /// No position, and why.
  package init(_ error: PositionError) {
    self.init(.missing, findings: [Finding.about(error)])
  }
}

/// Takes the position of whoever took a picture from the picture.
public struct PictureLocation: Sendable {
  /// Metres; for pictures that do not say how exact they are. `nil`: their position is not used.
  package let accuracy: Double?

  /// Makes a rule.
  public init(accuracy: Double? = nil) { self.accuracy = accuracy }

  /// What a picture says of its position.
  ///
  /// - Parameters:
  ///   - picture: The picture's own position, if it has one.
  ///   - name: What the picture is called in the result.
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
            "The picture says where it was taken, and not how exactly; say how exact such "
              + "pictures are.")
        ])
    }
    let origin = PositionOrigin(kind: .exif, name: name, time: picture.time)
    let fix = LocationFix(coordinate: coordinate, accuracy: accuracy, origin: origin)
    return LocatedReading(fix.map(LocationEvidence.fix) ?? .missing)
  }
}

extension LocationEvidence {
  /// A position that somebody measured or gave, not one that only stands for a place.
  package var measured: LocationFix? {
    guard case .fix(let fix) = self, fix.origin?.kind != .place else { return nil }
    return fix
  }
}

extension Place {
  /// A position that stands for the place where somebody says they are: within its region, exact.
  ///
  /// - Returns: `nil` for a region of which no point inside is found at once.
  package var statedFix: LocationFix? {
    let origin = PositionOrigin(kind: .place, name: id)
    return region.bounds.lazy.compactMap { LocationFix(coordinate: $0.centre, origin: origin) }
      .first { LocationConfirmation.confirm($0, in: region).result == .inside }
  }
}
