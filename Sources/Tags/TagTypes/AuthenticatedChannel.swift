import CliptagBasics

/// A tag channel that gives the tag's password after every selection.
///
/// A Type 2 tag loses its authentication at every selection, and it is selected again after every
/// refusal; the channel therefore gives the password at once after it selected the tag again. The
/// acknowledgement (PACK) is compared each time, unless it is unknown.
///
/// A refused password is never repeated: a tag whose AUTHLIM is not 0 counts wrong passwords, and
/// permanently closes the protected pages when the count is reached (NTAG21x data sheet, rev. 3.2,
/// section 8.8.2). A correct password resets the count.
///
/// Without a password the channel passes everything on unchanged.
public struct AuthenticatedChannel<Base: TagChannel>: TagChannel {
  /// The channel without the password.
  package let base: Base
  /// The password to give; `nil` if the tag needs none.
  let password: TagPassword?
  /// The passwords of an ICODE SLIX2 for which it is given.
  private let kinds: [VicinityPassword]
  /// The caller's passwords for a tag that needs none at present: an ICODE SLIX2 requires its
  /// present password before it accepts another one, even if that protects nothing.
  private(set) var offered: [TagPassword] = []

  /// Makes a channel that gives no password.
  public init(withoutPassword base: Base) {
    self.base = base
    password = nil
    kinds = []
  }

  private init(_ base: Base, _ password: TagPassword, _ kinds: [VicinityPassword]) {
    self.base = base
    self.password = password
    self.kinds = kinds
  }

  /// The tag's description from its selection.
  public var target: TagTarget { base.target }

  /// The limit of the underlying channel.
  public var maximumAnswerByteCount: Int { base.maximumAnswerByteCount }

  /// A Boolean value that indicates whether a password is given.
  public var isAuthenticated: Bool { password != nil || base.isAuthenticated }

  /// Sends one command. After a refusal the tag was selected again, so the password is given again.
  public func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    try await opening { () async throws(TagChannelError) in try await base.exchange(command) }
  }

  /// Sends one command with the OPTION flag, in the same way.
  public func exchangeWithOption(
    _ command: [UInt8]
  ) async throws(TagChannelError) -> [UInt8] {
    try await opening { () async throws(TagChannelError) in
      try await base.exchangeWithOption(command)
    }
  }

  private func opening(
    _ exchange: () async throws(TagChannelError) -> [UInt8]
  ) async throws(TagChannelError) -> [UInt8] {
    do throws(TagChannelError) {
      return try await exchange()
    } catch {
      if error.code == .refused { try await authenticate() }
      throw error
    }
  }

  /// Selects the same tag again and gives the password.
  public func reselect(fieldCycle: Bool) async throws(TagChannelError) {
    try await base.reselect(fieldCycle: fieldCycle)
    try await authenticate()
  }

  /// Sends PWD_AUTH (NTAG21x data sheet, section 10.7), or for an ICODE SLIX2 GET RANDOM NUMBER and
  /// SET PASSWORD with the write password (SL2S2602 data sheet, sections 8.5.3.9 and 8.5.3.10).
  private func authenticate() async throws(TagChannelError) {
    guard let password else { return }
    if target.technology == .iso15693 {
      for kind in kinds where try await !kind.give(password.password, to: base) {
        throw TagChannelError(.wrongPassword, "the tag refused the password")
      }
      return
    }
    let answer: [UInt8]
    do throws(TagChannelError) {
      answer = try await base.exchange([0x1B] + password.password)
    } catch {
      guard error.code == .refused else { throw error }
      // The underlying error's text may quote the command.
      throw TagChannelError(.wrongPassword, "the tag refused the password")
    }
    guard let expected = password.acknowledgement else { return }
    guard answer.prefix(2) == expected[...] else {
      throw TagChannelError(.wrongPassword, "the tag returned another acknowledgement (PACK)")
    }
  }
}

extension AuthenticatedChannel {
  /// Gives a password to a tag. An error states the consequences of the refusal.
  ///
  /// - Throws: ``TagError`` with code `tag-password` if the tag refuses it or acknowledges it with
  ///   another PACK; `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  static func authenticating(
    _ base: Base, with password: TagPassword, wrongPasswordLimit limit: Int?,
    as kinds: [VicinityPassword] = []
  ) async throws(TagError) -> AuthenticatedChannel {
    do throws(TagChannelError) {
      return try await proving(password, as: kinds, on: base)
    } catch {
      guard error.code == .wrongPassword else { throw TagError(error, uid: base.target.uid) }
      let danger =
        switch limit {
        case 0: "this tag permits any number of attempts"
        case let limit?:
          "this tag locks permanently after \(limit) wrong passwords in a row, and its count of "
            + "them is not readable: after the last one, even the right password is refused"
        case nil: "the number of attempts that this tag permits is not readable"
        }
      throw TagError(
        .tagPassword, "tag \(base.target.uid.hexadecimal): \(error.message); \(danger)",
        hint:
          "check the password and its PACK after the colon (or * for an unknown PACK) before "
          + "the next attempt",
        uid: base.target.uid, underlying: error)
    }
  }

  /// Gives a password to a tag.
  ///
  /// - Throws: ``TagChannelError``, with code `wrong-password` if the tag does not accept it.
  static func proving(
    _ password: TagPassword, as kinds: [VicinityPassword] = [], on base: Base
  ) async throws(TagChannelError) -> AuthenticatedChannel {
    let channel = AuthenticatedChannel(base, password, kinds)
    try await channel.authenticate()
    return channel
  }

  /// Gives a password to a tag that needs one; any other tag is left unchanged.
  ///
  /// - Parameters:
  ///   - base: An activated tag.
  ///   - password: The password.
  ///   - other: Another one to try if the tag refuses the first, for a tag whose password may have
  ///     been changed already. It is tried only if the tag counts no wrong passwords, or if it
  ///     would tolerate another one after it and `riskingAttempts` is `true`.
  ///   - riskingAttempts: Pass `true` to try them although the tag counts wrong passwords
  ///     (AUTHLIM).
  /// - Returns: The channel to use from now on.
  /// - Throws: ``TagError``: `tag-password` if the tag refuses the password, or counts wrong ones
  ///   and `riskingAttempts` is `false` (then nothing was sent, and there is no underlying error);
  ///   `tag-unsupported` if the tag requires another type of authentication; `tag-lost`,
  ///   `tag-changed`, `reader-failed`, `cancelled`.
  public static func open(
    _ base: Base, with password: TagPassword, orElse other: TagPassword? = nil,
    riskingAttempts: Bool = false
  ) async throws(TagError) -> AuthenticatedChannel {
    // Tags of other types have no PWD_AUTH; the caller handles their requirements.
    if base.target.technology == .iso15693 {
      return try await openVicinity(base, with: password, orElse: other)
    }
    guard base.target.sak == 0 else { return AuthenticatedChannel(withoutPassword: base) }
    let tag = try await Type2Tag.identify(over: base, includingConfiguration: true)
    guard tag.isPasswordProtected != false else {
      return AuthenticatedChannel(withoutPassword: base)
    }
    try tag.checkKnowsPasswords()
    let limit = tag.configuration?.wrongPasswordLimit
    if let limit, limit > 0, !riskingAttempts {
      throw TagError(
        .tagPassword,
        "\(tag.name) \(tag.uid.hexadecimal) locks permanently after \(limit) wrong passwords in a "
          + "row, and its count of them is not readable; none was tried",
        hint: "verify the password, then \(.riskAttempts)", uid: tag.uid)
    }
    do throws(TagError) {
      return try await authenticating(base, with: password, wrongPasswordLimit: limit)
    } catch {
      let mayGoOn = limit == 0 || riskingAttempts && limit ?? 3 > 2
      guard let other, error.underlying?.code == .wrongPassword, mayGoOn else { throw error }
      return try await authenticating(base, with: other, wrongPasswordLimit: limit)
    }
  }
}

extension AuthenticatedChannel {
  /// Gives the password to an ICODE SLIX2 that requires one; it does not count wrong ones.
  private static func openVicinity(
    _ base: Base, with password: TagPassword, orElse other: TagPassword?
  ) async throws(TagError) -> AuthenticatedChannel {
    let tag = try await Type5Tag.identify(over: base, includingConfiguration: true)
    guard let protection = tag.protection, !protection.isNone else {
      var channel = AuthenticatedChannel(withoutPassword: base)
      channel.offered = [password] + [other].compactMap(\.self)
      return channel
    }
    let kinds = protection.kinds
    do throws(TagError) {
      return try await authenticating(base, with: password, wrongPasswordLimit: 0, as: kinds)
    } catch {
      guard let other, error.underlying?.code == .wrongPassword else { throw error }
      // After a wrong password, the tag is silent until the field is switched off.
      do throws(TagChannelError) {
        try await base.reselect(fieldCycle: true)
      } catch {
        throw TagError(error, uid: base.target.uid)
      }
      return try await authenticating(base, with: other, wrongPasswordLimit: 0, as: kinds)
    }
  }
}

/// The passwords of an ICODE SLIX2 that protect its memory (SL2S2602 data sheet, section 8.2.4).
enum VicinityPassword: UInt8, Hashable, Sendable {
  case read = 0x01
  case write = 0x02

  /// Sends GET RANDOM NUMBER, then SET PASSWORD with the masked password (sections 8.5.3.9 and
  /// 8.5.3.10).
  ///
  /// - Returns: `true` if the tag accepted it; otherwise the tag is silent until the field is
  ///   switched off.
  func give(
    _ password: [UInt8], to channel: some TagChannel
  ) async throws(TagChannelError) -> Bool {
    do throws(TagChannelError) {
      let random = try await channel.exchange([0xB2, 0x04])
      guard random.count == 2 else { return false }
      let hidden = zip(password, random + random).map { $0 ^ $1 }
      return try await channel.exchange([0xB3, 0x04, rawValue] + hidden).isEmpty
    } catch {
      guard error.code == .refused else { throw error }
      return false
    }
  }
}

extension Type2Tag {
  /// Returns the same tag after confirming its product.
  ///
  /// A product may be identified by its memory alone; before lock bits and passwords are written,
  /// its GET_VERSION response is required. Lock bits are also written through a reader that cannot
  /// send that command, since the lock bytes themselves have shown the product's mark.
  func confirmingProduct(
    forPassword: Bool, over channel: some TagChannel
  ) async throws(TagError) -> Type2Tag {
    let tag = try await readingVersion(isNeeded: forPassword, over: channel)
    guard let expected = layout.version, tag.version.map(layout.matches) != true else { return tag }
    if tag.version == nil, tag.isToldByPages { return tag }
    let answer = tag.version.map { "answers GET_VERSION with \($0.hexadecimal)" }
    throw TagError(
      .tagUnsupported,
      "tag \(uid.hexadecimal) identifies as \(name), but \(answer ?? "does not report its version") "
        + "instead of \(expected.hexadecimal)",
      hint: "hold the tag still and run the command again; if the error persists, use another tag",
      uid: uid)
  }

  /// Throws for a product without a password for PWD_AUTH.
  func checkKnowsPasswords() throws(TagError) {
    guard layout.configurationPage == nil else { return }
    if layout.tripleDESPage != nil {
      throw TagError(
        .tagUnsupported,
        "\(name) \(uid.hexadecimal) has a 3DES key, not a password of four bytes, and cliptag "
          + "does not support 3DES",
        hint: "use the tool that set the key, or an NTAG213, NTAG215 or NTAG216 for tags with a "
          + "password", uid: uid)
    }
    throw TagError(
      .tagUnsupported,
      layout.isKnownProduct
        ? "\(name) \(uid.hexadecimal) has no password of four bytes"
        : "the password support of \(uid.hexadecimal), \(name), is unknown",
      hint: "use an NTAG213, NTAG215 or NTAG216 for tags with a password", uid: uid)
  }
}
