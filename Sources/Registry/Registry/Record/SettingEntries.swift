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
    SettingForm(kind: .recorder, table: "recorder", key: "id", texts: [], integers: ["merged"]),
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
    let time = max(Date().millisecondsSince1970, try earliestSettingTime())
    known.earliestSettingTime = time
    try append(
      try RecordEntry(
        of: setting, event ?? (facts == nil ? .removed : .registered),
        at: Date(millisecondsSince1970: time), by: session.who, details: facts ?? [:],
        after: try head(of: recorder), recorder: recorder))
  }

  /// Returns the earliest time, in milliseconds since 1970, of the next entry about a setting: the
  /// entry is later than those of every recorder here, whatever the clocks of their computers say.
  private borrowing func earliestSettingTime() throws(RegistryError) -> Int64 {
    if let time = known.earliestSettingTime { return time }
    let last = try number(
      """
      SELECT max(time) AS number FROM (SELECT
          (SELECT time FROM setting_entry WHERE recorder = r.key
             AND (r.merged IS NULL OR number < r.merged) ORDER BY number DESC LIMIT 1) AS time
        FROM recorder AS r) AS ends
      """)
    return Int64(last) + 1
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
        // Only a recorder whose entries were merged has facts.
        if !facts.isEmpty { try body(setting, facts) }
      }
    }
  }
}

/// Comparison of the settings with the record.
extension RegistryTransaction {
  /// The last entry of a chain about a setting, of those that were written here.
  private struct Word {
    let recorder: Int64
    let number: Int
    /// The time, no earlier than that of the entries before it.
    let time: Int
    let kind: CodeEvent.Kind
    let details: String
    /// The location at which the chain is continued, if any.
    let home: String?

    init(_ row: any RegistryRow, after former: Word?) throws(RegistryError) {
      recorder = try row["recorder"]
      number = try row["number"]
      time = max(try row["time"], former?.time ?? 0)
      kind = CodeEvent.Kind(rawValue: try row["kind"])
      details = try row["details"]
      home = row.text("home")
    }

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

  /// A setting that is not as the record has it, and the last words about it.
  private typealias Contradiction = (setting: Setting, isThere: Bool, told: [Word])

  /// Returns the last words about each setting; several if chains have entries of the same time.
  ///
  /// Every recorder counts, unless an entry says that its entries came by a merge: then they tell of
  /// another registry's settings. So nothing disappears with the memory of its author.
  private borrowing func lastWords() throws(RegistryError) -> [ByteKey: [Word]] {
    var words: [ByteKey: [Word]] = [:]
    let entries = try session.rows(
      """
      SELECT e.recorder, e.number, e.subject, e.time, e.kind, e.details, r.home
      FROM setting_entry AS e JOIN recorder AS r ON r.key = e.recorder
      WHERE r.merged IS NULL OR e.number < r.merged ORDER BY e.recorder, e.number
      """, [], isShared: false)
    while let row = try entries.next() {
      let subject = ByteKey(try row["subject"])
      var told = words[subject] ?? []
      let former = told.last
      let isContinued = former?.recorder == row.integer("recorder")
      let word = try Word(row, after: isContinued ? former : nil)
      if isContinued { told.removeLast() }
      if let time = told.first?.time, time != word.time {
        if time < word.time { told = [word] }
      } else {
        told.append(word)
      }
      words[subject] = told
    }
    return words
  }

  private borrowing func contradictions() throws(RegistryError) -> [Contradiction] {
    var words = try lastWords()
    var found: [Contradiction] = []
    try forEachSetting { setting, facts throws(RegistryError) in
      let told = words.removeValue(forKey: ByteKey(setting.description)) ?? []
      if told.contains(where: { $0.holds(facts, of: setting) }) { return }
      found.append((setting, true, told))
    }
    for (subject, told) in words.sorted(by: { $0.key.text < $1.key.text })
    where told.allSatisfy(\.isThere) {
      if let setting = Setting(subject.text) { found.append((setting, false, told)) }
    }
    return found
  }

  /// Returns the settings that differ from the record: from the last entry about each, of all
  /// recorders that wrote here.
  borrowing func settingFindings() throws(RegistryError) -> [RecordFinding] {
    try contradictions().map { setting, isThere, told in
      let problem =
        !isThere
        ? "is in the record, but not in the registry"
        : told.contains(where: \.isThere)
          ? "contradicts the record" : "is in the registry, but not in the record"
      return RecordFinding(
        code: .settingAltered, recorder: nil, number: nil, subject: .setting(setting),
        message: "The \(setting.title) \(problem).")
    }
  }

  /// Records that the entries of a recorder came by a merge, from a number on.
  borrowing func noteMerge(
    of recorder: Recorder, from number: Int
  ) throws(RegistryError) {
    let name = recorder.description
    let isNew = try rows(
      "SELECT 1 AS one FROM recorder WHERE id = ? AND merged IS NULL", [name], { _ in true })
    guard !isNew.isEmpty else { return }
    try run("UPDATE recorder SET merged = ? WHERE id = ?", [number, name])
    try tell(Setting(.recorder, name))
  }

  /// Records the merges of a registry from before they were recorded: a chain that nobody continues
  /// here, and whose entries contradict the settings, was merged from the first such entry on. On a
  /// server each station continues its own.
  borrowing func adoptMerges() throws(RegistryError) {
    let (home, isShared) = (session.home, session.isFarAway)
    while true {
      let told = try contradictions().flatMap(\.told).filter {
        $0.home == nil || !isShared && $0.home != home
      }
      guard !told.isEmpty else { return }
      for (key, words) in Dictionary(grouping: told, by: \.recorder).sorted(by: { $0.key < $1.key })
      {
        let name = try rows(
          "SELECT id FROM recorder WHERE key = ?", [key], { try $0.recorder("id") }
        ).first
        guard let name, let number = words.map(\.number).min() else { continue }
        try run("UPDATE recorder SET merged = NULL WHERE key = ?", [key])
        try noteMerge(of: name, from: number)
      }
    }
  }
}
