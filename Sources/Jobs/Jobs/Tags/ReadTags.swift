public import Invocation
package import NFCReader
public import Verifying

/// Reads and verifies the tags that are placed on the reader, one after another.
///
/// ```swift
/// var job = ReadTags()
/// job.count = 20
/// let tags = try await job.run(in: workplace) { event in
///   if case .observed(let seen) = event { print(seen.codes.map(\.verdict)) }
/// }
/// ```
public struct ReadTags: Job {
  /// The number of tags after which the job ends; `nil` for no limit.
  public var count: Int?
  /// The evidence of the reader's position.
  public var location = LocationEvidence.missing
  /// The steps besides the check, and their settings.
  public var options = Verifier.Options()

  /// Makes a job.
  public init() {}

  /// A step of the job.
  public enum Event: Sendable {
    /// The reader was opened.
    case opened(connectionString: String)
    /// A tag was placed on the reader, or removed from it.
    case presence(TagPresence)
    /// A tag was read and verified; or, with a failure, could not be.
    case observed(CodeObservation)
  }

  /// Reads tags until none came in the reader's time, one stayed longer than that, or enough came.
  ///
  /// A tag that cannot be read does not end the job. Cancelling ends it before the next tag.
  ///
  /// - Returns: The number of tags that were read.
  /// - Throws: `NFCReaderError` if the reader cannot be opened; ``TagReader/Failed`` if it fails,
  ///   or with the code `noTag` if no tag came at all.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Event) -> Void
  ) async throws -> Int {
    try await withoutActuallyEscaping(report) { report in
      try await run(
        on: workplace.reader, through: workplace.verifier(location, options),
        presence: { report(.presence($0)) },
        opened: { report(.opened(connectionString: $0)) },
        each: { report(.observed($0)) })
    }
  }

  /// Reads tags by a verifier, for example that of a walk.
  package func run(
    on reader: TagReader, through verifier: Verifier,
    presence: @escaping @Sendable (TagPresence) -> Void = { _ in },
    opened report: (String) -> Void, each: (CodeObservation) async -> Void
  ) async throws -> Int {
    let opened = try await NFCReader.open(
      reader.name, answerTimeout: .answer(within: reader.timeout))
    report(opened.connectionString)
    let result: Result<Int, any Error>
    do {
      result = .success(
        try await run(
          on: opened, within: reader.timeout, through: verifier, presence: presence, each: each))
    } catch {
      result = .failure(TagReader.Failed(reader: opened.connectionString, underlying: error))
    }
    await opened.close()
    return try result.get()
  }

  /// Reads tags on an opened reader, which stays open.
  ///
  /// - Throws: `NFCReaderError`; the errors of `each`.
  package func run(
    on reader: NFCReader, within timeout: Duration, through verifier: Verifier,
    presence: @escaping @Sendable (TagPresence) -> Void = { _ in },
    each: (CodeObservation) async throws -> Void
  ) async throws -> Int {
    var found = 0
    let tags = verifier.observations(
      of: reader, timeout: timeout, count: count, presence: presence)
    for await seen in tags {
      if let failure = seen.failure, seen.end != nil { throw failure }
      if seen.failure == nil { found += 1 }
      try await each(seen)
    }
    return found
  }
}
