public import NDEF

/// What writing or erasing a message would do to a tag, piece by piece and in order.
///
/// A plan is a value: print it for a dry run, or ``execute(over:)`` it. However early its
/// execution stops, the tag holds the message it held before, none, or the new one.
public struct WritePlan: Hashable, Sendable {
  /// One piece to write: a page of a Type 2 tag, or bytes of a Type 4 tag's NDEF file.
  public struct Step: Hashable, Sendable {
    /// Why a piece is written.
    public enum Purpose: Hashable, Sendable {
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

    /// The page, on a tag that has pages.
    public var page: Int? {
      if case .page(let page) = place { return page }
      return nil
    }

    /// Where in the NDEF file the piece begins, on a tag that has files.
    public var offset: Int? {
      if case .offset(let offset) = place { return offset }
      return nil
    }

    /// Whether the step cannot be undone: the capability container can be written once.
    package var isIrreversible: Bool { purpose == .format }
  }

  /// The tag as it was read when the plan was made; for a message with its configuration.
  public let tag: Tag
  /// The message the tag will hold; empty after erasing.
  public let message: [UInt8]
  /// The pieces to write, in this order. One can occur twice: withdrawn first, published last.
  public let steps: [Step]
  /// How the pages of the message look when everything is done, changed or not; of a Type 2 tag.
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
    guard let last = steps.last, last.purpose == .publish,
      steps.allSatisfy({ $0.place == last.place })
    else { return false }
    guard case .type4(let tag) = tag, let container = tag.capabilityContainer,
      let offset = steps[0].offset
    else { return true }
    return offset + steps[0].after.count <= container.lengthByteCount
      || steps[0].before.allSatisfy { $0 == 0 }
  }

  /// The pages that change, in ascending order, each once; of a Type 2 tag.
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
  /// The place as sentences name it: `page 4`, or `offset 2`.
  public var description: String {
    switch self {
    case .page(let page): "page \(page)"
    case .offset(let offset): "offset \(offset)"
    }
  }
}
