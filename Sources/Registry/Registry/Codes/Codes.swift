import CliptagBasics
public import Foundation
import Invocation

/// Issued codes and their history.
extension RegistryOperations where Self: ~Copyable {
  /// Returns the issued code with a name.
  public borrowing func code(id: CodeID) throws(RegistryError) -> IssuedCode? {
    var conditions = SQLConditions()
    conditions.require("id = ?", id.description)
    return try codes(conditions).first
  }

  /// Returns the code with a name as signs have it: the name itself, or its tail.
  ///
  /// - Returns: `nil` for a text that is neither, and for one that is not on record.
  /// - Throws: `RegistryError.Code.ambiguousName` when several names have the tail.
  package borrowing func code(called text: String) throws(RegistryError) -> IssuedCode? {
    if let id = CodeID(text) { return try code(id: id) }
    guard let tail = CodeID.tail(text) else { return nil }
    // After `c-` and 20 characters.
    let found = try codes(where: "substr(code.id, 23) = ?", [tail])
    guard found.count < 2 else { throw .ambiguous("The names", found, "end in \(tail)") }
    return found.first
  }

  /// Returns the code that a person means: by its name or tail, by its URL, or by a part of name or
  /// URL, of four characters or more, that no other code has.
  ///
  /// - Returns: `nil` for a text that no code has.
  /// - Throws: `RegistryError.Code.ambiguousName` when several codes have it.
  package borrowing func code(meantBy text: String) throws(RegistryError) -> IssuedCode? {
    if let code = try code(called: text) { return code }
    guard CodeID(text) == nil, text.utf8.count >= 4 else { return nil }
    var found = try codes(where: "payload = ?", [text])
    if found.isEmpty {
      let part = "%" + text.lowercased().replacing(/[%_!]/) { "!\($0.0)" } + "%"
      found = try codes(
        where: "(lower(code.id) LIKE ? ESCAPE '!' OR lower(payload) LIKE ? ESCAPE '!')",
        [part, part])
    }
    guard found.count < 2 else {
      throw .ambiguous("The names or URLs", found, "contain \(text.printable)")
    }
    return found.first
  }

  /// Returns at most ten codes with a condition, oldest first.
  private borrowing func codes(
    where condition: String, _ arguments: [any SQLValue]
  ) throws(RegistryError) -> [IssuedCode] {
    try rows(
      codesSQL("WHERE " + condition) + " LIMIT 10", arguments, IssuedCode.init(latestPrint:))
  }

  /// Returns the issued codes that match a filter, oldest first.
  public borrowing func codes(
    _ filter: CodeFilter = CodeFilter()
  ) throws(RegistryError) -> [IssuedCode] {
    return try read { registry in
      if let payload = filter.payload, filter.placeID == nil,
        let known = registry.known.alike[ByteKey(payload)]
      {
        return known.filter(filter.admits)
      }
      let isNarrow = filter.payload != nil || filter.tagUID != nil
      return try registry.codes(filter.conditions, comeInPieces: !isNarrow)
    }
  }

  /// Returns the issued codes that match a filter and sort after a given one, oldest first.
  ///
  /// - Parameter count: The largest number of codes returned.
  fileprivate borrowing func codes(
    _ filter: CodeFilter, after last: CodeID?, atMost count: Int
  ) throws(RegistryError) -> [IssuedCode] {
    var conditions = filter.conditions
    conditions.require("code.id > ?", last?.description)
    return try rows(
      codesSQL(conditions.clause) + " LIMIT \(count)", conditions.arguments,
      IssuedCode.init(latestPrint:))
  }

  /// Returns the issued codes with the given names, in no particular order; unknown names are
  /// omitted.
  package borrowing func codes(named ids: [CodeID]) throws(RegistryError) -> [IssuedCode] {
    try read { registry throws(RegistryError) in
      var found: [IssuedCode] = []
      try registry.session.forEachRow(
        registry.codesSQL("WHERE code.id = ?"), ofEach: ids.map { [$0.description] }
      ) { _, row throws(RegistryError) in found.append(try IssuedCode(latestPrint: row)) }
      return found
    }
  }

  private borrowing func codes(
    _ conditions: SQLConditions, comeInPieces: Bool = false
  ) throws(RegistryError) -> [IssuedCode] {
    try rows(
      codesSQL(conditions.clause), conditions.arguments, comeInPieces: comeInPieces,
      IssuedCode.init(latestPrint:))
  }

  /// Returns the query for codes. A row of `code` holds the facts of the first issue, with which
  /// the code's chain begins; `code_print` holds the differing facts of the last print.
  fileprivate borrowing func codesSQL(_ clause: String) -> String {
    """
    SELECT code.*, print.details AS last_print FROM code
    LEFT JOIN code_print AS print ON print.code = code.id
    \(clause) ORDER BY id
    """
  }

  /// Returns the outlines of a badge of App Clip Codes, by their digest.
  package borrowing func appClipCodeBadge(digest: String) throws(RegistryError) -> String? {
    try rows(
      "SELECT outlines FROM app_clip_code_badge WHERE digest = ?", [digest],
      { row -> String in try row["outlines"] }
    ).first
  }

  /// Returns the name that sorts last: that of the code issued last, unless a clock was wrong.
  package borrowing func lastCodeID() throws(RegistryError) -> CodeID? {
    try read { registry throws(RegistryError) in
      if let last = registry.known.lastCode { return last }
      let last = try registry.rows(
        "SELECT id FROM code ORDER BY id DESC LIMIT 1", [], { try $0.codeID("id") }
      ).first
      registry.known.lastCode = .some(last)
      return last
    }
  }

  /// Returns the events of a code, in order; empty for an unknown code.
  public borrowing func history(of id: CodeID) throws(RegistryError) -> [CodeEvent] {
    CodeHistory.events(try entries(of: id))
  }

  /// Returns the entries of the histories of consecutive codes, each with its place in its history.
  package borrowing func recordedHistories(
    of codes: [IssuedCode]
  ) throws(RegistryError) -> [CodeID: [(entry: RecordEntry, sequence: Int)]] {
    guard let first = codes.first, let last = codes.last else { return [:] }
    return Dictionary(grouping: try entries(from: first.id, through: last.id)) { $0.code }
      .reduce(into: [:]) { histories, group in
        if let code = group.key { histories[code] = group.value.withPlaces }
      }
  }

  /// Stores codes and begins the history of each with the event `issued`.
  ///
  /// - Throws: As ``issue(_:by:details:)-(IssuedCode,_,_)`` does; none is stored then.
  public borrowing func issue(
    _ codes: [IssuedCode], by who: String, details: [String: String] = [:]
  ) throws(RegistryError) {
    try write { registry in
      try registry.lookAhead(codes.map(\.id))
      for code in codes { try registry.issue(code, by: who, details: details) }
    }
  }

  /// Stores a code and begins its history with the event `issued`, at the code's time.
  ///
  /// - Throws: `RegistryError.Code.alreadyExists`; `RegistryError.Code.invalid` for a payload with
  ///   U+0000; `RegistryError.Code.unknownPlace` when the code names a place that is not in the
  ///   registry.
  public borrowing func issue(
    _ code: IssuedCode, by who: String, details: [String: String] = [:]
  ) throws(RegistryError) {
    try write { registry in
      guard try registry.firstPrint(of: code.id) == nil else {
        throw RegistryError.exists("code", code.id.description)
      }
      guard !code.payload.utf8.contains(0) else {
        throw RegistryError(
          .invalid, "“\(code.payload.shortened)” contains U+0000, which no URL has.",
          hint: "Remove that character.")
      }
      if let id = code.placeID, try !registry.hasPlace(id) {
        throw RegistryError(
          .unknownPlace,
          "The code \(code.id) refers to the place “\(id)”, which is not in the registry.",
          hint: Hint(
            [
              try registry.places().map(\.id).question(about: id),
              "Add that place first, or correct its id.",
            ].sentences))
      }
      try registry.insert(code)
      try registry.tell(
        CodeEvent(
          code: code.id, sequence: 1, time: code.created, kind: .issued, who: who,
          details: details), issuing: code)
    }
  }

  /// Records another print of a code in use, with the event `issued`. From now on the code's file,
  /// tag type and symbol are those of this print; earlier ones stay in its history.
  ///
  /// - Parameters:
  ///   - code: The code as printed now, under its present name.
  ///   - time: The time of the print.
  ///   - who: The person or program that made it.
  ///   - details: Further facts of the event.
  /// - Returns: The event with its sequence number.
  /// - Throws: `RegistryError.Code.notFound` when no such code was issued.
  @discardableResult
  public borrowing func reissue(
    _ code: IssuedCode, at time: Date, by who: String, details: [String: String] = [:]
  ) throws(RegistryError) -> CodeEvent {
    try write { registry in
      guard let first = try registry.firstPrint(of: code.id) else {
        throw RegistryError.missing("code", code.id.description)
      }
      return try registry.tell(
        CodeEvent(
          code: code.id, sequence: 0, time: time, kind: .issued, who: who,
          details: code.printDetails(after: first).merging(details) { print, _ in print }))
    }
  }

  /// Adds an event to a code's history.
  ///
  /// - Returns: The event with its sequence number.
  /// - Throws: `RegistryError.Code.notFound` when no such code was issued.
  @discardableResult
  public borrowing func record(
    _ kind: CodeEvent.Kind, of id: CodeID, at time: Date, by who: String,
    details: [String: String] = [:]
  ) throws(RegistryError) -> CodeEvent {
    try write { registry in
      guard try registry.firstPrint(of: id) != nil else {
        throw RegistryError.missing("code", id.description)
      }
      return try registry.tell(
        CodeEvent(code: id, sequence: 0, time: time, kind: kind, who: who, details: details))
    }
  }

  /// Withdraws a code and records the event `retired`. This cannot be undone. For a code that
  /// another program marked as retired, it adds the missing event.
  ///
  /// - Throws: `RegistryError.Code.notFound`, `RegistryError.Code.alreadyRetired`.
  @discardableResult
  public borrowing func retire(
    _ id: CodeID, at time: Date, by who: String, details: [String: String] = [:]
  ) throws(RegistryError) -> CodeEvent {
    try write { registry in
      guard let code = try registry.firstPrint(of: id) else {
        throw RegistryError.missing("code", id.description)
      }
      if code.status == .issued {
        try registry.markRetired(id)
      } else if try registry.entries(of: id).contains(where: { $0.kind == .retired }) {
        throw RegistryError.alreadyRetired(id)
      }
      return try registry.record(.retired, of: id, at: time, by: who, details: details)
    }
  }
}

extension RegistryError {
  /// Returns the error for a tail that several codes have.
  fileprivate static func ambiguous(
    _ names: String, _ codes: [IssuedCode], _ what: String
  ) -> RegistryError {
    let list = codes.map { code in
      "\(code.id) (\(code.payload.printable)\(code.status == .retired ? ", retired" : ""))"
    }
    return RegistryError(
      .ambiguousName,
      "\(names) of \(codes.count == 10 ? "10 codes or more" : "\(codes.count) codes") \(what): "
        + list.joined(separator: ", ") + ".", hint: "Give the whole name.")
  }

  /// Returns the error for a code that was retired before.
  package static func alreadyRetired(_ id: CodeID) -> RegistryError {
    RegistryError(
      .alreadyRetired, "The code \(id) is already retired.",
      hint: "See its history for the time.")
  }
}

extension RegistryStore {
  /// Passes the issued codes that match a filter, oldest first, in pieces, because there may be
  /// millions. Each piece is looked up after the one before was processed, so that the consumer may
  /// pause; codes issued meanwhile come last.
  ///
  /// - Parameter size: The number of codes in a piece; the last may be smaller, none is empty.
  package func forEachPiece(
    of filter: CodeFilter = CodeFilter(), size: Int = 5000, _ body: ([IssuedCode]) throws -> Void
  ) throws {
    var last: CodeID?
    while true {
      let codes = try read { [last] registry throws(RegistryError) in
        try registry.codes(filter, after: last, atMost: size)
      }
      guard let end = codes.last else { return }
      try body(codes)
      guard codes.count == size else { return }
      last = end.id
    }
  }
}

extension RegistryTransaction {
  /// Returns a code as it was first issued, as its chain records it.
  borrowing func firstPrint(of id: CodeID) throws(RegistryError) -> IssuedCode? {
    if let print = known.prints[id] { return print }
    // Names sort by time: no name sorts after the last.
    if let last = known.lastCode, (last?.description ?? "") < id.description { return nil }
    let print = try rows(Self.printSQL, [id.description], IssuedCode.init(row:)).first
    if known.prints.count >= Self.kept { known.prints = [:] }
    known.prints[id] = .some(print)
    return print
  }

  private static var printSQL: String { "SELECT * FROM code WHERE id = ?" }

  /// Looks up the codes with each of several payloads at once, for the queries that follow.
  package borrowing func lookAhead(payloads: [String]) throws(RegistryError) {
    let wanted = Array(Set(payloads.map { ByteKey($0) }).prefix(Self.kept))
    guard payloads.count > 1 else { return }
    var alike: [ByteKey: [IssuedCode]] = [:]
    for payload in wanted { alike[payload] = [] }
    try session.forEachRow(codesSQL("WHERE payload = ?"), ofEach: wanted.map { [$0.text] }) {
      index, row throws(RegistryError) in
      alike[wanted[index]]?.append(try IssuedCode(latestPrint: row))
    }
    known.alike = alike
    // A code that is printed again is looked up by its name next.
    try lookAhead(alike.values.flatMap { $0.map(\.id) })
  }

  /// Looks up the results of the following calls of ``firstPrint(of:)`` and ``tallies(of:)`` at
  /// once. For a remote registry, this is one round trip instead of two for each code.
  package borrowing func lookAhead(_ codes: [CodeID]) throws(RegistryError) {
    let present = try lookAhead(firstPrintsOf: codes)
    var tallies: [CodeID: [Int64: EntryTally]] = [:]
    try session.forEachRow(
      EntryTally.sql, ofEach: present.map { [$0.description] as [(any SQLValue)?] }
    ) { index, row throws(RegistryError) in
      tallies[present[index], default: [:]][try row["recorder"]] = try EntryTally(row)
    }
    known.tallies.merge(tallies) { _, new in new }
  }

  /// Looks up the results of the following calls of ``firstPrint(of:)`` at once.
  ///
  /// - Returns: The codes among them that were not known before and are in the registry.
  @discardableResult
  borrowing func lookAhead(firstPrintsOf codes: [CodeID]) throws(RegistryError) -> [CodeID] {
    let wanted = Array(Set(codes.filter { known.prints[$0] == nil }).prefix(Self.kept))
    guard wanted.count > 1 else { return [] }
    var prints: [CodeID: IssuedCode?] = [:]
    for id in wanted { prints[id] = .some(nil) }
    try session.forEachRow(
      Self.printSQL, ofEach: wanted.map { [$0.description] as [(any SQLValue)?] }
    ) { index, row throws(RegistryError) in
      let print = try IssuedCode(row: row)
      prints[wanted[index]] = .some(print)
    }
    if known.prints.count + prints.count > Self.kept { known.prints = [:] }
    known.prints.merge(prints) { _, new in new }
    return wanted.filter { prints[$0] != .some(nil) }
  }

  /// Counts the entries of a code by the number of their recorder.
  fileprivate borrowing func tallies(of id: CodeID) throws(RegistryError) -> [Int64: EntryTally] {
    if let tallies = known.tallies[id] { return tallies }
    let tallies = try rows(EntryTally.sql, [id.description]) { row -> (Int64, EntryTally) in
      (try row["recorder"], try EntryTally(row))
    }
    if known.tallies.count >= Self.kept { known.tallies = [:] }
    let found = Dictionary(uniqueKeysWithValues: tallies)
    known.tallies[id] = found
    return found
  }

  /// Returns whether a place is in the registry.
  borrowing func hasPlace(_ id: String) throws(RegistryError) -> Bool {
    if known.places.contains(ByteKey(id)) { return true }
    guard try place(id: id) != nil else { return false }
    known.places.insert(ByteKey(id))
    return true
  }

  /// Inserts a code whose name is new.
  borrowing func insert(_ code: IssuedCode) throws(RegistryError) {
    try run(
      """
      INSERT INTO code (id, payload, carrier, place_id, created, registered, status, output, tag_uid,
        tag_type, symbol_version, symbol_error_correction, symbol_module_size, symbol_width,
        app_clip_code)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        code.id.description, code.payload, code.carrier.rawValue, code.placeID,
        code.created.millisecondsSince1970, code.registered, code.status.rawValue, code.output,
        code.tagUID, code.tagType, code.symbol?.version, code.symbol?.errorCorrection,
        code.symbol?.moduleSize, code.symbol?.width,
        code.appClipCode.map { FlatJSON.text($0.texts) },
      ])
    known.prints[code.id] = .some(code)
    known.alike[ByteKey(code.payload)]?.append(code)
    if let last = known.lastCode, (last?.description ?? "") < code.id.description {
      known.lastCode = .some(code.id)
    }
  }

  /// Stores the outlines of a badge of App Clip Codes, unless they are stored already.
  package borrowing func keepAppClipCodeBadge(
    _ outlines: String, digest: String
  ) throws(RegistryError) {
    try mustChange()
    try run(
      "INSERT INTO app_clip_code_badge (digest, outlines) VALUES (?, ?) ON CONFLICT DO NOTHING",
      [digest, outlines])
  }

  /// Marks a code as retired.
  borrowing func markRetired(_ id: CodeID) throws(RegistryError) {
    try run("UPDATE code SET status = 'retired' WHERE id = ?", [id.description])
    known.forgetPrints(of: id)
    known.prints[id] = nil
  }

  /// Adds an event to this registry's own chain.
  ///
  /// - Returns: The event with its place in the code's history.
  @discardableResult
  fileprivate borrowing func tell(
    _ told: CodeEvent, issuing code: IssuedCode? = nil
  ) throws(RegistryError) -> CodeEvent {
    let event = CodeEvent(
      code: told.code, sequence: told.sequence, time: told.time, kind: told.kind,
      who: session.name(of: told.who), details: told.details)
    let recorder = try ownRecorder()
    let entry = try RecordEntry(
      of: event, after: try head(of: recorder), by: recorder, issuing: code)
    // A new code has no entries yet.
    if code != nil {
      known.tallies[event.code] = [:]
    } else {
      _ = try tallies(of: event.code)
    }
    let first = known.prints[event.code] ?? nil
    let alike = first.flatMap { known.alike[ByteKey($0.payload)] }
    try append(entry)
    let tallies = try tallies(of: event.code)
    let count = tallies.values.reduce(0) { $0 + $1.count }
    let isLast = tallies.isLast(of: known.recorderKeys[recorder])
    if isLast, event.kind == .issued, code == nil, let first, let alike {
      known.keep(alike, withPrint: event.details, of: first)
    }
    let sequence =
      isLast ? count : try entries(of: event.code).withPlaces.first { $0.entry == entry }?.sequence
    return CodeEvent(
      code: event.code, sequence: sequence ?? count, time: event.time, kind: event.kind,
      who: event.who, details: event.details)
  }
}

/// The counted entries of a code by one recorder.
struct EntryTally {
  private(set) var count = 0
  /// The latest time of the entries, in milliseconds.
  private(set) var latest = Int64.min
  private(set) var adopted = 0

  fileprivate static let sql = """
    SELECT recorder, count(*) AS number, max(time) AS latest,
      count(CASE WHEN adopted THEN 1 END) AS adopted
    FROM code_entry WHERE code = ? GROUP BY recorder
    """

  init() {}

  fileprivate init(_ row: any RegistryRow) throws(RegistryError) {
    (count, latest, adopted) = (try row["number"], try row["latest"], try row["adopted"])
  }

  mutating func add(_ entry: RecordEntry) {
    count += 1
    latest = max(latest, entry.milliseconds)
    if entry.isAdopted { adopted += 1 }
  }
}

extension [Int64: EntryTally] {
  /// Returns whether the last entry of a recorder is the code's last event: no other recorder wrote
  /// about the code, or no entry was adopted and all entries of the others are older.
  fileprivate func isLast(of recorder: Int64?) -> Bool {
    guard count > 1 else { return true }
    guard let recorder, let own = self[recorder], values.allSatisfy({ $0.adopted == 0 }) else {
      return false
    }
    return allSatisfy { $0.key == recorder || $0.value.latest < own.latest }
  }
}

extension IssuedCode {
  /// Reads a code with the facts of its last print.
  init(latestPrint row: any RegistryRow) throws(RegistryError) {
    try self.init(row: row)
    if let print: String = row["last_print"] { take(FlatJSON.texts(print) ?? [:]) }
  }

  /// Reads a code with the facts of its first issue.
  init(row: any RegistryRow) throws(RegistryError) {
    var symbol: Symbol?
    if let version: Int = row["symbol_version"],
      let errorCorrection: String = row["symbol_error_correction"],
      let moduleSize: Double = row["symbol_module_size"], let width: Double = row["symbol_width"]
    {
      symbol = Symbol(
        version: version, errorCorrection: errorCorrection, moduleSize: moduleSize, width: width)
    }
    // A file older than App Clip Codes has no such column while it is migrated.
    let texts: String? = row["app_clip_code"]
    let appClipCode = texts.flatMap { FlatJSON.texts($0) }.flatMap { AppClipCodeFacts(texts: $0) }
    self.init(
      id: try row.codeID("id"), payload: try row["payload"],
      carrier: try row.name("carrier", "the carrier "), placeID: row["place_id"],
      created: try row.date("created"), registered: try row["registered"],
      status: try row.name("status", "the status "), output: row["output"],
      tagUID: row["tag_uid"], tagType: row["tag_type"], symbol: symbol,
      appClipCode: appClipCode)
  }
}

/// The details of a print in the history.
extension IssuedCode {
  private enum Detail {
    static let output = "output"
    static let module = "module"
    static let width = "width"
    static let version = "version"
    static let errorCorrection = "errorCorrection"
    static let tagType = "tagType"
    static let unit = " mm"
  }

  /// The details of this print in the history: its file and its size.
  package var printDetails: [String: String] {
    var details: [String: String] = [:]
    details[Detail.output] = output
    details[Detail.module] = symbol.map { "\($0.moduleSize)\(Detail.unit)" }
    details[Detail.width] = symbol.map { "\($0.width)\(Detail.unit)" }
    return details
  }

  /// Returns the details of this later print in the history, including the differences from the
  /// first.
  fileprivate func printDetails(after first: IssuedCode) -> [String: String] {
    var details = printDetails
    if tagType != first.tagType { details[Detail.tagType] = tagType }
    if let symbol, symbol.version != first.symbol?.version {
      details[Detail.version] = "\(symbol.version)"
    }
    if let symbol, symbol.errorCorrection != first.symbol?.errorCorrection {
      details[Detail.errorCorrection] = symbol.errorCorrection
    }
    if let appClipCode, appClipCode != first.appClipCode {
      details.merge(appClipCode.texts) { own, _ in own }
    }
    return details
  }

  /// Applies the facts of a later print; facts missing from its details stay as in the first.
  mutating func take(_ details: [String: String]) {
    func millimetres(_ name: String) -> Double? {
      details[name].flatMap {
        $0.hasSuffix(Detail.unit) ? Double($0.dropLast(Detail.unit.count)) : nil
      }
    }
    output = details[Detail.output] ?? output
    tagType = details[Detail.tagType] ?? tagType
    appClipCode = AppClipCodeFacts(texts: details) ?? appClipCode
    guard
      let version = details[Detail.version].flatMap({ Int($0) }) ?? symbol?.version,
      let errorCorrection = details[Detail.errorCorrection] ?? symbol?.errorCorrection,
      let moduleSize = millimetres(Detail.module) ?? symbol?.moduleSize,
      let width = millimetres(Detail.width) ?? symbol?.width
    else { return }
    symbol = Symbol(
      version: version, errorCorrection: errorCorrection, moduleSize: moduleSize, width: width)
  }
}

extension CodeFilter {
  /// The filter as SQL conditions.
  var conditions: SQLConditions {
    var conditions = SQLConditions()
    conditions.require("status = ?", status?.rawValue)
    conditions.require("carrier = ?", carrier?.rawValue)
    conditions.require("place_id = ?", placeID)
    conditions.require("payload = ?", payload)
    conditions.require("tag_uid = ?", tagUID?.uppercased())
    return conditions
  }
}
