/// What a password shall guard, and how.
public struct PasswordRule: Hashable, Sendable {
  /// The first page that needs the password (AUTH0): 0 to the first configuration page.
  public var firstPage: Int
  /// Whether reading needs it too (PROT). No phone can read such pages.
  public var protectsReading: Bool
  /// Wrong passwords in a row after which the guarded pages are closed for good (AUTHLIM): 1 to 7,
  /// or 0 for no limit. Reaching it cannot be undone, not even with the password.
  public var wrongPasswordLimit: Int

  /// Makes a rule.
  public init(firstPage: Int = 4, protectsReading: Bool = false, wrongPasswordLimit: Int = 0) {
    self.firstPage = firstPage
    self.protectsReading = protectsReading
    self.wrongPasswordLimit = wrongPasswordLimit
  }
}

/// What setting, changing or removing a tag's password would do, page by page and in order.
///
/// **The order** (NTAG21x data sheet, rev. 3.2, section 8.5.7): a password is only ever in force
/// when the tag has proven to hold it. What it guards is *disarmed* first (AUTH0 = FF), if it was
/// armed; then PWD and PACK are written, the tag is powered up, PWD_AUTH has to take the new
/// password and give the new PACK; only then ACCESS and, last, AUTH0 are written.
///
/// None of these pages is guarded against tearing, and PWD cannot be read: a password that was
/// half written under an armed AUTH0 would lock everybody out for good, the old password and the
/// new one both wrong. Disarmed, a tag torn at any step is either still armed with the old
/// password, open, or armed with the new one; in each case a new plan finishes the job. AUTHLIM is
/// 0 while PWD_AUTH is tried, so that a password that was stored wrongly costs no attempt.
///
/// The capability container is never touched: nibbles that say "by password" there are written
/// once and make iPhones refuse the tag.
public struct PasswordPlan: Hashable, Sendable {
  /// One page to write.
  public struct Step: Hashable, Sendable {
    /// Why a page is written.
    public enum Purpose: Hashable, Sendable, CustomStringConvertible {
      /// Sets AUTH0 so that nothing is guarded.
      case disarm
      /// Sets AUTHLIM to 0, or to what it shall be, and PROT.
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

    /// Why the page is written.
    public let purpose: Purpose
    /// The page.
    public let page: Int
    /// Its four bytes before this step; `nil` for the password, which a tag never shows.
    public let before: [UInt8]?
    /// The four bytes to send.
    let sent: [UInt8]

    /// Its four bytes after this step; `nil` for the password and its acknowledgement, which are
    /// secrets.
    public var after: [UInt8]? { isSecret ? nil : sent }

    /// A page that can be seen is read back. AUTH0 is compared again, and PWD and PACK are tried,
    /// after one selection.
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

  /// The tag as it was read when the plan was made.
  package let tag: Type2Tag
  /// The pages to write, in this order.
  public let steps: [Step]
  /// What the tag shall have; `nil` when the password is removed.
  public let rule: PasswordRule?
  /// What the caller should know, as sentences.
  public let warnings: [String]
  /// The password the tag has in the end.
  let password: TagPassword

  /// Whether the tag is as wanted already. Executing the plan then only checks it.
  public var isAlreadyCorrect: Bool { steps.isEmpty }

  /// Commands and selections the execution takes at most when nothing has to be repeated, PWD_AUTH
  /// among them.
  package var expectedExchanges: Int {
    let writing = steps.map(\.expectedExchanges).reduce(0, +)
    // At the end: one selection, one reading of the configuration, and PWD_AUTH.
    guard let rule else { return writing + 3 }
    // A page is read before, and a write to it afterwards counts as refused when it was refused
    // twice; so does reading.
    return writing + 3 + 3 + (rule.protectsReading ? 2 : 0)
  }
}

extension PasswordPlan.Step: CustomStringConvertible, CustomReflectable {
  /// No secret.
  public var description: String {
    "\(purpose) on page \(page)" + (after.map { ": \($0.hexadecimal)" } ?? "")
  }

  /// No secret.
  public var customMirror: Mirror {
    Mirror(self, children: ["purpose": purpose, "page": page])
  }
}
