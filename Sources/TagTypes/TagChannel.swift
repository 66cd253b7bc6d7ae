/// One activated tag, as whatever reader holds it presents it.
///
/// Everything above this protocol works the same on a real reader, on a simulated one and in a
/// test.
public protocol TagChannel: Sendable {
  /// The tag as it answered when it was selected.
  var target: TagTarget { get }

  /// The most bytes an answer may have, without CRC; 240 unless a reader carries less (an
  /// ACR122U, for instance). At least 16, the answer to READ.
  var maximumAnswerByteCount: Int { get }

  /// Whether the tag's password is given after every selection, so that pages it guards are open;
  /// `false` unless the channel is an ``AuthenticatedChannel``.
  var isAuthenticated: Bool { get }

  /// Sends one command of the tag's own command set and returns the answer without its CRC.
  ///
  /// The channel knows which commands the reader frames itself and which go out as they are; a
  /// caller only names the bytes of the data sheet (`30 04`, `A2 04 …`, `60`, `3A 00 07`).
  ///
  /// To a tag of ISO/IEC 14443-4 (``TagTarget/speaksISODEP``) a command is an APDU, and an APDU that
  /// ends in an error status word is an answer like any other. To a MIFARE Classic it is `60` or `61`,
  /// block, key, UID (AUTH, answered with nothing) or `30`, block (READ). To a tag of ISO/IEC 15693 it is
  /// the command and what follows it, without flags and UID (`20` and the block), and the answer comes
  /// without flags.
  ///
  /// - Parameter command: The command without CRC.
  /// - Returns: The answer; empty when the tag answered with an acknowledgement only. That of an
  ///   APDU ends with its status word.
  /// - Throws: ``TagChannelError``. After ``TagChannelError/Code-swift.struct/refused`` the channel
  ///   has already selected the same tag again, because a tag is mute after a NAK. What had been
  ///   selected or opened on it is gone: applications and files have to be selected again, sectors
  ///   and password-protected pages to be authenticated again.
  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8]

  /// Selects the same tag again.
  ///
  /// Afterwards nothing is selected or authenticated on it. A tag with a random UID
  /// (``TagTarget/hasRandomUID``) is deselected instead of being reset, because it would come back
  /// with another UID and could not be told from another tag; if it comes back with another one all
  /// the same, that is `.tagChanged`.
  ///
  /// - Parameter fieldCycle: Whether the field is switched off first, which resets the tag.
  /// - Throws: ``TagChannelError``: `.tagLost` when nothing answers, `.tagChanged` when another
  ///   tag does.
  func reselect(fieldCycle: Bool) async throws(TagChannelError)
}

extension TagChannel {
  /// 240 bytes: a PN532 passes on at most 262 with its own header, and 60 whole pages are 240.
  public var maximumAnswerByteCount: Int { 240 }

  /// No password is given.
  public var isAuthenticated: Bool { false }
}

/// How a reader and a tag talk.
public enum TagTechnology: Hashable, Sendable {
  /// ISO/IEC 14443 type A: NFC Forum Type 2 and Type 4, MIFARE Classic.
  case typeA
  /// ISO/IEC 15693, vicinity cards: NFC Forum Type 5.
  case iso15693
}

/// What a tag says of itself when it is selected.
public struct TagTarget: Hashable, Sendable {
  /// How it talks.
  public let technology: TagTechnology
  /// ATQA, high byte first (`00 44` for NTAG).
  public let atqa: [UInt8]
  /// Select acknowledge.
  public let sak: UInt8
  /// UID: 4, 7 or 10 bytes; 8 of an ISO/IEC 15693 tag, `E0` first.
  public let uid: [UInt8]
  /// Answer to select, without its length byte; empty for a Type 2 tag.
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

/// Why an exchange with a tag failed.
public struct TagChannelError: Error, Hashable, Sendable {
  /// The kind of failure.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name, for logs.
    public let rawValue: String
    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The tag answered with a NAK, did not answer a command it does not know or an APDU, or did
    /// not accept a key; it is still there and has been selected again.
    public static let refused = Code(rawValue: "refused")
    /// The reader has no way to send this command to a tag. Nothing was sent, and what the tag had
    /// open or selected is as it was.
    public static let notCarried = Code(rawValue: "not-carried")
    /// No tag answers any more.
    public static let tagLost = Code(rawValue: "tag-lost")
    /// Another tag answers.
    public static let tagChanged = Code(rawValue: "tag-changed")
    /// The reader itself failed or went away.
    public static let readerFailed = Code(rawValue: "reader-failed")
    /// The tag did not take the password.
    public static let wrongPassword = Code(rawValue: "wrong-password")
    /// The caller's task was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
  }

  /// The kind of failure.
  public let code: Code
  /// What happened, for a person.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension TagTarget {
  /// Whether the tag speaks ISO/IEC 14443-4 (ISO-DEP), so that commands are APDUs: bit 6 of the SAK
  /// (ISO/IEC 14443-3, table 9).
  public var speaksISODEP: Bool { sak & 0x20 != 0 }

  /// Whether the UID is a random one, which the tag makes anew each time it is powered: four bytes,
  /// the first of them `08` (ISO/IEC 14443-3, 6.5.4).
  ///
  /// Such a tag cannot be told from another one of its kind once the field has been off.
  public var hasRandomUID: Bool { uid.count == 4 && uid[0] == 0x08 }
}
