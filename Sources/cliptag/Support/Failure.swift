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
    self.message = message
    self.hint = hint
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
