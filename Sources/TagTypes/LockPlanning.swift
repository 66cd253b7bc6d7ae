extension Type2Tag {
  /// Plans to lock the tag for good, reading what that depends on. Nothing is written.
  ///
  /// - Parameters:
  ///   - message: The message to keep, byte for byte as it was read and found to be right. The tag
  ///     has to hold it.
  ///   - channel: The tag.
  ///   - lockingConfiguration: Whether mirror, password and counter settings are locked too. If
  ///     not, a stranger can still hide the message behind a password.
  /// - Returns: The plan; ``LockPlan/isAlreadyLocked`` when there is nothing to write.
  /// - Throws: ``TagError``: `verify-failed` when the tag does not hold the message, `tag-password`
  ///   when a password that was not given closes a page or hides the message from phones,
  ///   `tag-locked` when a lock bit that is needed is frozen open, `tag-unsupported` when the tag's
  ///   lock bits are not known, `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func planLock(
    of message: [UInt8], over channel: some TagChannel, lockingConfiguration: Bool = true
  ) async throws(TagError) -> LockPlan {
    guard case .message(let held) = content, held == message else {
      throw TagError(
        .verifyFailed, "\(name) \(uid.hexadecimal) does not hold the message to be locked in",
        hint: "write the message first, and lock the tag when it has been read back", uid: uid)
    }
    let (tag, steps) = try await lockSteps(
      over: channel, lockingConfiguration: lockingConfiguration)
    try tag.refuseHiddenMessage()
    let probes = tag.probePages(
      configuration: lockingConfiguration || tag.configuration?.isLocked == true)
    if let page = tag.firstProtectedPage, probes.isEmpty {
      throw TagError(
        .tagPassword,
        "a password refuses every write to \(name) \(uid.hexadecimal), so its locks cannot be proven",
        hint: TagError.givePassword, page: page, uid: uid)
    }
    return LockPlan(
      tag: tag, message: message, steps: steps, probes: probes,
      notes: tag.lockNotes(closesContainer: steps.contains { $0.purpose == .closeContainer }),
      pagesPerRead: tag.mayFastRead ? Type2Commands(channel).pagesPerFastRead : 4)
  }

  /// The pages that locking would write, whatever the tag holds, and the tag with what was read for
  /// that. For a look ahead; only ``planLock(of:over:lockingConfiguration:)`` makes a plan.
  ///
  /// - Throws: As ``planLock(of:over:lockingConfiguration:)``.
  package func lockSteps(
    over channel: some TagChannel, lockingConfiguration: Bool = true
  ) async throws(TagError) -> (tag: Type2Tag, steps: [LockPlan.Step]) {
    var tag = try await confirmingProduct(over: channel)
    do throws(TagChannelError) {
      tag = try await tag.loading(0...3, over: channel)
      tag = try await tag.loadingConfiguration(over: channel)
    } catch {
      throw TagError(error, uid: uid)
    }
    let steps = try tag.lockSteps(lockingConfiguration: lockingConfiguration)
    for step in steps { try tag.checkProtection(of: step.page) }
    try tag.checkEveryPageIsLocked(by: steps)
    return (tag, steps)
  }

  private func lockSteps(lockingConfiguration: Bool) throws(TagError) -> [LockPlan.Step] {
    if let page = lockPages.first(where: { memory[$0] == nil }) {
      throw TagError(
        .tagPassword, "page \(page) of \(name) \(uid.hexadecimal) cannot be read",
        hint: TagError.givePassword, page: page, uid: uid)
    }
    var steps: [LockPlan.Step] = []
    var shown = memory
    func add(
      _ purpose: LockPlan.Step.Purpose, _ page: Int, _ after: [UInt8]?, sent: [UInt8]? = nil
    ) {
      guard let before = shown[page], let after, before != after else { return }
      shown.store(after, from: page)
      steps.append(
        LockPlan.Step(
          purpose: purpose, page: page, before: before, after: after, sent: sent ?? after))
    }

    if lockingConfiguration, let page = layout.configurationPage {
      add(.lockConfiguration, page + 1, configuration?.locked().secondPage)
    }
    // A container that is closed already cannot change any more; that is told as a note.
    if let container = memory[3], !isStaticallyLocked(3) {
      add(.closeContainer, 3, Array(container[..<3]) + [container[3] | 0x0F])
    }
    for (purpose, page, sent, after) in try lockedDynamically(
      lockingConfiguration: lockingConfiguration)
    {
      add(purpose, page, after, sent: sent)
    }
    add(.lockStatically, 2, lockedStatically(freezing: false))
    add(.freezeStatically, 2, lockedStatically(freezing: true))
    return steps
  }

  /// A lock bit can be frozen open, or missing: then a page stays open for ever.
  private func checkEveryPageIsLocked(by steps: [LockPlan.Step]) throws(TagError) {
    var locked = self
    for step in steps { locked.memory.store(step.after, from: step.page) }
    guard let page = locked.firstOpenPage else { return }
    if page >= 16, layout.dynamicLockBits ?? map.lockBits == nil {
      throw TagError(
        .tagUnsupported,
        "where \(name) \(uid.hexadecimal) has the lock bits of page \(page) is not known",
        hint: "use a tag of a known product, such as an NTAG213", page: page, uid: uid)
    }
    throw TagError(
      .tagLocked,
      "page \(page) of \(name) \(uid.hexadecimal) can never be locked: its lock bit is frozen",
      hint: "use another tag: this cannot be undone", page: page, uid: uid)
  }

  /// Pages behind a password that also guards reading cannot be seen by any phone, and once the
  /// configuration is locked they never will be.
  private func refuseHiddenMessage() throws(TagError) {
    guard let firstProtectedPage, hidesMessage else { return }
    throw TagError(
      .tagPassword,
      "a password hides page \(firstProtectedPage) of \(name) \(uid.hexadecimal) from every phone, "
        + "and would do so for ever",
      hint: "remove the password first, or let it guard only writing", page: firstProtectedPage,
      uid: uid)
  }
}

extension Type2Tag {
  /// Whether a password guards the message, or part of it, against reading, so that no phone finds
  /// it. Complete after ``readingConfiguration(over:)``.
  package var hidesMessage: Bool {
    guard let firstProtectedPage, configuration?.protectsReading == true else { return false }
    return firstProtectedPage <= lastMessagePage
  }

  /// The first page of the data area that no lock bit closes; `nil` when all are locked.
  var firstOpenPage: Int? {
    Set(map.area.addresses.map { $0 / Type2Memory.pageByteCount }).sorted().first {
      protection(of: $0) != .locked
    }
  }

  func isStaticallyLocked(_ page: Int) -> Bool {
    guard let bytes = memory[2] else { return false }
    return (Int(bytes[2]) | Int(bytes[3]) << 8) >> page & 1 == 1
  }

  /// How far a tag is locked.
  public enum LockState: String, Hashable, Sendable {
    /// Not at all.
    case open
    /// In part, as an interrupted lock leaves it, or only by its capability container.
    case partial
    /// Every page of the message's memory is locked for good.
    case permanent
  }

  /// How far the memory for the message is locked. Complete after ``readingConfiguration(over:)``.
  public var lockState: LockState {
    if map.area.count > 0, firstOpenPage == nil { return .permanent }
    return isLocked ? .partial : .open
  }
}

extension Type2Tag {
  /// Pages whose lock is tried: not one under a mirror, because what is read there is not what is
  /// stored; not one that a password closes, because its refusal would prove nothing; and the last
  /// of their kind, where a message seldom reaches.
  fileprivate func probePages(configuration: Bool) -> [Int] {
    let dataPages = Set(map.area.addresses.map { $0 / Type2Memory.pageByteCount }).sorted()
    let hidden = mirrored
    let candidates = dataPages.reversed().filter { page in
      let start = page * Type2Memory.pageByteCount
      return hidden.clamped(to: start..<start + Type2Memory.pageByteCount).isEmpty
        && isOpenToUs(page)
    }
    var pages: [Int] = []
    if let page = candidates.first(where: { $0 < 16 }) { pages.append(page) }
    if let page = candidates.first(where: { $0 >= 16 }) { pages.append(page) }
    // CFG1, or AUTH0 of an Ultralight C.
    if configuration, let page = layout.configurationPage.map({ $0 + 1 }) ?? layout.tripleDESPage,
      isOpenToUs(page)
    {
      pages.append(page)
    }
    return pages
  }

  private func isOpenToUs(_ page: Int) -> Bool {
    isAuthenticated || page < firstProtectedPage ?? .max
  }

  fileprivate func lockNotes(closesContainer: Bool) -> [String] {
    var notes: [String] = []
    if let container = capabilityContainer, container.writeAccess != 0x0F, !closesContainer {
      notes.append(
        "page 3 was locked before it said read-only: readers will try to write, and be refused")
    }
    if let firstProtectedPage {
      notes.append(
        "the password that guards the pages from \(firstProtectedPage) on stays in force; with the "
          + "configuration locked it can be changed, but never removed")
    }
    return notes
  }
}
