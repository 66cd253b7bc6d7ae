import CliptagBasics
import Invocation
import Issuing
import Registry
package import TagTypes

/// The result of writing a tag: the `write` object of the command's contract.
public struct WriteTagResult: Encodable, Sendable {
  /// The type of the object.
  public let type = "write"
  /// The connection string of the reader.
  public let reader: String
  /// The tag's UID in hexadecimal.
  public let uid: String
  /// The tag's product.
  public let tagType: String
  /// The URL as it is recorded: with the tag's UID, and zeros for its counter.
  public let url: String
  /// The length of the NDEF message, in bytes.
  public let bytes: Int
  /// The number of pages, blocks or commands that were written.
  public let pagesWritten: Int
  /// Whether the tag held the message already.
  public let alreadyCorrect: Bool
  /// Whether the message was read back; `false` in a rehearsal.
  public let verified: Bool
  /// Whether the tag is locked for good.
  public let locked: Bool
  /// The code's name in the registry; `nil` in a rehearsal.
  public let code: String?
  /// Whether the field was off before the message was read back; `nil` if nothing was written.
  public let fieldCycled: Bool?
  /// `genuine` if the originality signature was checked.
  public let originality: String?
  /// What the tag fills in: `{uid}`, `{counter}` or `{uid}x{counter}`.
  public let mirror: String?
  /// The name of the App Clip Code around the tag.
  public let appClipCode: String?
  /// The findings of the check.
  public let findings: [FindingResult]
  /// Whether nothing was written.
  public let dryRun: Bool
  /// The writes of a rehearsal in their order; `nil` if the work was done.
  public let plan: [TagStepResult]?
  /// The most exchanges with the tag; `nil` if the work was done.
  public let exchanges: Int?
  /// The effects that cannot be undone, in words; `nil` if the work was done.
  public let irreversible: [String]?

  /// - Parameters:
  ///   - isLocked: Whether the job locked the tag.
  ///   - locks: The steps with which a lock would follow, in a rehearsal; `nil` if the tag was
  ///     written.
  init(
    _ plan: WritePlan, _ approval: Approval, _ outcome: TagIssuer.Outcome?, isGenuine: Bool,
    isLocked: Bool, appClipCode: CodeID?, reader: String, rehearsing locks: [LockPlan.Step]?
  ) {
    self.reader = reader
    uid = plan.tag.uid.hexadecimal
    tagType = plan.tag.name
    url = approval.verification.payload
    bytes = plan.message.count
    pagesWritten = outcome?.report.pagesWritten ?? 0
    alreadyCorrect = plan.isAlreadyCorrect
    verified = outcome != nil
    locked = isLocked || (outcome?.report.tag ?? plan.tag).isLocked
    code = outcome?.code.description
    fieldCycled = outcome?.report.fieldCycled
    originality = isGenuine ? "genuine" : nil
    mirror = plan.mirror?.kind.placeholder
    self.appClipCode = appClipCode?.description
    findings = approval.verification.findings.map(FindingResult.init)
    let rehearsal = locks.map { TagRehearsal(plan, thenLocking: $0) } ?? .none
    (dryRun, self.plan) = (rehearsal.dryRun, rehearsal.plan)
    (exchanges, irreversible) = (rehearsal.exchanges, rehearsal.irreversible)
  }
}

/// The result of locking a tag: the `lock` object of the command's contract.
public struct LockTagResult: Encodable, Sendable {
  /// The type of the object.
  public let type = "lock"
  /// The connection string of the reader.
  public let reader: String
  /// The tag's UID in hexadecimal.
  public let uid: String
  /// The tag's product.
  public let tagType: String
  /// The URL that the tag holds.
  public let url: String
  /// The number of pages or blocks that were written.
  public let pagesWritten: Int
  /// Whether the tag was locked before.
  public let alreadyLocked: Bool
  /// Whether the lock was proven; `false` in a rehearsal.
  public let verified: Bool
  /// Whether the tag is locked for good.
  public let locked: Bool
  /// The pages or blocks that refused a write.
  public let refusedPages: [Int]
  /// Warnings about the lock.
  public let notes: [String]
  /// The code's name in the registry; `nil` in a rehearsal.
  public let code: String?
  /// Whether nothing was written.
  public let dryRun: Bool
  /// The writes of a rehearsal in their order; `nil` if the work was done.
  public let plan: [TagStepResult]?
  /// The most exchanges with the tag; `nil` if the work was done.
  public let exchanges: Int?
  /// The effects that cannot be undone, in words; `nil` if the work was done.
  public let irreversible: [String]?

  /// - Parameter outcome: `nil` in a rehearsal.
  init(
    _ job: TagProtector.LockJob, _ outcome: TagProtector.LockOutcome?, reader: String
  ) {
    let plan = job.plan
    self.reader = reader
    uid = plan.tag.uid.hexadecimal
    tagType = plan.tag.name
    url = job.url
    pagesWritten = outcome?.report.pagesWritten ?? 0
    alreadyLocked = plan.isAlreadyLocked
    verified = outcome != nil
    locked = outcome != nil || plan.isAlreadyLocked
    refusedPages = outcome?.report.refusedPages ?? []
    notes = plan.notes
    code = outcome?.code.description
    let rehearsal = outcome == nil ? TagRehearsal(plan) : .none
    (dryRun, self.plan) = (rehearsal.dryRun, rehearsal.plan)
    (exchanges, irreversible) = (rehearsal.exchanges, rehearsal.irreversible)
  }
}

/// The result of erasing a tag: the `erase` object of the command's contract.
public struct EraseTagResult: Encodable, Sendable {
  /// The type of the object.
  public let type = "erase"
  /// The connection string of the reader.
  public let reader: String
  /// The tag's UID in hexadecimal.
  public let uid: String
  /// The tag's product.
  public let tagType: String
  /// The number of pages, blocks or commands that were written.
  public let pagesWritten: Int
  /// Whether the tag was empty already.
  public let alreadyCorrect: Bool
  /// Whether the empty message was read back; `false` in a rehearsal.
  public let verified: Bool
  /// Whether the field was off before the message was read back; `nil` if nothing was written.
  public let fieldCycled: Bool?
  /// Whether nothing was written.
  public let dryRun: Bool
  /// The writes of a rehearsal in their order; `nil` if the work was done.
  public let plan: [TagStepResult]?
  /// The most exchanges with the tag; `nil` if the work was done.
  public let exchanges: Int?
  /// The effects that cannot be undone, in words; `nil` if the work was done.
  public let irreversible: [String]?

  init(
    _ plan: WritePlan, _ report: WriteReport?, uid: [UInt8], reader: String, isRehearsal: Bool
  ) {
    self.reader = reader
    self.uid = uid.hexadecimal
    tagType = plan.tag.name
    pagesWritten = report?.pagesWritten ?? 0
    alreadyCorrect = plan.isAlreadyCorrect
    verified = report != nil
    fieldCycled = report?.fieldCycled
    let rehearsal = isRehearsal ? TagRehearsal(plan) : .none
    (dryRun, self.plan) = (rehearsal.dryRun, rehearsal.plan)
    (exchanges, irreversible) = (rehearsal.exchanges, rehearsal.irreversible)
  }
}

/// A write to a tag in the plan of a rehearsal.
public struct TagStepResult: Encodable, Hashable, Sendable {
  /// The page or block; `nil` on a tag of files.
  public let page: Int?
  /// The offset in the file; `nil` on a tag of pages, and absent from the steps of a lock.
  public let offset: Int?
  /// The reason for the write.
  public let purpose: String
  /// The bytes before, in hexadecimal.
  public let before: String
  /// The bytes after, in hexadecimal.
  public let after: String
  private let isLock: Bool

  init(_ step: WritePlan.Step) {
    (page, offset, isLock) = (step.page, step.offset, false)
    (purpose, before, after) = (
      "\(step.purpose)", step.before.hexadecimal, step.after.hexadecimal
    )
  }

  init(_ step: LockPlan.Step) {
    (page, offset, isLock) = (step.place.page, nil, true)
    (purpose, before, after) = (
      "\(step.purpose)", step.before.hexadecimal, step.after.hexadecimal
    )
  }

  private enum CodingKeys: String, CodingKey { case page, offset, purpose, before, after }

  /// Encodes the object of the contract.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(page, forKey: .page)
    if !isLock { try values.encodeIfPresent(offset, forKey: .offset) }
    try values.encode(purpose, forKey: .purpose)
    try values.encode(before, forKey: .before)
    try values.encode(after, forKey: .after)
  }
}

/// The members of a result that a rehearsal fills in, the last three `null` if the work was done.
package struct TagRehearsal: Encodable, Sendable {
  /// Whether nothing was written.
  package let dryRun: Bool
  let plan: [TagStepResult]?
  let exchanges: Int?
  let irreversible: [String]?

  /// The members of work that was done.
  package static let none = TagRehearsal(
    dryRun: false, plan: nil, exchanges: nil, irreversible: nil)
}

extension TagRehearsal {
  /// The members of a rehearsed write, perhaps with a lock behind it.
  package init(_ plan: WritePlan, thenLocking locks: [LockPlan.Step] = []) {
    self.init(
      dryRun: true, plan: plan.steps.map(TagStepResult.init) + locks.map(TagStepResult.init),
      exchanges: plan.expectedExchanges,
      irreversible: plan.irreversible + locks.map(\.irreversible))
  }

  /// The members of a rehearsed lock.
  package init(_ plan: LockPlan) {
    self.init(
      dryRun: true, plan: plan.steps.map(TagStepResult.init), exchanges: plan.expectedExchanges,
      irreversible: plan.irreversible)
  }
}

extension WriteReport {
  /// The value of `fieldCycled`: whether the field was off before reading back, if pages were
  /// written.
  package var fieldCycled: Bool? { wasAlreadyCorrect ? nil : wasReadAfterFieldCycle }
}
