import CliptagBasics

/// The result of executing a password plan.
public struct PasswordReport: Hashable, Sendable {
  /// The tag as read back at the end.
  package let tag: Tag
  /// The number of pages written.
  public let pagesWritten: Int
  /// A Boolean value that indicates whether the tag was in the wanted state already.
  public let wasAlreadyCorrect: Bool
  /// The page that refused a write without the password, as required; `nil` after a removal.
  public let refusedPage: Int?
}

extension PasswordPlan {
  /// Writes the pages, proving the password before it is put in force, then checks the result after
  /// the field was off: a protected page must refuse a write without the password, the tag must
  /// accept the password and return its PACK, and the configuration must read as planned.
  ///
  /// If it is stopped at any point, the tag is armed with its old password, open, or armed with the
  /// new one; running the same job again finishes it.
  ///
  /// - Parameter channel: The channel over which the plan was made.
  /// - Throws: ``TagError``: `torn-write`, `tag-lost`, `tag-changed`, `write-refused` with the
  ///   page, `verify-failed` if a page reads differently, the tag does not accept the written
  ///   password, or a protected page accepts a write without it; `tag-password`, `reader-failed`,
  ///   `cancelled`.
  public func execute<Base>(
    over channel: AuthenticatedChannel<Base>
  ) async throws(TagError) -> PasswordReport {
    guard channel.target.uid == tag.uid else {
      throw TagError(TagChannelError(.tagChanged, "the UID differs"), uid: tag.uid)
    }
    var progress = PasswordProgress(plan: self)
    do throws(PasswordStop) {
      let result: (tag: Tag, refusedPage: Int?)
      switch tag {
      case .type2(let tag):
        var work = Type2PasswordWork(plan: self, tag: tag, progress: progress, channel: channel)
        defer { progress = work.progress }
        result = try await work.run()
      case .type5(let tag):
        var work = Type5PasswordWork(plan: self, tag: tag, progress: progress, channel: channel)
        defer { progress = work.progress }
        result = try await work.run()
      case .type4:
        throw .other(TagError(.tagUnsupported, "the tag has no password", hint: "use another tag"))
      }
      return PasswordReport(
        tag: result.tag, pagesWritten: steps.count, wasAlreadyCorrect: steps.isEmpty,
        refusedPage: result.refusedPage)
    } catch {
      throw progress.error(for: error)
    }
  }
}

/// The reason why a password job stops early.
enum PasswordStop: Error {
  case channel(TagChannelError)
  case refused(page: Int?)
  case differs(page: Int, expected: [UInt8], found: [UInt8]?)
  case notTaken
  case tookWrite(page: Int)
  case showed(page: Int)
  case other(TagError)
}

/// The progress of an execution of a password plan.
struct PasswordProgress {
  enum Stage { case untouched, disarming, open, arming }

  let plan: PasswordPlan
  var stage = Stage.untouched
}

/// One execution of a password plan on a Type 2 tag.
private struct Type2PasswordWork<Base: TagChannel> {
  let plan: PasswordPlan
  let tag: Type2Tag
  var progress: PasswordProgress
  /// The channel with the password in force; without one while the tag is open.
  private var channel: AuthenticatedChannel<Base>

  /// The number of attempts to write a page until it reads correctly, and a password until it is
  /// accepted.
  private static var attempts: Int { 3 }

  init(
    plan: PasswordPlan, tag: Type2Tag, progress: PasswordProgress,
    channel: AuthenticatedChannel<Base>
  ) {
    (self.plan, self.tag) = (plan, tag)
    (self.progress, self.channel) = (progress, channel)
  }

  mutating func run() async throws(PasswordStop) -> (tag: Tag, refusedPage: Int?) {
    let probe = try await probe()
    for step in plan.steps {
      switch step.purpose {
      case .disarm:
        progress.stage = .disarming
        try await write(step)
        channel = AuthenticatedChannel(withoutPassword: channel.base)
        try await powerUp()
        try await compare(step)
        progress.stage = .open
      case .access:
        if progress.stage == .untouched {
          progress.stage = channel.password == nil ? .open : .arming
        }
        try await write(step)
      case .password:
        progress.stage = .open
        try await writePassword()
      case .acknowledgement:
        break  // Written and proven together with PWD.
      case .arm:
        progress.stage = .arming
        try await write(step)
      }
    }
    return plan.rule == nil
      ? (.type2(try await checkRemoval()), nil) : try await checkProtection(probe)
  }

  // MARK: Steps

  /// Writes a page until it reads correctly.
  private func write(_ step: PasswordPlan.Step) async throws(PasswordStop) {
    guard let page = step.page else { return }
    var found: [UInt8]?
    for _ in 0..<Self.attempts {
      let isTaken = try await send(step.sent, to: page, over: channel)
      // It may be stored although the acknowledgement was lost.
      found = try await read(page)
      if found == step.sent { return }
      guard isTaken else { throw .refused(page: page) }
    }
    throw .differs(page: page, expected: step.sent, found: found)
  }

  private func compare(_ step: PasswordPlan.Step) async throws(PasswordStop) {
    guard let page = step.page else { return }
    let found = try await read(page)
    guard found == step.sent else {
      throw .differs(page: page, expected: step.sent, found: found)
    }
  }

  /// Writes PWD and PACK on the open tag until it accepts them, and continues with them. AUTHLIM is
  /// 0 here, so that attempts cost nothing.
  private mutating func writePassword() async throws(PasswordStop) {
    for _ in 0..<Self.attempts {
      var refused: Int?
      for step in plan.steps where step.isSecret {
        guard let page = step.page else { continue }
        if try await !send(step.sent, to: page, over: channel) { refused = page }
      }
      // The written pages cannot be read back; authentication shows what the tag holds.
      try await powerUp()
      if let proven = try await authenticated() {
        channel = proven
        return
      }
      if let refused { throw .refused(page: refused) }
    }
    throw .notTaken
  }

  // MARK: Checks

  /// A page that the rule protects, with its content: not a locked one, whose refusal would prove
  /// nothing; not one under a mirror; the last one, which a message seldom reaches.
  private func probe() async throws(PasswordStop) -> (page: Int, bytes: [UInt8])? {
    guard let rule = plan.rule, let configuration = tag.layout.configurationPage else {
      return nil
    }
    let hidden = tag.mirrored
    let data = tag.layout.userPages.reversed().first { page in
      let bytes = page * TagMemory.pageByteCount..<(page + 1) * TagMemory.pageByteCount
      return page >= rule.firstPage && tag.protection(of: page) == .open
        && hidden.clamped(to: bytes).isEmpty
    }
    guard let data else {
      let access = plan.steps.last { $0.page == configuration + 1 }?.sent
      return (access ?? tag.memory[configuration + 1]).map { (configuration + 1, $0) }
    }
    return try await read(data).map { (data, $0) }
  }

  private func checkProtection(
    _ probe: (page: Int, bytes: [UInt8])?
  ) async throws(PasswordStop) -> (tag: Tag, refusedPage: Int?) {
    let open = AuthenticatedChannel(withoutPassword: channel.base)
    try await powerUp(open)
    if let probe, try await send(probe.bytes, to: probe.page, attempts: 2, over: open) {
      throw .tookWrite(page: probe.page)
    }
    if let rule = plan.rule, rule.protectsReading {
      if try await read(rule.firstPage, over: open) != nil { throw .showed(page: rule.firstPage) }
    }
    guard let proven = try await authenticated() else { throw .notTaken }
    return (.type2(try await readBack(over: proven)), probe?.page)
  }

  private func checkRemoval() async throws(PasswordStop) -> Type2Tag {
    let open = AuthenticatedChannel(withoutPassword: channel.base)
    try await powerUp(open)
    let result = try await readBack(over: open)
    guard try await authenticated() != nil else { throw .notTaken }
    return result
  }

  /// Reads the configuration and compares it with the result of the steps.
  private func readBack(
    over channel: AuthenticatedChannel<Base>
  ) async throws(PasswordStop) -> Type2Tag {
    var tag = tag
    guard let pages = tag.configurationPages, let first = tag.layout.configurationPage else {
      return tag
    }
    for page in pages { tag.memory.forget(page) }
    do throws(TagChannelError) {
      tag = try await tag.loadingConfiguration(over: channel)
    } catch {
      throw .channel(error)
    }
    for page in [first, first + 1] {
      let expected = plan.steps.last { $0.page == page }?.sent ?? tag.memory[page] ?? []
      guard tag.memory[page] == expected else {
        throw .differs(page: page, expected: expected, found: tag.memory[page])
      }
    }
    return tag
  }

  // MARK: Commands

  /// The channel with the tag's planned password; `nil` if the tag does not accept it.
  private func authenticated() async throws(PasswordStop) -> AuthenticatedChannel<Base>? {
    do throws(TagChannelError) {
      return try await AuthenticatedChannel.proving(plan.password, on: channel.base)
    } catch {
      if error.code == .wrongPassword { return nil }
      throw .channel(error)
    }
  }

  private func powerUp(_ other: AuthenticatedChannel<Base>? = nil) async throws(PasswordStop) {
    var commands = Type2Commands(other ?? channel)
    do throws(TagChannelError) {
      try await commands.restart()
    } catch {
      throw .channel(error)
    }
  }

  private func send(
    _ bytes: [UInt8], to page: Int, attempts: Int = 3, over channel: AuthenticatedChannel<Base>
  ) async throws(PasswordStop) -> Bool {
    var commands = Type2Commands(channel)
    do throws(TagChannelError) {
      return try await commands.write(bytes, to: page, attempts: attempts)
    } catch {
      throw .channel(error)
    }
  }

  private func read(
    _ page: Int, over other: AuthenticatedChannel<Base>? = nil
  ) async throws(PasswordStop) -> [UInt8]? {
    var commands = Type2Commands(other ?? channel)
    do throws(TagChannelError) {
      return try await commands.read(page).map { Array($0.prefix(TagMemory.pageByteCount)) }
    } catch {
      throw .channel(error)
    }
  }
}

/// The errors for a password job that stops early.
extension PasswordProgress {
  func error(for stop: PasswordStop) -> TagError {
    let name = "\(plan.tag.name) \(plan.tag.uid.hexadecimal)"
    let again: Hint = "run the command again\(reminder)"
    switch stop {
    case .channel(let error): return failure(error)
    case .other(let error): return error
    case .refused(let page):
      let what = page.map { "to write page \($0)" } ?? "a command for its password"
      return TagError(
        .writeRefused, "\(name) refused \(what); \(state)", hint: again,
        page: page, uid: plan.tag.uid)
    case .differs(let page, let expected, let found):
      let reads = found.map { "reads \($0.hexadecimal)" } ?? "cannot be read"
      return TagError(
        .verifyFailed,
        "page \(page) of \(name) \(reads) where \(expected.hexadecimal) is expected; \(state)",
        hint: again, page: page, uid: plan.tag.uid)
    case .notTaken:
      return TagError(
        .verifyFailed, "\(name) refuses the password that was written to it; \(state)",
        hint: again + "; if it happens again, discard the tag", uid: plan.tag.uid)
    case .tookWrite(let page):
      return TagError(
        .verifyFailed,
        "\(plan.tag.pieceName) \(page) of \(name) accepted a write without the password: it has no effect",
        hint: "use another tag; a password without effect indicates a counterfeit",
        page: page, uid: plan.tag.uid)
    case .showed(let page):
      return TagError(
        .verifyFailed, "\(plan.tag.pieceName) \(page) of \(name) can be read without the password",
        hint: "use another tag; a password without effect indicates a counterfeit",
        page: page, uid: plan.tag.uid)
    }
  }

  /// A clause on the password that is in force.
  private var state: String {
    switch stage {
    case .untouched: "nothing was written"
    case .disarming: "its old password is in force, or none"
    case .open: "no password is in force"
    case .arming: plan.rule == nil ? "no password is in force" : "the password is in force, or none"
    }
  }

  /// A reminder of the rule, which a tag torn while it was open no longer holds.
  private var reminder: String {
    guard let rule = plan.rule, rule != plan.tag.usualPasswordRule else { return "" }
    let limit = rule.wrongPasswordLimit
    return "; it protects the \(plan.tag.pieceName)s from \(rule.firstPage) on against "
      + (rule.protectsReading ? "reading and writing" : "writing")
      + (limit > 0 ? " with a limit of \(limit) wrong passwords" : "")
  }

  private func failure(_ error: TagChannelError) -> TagError {
    guard stage != .untouched else { return TagError(error, uid: plan.tag.uid) }
    let tag = "tag \(plan.tag.uid.hexadecimal)"
    let (code, what): (TagError.Code, String) =
      switch error.code {
      case .tagLost: (.tornWrite, "\(tag) was removed while its password was written")
      case .tagChanged:
        (.tagChanged, "another tag appeared while the password of \(tag) was written")
      case .wrongPassword: (.tagPassword, "\(tag) refused its password")
      case .cancelled: (.cancelled, "stopped while the password of \(tag) was written")
      default:
        (
          .readerFailed,
          "the reader failed while the password of \(tag) was written: "
            + error.message
        )
      }
    return TagError(
      code, "\(what): \(state)",
      hint: "put the tag back and run the command again\(reminder)",
      uid: plan.tag.uid, underlying: error)
  }
}
