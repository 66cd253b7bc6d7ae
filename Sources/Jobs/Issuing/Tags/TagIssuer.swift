import CliptagBasics
import TagAuthenticity
public import Invocation
public import NDEF
public import Registry
public import TagTypes
import Verifying

/// Writes an approved payload to a tag without replacing foreign data unasked, and keeps the
/// record.
public struct TagIssuer: Sendable {
  let ledger: CodeLedger
  let check: InvocationCheck

  /// Creates an issuer.
  ///
  /// - Parameters:
  ///   - ledger: The ledger of the work.
  ///   - check: The check that recognizes data on a tag as cliptag's.
  public init(ledger: CodeLedger, check: InvocationCheck) {
    self.ledger = ledger
    self.check = check
  }

  /// The outcome of one written tag.
  public struct Outcome: Sendable {
    /// The report of the writing.
    public let report: WriteReport
    /// The code's name in the registry.
    public let code: CodeID
  }

  /// Plans to write a payload. Nothing is written.
  ///
  /// - Parameters:
  ///   - approval: The payload; of a template the URL that it gives with this tag's UID.
  ///   - template: The URL in which the tag fills in its UID or counter, if there is one.
  ///   - application: The application that Android opens with the URL, in a second record; not with
  ///     a template.
  ///   - channel: An activated tag.
  ///   - overwriting: Whether data that is not ours may be replaced, and a mirror that is not ours
  ///     switched off.
  /// - Throws: `TagError`; ``IssuingError`` with code `foreign-data`; or an error of the registry.
  public func plan(
    _ approval: Approval, filling template: MirrorTemplate? = nil,
    with application: AndroidApplicationRecord? = nil, on channel: some TagChannel,
    overwriting: Bool = false
  ) async throws -> WritePlan {
    let tag = try await Tag.identify(over: channel, includingConfiguration: true)
    try tag.checkIsWritten()
    let held = overwriting ? nil : try await foreignData(on: tag, over: channel, for: approval)
    // A damaged message can be this very one: our last write, stopped in the middle of the page.
    if let held, !held.isDamaged { throw refusal(of: held, on: tag) }
    let plan =
      if let template {
        try await tag.planWrite(template, over: channel, overwritingForeignData: overwriting)
      } else {
        try await tag.planWriteUnmirrored(
          NDEFMessage(
            [URIRecord(approval.verification.payload).record]
              + [application?.record].compactMap(\.self)),
          over: channel, overwritingForeignData: overwriting)
      }
    if let held, !plan.onlyPublishes, !plan.isBegun { throw refusal(of: held, on: tag) }
    if !overwriting { try refuseForeignMirror(plan) }
    return plan
  }

  /// Executes a plan, verifies it, and records it.
  ///
  /// A message that reads back differently is withdrawn: no message is better than a wrong one, and
  /// the next run must not take the damaged URL for foreign data.
  ///
  /// - Parameters:
  ///   - plan: The plan, from ``plan(_:filling:with:on:overwriting:)``.
  ///   - approval: The payload that may be issued.
  ///   - channel: The tag.
  ///   - reader: The reader's name in the record.
  ///   - ahead: Looks up the data of `alongside`, so that a remote server is asked for all of it at
  ///     once.
  ///   - alongside: Further records in the same transaction, with the report of the writing and the
  ///     code's name: both are kept, or neither.
  /// - Throws: `TagError`; ``IssuingError`` with code `not-recorded` when the tag is correct but
  ///   the registry could not take the record.
  public func execute(
    _ plan: WritePlan, for approval: Approval, on channel: some TagChannel, reader: String,
    lookingAhead ahead:
      @escaping @Sendable (borrowing RegistryTransaction) throws(RegistryError) -> Void = { _ in },
    alongside:
      @escaping @Sendable (borrowing RegistryTransaction, WriteReport, CodeID)
      throws(RegistryError) -> Void = { _, _, _ in }
  ) async throws -> Outcome {
    let report: WriteReport
    do throws(TagError) {
      report = try await plan.execute(over: channel)
      try refuseOtherPayload(than: approval, on: report.tag)
    } catch {
      // Only a message of this run is withdrawn: another one is not ours to lose.
      if error.code == .verifyFailed, !plan.isAlreadyCorrect { await withdraw(from: channel) }
      throw error
    }
    do throws(RegistryError) {
      let code = try await ledger.recordTag(
        approval, uid: plan.tag.uid.hexadecimal, tagType: plan.tag.name, reader: reader,
        pagesWritten: report.pagesWritten, mirror: plan.mirror?.kind.placeholder,
        lookingAhead: ahead,
        alongside: { registry, code throws(RegistryError) in
          try alongside(registry, report, code)
        })
      return Outcome(report: report, code: code)
    } catch {
      throw notRecorded("written", plan.tag, error)
    }
  }

  /// Refuses to change a mirror that cliptag did not set up: the tag holds no data of ours, and
  /// never did.
  private func refuseForeignMirror(_ plan: WritePlan) throws {
    guard plan.changesMirror, let mirror = plan.tag.type2?.mirror else { return }
    let uid = plan.tag.uid.hexadecimal
    if try TagPayload(plan.tag).holdsData { return }
    if try ledger.knows(tag: uid) { return }
    throw IssuingError(
      .foreignData,
      "Tag \(uid) mirrors \(mirror.kind.placeholder) over page \(mirror.page), a foreign setting.",
      hint: .sentence("\(.overwrite) to change that, or use another tag"))
  }

  /// Refuses a tag from which a phone reads another payload than the memory holds: a tag can show
  /// its UID or counter over it.
  private func refuseOtherPayload(than approval: Approval, on tag: Tag) throws(TagError) {
    let payload = try TagPayload(tag)
    guard
      payload.recordedURI?.utf8.elementsEqual(approval.verification.payload.utf8) != true
    else { return }
    throw TagError(
      .verifyFailed,
      "\(tag.name) \(tag.uid.hexadecimal) contains the URL, but a phone reads "
        + (payload.uri ?? "none"),
      hint: "run the command again; if the error persists, use another tag",
      uid: tag.uid)
  }

  func notRecorded(
    _ done: String, _ tag: Tag, _ error: RegistryError
  ) -> IssuingError {
    IssuingError(
      .notRecorded,
      "Tag \(tag.uid.hexadecimal) is \(done) and verified, but not recorded: " + error.message,
      hint: "\(error.advice) Then run the command again, which only records.",
      underlying: error)
  }

  /// Erases a wrongly published message.
  ///
  /// Tried once more if it reads back differently too: on a Type 4 tag a wrong length byte alone is
  /// a message again. If that fails as well, the error that led here advises the caller.
  func withdraw(from channel: some TagChannel) async {
    for _ in 0..<2 {
      guard let tag = try? await Tag.identify(over: channel),
        let plan = try? await tag.planErase(over: channel)
      else { return }
      do throws(TagError) {
        _ = try await plan.execute(over: channel)
        return
      } catch {
        guard error.code == .verifyFailed else { return }
      }
    }
  }

  /// Plans to erase the message of a tag. Nothing is written.
  ///
  /// - Throws: The errors of ``plan(_:filling:with:on:overwriting:)``.
  public func planErase(on channel: some TagChannel, overwriting: Bool) async throws -> WritePlan {
    let tag = try await Tag.identify(over: channel, includingConfiguration: true)
    try tag.checkIsWritten()
    if !overwriting, let held = try await foreignData(on: tag, over: channel, for: nil) {
      throw refusal(of: held, on: tag)
    }
    return try await tag.planErase(over: channel)
  }

  /// Executes an erasure, verifies it, and retires the codes that the tag carried.
  ///
  /// - Throws: `TagError`; ``IssuingError`` with code `not-recorded` when the tag is
  ///   empty but the registry could not take the record.
  public func executeErase(
    _ plan: WritePlan, on channel: some TagChannel, reader: String
  ) async throws -> WriteReport {
    let report = try await plan.execute(over: channel)
    do throws(RegistryError) {
      try await ledger.recordErased(uid: plan.tag.uid.hexadecimal, reader: reader)
    } catch {
      throw notRecorded("erased", plan.tag, error)
    }
    return report
  }

  /// Returns the foreign data on the tag. Data is ours when cliptag wrote it to this tag, or when
  /// it is a URL on a host of the registry; also when cliptag left it with half a length.
  func foreignData(
    on tag: Tag, over channel: some TagChannel, for approval: Approval?
  ) async throws -> TagPayload? {
    let held = try TagPayload(tag)
    guard held.holdsData else { return nil }
    var uri = held.recordedURI
    if held.isDamaged,
      let message = try await tag.type4?.messageUnderTornLength(over: channel)
    {
      uri = TagPayload.soleURI(of: message)
    }
    return try uri.map { try isOurs($0, on: tag, for: approval) } == true ? nil : held
  }

  private func isOurs(_ uri: String, on tag: Tag, for approval: Approval?) throws -> Bool {
    if let approval, uri.utf8.elementsEqual(approval.verification.payload.utf8) { return true }
    if try ledger.wrote(uri, onTag: tag.uid.hexadecimal) { return true }
    let state = try check.examine(payload: uri, carrier: .nfc, location: .notAsked).state
    return state != .unregistered && state != .malformed
  }

  func refusal(of held: TagPayload, on tag: Tag) -> IssuingError {
    IssuingError(
      .foreignData,
      "Tag \(tag.uid.hexadecimal) holds "
        + (held.isDamaged
          ? "a damaged message without a record: " : "foreign data: ")
        + (held.soleURI.map { "\($0)." } ?? held.findings.map(\.message).joined(separator: " ")),
      hint: .sentence("\(.lookAtTag); \(.overwrite) to replace it"))
  }
}

extension Tag {
  /// Makes sure that a tag is genuine before work begins that should not be wasted on another.
  ///
  /// - Throws: ``IssuingError`` with code `not-genuine`, or `originality-unknown` when it cannot be
  ///   determined; `TagError`.
  package func requireGenuine(over channel: some TagChannel) async throws {
    try requireGenuine(try await originality(over: channel))
  }

  /// Makes sure that a verdict that was already reached is genuine.
  func requireGenuine(_ verdict: Originality) throws(IssuingError) {
    switch verdict {
    case .genuine: return
    case .notGenuine:
      throw IssuingError(
        .notGenuine,
        "No key known here verifies the originality signature of \(name) \(uid.hexadecimal). "
          + "Nothing was written.",
        hint: "Set the tag aside and contact the seller, or leave the check out.")
    case .unverified(let reason), .notCheckable(let reason):
      throw IssuingError(
        .originalityUnknown,
        "The originality of \(name) \(uid.hexadecimal) is unknown: \(reason). Nothing was "
          + "written.",
        hint: "Use a tag with a verifiable signature, or leave the check out.")
    }
  }
}
