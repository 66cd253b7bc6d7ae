import CliptagBasics
public import NDEF

/// The steps to write or erase a message on a tag, piece by piece and in order.
///
/// A plan is a value: print it for a dry run, or ``execute(over:)`` it. However early its execution
/// stops, the tag holds its old message, none, or the new one.
public struct WritePlan: Hashable, Sendable {
  /// One piece to write: a page of a Type 2 tag, bytes of a Type 4 tag's NDEF file, or a block of a
  /// Type 5 tag.
  public struct Step: Hashable, Sendable {
    /// The purpose of writing a piece.
    public enum Purpose: Hashable, Sendable {
      /// Writes the present content, to test whether the piece is writable before a message is
      /// withdrawn.
      case probe
      /// Sets the message's length to 0, so that later pages can change invisibly.
      case withdraw
      /// Writes the capability container, which formats the tag.
      case format
      /// Writes part of the message.
      case data
      /// Writes a page of the configuration: the mirror, or the counter.
      case configure
      /// Writes the page with the message's length, which makes the whole message visible at once.
      case publish
    }

    /// The place of a piece.
    public enum Place: Hashable, Sendable {
      /// A page of a Type 2 tag, four bytes.
      case page(Int)
      /// Bytes of a Type 4 tag's NDEF file from this offset on.
      case offset(Int)
      /// A block of a Type 5 tag.
      case block(Int)
      /// The rights of a file of an NTAG 424 DNA.
      case file(Int)

      /// The number of the page, block or file, or the offset.
      package var number: Int {
        switch self {
        case .page(let number), .offset(let number), .block(let number), .file(let number): number
        }
      }

      /// The number of the page or block, on a tag that has them.
      public var page: Int? {
        switch self {
        case .page(let number), .block(let number): number
        case .offset, .file: nil
        }
      }

      /// The offset of the piece in a file, on a tag that has files.
      public var offset: Int? { if case .offset(let offset) = self { offset } else { nil } }
    }

    /// The purpose of writing the piece.
    public let purpose: Purpose
    /// The place of the piece.
    public let place: Place
    /// The bytes before this step.
    public let before: [UInt8]
    /// The bytes after this step.
    public let after: [UInt8]

    init(_ purpose: Purpose, at place: Place, before: [UInt8], after: [UInt8]) {
      self.purpose = purpose
      self.place = place
      self.before = before
      self.after = after
    }

    /// The number of the page or block, on a tag that has them.
    public var page: Int? { place.page }

    /// The offset of the piece in the NDEF file, on a tag that has files.
    public var offset: Int? { place.offset }

    /// A Boolean value that indicates whether the step cannot be undone: the capability container
    /// of a Type 2 tag is programmed once.
    package var isIrreversible: Bool {
      if case .page = place { purpose == .format } else { false }
    }
  }

  /// The tag as read when the plan was made; for a message with its configuration.
  public let tag: Tag
  /// The planned message; empty after erasing.
  public let message: [UInt8]
  /// The pieces to write, in this order. One can occur twice: withdrawn first, published last.
  public let steps: [Step]
  /// The planned pages or blocks of the message, changed or not.
  let pages: [Int: [UInt8]]
  /// The requested configuration, changed or not; `nil` if none was requested.
  let configuration: Type2Configuration?

  /// Makes a plan for a Type 2 tag.
  ///
  /// - Parameter pagesPerRead: The number of pages that one command reads back.
  init(
    _ tag: Type2Tag, message: [UInt8], steps: [Step], pages: [Int: [UInt8]],
    configuration: Type2Configuration? = nil, pagesPerRead: Int
  ) {
    self.tag = .type2(tag)
    self.message = message
    self.steps = steps
    self.pages = pages
    self.configuration = configuration
    let lastPage = max(pages.keys.max() ?? 3, 3)
    let readings = lastPage / pagesPerRead + 1 + (configuration == nil ? 0 : 1)
    expectedExchanges = steps.isEmpty ? 0 : steps.count + 1 + readings
  }

  /// Makes a plan for a Type 4 tag.
  ///
  /// - Parameter readBackCount: The number of commands that read back the written pieces.
  init(
    _ tag: Type4Tag, message: [UInt8], steps: [Step], readBackCount: Int
  ) {
    self.tag = .type4(tag)
    self.message = message
    self.steps = steps
    pages = [:]
    configuration = nil
    // Application and file are selected twice: before writing, and after the tag was selected
    // again.
    expectedExchanges = steps.isEmpty ? 0 : 2 + steps.count + 1 + 2 + readBackCount
  }

  /// Makes a plan for a Type 5 tag.
  ///
  /// - Parameter readBackCount: The number of commands that read back the written blocks.
  init(
    _ tag: Type5Tag, message: [UInt8], steps: [Step], blocks: [Int: [UInt8]], readBackCount: Int
  ) {
    self.tag = .type5(tag)
    self.message = message
    self.steps = steps
    pages = blocks
    configuration = nil
    expectedExchanges = steps.isEmpty ? 0 : steps.count + 1 + readBackCount
  }

  /// A Boolean value that indicates whether the tag holds the message already, so that nothing is
  /// written.
  public var isAlreadyCorrect: Bool { steps.isEmpty }

  /// A Boolean value that indicates whether only the page with the message's length differs from
  /// the plan.
  ///
  /// A tag whose message is damaged and whose other pages all hold the wanted one was left by the
  /// last write of this very job, interrupted within the page. No foreign data can be lost then.
  /// (The page is written twice if more than the length is wrong on it.)
  ///
  /// On a Type 4 tag one command can carry length and message. If it was interrupted, only zeros
  /// are left to be replaced.
  package var onlyPublishes: Bool {
    // A container that is mended on the way is not foreign data.
    let steps = steps.filter { $0.purpose != .format }
    guard let last = steps.last, last.purpose == .publish,
      steps.allSatisfy({ $0.place == last.place })
    else { return false }
    guard case .type4(let tag) = tag, let container = tag.capabilityContainer,
      let offset = steps[0].offset
    else { return true }
    return offset + steps[0].after.count <= container.lengthByteCount
      || steps[0].before.allSatisfy { $0 == 0 }
  }

  /// A Boolean value that indicates whether the message on the tag is the beginning of the wanted
  /// one, followed by zeros or truncated: another writer of this very message was interrupted, and
  /// no foreign data can be lost.
  package var isBegun: Bool {
    guard case .message(let held) = tag.content, held.count <= message.count else { return false }
    let same = zip(held, message).prefix { $0 == $1 }.count
    return held[same...].allSatisfy { $0 == 0 }
  }

  /// The pages or blocks that change, in ascending order, each once.
  public var changedPages: [Int] { Set(steps.compactMap(\.page)).sorted() }

  /// The mirror after the plan is executed, if one was requested.
  public var mirror: TagMirror? { configuration?.mirror }

  /// A Boolean value that indicates whether the tag's mirror changes.
  package var changesMirror: Bool {
    guard case .type2(let tag) = tag, let configuration else { return false }
    return configuration.mirror != tag.mirror
  }

  /// A Boolean value that indicates whether the plan makes a tag count its readings.
  public var startsCounting: Bool {
    guard case .type2(let tag) = tag, let configuration else { return false }
    return configuration.counterIsEnabled && tag.configuration?.counterIsEnabled == false
  }

  /// The irreversible effects, as sentences; usually empty.
  public var irreversible: [String] {
    steps.filter(\.isIrreversible).map { step in
      "\(step.place) becomes \(step.after.hexadecimal), which formats the tag for NDEF; "
        + "its bits are permanent"
    }
  }

  /// The number of commands and selections of the execution without repetitions: the writes, the
  /// selections, and the commands that read back.
  package let expectedExchanges: Int
}

extension Type2Tag {
  /// Plans to write a message, reading the affected pages if they have not been read.
  ///
  /// Foreign TLV blocks are preserved. Only pages that differ are written. The configuration is
  /// read too, with one command, since a write that is refused halfway could cost a message.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - channel: The tag.
  ///   - overwritingForeignData: Pass `true` to format a tag without capability container whose
  ///     memory is not blank. The caller decides whether to replace a *message*; see ``content``.
  /// - Returns: The plan; ``WritePlan/isAlreadyCorrect`` if there is nothing to do.
  /// - Throws: ``TagError``: `not-ndef`, `tag-too-small`, `tag-locked`, `tag-password` (with the
  ///   page), `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`. Nothing has been written.
  public func planWrite(
    _ message: NDEFMessage, over channel: some TagChannel, overwritingForeignData: Bool = false
  ) async throws(TagError) -> WritePlan {
    try await plan(
      message.bytes, over: channel, overwritingForeignData: overwritingForeignData)
  }

  /// Plans to write a message without a mirror over it: a mirror that would hide a part of it is
  /// switched off while there is no message.
  ///
  /// - Throws: ``TagError`` as `planWrite(_:over:overwritingForeignData:)`; also `tag-locked` or
  ///   `tag-password` if the configuration must change and cannot.
  package func planWriteUnmirrored(
    _ message: NDEFMessage, over channel: some TagChannel, overwritingForeignData: Bool = false
  ) async throws(TagError) -> WritePlan {
    try await plan(
      message.bytes, showing: .nothing, over: channel,
      overwritingForeignData: overwritingForeignData)
  }

  /// Plans to write a URL in which the tag fills in its UID or counter.
  ///
  /// The mirror is set up, and the counter switched on if it is shown, while there is no message,
  /// so that no phone gets a URL with wrong text. Every other bit of the configuration is
  /// preserved.
  ///
  /// - Throws: ``TagError`` as `planWrite(_:over:overwritingForeignData:)`; also `tag-unsupported`
  ///   if the product has no such mirror, `tag-locked` or `tag-password` if the configuration must
  ///   change and cannot.
  public func planWrite(
    _ template: MirrorTemplate, over channel: some TagChannel,
    overwritingForeignData: Bool = false
  ) async throws(TagError) -> WritePlan {
    try await plan(
      template.message.bytes, showing: .filling(template), over: channel,
      overwritingForeignData: overwritingForeignData)
  }

  /// Plans to empty the NDEF message, reading the affected pages if they have not been read.
  ///
  /// The message's length becomes 0 and foreign TLV blocks are preserved. The other bytes of the
  /// message are not cleared. A tag without a message needs no step.
  ///
  /// - Throws: ``TagError`` as `planWrite(_:over:overwritingForeignData:)`.
  public func planErase(over channel: some TagChannel) async throws(TagError) -> WritePlan {
    switch content {
    case .unformatted, .noMessage, .empty:
      return WritePlan(self, message: [], steps: [], pages: [:], pagesPerRead: 4)
    case .notNDEF, .otherData, .message, .torn, .unreadable:
      return try await plan([], over: channel, overwritingForeignData: false)
    }
  }
}

extension WritePlan.Step.Place: CustomStringConvertible {
  /// The place for use in sentences: `page 4`, `offset 2`, `block 3` or `file 2`.
  public var description: String {
    switch self {
    case .page(let page): "page \(page)"
    case .block(let block): "block \(block)"
    case .offset(let offset): "offset \(offset)"
    case .file(let file): "file \(file)"
    }
  }
}

/// The result of executing a plan.
public struct WriteReport: Hashable, Sendable {
  /// The tag as read back and compared, or as planned if there was nothing to do.
  public let tag: Tag
  /// The length of the message now on the tag, in bytes.
  public let byteCount: Int
  /// The number of pages written, each counted once; on a Type 4 tag, the number of pieces of the
  /// file.
  public let pagesWritten: Int
  /// A Boolean value that indicates whether the tag held the message already.
  public let wasAlreadyCorrect: Bool
  /// The number of commands and selections of the execution.
  package let exchanges: Int

  /// Creates a report.
  package init(
    tag: Tag, byteCount: Int, pagesWritten: Int, wasAlreadyCorrect: Bool, exchanges: Int
  ) {
    (self.tag, self.byteCount, self.pagesWritten) = (tag, byteCount, pagesWritten)
    (self.wasAlreadyCorrect, self.exchanges) = (wasAlreadyCorrect, exchanges)
  }

  /// A Boolean value that indicates whether the field was switched off before the tag was read
  /// back. A tag that generates a new UID each time (``TagTarget/hasRandomUID``) is read back
  /// without a field cycle, because it would then be indistinguishable from another tag; it may
  /// show bytes that it has not stored yet.
  public var wasReadAfterFieldCycle: Bool { !wasAlreadyCorrect && !tag.target.hasRandomUID }
}

extension WritePlan {
  /// Writes the pieces, cycles the field, then reads everything back and compares it.
  ///
  /// A refused write is repeated twice. If it is stopped at any point, the tag holds the old
  /// message, none, or the new one, and running the same job again finishes it. Cancelling the task
  /// stops before the next piece. (For the effect of a power loss inside one command on a new Type
  /// 4 tag, see ``Type4Tag/planWrite(_:over:)``.)
  ///
  /// Another tag that replaces this one is never written: it has not been selected, and ignores all
  /// commands until it is. The channel selects by UID, and fails with `.tagChanged` if another tag
  /// answers.
  ///
  /// - Parameter channel: The tag for which the plan was made.
  /// - Throws: ``TagError``: `tag-changed` (another tag: nothing is written to it), `torn-write`
  ///   (the tag left; even if the first write stayed unanswered, since it may have been executed),
  ///   `tag-lost` (it left after it refused the first piece), `tag-locked`, `tag-password` or
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
    case .type5(let tag): return try await execute(on: tag, over: channel)
    }
  }

  /// A clause on the content of the tag after a piece was refused, for the end of a sentence.
  ///
  /// - Parameters:
  ///   - index: The refused step.
  ///   - found: The content of its place, as read back since; `nil` if it is unreadable.
  func state(afterRefusalOf index: Int, finding found: [UInt8]?) -> String {
    let step = steps[index]
    let done = steps[..<index]
    // A present message is withdrawn by a separate step, unless one write replaces it.
    let isEmpty =
      done.contains { $0.purpose == .withdraw } || !steps.contains { $0.purpose == .withdraw }
    guard found == step.before else {
      let now =
        found.map {
          "\(step.place) reads \($0.prefix(8).hexadecimal)\($0.count > 8 ? "…" : "") now"
        }
        ?? "the current content of \(step.place) is not readable"
      let isUnseen = step.purpose == .data || step.purpose == .configure
      return index > 0 && isEmpty && isUnseen ? now + ", and the tag reads as empty" : now
    }
    if done.isEmpty { return "nothing was written" }
    if done.allSatisfy({ $0.purpose == .probe }) { return "nothing was changed" }
    return isEmpty ? "the tag reads as empty" : "its previous message is intact"
  }

  /// The error for a failure of the channel after `count` steps were acknowledged.
  ///
  /// - Parameter isNextUnknown: `true` if the next step may have been sent as well, so that its
  ///   piece may have its old content, the new one, or half of each.
  func stopped(
    _ error: TagChannelError, afterWriting count: Int, isNextUnknown: Bool = false
  ) -> TagError {
    guard count > 0 || isNextUnknown else { return TagError(error, uid: tag.uid) }
    let isWritten = count == steps.count
    let piece = tag.pieceName
    let pages = steps.count == 1 ? piece : piece + "s"
    let written = "\(count) of \(steps.count) \(pages) of tag \(tag.uid.hexadecimal)"
    let done =
      count == 0
      ? "\(steps[0].place) of tag \(tag.uid.hexadecimal) was being written"
      : (isNextUnknown ? "at least " : "") + "\(written) had been written"
        + (isWritten ? " but not yet read back" : "")
    let again: Hint = "no data is lost: put the tag back and run the command again"
    let (code, message): (TagError.Code, String) =
      switch error.code {
      case .tagLost: (.tornWrite, "the tag was removed when \(done)")
      case .tagChanged: (.tagChanged, "another tag appeared when \(done); it was not written")
      case .wrongPassword: (.tagPassword, "the tag refused the password when \(done)")
      case .cancelled: (.cancelled, "stopped when \(done)")
      default: (.readerFailed, "the reader failed when \(done): \(error.message)")
      }
    return TagError(
      code, message, hint: again, page: isWritten ? nil : steps[count].page,
      offset: isWritten ? nil : steps[count].offset, uid: tag.uid, underlying: error)
  }
}
