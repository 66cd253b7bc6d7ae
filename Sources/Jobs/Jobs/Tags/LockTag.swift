import Invocation
public import Issuing
import NFCReader
public import Registry
import TagTypes

/// Locks the tag on the reader for good, with what it holds.
///
/// The tag is read and checked first. Then its configuration, capability container and lock bits
/// are set, read back, and proven by writes that the tag has to refuse. This can never be undone.
///
/// An NTAG 424 DNA has rights instead of lock bits, which change with its key 0; see ``keys``. Its
/// message is verified before and after. The holder of the key can still change keys, and thereby
/// the messages, but never the URL.
public struct LockTag: Job {
  /// Whether a URL is locked in that the check does not accept or warns of.
  public var unregistered = false
  /// Whether only the plan is made.
  public var dryRun = false
  /// The tag's password.
  public var access = TagAccess()
  /// The keys with which an NTAG 424 DNA was made ready, which alone change its rights.
  public var keys: SecureMessageKeys?
  /// The consent to a plan of a tag that is not locked yet; `nil` locks without asking.
  public var consent: (@Sendable (TagProtector.LockJob) async throws -> Bool)?

  /// Makes a job.
  public init() {}

  /// The tag of a finished job.
  public struct Locked: Sendable {
    /// The plan, and the URL that the tag holds.
    public let job: TagProtector.LockJob
    /// The report of the locking and the code's name; `nil` in a rehearsal.
    public let outcome: TagProtector.LockOutcome?
    /// The result of the contract.
    public let result: LockTagResult
  }

  /// Locks the tag.
  ///
  /// If the tag is pulled away, the same job again finishes the work.
  ///
  /// - Returns: `nil` if ``consent`` was refused.
  /// - Throws: `LockRefusal` if the tag holds no URL or one that is not accepted; `NFCReaderError`;
  ///   ``TagReader/Failed`` with the error of the tag or of the registry.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (TagEvent) -> Void
  ) async throws -> Locked? {
    let protector = TagProtector(ledger: workplace.ledger, check: workplace.check)
    return try await workplace.reader.withTag(reporting: report) { tag, reader in
      let channel = try await access.open(tag, reporting: report)
      let job = try await protector.planLock(
        on: channel, reader: reader, unregistered: unregistered, keys: keys, reporting: report)
      guard !dryRun else {
        return Locked(
          job: job, outcome: nil, result: LockTagResult(job, nil, reader: reader))
      }
      if let consent, !job.plan.isAlreadyLocked {
        guard try await consent(job) else { return nil }
      }
      return try await protector.lock(job, on: channel, reader: reader)
    }
  }
}

extension TagProtector {
  /// Checks an opened tag and plans its lock, with warnings about it.
  func planLock(
    on channel: some TagChannel, reader: String, unregistered: Bool,
    keys: SecureMessageKeys? = nil, reporting report: (TagEvent) -> Void
  ) async throws -> LockJob {
    let job = try await planLock(
      on: channel, source: reader, unregistered: unregistered, keys: keys)
    for note in job.plan.notes { report(.warning(note)) }
    return job
  }

  /// Locks an opened tag.
  ///
  /// - Parameter code: The code that the tag carries, if it has just been recorded.
  func lock(
    _ job: LockJob, on channel: some TagChannel, reader: String, code: CodeID? = nil
  ) async throws -> LockTag.Locked {
    let outcome = try await execute(job, on: channel, reader: reader, code: code)
    return LockTag.Locked(
      job: job, outcome: outcome, result: LockTagResult(job, outcome, reader: reader))
  }
}
