import CliptagBasics

extension Type5Tag {
  /// Plans to lock the tag permanently, reading the blocks on which that depends. Nothing is
  /// written.
  ///
  /// First the last block of the data area is locked, which a message seldom reaches: a tag that
  /// refuses that has no lock, and is left unchanged. Then every other block of the area is locked
  /// from its beginning on, so that no writer can withdraw a message of which a part is locked. The
  /// capability container is marked read-only and locked last: until then it is as it was, and a tag
  /// never says that it is read-only while its message is open. Locking a block is one atomic
  /// command. A later plan omits locked blocks.
  ///
  /// - Parameters:
  ///   - message: The message on the tag.
  ///   - channel: The tag.
  /// - Throws: ``TagError``: `tag-unsupported` for a product whose blocks cannot be locked one by
  ///   one, `reader-unsupported` if the reader cannot query the locked blocks, `tag-password`,
  ///   `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  func planLock(
    of message: [UInt8], over channel: some TagChannel
  ) async throws(TagError) -> LockPlan {
    let (tag, steps) = try await lockSteps(over: channel)
    if tag.hidesMessage {
      throw TagError(
        .tagPassword,
        "a password hides \(name) \(uid.hexadecimal) from phones; the lock would make that permanent",
        hint: "remove the password first, or restrict it to writing", uid: uid)
    }
    // The last block, which a message seldom reaches.
    let probe = tag.areaBlocks.upperBound
    var notes: [String] = []
    if tag.protection?.condition ?? 0 != 0 {
      notes.append("the password remains in force and can be changed; its blocks are locked")
    }
    if let container = tag.capabilityContainer, container.writeAccess != 3,
      !steps.contains(where: { $0.purpose == .closeContainer })
    {
      notes.append(
        "block 0 was locked before it was marked read-only: readers will try to write, and fail")
    }
    notes += tag.lockDoubt(about: steps).map { [$0] } ?? []
    let perRead = max(1, channel.maximumAnswerByteCount / blockByteCount)
    let reads = readsSeveralBlocks ? (areaBlocks.count + perRead - 1) / perRead : areaBlocks.count
    let states = (areaBlocks.count + 63) / 64
    // Two readings of everything and one of the container, each after a selection; the container is
    // read when it was written; a trial asks for the lock and writes. The OPTION flag is tried once
    // after refusals.
    return LockPlan(
      tag: .type5(tag), message: message, steps: steps, probes: [probe], notes: notes,
      expectedExchanges: steps.count + 3 + 2 * reads + containerBlocks.count + 1 + states + 3 + 4)
  }

  /// The note that locking may turn out to be impossible, for a tag whose product is not known to
  /// lock its blocks; `nil` if it is, or if a block is locked already.
  func lockDoubt(about steps: [LockPlan.Step]) -> String? {
    guard product.locking == .unknown, lockedBlocks?.contains(true) != true,
      let step = steps.first
    else { return nil }
    return "whether \(name) \(uid.hexadecimal) can be locked is not known: \(step.place) is locked "
      + "first, and the tag stays as it is if it refuses that"
  }

  /// The blocks that the capability container covers.
  private var containerBlocks: ClosedRange<Int> {
    0...(((capabilityContainer ?? formatted)?.bytes.count ?? 4) - 1) / blockByteCount
  }

  /// The blocks that locking writes, and the tag with the blocks read for that.
  func lockSteps(
    over channel: some TagChannel
  ) async throws(TagError) -> (tag: Type5Tag, steps: [LockPlan.Step]) {
    guard product.locking != .firstBlocks else {
      throw TagError(
        .tagUnsupported,
        "\(name) \(uid.hexadecimal) locks its memory by areas, which cliptag does not support",
        hint: "lock it with ST's tool, or use an ICODE SLIX or SLIX2", uid: uid)
    }
    var tag = self
    let area = areaBlocks
    do throws(TagChannelError) {
      tag = try await tag.loadingConfiguration(over: channel)
      tag = try await tag.loading(
        pages: 0...pages(of: area.upperBound).upperBound - 1, over: channel)
    } catch {
      throw TagError(error, uid: uid)
    }
    guard let locked = tag.lockedBlocks else {
      throw TagError(
        .readerUnsupported,
        "the lock state of \(name) \(uid.hexadecimal) is not readable with this reader, so a "
          + "lock could not be verified",
        hint: "use an ACR1552U or another reader that passes ISO/IEC 15693 commands", uid: uid
      )
    }
    if let block = area.first(where: { tag.bytes(of: $0) == nil }) {
      throw TagError(
        .tagPassword, "block \(block) of \(name) \(uid.hexadecimal) cannot be read",
        hint: TagError.givePassword, page: block, uid: uid)
    }
    func isLocked(_ block: Int) -> Bool { locked.indices.contains(block) && locked[block] }
    func locking(_ block: Int, holding bytes: [UInt8]) -> LockPlan.Step {
      LockPlan.Step(.lockBlock, at: .block(block), before: bytes, after: bytes)
    }
    let containerBlocks = self.containerBlocks
    let others = area.filter { $0 > containerBlocks.upperBound }
    var steps = (others.suffix(1) + others.dropLast()).filter { !isLocked($0) }.map { block in
      locking(block, holding: tag.bytes(of: block) ?? [])
    }
    var shown = tag.bytes(of: 0) ?? []
    // An unformatted tag gets its container with the message; this is then a preview.
    if let container = capabilityContainer ?? formatted, container.writeAccess != 3, !isLocked(0) {
      let after =
        Array(container.readOnly.prefix(shown.count)) + shown.dropFirst(container.bytes.count)
      steps.append(LockPlan.Step(.closeContainer, at: .block(0), before: shown, after: after))
      shown = after
    }
    for block in containerBlocks.reversed() where !isLocked(block) {
      steps.append(locking(block, holding: block == 0 ? shown : tag.bytes(of: block) ?? []))
    }
    for step in steps where tag.protection?.guardsWriting(step.page) == true && !isAuthenticated {
      throw TagError(
        .tagPassword, "a password protects block \(step.page) of \(name) \(uid.hexadecimal)",
        hint: TagError.givePassword, page: step.page, uid: uid)
    }
    return (tag, steps)
  }

  /// A Boolean value that indicates whether every block of the data area is locked permanently.
  var isLockedWhole: Bool {
    guard let lockedBlocks, map.area.count > 0 else { return false }
    return areaBlocks.allSatisfy { lockedBlocks.indices.contains($0) && lockedBlocks[$0] }
  }

  /// The error for a tag that refused to lock its first block, as it was found to be afterwards.
  fileprivate func hasNoLock(refusing block: Int) -> TagError {
    TagError(
      .tagUnsupported,
      "\(name) \(uid.hexadecimal) cannot be locked: block \(block), the first to be locked, is open "
        + "after LOCK BLOCK; nothing was changed",
      hint: "use an ICODE SLIX or SLIX2 for tags to be locked", page: block, uid: uid)
  }
}

extension LockPlan {
  /// Locks a Type 5 tag; see ``execute(over:)``.
  func execute(
    on tag: Type5Tag, over channel: some TagChannel, _ progress: inout LockProgress
  ) async throws(LockStop) -> (tag: Tag, exchanges: Int) {
    var commands = tag.commands(over: channel)
    let isTrial = tag.lockDoubt(about: steps) != nil
    for (index, step) in steps.enumerated() {
      let isLock = step.purpose == .lockBlock
      let closes = index > 0 && steps[index - 1].purpose == .closeContainer
      // The content must be correct before it is locked: a wrong byte would be permanent.
      if isLock, index == 0 || closes {
        let blocks = index == 0 ? tag.areaBlocks : 0...0
        _ = try await readBack(blocks, after: index, tag, &commands)
      }
      progress.begin()
      let isDone: Bool?
      do throws(TagChannelError) {
        isDone =
          isLock
          ? try await commands.locking(step.page)
          : try await commands.writing(step.sent, to: step.page)
      } catch {
        throw .channel(error)
      }
      progress.isNextUnknown = isDone == nil
      guard isDone == true else {
        if commands.lacksOption {
          throw .other(tag.needsCarriedOption("\(progress.done) of \(steps.count) locks were set"))
        }
        if isTrial, index == 0, isDone == false { throw .other(tag.hasNoLock(refusing: step.page)) }
        try await reopenContainer(after: index, tag, &commands, &progress)
        throw .refused(step.place)
      }
      if isTrial, index == 0 { try await proveLock(step, tag, &commands) }
      progress.done += 1
    }
    var result = try await proven(tag, &commands)
    result.needsOption = commands.needsOption
    return (.type5(result), commands.exchanges)
  }

  /// Proves the lock of the first block: the tag reports it, and refuses a write.
  private func proveLock<Channel: TagChannel>(
    _ step: Step, _ tag: Type5Tag, _ commands: inout Type5Commands<Channel>
  ) async throws(LockStop) {
    var (isLocked, isTaken) = (false, false)
    do throws(TagChannelError) {
      // One response may have been garbled.
      for _ in 0..<2 where !isLocked {
        isLocked = try await commands.locks(of: step.page...step.page)?.first == true
      }
      if isLocked {
        isTaken = try await commands.write(step.after, to: step.page, attempts: 2)
      }
    } catch {
      throw .channel(error)
    }
    guard isLocked else { throw .other(tag.hasNoLock(refusing: step.page)) }
    if isTaken { throw .tookWrite(step.place) }
  }

  /// Writes the container as it was, if it was closed and a lock of its blocks is refused: a tag
  /// must not say that it is read-only while anybody can write it.
  private func reopenContainer<Channel: TagChannel>(
    after done: Int, _ tag: Type5Tag, _ commands: inout Type5Commands<Channel>,
    _ progress: inout LockProgress
  ) async throws(LockStop) {
    guard let closing = steps[..<done].first(where: { $0.purpose == .closeContainer }) else {
      return
    }
    do throws(TagChannelError) {
      if try await commands.writing(closing.before, to: closing.page) == true {
        progress.isReopened = true
      }
    } catch {
      throw .channel(error)
    }
  }

  /// Reads blocks after a new power-up, and compares them with the plan.
  ///
  /// - Parameter done: The number of steps that were carried out.
  private func readBack<Channel: TagChannel>(
    _ blocks: ClosedRange<Int>, after done: Int, _ tag: Type5Tag,
    _ commands: inout Type5Commands<Channel>
  ) async throws(LockStop) -> Type5Tag {
    var expected: [Int: [UInt8]] = [:]
    for block in blocks { expected[block] = tag.bytes(of: block) }
    for step in steps[..<done] { expected[step.page] = step.after }
    var result = tag
    do throws(TagChannelError) {
      try await commands.restart()
      let bytes = try await commands.read(blocks)
      for block in blocks {
        let start = (block - blocks.lowerBound) * tag.blockByteCount
        var found = Array(bytes.dropFirst(start).prefix(tag.blockByteCount))
        // One response may have been garbled, so the block is read again.
        if found != expected[block] { found = try await commands.read(block) ?? [] }
        // A block that is no longer readable must not keep its old content here.
        for page in tag.pages(of: block) { result.memory.forget(page) }
        result.memory.store(found, from: tag.pages(of: block).lowerBound)
      }
    } catch {
      throw .channel(error)
    }
    for block in blocks where result.bytes(of: block) != expected[block] {
      throw .differs(
        .block(block), expected: expected[block] ?? [], found: result.bytes(of: block))
    }
    return result
  }

  /// Reads everything back, queries the locks, and tests a block.
  private func proven<Channel: TagChannel>(
    _ tag: Type5Tag, _ commands: inout Type5Commands<Channel>
  ) async throws(LockStop) -> Type5Tag {
    let area = tag.areaBlocks
    var result = try await readBack(area, after: steps.count, tag, &commands)
    do throws(TagChannelError) {
      result.lockedBlocks = try await commands.locks(of: area)
    } catch {
      throw .channel(error)
    }
    let locked = result.lockedBlocks ?? []
    if let open = area.first(where: { !locked.indices.contains($0) || !locked[$0] }) {
      throw .refused(.block(open))
    }
    // A tag that accepts such a write is not locked, whatever it reports.
    for block in probes {
      let isTaken: Bool
      do throws(TagChannelError) {
        isTaken = try await commands.write(result.bytes(of: block) ?? [], to: block, attempts: 2)
      } catch {
        throw .channel(error)
      }
      if isTaken { throw .tookWrite(.block(block)) }
    }
    return result.rescanned(message)
  }
}

extension Type5Commands {
  /// Locks a block that may be locked already: a command whose response was lost is refused when
  /// repeated.
  ///
  /// - Returns: `true` if it is locked; `nil` if the command was refused and the tag does not
  ///   report the lock.
  fileprivate mutating func locking(_ block: Int) async throws(TagChannelError) -> Bool? {
    if try await lock(block) { return true }
    return try await locks(of: block...block)?.first
  }

  /// Writes a block until it reads correctly. Its content decides, not the acknowledgement.
  ///
  /// - Returns: `true` if it reads correctly; `nil` if it is unreadable.
  fileprivate mutating func writing(
    _ bytes: [UInt8], to block: Int
  ) async throws(TagChannelError) -> Bool? {
    var found: [UInt8]?
    for _ in 0..<3 {
      let isTaken = try await write(bytes, to: block)
      found = try await read(block)
      if found == bytes { return true }
      if !isTaken { break }
    }
    return found.map { _ in false }
  }
}
