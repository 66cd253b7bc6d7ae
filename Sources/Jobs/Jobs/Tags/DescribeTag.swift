public import Invocation
import NFCReader
package import TagTypes
public import Verifying

/// Reads the kind of the tag on the reader and what it holds, without judging it.
public struct DescribeTag: Job {
  /// Whether the payloads of the records are stated in the result.
  public var showsBytes = false
  /// The tag's password.
  public var access = TagAccess()

  /// Makes a job.
  public init() {}

  /// The tag of a finished job.
  public struct Output: Sendable {
    /// The tag with its configuration.
    package let tag: Tag
    /// The facts that all types of tags have in common.
    public let facts: TagFacts
    /// The findings about the tag and its data.
    public let findings: [Finding]
    /// The number of readings that the tag has counted.
    package let counter: Int?
    /// The result of the contract.
    public let result: TagInfoResult
  }

  /// Reads the tag.
  ///
  /// - Throws: `NFCReaderError`; ``TagReader/Failed`` with the error of the tag.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (TagEvent) -> Void
  ) async throws -> Output {
    try await run(on: workplace.reader, reporting: report)
  }

  /// Reads the tag on a reader; no registry is needed.
  ///
  /// - Throws: The errors of ``run(in:reporting:)``.
  public func run(
    on reader: TagReader, reporting report: (TagEvent) -> Void = { _ in }
  ) async throws -> Output {
    try await reader.withTag(reporting: report) { tag, reader in
      let channel = try await access.open(tag, reporting: report)
      let tag = try await Tag.identify(over: channel, includingConfiguration: true)
        .namedByItself(over: channel)
      let facts = TagFacts(tag).with(try await tag.originality(over: channel))
      let payload = try? TagPayload(tag)
      let findings = payload?.asPhonesSee(tag).findings ?? []
      let counter = try await tag.type2?.readCounter(over: channel)
      return Output(
        tag: tag, facts: facts, findings: findings, counter: counter,
        result: TagInfoResult(
          tag, facts, findings: findings, payload: payload?.uri, counter: counter,
          showsBytes: showsBytes, source: reader))
    }
  }
}
