import CliptagBasics
import Issuing
import NFCReader
public import Registry
package import SecureTags
import TagAuthenticity
import TagTypes

/// Makes an NTAG 424 DNA on the reader ready: its URL with Secure Unique NFC messages, its own
/// keys, and a file that only key 0 writes.
///
/// ```swift
/// let keys = try SecureMessageKeys.read(Data(contentsOf: file))
/// let job = ProvisionTag(url: "https://fruta.example.com/order/cupertino", keys: keys)
/// let ready = try await job.run(in: workplace)
/// ```
public struct ProvisionTag: Job {
  /// The invocation URL. `{picc}` or `{uid}` and `{counter}`, and `{mac}`, are the parts of a
  /// message; without them they are added as the key file names them.
  public var url: String
  /// The keys of the URL's prefix.
  public var keys: SecureMessageKeys
  /// Whether the URL is written although the check does not accept it.
  public var unregistered = false
  /// Whether a URL that the check warns of is refused.
  public var strict = false
  /// Whether data that is not ours may be replaced.
  public var overwrite = false
  /// Whether a tag is refused whose originality signature is not genuine.
  public var requireGenuine = false
  /// Whether the tag is locked for good once it is ready; see ``LockTag``.
  public var lock = false
  /// Whether only the plan is made.
  public var dryRun = false
  /// The consent to a plan that gives the tag another key 0, which only the key file knows then, or
  /// locks it; `nil` goes on without asking.
  public var consent: (@Sendable (ProvisionResult) async throws -> Bool)?

  /// Makes a job.
  public init(url: String, keys: SecureMessageKeys) {
    self.url = url
    self.keys = keys
  }

  /// The tag of a finished job.
  public struct Provisioned: Sendable {
    /// The plan of the work.
    package let plan: ProvisionPlan
    /// Whether the registry knows a higher counter of the tag, so that its messages count as
    /// copies until that is forgotten.
    public let isCounterBehind: Bool
    /// The result of the contract.
    public let result: ProvisionResult
  }

  /// Checks the inputs.
  public func validate() throws(InputError) {
    guard !(unregistered && strict) else { throw .exclude(.unregistered, .strict) }
  }

  /// Makes the tag ready.
  ///
  /// If the tag is pulled away, the same job again finishes the work. A tag with keys that are not
  /// known is left as it is.
  ///
  /// - Returns: `nil` if ``consent`` was refused.
  /// - Throws: ``InputError``; `IssuingError` with code `provisioning-keys`; `IssueRefusal` if the
  ///   check refuses the URL; `LockRefusal`; `NFCReaderError`; ``TagReader/Failed`` with the error of the tag or of
  ///   the registry.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (TagEvent) -> Void
  ) async throws -> Provisioned? {
    try validate()
    let wanted = try keys.provisioning(of: url)
    let check = workplace.check
    let approval = try check.approve(
      wanted.places.url, unregistered: unregistered, refusingWarnings: strict)
    report(.approved(approval))
    if wanted.keys.diversificationInput == nil { report(.warning(Self.sharedKeys)) }
    let issuer = TagIssuer(ledger: workplace.ledger, check: check)
    return try await workplace.reader.withTag(reporting: report) { tag, reader in
      let plan = try await issuer.planProvisioning(
        approval, wanted, on: tag, overwriting: overwrite)
      if requireGenuine { try await Tag.type4(plan.tag).requireGenuine(over: tag) }
      // A tag that cannot be locked is not made ready either.
      let locks = lock ? try await plan.tag.secureLockSteps(over: tag) : []
      let rehearsal = ProvisionResult(plan, nil, locking: locks, reader: reader)
      guard !dryRun else {
        return Provisioned(plan: plan, isCounterBehind: false, result: rehearsal)
      }
      if let consent, plan.changesMasterKey || !locks.isEmpty {
        guard try await consent(rehearsal) else { return nil }
      }
      let done = try await issuer.executeProvisioning(
        plan, for: approval, on: tag, reader: reader)
      if lock {
        let protector = TagProtector(ledger: workplace.ledger, check: check)
        let job = try await protector.planLock(
          on: tag, reader: reader, unregistered: unregistered, keys: keys, reporting: report)
        _ = try await protector.lock(job, on: tag, reader: reader, code: done.code)
      }
      return Provisioned(
        plan: plan, isCounterBehind: done.isCounterBehind,
        result: ProvisionResult(plan, done, isLocked: lock, reader: reader))
    }
  }

  private static let sharedKeys =
    "the key file has no “diversify” for this prefix, so all tags get the same keys, and the keys of "
    + "one open all"
}
