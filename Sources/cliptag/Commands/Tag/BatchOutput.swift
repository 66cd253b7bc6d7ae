import CliptagBasics
import Glibc
import Invocation
import Issuing
import Jobs
import Registry
import Synchronization
import TagTypes
import Verifying

/// Shows the run of a batch: prompts and progress on standard error, one line for each tag on
/// standard output.
final class BatchOutput: Sendable {
  private let batch: String
  private let reader: String
  private let findings: [Int: [Finding]]
  private let console: Console
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let setsPassword: Bool
  private let count = Mutex(0)
  /// Tags that were sent away in this run because their signature is not their maker's.
  private let notGenuine = Mutex(Set<String>())

  /// - Parameters:
  ///   - findings: The findings of the check in the rows, by their numbers.
  ///   - setsPassword: Whether a finished row's tag has a password set.
  init(
    batch: String, reader: String, findings: [Int: [Finding]], setsPassword: Bool,
    console: Console
  ) {
    self.setsPassword = setsPassword
    self.batch = batch
    self.findings = findings
    self.reader = reader
    self.console = console
  }

  /// Rows that were finished.
  var finished: Int { count.withLock { $0 } }
  /// Tags that were sent away for not being genuine.
  var refusedAsNotGenuine: Int { notGenuine.withLock { $0.count } }

  /// Shows one event.
  func show(_ event: TagBatch.Event) {
    switch event {
    case .wants(let row, let progress):
      let words =
        row.order.wantedUID.map { "lay tag \($0) on the reader" } ?? "lay a tag on the reader"
      console.say("\(row.title(of: progress.counts.total)): \(words)\(pace(progress))")
    case .wantsOwnTags(let rows, let progress):
      console.say("only rows that wait for tags of their own are left:")
      for row in rows {
        console.say(
          "  \(row.title(of: progress.counts.total)): lay tag "
            + "\(row.tag?.uid ?? row.order.wantedUID ?? "") on the reader")
      }
    case .isAnotherTag(let uid, let row):
      ring(3)
      console.say(
        "tag \(uid) is another tag than \(row.tag?.uid ?? ""), for which \(row.title) goes on "
          + "waiting. Nothing was written to it. Take it away; the next row follows.")
    // The terminal shows only the result of a tag, which comes sooner than a line can be read.
    case .met, .writes: break
    case .served(let served, let progress): show(served, progress)
    }
  }

  private func show(_ served: TagBatch.Served, _ progress: BatchProgress) {
    switch served {
    case .finished(let row, let report):
      count.withLock { $0 += 1 }
      ring(1)
      console.result(json(row, report), text: text(row, report, progress))
    case .alreadyDone(let row):
      attempt(row, uid: row.tag?.uid ?? "", "already-done", nil)
      say(2, "\(row.title) has this tag already, and it is right. Lay another tag on the reader.")
    case .refused(let uid, let row, let error):
      let failure = Failure(describing: error)
      if failure.code == "not-genuine" { notGenuine.withLock { _ = $0.insert(uid) } }
      attempt(row, uid: uid, "refused", failure)
      say(2, "not taken: \(failure.message) \(failure.hint)")
    case .left(let uid, let row, let error):
      let failure = Failure(describing: error)
      attempt(row, uid: uid, "left", failure)
      say(2, "\(failure.message) Lay it on the reader again, and keep it still.")
    case .torn(let row, let error):
      let failure = Failure(describing: error)
      attempt(row, uid: row.tag?.uid ?? "", "torn", failure)
      say(3, "\(failure.message) \(row.title) waits for this tag: lay it on the reader again.")
    case .spoiled(let row, let error):
      let failure = Failure(describing: error)
      attempt(row, uid: error.uid?.hexadecimal ?? "", "spoiled", failure)
      say(3, "\(failure.message) Throw this tag away; \(row.title) gets another.")
    case .unasked(let uid):
      attempt(nil, uid: uid, "unasked", nil)
      say(2, "tag \(uid) belongs to no row that is left. Nothing was written to it.")
    }
  }

  private func say(_ bells: Int, _ text: String) {
    ring(bells)
    console.say(console.error.yellow("\(text)"))
  }

  /// The bell once for a row that is done, more often for what needs a look.
  private func ring(_ times: Int) {
    if isTerminal { console.sound(times) }
  }

  private func pace(_ progress: BatchProgress) -> String {
    guard isTerminal else { return "" }
    var words = ["\(progress.counts[.done]) done"]
    if let rate = progress.perMinute, let rest = progress.remainingTime {
      words.append("\(Int(rate.rounded())) a minute")
      words.append("about \(rest.inWords) left")
    }
    return " (\(words.joined(separator: ", ")))"
  }
}

/// Output for one tag.
extension BatchOutput {
  private func json(_ row: BatchRow, _ report: WriteReport) -> JSONValue {
    .object([
      ("type", "write"), ("reader", .string(reader)), ("uid", JSONValue(row.tag?.uid)),
      ("tagType", JSONValue(row.tag?.type)), ("url", .string(row.shownURL)),
      ("bytes", .integer(report.byteCount)), ("pagesWritten", .integer(report.pagesWritten)),
      ("alreadyCorrect", .bool(report.wasAlreadyCorrect)), ("verified", .bool(true)),
      ("locked", .bool(row.tag?.isLocked ?? false)), ("passwordSet", .bool(setsPassword)),
      ("code", JSONValue(row.tag?.code?.description)), ("batch", .string(batch)),
      ("row", .integer(row.number)), ("label", JSONValue(row.order.label)),
      ("fieldCycled", JSONValue(report.fieldCycled)),
      ("signature", JSONValue(row.tag?.signature)), ("sha256", JSONValue(row.tag?.hash)),
      ("findings", .array((findings[row.number] ?? []).map(\.json))),
    ])
  }

  private func text(_ row: BatchRow, _ report: WriteReport, _ progress: BatchProgress) -> String {
    let work =
      report.wasAlreadyCorrect
      ? "was right already" : "\(report.work), read back\(report.caveat), equal"
    let signature =
      row.tag?.signature.map { $0 == "genuine" ? ", genuine signature" : ", \($0)" } ?? ""
    let lock = row.tag?.isLocked == true ? ", locked" : setsPassword ? ", password set" : ""
    return "\(row.title(of: progress.counts.total)): \(row.tag?.type ?? "") "
      + "\(row.tag?.uid ?? "") \(work)\(signature)\(lock)"
  }

  /// The line of a tag that finished no row.
  private func attempt(_ row: BatchRow?, uid: String, _ outcome: String, _ failure: Failure?) {
    guard console.json else { return }
    console.print(
      .object([
        ("type", "attempt"), ("reader", .string(reader)), ("uid", .string(uid)),
        ("batch", .string(batch)), ("row", JSONValue(row?.number)),
        ("label", JSONValue(row?.order.label)), ("outcome", .string(outcome)),
        ("code", JSONValue(failure?.code)), ("message", JSONValue(failure?.message)),
        ("hint", JSONValue(failure?.hint)),
      ]))
  }

  /// Returns the progress of a batch, for scripts.
  static func summary(
    _ name: String, _ counts: BatchCounts, finished: Int, new: Int, _ findings: [Int: [Finding]]?,
    _ signatures: BatchSignatures, dryRun: Bool
  ) -> JSONValue {
    .object([
      ("type", "batch"), ("batch", .string(name)),
      ("rows", .integer(counts.total + (dryRun ? new : 0))),
      ("done", .integer(counts[.done])),
      ("pending", .integer(counts[.pending] + (dryRun ? new : 0))),
      ("torn", .integer(counts.torn)), ("skipped", .integer(counts[.skipped])),
      ("finished", .integer(finished)), ("dryRun", .bool(dryRun)),
      ("notGenuine", .integer(signatures.notGenuine.count)),
      ("notCheckable", .integer(signatures.notCheckable.count)),
      ("refusedNotGenuine", .integer(signatures.refused)),
      (
        "findings",
        findings.map { findings in
          .array(
            findings.sorted { $0.key < $1.key }.map { row, found in
              .object([("row", .integer(row)), ("findings", .array(found.map(\.json)))])
            })
        } ?? .null
      ),
    ])
  }

  /// Returns the progress of a batch, for people.
  ///
  /// - Parameter finished: Rows of this run; `nil` when there was none.
  static func text(
    _ name: String, _ counts: BatchCounts, finished: Int?, _ notable: [BatchRow],
    _ signatures: BatchSignatures
  ) -> ConsoleText {
    var words = ["\(counts[.done]) of \(rowCount(counts.total)) done"]
    if counts[.pending] > 0 { words.append("\(counts[.pending]) to do") }
    if counts[.skipped] > 0 { words.append("\(counts[.skipped]) skipped") }
    if let finished { words.append("\(finished) in this run") }
    let lines = notable.prefix(20).map { row in
      row.state == .skipped
        ? "  \(row.title): skipped, \(row.reason ?? "")"
        : "  \(row.title): waits for tag \(row.tag?.uid ?? ""), which "
          + (row.state == .written ? "is to be locked or guarded" : "was begun")
    }
    let more = notable.count > lines.count ? ["  and \(notable.count - lines.count) more"] : []
    return (["batch \(name): " + words.joined(separator: ", ")] + signatures.lines + lines + more)
      .asLines
  }
}

/// The results of the signatures of a batch's tags.
struct BatchSignatures {
  /// The rows whose tags have a signature that is not their maker's.
  let notGenuine: [Int]
  /// The rows whose tags have none that can be checked.
  let notCheckable: [Int]
  /// Tags that this run refused for that reason.
  let refused: Int

  init(_ rows: [BatchRow], refused: Int) {
    notGenuine = rows.filter { $0.tag?.signature == "not-genuine" }.map(\.number)
    notCheckable = rows.filter { $0.tag?.signature == "not-checkable" }.map(\.number)
    self.refused = refused
  }

  /// One line for each thing that needs a look.
  var lines: [String] {
    func list(_ rows: [Int]) -> String {
      let shown = rows.prefix(20).map(String.init).joined(separator: ", ")
      return (rows.count == 1 ? "row " : "rows ") + shown
        + (rows.count > 20 ? " and \(rows.count - 20) more" : "")
    }
    func tags(_ count: Int) -> String { count == 1 ? "1 tag" : "\(count) tags" }
    var lines: [String] = []
    if !notGenuine.isEmpty {
      lines.append(
        "  not genuine: \(tags(notGenuine.count)) (\(list(notGenuine))): ask who sold them, or redo "
          + "with --require-genuine")
    }
    if !notCheckable.isEmpty {
      lines.append(
        "  \(tags(notCheckable.count)) whose signature cannot be checked (\(list(notCheckable)))")
    }
    if refused > 0 { lines.append("  \(tags(refused)) not taken in this run: not genuine") }
    return lines
  }
}

extension BatchRow {
  /// The name of the row: `row 17 “Table 12”`.
  var title: String { "row \(number)" + label }

  /// Returns the name of the row in a request: `row 17 of 400 “Table 12”`.
  func title(of total: Int) -> String { "row \(number) of \(total)" + label }

  /// The URL that its tag shows, with zeros for a counter.
  fileprivate var shownURL: String {
    tag.flatMap { [UInt8](hexadecimal: $0.uid.utf8) }.map(order.payload(uid:)) ?? order.url
  }

  private var label: String { order.label.map { " “\($0.printable)”" } ?? "" }
}

extension Duration {
  /// A time to wait as people say it.
  fileprivate var inWords: String {
    let seconds = self / .seconds(1)
    switch seconds {
    case 5400...: return "\(Int((seconds / 3600).rounded())) h"
    case 90...: return "\(Int((seconds / 60).rounded())) min"
    default: return "\(Int(seconds.rounded())) s"
    }
  }
}

extension Console {
  /// Judges a batch's file before any tag is touched: every problem is printed.
  ///
  /// - Returns: The findings of the check in the rows, by their numbers; `nil` when the batch may
  ///   not begin.
  func accept(
    _ file: BatchFile, for batch: TagBatch, source: String
  ) throws -> [Int: [Finding]]? {
    let (objections, findings) = try batch.review(of: file)
    guard show(file.problems, objections, source: source) else {
      say("No tag was touched. Correct the file\(objections.isEmpty ? "" : " or the registry").")
      return nil
    }
    warn(of: findings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    return findings
  }

  /// Prints the mistakes in a CSV file.
  ///
  /// - Returns: Whether there are none.
  func show(
    _ problems: [DocumentProblem], _ objections: [BatchObjection], source: String
  ) -> Bool {
    let limit = 100
    for problem in problems.prefix(limit) {
      report(.malformedRow(source, problem.line, problem.column, problem.advice.own))
    }
    for objection in objections.prefix(limit) {
      switch objection.reason {
      case .wrongPlace(let message), .placeholder(let message), .appClipCode(let message):
        report(.malformedRow(source, objection.line, objection.column, message))
      case .refused(let verification):
        show(
          VerifiedCode(
            source: "\(source):\(objection.line):\(objection.column)", verification: verification))
        // What is refused for its warnings only has been accepted by the check.
        note(.notAccepted)
      }
    }
    let hidden = max(0, problems.count - limit) + max(0, objections.count - limit)
    if hidden > 0 { say("and \(hidden) more problems") }
    return problems.isEmpty && objections.isEmpty
  }
}

extension Failure {
  /// A mistake at one spot of a CSV file.
  fileprivate static func malformedRow(
    _ source: String, _ line: Int, _ column: Int, _ message: String
  ) -> Failure {
    Failure(
      "malformed-csv", .malformedInput, "\(source):\(line):\(column): \(message)",
      hint: "Correct the file and run the same command again.", source: source,
      facts: [("line", .integer(line)), ("column", .integer(column))])
  }
}
