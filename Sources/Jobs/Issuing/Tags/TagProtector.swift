import CliptagBasics
public import Invocation
public import Registry
import SecureTags
public import TagTypes
public import Verifying

/// Locks tags for good and sets their passwords, and keeps the record.
public struct TagProtector: Sendable {
  private let ledger: CodeLedger
  private let check: InvocationCheck

  /// Creates a protector.
  ///
  /// - Parameters:
  ///   - ledger: The ledger of the work.
  ///   - check: The check of data on a tag before it is locked in.
  public init(ledger: CodeLedger, check: InvocationCheck) {
    self.ledger = ledger
    self.check = check
  }

  /// A lock that may be carried out: what the tag holds was read and approved.
  public struct LockJob: Sendable {
    /// The plan of the lock.
    public let plan: LockPlan
    /// The payload of the tag, and the approval to lock it in.
    package let approval: Approval
    /// The URL as a phone reads it.
    public let url: String
    /// The keys of an NTAG 424 DNA.
    let keys: TagLockKeys?
  }

  /// The outcome of one locked tag.
  public struct LockOutcome: Sendable {
    /// The report of the locking.
    public let report: LockReport
    /// The code's name in the registry.
    public let code: CodeID
  }

  /// Reads the tag and plans to lock it. Nothing is written.
  ///
  /// - Parameters:
  ///   - channel: An activated tag.
  ///   - source: The name of the reader with the tag.
  ///   - unregistered: Whether to lock in a URL that the check does not accept or warns of; a URL
  ///     that no phone reads is refused regardless.
  ///   - expected: The URL that the tag must hold; `nil` for any.
  ///   - keys: The keys with which NTAG 424 DNA were made ready; other tags need none.
  /// - Throws: ``LockRefusal`` when the tag holds no URL, one that the check does not accept, or
  ///   one that not every phone reads; `TagError`; ``IssuingError`` with code `provisioning-keys`;
  ///   or an error of the directory.
  public func planLock(
    on channel: some TagChannel, source: String, unregistered: Bool,
    expecting expected: String? = nil, keys: SecureMessageKeys? = nil
  ) async throws -> LockJob {
    let tag = try await Tag.identify(over: channel, includingConfiguration: true)
    try tag.checkIsWritten()
    let payload = try TagPayload(tag)
    guard case .message(let message) = tag.content, let url = payload.uri else {
      throw LockRefusal(
        code: try Verifier(check: check, location: .notAsked).examine(tag, source: source))
    }
    // A counter or message that the tag shows changes with every reading; on record it is zeros.
    let stored = tag.type4.map { Tag.type4($0.withoutMirror) }
    let recorded = try stored.map(TagPayload.init)?.uri ?? payload.recordedURI ?? url
    if let expected, !recorded.utf8.elementsEqual(expected.utf8) {
      throw TagError(
        .verifyFailed,
        "\(tag.name) \(tag.uid.hexadecimal) contains \(url) instead of \(expected), "
          + "the URL to lock",
        hint: "write the URL first; nothing was locked", uid: tag.uid)
    }
    let approval: Approval
    do {
      approval = try check.approve(recorded, unregistered: unregistered)
    } catch let refusal as IssueRefusal {
      throw LockRefusal(
        code: VerifiedCode(
          source: source, verification: refusal.verification, carrierFindings: payload.findings,
          tag: TagFacts(tag)))
    }
    // A payload that some phones do not read needs consent to be kept for ever, and one that none
    // reads is always refused.
    let isRefused = payload.findings.contains { finding in
      // A lock that was begun is finished, and a closed container stays closed.
      let isPast = finding.isReportOfUsers && !tag.isContainerMended
      return finding.severity == .error || finding.severity == .warning && !unregistered && !isPast
    }
    if isRefused {
      throw LockRefusal(
        code: VerifiedCode(
          source: source, verification: approval.verification, carrierFindings: payload.findings,
          tag: TagFacts(tag)))
    }
    let lockKeys =
      tag.type4?.takesLockKeys == true ? try keys?.lockKeys(for: recorded) : nil
    return LockJob(
      plan: try await tag.planLock(of: message, with: lockKeys, over: channel), approval: approval,
      url: url, keys: lockKeys)
  }

  /// Executes a lock, proves it, and records it.
  ///
  /// - Parameters:
  ///   - job: The lock, from ``planLock(on:source:unregistered:expecting:keys:)``.
  ///   - channel: The tag.
  ///   - reader: The reader's name in the record.
  ///   - code: The code that the tag carries, if it has just been recorded; otherwise it is
  ///     found, or begun.
  /// - Throws: `TagError`; ``IssuingError`` with code `not-recorded` when the tag is
  ///   locked but the registry could not take the record.
  public func execute(
    _ job: LockJob, on channel: some TagChannel, reader: String, code: CodeID? = nil
  ) async throws -> LockOutcome {
    let report = try await job.plan.execute(over: channel, with: job.keys)
    let tag = job.plan.tag
    do throws(RegistryError) {
      let id: CodeID
      if let code {
        id = code
      } else {
        id = try await ledger.recordTag(
          job.approval, uid: tag.uid.hexadecimal, tagType: tag.name, reader: reader,
          pagesWritten: 0, mirror: tag.type2?.mirror?.kind.placeholder)
      }
      try await ledger.recordLocked(
        id, uid: tag.uid.hexadecimal, reader: reader, pagesWritten: report.pagesWritten)
      return LockOutcome(report: report, code: id)
    } catch {
      throw notRecorded("locked", tag.uid, error)
    }
  }

  /// The pages that locking a tag would write, whatever it holds: for a look ahead, before the
  /// message is written that is then locked in. Doubts come with it.
  ///
  /// - Parameter tries: `true` to write lock bytes of a product that is not known with their present
  ///   content, which changes nothing.
  /// - Throws: `TagError` when the tag cannot be locked.
  package func lockSteps(
    on channel: some TagChannel, trying tries: Bool
  ) async throws -> (steps: [LockPlan.Step], notes: [String]) {
    let tag = try await Tag.identify(over: channel, includingConfiguration: true)
    let preview = try await tag.lockSteps(over: channel)
    if tries { try await tag.checkLockBytes(of: preview.steps, over: channel) }
    return preview
  }

  /// Executes a change of password and records that it happened; the secret is not recorded.
  ///
  /// - Returns: The report, and the codes whose history contains the change: none for a tag that is
  ///   not in the registry.
  /// - Throws: `TagError`; ``IssuingError`` with code `not-recorded`.
  public func execute<Base>(
    _ plan: PasswordPlan, _ kind: CodeEvent.Kind, on channel: AuthenticatedChannel<Base>,
    reader: String
  ) async throws -> (report: PasswordReport, codes: [CodeID]) {
    let report = try await plan.execute(over: channel)
    do throws(RegistryError) {
      let codes = try await ledger.recordPassword(
        kind, uid: plan.tag.uid.hexadecimal, reader: reader, rule: plan.rule)
      return (report, codes)
    } catch {
      throw notRecorded("changed as requested", plan.tag.uid, error)
    }
  }

  private func notRecorded(
    _ done: String, _ uid: [UInt8], _ error: RegistryError
  ) -> IssuingError {
    IssuingError(
      .notRecorded,
      "Tag \(uid.hexadecimal) is \(done), but that is not recorded: " + error.message,
      hint: "\(error.advice) Then run the command again, which only records.",
      underlying: error)
  }
}

/// The refusal to lock a tag whose content was not accepted.
public struct LockRefusal: Error, Sendable {
  /// The code that was read, with its findings.
  public let code: VerifiedCode
}
