package import Invocation
package import Registry

/// The `export` object of a registry file that was written.
package struct RegistryExportResult: Encodable {
  /// The type of the object.
  let type = "export"
  /// The file.
  let output: String
  /// Whether no file was written.
  let dryRun: Bool
  /// The number of clips.
  let clips: Int
  /// The number of experiences.
  let experiences: Int
  /// The number of places.
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
  /// The type of the object.
  let type = "finding"
  /// The stable name of the kind of finding.
  let code: String
  /// `note`, `warning` or `error`.
  let severity: String
  /// One sentence for people.
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

  /// The type of the object.
  let type = "difference"
  /// `clip`, `experience` or `place`.
  let kind: String
  /// The key of the thing.
  let key: String
  /// The key of the fact; `nil` if the thing is missing on a side.
  let field: String?
  /// The registry's value.
  let registry: String?
  /// App Store Connect's value.
  let appStoreConnect: String?
  /// The file's value.
  let file: String?
  /// The names of the sides that lack the thing.
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
  /// The type of the object.
  let type = "counter"
  /// The tag's UID in hexadecimal.
  let uid: String
  /// The last counter that was seen.
  let counter: Int
  /// The time at which it was seen, RFC 3339 in UTC.
  let seen: String
  /// Whether the counter is forgotten.
  let forgotten: Bool
  /// Whether nothing was changed.
  let dryRun: Bool

  package init(_ counter: TagCounter, isForgotten: Bool, isRehearsal: Bool) {
    (uid, self.counter, seen) = (counter.uid, counter.counter, counter.seen.registryTimestamp)
    (forgotten, dryRun) = (isForgotten, isRehearsal)
  }
}

/// The `trusted-key` object of a key whose checkpoints are believed.
package struct TrustedKeyResult: Encodable {
  /// The type of the object.
  let type = "trusted-key"
  /// The name that the key was given.
  let name: String
  /// The fingerprint of the key.
  let fingerprint: String
  /// The time at which the key was added, RFC 3339 in UTC.
  let added: String
  /// The person who added it.
  let who: String
  /// Whether nothing was changed.
  let dryRun: Bool

  package init(_ key: TrustedKey, isRehearsal: Bool) {
    (name, fingerprint, who) = (key.name, key.fingerprint, key.who)
    added = key.added.registryTimestamp
    dryRun = isRehearsal
  }
}

/// The `init` object of a registry that was made.
package struct RegistrySetupResult: Encodable {
  /// The type of the object.
  let type = "init"
  /// The location of the registry.
  let registry: String
  /// The role that owns the tables; `nil` for a file.
  let owner: String?
  /// The role of logins that issue and record; `nil` for a file.
  let station: String?
  /// The role of logins that only look up and check; `nil` for a file.
  let reader: String?
  /// The version of the tables.
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
  /// The type of the object.
  let type = "upgrade"
  /// The location of the registry.
  let registry: String
  /// The version of the tables before.
  let from: Int
  /// The version of the tables after.
  let to: Int
  /// The changes in words, in order.
  let steps: [String]
  /// Whether nothing was changed.
  let dryRun: Bool

  package init(_ upgrade: RegistryUpgrade, of location: RegistryLocation, isRehearsal: Bool) {
    registry = location.description
    (from, to, steps) = (upgrade.from, upgrade.to, upgrade.steps)
    dryRun = isRehearsal
  }
}

/// The `question` object of SQL that the registry's views answer.
package struct QuestionResult: Encodable {
  /// The type of the object.
  let type = "question"
  /// The question in words.
  let question: String
  /// The SQL that answers it.
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
    /// `backup`, `restore`, `move` or `checkout`.
    let type: String
    /// The origin; a backup states none.
    let source: String?
    /// The copy.
    let output: String
    /// Whether nothing was copied.
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
    /// The new path of the registry that was there before; `nil` if there was none.
    let replaced: String?
    /// The number of entries that only the previous registry has.
    let entriesLeft: Int
  }

  private struct Contents: Encodable {
    /// The number of clips.
    let clips: Int
    /// The number of experiences.
    let experiences: Int
    /// The number of places.
    let places: Int
    /// The number of codes.
    let codes: Int
    /// The number of entries of the record.
    let entries: Int
    /// The number of recorders.
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

/// The `example` object of a registry file that was begun.
package struct ExampleRegistryResult: Encodable {
  /// The type of the object.
  let type = "example"
  /// The file.
  let output: String
  /// The host of the invocation URLs.
  let domain: String
  /// The bundle identifier of the clip.
  let clip: String
  /// The ids of the places.
  let places: [String]
  /// An invocation URL to try.
  let url: String

  package init(_ example: ExampleRegistry, output: String) {
    self.output = output
    domain = example.host
    clip = example.clip
    places = example.places.map(\.id)
    url = example.firstURL
  }
}

/// The `registry-key` object of the reference of registry files and key files.
package struct RegistryKeyResult: Encodable {
  /// The type of the object.
  let type = "registry-key"
  /// The name of the mapping that has the key.
  let mapping: String
  /// The key.
  let key: String
  /// The form of the value, in words.
  let value: String
  /// Whether the mapping is refused without the key.
  let required: Bool
  /// The meaning of the value.
  let meaning: String

  package init(_ key: DocumentKey, of shape: DocumentShape) {
    mapping = shape.name
    self.key = key.name
    value = key.value.words
    required = key.isRequired
    meaning = key.meaning
  }
}
