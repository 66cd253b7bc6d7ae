/// Why a text is not a path template.
///
/// Two errors are equal when their codes are.
public struct PathTemplateError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A kind of mistake in a template.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the mistake.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The template does not begin with a slash.
    public static let noLeadingSlash = Code(rawValue: "no-leading-slash")
    /// Two slashes stand together, or one at the end.
    public static let emptySegment = Code(rawValue: "empty-segment")
    /// A brace opens or closes alone.
    public static let unbalancedBraces = Code(rawValue: "unbalanced-braces")
    /// A variable's name is empty or holds something else than letters, digits and underscores.
    public static let badVariableName = Code(rawValue: "bad-variable-name")
    /// A segment holds two variables.
    public static let severalVariables = Code(rawValue: "several-variables")
    /// A variable, for example `{place}`, stands twice.
    public static let repeatedVariable = Code(rawValue: "repeated-variable")
    /// A character that a path cannot hold.
    public static let illegalCharacter = Code(rawValue: "illegal-character")
  }

  /// The kind of mistake.
  public let code: Code
  /// What is wrong, as a clause without a full stop.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Compares by code.
  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}
