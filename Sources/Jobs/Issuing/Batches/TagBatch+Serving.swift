import CliptagBasics
import Invocation
import NDEF
public import Registry
import Synchronization
import SecureTags
import TagAuthenticity
public import TagTypes
import Verifying

extension TagBatch {
  /// The result for one tag that was laid on the reader.
  public enum Served: Sendable {
    /// The row is done: the tag was written for it, or was correct already, and read back.
    case finished(BatchRow, WriteReport)
    /// The tag belongs to a row that is done, and still holds its URL. Nothing was written.
    case alreadyDone(BatchRow)
    /// The tag is not taken, for this reason. Nothing was written, and the row stays as it was;
    /// `nil` when no row was asked for.
    case refused(uid: String, BatchRow?, any Error)
    /// The tag left before anything was written to it. The row is free.
    case left(uid: String, BatchRow?, TagError)
    /// The tag left, or changed, while it was written. The row waits for it.
    case torn(BatchRow, TagError)
    /// The tag is bad, and the row is free for another. Its content is not usable.
    case spoiled(BatchRow, TagError)
    /// The tag belongs to no row, and no row was asked for. Nothing was written.
    case unasked(uid: String)
  }

  /// Serves one tag as the ledger requires: finishes the row for which it was begun, verifies the
  /// row that it finished, or writes the row that was asked for.
  ///
  /// - Parameters:
  ///   - channel: An activated tag.
  ///   - asked: The row that the operator was asked for, claimed by this station; `nil` when the
  ///     tag is taken only for a row to which it already belongs.
  ///   - writing: Called once before the tag is changed, with the row that it is for.
  ///   - counting: Called with the number of rows in each state, if it was read on the way.
  /// - Throws: The errors that end the run: ``IssuingError`` with code `not-recorded`,
  ///   `RegistryError`, ``IssueRefusal``, `TagError` with code `reader-failed` or `cancelled`.
  ///   Every row can be continued.
  package func serve<Base: TagChannel>(
    _ base: Base, asked: BatchRow?, writing: (BatchRow) -> Void = { _ in },
    counting: (BatchCounts) -> Void = { _ in }
  ) async throws -> Served {
    let uid = base.target.uid.hexadecimal
    guard !base.target.hasRandomUID else {
      return .refused(uid: uid, asked, IssuingError.randomUID(uid))
    }
    let known = try look(at: uid)
    let own = known.own
    if let own, own.state == .done { return try await verify(own, on: base) }
    guard let row = own ?? asked else { return .unasked(uid: uid) }
    let wanted: TagProvisioning?
    let payload: String
    let template = row.order.template
    do throws(IssuingError) {
      wanted = try provisioning(of: row.order)
      payload = wanted?.places.url ?? row.order.payload(uid: base.target.uid, filling: template)
      try await claim(row, ifNot: asked)
      if own == nil || own?.state == .pending { try known.checkIsFree(for: payload, options) }
    } catch {
      guard error.code != .notRecorded else { throw error }
      return .refused(uid: uid, row, error)
    }
    let approval = try check.approve(
      payload, unregistered: options.unregistered, refusingWarnings: options.refusesWarnings)
    let issuer = TagIssuer(ledger: ledger, check: check)
    let channel: AuthenticatedChannel<Base>
    let plan: RowPlan
    let signature: Originality?
    do {
      channel = try await open(base)
      if let wanted {
        plan = .provision(
          try await issuer.planProvisioning(
            approval, wanted, on: channel, overwriting: options.overwrites))
      } else {
        plan = .write(
          try await issuer.plan(
            approval, filling: template, on: channel, overwriting: options.overwrites))
      }
      try checkType(plan.tag)
      // A tag that cannot be locked is not written either.
      if options.locks, let ready = plan.ready {
        _ = try await ready.secureLockSteps(over: channel)
      } else if options.locks {
        let steps = try await plan.tag.lockSteps(over: channel).steps
        try await plan.tag.checkLockBytes(of: steps, over: channel)
      }
      // Nor is one that takes no password.
      if options.setsPassword { _ = try await planPassword(over: channel) }
      signature = try await originality(of: plan.tag, over: channel)
    } catch let error as TagError {
      return try unwritten(error, uid: uid, row)
    } catch let error as IssuingError {
      return .refused(uid: uid, row, error)
    }
    return try await write(
      plan, approval, for: row, signature: signature, issuer: issuer, on: channel, writing, counting
    )
  }

  /// Opens the tag with the known password, if it has one.
  private func open<Base: TagChannel>(
    _ base: Base
  ) async throws(TagError) -> AuthenticatedChannel<Base> {
    guard let password = options.password else {
      return AuthenticatedChannel(withoutPassword: base)
    }
    return try await AuthenticatedChannel.open(
      base, with: password, riskingAttempts: options.risksAttempts)
  }

  /// Plans to put the password in force.
  private func planPassword<Base: TagChannel>(
    over channel: AuthenticatedChannel<Base>
  ) async throws -> PasswordPlan {
    guard let password = options.password else {
      throw TagError(
        .tagPassword, "the request has no password to set", hint: "name one",
        uid: channel.target.uid)
    }
    let tag = try await Tag.identify(over: channel, includingConfiguration: true)
    return try await tag.planPassword(password, tag.usualPasswordRule, over: channel)
  }

  /// Looks up the record of a tag, and refreshes what the check keeps of the registry to the same
  /// state.
  private func look(at uid: String) throws(RegistryError) -> KnownTag {
    let carried = CodeFilter(status: .issued, carrier: .nfc, tagUID: uid)
    func find(
      in registry: borrowing RegistryTransaction
    ) throws(RegistryError) -> (KnownTag, CatalogState) {
      let written = try registry.batchRows(BatchRowFilter(batch: name, uid: uid)).first
      let awaiting = try registry.batchRows(
        BatchRowFilter(batch: name, states: [.pending], wantedUID: uid)
      ).first
      let known = KnownTag(
        uid: uid, own: written ?? awaiting,
        last: try registry.lastEvent(ofTag: uid, in: name), codes: try registry.codes(carried),
        begun: try registry.batchRows(BatchRowFilter(states: [.intended, .written], uid: uid)))
      return (known, try registry.catalogState())
    }
    let (known, state) = try registry.read { registry throws(RegistryError) in
      try registry.lookAhead { registry throws(RegistryError) in _ = try find(in: registry) }
      return try find(in: registry)
    }
    refresh(at: state)
    return known
  }

  /// Claims a row other than the one that the operator was asked for.
  private func claim(
    _ row: BatchRow, ifNot asked: BatchRow?
  ) async throws(IssuingError) {
    guard row.number != asked?.number else { return }
    let time = now()
    let isOurs: Bool
    do throws(RegistryError) {
      isOurs = try await registry.write { registry in
        try registry.claim(row, for: station, at: time)
      }
    } catch {
      throw IssuingError(
        .notRecorded, error.message, hint: error.advice, underlying: error)
    }
    guard isOurs else {
      throw IssuingError(
        .rowBusy, "Another station is working on row \(row.number), which uses this tag.",
        hint: "Put the tag on that station's reader, or wait until it finishes.")
    }
  }

  private func checkType(_ tag: Tag) throws(IssuingError) {
    guard let type = options.type, type.lowercased() != tag.name.lowercased() else { return }
    throw IssuingError(
      .wrongTagType, "Tag \(tag.uid.hexadecimal) is \(tag.name), not \(type.uppercased()).",
      hint: "Use another tag, or \(.askForNoProduct).")
  }

  /// Reads and judges the signature as far as that was asked for.
  private func originality(
    of tag: Tag, over channel: some TagChannel
  ) async throws -> Originality? {
    guard options.readsSignature || options.requiresGenuine else { return nil }
    let verdict = try await tag.originality(over: channel)
    if options.requiresGenuine { try tag.requireGenuine(verdict) }
    return verdict
  }

  /// Returns the result of an error before the tag was chosen.
  private func unwritten(_ error: TagError, uid: String, _ row: BatchRow) throws -> Served {
    switch error.code {
    case .tagLost, .tagChanged: .left(uid: uid, row, error)
    case .readerFailed, .cancelled: throw error
    default: .refused(uid: uid, row, error)
    }
  }
}

/// The plan of what is done to a row's tag before it is locked or gets its password.
enum RowPlan {
  case write(WritePlan)
  case provision(ProvisionPlan)

  var tag: Tag {
    switch self {
    case .write(let plan): plan.tag
    case .provision(let plan): .type4(plan.tag)
    }
  }

  /// The tag that is made ready; `nil` for another plan.
  var ready: Type4Tag? { if case .provision(let plan) = self { plan.tag } else { nil } }
}

/// The record of a tag before it is written.
private struct KnownTag: Sendable {
  let uid: String
  /// The row for which it was begun or finished, or that waits for this tag alone.
  let own: BatchRow?
  /// The last thing that happened to it in the batch.
  let last: BatchEvent?
  /// The codes in use that it carries.
  let codes: [IssuedCode]
  /// The rows of any batch for which it was begun.
  let begun: [BatchRow]

  /// Refuses a tag that carries another code, was given up, or belongs to another batch.
  func checkIsFree(
    for payload: String, _ options: TagBatch.Options
  ) throws(IssuingError) {
    guard !options.reuses, let obstacle = obstacle(to: payload) else { return }
    throw IssuingError(
      .tagInUse, "Tag \(uid) \(obstacle).",
      hint: "Use another tag; \(.allowReuse) accepts tags with another code and retires that code.")
  }

  private func obstacle(to payload: String) -> String? {
    if let last, last.kind == .spoiled {
      return "was abandoned for row \(last.row)"
        + (last.details["reason"].map { " (\($0))" } ?? "")
    }
    if let code = codes.last(where: { !$0.payload.utf8.elementsEqual(payload.utf8) }) {
      return "is recorded with the code \(code.id), \(code.payload)"
    }
    return begun.first.map { "was started for row \($0.number) of the batch \($0.batch)" }
  }
}

extension TagBatch {
  /// Checks whether the tag of a row that is done still holds its URL.
  private func verify(_ row: BatchRow, on channel: some TagChannel) async throws -> Served {
    let uid = channel.target.uid.hexadecimal
    let shown: String?
    let recorded: String?
    let isRefused: Bool
    let template = row.order.template
    let wanted = try provisioning(of: row.order)
    do throws(TagError) {
      // A counter moves with every reading; on record it is zeros.
      let isCounting = wanted != nil || template?.kind.showsCounter == true
      let tag = try await Tag.identify(over: channel, includingConfiguration: isCounting)
      let payload = try TagPayload(tag)
      shown = payload.uri
      isRefused = payload.findings.contains { $0.severity == .error }
      recorded =
        wanted == nil
        ? isCounting ? payload.recordedURI : shown
        : try tag.type4.map { type4 throws(TagError) in
          try TagPayload(.type4(type4.withoutMirror)).uri
        } ?? shown
    } catch {
      return try unwritten(error, uid: uid, row)
    }
    let expected =
      wanted?.places.url ?? row.order.payload(uid: channel.target.uid, filling: template)
    if let recorded, !isRefused, recorded.utf8.elementsEqual(expected.utf8) {
      return .alreadyDone(row)
    }
    return .refused(
      uid: uid, row,
      IssuingError(
        .tagDiffers,
        "Tag \(uid) was written for row \(row.number), and now contains \(shown ?? "no URL")"
          + (isRefused && shown != nil ? ", in a way that phones refuse." : "."),
        hint: .sentence("\(.redoRow(row.number)) to give that row another tag")))
  }
}

extension IssuingError {
  fileprivate static func randomUID(_ uid: String) -> IssuingError {
    IssuingError(
      .randomUID, "The tag's UID \(uid) is random, so the ledger could not recognise the tag.",
      hint: "Use another tag, or write this one with tag write.")
  }
}

extension TagBatch {
  /// Writes a row's tag, locks it if that is wanted, and keeps the ledger.
  func write<Base: TagChannel>(
    _ plan: RowPlan, _ approval: Approval, for asked: BatchRow, signature: Originality?,
    issuer: TagIssuer, on channel: AuthenticatedChannel<Base>, _ writing: (BatchRow) -> Void,
    _ counting: (BatchCounts) -> Void
  ) async throws -> Served {
    let row = try await intend(asked, for: plan.tag, signature: signature)
    writing(row)
    let outcome: TagIssuer.Outcome
    let result = Mutex(Recorded?.none)
    let tag = plan.tag
    let ahead: @Sendable (borrowing RegistryTransaction) throws(RegistryError) -> Void = {
      registry throws(RegistryError) in
      try registry.lookUpStep(of: row)
      _ = try registry.batchCounts(name)
      _ = try registry.catalogState()
    }
    let alongside:
      @Sendable (borrowing RegistryTransaction, WriteReport, CodeID) throws(RegistryError) -> Void =
        {
          registry, report, code throws(RegistryError) in
          let recorded = try record(row, tag, report, code, signature, in: registry)
          result.withLock { $0 = recorded }
        }
    do {
      switch plan {
      case .write(let plan):
        outcome = try await issuer.execute(
          plan, for: approval, on: channel, reader: station.reader, lookingAhead: ahead,
          alongside: alongside)
      case .provision(let plan):
        let done = try await issuer.executeProvisioning(
          plan, for: approval, on: channel, reader: station.reader, lookingAhead: ahead,
          alongside: alongside)
        outcome = TagIssuer.Outcome(report: done.report.asWritten, code: done.code)
      }
    } catch let error as TagError {
      return try await failed(row, wasBegun: asked.state != .pending, plan.tag, error)
    }
    guard let recorded = result.withLock(\.self) else {
      preconditionFailure("the written tag was recorded")
    }
    let written = recorded.row
    guard hasMoreToDo else {
      counting(recorded.counts)
      return .finished(written, outcome.report)
    }
    // Irreversible steps are checked against the current registry.
    refresh(at: recorded.state)
    if options.locks { return try await lock(written, outcome, approval, on: channel) }
    return try await setPassword(written, outcome, on: channel)
  }

  /// A row whose tag was written, and what was seen in the same transaction.
  private struct Recorded {
    let row: BatchRow
    let counts: BatchCounts
    let state: CatalogState
  }

  /// Chooses the tag for the row, unless an earlier run did: on record before the first page.
  private func intend(
    _ row: BatchRow, for tag: Tag, signature: Originality?
  ) async throws(RegistryError) -> BatchRow {
    guard row.state == .pending else { return row }
    let time = now()
    let facts = BatchRow.Tag(
      uid: tag.uid.hexadecimal, type: tag.name, signature: signature?.name, reader: station.reader)
    return try await registry.write { registry in
      try registry.intend(row, facts, at: time, for: station)
    }
  }

  private func record(
    _ row: BatchRow, _ tag: Tag, _ report: WriteReport, _ code: CodeID, _ signature: Originality?,
    in registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> Recorded {
    var hash: String?
    if let bytes = report.tag.messageWithoutCounter {
      hash = (try? SHA256.digest(of: bytes))?.hexadecimal
    }
    // A lock that was begun and is not complete does not count as a lock.
    let isLocked = tag.isLockedWhole
    let facts = BatchRow.Tag(
      uid: report.tag.uid.hexadecimal, type: report.tag.name, hash: hash,
      signature: signature?.name ?? row.tag?.signature, isLocked: isLocked,
      reader: station.reader, code: code)
    let state = try registry.catalogState()
    var counts = try registry.batchCounts(name)
    let written = try registry.recordWritten(
      row, facts, isComplete: !hasMoreToDo, at: now(), by: station.who)
    counts.move(row.state, to: written.state)
    return Recorded(row: written, counts: counts, state: state)
  }

  /// Locks a tag that was just read back, or was locked in part by an earlier run.
  private func lock(
    _ row: BatchRow, _ outcome: TagIssuer.Outcome, _ approval: Approval,
    on channel: some TagChannel
  ) async throws -> Served {
    let protector = TagProtector(ledger: ledger, check: check)
    do {
      let job = try await protector.planLock(
        on: channel, source: station.reader, unregistered: options.unregistered,
        expecting: approval.verification.payload, keys: keys)
      _ = try await protector.execute(
        job, on: channel, reader: station.reader, code: outcome.code)
    } catch let refusal as LockRefusal {
      // Either the registry has changed, which is nothing against the tag,
      _ = try check.approve(
        approval.verification.payload, unregistered: options.unregistered,
        refusingWarnings: options.refusesWarnings)
      // or not every phone reads what is on it.
      let findings = refusal.code.carrierFindings.map(\.message).joined(separator: " ")
      return try await failed(
        row, wasBegun: true, outcome.report.tag,
        TagError(
          .verifyFailed,
          "\(outcome.report.tag.name) \(outcome.report.tag.uid.hexadecimal) must not be locked: "
            + findings,
          hint: "use another tag", uid: outcome.report.tag.uid))
    } catch let error as TagError {
      return try await failed(row, wasBegun: true, outcome.report.tag, error)
    }
    let time = now()
    let done = try await registry.write { registry in
      try registry.recordLocked(row, at: time, by: station.who)
    }
    return .finished(done, outcome.report)
  }

  /// Puts the password in force on a tag that was just read back, or on which an earlier run began
  /// to.
  private func setPassword<Base: TagChannel>(
    _ row: BatchRow, _ outcome: TagIssuer.Outcome, on channel: AuthenticatedChannel<Base>
  ) async throws -> Served {
    do {
      let plan = try await planPassword(over: channel)
      _ = try await TagProtector(ledger: ledger, check: check).execute(
        plan, .passwordSet, on: channel, reader: station.reader)
    } catch let error as TagError {
      return try await failed(row, wasBegun: true, outcome.report.tag, error)
    }
    let time = now()
    let done = try await registry.write { registry in
      try registry.recordGuarded(row, at: time, by: station.who)
    }
    return .finished(done, outcome.report)
  }

  /// Returns the result of an error after the tag was chosen.
  private func failed(
    _ row: BatchRow, wasBegun: Bool, _ tag: Tag, _ error: TagError
  ) async throws -> Served {
    let time = now()
    switch error.code {
    case .tornWrite, .tagChanged: return .torn(row, error)
    case .readerFailed, .cancelled: throw error
    case .tagLost:
      // Nothing was written. Unless an earlier run began, the row need not wait for this tag.
      guard !wasBegun else { return .torn(row, error) }
      let free = try await registry.write { registry in
        try registry.release(row, at: time, by: station.who, reason: "the tag was removed")
      }
      return .left(uid: tag.uid.hexadecimal, free, error)
    default:
      let free = try await registry.write { registry in
        try registry.spoil(row, at: time, by: station.who, reason: error.message)
      }
      return .spoiled(free, error)
    }
  }
}
