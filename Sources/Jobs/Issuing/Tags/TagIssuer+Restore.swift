import CliptagBasics
import Invocation
import NDEF
public import Registry
public import TagTypes
import Verifying

extension TagIssuer {
  /// A dump on its way to a tag: checked, planned, and not written yet.
  public struct Restoration: Sendable {
    /// The plan of the writing.
    public let plan: RestorePlan
    /// The URL that the tag will carry, and that it may be issued; `nil` when it will carry none.
    public let approval: Approval?
    /// The tag that the dump was made of, when that is another one.
    public let dumpedUID: [UInt8]?
    /// Whether the registry says that the other tag carries the same URL.
    package let isOnDumpedTag: Bool
  }

  /// The outcome of restoring.
  public struct RestoreOutcome: Sendable {
    /// The report of the writing.
    public let report: WriteReport
    /// The code's name in the registry; `nil` when the tag carries no URL.
    public let code: CodeID?
  }

  /// Plans to restore a dump. Nothing is written.
  ///
  /// - Parameters:
  ///   - file: The dump.
  ///   - channel: An activated tag.
  ///   - options: The permitted changes beside the data area.
  ///   - unregistered: Whether to restore data that the check does not accept, or that is not a
  ///     URL.
  ///   - overwriting: Whether data that is not ours may be replaced.
  /// - Throws: ``IssueRefusal``; `TagError`, with code `tag-unsupported` for a tag that is not of
  ///   Type 2; `TagDumpError`; ``IssuingError`` with code `foreign-data`; or an error of the
  ///   registry.
  public func planRestore(
    _ file: TagDumpFile, on channel: some TagChannel, options: RestoreOptions, unregistered: Bool,
    overwriting: Bool
  ) async throws -> Restoration {
    let tag = try await Tag.identify(over: channel)
    guard let type2 = tag.type2 else {
      throw TagError(
        .tagUnsupported,
        "\(tag.name) \(tag.uid.hexadecimal) is not a Type 2 tag, unlike that of the dump",
        hint: "write the URL with tag write", uid: tag.uid)
    }
    let dump = try file.dump(of: type2.name, pageCount: type2.layout.pageCount)
    let plan = try await type2.planRestore(dump, options: options, over: channel)
    return try await restoration(
      plan, of: file.uid, on: tag, over: channel, unregistered: unregistered,
      overwriting: overwriting)
  }

  /// Plans to restore a dump of any kind. Nothing is written.
  ///
  /// Of a Type 4 or Type 5 tag the message is restored, by the plan that writes any message: not
  /// the container, locks, keys or passwords.
  ///
  /// - Throws: The errors of
  ///   ``planRestore(_:on:options:unregistered:overwriting:)-(TagDumpFile,_,_,_,_)``; `TagError`
  ///   with code `dump-mismatch` for a dump without a message, or a tag of another kind than the
  ///   dump.
  public func planRestore(
    _ saved: SavedTag, on channel: some TagChannel, options: RestoreOptions, unregistered: Bool,
    overwriting: Bool
  ) async throws -> Restoration {
    let dump: TagFileDump
    switch saved {
    case .pages(let file):
      return try await planRestore(
        file, on: channel, options: options, unregistered: unregistered, overwriting: overwriting)
    case .files(let files): dump = files
    }
    let tag = try await Tag.identify(over: channel)
    let plan = try await tag.planRestore(
      dump, options: options, overwritingForeignData: overwriting, over: channel)
    return try await restoration(
      plan, of: dump.uid, on: tag, over: channel, unregistered: unregistered,
      overwriting: overwriting)
  }

  private func restoration(
    _ plan: RestorePlan, of uid: [UInt8], on tag: Tag, over channel: some TagChannel,
    unregistered: Bool, overwriting: Bool
  ) async throws -> Restoration {
    let approval = try approve(plan.result, unregistered: unregistered)
    if !overwriting, let held = try await foreignData(on: tag, over: channel, for: approval),
      !(held.isDamaged && plan.write.onlyPublishes), !plan.write.isAlreadyCorrect
    {
      throw refusal(of: held, on: tag)
    }
    let isOther = uid != tag.uid
    let uri = approval?.verification.payload
    return Restoration(
      plan: plan, approval: approval, dumpedUID: isOther ? uid : nil,
      isOnDumpedTag: try isOther
        && uri.map { try ledger.wrote($0, onTag: uid.hexadecimal) } ?? false)
  }

  /// Writes a restoration, verifies it, and records it: the code of its URL, or that the tag
  /// carries none any more.
  ///
  /// A message that reads back differently is withdrawn, as after
  /// ``execute(_:for:on:reader:lookingAhead:alongside:)``.
  ///
  /// - Throws: `TagError`; ``IssuingError`` with code `not-recorded` when the tag is correct but
  ///   the registry could not take the record.
  public func executeRestore(
    _ restoration: Restoration, on channel: some TagChannel, reader: String
  ) async throws -> RestoreOutcome {
    let plan = restoration.plan.write
    let report: WriteReport
    do throws(TagError) {
      report = try await plan.execute(over: channel)
    } catch {
      if error.code == .verifyFailed { await withdraw(from: channel) }
      throw error
    }
    do throws(RegistryError) {
      guard let approval = restoration.approval else {
        try await ledger.recordErased(uid: plan.tag.uid.hexadecimal, reader: reader)
        return RestoreOutcome(report: report, code: nil)
      }
      let code = try await ledger.recordTag(
        approval, uid: plan.tag.uid.hexadecimal, tagType: plan.tag.name, reader: reader,
        pagesWritten: report.pagesWritten)
      return RestoreOutcome(report: report, code: code)
    } catch {
      throw notRecorded("restored", plan.tag, error)
    }
  }

  /// Returns the approval of the future content of a tag, if it may be issued.
  ///
  /// - Returns: `nil` when it will hold no URL.
  private func approve(_ tag: Tag, unregistered: Bool) throws -> Approval? {
    // A tag that will not be formatted for NDEF carries data, not a URL.
    let payload = try? TagPayload(tag)
    if let uri = payload?.uri { return try check.approve(uri, unregistered: unregistered) }
    if payload?.holdsData != false, !tag.isBlank {
      _ = try check.approve("", unregistered: unregistered)
    }
    return nil
  }
}

extension Tag {
  fileprivate var isBlank: Bool {
    if case .unformatted(holdsData: false) = content { return true }
    return false
  }
}
