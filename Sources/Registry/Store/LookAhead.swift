/// A look-up: a statement that gives rows, and its arguments.
struct RegistryQuestion: Hashable {
  let sql: String
  let arguments: [SQLArgument?]

  init(_ sql: String, _ arguments: [(any SQLValue)?]) {
    self.sql = sql
    self.arguments = arguments.map { $0?.argument }
  }
}

extension RegistryTransaction {
  /// Announces what is looked up next. Where asking takes a way to a server, the first of these look-ups
  /// brings the answers of all.
  ///
  /// An answer is as old as the first of them, and is asked for anew after a change of a table that it is about.
  ///
  /// - Parameters:
  ///   - appends: Whether an entry will be added to this registry's own chain.
  ///   - questions: Makes the look-ups once more, on a registry without rows: none may depend on what
  ///     another gives.
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

/// The session of a registry without rows that keeps what it was asked.
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

/// Answers that were looked up ahead of their queries, in one transaction.
struct AnswersAhead<Answer> {
  private var announced: [(question: RegistryQuestion, arguments: [(any SQLValue)?])] = []
  private var answers: [RegistryQuestion: Answer] = [:]

  var isEmpty: Bool { announced.isEmpty && answers.isEmpty }

  subscript(question: RegistryQuestion) -> Answer? { answers[question] }

  /// Keeps look-ups whose answers are not there yet.
  mutating func announce(_ questions: [(sql: String, arguments: [(any SQLValue)?])]) {
    for (sql, arguments) in questions {
      let question = RegistryQuestion(sql, arguments)
      guard answers[question] == nil, !announced.contains(where: { $0.question == question })
      else { continue }
      announced.append((question, arguments))
    }
  }

  /// The look-ups that are to be asked, if this one was announced.
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

  /// Forgets what a change may have made untrue: answers about its table, and about what follows from that;
  /// all answers, if it is no change of rows.
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
      case "code_entry": [table, "code_print"]
      case "clip": [table, "clip_domain"]
      default: [table]
      }
    answers = answers.filter { question, _ in
      !question.sql.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" })
        .contains(where: changed.contains)
    }
  }
}
