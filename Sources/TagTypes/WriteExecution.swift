/// What executing a plan did.
public struct WriteReport: Hashable, Sendable {
  /// The tag as it was read back and compared, or as it was planned when nothing was to do.
  public let tag: Tag
  /// Bytes of the message the tag holds now.
  public let byteCount: Int
  /// How many pages were written, each counted once, however often it was; on a Type 4 tag, how
  /// many pieces of the file.
  public let pagesWritten: Int
  /// Whether the tag held the message already.
  public let wasAlreadyCorrect: Bool
  /// Commands and selections the execution took.
  package let exchanges: Int
  /// Whether the field was switched off before the tag was read back. A tag that makes up a new UID
  /// whenever that happens (``TagTarget/hasRandomUID``) is read back without, because afterwards
  /// nothing would tell it from another tag: what it then shows can be what it has not yet stored.
  public var wasReadAfterFieldCycle: Bool { !wasAlreadyCorrect && !tag.target.hasRandomUID }
}

extension WritePlan {
  /// Writes the pieces, then switches the field off and on, reads everything back and compares.
  ///
  /// A write that is refused is repeated twice. Stopped at any point, the tag holds the old
  /// message, none, or the new one, and the same job run again finishes it. Cancelling the task
  /// stops before the next piece. (What power lost inside one command can do to a new Type 4 tag:
  /// ``Type4Tag/planWrite(_:over:)``.)
  ///
  /// Another tag that takes this one's place is never written: it has not been selected, and hears
  /// no command before it is. The channel selects by UID, and fails with `.tagChanged` when another
  /// one answers.
  ///
  /// - Parameter channel: The tag the plan was made for.
  /// - Throws: ``TagError``: `tag-changed` (another tag: nothing is written to it), `torn-write`
  ///   (the tag left; even when the first write stayed unanswered, for it may have been carried
  ///   out), `tag-lost` (it left after it refused the first piece), `tag-locked`, `tag-password` or
  ///   `write-refused` with the page or offset that was refused, `verify-failed` with the page or
  ///   offset that differs, `reader-failed`, `cancelled`.
  public func execute(over channel: some TagChannel) async throws(TagError) -> WriteReport {
    guard channel.target.uid == tag.uid else {
      throw TagError(TagChannelError(.tagChanged, "the UID differs"), uid: tag.uid)
    }
    guard !isAlreadyCorrect else {
      return WriteReport(
        tag: tag, byteCount: message.count, pagesWritten: 0, wasAlreadyCorrect: true,
        exchanges: 0)
    }
    switch tag {
    case .type2(let tag): return try await execute(on: tag, over: channel)
    case .type4(let tag): return try await execute(on: tag, over: channel)
    case .classic(let tag): throw tag.refusal
    }
  }

  /// What a failure of the channel means after `count` steps were acknowledged.
  ///
  /// - Parameter isNextUnknown: Whether the next step was sent as well, perhaps, so that its piece
  ///   may be as before, as wanted, or half of each.
  func stopped(
    _ error: TagChannelError, afterWriting count: Int, isNextUnknown: Bool = false
  ) -> TagError {
    guard count > 0 || isNextUnknown else { return TagError(error, uid: tag.uid) }
    let isWritten = count == steps.count
    let piece = tag.type2 == nil ? "piece" : "page"
    let pages = steps.count == 1 ? piece : piece + "s"
    let written = "\(count) of \(steps.count) \(pages) of tag \(tag.uid.hexadecimal)"
    let done =
      count == 0
      ? "\(steps[0].place) of tag \(tag.uid.hexadecimal) was being written"
      : "\(written) had been written" + (isWritten ? " but not yet read back" : "")
    let again = "nothing is lost: put the tag back and run the same command again"
    let (code, message): (TagError.Code, String) =
      switch error.code {
      case .tagLost: (.tornWrite, "the tag left when \(done)")
      case .tagChanged: (.tagChanged, "another tag came when \(done); it was not written to")
      case .wrongPassword: (.tagPassword, "the tag stopped taking the password when \(done)")
      case .cancelled: (.cancelled, "stopped when \(done)")
      default: (.readerFailed, "the reader failed when \(done): \(error.message)")
      }
    return TagError(
      code, message, hint: again, page: isWritten ? nil : steps[count].page,
      offset: isWritten ? nil : steps[count].offset, uid: tag.uid, underlying: error)
  }
}
