package import Auditing
package import Foundation
import Invocation
package import Registry

/// The `key` object of a pair of keys that was made.
package struct KeyPairResult: Encodable {
  let type = "key"
  let output: String
  let publicKey: String
  let dryRun: Bool

  package init(output: String, publicKey: String, isRehearsal: Bool) {
    (self.output, self.publicKey, dryRun) = (output, publicKey, isRehearsal)
  }
}

/// The `checkpoint` object of a record that was signed.
package struct CheckpointResult: Encodable {
  let type = "checkpoint"
  let output: String?
  let dryRun: Bool
  let time: String
  let chains: Int
  /// The number of entries of all chains.
  package let entries: Int
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
  let type = "witness"
  let kind: String
  let source: String
  let time: String

  /// - Parameter kind: `witness` or `time-stamp`.
  package init(kind: String, source: String, time: Date) {
    (self.kind, self.source) = (kind, source)
    self.time = time.registryTimestamp
  }
}

/// The `witness` object of a witness that was made.
package struct MadeWitnessResult: Encodable {
  let type = "witness"
  let kind = "witness"
  let source: String
  let time: String
  let output: String?
  let dryRun: Bool
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
  let type = "finding"
  let code: String
  let severity = "error"
  let message: String
  let recorder: String?
  let number: Int?
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
  let type = "chain"
  let recorder: String
  let entries: Int
  let last: Int
  let hash: String
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
  let type = "export"
  let output: String
  let dryRun: Bool
  let format: String
  let entries: Int

  package init(output: String, format: String, entries: Int, isRehearsal: Bool) {
    (self.output, self.format, self.entries, dryRun) = (output, format, entries, isRehearsal)
  }
}

/// The `activity` object of what one person did in one month at one place.
package struct ActivityResult: Encodable {
  let type = "activity"
  let month: String
  let who: String
  let place: String?
  let kind: String
  let count: Int

  package init(_ activity: RecordActivity) {
    (month, who, place) = (activity.month, activity.who, activity.place)
    (kind, count) = (activity.kind, activity.count)
  }
}
