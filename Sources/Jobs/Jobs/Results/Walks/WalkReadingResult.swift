public import Registry
public import Verifying

/// A code that was read on a walk: the `verification` object with the facts of its stop.
public struct WalkReadingResult: Encodable, Sendable {
  private struct Tail: Encodable {
    /// The id of the walk.
    let walk: String
    /// The number of the stop in its walk, from 1; `nil` in a rehearsal.
    let stop: Int?
    /// The number of the stop that this one replaces.
    let supersedes: Int?
    /// Whether nothing was stored.
    let dryRun: Bool
    /// The text that identifies a sign within its walk.
    let sign: String?
    /// The code's name in the registry.
    let code: String?
    /// The estimated grade of the print, 0 to 4.
    let grade: Double?
    /// The time at which the picture was taken, as it states, RFC 3339 in UTC.
    let taken: String?
    /// The findings about the stop as a whole.
    let stopFindings: [FindingResult]
  }

  /// The code.
  public let verification: VerificationResult
  private let tail: Tail

  /// States a code.
  ///
  /// - Parameters:
  ///   - code: The code as it was verified.
  ///   - reading: The code as the walk stores it.
  ///   - stop: The stop at which it was read.
  ///   - superseded: The number of the stop that this one replaces.
  ///   - isRehearsal: Whether nothing was stored.
  public init(
    _ code: VerifiedCode, _ reading: WalkReading, at stop: WalkStop,
    superseding superseded: Int?, isRehearsal: Bool
  ) {
    verification = code.result
    tail = Tail(
      walk: stop.walk.description, stop: isRehearsal ? nil : stop.number, supersedes: superseded,
      dryRun: isRehearsal, sign: stop.sign, code: reading.code?.description,
      grade: reading.grade.map { ($0 * 10).rounded() / 10 },
      taken: stop.taken?.registryTimestamp, stopFindings: stop.findings.map(FindingResult.init))
  }

  /// Encodes the object of the contract.
  public func encode(to encoder: any Encoder) throws {
    try verification.encode(to: encoder)
    try tail.encode(to: encoder)
  }
}
