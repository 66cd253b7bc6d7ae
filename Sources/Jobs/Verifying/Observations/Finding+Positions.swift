import CliptagBasics
public import Invocation
package import PositionSources

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Finding.Code {
  public static let unusablePosition = Self(
    "unusable-position", "The receiver gave no usable position in time.")
  public static let positionJump = Self(
    "position-jump",
    "Successive positions contradict each other: the reader walked, or the signal is reflected.")
  public static let simulatedPosition = Self(
    "simulated-position", "The receiver reports a simulated position, which was allowed.")
  public static let inexactPicture = Self(
    "position-without-error",
    "The picture has a position without its accuracy; the position is not used.")

  /// The codes above, in the order of the documentation.
  package static let ofPositions: [Self] = [
    .unusablePosition, .positionJump, .simulatedPosition, .inexactPicture,
  ]
}

extension Finding {
  /// The findings about the search for a position.
  package static func about(_ found: FoundPosition) -> [Finding] {
    var findings: [Finding] = []
    if let farthest = found.sightings.jumps.map(\.distance).max() {
      findings.append(
        Finding(
          .positionJump, .warning,
          "Successive positions are up to \(Int(bounded: farthest.rounded())) m apart, more than their errors "
            + "allow; stand still, away from walls, and read the code again."))
    }
    if found.fix.origin?.isSimulated == true {
      findings.append(
        Finding(
          .simulatedPosition, .warning,
          "The receiver reports a simulated position, which proves no location."))
    }
    return findings
  }

  /// The finding for a missing position.
  package static func about(_ error: PositionError) -> Finding {
    Finding(.unusablePosition, .warning, advising: "\(error.message) \(error.advice)")
  }
}
