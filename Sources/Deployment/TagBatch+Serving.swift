import NDEF
public import Registry
public import TagTypes
import TagAuthenticity

extension TagBatch {
  /// What became of one tag that was laid on the reader.
  public enum Served: Sendable {
    /// The row is done: the tag was written for it, or was right already, and read back.
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
    /// The tag is bad, and the row is free for another. Nothing that it held is right.
    case spoiled(BatchRow, TagError)
    /// The tag belongs to no row, and no row was asked for. Nothing was written.
    case unasked(uid: String)
  }

  /// Does with one tag what the ledger says: finishes the row that it was begun for, verifies the
  /// row that it finished, or writes the row that was asked for.
  ///
  /// - Parameters:
  ///   - channel: An activated tag.
  ///   - asked: The row that the operator was asked for, claimed by this station; `nil` when the
  ///     tag is taken only for a row of its own.
  /// - Throws: What ends the run: ``DeploymentError`` with code `not-recorded`, `RegistryError`,
  ///   ``IssueRefusal``, `TagError` with code `reader-failed` or `cancelled`. Every row
  ///   can be gone on with.
  package func serve(_ channel: some TagChannel, asked: BatchRow?) async throws -> Served {
    let uid = channel.target.uid.hexadecimal
    guard !channel.target.hasRandomUID else {
      return .refused(uid: uid, asked, DeploymentError.randomUID(uid))
    }
    let own = try ownRow(of: uid)
    if let own, own.state == .done { return try await verify(own, on: channel) }
    guard let row = own ?? asked else { return .unasked(uid: uid) }
    do throws(DeploymentError) {
      try await claim(row, ifNot: asked)
      if own == nil || own?.state == .pending { try checkIsFree(uid, for: row) }
    } catch {
      guard error.code != .notRecorded else { throw error }
      return .refused(uid: uid, row, error)
    }
    let approval = try check.approve(row.order.url, unregistered: options.unregistered)
    let issuer = TagIssuer(ledger: ledger, check: check)
    let plan: WritePlan
    let signature: Originality?
    do {
      plan = try await issuer.plan(approval, on: channel, overwriting: options.overwrites)
      try checkType(plan.tag)
      // A tag that cannot be locked is not written either.
      if options.locks {
        _ = try await TagProtector.lockable(plan.tag).lockSteps(over: channel)
      }
      signature = try await originality(of: plan.tag, over: channel)
    } catch let error as TagError {
      return try unwritten(error, uid: uid, row)
    } catch let error as DeploymentError {
      return .refused(uid: uid, row, error)
    }
    return try await write(
      plan, approval, for: row, signature: signature, issuer: issuer, on: channel)
  }

  /// The row that a tag was begun or finished for, or that waits for this tag alone.
  private func ownRow(of uid: String) throws(RegistryError) -> BatchRow? {
    try registry.read { registry in
      if let row = try registry.batchRows(BatchRowFilter(batch: name, uid: uid)).first {
        return row
      }
      return try registry.batchRows(
        BatchRowFilter(batch: name, states: [.pending], wantedUID: uid)
      ).first
    }
  }

  /// Claims a row that the operator was not asked for.
  private func claim(
    _ row: BatchRow, ifNot asked: BatchRow?
  ) async throws(DeploymentError) {
    guard row.number != asked?.number else { return }
    let time = now()
    let isOurs: Bool
    do throws(RegistryError) {
      isOurs = try await registry.write { registry in
        try registry.claim(row, for: station, at: time)
      }
    } catch {
      throw DeploymentError(
        .notRecorded, error.message, hint: error.hint, underlying: error)
    }
    guard isOurs else {
      throw DeploymentError(
        .rowBusy, "Another station is working on row \(row.number), which this tag is for.",
        hint: "Lay the tag on that station's reader, or wait until it has ended.")
    }
  }

  /// Refuses a tag that carries another code, was given up, or belongs to another batch.
  private func checkIsFree(_ uid: String, for row: BatchRow) throws(DeploymentError) {
    guard !options.reuses else { return }
    let obstacle: String?
    do throws(RegistryError) {
      obstacle = try registry.read { registry in
        if let event = try registry.lastEvent(ofTag: uid, in: name), event.kind == .spoiled {
          return "was given up for row \(event.row)"
            + (event.details["reason"].map { " (\($0))" } ?? "")
        }
        let codes = try registry.codes(CodeFilter(status: .issued, carrier: .nfc, tagUID: uid))
        if let code = codes.last(where: { !$0.payload.utf8.elementsEqual(row.order.url.utf8) }) {
          return "is recorded with the code \(code.id), \(code.payload)"
        }
        let others = try registry.batchRows(
          BatchRowFilter(states: [.intended, .written], uid: uid))
        return others.first.map { "was begun for row \($0.number) of the batch \($0.batch)" }
      }
    } catch {
      throw DeploymentError(.notRecorded, error.message, hint: error.hint, underlying: error)
    }
    guard let obstacle else { return }
    throw DeploymentError(
      .tagInUse, "Tag \(uid) \(obstacle).",
      hint: "Use another tag; --reuse takes tags that carry another code and retires it.")
  }

  private func checkType(_ tag: Tag) throws(DeploymentError) {
    guard let type = options.type, type.lowercased() != tag.name.lowercased() else { return }
    throw DeploymentError(
      .wrongTagType, "Tag \(tag.uid.hexadecimal) is \(tag.name), not \(type.uppercased()).",
      hint: "Use another tag, or leave --type out.")
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

  /// What an error means before the tag was chosen.
  private func unwritten(_ error: TagError, uid: String, _ row: BatchRow) throws -> Served {
    switch error.code {
    case .tagLost, .tagChanged: .left(uid: uid, row, error)
    case .readerFailed, .cancelled: throw error
    default: .refused(uid: uid, row, error)
    }
  }
}

extension TagBatch {
  /// Looks whether the tag of a row that is done still holds its URL.
  private func verify(_ row: BatchRow, on channel: some TagChannel) async throws -> Served {
    let uid = channel.target.uid.hexadecimal
    let shown: String?
    do throws(TagError) {
      shown = try TagPayload(try await Tag.identify(over: channel)).uri
    } catch {
      return try unwritten(error, uid: uid, row)
    }
    if let shown, shown.utf8.elementsEqual(row.order.url.utf8) { return .alreadyDone(row) }
    return .refused(
      uid: uid, row,
      DeploymentError(
        .tagDiffers,
        "Tag \(uid) was written for row \(row.number), and now holds \(shown ?? "no URL").",
        hint: "Add --redo \(row.number) to give that row another tag."))
  }
}

extension DeploymentError {
  fileprivate static func randomUID(_ uid: String) -> DeploymentError {
    DeploymentError(
      .randomUID, "The tag's UID \(uid) is random, so the ledger could not know the tag again.",
      hint: "Use another tag, or write this one with tag write.")
  }
}
