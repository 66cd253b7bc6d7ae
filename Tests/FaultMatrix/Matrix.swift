import SimulatedReader
import TagTypes

/// Thirteen kinds of faults at every step of an operation, over the real libnfc and the simulated
/// reader.
struct Matrix: Sendable {
  let operation: Operation
  private let before: SimulatedTag
  private let after: SimulatedTag
  private let steps: Steps

  /// How much there is to disturb in one undisturbed run.
  private struct Steps: Sendable {
    var chipCommands = 0
    var tagCommands = 0
    var writes = 0
    var pagesWritten: [Int] = []
  }

  /// Runs the operation undisturbed, to learn its steps and what it makes of the tag.
  init(_ operation: Operation) async throws {
    self.operation = operation
    let before = try operation.tag()
    self.before = before
    let reader = try SimulatedReader(tag: before)
    let report = await (try operation.makeWork())(reader.connectionString)
    guard report.isSuccess, let after = reader.tag else {
      throw MatrixError("\(operation.name) fails undisturbed: \(report.code) \(report.message)")
    }
    self.after = after
    // InDataExchange and InCommunicateThru carry what goes to the tag.
    let toTag = reader.exchanges.map(\.command).filter { [0x40, 0x42].contains($0[0]) }
    steps = Steps(
      chipCommands: reader.commandCount, tagCommands: toTag.count,
      writes: toTag.filter { $0.count > 2 && $0[0] == 0x40 && $0[2] == 0xA2 }.count,
      pagesWritten: before.memory.indices.filter { before.memory[$0] != after.memory[$0] }
        .map { $0 / 4 }.uniqued())
    reader.stop()
  }

  /// Every trial. Not among them yet: forget-write, lose-answer, damage-answer, long-answer, miss-tag,
  /// busy, error-frame, delay-response, noise, restart-after and, for a Type 4 tag, apdu-status.
  var trials: [Trial] {
    var faults: [String] = []
    faults.append("remove-after=0")
    // A tag that is swapped before anything was asked of the first one is simply the tag.
    for step in 1...max(1, steps.tagCommands) {
      faults.append("remove-after=\(step)")
      if !operation.takesAnyTag { faults.append("swap-after=\(step)") }
    }
    for step in 1...max(1, steps.tagCommands) {
      faults += ["refuse-command", "mute-command", "garble-answer", "short-answer"].map {
        "\($0)=\(step)"
      }
    }
    for step in 1...max(1, steps.writes) {
      faults += ["", ":half", ":1", ":2", ":3"].map { "tear-write=\(step)\($0)" }
      faults.append("mute-after-write=\(step)")
    }
    for step in 1...steps.chipCommands {
      faults += ["drop-response=\(step)", "corrupt-response=\(step)", "unplug-after=\(step)"]
    }
    for page in steps.pagesWritten {
      faults += ["refuse-page=\(page)", "refuse-page=\(page):1", "refuse-page=\(page):2"]
      faults += ["store-wrong=\(page):1", "store-wrong=\(page):2"]
    }
    return faults.compactMap(Fault.init).map { Trial(operation: operation, fault: $0) }
  }

  /// Runs one trial.
  ///
  /// - Returns: The name of the state the fault left, and the rules that were broken.
  func run(_ trial: Trial) async throws -> (left: String, broken: [String]) {
    let work = try operation.makeWork()
    let reader = try SimulatedReader(tag: before, faults: [trial.fault])
    let report = await work(reader.connectionString)
    guard let left = reader.tag else { throw MatrixError("the simulated tag is gone") }
    reader.stop()
    var broken = rulesBroken(by: report, leaving: left)
    if writesToStranger(reader.exchanges) { broken.append("a page of another tag was written") }

    var (next, finished) = try await rerun(work, on: left)
    if operation.takesAnyTag, !next.isSuccess {
      (next, finished) = try await rerun(work, on: SimulatedTag(before.layout, uid: Self.otherUID))
    }
    if spoilsForGood(trial.fault) {
      if next.isSuccess && state(finished) != "new" {
        broken.append("the next run reports success, the tag is \(state(finished))")
      }
    } else {
      if !next.isSuccess { broken.append("the next run fails: \(next.code) \(next.message)") }
      if state(finished) != "new" {
        broken.append("the next run leaves the tag \(state(finished))")
      }
    }
    return (state(left), broken.map { "\(trial.fault): \($0) [first run: \(report.code)]" })
  }

  private static let otherUID: [UInt8] = [0x04, 0xDB, 0x0B, 0xDA, 0x99, 0x3C, 0x80]

  /// The same work again, undisturbed, on a tag as it lies there now.
  private func rerun(
    _ work: Operation.Work, on tag: SimulatedTag
  ) async throws -> (Report, SimulatedTag) {
    let reader = try SimulatedReader(tag: tag)
    let report = await work(reader.connectionString)
    guard let finished = reader.tag else { throw MatrixError("the simulated tag is gone") }
    reader.stop()
    return (report, finished)
  }

  /// Whether a fault stores a wrong bit where bits can be set and never cleared. Such a tag is for
  /// the bin; what counts is that nobody calls it right.
  private func spoilsForGood(_ fault: Fault) -> Bool {
    guard case .storeWrong(let page, _) = fault else { return false }
    return [2, 3, before.layout.dynamicLockPage].contains(page)
  }

  private func rulesBroken(by report: Report, leaving left: SimulatedTag) -> [String] {
    var broken: [String] = []
    let state = state(left)
    if report.isSuccess && state != "new" { broken.append("success reported, the tag is \(state)") }
    if !["old", "empty", "new"].contains(state) { broken.append("the tag is \(state)") }
    if report.message.contains("nothing was written") && left.memory != before.memory {
      broken.append("“nothing was written” is not true")
    }
    let found = TagState(left.memory)
    if report.message.contains("reads as empty") && found != .empty && found != .blank {
      broken.append("“reads as empty” is not true: the tag is \(found)")
    }
    if report.code == "internal" { broken.append("an error nobody explained: \(report.message)") }
    broken += pagesChanged(in: left).map { "page \($0) was changed" }
    return broken
  }

  /// Whether a write went out while another tag than the operation's was selected.
  private func writesToStranger(_ exchanges: [PN532Exchange]) -> Bool {
    var isStranger = false
    for exchange in exchanges {
      // InListPassiveTarget: code, number of targets, then Tg, ATQA, SAK, UID length and UID.
      if exchange.command.first == 0x4A, let response = exchange.response, response.count > 7 {
        isStranger = Array(response[7...]).prefix(7) != before.uid[...]
      }
      if isStranger, exchange.command.starts(with: [0x40, 0x01, 0xA2]) { return true }
    }
    return false
  }

  /// Pages outside the operation that are not as they were.
  private func pagesChanged(in tag: SimulatedTag) -> [Int] {
    (0..<before.layout.pageCount).filter { page in
      !operation.pages.contains(page) && tag.page(page) != before.page(page)
    }
  }

  private func state(_ tag: SimulatedTag) -> String {
    let found = TagState(tag.memory)
    let guards = operation.pages.subtracting(before.layout.userPages)
    // Page 2 begins with a check byte of the UID, which no write reaches.
    let isGuarded = guards.allSatisfy { page in
      tag.page(page).dropFirst(page == 2 ? 2 : 0) == after.page(page).dropFirst(page == 2 ? 2 : 0)
    }
    if found == TagState(after.memory), isGuarded { return "new" }
    if found == TagState(before.memory) { return "old" }
    if found == .empty { return "empty" }
    return "\(found)"
  }
}

/// Why the matrix cannot be run.
struct MatrixError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension Array where Element: Hashable {
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
