import Invocation
import Issuing
import NFCReader
public import TagTypes

/// Empties the NDEF message of the tag on the reader and retires the codes that the tag carried.
public struct EraseTag: Job {
  /// Whether data that is not ours is erased, too.
  public var overwrite = false
  /// Whether only the plan is made.
  public var dryRun = false
  /// The tag's password.
  public var access = TagAccess()

  /// Makes a job.
  public init() {}

  /// The tag of a finished job.
  public struct Output: Sendable {
    /// The plan of the erasure.
    public let plan: WritePlan
    /// The report of the writing; `nil` in a rehearsal.
    public let report: WriteReport?
    /// The result of the contract.
    public let result: EraseTagResult
  }

  /// Erases the tag.
  ///
  /// - Throws: `NFCReaderError`; ``TagReader/Failed`` with the error of the tag or of the registry,
  ///   or `IssuingError` with code `foreign-data`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (TagEvent) -> Void
  ) async throws -> Output {
    let issuer = TagIssuer(ledger: workplace.ledger, check: workplace.check)
    return try await workplace.reader.withTag(reporting: report) { tag, reader in
      let channel = try await access.open(tag, reporting: report)
      let plan = try await issuer.planErase(on: channel, overwriting: overwrite)
      let written = dryRun ? nil : try await issuer.executeErase(plan, on: channel, reader: reader)
      return Output(
        plan: plan, report: written,
        result: EraseTagResult(
          plan, written, uid: tag.target.uid, reader: reader, isRehearsal: dryRun))
    }
  }
}
