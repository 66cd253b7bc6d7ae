public import Invocation
package import PositionSources

extension Finding.Code {
  /// The receiver gave no usable position in time.
  public static let unusablePosition = Finding.Code(rawValue: "unusable-position")
  /// Successive positions contradict each other: the reader walked, or the signal is reflected.
  public static let positionJump = Finding.Code(rawValue: "position-jump")
  /// The receiver says that its position is simulated, which was allowed.
  public static let simulatedPosition = Finding.Code(rawValue: "simulated-position")
  /// The picture holds a position without its accuracy; the position is not used.
  public static let inexactPicture = Finding.Code(rawValue: "position-without-error")

}

extension Finding {
  /// The findings about the search for a position.
  package static func about(_ found: FoundPosition) -> [Finding] {
    var findings: [Finding] = []
    if let farthest = found.sightings.jumps.map(\.distance).max() {
      findings.append(
        Finding(
          .positionJump, .warning,
          "Successive positions are up to \(Int(farthest.rounded())) m apart, more than their errors "
            + "allow; stand still, away from walls, and read the code again."))
    }
    if found.fix.origin?.isSimulated == true {
      findings.append(
        Finding(
          .simulatedPosition, .warning,
          "The receiver says that its position is simulated; nothing is proved by it."))
    }
    return findings
  }

  /// The finding for a missing position.
  package static func about(_ error: PositionError) -> Finding {
    Finding(.unusablePosition, .warning, "\(error.message) \(error.hint)")
  }
}
