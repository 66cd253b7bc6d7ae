import CliptagBasics
import Foundation

/// The facts of a table's row that are recorded: every column that a check reads, as it is stored.
///
/// An empty column is not recorded, so that a column added by a later version leaves earlier
/// entries unchanged.
private struct SettingForm {
  let kind: Setting.Kind
  let table: String
  let key: String
  let texts: [String]
  var integers: [String] = []
  var numbers: [String] = []

  static let all = [
    SettingForm(
      kind: .clip, table: "clip", key: "bundle_id",
      texts: [
        "app_bundle_id", "team", "app_store_id", "default_title", "default_subtitle",
        "default_action", "listing",
      ], integers: ["location_confirmation"]),
    SettingForm(
      kind: .experience, table: "experience", key: "normalized",
      texts: [
        "bundle_id", "link", "host", "folded_key", "title", "subtitle", "action", "language",
        "status", "place_id", "place_path", "place_query", "place_latitude", "place_longitude",
        "listing",
      ], numbers: ["place_radius"]),
    SettingForm(
      kind: .place, table: "place", key: "id", texts: ["name", "polygon", "regions", "language"],
      numbers: ["latitude", "longitude", "radius"]),
    SettingForm(
      kind: .counter, table: "tag_counter", key: "uid", texts: [], integers: ["counter"]),
    SettingForm(kind: .key, table: "trusted_key", key: "name", texts: ["key"]),
  ]

  func facts(_ row: any RegistryRow) -> [String: String] {
    var facts: [String: String] = [:]
    for name in texts { facts[name] = row.text(name) }
    for name in integers { facts[name] = row.integer(name).map { "\($0)" } }
    for name in numbers { facts[name] = row.number(name).map { "\($0)" } }
    return facts
  }
}

/// Entries about the settings that affect the acceptance of codes.
extension RegistryTransaction {
  /// Adds an entry with the present facts of a setting to this registry's own chain.
  ///
  /// - Parameter event: The kind of event; by default, registered or removed.
  borrowing func tell(
    _ setting: Setting, _ event: CodeEvent.Kind? = nil, details: [String: String]? = nil
  ) throws(RegistryError) {
    guard let details else { return try tell([setting], event) }
    try append(setting, event, details)
  }

  /// Adds an entry for each of several settings, which are looked up together.
  borrowing func tell(
    _ settings: [Setting], _ event: CodeEvent.Kind? = nil
  ) throws(RegistryError) {
    for start in stride(from: 0, to: settings.count, by: Self.kept) {
      let part = Array(settings[start..<min(start + Self.kept, settings.count)])
      for (setting, facts) in zip(part, try facts(of: part)) { try append(setting, event, facts) }
    }
  }

  private borrowing func append(
    _ setting: Setting, _ event: CodeEvent.Kind?, _ facts: [String: String]?
  ) throws(RegistryError) {
    let recorder = try ownRecorder()
    try append(
      try RecordEntry(
        of: setting, event ?? (facts == nil ? .removed : .registered), at: Date(),
        by: session.who, details: facts ?? [:], after: try head(of: recorder), recorder: recorder))
  }

  /// Adds entries for all settings of the registry to its chain, for a registry older than such
  /// entries.
  borrowing func adoptSettings() throws(RegistryError) {
    let time = Date()
    try forEachSetting { setting, facts throws(RegistryError) in
      let recorder = try ownRecorder()
      try append(
        try RecordEntry(
          of: setting, setting.kind == .counter ? .counted : .registered, at: time,
          by: session.who, details: facts, after: try head(of: recorder), recorder: recorder,
          isAdopted: true))
    }
  }

  /// Returns the stored facts of settings, in their order; missing settings are omitted.
  private borrowing func facts(
    of settings: [Setting]
  ) throws(RegistryError) -> [[String: String]?] {
    var found: [[String: String]?] = Array(repeating: nil, count: settings.count)
    for form in SettingForm.all {
      let wanted = settings.indices.filter { settings[$0].kind == form.kind }
      try session.forEachRow(
        "SELECT * FROM \(form.table) WHERE \(form.key) = ?",
        ofEach: wanted.map { [settings[$0].name] }
      ) { index, row in found[wanted[index]] = form.facts(row) }
    }
    for (index, setting) in settings.enumerated() where setting.kind == .clip {
      if found[index] != nil { found[index]?["domains"] = try domains(ofClip: setting.name) }
    }
    return found
  }

  private borrowing func domains(ofClip id: String) throws(RegistryError) -> String? {
    let hosts = try rows(
      "SELECT host FROM clip_domain WHERE bundle_id = ? ORDER BY position", [id],
      { row -> String in try row["host"] })
    return hosts.isEmpty ? nil : hosts.joined(separator: " ")
  }

  private borrowing func forEachSetting(
    _ body: (Setting, [String: String]) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    for form in SettingForm.all {
      let rows = try session.rows(
        "SELECT * FROM \(form.table) ORDER BY \(form.key)", [], isShared: false)
      while let row = try rows.next() {
        let setting = Setting(form.kind, try row[form.key])
        var facts = form.facts(row)
        if form.kind == .clip { facts["domains"] = try domains(ofClip: setting.name) }
        try body(setting, facts)
      }
    }
  }
}

/// Comparison of the settings with the record.
extension RegistryTransaction {
  /// The last entry of a chain about a setting.
  private struct Word {
    let kind: CodeEvent.Kind
    let details: String

    /// A Boolean value that indicates whether the setting exists according to the entry.
    var isThere: Bool { kind == .registered || kind == .counted }

    /// Returns whether the entry agrees with the registry. A counter may have risen by a merge.
    func holds(_ facts: [String: String], of setting: Setting) -> Bool {
      guard isThere, let told = FlatJSON.texts(details) else { return false }
      guard setting.kind == .counter else { return FlatJSON.areSame(told, facts) }
      return (facts["counter"].flatMap { Int($0) } ?? -1)
        >= (told["counter"].flatMap { Int($0) } ?? .max)
    }
  }

  /// Returns the settings that differ from the record.
  ///
  /// This registry's own chain takes precedence. A setting missing from it, in a copy that has not
  /// recorded it yet, must be in some other chain.
  borrowing func settingFindings() throws(RegistryError) -> [RecordFinding] {
    var own: [ByteKey: Word] = [:]
    var others: [ByteKey: [Int64: Word]] = [:]
    var ownKey: Int64?
    if let recorder = try presentRecorder() { ownKey = try key(of: recorder) }
    let words = try session.rows(
      "SELECT recorder, subject, kind, details FROM setting_entry ORDER BY recorder, number", [],
      isShared: false)
    while let row = try words.next() {
      let subject = ByteKey(try row["subject"])
      let word = Word(kind: CodeEvent.Kind(rawValue: try row["kind"]), details: try row["details"])
      let recorder: Int64 = try row["recorder"]
      if recorder == ownKey {
        own[subject] = word
      } else {
        others[subject, default: [:]][recorder] = word
      }
    }
    var findings: [RecordFinding] = []
    try forEachSetting { setting, facts throws(RegistryError) in
      let subject = ByteKey(setting.description)
      let told =
        own.removeValue(forKey: subject).map { [$0] } ?? others[subject].map { Array($0.values) }
      if let told, told.contains(where: { $0.holds(facts, of: setting) }) { return }
      let isToldThere = told?.contains(where: \.isThere) ?? false
      findings.append(
        RecordFinding(
          .settingAltered, recorder: nil, number: nil, subject: .setting(setting),
          isToldThere
            ? "The \(setting.title) contradicts the record."
            : "The \(setting.title) is in the registry, but not in the record."))
    }
    for (subject, word) in own.sorted(by: { $0.key.text < $1.key.text }) where word.isThere {
      guard let setting = Setting(subject.text) else { continue }
      findings.append(
        RecordFinding(
          .settingAltered, recorder: nil, number: nil, subject: .setting(setting),
          "The \(setting.title) is in the record, but not in the registry."))
    }
    return findings
  }
}
