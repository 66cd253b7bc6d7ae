import CliptagBasics

/// The result of executing a lock plan.
public struct LockReport: Hashable, Sendable {
  /// The tag as read back at the end.
  package let tag: Tag
  /// The number of pages or blocks written.
  public let pagesWritten: Int
  /// A Boolean value that indicates whether everything was locked already.
  public let wasAlreadyLocked: Bool
  /// The pages or blocks that refused a write, as required.
  public let refusedPages: [Int]
  /// The number of commands and selections of the execution.
  package let exchanges: Int
}

extension LockPlan {
  /// Locks the tag, reads everything back after the field was off, and tests the locks.
  ///
  /// On a Type 2 tag each page is read back at once and written again if it is wrong; the steps
  /// before the static lock bits are compared again after the field was off, before those bits
  /// close the container. At the end the whole message, the container and every lock are read after
  /// another power-up, and some of the pages are written with their present content: a tag that
  /// accepts such a write is not locked, whatever its lock bytes contain.
  ///
  /// If it is stopped at any point, the message is intact; a new plan for the same tag finishes the
  /// job.
  ///
  /// - Parameter channel: The tag for which the plan was made.
  /// - Throws: ``TagError``: `torn-write` (the tag left after something was, or may have been,
  ///   written), `tag-lost`, `tag-changed`, `write-refused` with the page, `verify-failed` with the
  ///   page that reads differently or accepted a write, `tag-password`, `reader-failed`,
  ///   `cancelled`. Locks that were set until then stay set.
  public func execute(over channel: some TagChannel) async throws(TagError) -> LockReport {
    try await run(over: channel) { (progress: inout LockProgress) async throws(LockStop) in
      switch tag {
      case .type2(let tag): try await execute(on: tag, over: channel, &progress)
      case .type4(let tag): try await execute(on: tag, over: channel, &progress)
      case .type5(let tag): try await execute(on: tag, over: channel, &progress)
      }
    }
  }

  /// Locks the tag for which the plan was made by the given work, and reports it.
  package func run(
    over channel: some TagChannel,
    _ work: (inout LockProgress) async throws(LockStop) -> (tag: Tag, exchanges: Int)
  ) async throws(TagError) -> LockReport {
    guard channel.target.uid == tag.uid else {
      throw TagError(TagChannelError(.tagChanged, "the UID differs"), uid: tag.uid)
    }
    var progress = LockProgress(plan: self)
    do throws(LockStop) {
      let result = try await work(&progress)
      return LockReport(
        tag: result.tag, pagesWritten: pageCount, wasAlreadyLocked: steps.isEmpty,
        refusedPages: probes, exchanges: result.exchanges)
    } catch {
      throw progress.error(for: error)
    }
  }

  private func execute<Channel: TagChannel>(
    on tag: Type2Tag, over channel: Channel, _ progress: inout LockProgress
  ) async throws(LockStop) -> (tag: Tag, exchanges: Int) {
    do throws(TagError) {
      try await tag.checkLockBytes(of: steps, over: channel)
    } catch {
      throw .other(error)
    }
    var work = Type2LockWork(
      pages: Type2LockPages(tag: tag, steps: steps, probes: probes), progress: progress,
      commands: Type2Commands(channel))
    defer { progress = work.progress }
    return (.type2(try await work.run()), work.exchanges)
  }
}

/// The reason why locking stops early.
package enum LockStop: Error {
  case channel(TagChannelError)
  case refused(WritePlan.Step.Place)
  case differs(WritePlan.Step.Place, expected: [UInt8], found: [UInt8]?)
  case tookWrite(WritePlan.Step.Place)
  /// A command that needs a key failed, other than by the channel.
  case keyed(any KeyedCommandFailure)
  /// The proof failed, perhaps by a disturbance.
  case unproven(TagError)
  case other(TagError)
}

/// The failure of a command that needs a key.
package protocol KeyedCommandFailure: Error {
  /// Returns the error for the lock that it stopped.
  ///
  /// - Parameters:
  ///   - isChanged: `true` if something may have been changed.
  ///   - state: The state of the work, as a clause.
  func error(isChanged: Bool, state: String) -> TagError
}

/// The progress of an execution of a lock plan.
package struct LockProgress {
  let plan: LockPlan
  /// The number of steps that were acknowledged and read back.
  package var done = 0
  package private(set) var hasSentWrite = false
  /// A Boolean value that indicates whether the next step was sent but its result has not been
  /// read.
  package var isNextUnknown = false
  /// A Boolean value that indicates whether a container that was closed was opened again, because
  /// its own lock was refused.
  var isReopened = false

  init(plan: LockPlan) { self.plan = plan }

  /// Records that the next step is being sent.
  package mutating func begin() { (hasSentWrite, isNextUnknown) = (true, true) }
}

/// One execution of a lock plan on a Type 2 tag.
private struct Type2LockWork<Channel: TagChannel> {
  let pages: Type2LockPages
  var progress: LockProgress
  var commands: Type2Commands<Channel>
  /// The number of commands and selections so far.
  var exchanges: Int { commands.exchanges + reads }
  private var reads = 0
  /// The number of attempts to write a page until it reads correctly.
  private static var attempts: Int { 3 }

  init(pages: Type2LockPages, progress: LockProgress, commands: Type2Commands<Channel>) {
    (self.pages, self.progress, self.commands) = (pages, progress, commands)
  }

  mutating func run() async throws(LockStop) -> Type2Tag {
    for step in pages.steps {
      if progress.done == pages.firstStaticStep {
        _ = try await readAfterPowerUp(
          pages.toCheck, comparing: pages.locks(after: progress.done))
      }
      try await write(step)
      progress.done += 1
    }
    let expected = pages.locks.merging(pages.message) { lock, _ in lock }
    let result = try await readAfterPowerUp(pages.toReadBack, comparing: expected)
    for page in pages.probes { try await probe(page, on: result) }
    return result
  }

  /// Writes a page until it reads correctly.
  ///
  /// A write whose acknowledgement was lost is repeated, and the tag may refuse to set bits that
  /// are set already; the content of the page decides.
  private mutating func write(_ step: LockPlan.Step) async throws(LockStop) {
    var found: [UInt8]?
    for _ in 0..<Self.attempts {
      progress.begin()
      let isTaken = try await send(step.sent, to: step.page, attempts: 3)
      found = try await readAtOnce(step.page)
      progress.isNextUnknown = found == nil
      if found == step.after { return }
      // The content is neither the old nor the wanted one: not a refusal, and worth another
      // attempt.
      guard isTaken || found != nil && found != step.before else { throw .refused(step.place) }
    }
    throw .differs(step.place, expected: step.after, found: found)
  }

  /// Reads pages after a new power-up, and compares the expected ones.
  private mutating func readAfterPowerUp(
    _ pages: [ClosedRange<Int>], comparing expected: [Int: [UInt8]]
  ) async throws(LockStop) -> Type2Tag {
    do throws(TagChannelError) {
      try await commands.restart()
    } catch {
      throw .channel(error)
    }
    var result = try await read(pages)
    for (page, bytes) in expected.sorted(by: { $0.key < $1.key })
    where !result.shows(bytes, on: page) {
      // One response may have been garbled, so the page is read again.
      result.memory.forget(page)
      result = try await read([page...page], into: result)
      guard result.shows(bytes, on: page) else {
        throw .differs(.page(page), expected: bytes, found: result.memory[page])
      }
    }
    return result
  }

  private mutating func read(
    _ pages: [ClosedRange<Int>], into known: Type2Tag? = nil
  ) async throws(LockStop) -> Type2Tag {
    var tag = known ?? self.pages.tag
    if known == nil { tag.memory = TagMemory() }
    let before = tag.exchanges
    do throws(TagChannelError) {
      for range in pages {
        tag = try await tag.loading(
          range, upTo: max(tag.lastPage, range.upperBound), over: commands.channel)
      }
    } catch {
      throw .channel(error)
    }
    reads += tag.exchanges - before
    return tag
  }

  /// Reads one page with READ, without anything that could power-cycle the tag on some reader:
  /// until then, a configuration that was stored wrongly can be repaired.
  private mutating func readAtOnce(_ page: Int) async throws(LockStop) -> [UInt8]? {
    do throws(TagChannelError) {
      return try await commands.read(page, of: pages.tag)
    } catch {
      throw .channel(error)
    }
  }

  /// Writes the present content to a page, which a locked page refuses.
  ///
  /// Only a repeated refusal counts: a single one may have been a disturbance.
  private mutating func probe(_ page: Int, on tag: Type2Tag) async throws(LockStop) {
    guard let bytes = tag.memory[page] else {
      throw .differs(.page(page), expected: [], found: nil)
    }
    if try await send(bytes, to: page, attempts: 2) { throw .tookWrite(.page(page)) }
  }

  private mutating func send(
    _ bytes: [UInt8], to page: Int, attempts: Int
  ) async throws(LockStop) -> Bool {
    do throws(TagChannelError) {
      return try await commands.write(bytes, to: page, attempts: attempts)
    } catch {
      throw .channel(error)
    }
  }
}

/// The errors for locking that stops early.
extension LockProgress {
  func error(for stop: LockStop) -> TagError {
    let name = "\(plan.tag.name) \(plan.tag.uid.hexadecimal)"
    switch stop {
    case .channel(let error): return failure(error)
    case .unproven(let error), .other(let error): return error
    case .keyed(let failure): return failure.error(isChanged: hasSentWrite, state: state)
    case .refused(let place):
      return TagError(
        .writeRefused,
        "\(name) refused the lock at \(place); \(state)",
        hint: "run the command again; if it is refused again, use another tag",
        page: place.page, offset: place.offset, uid: plan.tag.uid)
    case .differs(let place, let expected, let found):
      let reads = found.map { "reads \($0.hexadecimal)" } ?? "cannot be read"
      return TagError(
        .verifyFailed,
        "\(place) of \(name) \(reads) where \(expected.hexadecimal) is expected; \(state)",
        hint: "run the command again; if it differs again, discard the tag",
        page: place.page, offset: place.offset, uid: plan.tag.uid)
    case .tookWrite(let place):
      return TagError(
        .verifyFailed,
        "\(place) of \(name) accepted a write despite its lock: the tag is not locked",
        hint: "use another tag; locks without effect indicate a counterfeit",
        page: place.page, offset: place.offset, uid: plan.tag.uid)
    }
  }

  private var state: String {
    if isReopened {
      return "the other blocks are locked, and the container is open again, as it was"
    }
    return switch (done, hasSentWrite) {
    case (0, false): "nothing was written"
    case (plan.steps.count, _): "all locks were set, but not verified"
    case (0, _) where isNextUnknown:
      "the state of the first of \(plan.steps.count) locks is unknown, and the message is intact"
    default:
      // The unanswered write may have been executed.
      (isNextUnknown ? "at least " : "")
        + "\(done) of \(plan.steps.count) locks were set, and the message is intact"
    }
  }

  private func failure(_ error: TagChannelError) -> TagError {
    guard hasSentWrite else { return TagError(error, uid: plan.tag.uid) }
    let tag = "tag \(plan.tag.uid.hexadecimal)"
    let (code, what): (TagError.Code, String) =
      switch error.code {
      case .tagLost: (.tornWrite, "\(tag) was removed during the lock")
      case .tagChanged:
        (.tagChanged, "another tag appeared during the lock of \(tag), and was not changed")
      case .wrongPassword: (.tagPassword, "\(tag) refused the password")
      case .cancelled: (.cancelled, "stopped during the lock of \(tag)")
      default: (.readerFailed, "the reader failed during the lock of \(tag): \(error.message)")
      }
    return TagError(
      code, "\(what): \(state)",
      hint: "no data is lost: put the tag back and run the command again",
      uid: plan.tag.uid, underlying: error)
  }
}
