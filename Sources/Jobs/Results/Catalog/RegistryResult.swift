package import Invocation
package import Registry

/// The `export` object of a registry file that was written.
package struct RegistryExportResult: Encodable {
  let type = "export"
  let output: String
  let dryRun: Bool
  let clips: Int
  let experiences: Int
  let places: Int

  package init(_ document: RegistryDocument, output: String, isRehearsal: Bool) {
    (self.output, dryRun) = (output, isRehearsal)
    clips = document.clips.count
    experiences = document.experiences.count
    places = document.places.count
  }
}

/// The `finding` object of a registry that was checked.
package struct RegistryFindingResult: Encodable {
  let type = "finding"
  let code: String
  let severity: String
  let message: String

  package init(_ finding: Finding) {
    code = finding.code.rawValue
    severity = finding.severity.rawValue
    message = finding.message
  }
}

/// The `difference` object of a registry, a file and App Store Connect: every side by name.
package struct DifferenceResult: Encodable {
  /// A side of a comparison.
  package enum Side: String, CaseIterable, Sendable {
    case registry, appStoreConnect, file
  }

  let type = "difference"
  let kind: String
  let key: String
  let field: String?
  let registry: String?
  let appStoreConnect: String?
  let file: String?
  let missingIn: [String]

  /// - Parameter sides: The compared documents, in the order of the difference's values.
  package init(_ difference: DocumentDifference, among sides: [Side]) {
    func value(_ side: Side) -> String? {
      sides.firstIndex(of: side).flatMap { difference.values[$0] }
    }
    kind = difference.kind.rawValue
    key = difference.key
    field = difference.field
    registry = value(.registry)
    appStoreConnect = value(.appStoreConnect)
    file = value(.file)
    missingIn = difference.missing.map { sides[$0].rawValue }
  }
}

/// The `counter` object of a tag that counts.
package struct CounterResult: Encodable {
  let type = "counter"
  let uid: String
  let counter: Int
  let seen: String
  let forgotten: Bool
  let dryRun: Bool

  package init(_ counter: TagCounter, isForgotten: Bool, isRehearsal: Bool) {
    (uid, self.counter, seen) = (counter.uid, counter.counter, counter.seen.registryTimestamp)
    (forgotten, dryRun) = (isForgotten, isRehearsal)
  }
}

/// The `trusted-key` object of a key whose checkpoints are believed.
package struct TrustedKeyResult: Encodable {
  let type = "trusted-key"
  let name: String
  let fingerprint: String
  let added: String
  let who: String
  let dryRun: Bool

  package init(_ key: TrustedKey, isRehearsal: Bool) {
    (name, fingerprint, who) = (key.name, key.fingerprint, key.who)
    added = key.added.registryTimestamp
    dryRun = isRehearsal
  }
}

/// The `init` object of a registry that was made.
package struct RegistrySetupResult: Encodable {
  let type = "init"
  let registry: String
  let owner: String?
  let station: String?
  let reader: String?
  let format: Int

  /// States a registry on a server.
  package init(_ setup: ServerSetup, at location: RegistryLocation) {
    registry = location.description
    (owner, station, reader) = (setup.owner, setup.station, setup.reader)
    format = setup.format
  }

  /// States a registry in a file, which has no roles.
  package init(_ store: any RegistryStore, at location: RegistryLocation) {
    registry = location.description
    (owner, station, reader) = (nil, nil, nil)
    format = store.schemaVersion
  }
}

/// The `upgrade` object of a registry that has the current format.
package struct RegistryUpgradeResult: Encodable {
  let type = "upgrade"
  let registry: String
  let from: Int
  let to: Int
  let steps: [String]
  let dryRun: Bool

  package init(_ upgrade: RegistryUpgrade, of location: RegistryLocation, isRehearsal: Bool) {
    registry = location.description
    (from, to, steps) = (upgrade.from, upgrade.to, upgrade.steps)
    dryRun = isRehearsal
  }
}

/// The `question` object of SQL that the registry's views answer.
package struct QuestionResult: Encodable {
  let type = "question"
  let question: String
  let sql: String

  package init(_ question: String, sql: String) { (self.question, self.sql) = (question, sql) }
}

/// The object of a registry that was copied: `backup`, `restore`, `move` or `checkout`.
package struct RegistryCopyResult: Encodable {
  /// The reason for the copy.
  package enum Kind: String, Sendable {
    case backup, restore, move, checkout
  }

  private struct Head: Encodable {
    let type: String
    /// The origin; a backup states none.
    let source: String?
    let output: String
    let dryRun: Bool

    private enum CodingKeys: CodingKey { case type, source, output, dryRun }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(type, forKey: .type)
      if let source { try values.encode(source, forKey: .source) }
      try values.encode(output, forKey: .output)
      try values.encode(dryRun, forKey: .dryRun)
    }
  }

  private struct Replaced: Encodable {
    let replaced: String?
    let entriesLeft: Int
  }

  private struct Contents: Encodable {
    let clips: Int
    let experiences: Int
    let places: Int
    let codes: Int
    let entries: Int
    let recorders: Int

    init(_ report: BackupReport) {
      (clips, experiences) = (report.counts.clips, report.counts.experiences)
      (places, codes) = (report.counts.places, report.counts.codes)
      (entries, recorders) = (report.entries, report.heads.count)
    }
  }

  private let head: Head
  private let replaced: Replaced?
  private let contents: Contents

  /// States a copy.
  package init(
    _ report: BackupReport, _ kind: Kind, from source: String? = nil, to output: String,
    isRehearsal: Bool
  ) {
    head = Head(type: kind.rawValue, source: source, output: output, dryRun: isRehearsal)
    replaced = nil
    contents = Contents(report)
  }

  /// States a registry that a backup took the place of.
  package init(
    _ report: RestoreReport, from source: String, to output: String, isRehearsal: Bool
  ) {
    head = Head(type: Kind.restore.rawValue, source: source, output: output, dryRun: isRehearsal)
    replaced = Replaced(replaced: report.replaced, entriesLeft: report.entriesLeft)
    contents = Contents(report.restored)
  }

  package func encode(to encoder: any Encoder) throws {
    try head.encode(to: encoder)
    try replaced?.encode(to: encoder)
    try contents.encode(to: encoder)
  }
}
