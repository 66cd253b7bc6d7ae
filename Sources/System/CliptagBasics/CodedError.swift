/// The common interface of the errors of cliptag's libraries: the kind of failure, the cause, and
/// the next step.
///
/// Two errors are equal when their ``code`` is equal, so a test or a caller can compare them
/// without the message texts, which may change between versions.
public protocol CodedError: Error, Hashable, CustomStringConvertible {
  /// The kinds of failure of one library. The set is open: a later version may add more.
  associatedtype Code: ErrorCode

  /// The kind of failure.
  var code: Code { get }
  /// The cause and its place, in one sentence.
  var message: String { get }
  /// The next step, in one or more sentences in the library's wording.
  var hint: String { get }
  /// The next step with its advice as values, which faces word in their own terms.
  var advice: Hint { get }
  /// The file, device or URL concerned, if the error knows it.
  var subject: String? { get }
}

/// The stable name of a kind of failure: lower case with hyphens as in JSON, never renamed.
///
/// Two codes are equal when their names are.
public protocol ErrorCode: RawRepresentable<String>, Hashable, Sendable, CustomStringConvertible {
  /// The stable name.
  var rawValue: String { get }
  /// The name, exit statuses and meaning of the code.
  var definition: CodeDefinition { get }

  /// Creates a code from its stable name.
  init(rawValue: String)
}

/// The codes of one library's errors: each is declared in one line, with its exit status and its
/// meaning, and listed in ``all``.
public protocol FailureCode: ErrorCode {
  /// The codes that reach people as failures.
  static var all: [Self] { get }

  /// Creates a code.
  init(_ definition: CodeDefinition)
}

/// The stable name of a code, with the exit statuses it leads to and its meaning.
public struct CodeDefinition: Sendable {
  /// The stable name.
  package let name: String
  /// Every exit status that a failure of this kind can have, ascending and at least one.
  package let statuses: [ExitStatus]
  /// The meaning, in one sentence.
  package let meaning: String

  package init(_ name: String, _ statuses: [ExitStatus], _ meaning: String) {
    self.name = name
    self.statuses = statuses
    self.meaning = meaning
  }
}

extension ErrorCode {
  /// The default: the name alone, without a meaning.
  public var definition: CodeDefinition { CodeDefinition(rawValue, [.unavailable], "") }

  /// The meaning, in one sentence; empty for a code that this version does not declare.
  public var meaning: String { definition.meaning }

  /// The stable name.
  public var description: String { rawValue }

  /// The exit status of a failure of this kind, unless the failure itself decides among several.
  package var status: ExitStatus { definition.statuses[0] }  // at least one

  /// Returns whether both have the same name.
  public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

  /// Hashes the name, consistent with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension FailureCode {
  /// The declared code of this name, or a new one without a meaning.
  public init(rawValue: String) {
    self =
      Self.all.first { $0.rawValue == rawValue }
      ?? Self(CodeDefinition(rawValue, [.unavailable], ""))
  }

  /// Declares a code.
  package init(_ name: String, _ status: ExitStatus, _ meaning: String) {
    self.init(CodeDefinition(name, [status], meaning))
  }

  /// Declares a code whose failures themselves decide among several exit statuses.
  package init(_ name: String, _ statuses: [ExitStatus], _ meaning: String) {
    self.init(CodeDefinition(name, statuses, meaning))
  }
}

extension CodedError {
  /// The default: `nil`.
  public var subject: String? { nil }

  /// The default: the hint as text.
  public var advice: Hint { Hint(hint) }

  /// The message and the hint on one line.
  public var description: String { "\(message) \(hint)" }

  /// Returns whether both are the same kind of failure.
  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

  /// Hashes the code, consistent with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension String {
  /// Programs whose names contain no capital letter.
  private static let lowerCaseNames: Set<Substring> = [
    "cliptag", "libnfc", "pcsc", "pcscd", "polkit",
  ]

  /// A clause as a sentence: with a capital letter and a full stop. A name or a path at the start
  /// keeps its case.
  package var asSentence: String {
    let firstWord = prefix { $0 != " " }
    var text = self
    if firstWord.allSatisfy({ $0.isLowercase || $0 == "," }),
      !Self.lowerCaseNames.contains(firstWord), let first = text.first
    {
      text = first.uppercased() + text.dropFirst()
    }
    return text.last.map { ".!?:".contains($0) } ?? true ? text : text + "."
  }
}
