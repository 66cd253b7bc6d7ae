import CliptagBasics
import Invocation
public import Issuing
import NFCReader
import Registry
public import TagTypes

/// Puts a dump back on the tag on the reader, and reads it back.
///
/// Only the data area is written; of a dump of a Type 4 or Type 5 tag the message. The URL in the
/// dump is checked like one that is written.
public struct RestoreTag: Job {
  /// The dump.
  public var dump: NamedTagDump
  /// The parts that are restored beside the data area.
  public var options = RestoreOptions()
  /// Whether data is restored that the check does not accept, or that is no URL.
  public var unregistered = false
  /// Whether data that is not ours may be replaced.
  public var overwrite = false
  /// Whether only the plan is made.
  public var dryRun = false
  /// The tag's password.
  public var access = TagAccess()

  /// Makes a job.
  public init(_ dump: NamedTagDump) { self.dump = dump }

  /// The tag of a finished job.
  public struct Output: Sendable {
    /// The plan, and the approval of the URL that the tag will carry.
    public let restoration: TagIssuer.Restoration
    /// The report of the writing and the code's name; `nil` in a rehearsal.
    public let outcome: TagIssuer.RestoreOutcome?
    /// The result of the contract.
    public let result: RestoreTagResult
  }

  /// Restores the dump.
  ///
  /// - Throws: `IssueRefusal` if the check refuses the URL in the dump; `NFCReaderError`;
  ///   ``TagReader/Failed`` with the error of the tag, of the dump or of the registry.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (TagEvent) -> Void
  ) async throws -> Output {
    let issuer = TagIssuer(ledger: workplace.ledger, check: workplace.check)
    return try await workplace.reader.withTag(reporting: report) { tag, reader in
      let channel = try await access.open(tag, reporting: report)
      let restoration = try await issuer.planRestore(
        dump.tag, on: channel, options: options, unregistered: unregistered,
        overwriting: overwrite)
      for note in restoration.sentences { report(.note(.restoration(note))) }
      let outcome =
        dryRun
        ? nil : try await issuer.executeRestore(restoration, on: channel, reader: reader)
      return Output(
        restoration: restoration, outcome: outcome,
        result: RestoreTagResult(restoration, outcome, source: dump.name, reader: reader))
    }
  }
}

/// The result of restoring a dump: the `restore` object of the command's contract.
public struct RestoreTagResult: Encodable, Sendable {
  /// The type of the object.
  public let type = "restore"
  /// The connection string of the reader.
  public let reader: String
  /// The name of the dump's file.
  public let source: String
  /// The tag's UID in hexadecimal.
  public let uid: String
  /// The tag's product.
  public let tagType: String
  /// The UID of the tag that the dump was made of, if that is another one.
  public let dumpedUID: String?
  /// The URL that the tag carries.
  public let url: String?
  /// The number of pages, blocks or commands that were written.
  public let pagesWritten: Int
  /// Whether the tag held the data already.
  public let alreadyCorrect: Bool
  /// Whether the data was read back; `false` in a rehearsal.
  public let verified: Bool
  /// The parts of the dump that are not restored, or not unchanged.
  public let notes: [WordedText]
  /// The code's name in the registry; `nil` if the tag carries no URL, and in a rehearsal.
  public let code: String?
  /// Whether nothing was written.
  public let dryRun: Bool
  /// The writes of a rehearsal in their order; `nil` if the work was done.
  public let plan: [TagStepResult]?
  /// The most exchanges with the tag; `nil` if the work was done.
  public let exchanges: Int?
  /// The effects that cannot be undone, in words; `nil` if the work was done.
  public let irreversible: [String]?

  init(
    _ restoration: TagIssuer.Restoration, _ outcome: TagIssuer.RestoreOutcome?, source: String,
    reader: String
  ) {
    let plan = restoration.plan.write
    self.reader = reader
    self.source = source
    uid = plan.tag.uid.hexadecimal
    tagType = plan.tag.name
    dumpedUID = restoration.dumpedUID?.hexadecimal
    url = restoration.approval?.verification.payload
    pagesWritten = outcome?.report.pagesWritten ?? 0
    alreadyCorrect = plan.isAlreadyCorrect
    verified = outcome != nil
    notes = restoration.sentences.map(WordedText.init)
    code = outcome?.code?.description
    let rehearsal = outcome == nil ? TagRehearsal(plan) : .none
    (dryRun, self.plan) = (rehearsal.dryRun, rehearsal.plan)
    (exchanges, irreversible) = (rehearsal.exchanges, rehearsal.irreversible)
  }
}

extension TagIssuer.Restoration {
  /// The notes about the restoration.
  fileprivate var sentences: [Hint] {
    var sentences = plan.notes.map(\.sentence)
    if let dumpedUID {
      sentences.append(
        Hint(
          "the dump is of tag \(dumpedUID.hexadecimal)"
            + (isOnDumpedTag ? ", which has this URL in the registry; now both have it" : "")))
    }
    return sentences
  }
}

extension RestorePlan.Note {
  fileprivate var sentence: Hint {
    switch self {
    case .locksLeft: "lock bits of the dump are not set; tag lock sets them"
    case .passwordLeft(let page):
      "the dumped tag had a password from page \(page) on; tag password sets one"
    case .configurationLeft:
      "mirror and counter settings stay as they are; \(.takeDumpSettings) takes those of the dump"
    case .containerLeft: "page 3 (capability container) differs in the dump and is not copied"
    case .mirrorFrozen(let mirror):
      "the mirrored text of the dump from page \(mirror.page) on is now stored text"
    case .placeholders(let mirror):
      "zeros are stored below the mirror from page \(mirror.page) on; the tag shows its digits there"
    case .messageFrozen:
      "the text that the dumped tag mirrored (UID, counter, MAC) is now stored text"
    case .zerosUnderMirror:
      "zeros are stored below the tag's mirrors of UID, counter and MAC"
    }
  }
}
