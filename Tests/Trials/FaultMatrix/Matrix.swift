import NDEF
import SimulatedReader
import Synchronization
import TagTypes

/// Every kind of fault at every step of an operation, over the real libnfc or the real pcsc-lite and the
/// simulated reader.
struct Matrix: Sendable {
  let operation: Operation
  let way: Way
  private let before: any SimulatedCard
  private let after: any SimulatedCard
  private let stranger: any SimulatedCard
  private let steps: MatrixSteps

  /// Runs the operation undisturbed, to find its steps and the resulting state of the tag.
  init(_ operation: Operation, by way: Way) async throws {
    self.operation = operation
    self.way = way
    let before = try operation.tag()
    self.before = before
    stranger = try operation.stranger?() ?? before.twin
    let reader = try way.reader(with: before)
    let pauses = Mutex(0)
    let report = await (try await operation.makeWork())(reader.connectionString) {
      pauses.withLock { $0 += 1 }
    }
    guard report.isSuccess, let after = reader.card else {
      throw MatrixError("\(operation.name) fails undisturbed: \(report.code) \(report.message)")
    }
    self.after = after
    steps = MatrixSteps(
      of: reader, before: before, after: after, by: way, pauses: pauses.withLock(\.self))
    await way.end(reader)
  }

  /// Every trial.
  var trials: [Trial] {
    steps.disturbances.map { Trial(operation: operation, disturbance: $0) }
  }

  /// Runs one trial.
  ///
  /// - Returns: The name of the state the fault left, and the rules that were broken.
  func run(_ trial: Trial) async throws -> (left: String, broken: [String]) {
    let work = try await operation.makeWork()
    var fault: Fault?
    if case .fault(let wanted) = trial.disturbance { fault = wanted }
    let reader = try way.reader(with: before, stranger: stranger, faults: fault.map { [$0] } ?? [])
    let pauses = Mutex(0)
    let report = await work(reader.connectionString) {
      let number = pauses.withLock { count in
        count += 1
        return count
      }
      guard case .pause(number, let event) = trial.disturbance else { return }
      event.happen(on: reader)
    }
    guard let left = reader.card else { throw MatrixError("the simulated tag is gone") }
    await way.end(reader)
    var broken = rulesBroken(by: report, leaving: left, after: fault)
    if let changed = reader.stranger, changed.differs(from: stranger) {
      broken.append("another tag was changed")
    }

    var (next, finished) = try await rerun(work, on: left)
    if operation.takesAnyTag, !next.isSuccess {
      (next, finished) = try await rerun(work, on: before.sister(uid: nil))
    }
    if spoilsForGood(fault) {
      if next.isSuccess && state(finished) != "new" {
        broken.append("the next run reports success, the tag is \(state(finished))")
      }
    } else {
      if !next.isSuccess { broken.append("the next run fails: \(next.code) \(next.message)") }
      if state(finished) != "new" {
        broken.append("the next run leaves the tag \(state(finished))")
      }
    }
    return (state(left), broken.map { "\(trial.disturbance): \($0) [first run: \(report.code)]" })
  }

  /// Runs the same work again, undisturbed, on a tag in its present state.
  private func rerun(
    _ work: Operation.Work, on tag: any SimulatedCard
  ) async throws -> (Report, any SimulatedCard) {
    let reader = try way.reader(with: tag)
    let report = await work(reader.connectionString) {}
    guard let finished = reader.card else { throw MatrixError("the simulated tag is gone") }
    await way.end(reader)
    return (report, finished)
  }

  /// Returns whether a fault stores a wrong bit where bits can be set and never cleared. Such a tag
  /// is lost, and must not be reported as correct.
  private func spoilsForGood(_ fault: Fault?) -> Bool {
    guard case .storeWrong(let page, _) = fault, let before = before as? SimulatedTag else {
      return false
    }
    return [2, 3, before.layout.dynamicLockPage].contains(page)
  }

  private func rulesBroken(
    by report: Report, leaving left: any SimulatedCard, after fault: Fault?
  ) -> [String] {
    var broken: [String] = []
    let state = state(left)
    if report.isSuccess && state != "new" { broken.append("success reported, the tag is \(state)") }
    if !accepts(state, after: fault) { broken.append("the tag is \(state)") }
    if fault?.isToBeAbsorbed == true, !report.isSuccess {
      broken.append("it was not absorbed: \(report.code) \(report.message)")
    }
    if report.message.contains("nothing was written") && left.memory != before.memory {
      broken.append("“nothing was written” is not true")
    }
    let found = TagState(left)
    if report.message.contains("reads as empty") && found != .empty && found != .blank {
      broken.append("“reads as empty” is not true: the tag is \(found)")
    }
    if report.code == "internal" { broken.append("an error nobody explained: \(report.message)") }
    broken += placesChanged(in: left).map { "\($0) was changed" }
    return broken
  }

  /// Returns whether a state is permitted: old, empty or new. A new Type 4 tag may also be torn, if
  /// the field is lost within the one UPDATE BINARY that fills it: the simulated tag tears commands
  /// at any byte, which not every data sheet rules out.
  private func accepts(_ state: String, after fault: Fault?) -> Bool {
    if ["old", "empty", "new", "unfinished"].contains(state) { return true }
    switch fault {
    case .tearWrite, .tearWriteAfter: return state == "torn" && TagState(before) == .empty
    default: return false
    }
  }

  /// Returns the places outside the operation that have changed.
  private func placesChanged(in card: any SimulatedCard) -> [String] {
    if let before = before as? SimulatedType4Tag, let card = card as? SimulatedType4Tag {
      return zip(before.files, card.files).flatMap { old, new in
        zip(old.bytes, new.bytes).enumerated().compactMap { offset, bytes in
          let isOperations =
            old.identifier == 0xE104 && operation.pages.contains(offset)
            || old.identifier == 0xE103 && operation.containerOffsets.contains(offset)
          return bytes.0 == bytes.1 || isOperations ? nil : "offset \(offset) of \(old.identifier)"
        }
      }
    }
    if let before = before as? SimulatedType5Tag, let card = card as? SimulatedType5Tag {
      return zip(before.blocks, card.blocks).enumerated().compactMap { block, bytes in
        bytes.0 == bytes.1 || operation.pages.contains(block) ? nil : "block \(block)"
      }
    }
    guard let before = before as? SimulatedTag, let tag = card as? SimulatedTag else { return [] }
    return (0..<before.layout.pageCount).filter { page in
      !operation.pages.contains(page) && tag.page(page) != before.page(page)
    }.map { "page \($0)" }
  }

  private func state(_ card: any SimulatedCard) -> String {
    let found = TagState(card)
    if found == TagState(after), isGuarded(card) { return "new" }
    if found == TagState(before) { return "old" }
    if found == .empty { return "empty" }
    if operation.isStaged, found == TagState(after) { return "unfinished" }
    return isTorn(found) ? "torn" : "\(found)"
  }

  /// Returns whether locks and passwords are as the operation leaves them.
  private func isGuarded(_ card: any SimulatedCard) -> Bool {
    if let after = after as? SimulatedType5Tag, let tag = card as? SimulatedType5Tag {
      return tag.isGuarded(as: after)
    }
    if let after = after as? SimulatedType4Tag, let tag = card as? SimulatedType4Tag {
      return tag.applicationKeys == after.applicationKeys && tag.settings == after.settings
        && tag.containerSettings == after.containerSettings
        && tag.files.first?.bytes == after.files.first?.bytes
    }
    guard let after = after as? SimulatedTag, let tag = card as? SimulatedTag else { return true }
    return operation.pages.subtracting(after.layout.userPages).allSatisfy { page in
      // Page 2 begins with a check byte of the UID, which no write reaches.
      tag.page(page).dropFirst(page == 2 ? 2 : 0) == after.page(page).dropFirst(page == 2 ? 2 : 0)
    }
  }

  /// Returns whether a Type 4 tag holds the beginning of the new file followed by zeros, in which
  /// no reader finds a URL: the bytes of the torn length are no message, or the URL contains a NUL.
  private func isTorn(_ found: TagState) -> Bool {
    guard before is SimulatedType4Tag, case .message(let bytes) = found,
      case .message(let wanted) = TagState(after)
    else { return false }
    let arrived = zip(bytes, wanted).prefix { $0 == $1 }.count
    guard bytes[arrived...].allSatisfy({ $0 == 0 }) else { return false }
    guard let message = try? NDEFMessage(decoding: bytes) else { return true }
    return message.records.isEmpty || bytes.last == 0
  }
}

extension SimulatedCard {
  /// The same tag with another UID, which a program that compares only the memory takes for this
  /// one.
  var twin: any SimulatedCard {
    get throws {
      switch self {
      case let tag as SimulatedTag:
        var twin = try tag.sister(uid: nil)
        twin.place(Array(tag.memory[12...]), atPage: 3)
        return twin
      case let tag as SimulatedType4Tag:
        var twin = try tag.sister(uid: nil)
        twin.place(tag.ndefFile, inFile: 0xE104)
        return twin
      case let tag as SimulatedType5Tag:
        // The UID lies in bytes 2 to 9 of the memory file.
        let twin = try tag.sister(uid: nil)
        return try twin.holding(
          Array(tag.memory[..<2] + twin.memory[2..<10] + tag.memory[10...]))
      default: return try sister(uid: nil)
      }
    }
  }

  /// Returns whether the memory or the count of wrong passwords differs.
  func differs(from other: any SimulatedCard) -> Bool {
    memory != other.memory
      || (self as? SimulatedTag)?.wrongPasswords != (other as? SimulatedTag)?.wrongPasswords
  }
}

/// The reason for which the matrix cannot be run.
struct MatrixError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// The results of all trials of one operation.
struct MatrixReport: Sendable {
  /// The table and every broken rule.
  let text: String
  /// Every broken rule.
  let broken: [String]
  /// The number of trials.
  let count: Int

  /// Runs all trials.
  init(of matrix: Matrix) async throws {
    let trials = matrix.trials
    var states: [String: [String: Int]] = [:]
    var broken: [String] = []
    try await withThrowingTaskGroup(of: (Trial, String, [String]).self) { group in
      var rest = trials[...]
      func start() {
        guard let trial = rest.popFirst() else { return }
        group.addTask {
          let result = try await matrix.run(trial)
          return (trial, result.left, result.broken)
        }
      }
      for _ in 0..<matrix.way.lanes { start() }
      for try await (trial, left, rules) in group {
        states[trial.kind, default: [:]][left, default: 0] += 1
        broken += rules
        start()
      }
    }
    self.broken = broken
    count = trials.count
    let rows = states.sorted { $0.key < $1.key }.map { kind, left in
      let counts = left.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      return "  " + kind + String(repeating: " ", count: max(1, 20 - kind.count))
        + counts.joined(separator: ", ")
    }
    text =
      ([
        "\(matrix.operation.name) by \(matrix.way): \(trials.count) trials, \(broken.count) rules broken"
      ] + rows
      + broken.map { "  BROKEN \($0)" }).joined(separator: "\n")
  }
}

extension Trial {
  /// The name of the disturbance without its numbers.
  fileprivate var kind: String { String(disturbance.description.prefix { $0 != "=" }) }
}
