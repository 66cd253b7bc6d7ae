import CliptagBasics

/// The extent of a password's protection.
public struct PasswordRule: Hashable, Sendable {
  /// The first page that requires the password (AUTH0): 0 to the first configuration page. On a
  /// Type 5 tag the first block.
  public var firstPage: Int
  /// A Boolean value that indicates whether reading requires it too (PROT). No phone can read such
  /// pages.
  public var protectsReading: Bool
  /// The number of consecutive wrong passwords after which the protected pages are closed
  /// permanently (AUTHLIM): 1 to 7, or 0 for no limit. Reaching it cannot be undone, not even with
  /// the password.
  public var wrongPasswordLimit: Int

  /// Makes a rule.
  public init(firstPage: Int = 4, protectsReading: Bool = false, wrongPasswordLimit: Int = 0) {
    self.firstPage = firstPage
    self.protectsReading = protectsReading
    self.wrongPasswordLimit = wrongPasswordLimit
  }
}

/// The steps to set, change or remove a tag's password, in order.
///
/// **The order** (NTAG21x data sheet, rev. 3.2, section 8.5.7): a password is put in force only
/// after the tag has proven that it holds it. The protection is first *disarmed* (AUTH0 = FF), if
/// it was armed; then PWD and PACK are written, the tag is powered up, and PWD_AUTH must accept the
/// new password and return the new PACK; only then are ACCESS and, last, AUTH0 written.
///
/// None of these pages is protected against tearing, and PWD cannot be read: a password half
/// written under an armed AUTH0 would lock everyone out permanently, since both the old and the new
/// password would be wrong. After disarming, a tag torn at any step is still armed with the old
/// password, open, or armed with the new one; in each case a new plan finishes the job. AUTHLIM is
/// 0 while PWD_AUTH is tried, so that a password that was stored wrongly costs no attempt.
///
/// The capability container is never changed: its values for password protection are written once
/// and make iPhones refuse the tag.
public struct PasswordPlan: Hashable, Sendable {
  /// One page to write.
  public struct Step: Hashable, Sendable {
    /// The purpose of writing a page.
    public enum Purpose: Hashable, Sendable, CustomStringConvertible {
      /// Sets AUTH0 so that nothing is protected.
      case disarm
      /// Sets AUTHLIM, to 0 or its final value, and PROT.
      case access
      /// Writes PWD.
      case password
      /// Writes PACK.
      case acknowledgement
      /// Sets AUTH0, which puts everything in force.
      case arm

      /// The stable name that a dry run prints.
      public var description: String {
        switch self {
        case .disarm: "disarm"
        case .access: "access"
        case .password: "password"
        case .acknowledgement: "acknowledgement"
        case .arm: "arm"
        }
      }
    }

    /// The purpose of writing the page.
    public let purpose: Purpose
    /// The page; `nil` on a tag that has password commands instead of pages.
    public let page: Int?
    /// The four bytes before this step; `nil` for the password, which a tag never shows.
    public let before: [UInt8]?
    /// The four bytes to send.
    let sent: [UInt8]

    /// The four bytes after this step; `nil` for the password and its acknowledgement, which are
    /// secret.
    public var after: [UInt8]? { isSecret ? nil : sent }

    /// The number of exchanges. A readable page is read back. AUTH0 is compared again, and PWD and
    /// PACK are tried, after one selection.
    fileprivate var expectedExchanges: Int {
      switch purpose {
      case .disarm: 4
      case .access, .arm: 2
      case .password: 1
      case .acknowledgement: 1 + 2
      }
    }

    var isSecret: Bool { purpose == .password || purpose == .acknowledgement }
  }

  /// The tag as read when the plan was made.
  package let tag: Tag
  /// The pages to write, in this order.
  public let steps: [Step]
  /// The planned rule; `nil` if the password is removed.
  public let rule: PasswordRule?
  /// Warnings for the caller, as sentences.
  public let warnings: [String]
  /// The final password of the tag.
  let password: TagPassword

  /// A Boolean value that indicates whether the tag is in the wanted state already. Executing the
  /// plan then only checks it.
  public var isAlreadyCorrect: Bool { steps.isEmpty }

  /// The maximum number of commands and selections of the execution without repetitions, including
  /// PWD_AUTH.
  package var expectedExchanges: Int {
    let writing = steps.map(\.expectedExchanges).reduce(0, +)
    // At the end: one selection, one reading of the configuration, and PWD_AUTH.
    guard let rule else { return writing + 3 }
    // A page is read first; a write to it afterwards counts as refused after two refusals, and so
    // does reading.
    return writing + 3 + 3 + (rule.protectsReading ? 2 : 0)
  }
}

extension PasswordPlan.Step: CustomStringConvertible, CustomReflectable {
  /// The step without its secrets.
  public var description: String {
    "\(purpose)" + (page.map { " on page \($0)" } ?? "")
      + (after.map { ": \($0.hexadecimal)" } ?? "")
  }

  /// A mirror without the secrets.
  public var customMirror: Mirror {
    Mirror(self, children: ["purpose": purpose, "page": page as Any])
  }
}

extension Tag {
  /// Plans to put a password in force, or to replace the present one. Nothing is written.
  ///
  /// - Parameters:
  ///   - password: The new password.
  ///   - rule: The protection; `nil` means the present one, or if there is none, write protection
  ///     for everything that a message needs.
  ///   - channel: The tag, on which its present password is given if it has one.
  /// - Throws: ``TagError``: `tag-unsupported` for a tag without a password, or a rule that it does
  ///   not support; `tag-password`, `tag-locked`, `reader-unsupported`, `tag-lost`, `tag-changed`,
  ///   `reader-failed`, `cancelled`.
  public func planPassword<Base>(
    _ password: TagPassword, _ rule: PasswordRule?, over channel: AuthenticatedChannel<Base>
  ) async throws(TagError) -> PasswordPlan {
    switch self {
    case .type2(let tag): try await tag.planPassword(password, rule, over: channel)
    case .type5(let tag): try await tag.planPassword(password, rule, over: channel)
    case .type4: throw hasNoPassword
    }
  }

  /// Plans to remove the password. Nothing is written.
  ///
  /// - Parameter channel: The tag, on which its password is given if it has one.
  /// - Throws: ``TagError`` as ``planPassword(_:_:over:)``.
  public func planPasswordRemoval<Base>(
    over channel: AuthenticatedChannel<Base>
  ) async throws(TagError) -> PasswordPlan {
    switch self {
    case .type2(let tag): try await tag.planPasswordRemoval(over: channel)
    case .type5(let tag): try await tag.planPasswordRemoval(over: channel)
    case .type4: throw hasNoPassword
    }
  }

  /// The present protection by the password; `nil` if none is in force, or if it was not read.
  public var passwordRule: PasswordRule? {
    switch self {
    case .type2(let tag): tag.passwordRule
    case .type5(let tag): tag.protection?.rule
    case .type4: nil
    }
  }

  /// The default protection for such a tag: everything that a message needs, against writing.
  package var usualPasswordRule: PasswordRule { PasswordRule(firstPage: type5 == nil ? 4 : 0) }

  private var hasNoPassword: TagError {
    TagError(
      .tagUnsupported,
      "\(name) \(uid.hexadecimal) has no password: it is protected by keys, which cliptag does not have",
      hint: "protect it with the tool that set its keys, or use an NTAG213, NTAG215 or NTAG216",
      uid: uid)
  }
}

extension Type2Tag {
  /// Plans to put a password in force, or to replace the present one. Nothing is written.
  ///
  /// - Parameters:
  ///   - password: The new password.
  ///   - rule: The protection; `nil` means the present one, or if there is none, write protection
  ///     from page 4 on.
  ///   - channel: The tag, on which its present password is given if it has one.
  /// - Returns: The plan; ``PasswordPlan/isAlreadyCorrect`` if the channel gives this password and
  ///   the rule is in force.
  /// - Throws: ``TagError``: `tag-unsupported` for a product without a password, or a rule that it
  ///   does not support; `tag-password` if the present password was not given, or the new one has
  ///   no PACK (``TagPassword/knowsAcknowledgement``); `tag-locked` if the configuration is locked;
  ///   `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func planPassword<Base>(
    _ password: TagPassword, _ rule: PasswordRule?, over channel: AuthenticatedChannel<Base>
  ) async throws(TagError) -> PasswordPlan {
    guard password.knowsAcknowledgement else {
      throw TagError(
        .tagPassword, "a password is set together with its PACK, and this one has none",
        hint: "write the PACK after the colon: four hexadecimal digits", uid: uid)
    }
    let (tag, now, page) = try await readForPassword(over: channel)
    let rule = rule ?? tag.passwordRule ?? PasswordRule(protectsReading: now.protectsReading)
    try tag.check(rule, configurationPage: page)
    let wanted =
      now
      .with(firstProtectedPage: UInt8(rule.firstPage))
      .with(protectsReading: rule.protectsReading)
      .with(wrongPasswordLimit: rule.wrongPasswordLimit)

    var steps = PasswordSteps(page: page, now: now)
    if now.firstProtectedPage == nil || channel.password != password {
      if now.firstProtectedPage != nil {
        steps.writeFirstPage(of: now.with(firstProtectedPage: nil), .disarm)
      }
      steps.writeSecondPage(of: now.with(wrongPasswordLimit: 0))
      steps.write(password)
    }
    steps.writeSecondPage(of: wanted)
    steps.writeFirstPage(of: wanted, .arm)
    return PasswordPlan(
      tag: .type2(tag), steps: steps.list, rule: rule,
      warnings: tag.warnings(about: rule, password),
      password: password)
  }

  /// Plans to remove the password: AUTH0 is disarmed first, then ACCESS, PWD and PACK return to
  /// their factory state. Nothing is written.
  ///
  /// - Parameter channel: The tag, on which its password is given if it has one.
  /// - Throws: ``TagError`` as ``planPassword(_:_:over:)``.
  public func planPasswordRemoval<Base>(
    over channel: AuthenticatedChannel<Base>
  ) async throws(TagError) -> PasswordPlan {
    let (tag, now, page) = try await readForPassword(over: channel)
    var steps = PasswordSteps(page: page, now: now)
    steps.writeFirstPage(of: now.with(firstProtectedPage: nil), .disarm)
    steps.writeSecondPage(of: now.with(wrongPasswordLimit: 0).with(protectsReading: false))
    steps.write(.factory)
    return PasswordPlan(
      tag: .type2(tag), steps: steps.list, rule: nil, warnings: [], password: .factory)
  }

  /// The present protection by the password; `nil` if none is in force, or if the configuration was
  /// not read.
  public var passwordRule: PasswordRule? {
    guard let now = configuration, let firstPage = now.firstProtectedPage else { return nil }
    return PasswordRule(
      firstPage: firstPage, protectsReading: now.protectsReading,
      wrongPasswordLimit: now.wrongPasswordLimit)
  }

  private func readForPassword<Base>(
    over channel: AuthenticatedChannel<Base>
  ) async throws(TagError) -> (tag: Type2Tag, now: Type2Configuration, page: Int) {
    try checkKnowsPasswords()
    var tag = try await confirmingProduct(forPassword: true, over: channel)
    do throws(TagChannelError) {
      // Read anew, since the first reading may have been without the password.
      if let pages = tag.configurationPages { for page in pages { tag.memory.forget(page) } }
      tag = try await tag.loadingConfiguration(over: channel)
    } catch {
      throw TagError(error, uid: uid)
    }
    guard let page = layout.configurationPage, let now = tag.configuration else {
      throw TagError(
        .tagPassword, "the configuration of \(name) \(uid.hexadecimal) cannot be read",
        hint: TagError.givePassword, page: layout.configurationPage, uid: uid)
    }
    guard !now.isLocked else {
      throw TagError(
        .tagLocked, "the configuration of \(name) \(uid.hexadecimal) is permanently locked",
        hint: "leave the tag unchanged, or use another one: the lock is permanent",
        page: page + 1, uid: uid)
    }
    try tag.checkProtection(of: page)
    return (try await tag.confirmingConfiguration(over: channel), now, page)
  }

  private func check(_ rule: PasswordRule, configurationPage page: Int) throws(TagError) {
    let first = rule.protectsReading ? 4 : 0
    guard (first...page).contains(rule.firstPage), (0...7).contains(rule.wrongPasswordLimit) else {
      let reason =
        (0...7).contains(rule.wrongPasswordLimit)
        ? "a password on \(name) can protect the tag from page \(first), at most \(page), to its end"
        : "the limit of wrong passwords is 0 to 7"
      throw TagError(
        .tagUnsupported,
        "\(reason); requested: page \(rule.firstPage), limit "
          + "\(rule.wrongPasswordLimit)",
        hint: "request a setting within these limits", uid: uid)
    }
  }

  private func warnings(about rule: PasswordRule, _ password: TagPassword) -> [String] {
    var warnings: [String] = []
    if rule.protectsReading, rule.firstPage <= lastMessagePage {
      warnings.append(
        "phones cannot read the tag: the pages from \(rule.firstPage) on are hidden without the "
          + "password")
    }
    if rule.wrongPasswordLimit > 0 {
      warnings.append(
        "\(rule.wrongPasswordLimit) wrong passwords in a row lock the protected "
          + "pages PERMANENTLY, even for the right password")
    }
    if password.isFactoryDefault {
      warnings.append("FFFFFFFF is the password of every new tag and publicly known")
    }
    return warnings
  }
}

/// Collects steps, omitting those that change nothing.
private struct PasswordSteps {
  let page: Int
  private var first: [UInt8]
  private var second: [UInt8]
  private(set) var list: [PasswordPlan.Step] = []

  init(page: Int, now: Type2Configuration) {
    self.page = page
    first = now.firstPage
    second = now.secondPage
  }

  mutating func writeFirstPage(
    of wanted: Type2Configuration, _ purpose: PasswordPlan.Step.Purpose
  ) {
    guard wanted.firstPage != first else { return }
    list.append(
      PasswordPlan.Step(purpose: purpose, page: page, before: first, sent: wanted.firstPage))
    first = wanted.firstPage
  }

  mutating func writeSecondPage(of wanted: Type2Configuration) {
    guard wanted.secondPage != second else { return }
    list.append(
      PasswordPlan.Step(
        purpose: .access, page: page + 1, before: second, sent: wanted.secondPage))
    second = wanted.secondPage
  }

  mutating func write(_ password: TagPassword) {
    list.append(
      PasswordPlan.Step(purpose: .password, page: page + 2, before: nil, sent: password.password))
    list.append(
      PasswordPlan.Step(
        purpose: .acknowledgement, page: page + 3, before: nil,
        sent: (password.acknowledgement ?? [0, 0]) + [0, 0]))
  }
}
