/// What locking a tag for good would do, page by page and in order.
///
/// A plan exists only for a message that was read from the tag and equals the one that is to be
/// kept. However early its execution stops, the message stays whole and readable, and a new plan
/// for the same tag finishes the job.
///
/// **The order**, and what a tag torn between two steps is like (sections are those of the
/// NTAG21x data sheet, rev. 3.2):
///
/// 1. *Configuration* (CFG1, bit CFGLCK, section 8.5.7). It is the only page of the four that the
///    chip does not guard against tearing, so it is written and read back while everything can
///    still be repaired; it can be written again until the field goes off, because CFGLCK acts from
///    the next power-up on. The other way round, a tag whose data is locked and whose
///    configuration is not could be hidden behind a stranger's password, which no later run could
///    undo.
/// 2. *Capability container* (page 3, section 8.5.4; NFC Forum, Type 2 Tag 1.1, section 6.1): from
///    here on honest writers leave the tag alone. It has to come before the static lock bits, of
///    which bit 3 closes page 3. Its bits are programmed once, so a missing one can be added later.
/// 3. *Dynamic lock bits* (section 8.5.3), for the pages from 10h on; when they read as they
///    should, the block-lock bits of the same page.
/// 4. *Static lock bits* `F8 FF` (page 2, section 8.5.2), last because they close page 3, then their
///    block-lock bits, which makes `FF FF`. Before them the field is switched off and on, and steps
///    1 to 3 are read back.
///
/// Block-lock bits freeze lock bits as they are. Sent along with them, they would make a lock bit
/// that was stored wrongly stay open for ever; sent after them, it can be set again.
///
/// The chip guards pages 2 and 3 and the dynamic lock bits against tearing: each is as before or as
/// wanted. Setting a bit that is set already changes nothing, so a step may be repeated.
///
/// What remains open: PWD and PACK can be written whatever CFGLCK says. On a tag without password
/// (AUTH0 behind the last page) they have no effect, and CFGLCK keeps it so.
public struct LockPlan: Hashable, Sendable {
  /// One page to write.
  public struct Step: Hashable, Sendable {
    /// What a page locks.
    public enum Purpose: Hashable, Sendable, CustomStringConvertible {
      /// The configuration: mirror, password and counter settings.
      case lockConfiguration
      /// The capability container, which tells readers that the tag is read-only.
      case closeContainer
      /// The pages from 10h on.
      case lockDynamically
      /// The lock bits of the pages from 10h on, by their block-lock bits.
      case freezeDynamically
      /// Pages 3 to 15.
      case lockStatically
      /// The lock bits of pages 3 to 15, by their block-lock bits.
      case freezeStatically

      /// The stable name that a dry run prints.
      public var description: String {
        switch self {
        case .lockConfiguration: "lock-configuration"
        case .closeContainer: "close-container"
        case .lockDynamically: "lock-dynamic"
        case .freezeDynamically: "freeze-dynamic"
        case .lockStatically: "lock-static"
        case .freezeStatically: "freeze-static"
        }
      }
    }

    /// What the page locks.
    public let purpose: Purpose
    /// The page.
    public let page: Int
    /// Its four bytes before this step.
    public let before: [UInt8]
    /// Its four bytes after this step, as the tag then shows them.
    public let after: [UInt8]
    /// The four bytes to send; reserved bits are sent as 0.
    let sent: [UInt8]

    /// What the step does for good, as a sentence.
    public var irreversible: String {
      switch purpose {
      case .lockConfiguration:
        "page \(page) becomes \(after.hexadecimal): mirror, password and counter settings are "
          + "frozen"
      case .closeContainer:
        "page \(page) becomes \(after.hexadecimal): the tag calls itself read-only"
      case .lockDynamically:
        "page \(page) becomes \(after.hexadecimal): the pages from 16 on are locked"
      case .freezeDynamically:
        "page \(page) becomes \(after.hexadecimal): the lock bits of the pages from 16 on are frozen"
      case .lockStatically:
        "page \(page) becomes \(after.hexadecimal): pages 3 to 15 are locked"
      case .freezeStatically:
        "page \(page) becomes \(after.hexadecimal): the lock bits of pages 3 to 15 are frozen"
      }
    }
  }

  /// The tag as it was read when the plan was made, with its configuration.
  package let tag: Type2Tag
  /// The message that is locked in, as it was read.
  package let message: [UInt8]
  /// The writes, in this order; a page with block-lock bits is written twice.
  public let steps: [Step]
  /// The pages that are tried afterwards with a write that must be refused: one that static bits
  /// lock, one that dynamic bits lock, and the configuration, as far as the product has them.
  package let probes: [Int]
  /// What the caller should know, as sentences; usually nothing.
  public let notes: [String]
  /// Pages one command reads.
  let pagesPerRead: Int

  /// Commands and selections the execution takes at most when nothing has to be repeated, those of
  /// an ``AuthenticatedChannel`` not counted.
  package var expectedExchanges: Int {
    let readBack = pagesToReadBack.map(reads).reduce(0, +)
    // Every step is written and read; before the static lock bits, the steps until then are read
    // after a power-up.
    var work = 2 * steps.count
    if firstStaticStep != nil { work += 1 + pagesToCheck.map(reads).reduce(0, +) }
    // A probe counts as refused when it was refused twice.
    return work + 1 + readBack + 2 * probes.count
  }

  private func reads(_ pages: ClosedRange<Int>) -> Int {
    (pages.count + pagesPerRead - 1) / pagesPerRead
  }

  /// How many pages are written.
  package var pageCount: Int { Set(steps.map(\.page)).count }

  /// The first step that writes static lock bits, when others come before it.
  var firstStaticStep: Int? {
    steps.firstIndex { $0.page == 2 }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The pages that are compared before the static lock bits are set.
  var pagesToCheck: [ClosedRange<Int>] { Set(tag.lockPages).runs }

  /// Whether everything is locked already. Executing the plan then only checks it.
  public var isAlreadyLocked: Bool { steps.isEmpty }

  /// What cannot be undone, as sentences.
  public var irreversible: [String] {
    steps.map(\.irreversible)
  }

  /// The pages with locks as they are when everything is done.
  var locks: [Int: [UInt8]] {
    var pages: [Int: [UInt8]] = [:]
    for page in tag.lockPages { pages[page] = tag.memory[page] }
    for step in steps { pages[step.page] = step.after }
    return pages
  }

  /// The pages that are read back at the end: the message's, those with locks, those that are
  /// tried.
  var pagesToReadBack: [ClosedRange<Int>] {
    (Set(0...max(15, tag.lastMessagePage)).union(locks.keys).union(probes)).runs
  }
}

extension Type2Tag {
  /// The last page that a message TLV touches.
  var lastMessagePage: Int {
    guard case .message(let bytes) = content, map.area.count > 0 else { return 3 }
    let end = map.start + (bytes.count < 0xFF ? 2 : 4) + bytes.count - 1
    return map.area.page(of: min(end, map.area.count - 1))
  }

  /// The pages that hold locks or are part of locking: 2, 3, dynamic lock bits, CFG0 and CFG1.
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
