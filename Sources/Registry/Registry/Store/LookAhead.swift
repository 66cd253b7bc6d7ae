/// A look-up: a statement that returns rows, and its arguments.
struct RegistryQuestion: Hashable {
  let sql: String
  let arguments: [SQLArgument?]

  init(_ sql: String, _ arguments: [(any SQLValue)?]) {
    self.sql = sql
    self.arguments = arguments.map { $0?.argument }
  }
}

extension RegistryTransaction {
  /// Announces the next look-ups. On a server, the first of them fetches the answers of all in one
  /// round trip.
  ///
  /// All answers are as old as the first, and are fetched again after a change of one of their
  /// tables.
  ///
  /// - Parameters:
  ///   - appends: Whether an entry will be added to this registry's own chain.
  ///   - questions: Makes the same look-ups on a registry without rows; none may depend on
  ///     another's result.
  package borrowing func lookAhead(
    appending appends: Bool = false,
    _ questions: (borrowing RegistryTransaction) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    guard session.isFarAway else { return }
    let list = QuestionList(home: session.home, who: session.who)
    let listing = RegistryTransaction(list, mayChange: false)
    try questions(listing)
    if appends { _ = try listing.presentRecorder() }
    session.lookAhead(list.questions)
  }
}

/// The session of a registry without rows that records its queries.
private final class QuestionList: RegistrySession {
  let home: String
  let who: String
  private(set) var questions: [(sql: String, arguments: [(any SQLValue)?])] = []

  init(home: String, who: String) {
    self.home = home
    self.who = who
  }

  func run(_ sql: String, _ arguments: [(any SQLValue)?]) throws(RegistryError) {
    throw .readOnly()
  }

  func rows(
    _ sql: String, _ arguments: [(any SQLValue)?], isShared: Bool
  ) -> any RegistryRows {
    if isShared { questions.append((sql, arguments)) }
    return NoRows()
  }

  func letReferencesFollow() {}
}

/// Answers fetched ahead of their queries, in one transaction.
struct AnswersAhead<Answer> {
  private var announced: [(question: RegistryQuestion, arguments: [(any SQLValue)?])] = []
  private var answers: [RegistryQuestion: Answer] = [:]

  var isEmpty: Bool { announced.isEmpty && answers.isEmpty }

  subscript(question: RegistryQuestion) -> Answer? { answers[question] }

  /// Adds look-ups without an answer yet.
  mutating func announce(_ questions: [(sql: String, arguments: [(any SQLValue)?])]) {
    for (sql, arguments) in questions {
      let question = RegistryQuestion(sql, arguments)
      guard answers[question] == nil, !announced.contains(where: { $0.question == question })
      else { continue }
      announced.append((question, arguments))
    }
  }

  /// Returns the look-ups to send, if this one was announced.
  mutating func due(
    with question: RegistryQuestion
  ) -> [(question: RegistryQuestion, arguments: [(any SQLValue)?])]? {
    guard announced.contains(where: { $0.question == question }) else { return nil }
    defer { announced = [] }
    return announced
  }

  mutating func keep(_ answer: Answer, to question: RegistryQuestion) {
    answers[question] = answer
  }

  /// Discards answers that a change may have invalidated: those about its table and tables derived
  /// from it, or all answers if it is not a change of rows.
  mutating func forget(changedBy sql: String) {
    guard !answers.isEmpty else { return }
    let words = sql.split(
      maxSplits: 3, omittingEmptySubsequences: true, whereSeparator: \.isWhitespace)
    let table: Substring? =
      if words.starts(with: ["INSERT", "INTO"]) || words.starts(with: ["DELETE", "FROM"]),
        words.count > 2
      {
        words[2]
      } else if words.first == "UPDATE", words.count > 1 {
        words[1]
      } else { nil }
    guard let table else {
      answers = [:]
      return
    }
    let changed: [Substring] =
      switch table {
      case "code_entry": [table, "code_print", "code_item"]
      case "clip": [table, "clip_domain"]
      default: [table]
      }
    answers = answers.filter { question, _ in
      !question.sql.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" })
        .contains(where: changed.contains)
    }
  }
}
