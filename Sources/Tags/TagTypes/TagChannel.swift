/// One activated tag, on any type of reader.
///
/// Code above this protocol works the same on a real reader, on a simulated one and in a test.
public protocol TagChannel: Sendable {
  /// The tag's description from its selection.
  var target: TagTarget { get }

  /// The maximum length of a response in bytes, without CRC; 240 unless a reader carries less (an
  /// ACR122U, for instance). At least 16, the response to READ.
  var maximumAnswerByteCount: Int { get }

  /// A Boolean value that indicates whether the tag's password is given after every selection, so
  /// that the protected pages are open; `false` unless the channel is an ``AuthenticatedChannel``.
  var isAuthenticated: Bool { get }

  /// Sends one command of the tag's command set and returns the response without its CRC.
  ///
  /// The channel knows which commands the reader frames and which are sent unchanged; a caller only
  /// passes the bytes of the data sheet (`30 04`, `A2 04 …`, `60`, `3A 00 07`).
  ///
  /// For a tag of ISO/IEC 14443-4 (``TagTarget/speaksISODEP``) a command is an APDU, and an APDU
  /// that ends in an error status word is a normal response. For a tag of ISO/IEC 15693 it is the
  /// command and its parameters, without flags and UID (`20` and the block), and the response has
  /// no flags.
  ///
  /// - Parameter command: The command without CRC.
  /// - Returns: The response; empty if the tag answered with an acknowledgement only. That of an
  ///   APDU ends with its status word.
  /// - Throws: ``TagChannelError``. After ``TagChannelError/Code-swift.struct/refused`` the channel
  ///   has already selected the same tag again, because a tag is mute after a NAK. All selections
  ///   and authentications on it are lost: applications and files must be selected again, and
  ///   password-protected pages authenticated again.
  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8]

  /// Sends one command to a tag of ISO/IEC 15693 with the OPTION flag set in the request, with
  /// which some tags (TI's) write and lock blocks (ISO/IEC 15693-3, sections 10.4.2 and 10.4.3).
  ///
  /// - Throws: As ``exchange(_:)``; `.notCarried` if the reader frames the command and cannot set
  ///   the flag.
  func exchangeWithOption(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8]

  /// Selects the same tag again.
  ///
  /// Afterwards nothing is selected or authenticated on it. A tag with a random UID
  /// (``TagTarget/hasRandomUID``) is deselected instead of being reset, because it would return
  /// with another UID and be indistinguishable from another tag; if it returns with another UID
  /// nevertheless, that is `.tagChanged`.
  ///
  /// - Parameter fieldCycle: Pass `true` to switch the field off first, which resets the tag.
  /// - Throws: ``TagChannelError``: `.tagLost` if no tag answers, `.tagChanged` if another tag
  ///   does.
  func reselect(fieldCycle: Bool) async throws(TagChannelError)
}

extension TagChannel {
  /// 240 bytes: a PN532 passes on at most 262 with its header, and 60 whole pages are 240.
  public var maximumAnswerByteCount: Int { 240 }

  /// `false`: no password is given.
  public var isAuthenticated: Bool { false }

  /// Throws `.notCarried`: the flag is not carried.
  public func exchangeWithOption(
    _ command: [UInt8]
  ) async throws(TagChannelError) -> [UInt8] {
    throw TagChannelError(.notCarried, "the reader does not carry the OPTION flag to a tag")
  }
}

/// The radio technology of a reader and a tag.
public enum TagTechnology: Hashable, Sendable {
  /// ISO/IEC 14443 type A: NFC Forum Type 2 and Type 4.
  case typeA
  /// ISO/IEC 15693, vicinity cards: NFC Forum Type 5.
  case iso15693
}

/// The description of a tag from its selection.
public struct TagTarget: Hashable, Sendable {
  /// The radio technology.
  public let technology: TagTechnology
  /// ATQA, high byte first (`00 44` for NTAG).
  public let atqa: [UInt8]
  /// Select acknowledge.
  public let sak: UInt8
  /// The UID: 4, 7 or 10 bytes; 8 for an ISO/IEC 15693 tag, `E0` first.
  public let uid: [UInt8]
  /// The answer to select, without its length byte; empty for a Type 2 tag.
  public let ats: [UInt8]

  /// Makes a target.
  public init(atqa: [UInt8], sak: UInt8, uid: [UInt8], ats: [UInt8] = []) {
    technology = .typeA
    self.atqa = atqa
    self.sak = sak
    self.uid = uid
    self.ats = ats
  }

  /// Makes the target of an ISO/IEC 15693 tag, which has neither ATQA nor SAK.
  ///
  /// - Parameter vicinityUID: Eight bytes, `E0` first.
  public init(vicinityUID: [UInt8]) {
    technology = .iso15693
    (atqa, sak, uid, ats) = ([], 0, vicinityUID, [])
  }
}

/// The reason why an exchange with a tag failed.
public struct TagChannelError: Error, Hashable, Sendable {
  /// The kind of failure.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name, for logs.
    public let rawValue: String
    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The tag answered with a NAK, did not answer an unknown command or an APDU, or did not accept
    /// a key; it is still present and has been selected again.
    public static let refused = Code(rawValue: "refused")
    /// The reader cannot send this command to a tag. Nothing was sent, and the tag's state has not
    /// changed.
    public static let notCarried = Code(rawValue: "not-carried")
    /// No tag answers any more.
    public static let tagLost = Code(rawValue: "tag-lost")
    /// Another tag answers.
    public static let tagChanged = Code(rawValue: "tag-changed")
    /// The reader itself failed or went away.
    public static let readerFailed = Code(rawValue: "reader-failed")
    /// The tag did not accept the password.
    public static let wrongPassword = Code(rawValue: "wrong-password")
    /// The caller's task was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
  }

  /// The kind of failure.
  public let code: Code
  /// A description of the failure, for people.
  public let message: String
  /// The error code in a refusal by a tag of ISO/IEC 15693 (ISO/IEC 15693-3, section 7.4.2); `nil`
  /// if the tag gave none, or the reader does not pass it on.
  package let refusal: UInt8?

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.init(code, message, refusal: nil)
  }

  /// Makes an error with the code of a tag's refusal.
  package init(_ code: Code, _ message: String, refusal: UInt8?) {
    (self.code, self.message, self.refusal) = (code, message, refusal)
  }
}

extension TagTarget {
  /// A Boolean value that indicates whether the tag supports ISO/IEC 14443-4 (ISO-DEP), so that
  /// commands are APDUs: bit 6 of the SAK (ISO/IEC 14443-3, table 9).
  public var speaksISODEP: Bool { sak & 0x20 != 0 }

  /// A Boolean value that indicates whether the UID is random, generated at each power-up: four
  /// bytes, the first of them `08` (ISO/IEC 14443-3, 6.5.4).
  ///
  /// Such a tag is indistinguishable from another one of its product once the field has been off.
  public var hasRandomUID: Bool { uid.count == 4 && uid[0] == 0x08 }
}
