import CliptagBasics
import Invocation
import Issuing
public import Registry
import TagTypes

/// The progress of a batch: the `batch` object of the command's contract.
public struct BatchResult: Encodable, Sendable {
  /// The findings of the check in one row.
  public struct Row: Encodable, Hashable, Sendable {
    /// The number of the row, from 1.
    public let row: Int
    /// Its findings.
    public let findings: [FindingResult]
  }

  /// The type of the object.
  public let type = "batch"
  /// The name of the batch.
  public let batch: String
  /// The number of rows; in a rehearsal with those that would be new.
  public let rows: Int
  /// The number of rows that are done.
  public let done: Int
  /// The number of rows that wait for any tag.
  public let pending: Int
  /// The number of rows that wait for the one tag that was begun for them.
  public let torn: Int
  /// The number of rows that need no tag.
  public let skipped: Int
  /// The number of rows that this run finished.
  public let finished: Int
  /// Whether nothing was written.
  public let dryRun: Bool
  /// The number of tags whose signature is not their maker's.
  public let notGenuine: Int
  /// The number of tags whose signature cannot be checked.
  public let notCheckable: Int
  /// The number of tags that this run refused for not being genuine.
  public let refusedNotGenuine: Int
  /// The rows of the file with findings, in a rehearsal.
  public let findings: [Row]?

  /// - Parameters:
  ///   - newRows: The number of rows that would be new, in a rehearsal.
  ///   - findings: The findings by the rows' numbers, in a rehearsal.
  init(
    _ name: String, _ counts: BatchCounts, _ signatures: BatchSignatures, finished: Int = 0,
    rehearsing newRows: Int? = nil, _ findings: [Int: [Finding]] = [:]
  ) {
    batch = name
    rows = counts.total + (newRows ?? 0)
    done = counts[.done]
    pending = counts[.pending] + (newRows ?? 0)
    torn = counts.torn
    skipped = counts[.skipped]
    self.finished = finished
    dryRun = newRows != nil
    notGenuine = signatures.notGenuine.count
    notCheckable = signatures.notCheckable.count
    refusedNotGenuine = signatures.refusedCount
    self.findings = newRows.map { _ in
      findings.sorted { $0.key < $1.key }.map { row, found in
        Row(row: row, findings: found.map(FindingResult.init))
      }
    }
  }
}

/// The results of the signatures of a batch's tags.
public struct BatchSignatures: Hashable, Sendable {
  /// The rows whose tags have a signature that is not their maker's.
  public let notGenuine: [Int]
  /// The rows whose tags have none that can be checked.
  public let notCheckable: [Int]
  /// The number of tags that a run refused for that reason.
  public let refusedCount: Int

  init(_ rows: [BatchRow], refusedCount: Int = 0) {
    notGenuine = rows.filter { $0.tag?.signature == "not-genuine" }.map(\.number)
    notCheckable = rows.filter { $0.tag?.signature == "not-checkable" }.map(\.number)
    self.refusedCount = refusedCount
  }
}

/// The result of one tag that was laid on the reader for a batch.
public enum BatchTagResult: Encodable, Sendable {
  /// The tag finished a row.
  case wrote(WriteRowResult)
  /// The tag finished no row.
  case attempted(AttemptResult)

  /// Encodes the object of the contract.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .wrote(let result): try result.encode(to: encoder)
    case .attempted(let result): try result.encode(to: encoder)
    }
  }
}

/// A tag that finished a row of a batch: the `write` object of the command's contract.
public struct WriteRowResult: Encodable, Sendable {
  /// The type of the object.
  public let type = "write"
  /// The connection string of the reader.
  public let reader: String
  /// The tag's UID in hexadecimal.
  public let uid: String?
  /// The tag's product.
  public let tagType: String?
  /// The URL that the tag shows, with zeros for its counter.
  public let url: String
  /// The length of the NDEF message, in bytes.
  public let bytes: Int
  /// The number of pages, blocks or commands that were written.
  public let pagesWritten: Int
  /// Whether the tag held the message already.
  public let alreadyCorrect: Bool
  /// Whether the message was read back: always `true`.
  public let verified = true
  /// Whether the tag is locked for good.
  public let locked: Bool
  /// Whether a password was put in force.
  public let passwordSet: Bool
  /// The code's name in the registry.
  public let code: String?
  /// The name of the batch.
  public let batch: String
  /// The number of the row, from 1.
  public let row: Int
  /// The row's label.
  public let label: String?
  /// Whether the field was off before the message was read back; `nil` if nothing was written.
  public let fieldCycled: Bool?
  /// `genuine`, `not-genuine` or `not-checkable`; `nil` if the signature was not read.
  public let signature: String?
  /// SHA-256 of the message.
  public let sha256: String?
  /// The findings of the check.
  public let findings: [FindingResult]

  init(
    _ row: BatchRow, _ report: WriteReport, findings: [Finding], setsPassword: Bool, batch: String,
    reader: String
  ) {
    self.reader = reader
    uid = row.tag?.uid
    tagType = row.tag?.type
    url = row.shownURL
    bytes = report.byteCount
    pagesWritten = report.pagesWritten
    alreadyCorrect = report.wasAlreadyCorrect
    locked = row.tag?.isLocked ?? false
    passwordSet = setsPassword
    code = row.tag?.code?.description
    self.batch = batch
    self.row = row.number
    label = row.order.label
    fieldCycled = report.fieldCycled
    signature = row.tag?.signature
    sha256 = row.tag?.hash
    self.findings = findings.map(FindingResult.init)
  }
}

/// A tag that finished no row of a batch: the `attempt` object of the command's contract.
public struct AttemptResult: Encodable, Sendable {
  /// The type of the object.
  public let type = "attempt"
  /// The connection string of the reader.
  public let reader: String
  /// The tag's UID in hexadecimal; empty if it is unknown.
  public let uid: String
  /// The name of the batch.
  public let batch: String
  /// The number of the row, from 1; `nil` if the tag was for none.
  public let row: Int?
  /// The row's label.
  public let label: String?
  /// `already-done`, `refused`, `left`, `torn`, `spoiled` or `unasked`.
  public let outcome: String
  /// The code of the error; `nil` without one.
  public let code: String?
  /// The error in a sentence.
  public let message: String?
  /// The next step.
  public let hint: WordedText?

  init(
    _ outcome: String, uid: String, _ row: BatchRow?, _ error: (any Error)? = nil, batch: String,
    reader: String
  ) {
    self.reader = reader
    self.uid = uid
    self.batch = batch
    self.row = row?.number
    label = row?.order.label
    self.outcome = outcome
    func facts(_ error: some CodedError) -> (String, String, Hint) {
      (error.code.rawValue, error.message, error.advice)
    }
    let facts = (error as? any CodedError).map { facts($0) }
    code = facts?.0
    message = facts?.1 ?? error.map { "\($0)" }
    hint = facts.map { WordedText($0.2) }
  }
}

/// A row of a file before the batch is begun.
public struct BatchRowPreview: Encodable, Sendable {
  /// The number of the row, from 1.
  public let row: Int
  /// The line of the file, from 1.
  public let line: Int
  /// The row's label.
  public let label: String?
  /// The URL.
  public let url: String
  /// The id of the place that the row names.
  public let place: String?
  /// The UID of the one tag that the row is for.
  public let uid: String?
  /// The state of the row on record, or `new`.
  public let state: String
  /// The reason that the row may not be written.
  public let objection: WordedText?
  /// The findings of the check.
  public let findings: [FindingResult]
}

/// A row of a batch on record.
public struct BatchRowResult: Encodable, Sendable {
  /// The number of the row, from 1.
  public let row: Int
  /// The same number.
  public let number: Int
  /// The row's label.
  public let label: String?
  /// The URL as the file has it.
  public let url: String
  /// The id of the place that the row names.
  public let place: String?
  /// The state of the row.
  public let state: String
  /// The UID of the row's tag, or of the one tag that it is for.
  public let uid: String?
  /// The tag's product.
  public let tagType: String?
  /// Whether the tag is locked for good.
  public let locked: Bool
  /// `genuine`, `not-genuine` or `not-checkable`.
  public let signature: String?
  /// The code's name in the registry.
  public let code: String?
  /// The time of the last change.
  public let changed: String?
  /// The person who made the last change.
  public let who: String?
  /// The reason of the last change.
  public let reason: String?

  /// States a row.
  public init(_ row: BatchRow) {
    self.row = row.number
    number = row.number
    label = row.order.label
    url = row.order.url
    place = row.order.placeID
    state = row.state.rawValue
    uid = row.tag?.uid ?? row.order.wantedUID
    tagType = row.tag?.type
    locked = row.tag?.isLocked ?? false
    signature = row.tag?.signature
    code = row.tag?.code?.description
    changed = row.changed?.registryTimestamp
    who = row.who
    reason = row.reason
  }
}

extension BatchRow {
  /// The URL that its tag shows, with zeros for a counter.
  fileprivate var shownURL: String {
    tag.flatMap { [UInt8](hexadecimal: $0.uid.utf8) }.map(order.payload(uid:)) ?? order.url
  }
}
