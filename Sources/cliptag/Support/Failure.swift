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
  /// Further facts that scripts use: `page`, `uid`, `line`, `column`.
  let facts: [(String, JSONValue)]
  /// The exit status it leads to.
  let status: ExitStatus

  init(
    _ code: String, _ status: ExitStatus, _ message: String, hint: String, source: String? = nil,
    facts: [(String, JSONValue)] = []
  ) {
    self.code = code
    self.status = status
    self.message = message.asSentence
    self.hint = hint.asSentence
    self.source = source
    self.facts = facts
  }

  /// The line printed on standard output with `--json`; facts that are absent are `null`.
  var json: JSONValue {
    let given = Dictionary(facts) { first, _ in first }
    return .object(
      [
        ("type", "error"), ("code", .string(code)), ("message", .string(message)),
        ("hint", .string(hint)), ("source", JSONValue(source)),
      ] + ["page", "uid", "line", "column"].map { ($0, given[$0] ?? .null) })
  }
}

extension String {
  /// The text as a sentence: the libraries say what is wrong as a clause or as a sentence, and
  /// people should not see the difference. A name or a path at the start keeps its case.
  fileprivate var asSentence: String {
    let firstWord = prefix { $0 != " " }
    var text = self
    if firstWord.allSatisfy({ $0.isLowercase || $0 == "," }), let first = text.first {
      text = first.uppercased() + text.dropFirst()
    }
    return text.last.map { ".!?:)".contains($0) } ?? true ? text : text + "."
  }
}
