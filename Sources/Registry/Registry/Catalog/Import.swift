import CliptagBasics
public import Foundation
public import Invocation

extension RegistryOperations where Self: ~Copyable {
  /// Returns clips, experiences and places as one document, sorted.
  public borrowing func document() throws(RegistryError) -> RegistryDocument {
    try read { registry in
      RegistryDocument(
        clips: try registry.clips(), experiences: try registry.experiences(),
        places: try registry.places())
    }
  }

  /// Imports a document: adds new things and replaces those with the same key; with
  /// ``ImportMode/replaceAll``, removes the others.
  ///
  /// - Throws: `RegistryError.Code.invalid` if the document breaks a rule;
  ///   `RegistryError.Code.unknownClip` and `RegistryError.Code.unknownPlace` if an experience
  ///   names a clip or place that is neither in the document nor stays in the registry;
  ///   `RegistryError.Code.alreadyExists` if the document contains a key twice.
  @discardableResult
  public borrowing func apply(
    _ document: RegistryDocument, _ mode: ImportMode = .merge
  ) throws(RegistryError) -> ImportReport {
    try write { registry in try registry.make(try registry.changes(applying: document, mode)) }
  }
}

extension RegistryStore {
  /// Imports a document as ``RegistryOperations/apply(_:_:)`` does; a large one in pieces, each in
  /// its own transaction, so that other writers can run in between.
  ///
  /// The whole document is checked before any change. A run that was interrupted between two
  /// pieces, or by a change of another writer, is completed by another run with the same document:
  /// what was imported stays unchanged.
  ///
  /// - Parameters:
  ///   - document: The document to import.
  ///   - mode: The treatment of the registry's present contents.
  ///   - dryRun: Whether to report the changes without making them.
  public func apply(
    _ document: RegistryDocument, _ mode: ImportMode = .merge, dryRun: Bool
  ) throws(RegistryError) -> ImportReport {
    dryRun
      ? try read { try $0.changes(applying: document, mode).report }
      : try bring(document, mode, wasRead: false)
  }

  /// Reads a registry file and imports it as ``apply(_:_:dryRun:)`` does; a file with any problem
  /// changes nothing.
  ///
  /// - Parameters:
  ///   - data: The file's bytes.
  ///   - format: The format of the bytes.
  ///   - name: The file's name, for messages.
  ///   - mode: The treatment of the registry's present contents.
  ///   - keepsUnstated: Whether facts of a clip or an experience that the file omits stay
  ///     unchanged; never with ``ImportMode/replaceAll``.
  ///   - dryRun: Whether to report the changes without making them.
  /// - Returns: The changes made, or that would be made, and the doubtful points of the file.
  /// - Throws: `RegistryError.Code.invalidDocument` with every problem, or the store's errors.
  public func importDocument(
    _ data: Data, as format: RegistryDocument.Format, name: String = "the document",
    _ mode: ImportMode = .merge, keepsUnstated: Bool = true, dryRun: Bool = false
  ) throws(RegistryError) -> (report: ImportReport, warnings: [DocumentProblem]) {
    let present = try document()
    let known = mode == .merge ? Set(present.places.map(\.id)) : []
    let keeps = keepsUnstated && mode == .merge
    let reading = try RegistryDocument.read(
      data, as: format, name: name, knownPlaces: known, over: present, keepsUnstated: keeps)
    let document = reading.document
    var report =
      dryRun
      ? try read { try $0.changes(applying: document, mode, wasRead: true).report }
      : try bring(document, mode, wasRead: true)
    if keeps { report.kept = reading.unstated } else { report.dropped = reading.unstated }
    return (report, reading.warnings)
  }
}

extension RegistryStore {
  /// Imports a document, piece by piece if it is large.
  ///
  /// - Parameter size: The largest number of things in a piece.
  func bring(
    _ document: RegistryDocument, _ mode: ImportMode, wasRead: Bool, pieces size: Int = 5000
  ) throws(RegistryError) -> ImportReport {
    let held = document.clips.count + document.places.count + document.experiences.count
    let planned =
      mode == .merge && held <= size
      ? nil : try read { try $0.changes(applying: document, mode, wasRead: wasRead) }
    guard let planned, planned.count > size else {
      return try write { registry in
        try registry.make(try registry.changes(applying: document, mode, wasRead: wasRead))
      }
    }
    var report = planned.report.unchangedAlone
    // An experience may move between clips and places: first the things it may refer to, then the
    // experiences, and only then the things without references.
    for part in planned.clips.parts(of: size) {
      try piece { registry throws(RegistryError) in try registry.bring(clips: part, &report.clips) }
    }
    for part in planned.places.parts(of: size) {
      try piece { registry throws(RegistryError) in try registry.bring(places: part, &report.places)
      }
    }
    for part in planned.experiences.parts(of: size) {
      try piece { registry throws(RegistryError) in
        try registry.bring(experiences: part, &report.experiences)
      }
    }
    guard mode == .replaceAll else { return report }
    for part in planned.removedExperiences.parts(of: size) {
      try piece { registry throws(RegistryError) in
        report.experiences.removed += try registry.remove(part, of: .experience)
      }
    }
    for part in planned.removedPlaces.parts(of: size) {
      try piece { registry throws(RegistryError) in
        report.places.removed += try registry.remove(part, of: .place)
      }
    }
    // Things that others have added meanwhile, and their references.
    try piece { registry throws(RegistryError) in
      try registry.removeAll(but: document, &report)
    }
    return report
  }

  private func piece(
    _ body: (borrowing RegistryTransaction) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    try write(body)
    makeWay()
  }
}

extension RegistryTransaction {
  fileprivate borrowing func bring(
    clips: ArraySlice<AppClip>, _ tally: inout ImportReport.Tally
  ) throws(RegistryError) {
    var changed: [Setting] = []
    for clip in clips where tally.count(clip, over: try self.clip(bundleID: clip.bundleID)) {
      try keep(clip)
      changed.append(Setting(.clip, clip.bundleID))
    }
    try tell(changed)
  }

  fileprivate borrowing func bring(
    places: ArraySlice<Place>, _ tally: inout ImportReport.Tally
  ) throws(RegistryError) {
    let present = try self.places(ids: places.map(\.id))
    var changed: [Setting] = []
    for place in places where tally.count(place, over: present[ByteKey(place.id)]) {
      try keep(place)
      changed.append(Setting(.place, place.id))
    }
    try tell(changed)
  }

  fileprivate borrowing func bring(
    experiences: ArraySlice<AdvancedExperience>, _ tally: inout ImportReport.Tally
  ) throws(RegistryError) {
    let present = try self.experiences(links: experiences.map(\.link))
    // The referenced things existed when the document was checked, and may have been removed
    // meanwhile.
    let clips = Set(experiences.map { ByteKey($0.clip) })
    for clip in clips where try self.clip(bundleID: clip.text) == nil {
      if let first = experiences.first(where: { ByteKey($0.clip) == clip }) {
        throw .unknownClip(first)
      }
    }
    let fixed = experiences.compactMap { experience -> (String, AdvancedExperience)? in
      guard case .fixed(let id) = experience.place else { return nil }
      return (id, experience)
    }
    let places = try self.places(ids: Array(Set(fixed.map { ByteKey($0.0) })).map(\.text))
    if let (id, experience) = fixed.first(where: { places[ByteKey($0.0)] == nil }) {
      throw .unknownPlace(id, experience)
    }
    var changed: [Setting] = []
    for experience in experiences
    where tally.count(experience, over: present[ByteKey(experience.link.normalized)]) {
      try keep(experience)
      changed.append(Setting(.experience, experience.link.normalized))
    }
    try tell(changed)
  }

  /// Removes the given experiences and places that still exist and are not referenced.
  ///
  /// - Returns: The number of removed things.
  fileprivate borrowing func remove(
    _ keys: some Collection<String>, of kind: Setting.Kind
  ) throws(RegistryError) -> Int {
    let keys = Array(keys)
    let isPlace = kind == .place
    let present =
      isPlace
      ? "SELECT 1 AS one FROM place WHERE id = ? AND NOT EXISTS "
        + "(SELECT 1 FROM experience WHERE place_id = place.id)"
      : "SELECT 1 AS one FROM experience WHERE normalized = ?"
    var removed: [String] = []
    try session.forEachRow(present, ofEach: keys.map { [$0] }) { index, _ in
      removed.append(keys[index])
    }
    for key in removed {
      try run(
        "DELETE FROM \(isPlace ? "place WHERE id" : "experience WHERE normalized") = ?", [key])
      if isPlace { known.places.remove(ByteKey(key)) }
    }
    try tell(removed.map { Setting(kind, $0) })
    return removed.count
  }

  /// Removes the things that a document does not contain.
  fileprivate borrowing func removeAll(
    but document: RegistryDocument, _ report: inout ImportReport
  ) throws(RegistryError) {
    report.experiences.removed += try remove(
      keys("normalized", of: "experience", but: document.experiences.map(\.link.normalized)),
      of: .experience)
    report.places.removed += try remove(
      keys("id", of: "place", but: document.places.map(\.id)), of: .place)
    let clips = try keys("bundle_id", of: "clip", but: document.clips.map(\.bundleID))
    for clip in clips { try deleteClip(bundleID: clip) }
    report.clips.removed += clips.count
  }

  private borrowing func keys(
    _ column: String, of table: String, but kept: [String]
  ) throws(RegistryError) -> [String] {
    let kept = Set(kept.map { ByteKey($0) })
    return try rows(
      "SELECT \(column) FROM \(table) ORDER BY \(column)", [], comeInPieces: true,
      { row -> String in try row[column] }
    ).filter { !kept.contains(ByteKey($0)) }
  }
}

extension ImportReport {
  /// The report reduced to unchanged things.
  fileprivate var unchangedAlone: ImportReport {
    var report = self
    for tally in [\ImportReport.clips, \.experiences, \.places] {
      report[keyPath: tally] = Tally(unchanged: self[keyPath: tally].unchanged)
    }
    return report
  }
}

/// The changes that an import makes: the things to store and to remove, and the numbers to report.
private struct ImportChanges {
  var clips: [AppClip] = []
  var experiences: [AdvancedExperience] = []
  var places: [Place] = []
  var removedClips: [String] = []
  var removedExperiences: [String] = []
  var removedPlaces: [String] = []
  var report = ImportReport()

  /// The number of things stored or removed.
  var count: Int {
    clips.count + experiences.count + places.count + removedClips.count + removedExperiences.count
      + removedPlaces.count
  }
}

extension RegistryTransaction {
  /// Makes the changes, which were computed in the same transaction.
  fileprivate borrowing func make(_ changes: ImportChanges) throws(RegistryError) -> ImportReport {
    // An experience may move between clips and places: first the things it may refer to, then the
    // experiences, and only then the things without references.
    for clip in changes.clips { try keep(clip) }
    for place in changes.places { try keep(place) }
    try tell(
      changes.clips.map { Setting(.clip, $0.bundleID) }
        + changes.places.map { Setting(.place, $0.id) })
    for link in changes.removedExperiences { try deleteExperience(normalized: link) }
    for experience in changes.experiences { try keep(experience) }
    try tell(changes.experiences.map { Setting(.experience, $0.link.normalized) })
    for id in changes.removedPlaces { try deletePlace(id: id) }
    for id in changes.removedClips { try deleteClip(bundleID: id) }
    return changes.report
  }

  /// Returns the changes that ``apply(_:_:)`` would make, after checking that they are possible.
  ///
  /// - Parameter wasRead: Whether the document was read from a file, so that its rules are checked
  ///   already.
  fileprivate borrowing func changes(
    applying document: RegistryDocument, _ mode: ImportMode, wasRead: Bool = false
  ) throws(RegistryError) -> ImportChanges {
    var changes = ImportChanges()
    let clipIDs = try unique(document.clips.map(\.bundleID), "clip")
    let links = try unique(document.experiences.map(\.link.normalized), "experience")
    let placeIDs = try unique(document.places.map(\.id), "place")

    for clip in document.clips {
      if !wasRead { try ValueRules.check(clip) }
      let present = try self.clip(bundleID: clip.bundleID)
      if changes.report.clips.count(clip, over: present) { changes.clips.append(clip) }
    }
    for part in document.places.parts(of: Self.kept) {
      let present = try places(ids: part.map(\.id))
      for place in part {
        if !wasRead { try ValueRules.check(place) }
        if changes.report.places.count(place, over: present[ByteKey(place.id)]) {
          changes.places.append(place)
        }
      }
    }
    for part in document.experiences.parts(of: Self.kept) {
      let present = try experiences(links: part.map(\.link))
      for experience in part {
        try requireClip(of: experience, among: clipIDs, mode)
        try requirePlace(of: experience, among: placeIDs, mode)
        if !wasRead { try ValueRules.check(experience) }
        if changes.report.experiences.count(
          experience, over: present[ByteKey(experience.link.normalized)])
        {
          changes.experiences.append(experience)
        }
      }
    }
    if mode == .replaceAll {
      changes.removedClips = try clips().map(\.bundleID).filter {
        !clipIDs.contains(ByteKey($0))
      }
      changes.removedExperiences = try experiences().map(\.link.normalized)
        .filter { !links.contains(ByteKey($0)) }
      changes.removedPlaces = try places().map(\.id).filter {
        !placeIDs.contains(ByteKey($0))
      }
      changes.report.clips.removed = changes.removedClips.count
      changes.report.experiences.removed = changes.removedExperiences.count
      changes.report.places.removed = changes.removedPlaces.count
    }
    return changes
  }

  private borrowing func requireClip(
    of experience: AdvancedExperience, among documentIDs: Set<ByteKey>, _ mode: ImportMode
  ) throws(RegistryError) {
    if documentIDs.contains(ByteKey(experience.clip)) { return }
    if mode == .merge, try clip(bundleID: experience.clip) != nil { return }
    throw .unknownClip(experience)
  }

  private borrowing func requirePlace(
    of experience: AdvancedExperience, among documentIDs: Set<ByteKey>, _ mode: ImportMode
  ) throws(RegistryError) {
    guard case .fixed(let id) = experience.place else { return }
    if documentIDs.contains(ByteKey(id)) { return }
    if mode == .merge, try hasPlace(id) { return }
    throw .unknownPlace(id, experience)
  }

  private borrowing func unique(
    _ keys: [String], _ kind: String
  ) throws(RegistryError) -> Set<ByteKey> {
    var seen: Set<ByteKey> = []
    for key in keys {
      guard seen.insert(ByteKey(key)).inserted else {
        throw RegistryError(
          .alreadyExists, "The document contains the \(kind) “\(key)” twice.",
          hint: "Remove one of them.")
      }
    }
    return seen
  }
}

extension RegistryError {
  fileprivate static func unknownClip(_ experience: AdvancedExperience) -> RegistryError {
    RegistryError(
      .unknownClip,
      "The experience \(experience.link.payload) belongs to \(experience.clip), which is not in "
        + "the document.",
      hint: "Add that clip to the document, or correct its identifier.")
  }

  fileprivate static func unknownPlace(
    _ id: String, _ experience: AdvancedExperience
  ) -> RegistryError {
    RegistryError(
      .unknownPlace,
      "The experience \(experience.link.payload) refers to the place “\(id)”, which is not in the "
        + "document.",
      hint: "Add that place to the document, or correct its id.")
  }
}

extension Array {
  /// Returns the elements in order, in slices of at most the given size.
  fileprivate func parts(of size: Int) -> some Sequence<ArraySlice<Element>> {
    stride(from: 0, to: count, by: size).lazy.map { self[$0..<Swift.min($0 + size, count)] }
  }
}

extension ImportReport.Tally {
  /// Counts a thing of a document, compared with the present thing of the same key.
  ///
  /// - Returns: Whether the thing must be stored.
  fileprivate mutating func count<Thing: Equatable>(_ thing: Thing, over present: Thing?) -> Bool {
    guard let present else {
      added += 1
      return true
    }
    if present == thing {
      unchanged += 1
      return false
    }
    changed += 1
    return true
  }
}
