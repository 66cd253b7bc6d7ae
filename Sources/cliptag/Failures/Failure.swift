import Basics
import Invocation
import Issuing
import Jobs
import Registry
import Verifying

/// A failure in the words of the command: what was wrong, where, and what to do next.
struct Failure: Error, Sendable {
  /// The stable name printed in JSON, for example `tag-lost`.
  let code: String
  /// What was wrong and where, in one line.
  let message: String
  /// What to do next, in one line.
  let hint: String
  /// The input it is about: a file, a connection string, a URL.
  let source: String?
  /// Further facts that scripts use: `page`, `offset`, `uid`, `line`,
  /// `column`.
  let facts: [(String, JSONValue)]
  /// The exit status it leads to.
  let status: ExitStatus

  init(
    _ code: String, _ status: ExitStatus, _ message: String, hint: String, source: String? = nil,
    facts: [(String, JSONValue)] = []
  ) {
    self.code = code
    self.status = status
    self.message = message.forCommand
    self.hint = hint.forCommand
    self.source = source
    self.facts = facts
  }

  /// A failure of a kind that has its exit status.
  init(
    _ code: some FailureCode, _ message: String, hint: String, source: String? = nil,
    facts: [(String, JSONValue)] = []
  ) {
    self.init(code.rawValue, code.status, message, hint: hint, source: source, facts: facts)
  }

  /// The line printed on standard output with `--json`; facts that are absent are `null`.
  var json: JSONValue {
    let given = Dictionary(facts) { first, _ in first }
    return .object(
      [
        ("type", "error"), ("code", .string(code)), ("message", .string(message)),
        ("hint", .string(hint)), ("source", JSONValue(source)),
      ] + ["page", "offset", "uid", "line", "column"].map { ($0, given[$0] ?? .null) })
  }
}

extension Failure {
  /// What an error of any layer means to whoever runs the command.
  init(describing error: any Error, source: String? = nil) {
    switch error {
    case let failure as Failure: self = failure
    case let error as RegistryError: self = Self.all(of: error, source: source)[0]
    case let error as any ReportedError: self.init(error, source: source)
    case let refusal as LockRefusal:
      self.init(
        "lock-refused", .notAccepted,
        "The tag was not locked: it holds "
          + (refusal.code.verification.payload.isEmpty
            ? "no URL" : refusal.code.verification.payload.printable)
          + ", which is not accepted.",
        hint: "Look at it with tag read; add --unregistered to lock it in all the same.",
        source: source)
    case let error as InputError:
      self.init(
        "usage", .usage, error.sentence.text(naming: InputNames.own),
        hint: InputNames.areOptions
          ? "See --help after the command." : "Correct what was asked for.", source: source)
    case let error as UnknownColumn:
      self.init(
        "unknown-column", .usage,
        "\(error.source) has no column “\(error.name.printable)” for "
          + "\(InputNames.own(.captions)).",
        hint: "It has \(error.known.map(\.printable).joined(separator: ", ")).",
        source: error.source)
    case is CancellationError:
      self.init(
        "cancelled", .interrupted, "Stopped.", hint: "Run the command again to go on.",
        source: source)
    default:
      self.init(
        "internal", .defect, "\(error)",
        hint: "This is a defect of cliptag; please report it with the command you ran.",
        source: source)
    }
  }

  /// An error of a library, with what the command adds.
  init(_ error: some ReportedError, source: String?) {
    self.init(
      error.code.rawValue, error.status, error.reportedMessage(source),
      hint: error.hint, source: error.reportedSource(source), facts: error.facts)
  }

  /// Every problem of a registry error: a document's mistakes one by one, else the error itself.
  static func all(of error: RegistryError, source: String?) -> [Failure] {
    guard !error.problems.isEmpty else { return [Failure(error, source: source)] }
    return error.problems.map { problem in
      Failure(
        error.code,
        "\(source ?? error.path ?? "-"):\(problem.line):\(problem.column): \(problem.message)",
        hint: error.hint, source: source,
        facts: [("line", .integer(problem.line)), ("column", .integer(problem.column))])
    }
  }
}
