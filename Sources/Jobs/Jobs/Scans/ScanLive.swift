public import CodeScanning
public import Invocation
public import Verifying

/// Reads the codes before a camera or a scanner, as they come.
public struct ScanLive: Job {
  /// The camera or scanner, opened.
  public var source: any LiveSource
  /// The number of codes after which the job ends; `nil` for no limit.
  public var count: Int?
  /// The longest wait for a new code; `nil` for no limit.
  public var timeout: Duration?
  /// The time for which a code must be away before it is reported again.
  public var awayFor = Duration.seconds(3)
  /// The evidence of the reader's position.
  public var location = LocationEvidence.missing
  /// The steps besides the check, and their settings.
  public var options = Verifier.Options()

  /// Makes a job.
  public init(_ source: any LiveSource) { self.source = source }

  /// A step of the job.
  public enum Event: Sendable {
    /// A code was read and verified.
    case observed(CodeObservation)
    /// The scanner sent something that is no code, for the reason in the sentence.
    case unreadable(String)
    /// The scanner does not name the symbology of its codes; reported once, before the first code.
    case unnamedSymbology
  }

  /// The end of a finished job.
  public struct Output: Hashable, Sendable {
    /// The number of codes that were read.
    public let count: Int
    /// The reason why the source delivers no more; `nil` if enough codes came.
    public let end: CodeObservation.End?
  }

  /// Reads the source to its end, or until enough codes came.
  ///
  /// Cancelling ends the reading within 100 ms, or when the camera frame in work is finished.
  ///
  /// - Throws: `LiveSourceError` if the device failed; `CancellationError`; the errors of
  ///   `Verifier.verify(_:on:source:)`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Event) -> Void
  ) async throws -> Output {
    try await run(through: workplace.verifierOfPictures(location, options), reporting: report)
  }

  /// Reads the source by a verifier, for example that of a walk.
  package func run(
    through verifier: Verifier, reporting report: (Event) async throws -> Void
  ) async throws -> Output {
    let scan = LiveScan(clock: ContinuousClock(), timeout: timeout, awayFor: awayFor)
    var (found, end) = (0, CodeObservation.End?.none)
    var isExplained = verifier.options.assumesQR
    for await seen in verifier.observations(of: source, through: scan) {
      if let failure = seen.failure ?? seen.codes.lazy.compactMap(\.failure).first { throw failure }
      switch seen.reading {
      case nil: end = seen.end
      case .unreadable(let reason): try await report(.unreadable(reason))
      case .decoded, .appClipCode, .text:
        if case .text(_, nil) = seen.reading, !isExplained {
          isExplained = true
          try await report(.unnamedSymbology)
        }
        try await report(.observed(seen))
        found += 1
        if let count, found >= count { return Output(count: found, end: nil) }
      }
    }
    try Task.checkCancellation()
    return Output(count: found, end: end)
  }
}
