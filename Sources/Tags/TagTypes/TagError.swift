public import CliptagBasics

/// The reason why work on a tag failed, and the next step.
public struct TagError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The kind of failure. The names are those of the command's JSON and never change meaning.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let noTag = Self("no-tag", .nothingFound, "No tag was found before the time-out.")
    public static let tagLost = Self(
      "tag-lost", .exchangeFailed, "The tag was removed before the first write.")
    public static let tagChanged = Self(
      "tag-changed", .exchangeFailed,
      "Another tag responded instead of the one that was read; nothing was written to it.")
    public static let tagLocked = Self(
      "tag-locked", .tagLocked, "The tag, or a page to be changed, is permanently locked.")
    public static let tagPassword = Self(
      "tag-password", .tagLocked,
      "The tag is password-protected, or refused the given password.")
    public static let keysDoNotFit = Self(
      "keys-do-not-fit", .tagLocked,
      "The tag has other keys than those of the key file and the factory; nothing was changed.")
    public static let tagTooSmall = Self(
      "tag-too-small", .exchangeFailed, "The message does not fit on the tag.")
    public static let tagUnsupported = Self(
      "tag-unsupported", .exchangeFailed,
      "The kind of tag is not supported for this operation.")
    public static let readerUnsupported = Self(
      "reader-unsupported", .unavailable, "The reader cannot pass a required command.")
    public static let notNDEF = Self(
      "not-ndef", .exchangeFailed, "The tag is not formatted for NDEF and cannot be formatted.")
    public static let writeRefused = Self(
      "write-refused", .exchangeFailed, "The tag refused to write a page that is not locked.")
    public static let verifyFailed = Self(
      "verify-failed", .exchangeFailed, "A page read back differs from the written one.")
    public static let tornWrite = Self(
      "torn-write", .exchangeFailed,
      "The tag was removed during a write; its message is old, empty or new: write again.")
    public static let dumpMismatch = Self(
      "dump-mismatch", .notAccepted,
      "The dump is of another tag type, or lacks required pages.")
    public static let mirroredText = Self(
      "mirrored-text", .notAccepted,
      "A mirror of the tag or in the dump would change the restored text.")
    public static let readerFailed = Self(
      "reader-failed", .exchangeFailed, "The reader stopped responding during work on a tag.")
    public static let cancelled = Self("cancelled", .interrupted, "The operation was stopped.")

    public static let all: [Self] = [
      .noTag, .tagLost, .tagChanged, .tagLocked, .tagPassword, .keysDoNotFit, .tagTooSmall,
      .tagUnsupported,
      .readerUnsupported, .notNDEF, .writeRefused, .verifyFailed, .tornWrite, .dumpMismatch,
      .mirroredText, .readerFailed, .cancelled,
    ]
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence with the fault and its place.
  public let message: String
  /// One sentence with the next step.
  public let advice: Hint
  /// The next step in the library's wording.
  public var hint: String { advice.text }
  /// The affected page, if any.
  public let page: Int?
  /// The affected offset in a Type 4 tag's NDEF file, if any.
  public let offset: Int?
  /// The tag's UID, if known.
  public let uid: [UInt8]?
  /// The channel's error, if it caused the failure.
  public let underlying: TagChannelError?

  /// Makes an error of clauses, which become sentences.
  package init(
    _ code: Code, _ message: String, hint: Hint, page: Int? = nil, offset: Int? = nil,
    uid: [UInt8]? = nil, underlying: TagChannelError? = nil
  ) {
    self.code = code
    self.message = message.asSentence
    advice = hint.asSentence
    self.page = page
    self.offset = offset
    self.uid = uid
    self.underlying = underlying
  }

  /// Makes the error for a failure of the channel before anything was written.
  package init(_ error: TagChannelError, uid: [UInt8]) {
    let tag = "tag \(uid.hexadecimal)"
    switch error.code {
    case .tagLost:
      self.init(
        .tagLost, "\(tag) was removed from the reader; nothing was written",
        hint: "hold the tag still on the reader and run the command again", uid: uid,
        underlying: error)
    case .tagChanged:
      self.init(
        .tagChanged, "another tag responded instead of \(tag); nothing was written to it",
        hint: "leave one tag on the reader and run the command again", uid: uid,
        underlying: error)
    case .wrongPassword:
      self.init(
        .tagPassword, "\(tag) refused the password; nothing was written",
        hint: "check the password; a tag can lock permanently after a few wrong ones", uid: uid,
        underlying: error)
    case .notCarried:
      self.init(
        .readerUnsupported, "this reader does not support \(tag): \(error.message)",
        hint: "use an ACR1252U, an ACR1552U, an ACR122U or another reader with a PN53x", uid: uid,
        underlying: error)
    case .cancelled:
      self.init(
        .cancelled, "stopped; nothing was written to \(tag)",
        hint: "run the command again to continue", uid: uid, underlying: error)
    default:
      self.init(
        .readerFailed, "the reader failed on \(tag): \(error.message)",
        hint: "check the reader's cable, then run the command again", uid: uid,
        underlying: error)
    }
  }
}

extension TagError {
  /// The same error with a clause added to its sentence.
  func adding(_ clause: String) -> TagError {
    let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
    return TagError(
      code, "\(sentence); \(clause)", hint: advice, page: page, offset: offset, uid: uid,
      underlying: underlying)
  }

  /// The remedy for a page that a password protects.
  package static let givePassword: Hint = "\(.givePassword)"
}
