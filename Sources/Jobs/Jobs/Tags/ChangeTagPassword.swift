import CliptagBasics
import Issuing
import NFCReader
public import Registry
public import TagTypes

/// Sets, changes or removes the password of the tag on the reader.
///
/// A new password is written and tried before it guards anything. Afterwards a guarded page has to
/// refuse a write without it.
public struct ChangeTagPassword: Job {
  /// The change of a password.
  public enum Change: Hashable, Sendable {
    /// Puts a password in force on a tag that has none.
    case set(TagPassword)
    /// Puts another password in force.
    case change(from: TagPassword, to: TagPassword)
    /// Removes the password.
    case remove(TagPassword)

    /// `set`, `change` or `remove`.
    public var name: String {
      switch self {
      case .set: "set"
      case .change: "change"
      case .remove: "remove"
      }
    }

    fileprivate var event: CodeEvent.Kind {
      switch self {
      case .set: .passwordSet
      case .change: .passwordChanged
      case .remove: .passwordRemoved
      }
    }
  }

  /// The change.
  public var change: Change
  /// The first page or block that needs the password; `nil` for the usual one, or the present one
  /// of a tag whose password is changed.
  public var firstPage: Int?
  /// Whether reading needs the password, too, so that no phone reads the tag; `nil` as for
  /// ``firstPage``.
  public var protectsReading: Bool?
  /// The number of wrong passwords in a row that close the guarded pages for good, 1 to 7, or 0 for
  /// no limit; `nil` as for ``firstPage``.
  public var wrongPasswordLimit: Int?
  /// Whether the present password is tried even on a tag that counts wrong ones.
  public var risksAttempts = false
  /// Whether only the plan is made.
  public var dryRun = false

  /// Makes a job.
  public init(_ change: Change) { self.change = change }

  /// The tag of a finished job.
  public struct Output: Sendable {
    /// The plan of the change.
    public let plan: PasswordPlan
    /// The report of the change; `nil` in a rehearsal.
    public let report: PasswordReport?
    /// The codes whose history has the change; none for a tag that is not on record.
    public let codes: [CodeID]
    /// The result of the contract.
    public let result: TagPasswordResult
  }

  /// Changes the password.
  ///
  /// If the tag is pulled away, it is open or has one of the two passwords; the same job again
  /// finishes the work.
  ///
  /// - Throws: `NFCReaderError`; ``TagReader/Failed`` with the error of the tag or of the registry.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (TagEvent) -> Void
  ) async throws -> Output {
    let protector = TagProtector(ledger: workplace.ledger, check: workplace.check)
    return try await workplace.reader.withTag(reporting: report) { tag, reader in
      let channel = try await open(tag)
      report(.authenticated(channel.isAuthenticated))
      let plan = try await plan(
        try await Tag.identify(over: channel, includingConfiguration: true), over: channel)
      for warning in plan.warnings { report(.warning(warning)) }
      let done =
        dryRun
        ? nil : try await protector.execute(plan, change.event, on: channel, reader: reader)
      return Output(
        plan: plan, report: done?.report, codes: done?.codes ?? [],
        result: TagPasswordResult(
          change.name, plan, done?.report, done?.codes ?? [], reader: reader))
    }
  }

  /// Gives the tag its present password.
  private func open<Base: TagChannel>(
    _ tag: Base
  ) async throws(TagError) -> AuthenticatedChannel<Base> {
    switch change {
    case .set(let password):
      // A tag that an interrupted run armed already takes the password.
      do throws(TagError) {
        return try await .open(tag, with: password, riskingAttempts: risksAttempts)
      } catch {
        throw error.code == .tagPassword ? error.advisingChange : error
      }
    case .change(let old, let new):
      // The old one first: a tag torn in the exchange is open, and one that has the new one already
      // is the rare case that may cost an attempt.
      return try await .open(tag, with: old, orElse: new, riskingAttempts: risksAttempts)
    case .remove(let password):
      return try await .open(tag, with: password, riskingAttempts: risksAttempts)
    }
  }

  private func plan<Base: TagChannel>(
    _ tag: Tag, over channel: AuthenticatedChannel<Base>
  ) async throws(TagError) -> PasswordPlan {
    switch change {
    case .set(let password):
      try await tag.planPassword(password, rule(over: tag.usualPasswordRule), over: channel)
    case .change(_, let password):
      try await tag.planPassword(password, rule(over: tag.passwordRule), over: channel)
    case .remove: try await tag.planPasswordRemoval(over: channel)
    }
  }

  /// The rule as far as it was named; the rest is as in `present`.
  private func rule(over present: PasswordRule?) -> PasswordRule? {
    guard firstPage != nil || protectsReading != nil || wrongPasswordLimit != nil || present != nil
    else { return nil }
    var rule = present ?? PasswordRule()
    rule.firstPage = firstPage ?? rule.firstPage
    rule.protectsReading = protectsReading ?? rule.protectsReading
    rule.wrongPasswordLimit = wrongPasswordLimit ?? rule.wrongPasswordLimit
    return rule
  }
}

extension TagError {
  /// The advice for setting a password on a tag that has another one already.
  fileprivate var advisingChange: TagError {
    TagError(
      code, message,
      hint: "this tag already has a password: if it is this one, \(.riskAttempts) if the "
        + "tag counts wrong ones; if it is another, use tag password change",
      uid: uid, underlying: underlying)
  }
}

/// The result of changing a tag's password: the `password` object of the command's contract. No
/// secret is in it.
public struct TagPasswordResult: Encodable, Sendable {
  /// A write in the plan of a rehearsal; a secret is `nil`.
  public struct Step: Encodable, Hashable, Sendable {
    /// The page; `nil` on a tag with commands in the place of pages.
    public let page: Int?
    /// The reason for the write.
    public let purpose: String
    /// The bytes before, in hexadecimal.
    public let before: String?
    /// The bytes after, in hexadecimal.
    public let after: String?
  }

  /// The type of the object.
  public let type = "password"
  /// `set`, `change` or `remove`.
  public let action: String
  /// The connection string of the reader.
  public let reader: String
  /// The tag's UID in hexadecimal.
  public let uid: String
  /// The tag's product.
  public let tagType: String
  /// The first page or block that needs the password; `nil` after a removal.
  public let fromPage: Int?
  /// `write` or `read-write`.
  public let protect: String?
  /// The number of wrong passwords in a row that close the guarded pages; 0 for no limit.
  public let attemptLimit: Int?
  /// The number of pages or commands that were written.
  public let pagesWritten: Int
  /// Whether the tag was in the wanted state already.
  public let alreadyCorrect: Bool
  /// Whether the change was proven; `false` in a rehearsal.
  public let verified: Bool
  /// The page that refused a write without the password.
  public let refusedPage: Int?
  /// The warnings of the plan.
  public let warnings: [String]
  /// The names of the codes whose history has the change.
  public let codes: [String]
  /// Whether nothing was written.
  public let dryRun: Bool
  /// The writes of a rehearsal in their order; `nil` if the work was done.
  public let plan: [Step]?
  /// The most exchanges with the tag; `nil` if the work was done.
  public let exchanges: Int?

  init(
    _ action: String, _ plan: PasswordPlan, _ report: PasswordReport?, _ codes: [CodeID],
    reader: String
  ) {
    self.action = action
    self.reader = reader
    uid = plan.tag.uid.hexadecimal
    tagType = plan.tag.name
    fromPage = plan.rule?.firstPage
    protect = plan.rule.map { $0.protectsReading ? "read-write" : "write" }
    attemptLimit = plan.rule?.wrongPasswordLimit
    pagesWritten = report?.pagesWritten ?? 0
    alreadyCorrect = plan.isAlreadyCorrect
    verified = report != nil
    refusedPage = report?.refusedPage
    warnings = plan.warnings
    self.codes = codes.map(\.description)
    dryRun = report == nil
    let steps = plan.steps.map { step in
      Step(
        page: step.page, purpose: "\(step.purpose)", before: step.before?.hexadecimal,
        after: step.after?.hexadecimal)
    }
    self.plan = report == nil ? steps : nil
    exchanges = report == nil ? plan.expectedExchanges : nil
  }
}
