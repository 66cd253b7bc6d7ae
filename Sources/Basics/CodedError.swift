/// What every error of cliptag's libraries tells: which kind it is, what was wrong, and what to do.
///
/// Two errors are equal when their ``code`` is, so that a test or a caller can compare without
/// knowing the words, which may change between versions.
public protocol CodedError: Error, Hashable, CustomStringConvertible {
  /// The kinds of failure of one library. Open: a later version may add more.
  associatedtype Code: ErrorCode

  /// The kind of failure.
  var code: Code { get }
  /// One sentence: what was wrong, and where.
  var message: String { get }
  /// One sentence or more: what to do next.
  var hint: String { get }
  /// The file, device or URL that it is about, when the error knows it.
  var subject: String? { get }
}

/// The stable name of a kind of failure: lower case with hyphens as it stands in JSON, never renamed.
public protocol ErrorCode: RawRepresentable<String>, Hashable, Sendable, CustomStringConvertible {
  /// Makes a code from its stable name.
  init(rawValue: String)
}

extension ErrorCode {
  /// The stable name.
  public var description: String { rawValue }
}

extension CodedError {
  /// Nothing, unless an error says otherwise.
  public var subject: String? { nil }

  /// The message and the hint on one line.
  public var description: String { "\(message) \(hint)" }

  /// Whether both are the same kind of failure.
  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

  /// Hashes the code, in step with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension String {
  /// Programs whose names have no capital letter anywhere.
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
