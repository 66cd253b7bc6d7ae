public import Invocation
import Registry
public import Verifying

/// Answers what a phone would do with payloads, one after another.
///
/// ```swift
/// let job = CheckPayloads(["https://fruta.example.com/order/cupertino"])
/// for await code in job.start(in: workplace) { print(code.verdict, code.findings) }
/// ```
public struct CheckPayloads: Job {
  /// A payload to check.
  public struct Payload: Sendable {
    /// The text, untrimmed.
    public let text: String
    /// The name of its source in the result.
    public let source: String
    /// Whether it was waited for, so that the registry may have changed since the one before.
    public let wasAwaited: Bool

    /// Makes a payload.
    public init(_ text: String, from source: String = "argument", wasAwaited: Bool = false) {
      self.text = text
      self.source = source
      self.wasAwaited = wasAwaited
    }
  }

  private let payloads: any AsyncSequence<Payload, any Error> & Sendable
  /// The evidence of the reader's position; a location is confirmed only if there is some.
  public var location = LocationEvidence.notAsked
  /// The steps besides the check, and their settings.
  public var options = Verifier.Options()

  /// Checks payloads that are known.
  public init(_ payloads: [String]) {
    self.init(
      AsyncThrowingStream { stream in
        for payload in payloads { stream.yield(Payload(payload)) }
        stream.finish()
      })
  }

  /// Checks payloads as they come.
  ///
  /// - Parameter payloads: The payloads; an error that they end with ends the job. The job reads
  ///   the next one when the one before was reported.
  public init(_ payloads: some AsyncSequence<Payload, any Error> & Sendable) {
    self.payloads = payloads
  }

  /// The number of payloads that a job answered.
  public struct Output: Hashable, Sendable {
    /// The number of payloads that were accepted.
    public fileprivate(set) var accepted = 0
    /// The number of all others.
    public fileprivate(set) var others = 0
  }

  /// Checks the payloads, and reports each as soon as it is answered.
  ///
  /// - Throws: `CancellationError`; the error of the payloads; the errors of
  ///   `Verifier.verify(_:on:source:)`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (VerifiedCode) -> Void
  ) async throws -> Output {
    let directory = RegistryDirectory(workplace.registry)
    let verifier = Verifier(
      check: InvocationCheck(directory: directory, engine: workplace.engine), location: location,
      options: options)
    var counts = Output()
    func check(_ payloads: some AsyncSequence<Payload, any Error>) async throws {
      for try await payload in payloads {
        if payload.wasAwaited { try directory.refresh() }
        let code = try await verifier.verify(payload.text, source: payload.source)
        report(code)
        if code.verdict == .accepted { counts.accepted += 1 } else { counts.others += 1 }
      }
    }
    try await check(payloads)
    try Task.checkCancellation()
    return counts
  }
}

extension Workplace {
  /// Returns the verifier of a job in this workplace.
  func verifier(_ location: LocationEvidence, _ options: Verifier.Options) -> Verifier {
    Verifier(check: check, location: location, options: options)
  }

  /// Returns the verifier of a job that recognises the App Clip Codes on record, unless it has
  /// others.
  func verifierOfPictures(
    _ location: LocationEvidence, _ options: Verifier.Options
  ) -> Verifier {
    var verifier = verifier(location, options)
    if options.appClipCodes == nil, options.record == nil {
      verifier.options.appClipCodes = registry
    }
    return verifier
  }
}
