import CliptagBasics

/// The steps to lock a tag permanently, piece by piece and in order.
///
/// A plan exists only for a message that was read from the tag and equals the one to keep. However
/// early its execution stops, the message stays intact and readable, and a new plan for the same
/// tag finishes the job.
///
/// **The order on a Type 2 tag**, and the state of a tag torn between two steps (sections are those
/// of the NTAG21x data sheet, rev. 3.2):
///
/// 1. *Configuration* (CFG1, bit CFGLCK, section 8.5.7). It is the only page of the four that the
///    chip does not protect against tearing, so it is written and read back while everything can
///    still be repaired; it can be written again until the field is switched off, because CFGLCK
///    takes effect at the next power-up. In the reverse order, a tag with locked data and an open
///    configuration could be hidden behind a stranger's password, which no later run could undo.
/// 2. *Capability container* (page 3, section 8.5.4; NFC Forum, Type 2 Tag 1.1, section 6.1): from
///    here on compliant writers do not write the tag. It must precede the static lock bits, of
///    which bit 3 closes page 3. Its bits are programmed once, so a missing one can be added later.
/// 3. *Dynamic lock bits* (section 8.5.3), for the pages from 10h on; when they read correctly, the
///    block-lock bits of the same page.
/// 4. *Static lock bits* `F8 FF` (page 2, section 8.5.2), last because they close page 3, then
///    their block-lock bits, which makes `FF FF`. Before them the field is cycled, and steps 1 to 3
///    are read back.
///
/// Block-lock bits freeze the present state of lock bits. If they were sent together, a lock bit
/// that was stored wrongly would stay open permanently; if they are sent afterwards, it can be set
/// again.
///
/// On a tag of no known product each of these pages is first written with its present content, which
/// changes nothing: one that refuses that could not be locked after the container was closed.
///
/// The chip protects pages 2 and 3 and the dynamic lock bits against tearing: each has its old or
/// its new content. Setting a bit that is set already changes nothing, so a step may be repeated.
///
/// One gap remains: PWD and PACK can be written regardless of CFGLCK. On a tag without password
/// (AUTH0 after the last page) they have no effect, which CFGLCK preserves.
public struct LockPlan: Hashable, Sendable {
  /// One piece to write: a page of a Type 2 tag, a byte of a Type 4 tag's capability container, the
  /// rights of a file of an NTAG 424 DNA, or a block of a Type 5 tag.
  public struct Step: Hashable, Sendable {
    /// The part that a page locks.
    public enum Purpose: Hashable, Sendable, CustomStringConvertible {
      /// Locks the configuration: mirror, password and counter settings.
      case lockConfiguration
      /// Closes the capability container, which marks the tag as read-only.
      case closeContainer
      /// Locks the pages from 10h on.
      case lockDynamically
      /// Freezes the lock bits of the pages from 10h on, by their block-lock bits.
      case freezeDynamically
      /// Locks pages 3 to 15.
      case lockStatically
      /// Freezes the lock bits of pages 3 to 15, by their block-lock bits.
      case freezeStatically
      /// Locks one block of a Type 5 tag.
      case lockBlock
      /// Ends the rights to write the NDEF file of an NTAG 424 DNA and to change its settings.
      case lockFile
      /// Ends the same rights of the file with its capability container.
      case lockContainer

      /// The stable name that a dry run prints.
      public var description: String {
        switch self {
        case .lockConfiguration: "lock-configuration"
        case .closeContainer: "close-container"
        case .lockDynamically: "lock-dynamic"
        case .freezeDynamically: "freeze-dynamic"
        case .lockStatically: "lock-static"
        case .freezeStatically: "freeze-static"
        case .lockBlock: "lock-block"
        case .lockFile: "lock-file"
        case .lockContainer: "lock-container"
        }
      }
    }

    /// The part that the page locks.
    public let purpose: Purpose
    /// The place of the piece; an offset is one in a Type 4 tag's capability container.
    public let place: WritePlan.Step.Place
    /// The bytes before this step.
    public let before: [UInt8]
    /// The bytes after this step, as the tag then shows them.
    public let after: [UInt8]
    /// The bytes to send; reserved bits are sent as 0.
    package let sent: [UInt8]
    /// The number of the page or block, or the offset.
    var page: Int { place.number }

    package init(
      _ purpose: Purpose, at place: WritePlan.Step.Place, before: [UInt8], after: [UInt8],
      sent: [UInt8]? = nil
    ) {
      (self.purpose, self.place) = (purpose, place)
      (self.before, self.after, self.sent) = (before, after, sent ?? after)
    }

    /// The irreversible effect of the step, as a sentence.
    public var irreversible: String {
      switch purpose {
      case .lockConfiguration:
        "page \(page) becomes \(after.hexadecimal): mirror, password and counter settings are "
          + "frozen"
      case .closeContainer:
        "\(place) becomes \(after.hexadecimal): the tag is marked read-only"
      case .lockDynamically:
        "page \(page) becomes \(after.hexadecimal): the pages from 16 on are locked"
      case .freezeDynamically:
        "page \(page) becomes \(after.hexadecimal): the lock bits of the pages from 16 on are frozen"
      case .lockStatically:
        "page \(page) becomes \(after.hexadecimal): pages 3 to 15 are locked"
      case .freezeStatically:
        "page \(page) becomes \(after.hexadecimal): the lock bits of pages 3 to 15 are frozen"
      case .lockBlock: "\(place) keeps \(after.hexadecimal)"
      case .lockFile:
        "\(place) keeps its URL and the places of its messages: no key writes it any more"
      case .lockContainer: "\(place) keeps the capability container: no key writes it any more"
      }
    }
  }

  /// The tag as read when the plan was made, with its configuration.
  package let tag: Tag
  /// The message that is locked in, as read.
  package let message: [UInt8]
  /// The writes, in this order; a page with block-lock bits is written twice.
  public let steps: [Step]
  /// The pages or blocks that are tested afterwards with a write that must be refused: on a Type 2
  /// tag, one locked by static bits, one locked by dynamic bits, and the configuration, if the
  /// product has them; on a Type 4 tag, the offset 0 of its NDEF file.
  package let probes: [Int]
  /// Notes for the caller, as sentences; usually empty.
  public let notes: [String]
  /// The maximum number of commands and selections of the execution without repetitions, excluding
  /// those of an ``AuthenticatedChannel``.
  package let expectedExchanges: Int

  /// Makes a plan.
  package init(
    tag: Tag, message: [UInt8], steps: [Step], probes: [Int], notes: [String],
    expectedExchanges: Int
  ) {
    (self.tag, self.message, self.steps) = (tag, message, steps)
    (self.probes, self.notes, self.expectedExchanges) = (probes, notes, expectedExchanges)
  }

  /// The number of pages or blocks to write.
  package var pageCount: Int { Set(steps.map(\.page)).count }

  /// A Boolean value that indicates whether everything is locked already. Executing the plan then
  /// only checks it.
  public var isAlreadyLocked: Bool { steps.isEmpty }

  /// The irreversible effects, as sentences.
  public var irreversible: [String] {
    steps.map(\.irreversible)
  }
}

/// The pages of a Type 2 tag that a lock writes, reads and tests.
struct Type2LockPages {
  let tag: Type2Tag
  let steps: [LockPlan.Step]
  let probes: [Int]

  func expectedExchanges(pagesPerRead: Int) -> Int {
    func reads(_ pages: ClosedRange<Int>) -> Int { (pages.count + pagesPerRead - 1) / pagesPerRead }
    let readBack = toReadBack.map(reads).reduce(0, +)
    // Every step is written and read; before the static lock bits, the previous steps are read
    // after a power-up.
    var work = 2 * steps.count
    if !tag.layout.isKnownProduct { work += Set(steps.map(\.page)).count }
    if firstStaticStep != nil { work += 1 + toCheck.map(reads).reduce(0, +) }
    // A probe counts as refused after two refusals.
    return work + 1 + readBack + 2 * probes.count
  }

  /// The first step that writes static lock bits, if others precede it.
  var firstStaticStep: Int? {
    steps.firstIndex { $0.page == 2 }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The pages that are compared before the static lock bits are set.
  var toCheck: [ClosedRange<Int>] { Set(tag.lockPages).runs }

  /// The pages with locks after all steps.
  var locks: [Int: [UInt8]] {
    var pages: [Int: [UInt8]] = [:]
    for page in tag.lockPages { pages[page] = tag.memory[page] }
    for step in steps { pages[step.page] = step.after }
    return pages
  }

  /// The pages with locks after the first steps.
  func locks(after done: Int) -> [Int: [UInt8]] {
    var pages = locks
    for step in steps[done...].reversed() { pages[step.page] = step.before }
    return pages
  }

  /// The pages of the message as they were when it was verified.
  var message: [Int: [UInt8]] {
    var pages: [Int: [UInt8]] = [:]
    for page in 4...max(4, tag.lastMessagePage) { pages[page] = tag.memory[page] }
    return pages
  }

  /// The pages that are read back at the end: those of the message, of the locks, and of the
  /// probes.
  var toReadBack: [ClosedRange<Int>] {
    (Set(0...max(min(15, tag.lastPage), tag.lastMessagePage)).union(locks.keys).union(probes)).runs
  }
}

extension Type2Tag {
  /// The last page that the message TLV covers.
  var lastMessagePage: Int {
    guard case .message(let bytes) = content, map.area.count > 0 else { return 3 }
    let end = map.start + (bytes.count < 0xFF ? 2 : 4) + bytes.count - 1
    return map.area.page(of: min(end, map.area.count - 1))
  }

  /// The pages that contain locks or are part of locking: 2, 3, dynamic lock bits, CFG0 and CFG1.
  var lockPages: [Int] { [2, 3] + (configurationPages.map(Array.init) ?? []) }
}

extension Set<Int> {
  /// The numbers as ranges without gaps, in order.
  var runs: [ClosedRange<Int>] {
    sorted().reduce(into: []) { runs, number in
      if let last = runs.last, last.upperBound + 1 == number {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
  }
}

extension Type2Tag {
  /// Plans to lock the tag permanently, reading the pages on which that depends. Nothing is
  /// written.
  ///
  /// - Parameters:
  ///   - message: The message on the tag, as found by ``Tag/planLock(of:over:)``.
  ///   - channel: The tag.
  ///   - lockingConfiguration: Pass `false` to leave mirror, password and counter settings open. A
  ///     stranger can then still hide the message behind a password.
  /// - Returns: The plan; ``LockPlan/isAlreadyLocked`` if there is nothing to write.
  /// - Throws: ``TagError``: `tag-password` if a password that was not given closes a page or hides
  ///   the message from phones, `tag-locked` if a required lock bit is frozen open,
  ///   `tag-unsupported` if the tag's lock bits are not known, `tag-lost`, `tag-changed`,
  ///   `reader-failed`, `cancelled`.
  package func planLock(
    of message: [UInt8], over channel: some TagChannel, lockingConfiguration: Bool = true
  ) async throws(TagError) -> LockPlan {
    let (read, steps) = try await lockSteps(
      over: channel, lockingConfiguration: lockingConfiguration)
    try read.refuseHiddenMessage()
    var tag = read
    if steps.contains(where: { $0.purpose == .lockConfiguration }) {
      tag = try await tag.confirmingConfiguration(over: channel)
    }
    let probes = tag.probePages(
      configuration: lockingConfiguration || tag.configuration?.isLocked == true)
    if let page = tag.firstProtectedPage, probes.isEmpty {
      throw TagError(
        .tagPassword,
        "a password refuses every write to \(name) \(uid.hexadecimal), so its locks cannot be verified",
        hint: TagError.givePassword, page: page, uid: uid)
    }
    let pagesPerRead = tag.mayFastRead ? Type2Commands(channel).pagesPerFastRead : 4
    return LockPlan(
      tag: .type2(tag), message: message, steps: steps, probes: probes,
      notes: tag.lockNotes(closesContainer: steps.contains { $0.purpose == .closeContainer }),
      expectedExchanges: Type2LockPages(tag: tag, steps: steps, probes: probes)
        .expectedExchanges(pagesPerRead: pagesPerRead))
  }

  /// The pages that locking would write, whatever the content of the tag, and the tag with the
  /// pages read for that. For a preview; only ``planLock(of:over:lockingConfiguration:)`` makes a
  /// plan.
  ///
  /// - Throws: As ``planLock(of:over:lockingConfiguration:)``.
  package func lockSteps(
    over channel: some TagChannel, lockingConfiguration: Bool = true
  ) async throws(TagError) -> (tag: Type2Tag, steps: [LockPlan.Step]) {
    try checkReach()
    var tag = try await confirmingProduct(forPassword: false, over: channel)
    do throws(TagChannelError) {
      tag = try await tag.loading(0...3, over: channel)
      tag = try await tag.loadingConfiguration(over: channel)
    } catch {
      throw TagError(error, uid: uid)
    }
    try tag.checkReach()
    let steps = try tag.lockSteps(lockingConfiguration: lockingConfiguration)
    for step in steps { try tag.checkProtection(of: step.page) }
    try tag.checkEveryPageIsLocked(by: steps)
    return (tag, steps)
  }

  /// Writes the pages of a lock with their present content, which changes nothing, if the product
  /// is not known exactly: a twin may keep a password or another lock before its lock bytes, which
  /// would refuse them after the container has been closed.
  ///
  /// - Throws: ``TagError``: `tag-unsupported` if a page is refused, `tag-lost`, `tag-changed`,
  ///   `reader-failed`, `cancelled`.
  func checkLockBytes(
    of steps: [LockPlan.Step], over channel: some TagChannel
  ) async throws(TagError) {
    guard !layout.isKnownProduct else { return }
    var commands = Type2Commands(channel)
    var pages: [Int: [UInt8]] = [:]
    for step in steps where pages[step.page] == nil { pages[step.page] = step.before }
    for (page, bytes) in pages.sorted(by: { $0.key < $1.key }) {
      let isTaken: Bool
      do throws(TagChannelError) {
        isTaken = try await commands.write(bytes, to: page, attempts: 3)
      } catch {
        throw TagError(error, uid: uid)
      }
      guard isTaken else {
        throw TagError(
          .tagUnsupported,
          "\(name) \(uid.hexadecimal) cannot be locked: it refuses to write page \(page), which the "
            + "lock has to change; nothing was changed",
          hint: "use a tag of a known product, such as an NTAG213", page: page, uid: uid)
      }
    }
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
        LockPlan.Step(purpose, at: .page(page), before: before, after: after, sent: sent))
    }

    if lockingConfiguration, let page = layout.configurationPage {
      add(.lockConfiguration, page + 1, configuration?.locked().secondPage)
    }
    // A closed container can no longer change; a note reports that.
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

  /// Throws if a lock bit is frozen open or missing, so that a page would stay open permanently.
  private func checkEveryPageIsLocked(by steps: [LockPlan.Step]) throws(TagError) {
    var locked = self
    for step in steps { locked.memory.store(step.after, from: step.page) }
    guard let page = locked.firstOpenPage else { return }
    if page >= 16, layout.dynamicLockBits ?? map.lockBits == nil {
      throw TagError(
        .tagUnsupported,
        "the address of the lock bits of page \(page) on \(name) \(uid.hexadecimal) is unknown",
        hint: "use a tag of a known product, such as an NTAG213", page: page, uid: uid)
    }
    throw TagError(
      .tagLocked,
      "page \(page) of \(name) \(uid.hexadecimal) can never be locked: its lock bit is frozen",
      hint: "use another tag: this is permanent", page: page, uid: uid)
  }

  /// Throws for a message that no phone can read because a password also protects reading; after
  /// the configuration is locked, that would be permanent.
  private func refuseHiddenMessage() throws(TagError) {
    guard let firstProtectedPage, hidesMessage else { return }
    throw TagError(
      .tagPassword,
      "a password hides page \(firstProtectedPage) of \(name) \(uid.hexadecimal) from all phones, "
        + "and the lock would make that permanent",
      hint: "remove the password first, or restrict it to writing", page: firstProtectedPage,
      uid: uid)
  }
}

extension Type2Tag {
  /// A Boolean value that indicates whether a password protects the message, or part of it, against
  /// reading, so that no phone finds it. Complete after ``readingConfiguration(over:)``.
  package var hidesMessage: Bool {
    guard let firstProtectedPage, configuration?.protectsReading == true else { return false }
    return firstProtectedPage <= lastMessagePage
  }

  /// The first page of the data area that no lock bit locks; `nil` if all are locked.
  var firstOpenPage: Int? {
    Set(map.area.addresses.map { $0 / TagMemory.pageByteCount }).sorted().first {
      protection(of: $0) != .locked
    }
  }

  func isStaticallyLocked(_ page: Int) -> Bool {
    guard let bytes = memory[2] else { return false }
    return (Int(bytes[2]) | Int(bytes[3]) << 8) >> page & 1 == 1
  }

  /// The extent to which a tag is locked.
  public enum LockState: String, Hashable, Sendable {
    /// The tag is not locked.
    case open
    /// The tag is partly locked, by an interrupted lock or only by its capability container.
    case partial
    /// Every page of the message's memory is locked permanently.
    case permanent
  }

  /// The lock state of the memory for the message. Complete after ``readingConfiguration(over:)``.
  public var lockState: LockState {
    if map.area.count > 0, firstOpenPage == nil { return .permanent }
    return isLocked ? .partial : .open
  }
}

extension Type2Tag {
  /// The pages whose lock is tested: none under a mirror, which hides the stored bytes; none that a
  /// password closes, whose refusal would prove nothing; and the last of each type, which a message
  /// seldom reaches.
  fileprivate func probePages(configuration: Bool) -> [Int] {
    let dataPages = Set(map.area.addresses.map { $0 / TagMemory.pageByteCount }).sorted()
    let hidden = mirrored
    let candidates = dataPages.reversed().filter { page in
      let start = page * TagMemory.pageByteCount
      return hidden.clamped(to: start..<start + TagMemory.pageByteCount).isEmpty
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
        "page 3 was locked before it was marked read-only: readers will try to write, and fail")
    }
    if let firstProtectedPage {
      notes.append(
        "the password of the pages from \(firstProtectedPage) on remains in force; with the "
          + "configuration locked it can be changed, but never removed")
    }
    return notes
  }
}
