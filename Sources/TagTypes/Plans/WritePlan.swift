import Basics
public import NDEF

/// What writing or erasing a message would do to a tag, piece by piece and in order.
///
/// A plan is a value: print it for a dry run, or ``execute(over:)`` it. However early its
/// execution stops, the tag holds the message it held before, none, or the new one.
public struct WritePlan: Hashable, Sendable {
  /// One piece to write: a page of a Type 2 tag, bytes of a Type 4 tag's NDEF file, a block of a Type 5
  /// tag.
  public struct Step: Hashable, Sendable {
    /// Why a piece is written.
    public enum Purpose: Hashable, Sendable {
      /// Writes what the piece holds already, to learn whether it takes a write before a message is withdrawn.
      case probe
      /// Sets the message's length to 0, so that the pages that follow can change unseen.
      case withdraw
      /// Writes the capability container, which formats the tag.
      case format
      /// Writes part of the message.
      case data
      /// Writes a page of the configuration: what the tag shows over its memory, or the counter.
      case configure
      /// Writes the page with the message's length, which makes the whole message seen at once.
      case publish
    }

    /// Where a piece lies.
    public enum Place: Hashable, Sendable {
      /// A page of a Type 2 tag, four bytes.
      case page(Int)
      /// Bytes of a Type 4 tag's NDEF file from this offset on.
      case offset(Int)
      /// A block of a Type 5 tag.
      case block(Int)

      /// The number of the page or block, or the offset.
      var number: Int {
        switch self {
        case .page(let number), .offset(let number), .block(let number): number
        }
      }

      /// The number of the page or block, on a tag that has such.
      public var page: Int? {
        switch self {
        case .page(let number), .block(let number): number
        case .offset: nil
        }
      }

      /// Where in a file the piece begins, on a tag that has files.
      public var offset: Int? { if case .offset(let offset) = self { offset } else { nil } }
    }

    /// Why the piece is written.
    public let purpose: Purpose
    /// Where it lies.
    public let place: Place
    /// Its bytes before this step.
    public let before: [UInt8]
    /// Its bytes after this step.
    public let after: [UInt8]

    init(_ purpose: Purpose, at place: Place, before: [UInt8], after: [UInt8]) {
      self.purpose = purpose
      self.place = place
      self.before = before
      self.after = after
    }

    /// The number of the page or block, on a tag that has such.
    public var page: Int? { place.page }

    /// Where in the NDEF file the piece begins, on a tag that has files.
    public var offset: Int? { place.offset }

    /// Whether the step cannot be undone: the capability container of a Type 2 tag can be written once.
    package var isIrreversible: Bool {
      if case .page = place { purpose == .format } else { false }
    }
  }

  /// The tag as it was read when the plan was made; for a message with its configuration.
  public let tag: Tag
  /// The message the tag will hold; empty after erasing.
  public let message: [UInt8]
  /// The pieces to write, in this order. One can occur twice: withdrawn first, published last.
  public let steps: [Step]
  /// How the pages or blocks of the message look when everything is done, changed or not.
  let pages: [Int: [UInt8]]
  /// The configuration that was asked for, changed or not; `nil` when none was.
  let configuration: Type2Configuration?

  /// Makes a plan for a Type 2 tag.
  ///
  /// - Parameter pagesPerRead: Pages one command reads back.
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
  /// - Parameter readBackCount: Commands that read back what was written.
  init(
    _ tag: Type4Tag, message: [UInt8], steps: [Step], readBackCount: Int
  ) {
    self.tag = .type4(tag)
    self.message = message
    self.steps = steps
    pages = [:]
    configuration = nil
    // Application and file are selected twice: before writing, and after the tag was selected anew.
    expectedExchanges = steps.isEmpty ? 0 : 2 + steps.count + 1 + 2 + readBackCount
  }

  /// Makes a plan for a Type 5 tag.
  ///
  /// - Parameter readBackCount: Commands that read back what was written.
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

  /// Whether the tag holds the message already, so that nothing is written.
  public var isAlreadyCorrect: Bool { steps.isEmpty }

  /// Whether nothing but the page with the message's length differs from what it shall be.
  ///
  /// A tag whose message is damaged and whose every other page holds the wanted one already was
  /// left by the last write of this very job, stopped in the middle of the page. Nothing of
  /// somebody else's can be lost then. (The page is written twice where more than the length is
  /// wrong on it.)
  ///
  /// On a Type 4 tag one command can carry length and message. When it was cut, only zeros are left
  /// to be replaced.
  package var onlyPublishes: Bool {
    // A container that is mended on the way is nobody's data.
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

  /// Whether the message on the tag is the beginning of the wanted one, with nothing but zeros behind
  /// it, or cut short: another writer of this very message was interrupted, and nothing of somebody
  /// else's can be lost.
  package var isBegun: Bool {
    guard case .message(let held) = tag.content, held.count <= message.count else { return false }
    let same = zip(held, message).prefix { $0 == $1 }.count
    return held[same...].allSatisfy { $0 == 0 }
  }

  /// The pages or blocks that change, in ascending order, each once.
  public var changedPages: [Int] { Set(steps.compactMap(\.page)).sorted() }

  /// What the tag shows over its memory when the plan is done, if that was asked for.
  public var mirror: TagMirror? { configuration?.mirror }

  /// Whether what the tag shows over its memory changes.
  package var changesMirror: Bool {
    guard case .type2(let tag) = tag, let configuration else { return false }
    return configuration.mirror != tag.mirror
  }

  /// Whether the plan makes a tag count how often it is read.
  public var startsCounting: Bool {
    guard case .type2(let tag) = tag, let configuration else { return false }
    return configuration.counterIsEnabled && tag.configuration?.counterIsEnabled == false
  }

  /// What cannot be undone, as sentences; usually nothing.
  public var irreversible: [String] {
    steps.filter(\.isIrreversible).map { step in
      "\(step.place) becomes \(step.after.hexadecimal), which formats the tag for NDEF; "
        + "its bits can never be cleared"
    }
  }

  /// Commands and selections the execution takes when nothing has to be repeated: the pieces
  /// written, the selections, and the commands that read back.
  package let expectedExchanges: Int
}

extension Type2Tag {
  /// Plans to write a message, reading the pages it concerns if they have not been read.
  ///
  /// TLV blocks of others are kept. Only pages that differ are written. The configuration is read
  /// too, with one command, for a write that is refused half-way could cost a message.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - channel: The tag.
  ///   - overwritingForeignData: Whether a tag without capability container whose memory is not
  ///     blank may be formatted. Whether a *message* may be replaced is the caller's decision;
  ///     see ``content``.
  /// - Returns: The plan; ``WritePlan/isAlreadyCorrect`` when there is nothing to do.
  /// - Throws: ``TagError``: `not-ndef`, `tag-too-small`, `tag-locked`, `tag-password` (with the
  ///   page), `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`. Nothing has been written.
  public func planWrite(
    _ message: NDEFMessage, over channel: some TagChannel, overwritingForeignData: Bool = false
  ) async throws(TagError) -> WritePlan {
    try await plan(
      message.bytes, over: channel, overwritingForeignData: overwritingForeignData)
  }

  /// Plans to write a message, with nothing shown over it: a mirror that would hide a part of it is
  /// switched off while there is no message.
  ///
  /// - Throws: ``TagError`` as `planWrite(_:over:overwritingForeignData:)`; also `tag-locked` or
  ///   `tag-password` when the configuration would have to change and cannot.
  package func planWriteUnmirrored(
    _ message: NDEFMessage, over channel: some TagChannel, overwritingForeignData: Bool = false
  ) async throws(TagError) -> WritePlan {
    try await plan(
      message.bytes, showing: .nothing, over: channel,
      overwritingForeignData: overwritingForeignData)
  }

  /// Plans to write a URL in which the tag fills in its UID or counter.
  ///
  /// The mirror is set up, and the counter switched on if it is shown, while there is no message, so
  /// that no phone gets a URL with a wrong place. Every other bit of the configuration stays.
  ///
  /// - Throws: ``TagError`` as `planWrite(_:over:overwritingForeignData:)`; also `tag-unsupported`
  ///   when the product cannot show that, `tag-locked` or `tag-password` when the configuration
  ///   would have to change and cannot.
  public func planWrite(
    _ template: MirrorTemplate, over channel: some TagChannel,
    overwritingForeignData: Bool = false
  ) async throws(TagError) -> WritePlan {
    try await plan(
      template.message.bytes, showing: .filling(template), over: channel,
      overwritingForeignData: overwritingForeignData)
  }

  /// Plans to empty the NDEF message, reading the pages it concerns if they have not been read.
  ///
  /// The message's length becomes 0 and TLV blocks of others are kept. What the message's pages
  /// hold beside the length is not cleared. A tag without a message needs no step.
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
  /// The place as sentences name it: `page 4`, `offset 2` or `block 3`.
  public var description: String {
    switch self {
    case .page(let page): "page \(page)"
    case .block(let block): "block \(block)"
    case .offset(let offset): "offset \(offset)"
    }
  }
}

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
    case .type5(let tag): return try await execute(on: tag, over: channel)
    case .classic(let tag): throw tag.refusal
    }
  }

  /// What is on the tag after a piece was refused: words for the end of a sentence.
  ///
  /// - Parameters:
  ///   - index: The step that was refused.
  ///   - found: What its place holds, as it was read back since; `nil` when that cannot be read.
  func state(afterRefusalOf index: Int, finding found: [UInt8]?) -> String {
    let step = steps[index]
    let done = steps[..<index]
    // A message that was there is withdrawn by a step of its own, unless one write replaces it.
    let isEmpty =
      done.contains { $0.purpose == .withdraw } || !steps.contains { $0.purpose == .withdraw }
    guard found == step.before else {
      let now =
        found.map {
          "\(step.place) reads \($0.prefix(8).hexadecimal)\($0.count > 8 ? "…" : "") now"
        }
        ?? "what \(step.place) holds now cannot be read"
      let isUnseen = step.purpose == .data || step.purpose == .configure
      return index > 0 && isEmpty && isUnseen ? now + ", and the tag reads as empty" : now
    }
    if done.isEmpty { return "nothing was written" }
    if done.allSatisfy({ $0.purpose == .probe }) { return "nothing was changed" }
    return isEmpty ? "the tag reads as empty" : "the message that it held is whole"
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
    let piece = tag.pieceName
    let pages = steps.count == 1 ? piece : piece + "s"
    let written = "\(count) of \(steps.count) \(pages) of tag \(tag.uid.hexadecimal)"
    let done =
      count == 0
      ? "\(steps[0].place) of tag \(tag.uid.hexadecimal) was being written"
      : (isNextUnknown ? "at least " : "") + "\(written) had been written"
        + (isWritten ? " but not yet read back" : "")
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
