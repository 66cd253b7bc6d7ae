public import Invocation
import NDEF
public import Registry
public import TagTypes

/// Writes an approved payload to a tag, so that nothing of somebody else's is lost unasked, and
/// keeps the record.
public struct TagIssuer: Sendable {
  let ledger: CodeLedger
  let check: InvocationCheck

  /// Makes an issuer.
  ///
  /// - Parameters:
  ///   - ledger: Where the work is recorded.
  ///   - check: How what is on a tag is told to be ours.
  public init(ledger: CodeLedger, check: InvocationCheck) {
    self.ledger = ledger
    self.check = check
  }

  /// What one written tag amounts to.
  public struct Outcome: Sendable {
    /// What the writing did.
    public let report: WriteReport
    /// The code's name in the registry.
    public let code: CodeID
  }

  /// Plans to write a payload. Nothing is written.
  ///
  /// - Parameters:
  ///   - approval: The payload.
  ///   - channel: An activated tag.
  ///   - overwriting: Whether data that is not ours may be replaced.
  /// - Throws: ``TagTypes/TagError``; ``DeploymentError`` with code `foreign-data`; or what the
  ///   registry throws.
  public func plan(
    _ approval: Approval, on channel: some TagChannel, overwriting: Bool
  ) async throws -> WritePlan {
    let tag = try await Tag.identify(over: channel, includingConfiguration: true)
    try tag.checkIsWritten()
    let message = NDEFMessage(uri: approval.verification.payload)
    let held = overwriting ? nil : try foreignData(on: tag, for: approval)
    // A damaged message can be this very one: our last write, stopped in the middle of the page.
    if let held, !held.isDamaged { throw refusal(of: held, on: tag) }
    let plan = try await tag.planWrite(
      message, over: channel, overwritingForeignData: overwriting)
    if let held, !plan.onlyPublishes { throw refusal(of: held, on: tag) }
    return plan
  }

  /// Executes a plan, verifies it, and records it.
  ///
  /// A message that reads back differently is withdrawn: no message is better than a wrong one, and
  /// the next run must not take the damaged URL for somebody else's.
  ///
  /// - Throws: ``TagTypes/TagError``; ``DeploymentError`` with code `not-recorded` when the tag is
  ///   right but the registry could not take the record.
  public func execute(
    _ plan: WritePlan, for approval: Approval, on channel: some TagChannel, reader: String
  ) async throws -> Outcome {
    let report: WriteReport
    do throws(TagError) {
      report = try await plan.execute(over: channel)
      try refuseMirror(over: approval, on: report.tag)
    } catch {
      // Only what this run wrote is taken back: where nothing was, the message is not ours to lose.
      if error.code == .verifyFailed, !plan.isAlreadyCorrect { await withdraw(from: channel) }
      throw error
    }
    do throws(RegistryError) {
      let code = try ledger.recordTag(
        approval, uid: plan.tag.uid.hexadecimal, tagType: plan.tag.name, reader: reader,
        pagesWritten: report.pagesWritten)
      return Outcome(report: report, code: code)
    } catch {
      throw notRecorded("written", plan.tag, error)
    }
  }

  /// A tag with its mirror on shows its UID or counter over its memory. Where that hides a part of
  /// the URL, a phone opens something else than was asked for, whatever the memory holds.
  private func refuseMirror(over approval: Approval, on tag: Tag) throws(TagError) {
    let shown = try TagPayload(tag).uri
    guard shown.map({ $0.utf8.elementsEqual(approval.verification.payload.utf8) }) != true else {
      return
    }
    throw TagError(
      .verifyFailed,
      "\(tag.name) \(tag.uid.hexadecimal) shows its UID or counter over the URL: a phone reads "
        + (shown ?? "no URL"),
      remedy: "switch the tag's mirror off with the tool that set it, or use another tag",
      uid: tag.uid)
  }

  func notRecorded(
    _ done: String, _ tag: Tag, _ error: RegistryError
  ) -> DeploymentError {
    DeploymentError(
      .notRecorded,
      "Tag \(tag.uid.hexadecimal) is \(done) and verified, but not recorded: " + error.message,
      remedy: "\(error.remedy) Then run the same command again: it only records.",
      underlying: error)
  }

  /// Erases what was published wrongly. Should that fail as well, the error that led here tells
  /// the caller what to do.
  func withdraw(from channel: some TagChannel) async {
    guard let tag = try? await Tag.identify(over: channel),
      let plan = try? await tag.planErase(over: channel)
    else { return }
    _ = try? await plan.execute(over: channel)
  }

  /// Plans to erase the message of a tag. Nothing is written.
  ///
  /// - Throws: As ``plan(_:on:overwriting:)``.
  public func planErase(on channel: some TagChannel, overwriting: Bool) async throws -> WritePlan {
    let tag = try await Tag.identify(over: channel, includingConfiguration: true)
    try tag.checkIsWritten()
    if !overwriting, let held = try foreignData(on: tag, for: nil) {
      throw refusal(of: held, on: tag)
    }
    return try await tag.planErase(over: channel)
  }

  /// Executes an erasure, verifies it, and retires the codes that the tag carried.
  ///
  /// - Throws: ``TagTypes/TagError``; ``DeploymentError`` with code `not-recorded` when the tag is
  ///   empty but the registry could not take the record.
  public func executeErase(
    _ plan: WritePlan, on channel: some TagChannel, reader: String
  ) async throws -> WriteReport {
    let report = try await plan.execute(over: channel)
    do throws(RegistryError) {
      try ledger.recordErased(uid: plan.tag.uid.hexadecimal, reader: reader)
    } catch {
      throw notRecorded("erased", plan.tag, error)
    }
    return report
  }

  /// What the tag holds and is not ours. Data is ours when we wrote it to this tag, or when it is
  /// a URL on a host of the registry.
  func foreignData(on tag: Tag, for approval: Approval?) throws -> TagPayload? {
    let held = try TagPayload(tag)
    guard held.holdsData else { return nil }
    if let uri = held.soleURI {
      if let approval, uri.utf8.elementsEqual(approval.verification.payload.utf8) { return nil }
      if try ledger.wrote(uri, onTag: tag.uid.hexadecimal) { return nil }
      let state = try check.examine(payload: uri, carrier: .nfc, location: .notAsked).state
      if state != .unregistered && state != .malformed { return nil }
    }
    return held
  }

  func refusal(of held: TagPayload, on tag: Tag) -> DeploymentError {
    DeploymentError(
      .foreignData,
      "Tag \(tag.uid.hexadecimal) holds data that is not ours: "
        + (held.soleURI.map { "\($0)." } ?? held.findings.map(\.message).joined(separator: " ")),
      remedy: "Look at it with tag info; add --overwrite to replace it.")
  }
}
