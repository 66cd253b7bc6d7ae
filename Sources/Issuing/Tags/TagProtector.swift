import Basics
public import Invocation
public import Registry
public import TagTypes
public import Verifying

/// Locks tags for good and sets their passwords, and keeps the record.
public struct TagProtector: Sendable {
  private let ledger: CodeLedger
  private let check: InvocationCheck

  /// Makes a protector.
  ///
  /// - Parameters:
  ///   - ledger: Where the work is recorded.
  ///   - check: How what is on a tag is judged before it is locked in.
  public init(ledger: CodeLedger, check: InvocationCheck) {
    self.ledger = ledger
    self.check = check
  }

  /// A lock that may be carried out: what the tag holds was read and approved.
  public struct LockJob: Sendable {
    /// What locking does.
    public let plan: LockPlan
    /// What the tag holds, and on what ground it may be locked in.
    package let approval: Approval
    /// The URL as a phone reads it.
    public let url: String
  }

  /// What one locked tag amounts to.
  public struct LockOutcome: Sendable {
    /// What the locking did.
    public let report: LockReport
    /// The code's name in the registry.
    public let code: CodeID
  }

  /// Reads the tag and plans to lock it. Nothing is written.
  ///
  /// - Parameters:
  ///   - channel: An activated tag.
  ///   - source: The reader it lies on.
  ///   - unregistered: Whether to lock in a URL although the check does not accept it, or something is
  ///     warned of; not what no phone reads.
  ///   - expected: The URL the tag has to hold; `nil` for any.
  /// - Throws: ``LockRefusal`` when the tag holds no URL, or one that the check does not accept, or
  ///   in a way that not every phone reads; `TagError`; or what the directory throws.
  public func planLock(
    on channel: some TagChannel, source: String, unregistered: Bool,
    expecting expected: String? = nil
  ) async throws -> LockJob {
    let tag = try await Tag.identify(over: channel, includingConfiguration: true)
    try tag.checkIsWritten()
    let payload = try TagPayload(tag)
    guard case .message(let message) = tag.content, let url = payload.uri else {
      throw LockRefusal(
        code: try Verifier(check: check, location: .notAsked).examine(tag, source: source))
    }
    // A counter that the tag shows moves with every reading; on record it is zeros.
    let recorded = payload.recordedURI ?? url
    if let expected, !recorded.utf8.elementsEqual(expected.utf8) {
      throw TagError(
        .verifyFailed,
        "\(tag.name) \(tag.uid.hexadecimal) holds \(url) where \(expected) is to be "
          + "locked in",
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
    // What some phones do not read is not worth keeping for ever, and what none reads is kept by nobody's wish.
    let isRefused = payload.findings.contains { finding in
      // A lock that was begun is finished, and a container that is closed stays as it is.
      let isPast = finding.isReportOfUsers && !tag.isContainerMended
      return finding.severity == .error || finding.severity == .warning && !unregistered && !isPast
    }
    if isRefused {
      throw LockRefusal(
        code: VerifiedCode(
          source: source, verification: approval.verification, carrierFindings: payload.findings,
          tag: TagFacts(tag)))
    }
    return LockJob(
      plan: try await tag.planLock(of: message, over: channel), approval: approval, url: url)
  }

  /// Executes a lock, proves it, and records it.
  ///
  /// - Parameters:
  ///   - job: The lock, from ``planLock(on:source:unregistered:expecting:)``.
  ///   - channel: The tag.
  ///   - reader: What the record calls the reader.
  ///   - code: The code that the tag carries, if it has just been recorded; otherwise it is
  ///     found, or begun.
  /// - Throws: `TagError`; ``IssuingError`` with code `not-recorded` when the tag is
  ///   locked but the registry could not take the record.
  public func execute(
    _ job: LockJob, on channel: some TagChannel, reader: String, code: CodeID? = nil
  ) async throws -> LockOutcome {
    let report = try await job.plan.execute(over: channel)
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
  /// message is written that is then locked in.
  ///
  /// - Throws: `TagError` when the tag cannot be locked.
  package func lockSteps(on channel: some TagChannel) async throws -> [LockPlan.Step] {
    try await Tag.identify(over: channel, includingConfiguration: true)
      .lockSteps(over: channel)
  }

  /// Executes a change of password and records that it happened; the secret is not recorded.
  ///
  /// - Returns: What was done, and the codes in whose history it stands: none for a tag that is not
  ///   in the registry.
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
      throw notRecorded("changed as asked", plan.tag.uid, error)
    }
  }

  private func notRecorded(
    _ done: String, _ uid: [UInt8], _ error: RegistryError
  ) -> IssuingError {
    IssuingError(
      .notRecorded,
      "Tag \(uid.hexadecimal) is \(done), but that is not recorded: " + error.message,
      hint: "\(error.hint) Then run the same command again: it only records.",
      underlying: error)
  }
}

/// Why a tag is not locked: what it holds was not accepted.
public struct LockRefusal: Error, Sendable {
  /// What was read, with its findings.
  public let code: VerifiedCode
}
