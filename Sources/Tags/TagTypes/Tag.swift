import CliptagBasics
public import NDEF

/// A tag of any supported type, identified and read.
///
/// The common properties of all types are here; those of a single type are on that type, see
/// ``type2``, ``type4`` and ``type5``. This is a value: it describes the tag at the time of the
/// reading, and communicates with the tag only in the functions that take a channel.
public enum Tag: Hashable, Sendable {
  /// An NFC Forum Type 2 tag.
  case type2(Type2Tag)
  /// An NFC Forum Type 4 tag.
  case type4(Type4Tag)
  /// An NFC Forum Type 5 tag.
  case type5(Type5Tag)

  /// Identifies the tag on a channel and reads it up to the end of its NDEF message.
  ///
  /// - Parameters:
  ///   - channel: An activated tag.
  ///   - includingConfiguration: Pass `true` to read the data for ``isLocked`` and
  ///     ``isPasswordProtected`` too, if that takes separate exchanges.
  /// - Throws: ``TagError``: `tag-unsupported` for a tag of another type, `tag-lost`,
  ///   `tag-changed`, `reader-failed`, `cancelled`. A tag that is not formatted for NDEF is not an
  ///   error; ``content`` reports it.
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
    return .type2(
      try await Type2Tag.identify(over: channel, includingConfiguration: includingConfiguration))
  }

  /// Returns the same tag with its own name: a tag identified by its pages is asked for its
  /// version, if the reader supports that.
  ///
  /// - Throws: ``TagError``: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  package func namedByItself(over channel: some TagChannel) async throws(TagError) -> Tag {
    guard case .type2(let tag) = self else { return self }
    return .type2(try await tag.readingVersion(over: channel))
  }

  /// The Type 2 tag; `nil` for a tag of another type.
  public var type2: Type2Tag? { if case .type2(let tag) = self { tag } else { nil } }

  /// The Type 4 tag; `nil` for a tag of another type.
  public var type4: Type4Tag? { if case .type4(let tag) = self { tag } else { nil } }

  /// The Type 5 tag; `nil` for a tag of another type.
  public var type5: Type5Tag? { if case .type5(let tag) = self { tag } else { nil } }

  /// The unit in which its memory is written: `page`, `piece` of a file, or `block`.
  package var pieceName: String {
    switch self {
    case .type2: "page"
    case .type5: "block"
    case .type4: "piece"
    }
  }

  /// A Boolean value that indicates whether a password protects the message, or part of it, against
  /// reading, so that no phone finds it.
  package var hidesMessage: Bool {
    switch self {
    case .type2(let tag): tag.hidesMessage
    case .type5(let tag): tag.hidesMessage
    case .type4: false
    }
  }

  /// The capability container, if it restricts read access: phones then do not read the message,
  /// although this program can. `nil` for any other tag.
  package var containerThatDeniesReading: [UInt8]? {
    switch self {
    case .type2(let tag):
      tag.capabilityContainer.flatMap { $0.isNDEF && $0.readAccess != 0 ? $0.bytes : nil }
    case .type4(let tag):
      tag.capabilityContainer.flatMap { $0.readAccess != 0 ? $0.bytes : nil }
    case .type5(let tag):
      tag.capabilityContainer.flatMap { $0.readAccess != 0 ? $0.bytes : nil }
    }
  }

  /// A Boolean value that indicates whether writing the tag mends its capability container: that of
  /// a Type 5 tag, unless it is locked or marked as locked.
  package var isContainerMended: Bool {
    guard case .type5(let tag) = self else { return false }
    return tag.capabilityContainer?.writeAccess != 3 && tag.lockedBlocks?.first != true
  }

  /// Throws for a tag that phones do not read because of its capability container.
  ///
  /// - Parameter refused: The refused action, as a verb: `written`.
  func checkPhonesMayRead(before refused: String) throws(TagError) {
    guard let container = containerThatDeniesReading else { return }
    throw TagError(
      .notNDEF,
      "the capability container of \(name) \(uid.hexadecimal) denies reading "
        + "(\(container.hexadecimal)), so phones cannot read it; it was not \(refused)",
      hint: isContainerMended ? "write the tag first, which permits reading" : "use another tag",
      page: type2 == nil ? nil : 3, uid: uid)
  }

  /// The tag's description from its selection.
  package var target: TagTarget {
    switch self {
    case .type2(let tag): tag.target
    case .type4(let tag): tag.target
    case .type5(let tag): tag.target
    }
  }

  /// The UID.
  public var uid: [UInt8] { target.uid }

  /// The product's name, for example `NTAG215`, or that of the type if the product is unknown.
  public var name: String {
    switch self {
    case .type2(let tag): tag.name
    case .type4(let tag): tag.name
    case .type5(let tag): tag.name
    }
  }

  /// The names of all writable products, as in ``name``.
  public static let productNames =
    Type2Layout.all.map(\.name) + Type2NamedProduct.all.map(\.name) + [Type2Layout.unknownName]
    + Type2Layout.twinNames
    + Type4Product.names + Type5Product.names

  /// The content of the tag.
  public var content: TagContent {
    switch self {
    case .type2(let tag): tag.content
    case .type4(let tag): tag.content
    case .type5(let tag): tag.content
    }
  }

  /// The length of the longest message that fits, in bytes; 0 if the tag is not formatted for NDEF
  /// and cannot be.
  public var capacity: Int {
    switch self {
    case .type2(let tag): tag.capacity
    case .type4(let tag): tag.capacity
    case .type5(let tag): tag.capacity
    }
  }

  /// The length of the message on the tag, in bytes.
  public var used: Int {
    if case .message(let bytes) = content { return bytes.count }
    return 0
  }

  /// A Boolean value that indicates whether the message can never be changed again. Complete if the
  /// tag was identified with its configuration.
  public var isLocked: Bool {
    switch self {
    case .type2(let tag): tag.isLocked
    case .type4(let tag): tag.isLocked
    case .type5(let tag): tag.isLocked
    }
  }

  /// A Boolean value that indicates whether a password or key protects the message, or part of it;
  /// `nil` if that was not read.
  public var isPasswordProtected: Bool? {
    switch self {
    case .type2(let tag): tag.isPasswordProtected
    case .type4(let tag): tag.isPasswordProtected
    case .type5(let tag): tag.isPasswordProtected
    }
  }

  /// The reason why the tag is not an NDEF tag or cannot be read, as a clause without subject;
  /// `nil` if the content is a sufficient description.
  package var problem: String? {
    switch self {
    case .type2: nil
    case .type5(let tag): tag.sizeProblem
    case .type4(let tag): tag.problem.isEmpty ? nil : tag.problem
    }
  }

  /// Checks that tags of this type are writable, regardless of the content.
  ///
  /// - Throws: ``TagError`` with code `tag-unsupported`; `reader-unsupported` for a blank tag whose
  ///   size cannot be determined through this reader.
  package func checkIsWritten() throws(TagError) {
    switch self {
    case .type2(let tag) where tag.isToldByPages && content == .notNDEF:
      guard tag.memory[3]?.allSatisfy({ $0 == 0 }) == true else { return }
      throw TagError(
        .readerUnsupported,
        "\(name) \(uid.hexadecimal) is blank, and this reader cannot determine its product "
          + "and size",
        hint:
          "use an ACR1252U, an ACR1552U, an ACR122U or another reader with a PN53x; or a tag that is "
          + "formatted, such as an NTAG21x", page: 3, uid: uid)
    case .type5(let tag) where tag.sizeProblem != nil && tag.isSizeUnasked:
      throw TagError(
        .readerUnsupported, "\(name) \(uid.hexadecimal): \(tag.sizeProblem ?? "")",
        hint:
          "use an ACR1552U or another reader that passes ISO/IEC 15693 commands"
          + (tag.isUnreadByReader ? "" : ", or a tag that is formatted"), page: 0, uid: uid)
    case .type2, .type4, .type5: return
    }
  }

  /// The message with zeros in place of the digits of a mirrored counter; `nil` if the tag holds no
  /// message.
  package var messageWithoutCounter: [UInt8]? {
    if case .type2(let tag) = self { return tag.messageWithoutCounter }
    if case .message(let bytes) = content { return bytes }
    return nil
  }

  /// The number of commands and selections used so far.
  package var exchanges: Int {
    switch self {
    case .type2(let tag): tag.exchanges
    case .type4(let tag): tag.exchanges
    case .type5(let tag): tag.exchanges
    }
  }
}

extension Tag {
  /// Plans to write a message, reading the data on which that depends. Nothing is written.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - channel: The tag.
  ///   - overwritingForeignData: Pass `true` to format a tag that is neither formatted nor blank.
  ///     The caller decides whether to replace a *message*; see ``content``.
  /// - Returns: The plan; ``WritePlan/isAlreadyCorrect`` if there is nothing to do.
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
    }
  }

  /// Plans to write a message without a mirror over it; see
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
  /// - Throws: ``TagError`` as there; `tag-unsupported` for a tag that is not a Type 2 tag.
  public func planWrite(
    _ template: MirrorTemplate, over channel: some TagChannel,
    overwritingForeignData: Bool = false
  ) async throws(TagError) -> WritePlan {
    guard case .type2(let tag) = self else {
      throw TagError(
        .tagUnsupported,
        "\(name) \(uid.hexadecimal) cannot fill in \(template.kind.placeholder)",
        hint: "use an NTAG213, NTAG215 or NTAG216", uid: uid)
    }
    return try await tag.planWrite(
      template, over: channel, overwritingForeignData: overwritingForeignData)
  }

  /// Plans to empty the NDEF message, reading the data on which that depends. Nothing is written.
  ///
  /// - Throws: ``TagError`` as `planWrite(_:over:overwritingForeignData:)`.
  public func planErase(over channel: some TagChannel) async throws(TagError) -> WritePlan {
    switch self {
    case .type2(let tag): try await tag.planErase(over: channel)
    case .type4(let tag): try await tag.planErase(over: channel)
    case .type5(let tag): try await tag.planErase(over: channel)
    }
  }
}

extension Tag {
  /// Plans to lock the tag permanently, reading the data on which that depends. Nothing is written.
  ///
  /// - Parameters:
  ///   - message: The message to keep, byte for byte as read and verified. The tag must hold it.
  ///   - channel: The tag.
  /// - Returns: The plan; ``LockPlan/isAlreadyLocked`` if there is nothing to write.
  /// - Throws: ``TagError``: `verify-failed` if the tag does not hold the message, `not-ndef` if
  ///   its capability container denies reading, `tag-password` if a password or key that was not
  ///   given closes it or hides the message from phones, `tag-locked` if a required lock bit is
  ///   frozen open, `tag-unsupported` if no method of locking the tag is known,
  ///   `reader-unsupported`, `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func planLock(
    of message: [UInt8], over channel: some TagChannel
  ) async throws(TagError) -> LockPlan {
    try checkLockable(message)
    return switch self {
    case .type2(let tag): try await tag.planLock(of: message, over: channel)
    case .type4(let tag): try await tag.planLock(of: message, over: channel)
    case .type5(let tag): try await tag.planLock(of: message, over: channel)
    }
  }

  /// Checks that the tag holds the message to be locked, and that phones read it.
  package func checkLockable(_ message: [UInt8]) throws(TagError) {
    guard case .message(let held) = content, held == message else {
      throw TagError(
        .verifyFailed, "\(name) \(uid.hexadecimal) does not contain the message to lock",
        hint: "write the message first, and lock the tag after the read-back", uid: uid)
    }
    try checkPhonesMayRead(before: "locked")
  }

  /// The pieces that locking would write, regardless of the content, and doubts about it. For a
  /// preview; only ``planLock(of:over:)`` makes a plan.
  ///
  /// - Throws: As ``planLock(of:over:)``.
  package func lockSteps(
    over channel: some TagChannel
  ) async throws(TagError) -> (steps: [LockPlan.Step], notes: [String]) {
    switch self {
    case .type2(let tag): return (try await tag.lockSteps(over: channel).steps, [])
    case .type4(let tag): return (try await tag.lockSteps(over: channel).steps, [])
    case .type5(let tag):
      let (read, steps) = try await tag.lockSteps(over: channel)
      return (steps, read.lockDoubt(about: steps).map { [$0] } ?? [])
    }
  }

  /// Checks that a Type 2 tag of no known product permits writing to the pieces of a lock, by
  /// writing them with their present content. Other tags are not tried.
  ///
  /// - Throws: ``TagError``: `tag-unsupported`, `tag-lost`, `tag-changed`, `reader-failed`,
  ///   `cancelled`.
  package func checkLockBytes(
    of steps: [LockPlan.Step], over channel: some TagChannel
  ) async throws(TagError) {
    if case .type2(let tag) = self { try await tag.checkLockBytes(of: steps, over: channel) }
  }

  /// A Boolean value that indicates whether all of the message's memory is locked permanently; an
  /// incomplete lock does not count.
  package var isLockedWhole: Bool {
    switch self {
    case .type2(let tag): tag.lockState == .permanent
    case .type5(let tag): tag.isLockedWhole
    case .type4: isLocked
    }
  }
}

/// The content of a tag, as far as it is readable.
public enum TagContent: Hashable, Sendable {
  /// There is no capability container yet; the tag can be formatted. `holdsData` if its memory is
  /// not blank, so that formatting would overwrite data.
  case unformatted(holdsData: Bool)
  /// The tag is not an NDEF tag and cannot become one here.
  case notNDEF
  /// The tag is formatted, but has neither an NDEF message TLV nor other data.
  case noMessage
  /// The tag is formatted, without an NDEF message TLV, but has data that is not NDEF: a TLV block
  /// of unknown type, one that extends past the data area, or bytes after the terminator. The page
  /// is its beginning, on a tag that has pages.
  case otherData(page: Int?)
  /// An NDEF message of length 0: the tag is prepared, and holds zero bytes. (A message `D0 00 00`
  /// is a ``message(_:)``.)
  case empty
  /// The bytes of the NDEF message, which may or may not be a valid one.
  case message([UInt8])
  /// An NDEF message that extends past its memory, as left by an interrupted writer that publishes
  /// the length first. The page is the beginning of the message, on a tag that has pages.
  case torn(page: Int?)
  /// Required memory is unreadable, because a password or key protects it. The page is the one that
  /// refused, on a tag that has pages.
  case unreadable(page: Int?)
}
