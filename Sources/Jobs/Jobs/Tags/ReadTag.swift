public import Invocation
import NFCReader
import TagTypes
public import Verifying

/// Reads the tag on the reader, or the dump of one, and verifies what it says.
///
/// ```swift
/// let code = try await ReadTag().run(in: workplace)
/// print(code.verdict, code.result.payload)
/// ```
public struct ReadTag: Job {
  /// The dump that is read in place of the tag on the reader.
  public var dump: NamedTagDump?
  /// Whether a tag is rejected whose originality signature is not genuine.
  public var requiresGenuine = false
  /// The tag's password.
  public var access = TagAccess()
  /// The evidence of the reader's position.
  public var location = LocationEvidence.missing
  /// The steps besides the check, and their settings.
  public var options = Verifier.Options()

  /// Makes a job.
  public init() {}

  /// Reads and verifies the tag. Only the counter of its message, if it has one, is stored.
  ///
  /// The position is determined after the reader was closed: a receiver may take a while.
  ///
  /// - Throws: `NFCReaderError`; ``TagReader/Failed`` with the error of the tag; for a dump
  ///   `TagError`; the errors of `Verifier.verify(_:source:requiring:)`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (TagEvent) -> Void
  ) async throws -> VerifiedCode {
    let verifier = workplace.verifier(location, options)
    if let dump {
      return try await verifier.verify(try await dump.tag.identify(), source: dump.name)
    }
    let read = try await workplace.reader.withTag(reporting: report) { tag, reader in
      let channel = try await access.open(tag, reporting: report)
      let tag = try await Tag.identify(over: channel, includingConfiguration: true)
        .namedByItself(over: channel)
      return try verifier.examine(
        tag, source: reader,
        requiring: requiresGenuine ? try await tag.originality(over: channel) : nil)
    }
    return try await verifier.complete(read)
  }
}
