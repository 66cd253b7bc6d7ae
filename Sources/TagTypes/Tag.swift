import Basics
public import NDEF

/// A tag of any kind that is handled, identified and read.
///
/// What all kinds have in common is here; what only one kind has is on its own type, see
/// ``type2``, ``type4`` and ``type5``. It is a value: it tells what was on the tag when it was read, and talks to the tag
/// only in the functions that take a channel.
public enum Tag: Hashable, Sendable {
  /// An NFC Forum Type 2 tag.
  case type2(Type2Tag)
  /// An NFC Forum Type 4 tag.
  case type4(Type4Tag)
  /// An NFC Forum Type 5 tag.
  case type5(Type5Tag)
  /// A MIFARE Classic, which is only read.
  case classic(ClassicTag)

  /// Identifies the tag on a channel and reads it up to the end of its NDEF message.
  ///
  /// - Parameters:
  ///   - channel: An activated tag.
  ///   - includingConfiguration: Also read what ``isLocked`` and ``isPasswordProtected`` need, if
  ///     that takes exchanges of its own.
  /// - Throws: ``TagError``: `tag-unsupported` for a tag of another kind, `tag-lost`,
  ///   `tag-changed`, `reader-failed`, `cancelled`. A tag that is not formatted for NDEF is no
  ///   error; ``content`` says so.
  public static func identify(
    over channel: some TagChannel, includingConfiguration: Bool = false
  ) async throws(TagError) -> Tag {
    if channel.target.technology == .iso15693 {
      return .type5(
        try await Type5Tag.identify(over: channel, includingConfiguration: includingConfiguration))
    }
    if channel.target.speaksISODEP {
      return .type4(
        try await Type4Tag.identify(over: channel, includingConfiguration: includingConfiguration))
    }
    if ClassicLayout(sak: channel.target.sak) != nil {
      return .classic(try await ClassicTag.identify(over: channel))
    }
    return .type2(
      try await Type2Tag.identify(over: channel, includingConfiguration: includingConfiguration))
  }

  /// The same tag under the name that it gives itself: one that was told by its pages is asked for its
  /// version, where the reader can ask.
  ///
  /// - Throws: ``TagError``: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  package func namedByItself(over channel: some TagChannel) async throws(TagError) -> Tag {
    guard case .type2(let tag) = self else { return self }
    return .type2(try await tag.readingVersion(over: channel))
  }

  /// The Type 2 tag; `nil` for a tag of another kind.
  public var type2: Type2Tag? { if case .type2(let tag) = self { tag } else { nil } }

  /// The Type 4 tag; `nil` for a tag of another kind.
  public var type4: Type4Tag? { if case .type4(let tag) = self { tag } else { nil } }

  /// The Type 5 tag; `nil` for a tag of another kind.
  public var type5: Type5Tag? { if case .type5(let tag) = self { tag } else { nil } }

  /// What its memory is written in: `page`, `piece` of a file, or `block`.
  package var pieceName: String {
    switch self {
    case .type2: "page"
    case .type5: "block"
    case .type4, .classic: "piece"
    }
  }

  /// Whether a password guards the message, or part of it, against reading, so that no phone finds it.
  package var hidesMessage: Bool {
    switch self {
    case .type2(let tag): tag.hidesMessage
    case .type5(let tag): tag.hidesMessage
    case .type4, .classic: false
    }
  }

  /// The capability container, if its read access is another than for everybody: phones then do not read
  /// the message, although this program can. `nil` for any other tag.
  package var containerThatDeniesReading: [UInt8]? {
    switch self {
    case .type2(let tag):
      tag.capabilityContainer.flatMap { $0.isNDEF && $0.readAccess != 0 ? $0.bytes : nil }
    case .type4(let tag):
      tag.capabilityContainer.flatMap { $0.readAccess != 0 ? $0.bytes : nil }
    case .type5(let tag):
      tag.capabilityContainer.flatMap { $0.readAccess != 0 ? $0.bytes : nil }
    case .classic: nil
    }
  }

  /// Whether writing the tag mends its capability container: that of a Type 5 tag, unless it is locked or says
  /// that it is.
  package var isContainerMended: Bool {
    guard case .type5(let tag) = self else { return false }
    return tag.capabilityContainer?.writeAccess != 3 && tag.lockedBlocks?.first != true
  }

  /// Throws for a tag that phones do not read by its capability container.
  ///
  /// - Parameter refused: What is not done to it, as a verb: `written`.
  func checkPhonesMayRead(before refused: String) throws(TagError) {
    guard let container = containerThatDeniesReading else { return }
    throw TagError(
      .notNDEF,
      "the capability container of \(name) \(uid.hexadecimal) denies reading "
        + "(\(container.hexadecimal)), so that no phone reads it; it was not \(refused)",
      hint: isContainerMended ? "write the tag first, which opens it" : "use another tag",
      page: type2 == nil ? nil : 3, uid: uid)
  }

  /// The tag as it answered when it was selected.
  package var target: TagTarget {
    switch self {
    case .type2(let tag): tag.target
    case .type4(let tag): tag.target
    case .type5(let tag): tag.target
    case .classic(let tag): tag.target
    }
  }

  /// The UID.
  public var uid: [UInt8] { target.uid }

  /// The product's name, for example `NTAG215`, or the kind's when the product is not known.
  public var name: String {
    switch self {
    case .type2(let tag): tag.name
    case .type4(let tag): tag.name
    case .type5(let tag): tag.name
    case .classic(let tag): tag.name
    }
  }

  /// The names of all products that are written, as ``name`` has them.
  public static let productNames =
    Type2Layout.all.map(\.name) + [Type2Layout.unknownName] + Type2Layout.twinNames
    + Type4Product.names + Type5Product.names

  /// What the tag holds.
  public var content: TagContent {
    switch self {
    case .type2(let tag): tag.content
    case .type4(let tag): tag.content
    case .type5(let tag): tag.content
    case .classic(let tag): tag.content
    }
  }

  /// Bytes of the longest message that fits; 0 when the tag is not formatted for NDEF and cannot
  /// be.
  public var capacity: Int {
    switch self {
    case .type2(let tag): tag.capacity
    case .type4(let tag): tag.capacity
    case .type5(let tag): tag.capacity
    case .classic(let tag): tag.capacity
    }
  }

  /// Bytes of the message the tag holds.
  public var used: Int {
    if case .message(let bytes) = content { return bytes.count }
    return 0
  }

  /// Whether the message can never be changed again. Complete when the tag was identified with its
  /// configuration.
  public var isLocked: Bool {
    switch self {
    case .type2(let tag): tag.isLocked
    case .type4(let tag): tag.isLocked
    case .type5(let tag): tag.isLocked
    case .classic(let tag): tag.isLocked
    }
  }

  /// Whether a password or key guards the message, or part of it; `nil` when that was not read.
  public var isPasswordProtected: Bool? {
    switch self {
    case .type2(let tag): tag.isPasswordProtected
    case .type4(let tag): tag.isPasswordProtected
    case .type5(let tag): tag.isPasswordProtected
    case .classic(let tag): tag.isPasswordProtected
    }
  }

  /// Why the tag is no NDEF tag or cannot be read, as a clause without subject; `nil` when the
  /// content says everything.
  package var problem: String? {
    switch self {
    case .type2: nil
    case .type5(let tag): tag.sizeProblem
    case .type4(let tag): tag.problem.isEmpty ? nil : tag.problem
    case .classic(let tag): tag.problem.isEmpty ? nil : tag.problem
    }
  }

  /// Checks that tags of this kind are written at all, whatever this one holds.
  ///
  /// - Throws: ``TagError`` with code `tag-unsupported`; `reader-unsupported` for a blank tag that does not say
  ///   through this reader how large it is.
  package func checkIsWritten() throws(TagError) {
    switch self {
    case .classic(let tag): throw tag.refusal
    case .type2(let tag) where tag.isToldByPages && content == .notNDEF:
      guard tag.memory[3]?.allSatisfy({ $0 == 0 }) == true else { return }
      throw TagError(
        .readerUnsupported,
        "\(name) \(uid.hexadecimal) is blank, and through this reader it does not say which product it "
          + "is and how large",
        hint:
          "use an ACR1252U, an ACR1552U, an ACR122U or another reader with a PN53x; or a tag that is "
          + "formatted, as every NTAG21x is", page: 3, uid: uid)
    case .type5(let tag) where tag.sizeProblem != nil && tag.isSizeUnasked:
      throw TagError(
        .readerUnsupported, "\(name) \(uid.hexadecimal): \(tag.sizeProblem ?? "")",
        hint:
          "use an ACR1552U or another reader that passes commands of ISO/IEC 15693 on"
          + (tag.isUnreadByReader ? "" : ", or a tag that is formatted"), page: 0, uid: uid)
    case .type2, .type4, .type5: return
    }
  }

  /// The message with zeros in place of the digits of a counter that the tag shows over it; `nil`
  /// when the tag holds no message.
  package var messageWithoutCounter: [UInt8]? {
    if case .type2(let tag) = self { return tag.messageWithoutCounter }
    if case .message(let bytes) = content { return bytes }
    return nil
  }

  /// Commands and selections it took to get here.
  package var exchanges: Int {
    switch self {
    case .type2(let tag): tag.exchanges
    case .type4(let tag): tag.exchanges
    case .type5(let tag): tag.exchanges
    case .classic(let tag): tag.exchanges
    }
  }
}

extension Tag {
  /// Plans to write a message, reading what that depends on. Nothing is written.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - channel: The tag.
  ///   - overwritingForeignData: Whether a tag that is not formatted and not blank may be
  ///     formatted. Whether a *message* may be replaced is the caller's decision; see ``content``.
  /// - Returns: The plan; ``WritePlan/isAlreadyCorrect`` when there is nothing to do.
  /// - Throws: ``TagError``: `not-ndef`, `tag-too-small`, `tag-locked`, `tag-password` (with the
  ///   page), `tag-unsupported`, `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func planWrite(
    _ message: NDEFMessage, over channel: some TagChannel, overwritingForeignData: Bool = false
  ) async throws(TagError) -> WritePlan {
    switch self {
    case .type2(let tag):
      try await tag.planWrite(
        message, over: channel, overwritingForeignData: overwritingForeignData)
    case .type4(let tag): try await tag.planWrite(message, over: channel)
    case .type5(let tag):
      try await tag.planWrite(
        message, over: channel, overwritingForeignData: overwritingForeignData)
    case .classic(let tag): throw tag.refusal
    }
  }

  /// Plans to write a message, with nothing shown over it; see
  /// ``Type2Tag/planWriteUnmirrored(_:over:overwritingForeignData:)``.
  ///
  /// - Throws: ``TagError`` as there.
  package func planWriteUnmirrored(
    _ message: NDEFMessage, over channel: some TagChannel, overwritingForeignData: Bool = false
  ) async throws(TagError) -> WritePlan {
    guard case .type2(let tag) = self else {
      return try await planWrite(
        message, over: channel, overwritingForeignData: overwritingForeignData)
    }
    return try await tag.planWriteUnmirrored(
      message, over: channel, overwritingForeignData: overwritingForeignData)
  }

  /// Plans to write a URL in which the tag fills in its UID or counter; see
  /// ``Type2Tag/planWrite(_:over:overwritingForeignData:)-(MirrorTemplate,_,_)``.
  ///
  /// - Throws: ``TagError`` as there; `tag-unsupported` for a tag that is no Type 2 tag.
  public func planWrite(
    _ template: MirrorTemplate, over channel: some TagChannel,
    overwritingForeignData: Bool = false
  ) async throws(TagError) -> WritePlan {
    guard case .type2(let tag) = self else {
      throw TagError(
        .tagUnsupported,
        "\(name) \(uid.hexadecimal) cannot fill in \(template.kind.placeholder) this way",
        hint: "use an NTAG213, NTAG215 or NTAG216", uid: uid)
    }
    return try await tag.planWrite(
      template, over: channel, overwritingForeignData: overwritingForeignData)
  }

  /// Plans to empty the NDEF message, reading what that depends on. Nothing is written.
  ///
  /// - Throws: ``TagError`` as `planWrite(_:over:overwritingForeignData:)`.
  public func planErase(over channel: some TagChannel) async throws(TagError) -> WritePlan {
    switch self {
    case .type2(let tag): try await tag.planErase(over: channel)
    case .type4(let tag): try await tag.planErase(over: channel)
    case .type5(let tag): try await tag.planErase(over: channel)
    case .classic(let tag): throw tag.refusal
    }
  }
}

extension Tag {
  /// Plans to lock the tag for good, reading what that depends on. Nothing is written.
  ///
  /// - Parameters:
  ///   - message: The message to keep, byte for byte as it was read and found to be right. The tag
  ///     has to hold it.
  ///   - channel: The tag.
  /// - Returns: The plan; ``LockPlan/isAlreadyLocked`` when there is nothing to write.
  /// - Throws: ``TagError``: `verify-failed` when the tag does not hold the message, `not-ndef` when its
  ///   capability container denies reading, `tag-password`
  ///   when a password or key that was not given closes it or hides the message from phones, `tag-locked`
  ///   when a lock bit that is needed is frozen open, `tag-unsupported` when nothing is known that locks
  ///   the tag, `reader-unsupported`, `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func planLock(
    of message: [UInt8], over channel: some TagChannel
  ) async throws(TagError) -> LockPlan {
    guard case .message(let held) = content, held == message else {
      throw TagError(
        .verifyFailed, "\(name) \(uid.hexadecimal) does not hold the message to be locked in",
        hint: "write the message first, and lock the tag when it has been read back", uid: uid)
    }
    try checkPhonesMayRead(before: "locked")
    return switch self {
    case .type2(let tag): try await tag.planLock(of: message, over: channel)
    case .type4(let tag): try await tag.planLock(of: message, over: channel)
    case .type5(let tag): try await tag.planLock(of: message, over: channel)
    case .classic(let tag): throw tag.refusal
    }
  }

  /// The pieces that locking would write, whatever the tag holds. For a look ahead; only
  /// ``planLock(of:over:)`` makes a plan.
  ///
  /// - Throws: As ``planLock(of:over:)``.
  package func lockSteps(
    over channel: some TagChannel
  ) async throws(TagError) -> [LockPlan.Step] {
    switch self {
    case .type2(let tag): try await tag.lockSteps(over: channel).steps
    case .type4(let tag): try await tag.lockSteps(over: channel).steps
    case .type5(let tag): try await tag.lockSteps(over: channel).steps
    case .classic(let tag): throw tag.refusal
    }
  }

  /// Whether the message's memory is locked for good, all of it: a lock that was begun is none.
  package var isLockedWhole: Bool {
    switch self {
    case .type2(let tag): tag.lockState == .permanent
    case .type5(let tag): tag.isLockedWhole
    case .type4, .classic: isLocked
    }
  }
}

/// What a tag holds, as far as it could be read.
public enum TagContent: Hashable, Sendable {
  /// No capability container yet; the tag can be formatted. `holdsData` when its memory is not
  /// blank, so that formatting would overwrite something.
  case unformatted(holdsData: Bool)
  /// The tag is not one of NDEF and cannot become one here.
  case notNDEF
  /// Formatted, but without an NDEF message TLV and without other data.
  case noMessage
  /// Formatted, without an NDEF message TLV, but holding what is not NDEF: a TLV block of unknown
  /// kind, one that runs past the data area, or bytes behind the terminator. The page is where
  /// it begins, on a tag that has pages.
  case otherData(page: Int?)
  /// An NDEF message of length 0: prepared, and holding zero bytes. (A message that holds
  /// `D0 00 00` is a ``message(_:)``.)
  case empty
  /// The bytes of the NDEF message, which may or may not be a valid one.
  case message([UInt8])
  /// An NDEF message that runs past the memory for it, as a writer leaves it that publishes the
  /// length first and is then interrupted. The page is where the message begins, on a tag that has
  /// pages.
  case torn(page: Int?)
  /// Memory that is needed cannot be read; a password or key guards it. The page is the one that
  /// refused, on a tag that has pages.
  case unreadable(page: Int?)
}
