import CliptagBasics
import SecureTags
import TagAuthenticity
public import Foundation
public import Invocation
public import Registry
public import TagTypes

/// A batch of many tags, one URL each, written one after another with a ledger that survives
/// crashes.
///
/// The ledger is in the registry. Before the first page of a tag is written, its UID is recorded as
/// the one of its row; when the tag was read back, the row and the code are recorded together.
/// Killed at any instant, a row is therefore pending (its tag is as it was), done, or waits for the
/// one tag that was begun for it, which is finished for that row when it is laid on a reader again;
/// so does a row whose tag must still be locked. No UID is on two rows, and no row on two tags.
///
/// Several processes may work on one batch: each claims the row that it asks its operator for.
public struct TagBatch: Sendable {
  /// Options of a run.
  public struct Options: Hashable, Sendable {
    /// Whether data on a tag that is not ours may be replaced.
    public var overwrites = false
    /// Whether a tag may be taken that carries another code, which is retired then, or that was
    /// given up before.
    public var reuses = false
    /// Whether rows are written although the check does not accept their URLs.
    public var unregistered = false
    /// Whether rows are refused that the check accepts and warns of.
    public var refusesWarnings = false
    /// The only product that is taken, in any case, for example `ntag215`; `nil` for any.
    public var type: String?
    /// Whether the originality signature is read and its verdict recorded: one exchange.
    public var readsSignature = true
    /// Whether only tags with a genuine signature are taken.
    public var requiresGenuine = false
    /// Whether each tag is locked for good once it was written and read back. A row that an
    /// earlier run left to be locked is finished without that unless this is set.
    public var locks = false
    /// The password of tags that have one; `nil` to take only tags without.
    public var password: TagPassword?
    /// Whether the password is tried on a tag that counts wrong ones (AUTHLIM).
    public var risksAttempts = false
    /// Whether the password is put in force, as a guard of every page from 4 on against writing, on
    /// each tag once it was written and read back. A tag that can have none is not taken. Not
    /// together with ``locks``.
    public var setsPassword = false
    /// Whether each tag is made ready with the keys of the batch and its URL with messages. Not
    /// together with ``setsPassword``.
    public var provisions = false
    /// The most rows that this run finishes; `nil` for all.
    public var limit: Int?
    /// The longest wait for one tag; `nil` for ever.
    public var timeout: Duration?

    /// Creates options: no irreversible steps, no limits.
    public init() {}

    /// Creates options from the registry's form.
    package init(recorded: [String: String]) {
      for (key, option) in Self.switches { self[keyPath: option] = recorded[key] == "yes" }
      type = recorded["type"]
    }

    /// The options that the registry keeps, so that a batch is continued as it was begun: the
    /// switches that are on, and the product. A password is never kept, and limits are those of one
    /// run.
    var recorded: [String: String] {
      var recorded: [String: String] = [:]
      for (key, option) in Self.switches where self[keyPath: option] { recorded[key] = "yes" }
      recorded["type"] = type
      return recorded
    }

    private static var switches: [(String, WritableKeyPath<Options, Bool>)] {
      [
        ("overwrite", \.overwrites), ("reuse", \.reuses), ("unregistered", \.unregistered),
        ("strict", \.refusesWarnings), ("readSignature", \.readsSignature),
        ("requireGenuine", \.requiresGenuine), ("lock", \.locks), ("setPassword", \.setsPassword),
        ("provision", \.provisions),
      ]
    }
  }

  /// The batch's name.
  public let name: String
  /// The registry with the ledger.
  package let registry: any RegistryStore
  /// The check of URLs before they are written.
  package let check: InvocationCheck
  /// The directory of the check, which keeps what it reads as long as the registry's state is the
  /// same.
  private let directory: RegistryDirectory
  /// This process, its reader and its operator.
  package let station: BatchStation
  /// The options of this run.
  package let options: Options
  /// The keys that tags are given, if they are made ready.
  let keys: SecureMessageKeys?
  let now: @Sendable () -> Date
  let clock: any Clock<Duration>

  /// Creates a batch; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - name: The batch's name in the registry.
  ///   - registry: The registry with the ledger, by which payloads are checked.
  ///   - engine: The comparison of link prefixes.
  ///   - station: The operator and the reader.
  ///   - options: Options of a run.
  ///   - keys: The keys that tags are given, for ``Options/provisions``.
  ///   - now: The clock of the ledger.
  ///   - clock: The clock for rates and waits.
  public init(
    named name: String, in registry: any RegistryStore, engine: PrefixEngine = .segment,
    station: BatchStation, options: Options = Options(), keys: SecureMessageKeys? = nil,
    now: @escaping @Sendable () -> Date = { Date() },
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.name = name
    self.registry = registry
    directory = RegistryDirectory(registry)
    check = InvocationCheck(directory: directory, engine: engine)
    self.station = station
    self.options = options
    self.keys = keys
    self.now = now
    self.clock = clock
  }

  /// The interval at which a waiting station renews its claims.
  static let renewalInterval = Duration.seconds(60)
  /// The interval at which a station without its own row checks whether others have finished.
  static let restInterval = Duration.seconds(5)

  /// A Boolean value that indicates whether a written tag needs further steps.
  var hasMoreToDo: Bool { options.locks || options.setsPassword }

  /// The state of a tag made ready for a row; `nil` if tags are not made ready.
  ///
  /// - Throws: ``IssuingError`` with code `provisioning-keys`.
  func provisioning(of order: BatchRow.Order) throws(IssuingError) -> TagProvisioning? {
    guard options.provisions else { return nil }
    guard let keys else {
      throw IssuingError(
        .provisioningKeys, "The batch \(name) makes tags ready, and no keys were given.",
        hint: "Give the file with the keys.")
    }
    do {
      return try keys.provisioning(of: order.url)
    } catch let error as IssuingError {
      throw error
    } catch {
      // The check refuses a malformed URL.
      return nil
    }
  }

  /// The ledger of codes, with this station's operator.
  var ledger: CodeLedger { CodeLedger(registry: registry, who: station.who, now: now) }
}

/// The ledger's steps, each one transaction.
extension TagBatch {
  /// Gives up this station's claims and claims the next row for which any tag will do.
  func claimNext() async throws(RegistryError) -> BatchRow? { try await claimNextCounting().row }

  /// Claims a row like ``claimNext()``, and counts the rows.
  func claimNextCounting() async throws(RegistryError) -> (row: BatchRow?, counts: BatchCounts) {
    let time = now()
    return try await registry.write { registry throws(RegistryError) in
      try registry.lookAhead { registry throws(RegistryError) in
        _ = try registry.batchCounts(name)
      }
      let row = try registry.claimNextRow(of: name, for: station, at: time)
      return (row, try registry.batchCounts(name))
    }
  }

  /// Discards what the check keeps of the registry, unless the state is unchanged.
  func refresh(at state: CatalogState) {
    directory.refresh(at: state)
  }

  func release() async throws(RegistryError) {
    try await registry.write { registry in
      try registry.releaseClaims(of: name, for: station)
    }
  }

  func renew() async throws(RegistryError) {
    let time = now()
    try await registry.write { registry in
      try registry.renewClaims(of: name, for: station, at: time)
    }
  }

  /// Returns the number of rows in each state, by all stations; all zero before the batch was
  /// begun.
  public func counts() throws(RegistryError) -> BatchCounts {
    try registry.read { registry in try registry.batchCounts(name) }
  }

  /// The rows in some states, in order.
  public func rows(in states: Set<BatchRow.State>) throws(RegistryError) -> [BatchRow] {
    try registry.read { registry in
      try registry.batchRows(BatchRowFilter(batch: name, states: states))
    }
  }

  /// The options that the batch was last begun or continued with, without password and limits;
  /// `nil` if none are on record.
  public func recordedOptions() throws(RegistryError) -> Options? {
    try registry.read { registry in try registry.batchOptions(name) }.map(Options.init(recorded:))
  }

  /// Whether the batch was begun.
  public func exists() throws(RegistryError) -> Bool {
    try registry.read { registry in try registry.batch(named: name) } != nil
  }

  /// The rows that only one tag can finish, and that no other running station works on: begun
  /// ones, and those that name their tag.
  func rowsForOneTag() throws(RegistryError) -> [BatchRow] {
    try registry.read { registry in
      let others = Set(
        try registry.batchClaims(name)
          .filter { $0.holder != station.holder && station.isAlive($0) }.map(\.row))
      let states: Set<BatchRow.State> = [.pending, .intended, .written]
      return try registry.batchRows(BatchRowFilter(batch: name, states: states))
        .filter { row in
          (row.state.isTorn || row.order.wantedUID != nil) && !others.contains(row.number)
        }
    }
  }
}

/// An objection to a row of a batch's file.
public struct BatchObjection: Sendable {
  /// The reason of an objection.
  public enum Reason: Sendable {
    /// The check does not accept the URL.
    case refused(Verification)
    /// The row names another place than its URL does, in a sentence.
    case wrongPlace(String)
    /// The URL has a placeholder that no tag can fill in, or is none that the keys make ready; in a
    /// sentence.
    case placeholder(String)
    /// The App Clip Code of the row is missing, not an App Clip Code, carries another URL, or has
    /// no room; in a sentence.
    case appClipCode(String)
  }

  /// The row's number, from 1.
  public let row: Int
  /// The line of the file, from 1.
  public let line: Int
  /// The column in the line, from 1.
  public let column: Int
  /// The reason of the objection.
  public let reason: Reason

  /// Whether the check accepts the row's URL and only its warnings speak against it.
  package var isForWarnings: Bool {
    guard case .refused(let verification) = reason else { return false }
    return IssueRefusal(verification: verification).isForWarnings
  }
}

extension TagBatch {
  /// Checks every row of a file, so that no batch is begun that cannot be finished.
  ///
  /// - Returns: The objections, in the order of the rows.
  /// - Throws: An error of the directory.
  public func objections(to file: BatchFile) throws -> [BatchObjection] {
    try review(of: file).objections
  }

  /// Checks every row of a file.
  ///
  /// - Returns: The objections, in the order of the rows, and the findings of each accepted row, by
  ///   the row's number.
  /// - Throws: An error of the directory.
  package func review(
    of file: BatchFile
  ) throws -> (objections: [BatchObjection], findings: [Int: [Finding]]) {
    let check = try check.inMemory(of: registry)
    var objections: [BatchObjection] = []
    var findings: [Int: [Finding]] = [:]
    for (index, order) in file.orders.enumerated() {
      let payload: String
      do {
        payload = try self.payload(of: order, filling: file.templates[index])
      } catch {
        let (line, column) = file.position(ofRow: index + 1)
        objections.append(
          BatchObjection(
            row: index + 1, line: line, column: column, reason: .placeholder(error.sentence)))
        continue
      }
      let found = try check.examine(payload: payload, carrier: .url, location: .notAsked)
      if !found.permits(
        unregistered: options.unregistered, refusingWarnings: options.refusesWarnings)
      {
        let (line, column) = file.position(ofRow: index + 1)
        objections.append(
          BatchObjection(row: index + 1, line: line, column: column, reason: .refused(found)))
      } else if let problem = order.placeProblem(found) {
        let (line, column) = file.position(ofPlaceInRow: index + 1)
        objections.append(
          BatchObjection(row: index + 1, line: line, column: column, reason: .wrongPlace(problem)))
      } else if !found.findings.isEmpty {
        findings[index + 1] = found.findings
      }
    }
    return (objections, findings)
  }

  /// The reason why no tag can carry a row's URL, in a sentence.
  private struct RowProblem: Error {
    let sentence: String
  }

  /// The URL of a row before its tag is known: its UID is zeros, unless it is named.
  private func payload(
    of order: BatchRow.Order, filling template: Result<MirrorTemplate?, MirrorTemplate.Problem>
  ) throws(RowProblem) -> String {
    do {
      if let wanted = try provisioning(of: order) { return wanted.places.url }
      let uid = order.wantedUID.flatMap { [UInt8](hexadecimal: $0.utf8) }
      return order.payload(uid: uid ?? [0, 0, 0, 0, 0, 0, 0], filling: try template.get())
    } catch let error as IssuingError {
      throw RowProblem(sentence: error.message)
    } catch {
      let problem = (error as? MirrorTemplate.Problem)?.message ?? ""
      throw RowProblem(sentence: "The URL has braces, and \(problem).")
    }
  }

  /// Begins the batch, or continues it, and records its options.
  ///
  /// - Returns: The number of new rows.
  /// - Throws: `RegistryError`, with code `batch-changed` when the batch was begun with
  ///   other rows; rows may be added at the end.
  public func begin(_ orders: [BatchRow.Order]) async throws(RegistryError) -> Int {
    let time = now()
    return try await registry.write { registry in
      let added = try registry.openBatch(name, orders, at: time, by: station.who)
      try registry.recordOptions(options.recorded, of: name, at: time, by: station.who)
      return added
    }
  }

  /// Records the options with which the recorded batch is continued.
  package func recordOptions() async throws(RegistryError) {
    let time = now()
    try await registry.write { registry in
      try registry.recordOptions(options.recorded, of: name, at: time, by: station.who)
    }
  }

  /// The numbers of the rows that ``begin(_:)`` would add.
  ///
  /// - Throws: The errors of ``begin(_:)``.
  package func newRows(_ orders: [BatchRow.Order]) throws(RegistryError) -> Range<Int> {
    try registry.read { registry in try registry.comparison(name, orders) }
  }

  /// Decisions of an operator about rows before a run.
  public struct Decisions: Sendable {
    /// Rows that need a tag again: done, begun or skipped ones. The tags they had are spoiled, and
    /// their codes retired; a row that is pending is left so.
    public var redo: [Int] = []
    /// Rows that need no tag.
    public var skip: [Int] = []
    /// A Boolean value that indicates whether tags are given up that were begun and that no station
    /// works on; their rows need others.
    public var givesUpTorn = false
    /// The reason, for the ledger; `nil` for a general reason.
    public var reason: String?

    /// Creates empty decisions.
    public init() {}
  }

  /// Records decisions about rows: all of them, or none.
  ///
  /// - Returns: The rows whose tags were given up for being half written.
  /// - Throws: `RegistryError` with code `not-found`, or `row-not-free` when a row to be
  ///   skipped is not pending or another station works on a row; nothing is changed then.
  @discardableResult
  public func record(_ decisions: Decisions) async throws(RegistryError) -> [BatchRow] {
    let time = now()
    let torn = decisions.givesUpTorn ? try rowsForOneTag().filter(\.state.isTorn) : []
    return try await registry.write { registry in
      var given: [BatchRow] = []
      for row in torn {
        let reason = decisions.reason ?? "abandoned: the tag did not return"
        given.append(try registry.spoil(row, at: time, by: station.who, reason: reason))
      }
      for number in decisions.redo {
        let row = try claimed(number, at: time, in: registry)
        guard row.state != .pending else { continue }
        let reason = decisions.reason ?? "to be redone"
        _ = try registry.redo(row, at: time, by: station.who, reason: reason)
      }
      for number in decisions.skip {
        let row = try claimed(number, at: time, in: registry)
        guard row.state != .skipped else { continue }
        let reason = decisions.reason ?? "skipped by the operator"
        _ = try registry.skip(row, at: time, by: station.who, reason: reason)
      }
      try registry.releaseClaims(of: name, for: station)
      return given
    }
  }

  /// Returns a row that this station may change now.
  private func claimed(
    _ number: Int, at time: Date, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> BatchRow {
    guard let row = try registry.batchRow(name, number) else {
      throw RegistryError(
        .notFound, "The batch \(name) has no row \(number).",
        hint: "Count rows from 1, without the header.")
    }
    guard try registry.claim(row, for: station, at: time) else {
      throw RegistryError(
        .rowNotFree, "Another station is working on row \(number) of the batch \(name).",
        hint: "Try again after it finishes the row.")
    }
    return row
  }
}

extension BatchRow.Order {
  /// The template of the URL, if the tag must fill it in.
  var template: MirrorTemplate? { (try? MirrorTemplate(url)) ?? nil }

  /// The URL as a tag with this UID shows it, with zeros for its counter.
  package func payload(uid: [UInt8]) -> String { payload(uid: uid, filling: template) }

  /// The URL as a tag with this UID shows it, filled into its template.
  func payload(uid: [UInt8], filling template: MirrorTemplate?) -> String {
    template?.filled(uid: uid) ?? url
  }
}

extension BatchRow.Order {
  /// Returns the problem with the place that the row names; `nil` if there is none. A payload that
  /// the check did not accept has no place to compare with.
  func placeProblem(_ found: Verification) -> String? {
    guard let placeID, found.verdict == .accepted else { return nil }
    guard let place = found.place else {
      return "The row has the place “\(placeID)”, but its URL has none."
    }
    guard place.id.utf8.elementsEqual(placeID.utf8) else {
      return "The row has the place “\(placeID)”, but its URL the place “\(place.id)”."
    }
    return nil
  }
}
