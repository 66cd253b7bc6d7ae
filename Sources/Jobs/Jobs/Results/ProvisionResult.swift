import CliptagBasics
import Issuing
import NDEF
import Registry
import SecureTags
import TagAuthenticity
import TagTypes

/// The result of making an NTAG 424 DNA ready: the `provision` object of the command's contract. No
/// secret is in it.
public struct ProvisionResult: Encodable, Sendable {
  /// A step of a rehearsal.
  public struct Step: Encodable, Hashable, Sendable {
    /// `open-file`, `write-message`, `change-key`, `set-file`, `lock-file`, `close-container` or
    /// `lock-container`.
    public let purpose: String
    /// The number of the key; `nil` for the file.
    public let key: Int?
    /// The version of the new key; `nil` for the file.
    public let keyVersion: Int?
    /// The message, settings or rights in hexadecimal; `nil` for a key, which is secret.
    public let data: String?
  }

  /// The type of the object.
  public let type = "provision"
  /// The connection string of the reader.
  public let reader: String
  /// The tag's UID in hexadecimal.
  public let uid: String
  /// The tag's product.
  public let tagType: String
  /// The URL as it is recorded: with zeros in the places of its message.
  public let url: String
  /// The version of the tag's keys.
  public let keyVersion: Int
  /// The number of steps that were carried out.
  public let steps: Int
  /// Whether the tag was ready already.
  public let alreadyCorrect: Bool
  /// Whether a message of the tag was verified; `false` in a rehearsal.
  public let verified: Bool
  /// The counter in that message; `nil` in a rehearsal.
  public let counter: Int?
  /// The number of wrong keys that the tag was given before the right ones.
  public let wrongKeys: Int
  /// The code's name in the registry; `nil` in a rehearsal.
  public let code: String?
  /// Whether nothing was written.
  public let dryRun: Bool
  /// The steps of a rehearsal in their order; `nil` if the work was done.
  public let plan: [Step]?
  /// The effects that cannot be undone without the key file, in words; `nil` if the work was done.
  public let irreversible: [String]?
  /// Whether the tag is locked for good.
  public let locked: Bool

  /// - Parameters:
  ///   - done: The outcome; `nil` in a rehearsal.
  ///   - locks: The steps with which a lock would follow, in a rehearsal.
  ///   - isLocked: Whether the job locked the tag.
  init(
    _ plan: ProvisionPlan, _ done: TagIssuer.Provisioned?, locking locks: [LockPlan.Step] = [],
    isLocked: Bool = false, reader: String
  ) {
    self.reader = reader
    uid = plan.tag.uid.hexadecimal
    tagType = plan.tag.name
    url = plan.provisioning.places.url
    keyVersion = Int(plan.provisioning.keys.version)
    steps = done?.report.steps ?? 0
    alreadyCorrect = plan.isAlreadyCorrect
    verified = done != nil
    counter = done?.report.counter
    wrongKeys = plan.wrongKeys
    code = done?.code.description
    dryRun = done == nil
    locked = isLocked || plan.tag.isLocked
    guard done == nil else {
      (self.plan, irreversible) = (nil, nil)
      return
    }
    self.plan = plan.steps.map { Step($0, of: plan) } + locks.map(Step.init)
    let key =
      "key 0 becomes one that only the key file knows: without it, the tag can never be changed again"
    irreversible = (plan.changesMasterKey ? [key] : []) + locks.map(\.irreversible)
  }
}

extension ProvisionResult.Step {
  fileprivate init(_ step: LockPlan.Step) {
    self.init(
      purpose: "\(step.purpose)", key: nil, keyVersion: nil, data: step.after.hexadecimal)
  }

  fileprivate init(_ step: ProvisionPlan.Step, of plan: ProvisionPlan) {
    switch step {
    case .openFile:
      self.init(
        purpose: "open-file", key: nil, keyVersion: nil,
        data: SecureFileSettings(rights: .open).bytes.hexadecimal)
    case .writeMessage:
      self.init(
        purpose: "write-message", key: nil, keyVersion: nil,
        data: plan.provisioning.message.bytes.hexadecimal)
    case .changeKey(let number, let version):
      self.init(purpose: "change-key", key: number, keyVersion: Int(version), data: nil)
    case .setFile(let settings):
      self.init(purpose: "set-file", key: nil, keyVersion: nil, data: settings.bytes.hexadecimal)
    }
  }
}
