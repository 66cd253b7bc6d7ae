import Invocation
import Registry
import TagAuthenticity
import TagTypes

extension TagBatch {
  /// Writes a row's tag, locks it if that is wanted, and keeps the ledger.
  func write(
    _ plan: WritePlan, _ approval: Approval, for asked: BatchRow, signature: Originality?,
    issuer: TagIssuer, on channel: some TagChannel
  ) async throws -> Served {
    let row = try await intend(asked, for: plan.tag, signature: signature)
    let outcome: TagIssuer.Outcome
    do {
      outcome = try await issuer.execute(
        plan, for: approval, on: channel, reader: station.reader,
        alongside: { registry, report, code throws(RegistryError) in
          try record(row, plan.tag, report, code, signature, in: registry)
        })
    } catch let error as TagError {
      return try await failed(row, wasBegun: asked.state != .pending, plan.tag, error)
    }
    let written = try await registry.read { registry in
      try registry.batchRow(name, row.number)
    }
    guard options.locks else { return .finished(written ?? row, outcome.report) }
    return try await lock(written ?? row, outcome, on: channel)
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
  ) throws(RegistryError) {
    var hash: String?
    if case .message(let bytes) = report.tag.content {
      hash = (try? SHA256.digest(of: bytes))?.hexadecimal
    }
    // A lock that was begun and is not complete is none.
    let isLocked = tag.type2.map { $0.lockState == .permanent } ?? tag.isLocked
    let facts = BatchRow.Tag(
      uid: report.tag.uid.hexadecimal, type: report.tag.name, hash: hash,
      signature: signature?.name ?? row.tag?.signature, isLocked: isLocked,
      reader: station.reader, code: code)
    _ = try registry.recordWritten(
      row, facts, isComplete: !options.locks, at: now(), by: station.who)
  }

  /// Locks in what was just read back, or was locked in part by an earlier run.
  private func lock(
    _ row: BatchRow, _ outcome: TagIssuer.Outcome, on channel: some TagChannel
  ) async throws -> Served {
    let protector = TagProtector(ledger: ledger, check: check)
    do {
      let job = try await protector.planLock(
        on: channel, source: station.reader, unregistered: options.unregistered,
        expecting: row.order.url)
      _ = try await protector.execute(
        job, on: channel, reader: station.reader, code: outcome.code)
    } catch let refusal as LockRefusal {
      // Either the registry has changed, which is nothing against the tag,
      _ = try check.approve(row.order.url, unregistered: options.unregistered)
      // or not every phone reads what is on it.
      let findings = refusal.code.carrierFindings.map(\.message).joined(separator: " ")
      return try await failed(
        row, wasBegun: true, outcome.report.tag,
        TagError(
          .verifyFailed,
          "\(outcome.report.tag.name) \(outcome.report.tag.uid.hexadecimal) is not to be locked: "
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

  /// What an error means once the tag was chosen.
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
        try registry.release(row, at: time, by: station.who, reason: "the tag left")
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
