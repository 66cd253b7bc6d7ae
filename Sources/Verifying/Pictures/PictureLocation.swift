internal import Invocation
package import Pictures

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
            "The picture says where it was taken, and not how exactly; give --accuracy METRES for "
              + "such pictures.")
        ])
    }
    let origin = PositionOrigin(kind: .exif, name: name, time: picture.time)
    let fix = LocationFix(coordinate: coordinate, accuracy: accuracy, origin: origin)
    return LocatedReading(fix.map(LocationEvidence.fix) ?? .missing)
  }
}
