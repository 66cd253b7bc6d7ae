import CliptagBasics

extension Type5Tag {
  /// The factory passwords of an ICODE SLIX2.
  static let factoryPassword: [UInt8] = [0, 0, 0, 0]

  /// Plans to put a password in force, or to replace the present one; see
  /// ``Tag/planPassword(_:_:over:)``.
  ///
  /// The order is that of a Type 2 tag: first the protection is opened, then the password is
  /// written and proven, then it is put in force.
  func planPassword<Base>(
    _ password: TagPassword, _ rule: PasswordRule?, over channel: AuthenticatedChannel<Base>
  ) async throws(TagError) -> PasswordPlan {
    let (tag, now) = try await readForPassword(over: channel)
    let rule = rule ?? now.rule ?? PasswordRule(firstPage: 0)
    let last = (blockCount ?? 1) - 1
    guard (0...last).contains(rule.firstPage), rule.wrongPasswordLimit == 0 else {
      let reason =
        rule.wrongPasswordLimit == 0
        ? "a password on \(name) can protect the tag from block 0, at most \(last), to its end"
        : "\(name) does not count wrong passwords"
      throw TagError(
        .tagUnsupported,
        "\(reason); requested: block \(rule.firstPage), limit \(rule.wrongPasswordLimit)",
        hint: "request a setting within these limits", uid: uid)
    }
    let wanted = Type5Protection(rule)
    var steps: [PasswordPlan.Step] = []
    if now.isNone || channel.password != password || now.kinds != wanted.kinds {
      if !now.isNone { steps.append(.setting(.disarm, from: now, to: Type5Protection(nil))) }
      steps.append(
        PasswordPlan.Step(purpose: .password, page: nil, before: nil, sent: password.password))
      steps.append(.setting(.arm, from: Type5Protection(nil), to: wanted))
    } else if !now.guardsTheSame(as: wanted) {
      steps.append(.setting(.arm, from: now, to: wanted))
    }
    var warnings: [String] = []
    if rule.protectsReading, rule.firstPage <= messageBlocks.upperBound {
      warnings.append(
        "phones cannot read the tag: the blocks from \(rule.firstPage) on are hidden without the "
          + "password")
    }
    if password.password == Self.factoryPassword {
      warnings.append("00000000 is the password of every new tag and publicly known")
    }
    return PasswordPlan(
      tag: .type5(tag), steps: steps, rule: rule, warnings: warnings, password: password)
  }

  /// Plans to remove the password: nothing is protected, and the password returns to the factory's.
  func planPasswordRemoval<Base>(
    over channel: AuthenticatedChannel<Base>
  ) async throws(TagError) -> PasswordPlan {
    let (tag, now) = try await readForPassword(over: channel)
    var steps: [PasswordPlan.Step] = []
    if !now.isNone { steps.append(.setting(.disarm, from: now, to: Type5Protection(nil))) }
    // A password that protects nothing is invisible: an interrupted removal may have left one.
    steps.append(
      PasswordPlan.Step(purpose: .password, page: nil, before: nil, sent: Self.factoryPassword))
    return PasswordPlan(
      tag: .type5(tag), steps: steps, rule: nil, warnings: [], password: .vicinityFactory)
  }

  private func readForPassword<Base>(
    over channel: AuthenticatedChannel<Base>
  ) async throws(TagError) -> (tag: Type5Tag, now: Type5Protection) {
    guard product.passwords != nil else {
      throw TagError(
        .tagUnsupported, "\(name) \(uid.hexadecimal) has no password supported by cliptag",
        hint: "use an ICODE SLIX2, or an NTAG213, NTAG215 or NTAG216, for tags with a password",
        uid: uid)
    }
    var tag = self
    tag.hasReadConfiguration = false
    do throws(TagChannelError) {
      tag = try await tag.loadingConfiguration(over: channel)
    } catch {
      throw TagError(error, uid: uid)
    }
    guard let now = tag.protection else {
      throw TagError(
        .readerUnsupported,
        "the protection of \(name) \(uid.hexadecimal) is not readable with this reader",
        hint: "use an ACR1552U or another reader that passes ISO/IEC 15693 commands", uid: uid
      )
    }
    guard now.isNone || channel.password != nil else {
      throw TagError(
        .tagPassword, "a password protects \(name) \(uid.hexadecimal)",
        hint: TagError.givePassword, uid: uid)
    }
    return (tag, now)
  }
}

extension PasswordPlan.Step {
  /// PROTECT PAGE: the pointer, and the protection on both sides of it.
  fileprivate static func setting(
    _ purpose: Purpose, from now: Type5Protection, to wanted: Type5Protection
  ) -> PasswordPlan.Step {
    PasswordPlan.Step(
      purpose: purpose, page: nil, before: now.bytes, sent: wanted.bytes)
  }
}

extension Type5Protection {
  /// The two parameters of PROTECT PAGE.
  fileprivate var bytes: [UInt8] { [UInt8(pointer), condition] }
}

/// One execution of a password plan on an ICODE SLIX2.
struct Type5PasswordWork<Base: TagChannel> {
  let plan: PasswordPlan
  let tag: Type5Tag
  var progress: PasswordProgress
  private let base: Base
  /// The tag's present password, if known.
  private var present: [UInt8]?
  /// Other possible passwords: the caller's, and that of a new tag.
  private let candidates: [[UInt8]]
  private var isGuarded: Bool

  init(
    plan: PasswordPlan, tag: Type5Tag, progress: PasswordProgress,
    channel: AuthenticatedChannel<Base>
  ) {
    (self.plan, self.tag, self.progress) = (plan, tag, progress)
    base = channel.base
    present = channel.password?.password
    candidates =
      channel.offered.map(\.password) + [Type5Tag.factoryPassword, plan.password.password]
    isGuarded = tag.protection?.isNone == false
  }

  mutating func run() async throws(PasswordStop) -> (tag: Tag, refusedPage: Int?) {
    for step in plan.steps {
      switch step.purpose {
      case .disarm:
        progress.stage = .disarming
        try await protect(Type5Protection(nil))
        progress.stage = .open
      case .password:
        progress.stage = .open
        try await write(step.sent)
      case .arm:
        progress.stage = .arming
        try await protect(Type5Protection(plan.rule))
      case .access, .acknowledgement: break  // Of a Type 2 tag.
      }
    }
    return try await check()
  }

  /// Puts a protection in force, and reads it back after a new power-up.
  private mutating func protect(_ wanted: Type5Protection) async throws(PasswordStop) {
    for kinds in [[VicinityPassword.write, .read], [.write]] {
      try await powerUp()
      // PROTECT PAGE requires both passwords; a tag whose read password differs may accept only
      // one.
      guard try await open(kinds) else { continue }
      let channel = base
      let isTaken = try await onChannel { () async throws(TagChannelError) in
        var commands = tag.commands(over: channel)
        return try await commands.protect(wanted)
      }
      if !isTaken { continue }
      break
    }
    try await powerUp()
    guard try await protection()?.guardsTheSame(as: wanted) == true else {
      throw .refused(page: nil)
    }
    isGuarded = !wanted.isNone
  }

  /// Gives the write password, and the read password if requested.
  private mutating func open(_ kinds: [VicinityPassword]) async throws(PasswordStop) -> Bool {
    let known = present.map { [$0] } ?? candidates
    // Twice, because a response may have been lost. The tag does not count wrong passwords.
    for candidate in known + known {
      if try await give(.write, candidate) {
        present = candidate
        guard kinds.contains(.read) else { return true }
        // It only protects reading; if reading is not protected, it is the factory's.
        return try await give(.read, readsWithPassword ? candidate : Type5Tag.factoryPassword)
      }
      try await powerUp()
    }
    throw .other(
      TagError(
        .tagPassword,
        "\(tag.name) \(tag.uid.hexadecimal) accepts neither the password of a new tag nor the one to "
          + "set; \(isGuarded ? "nothing was written" : "no password is in force")",
        hint: "give the current password of the tag, or use another tag", uid: tag.uid))
  }

  /// A Boolean value that indicates whether the read password equals the write password, because
  /// they were set together.
  private var readsWithPassword: Bool {
    hasSetReadPassword || tag.protection?.kinds.contains(.read) == true
  }

  private var hasSetReadPassword = false

  /// Writes the password, and the read password if reading is protected, and proves it.
  private mutating func write(_ password: [UInt8]) async throws(PasswordStop) {
    let guardsReading = plan.rule?.protectsReading == true
    let changesReading = guardsReading || readsWithPassword
    try await powerUp()
    guard try await open(changesReading ? [.write, .read] : [.write]) else { throw .notTaken }
    let readPassword = guardsReading ? password : Type5Tag.factoryPassword
    let channel = base
    let isTaken = try await onChannel { () async throws(TagChannelError) in
      var commands = tag.commands(over: channel)
      if changesReading {
        guard try await commands.setPassword(.read, readPassword) else { return false }
      }
      return try await commands.setPassword(.write, password)
    }
    try await powerUp()
    guard try await give(.write, password) else {
      if isTaken { throw .notTaken }
      throw .refused(page: nil)
    }
    present = password
    hasSetReadPassword = guardsReading
  }

  /// Checks the tag from a stranger's view: a protected block refuses a write, and the password
  /// opens it.
  private mutating func check() async throws(PasswordStop) -> (tag: Tag, refusedPage: Int?) {
    try await powerUp()
    var result = tag
    let wanted = Type5Protection(plan.rule)
    result.protection = try await protection()
    guard result.protection?.guardsTheSame(as: wanted) == true else { throw .refused(page: nil) }
    var refused: Int?
    if let rule = plan.rule, let last = tag.blockCount.map({ $0 - 1 }) {
      let channel = base
      let (held, isTaken) = try await onChannel { () async throws(TagChannelError) in
        var commands = tag.commands(over: channel)
        let held = try await commands.read(last)
        return (held, try await commands.write(held ?? [0, 0, 0, 0], to: last, attempts: 2))
      }
      if rule.protectsReading, held != nil { throw .showed(page: last) }
      if isTaken { throw .tookWrite(page: last) }
      refused = last
    }
    guard try await give(.write, plan.password.password) else { throw .notTaken }
    return (.type5(result), refused)
  }

  // MARK: Commands

  private func give(
    _ kind: VicinityPassword, _ password: [UInt8]
  ) async throws(PasswordStop) -> Bool {
    let channel = base
    return try await onChannel { () async throws(TagChannelError) in
      try await kind.give(password, to: channel)
    }
  }

  private func protection() async throws(PasswordStop) -> Type5Protection? {
    let channel = base
    return try await onChannel { () async throws(TagChannelError) in
      var commands = tag.commands(over: channel)
      return try await commands.protection()
    }
  }

  private func powerUp() async throws(PasswordStop) {
    let channel = base
    try await onChannel { () async throws(TagChannelError) in
      try await channel.reselect(fieldCycle: true)
    }
  }

  private func onChannel<Result>(
    _ work: () async throws(TagChannelError) -> Result
  ) async throws(PasswordStop) -> Result {
    do throws(TagChannelError) {
      return try await work()
    } catch {
      throw .channel(error)
    }
  }
}
