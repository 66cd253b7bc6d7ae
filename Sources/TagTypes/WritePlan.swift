public import NDEF

/// What writing or erasing a message would do to a tag, page by page and in order.
///
/// A plan is a value: print it for a dry run, or ``execute(over:)`` it. However early its
/// execution stops, the tag holds the message it held before, none, or the new one.
public struct WritePlan: Hashable, Sendable {
  /// One page to write.
  public struct Step: Hashable, Sendable {
    /// Why a page is written.
    public enum Purpose: Hashable, Sendable {
      /// Sets the message's length to 0, so that the pages that follow can change unseen.
      case withdraw
      /// Writes the capability container, which formats the tag.
      case format
      /// Writes part of the message.
      case data
      /// Writes the page with the message's length, which makes the whole message seen at once.
      case publish
    }

    /// Why the page is written.
    public let purpose: Purpose
    /// The page.
    public let page: Int
    /// Its four bytes before this step.
    public let before: [UInt8]
    /// Its four bytes after this step.
    public let after: [UInt8]

    /// Whether the step cannot be undone: the capability container can be written once.
    public var isIrreversible: Bool { purpose == .format }
  }

  /// The tag as it was read when the plan was made; for a message with its configuration.
  public let tag: Type2Tag
  /// The message the tag will hold; empty after erasing.
  public let message: [UInt8]
  /// The pages to write, in this order. A page can occur twice: withdrawn first, published last.
  public let steps: [Step]
  /// How the pages of the message look when everything is done, changed or not.
  let pages: [Int: [UInt8]]

  /// Makes a plan.
  ///
  /// - Parameter pagesPerRead: Pages one command reads back.
  init(
    tag: Type2Tag, message: [UInt8], steps: [Step], pages: [Int: [UInt8]], pagesPerRead: Int
  ) {
    self.tag = tag
    self.message = message
    self.steps = steps
    self.pages = pages
    lastPage = max(pages.keys.max() ?? 3, 3)
    expectedExchanges = steps.isEmpty ? 0 : steps.count + 1 + lastPage / pagesPerRead + 1
  }

  /// Whether the tag holds the message already, so that nothing is written.
  public var isAlreadyCorrect: Bool { steps.isEmpty }

  /// Whether nothing but the page with the message's length differs from what it shall be.
  ///
  /// A tag whose message is damaged and whose every other page holds the wanted one already was
  /// left by the last write of this very job, stopped in the middle of the page. Nothing of
  /// somebody else's can be lost then.
  public var onlyPublishes: Bool { steps.count == 1 && steps[0].purpose == .publish }

  /// The pages that change, in ascending order, each once.
  public var changedPages: [Int] { Set(steps.map(\.page)).sorted() }

  /// What cannot be undone, as sentences; usually nothing.
  public var irreversible: [String] {
    steps.filter(\.isIrreversible).map { step in
      "page \(step.page) becomes \(step.after.hexadecimal), which formats the tag for NDEF; "
        + "its bits can never be cleared"
    }
  }

  /// Commands and selections the execution takes when nothing has to be repeated: the pages
  /// written, one selection, and the commands that read back.
  public let expectedExchanges: Int

  /// The last page that is read back.
  let lastPage: Int
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

  /// Plans to empty the NDEF message, reading the pages it concerns if they have not been read.
  ///
  /// The message's length becomes 0 and TLV blocks of others are kept. What the message's pages
  /// hold beside the length is not cleared. A tag without a message needs no step.
  ///
  /// - Throws: ``TagError`` as ``planWrite(_:over:overwritingForeignData:)``.
  public func planErase(over channel: some TagChannel) async throws(TagError) -> WritePlan {
    switch content {
    case .unformatted, .noMessage, .empty:
      return WritePlan(tag: self, message: [], steps: [], pages: [:], pagesPerRead: 4)
    case .notNDEF, .otherData, .message, .torn, .unreadable:
      return try await plan([], over: channel, overwritingForeignData: false)
    }
  }
}
