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
  /// The next step, in one or more sentences.
  var hint: String { get }
  /// The file, device or URL concerned, if the error knows it.
  var subject: String? { get }
}

/// The stable name of a kind of failure: lower case with hyphens as in JSON, never renamed.
public protocol ErrorCode: RawRepresentable<String>, Hashable, Sendable, CustomStringConvertible {
  /// Creates a code from its stable name.
  init(rawValue: String)
}

extension ErrorCode {
  /// The stable name.
  public var description: String { rawValue }
}

extension CodedError {
  /// The default: `nil`.
  public var subject: String? { nil }

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
