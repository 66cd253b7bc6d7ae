package import Auditing
package import Foundation
import Invocation
package import Registry

/// The `key` object of a pair of keys that was made.
package struct KeyPairResult: Encodable {
  /// The type of the object.
  let type = "key"
  /// The file of the private key.
  let output: String
  /// The public key.
  let publicKey: String
  /// Whether no file was written.
  let dryRun: Bool

  package init(output: String, publicKey: String, isRehearsal: Bool) {
    (self.output, self.publicKey, dryRun) = (output, publicKey, isRehearsal)
  }
}

/// The `checkpoint` object of a record that was signed.
package struct CheckpointResult: Encodable {
  /// The type of the object.
  let type = "checkpoint"
  /// The file; `nil` if the text is stated.
  let output: String?
  /// Whether nothing was written and recorded.
  let dryRun: Bool
  /// The time of the checkpoint, RFC 3339 in UTC.
  let time: String
  /// The number of chains.
  let chains: Int
  /// The number of entries of all chains.
  package let entries: Int
  /// The signed text; `nil` if it went into a file.
  let text: String?

  /// - Parameter text: The signed text, which is stated unless it went into a file.
  package init(_ checkpoint: Checkpoint, text: String, output: String?, isRehearsal: Bool) {
    self.output = output
    dryRun = isRehearsal
    time = checkpoint.time.registryTimestamp
    chains = checkpoint.heads.count
    entries = checkpoint.heads.reduce(0) { $0 + $1.number }
    self.text = output == nil ? text : nil
  }
}

/// The `witness` object of a checkpoint that another party saw.
package struct WitnessResult: Encodable {
  /// The type of the object.
  let type = "witness"
  /// `witness` or `time-stamp`.
  let kind: String
  /// The file.
  let source: String
  /// The time at which the checkpoint was seen, RFC 3339 in UTC.
  let time: String

  /// - Parameter kind: `witness` or `time-stamp`.
  package init(kind: String, source: String, time: Date) {
    (self.kind, self.source) = (kind, source)
    self.time = time.registryTimestamp
  }
}

/// The `witness` object of a witness that was made.
package struct MadeWitnessResult: Encodable {
  /// The type of the object.
  let type = "witness"
  /// The kind of witness.
  let kind = "witness"
  /// The file of the checkpoint.
  let source: String
  /// The time at which the checkpoint was seen, RFC 3339 in UTC.
  let time: String
  /// The file; `nil` if the text is stated.
  let output: String?
  /// Whether no file was written.
  let dryRun: Bool
  /// The signed text; `nil` if it went into a file.
  let text: String?

  /// - Parameter text: The signed text, which is stated unless it went into a file.
  package init(
    _ witness: CheckpointWitness, text: String, source: String, output: String?, isRehearsal: Bool
  ) {
    self.source = source
    time = witness.time.registryTimestamp
    self.output = output
    dryRun = isRehearsal
    self.text = output == nil ? text : nil
  }
}

/// The `finding` object of a record that was altered.
package struct RecordFindingResult: Encodable {
  /// The type of the object.
  let type = "finding"
  /// The stable name of the kind of finding.
  let code: String
  /// Always `error`.
  let severity = "error"
  /// One sentence for people.
  let message: String
  /// The name of the recorder.
  let recorder: String?
  /// The number of the entry in its chain, from 1.
  let number: Int?
  /// The code or thing that the entry concerns.
  let subject: String?

  package init(_ finding: RecordFinding) {
    code = finding.code.rawValue
    message = finding.message
    recorder = finding.recorder?.description
    number = finding.number
    subject = finding.subject?.description
  }
}

/// The `chain` object of a verified chain of the record.
package struct ChainResult: Encodable {
  /// The type of the object.
  let type = "chain"
  /// The name of the recorder.
  let recorder: String
  /// The number of entries that were verified.
  let entries: Int
  /// The number of the last entry.
  let last: Int
  /// The hash of the last entry.
  let hash: String
  /// The number of findings.
  let findings: Int

  package init(_ chain: RecordVerifier.Chain) {
    recorder = chain.head.recorder.description
    entries = chain.entries
    last = chain.head.number
    hash = chain.head.hash.description
    findings = chain.findings
  }
}

/// The `export` object of a record that was written.
package struct RecordExportResult: Encodable {
  /// The type of the object.
  let type = "export"
  /// The file.
  let output: String
  /// Whether no file was written.
  let dryRun: Bool
  /// The format of the file.
  let format: String
  /// The number of entries.
  let entries: Int

  package init(output: String, format: String, entries: Int, isRehearsal: Bool) {
    (self.output, self.format, self.entries, dryRun) = (output, format, entries, isRehearsal)
  }
}

/// The `activity` object of what one person did in one month at one place.
package struct ActivityResult: Encodable {
  /// The type of the object.
  let type = "activity"
  /// The month, such as `2026-11`.
  let month: String
  /// The person.
  let who: String
  /// The id of the place.
  let place: String?
  /// The kind of event, such as `installed`.
  let kind: String
  /// The number of events.
  let count: Int

  package init(_ activity: RecordActivity) {
    (month, who, place) = (activity.month, activity.who, activity.place)
    (kind, count) = (activity.kind, activity.count)
  }
}
