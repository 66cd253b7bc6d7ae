import AppClipCodeFiles
import AppClipCodes
import Invocation
public import Issuing
public import NDEF
import NFCReader
public import TagTypes

/// Writes an invocation URL to the tag on the reader, reads it back and records it; then locks the
/// tag for good, if that is wanted.
///
/// ```swift
/// var job = WriteTag(url: "https://fruta.example.com/order/cupertino")
/// job.lock = true
/// let written = try await job.run(in: workplace)
/// print(written.result.uid, written.result.locked)
/// ```
public struct WriteTag: Job {
  /// The invocation URL; the tag fills in `{uid}`, `{counter}` or `{uid}x{counter}`. `nil` for the
  /// URL of ``appClipCode``.
  public var url: String?
  /// The App Clip Code around the tag, which carries the same URL; not
  /// `AppClipCodeChoice.automatic`.
  public var appClipCode: AppClipCodeChoice?
  /// The application that Android opens, in a second record.
  public var application: AndroidApplicationRecord?
  /// Whether the URL is written although the check does not accept it.
  public var unregistered = false
  /// Whether a URL that the check warns of is refused.
  public var strict = false
  /// Whether data that is not ours may be replaced.
  public var overwrite = false
  /// Whether the tag is locked for good once the written URL was verified.
  public var lock = false
  /// Whether a tag is refused whose originality signature is not genuine.
  public var requireGenuine = false
  /// Whether only the plan is made.
  public var dryRun = false
  /// The tag's password.
  public var access = TagAccess()

  /// Makes a job that writes a URL.
  public init(url: String) { self.url = url }

  /// Makes a job that writes the URL of the App Clip Code around the tag.
  public init(appClipCode: AppClipCodeChoice) { self.appClipCode = appClipCode }

  /// The tag of a finished job.
  public struct Output: Sendable {
    /// The plan of the writing.
    public let plan: WritePlan
    /// The report of the writing and the code's name; `nil` in a rehearsal.
    public let outcome: TagIssuer.Outcome?
    /// The lock; `nil` if none was wanted or carried out.
    public let lock: LockTag.Locked?
    /// The steps with which the lock would follow, in a rehearsal.
    public let lockSteps: [LockPlan.Step]
    /// The result of the contract.
    public let result: WriteTagResult
  }

  /// The tag was written, verified and recorded, and then not locked.
  public struct NotLocked: Error {
    /// The written tag.
    public let written: Output
    /// The error of the lock: ``TagReader/Failed``, or `LockRefusal`.
    public let underlying: any Error
  }

  /// Checks the inputs.
  public func validate() throws(InputError) {
    guard !(unregistered && strict) else { throw .exclude(.unregistered, .strict) }
  }

  /// Writes the tag.
  ///
  /// Pages are written in an order that leaves the old message, none, or the new one if the tag is
  /// pulled away; the same job again then finishes the work. A tag that cannot be locked is not
  /// written either, if ``lock`` is wanted.
  ///
  /// - Throws: ``InputError``; `MirrorTemplate.Problem`; `IssueRefusal` if the check refuses the
  ///   URL; `NFCReaderError`; ``TagReader/Failed`` with the error of the tag or of the registry;
  ///   ``NotLocked``.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (TagEvent) -> Void
  ) async throws -> Output {
    try validate()
    let template = try url.flatMap { url throws(MirrorTemplate.Problem) in
      try MirrorTemplate(url)
    }
    let surrounding = try appClipCode.map { choice in
      try workplace.issuer(isRehearsal: dryRun).appClipCode(
        choice, carrying: url, options: AppClipCode.Options(allowsOwnColours: true))
    }
    let text = url ?? surrounding?.code.payload ?? ""
    if let kind = surrounding?.code.badge?.kind, kind != .nfc { report(.note(.cameraBadge)) }
    let check = workplace.check
    func approve(_ url: String) throws -> Approval {
      let approval = try check.approve(
        url, unregistered: unregistered, refusingWarnings: strict)
      report(.approved(approval))
      return approval
    }
    // The payload of a template is known only with the tag.
    let given = template == nil ? try approve(text) : nil
    let issuer = TagIssuer(ledger: workplace.ledger, check: check)
    let protector = TagProtector(ledger: workplace.ledger, check: check)
    let (output, trouble) = try await workplace.reader.withTag(reporting: report) {
      tag, reader -> (Output, (any Error)?) in
      let approval = try given ?? approve(template?.filled(uid: tag.target.uid) ?? text)
      let channel = try await access.open(tag, reporting: report)
      let plan = try await issuer.plan(
        approval, filling: template, with: application, on: channel, overwriting: overwrite)
      if requireGenuine { try await plan.tag.requireGenuine(over: channel) }
      // A tag that cannot be locked is not written either.
      let (steps, notes) =
        lock ? try await protector.lockSteps(on: channel, trying: !dryRun) : ([], [])
      for note in notes { report(.warning(note)) }
      func output(_ outcome: TagIssuer.Outcome?, _ lock: LockTag.Locked? = nil) -> Output {
        Output(
          plan: plan, outcome: outcome, lock: lock, lockSteps: dryRun ? steps : [],
          result: WriteTagResult(
            plan, approval, outcome, isGenuine: requireGenuine, isLocked: lock != nil,
            appClipCode: surrounding?.id, reader: reader, rehearsing: dryRun ? steps : nil))
      }
      guard !dryRun else { return (output(nil), nil) }
      let outcome = try await issuer.execute(plan, for: approval, on: channel, reader: reader)
      if plan.startsCounting { report(.note(.startsCounting)) }
      if surrounding != nil, plan.tag.type5 == nil { report(.note(.unusualType(plan.tag.name))) }
      guard lock else { return (output(outcome), nil) }
      do {
        let job = try await protector.planLock(
          on: channel, reader: reader, unregistered: unregistered
        ) { event in
          // The doubts were reported before the tag was written.
          if case .warning(let note) = event, notes.contains(note) { return }
          report(event)
        }
        let locked = try await protector.lock(
          job, on: channel, reader: reader, code: outcome.code)
        return (output(outcome, locked), nil)
      } catch let refusal as LockRefusal {
        return (output(outcome), refusal)
      } catch {
        return (output(outcome), TagReader.Failed(reader: reader, underlying: error))
      }
    }
    // The write is valid regardless of the result of the lock.
    if let trouble { throw NotLocked(written: output, underlying: trouble) }
    return output
  }
}

extension Optional {
  fileprivate func flatMap<Value, Failure>(
    _ transform: (Wrapped) throws(Failure) -> Value?
  ) throws(Failure) -> Value? {
    guard let self else { return nil }
    return try transform(self)
  }
}
