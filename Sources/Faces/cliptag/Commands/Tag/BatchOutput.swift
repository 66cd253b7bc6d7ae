import CliptagBasics
import CliptagPlatform
import Invocation
import Issuing
import Jobs
import Registry
import Synchronization
import TagTypes
import Verifying

/// Shows the run of a batch: prompts and progress on standard error, one line for each tag on
/// standard output.
struct BatchOutput: Sendable {
  private let job: RunBatch
  private let console: Console
  private let isTerminal = isatty(STDERR_FILENO) == 1

  init(_ job: RunBatch, console: Console) {
    self.job = job
    self.console = console
  }

  /// Shows one step.
  func show(_ event: RunBatch.Event) {
    switch event {
    case .reviewed(let review): console.warn(of: review)
    case .continues(let before): sayWhatChanged(since: before)
    case .added(let count): console.detail("batch \(job.name): \(count) new rows")
    case .gaveUp(let row): console.say("\(row.title) needs another tag")
    case .opened(let reader, let name): console.detail("reader \(reader): \(name)")
    case .endsUnprotected(let count):
      console.say(
        "\(rowCount(count)) begun with --lock or --set-password: without it they stay unprotected")
    case .tag(let event, let result): show(event, result)
    }
  }

  /// Prints the protection of the batch that this run omits.
  private func sayWhatChanged(since before: TagBatch.Options) {
    if before.locks, !job.options.locks {
      console.say("note: the batch was continued with --lock before; this run locks no tag")
    }
    if before.provisions, !job.options.provisions {
      console.say(
        "note: the batch was continued with --provision before; this run makes no tag ready")
    }
    if before.setsPassword, !job.options.setsPassword {
      console.say(
        "note: the batch was continued with --set-password before; this run sets none")
    }
  }

  private func show(_ event: TagBatch.Event, _ result: BatchTagResult?) {
    switch event {
    case .wants(let row, let progress):
      let words =
        row.order.wantedUID.map { "put tag \($0) on the reader" } ?? "put a tag on the reader"
      console.say("\(row.title(of: progress.counts.total)): \(words)\(pace(progress))")
    case .wantsOwnTags(let rows, let progress):
      console.say("only rows that wait for a specific tag are left:")
      for row in rows {
        console.say(
          "  \(row.title(of: progress.counts.total)): put tag "
            + "\(row.tag?.uid ?? row.order.wantedUID ?? "") on the reader")
      }
    case .isAnotherTag(let uid, let row):
      ring(3)
      console.say(
        "tag \(uid) is not \(row.tag?.uid ?? ""), the tag of \(row.title), which is still "
          + "waiting. Nothing was written to it. Remove it; the next row follows.")
    // The terminal shows only the result of a tag, which comes sooner than a line can be read.
    case .met, .writes: break
    case .served(let served, let progress): show(served, progress, result)
    }
  }

  private func show(
    _ served: TagBatch.Served, _ progress: BatchProgress, _ result: BatchTagResult?
  ) {
    if case .finished(let row, let report) = served {
      ring(1)
      return console.result(of: result, text: ConsoleText(text(row, report, progress)))
    }
    if console.json { console.print(JSONValue(result: result)) }
    switch served {
    case .finished: break
    case .alreadyDone(let row):
      say(2, "\(row.title) already has this tag, and it is correct. Put another tag on the reader.")
    case .refused(_, _, let error):
      let failure = Failure(describing: error)
      say(2, "refused: \(failure.message) \(failure.hint)")
    case .left(let uid, _, let error):
      let failure = Failure(describing: error)
      say(2, "\(failure.message) Put tag \(uid) on the reader again, and keep it still.")
    case .torn(let row, let error):
      let failure = Failure(describing: error)
      say(
        3,
        "\(failure.message) \(row.title) waits for tag \(row.tag?.uid ?? ""): put that on the reader again."
      )
    case .spoiled(let row, let error):
      let failure = Failure(describing: error)
      say(3, "\(failure.message) Discard this tag; \(row.title) gets another.")
    case .unasked(let uid):
      say(2, "tag \(uid) belongs to no remaining row. Nothing was written to it.")
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
      words.append("\(Int(bounded: rate.rounded())) a minute")
      words.append("about \(rest.inWords) left")
    }
    return " (\(words.joined(separator: ", ")))"
  }
}

/// Output for people.
extension BatchOutput {
  private func text(_ row: BatchRow, _ report: WriteReport, _ progress: BatchProgress) -> String {
    let work =
      report.wasAlreadyCorrect
      ? "was already correct" : "\(report.work), read back\(report.caveat), equal"
    let signature =
      row.tag?.signature.map { $0 == "genuine" ? ", genuine signature" : ", \($0)" } ?? ""
    let lock =
      row.tag?.isLocked == true
      ? ", locked" : job.options.setsPassword ? ", password set" : ""
    return "\(row.title(of: progress.counts.total)): \(row.tag?.type ?? "") "
      + "\(row.tag?.uid ?? "") \(work)\(signature)\(lock)"
  }

  /// Prints the progress of a batch.
  ///
  /// - Parameter isStatus: Whether there was no run.
  func show(_ output: RunBatch.Output, isStatus: Bool = false) {
    console.result(of: output.result, text: text(output, isStatus: isStatus))
  }

  private func text(_ output: RunBatch.Output, isStatus: Bool) -> ConsoleText {
    let counts = output.counts
    var words = ["\(counts[.done]) of \(rowCount(counts.total)) done"]
    if counts[.pending] > 0 { words.append("\(counts[.pending]) to do") }
    if counts[.skipped] > 0 { words.append("\(counts[.skipped]) skipped") }
    if !isStatus { words.append("\(output.finishedCount) in this run") }
    let lines = output.notable.prefix(20).map { row in
      row.state == .skipped
        ? "  \(row.title): skipped, \(row.reason ?? "")"
        : "  \(row.title): waits for tag \(row.tag?.uid ?? ""), which "
          + (row.state == .written ? "needs its lock or password" : "was begun")
    }
    let more =
      output.notable.count > lines.count ? ["  and \(output.notable.count - lines.count) more"] : []
    return
      (["batch \(job.name): " + words.joined(separator: ", ")] + output.signatures.lines + lines
      + more)
      .asLines
  }
}

extension BatchSignatures {
  /// One line for each thing that needs a look.
  fileprivate var lines: [String] {
    func list(_ rows: [Int]) -> String {
      let shown = rows.prefix(20).map(String.init).joined(separator: ", ")
      return (rows.count == 1 ? "row " : "rows ") + shown
        + (rows.count > 20 ? " and \(rows.count - 20) more" : "")
    }
    func tags(_ count: Int) -> String { count == 1 ? "1 tag" : "\(count) tags" }
    var lines: [String] = []
    if !notGenuine.isEmpty {
      lines.append(
        "  signature not verified: \(tags(notGenuine.count)) (\(list(notGenuine))): contact the seller, or redo "
          + "with --require-genuine")
    }
    if !notCheckable.isEmpty {
      lines.append(
        "  \(tags(notCheckable.count)) whose signature cannot be checked (\(list(notCheckable)))")
    }
    if refusedCount > 0 {
      lines.append("  \(tags(refusedCount)) refused in this run: signature not verified")
    }
    return lines
  }
}

extension BatchRow {
  /// The name of the row: `row 17 “Table 12”`.
  var title: String { "row \(number)" + label }

  /// Returns the name of the row in a request: `row 17 of 400 “Table 12”`.
  func title(of total: Int) -> String { "row \(number) of \(total)" + label }

  private var label: String { order.label.map { " “\($0.printable)”" } ?? "" }
}

extension Duration {
  /// A time to wait as people say it.
  fileprivate var inWords: String {
    let seconds = self / .seconds(1)
    switch seconds {
    case 5400...: return "\(Int(bounded: (seconds / 3600).rounded())) h"
    case 90...: return "\(Int(bounded: (seconds / 60).rounded())) min"
    default: return "\(Int(bounded: seconds.rounded())) s"
    }
  }
}

extension Console {
  /// Prints every problem of a batch's file, of which no tag was written.
  func show(_ refused: RunBatch.Refused, source: String) {
    let review = refused.review
    guard !show(review.file.problems, review.objections, source: source) else { return }
    say(
      "No tag was written. Correct the file\(review.objections.isEmpty ? "" : " or the registry")."
    )
  }

  /// Prints the warnings about the rows of a batch.
  func warn(of review: RunBatch.Review) {
    if let note = review.file.note { show(note) }
    warn(of: review.findings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
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
      hint: "Correct the file and run the command again.", source: source,
      at: .init(line: line, column: column))
  }
}
