extension Type2Tag {
  /// Plans to put a password in force, or another one in its place. Nothing is written.
  ///
  /// - Parameters:
  ///   - password: The password the tag shall have.
  ///   - rule: What it shall guard; for `nil` what is guarded now, or everything from page 4 on
  ///     against writing when nothing is.
  ///   - channel: The tag, on which its present password is given if it has one.
  /// - Returns: The plan; ``PasswordPlan/isAlreadyCorrect`` when the channel gives this password
  ///   and the rule is in force.
  /// - Throws: ``TagError``: `tag-unsupported` for a product without a password, or a rule that it
  ///   cannot have; `tag-password` when the present password was not given; `tag-locked` when the
  ///   configuration is locked; `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func planPassword<Base>(
    _ password: TagPassword, _ rule: PasswordRule?, over channel: AuthenticatedChannel<Base>
  ) async throws(TagError) -> PasswordPlan {
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
      tag: tag, steps: steps.list, rule: rule, warnings: tag.warnings(about: rule, password),
      password: password)
  }

  /// Plans to remove the password: AUTH0 is disarmed first, then ACCESS, PWD and PACK are as they
  /// leave the factory. Nothing is written.
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
      tag: tag, steps: steps.list, rule: nil, warnings: [], password: .factory)
  }

  /// What the password guards now; `nil` when none is in force, or the configuration was not read.
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
    var tag = try await confirmingProduct(over: channel)
    do throws(TagChannelError) {
      // Not as it was when it was first read: what was read then may lack the password.
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
        .tagLocked, "the configuration of \(name) \(uid.hexadecimal) is locked for good",
        hint: "leave the tag as it is, or use another one: this cannot be undone",
        page: page + 1, uid: uid)
    }
    try tag.checkProtection(of: page)
    return (tag, now, page)
  }

  private func check(_ rule: PasswordRule, configurationPage page: Int) throws(TagError) {
    let first = rule.protectsReading ? 4 : 0
    guard (first...page).contains(rule.firstPage), (0...7).contains(rule.wrongPasswordLimit) else {
      let reason =
        (0...7).contains(rule.wrongPasswordLimit)
        ? "a password on \(name) can guard the tag from page \(first), at most \(page), to its end"
        : "the limit of wrong passwords is 0 to 7"
      throw TagError(
        .tagUnsupported,
        "\(reason); asked for was page \(rule.firstPage), limit "
          + "\(rule.wrongPasswordLimit)",
        hint: "ask for what the tag can do", uid: uid)
    }
  }

  private func warnings(about rule: PasswordRule, _ password: TagPassword) -> [String] {
    var warnings: [String] = []
    if rule.protectsReading, rule.firstPage <= lastMessagePage {
      warnings.append(
        "no phone can read the tag: the pages from \(rule.firstPage) on show nothing without the "
          + "password")
    }
    if rule.wrongPasswordLimit > 0 {
      warnings.append(
        "anybody who tries \(rule.wrongPasswordLimit) wrong passwords in a row closes the guarded "
          + "pages FOR GOOD; then even the right password opens them no more")
    }
    if password.isFactoryDefault {
      warnings.append("FFFFFFFF is the password of every new tag, so everybody knows it")
    }
    return warnings
  }
}

/// Collects steps, leaving out those that change nothing.
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
        sent: password.acknowledgement + [0, 0]))
  }
}
