public import CliptagBasics

/// A path with variables, such as `/order/{place}/table/{table}`, that names the place of a
/// payload.
///
/// Each segment is literal text with at most one variable, as in `/store-{place}`. Segments are
/// compared with those of a URL's normal form; the URL may have more of them.
public struct PathTemplate: Hashable, Sendable, CustomStringConvertible {
  /// The variable that is looked up among the places.
  package static let placeVariable = "place"

  /// The template as written.
  public let text: String

  /// The template as written.
  public var description: String { text }

  /// The names of the variables, in order.
  public var variables: [String] { segments.compactMap(\.variable) }

  /// Whether the template contains `{place}`.
  package var namesPlace: Bool { variables.contains(Self.placeVariable) }

  /// Returns the path in which the place has this id, in normal form; `nil` if the template has other
  /// variables, or no place.
  package func path(naming id: String) -> String? {
    guard variables == [Self.placeVariable] else { return nil }
    return segments.map { "/\($0.prefix)\($0.variable == nil ? "" : id)\($0.suffix)" }.joined()
  }

  struct Segment: Hashable {
    /// Literal text in normal form, before the variable or as the whole segment.
    var prefix: String
    var variable: String?
    var suffix: String
  }

  let segments: [Segment]

  /// Reads a template.
  ///
  /// - Parameter text: The text, which begins with a slash, and has no query and no trailing slash.
  /// - Throws: The first rule that it breaks.
  public init(_ text: String) throws(PathTemplateError) {
    self.text = text
    guard text.hasPrefix("/") else {
      throw PathTemplateError(
        .noLeadingSlash, "The path template \(text.quotedForMessage) does not begin with a slash")
    }
    var segments: [Segment] = []
    let parts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for part in parts where text != "/" {
      segments.append(try Self.segment(part, of: text))
    }
    let names = segments.compactMap(\.variable)
    if let repeated = names.first(where: { name in names.count(where: { $0 == name }) > 1 }) {
      throw PathTemplateError(
        .repeatedVariable,
        "The path template \(text.quotedForMessage) names {\(repeated)} more than once")
    }
    self.segments = segments
  }

  private static func segment(
    _ part: Substring, of text: String
  ) throws(PathTemplateError) -> Segment {
    guard !part.isEmpty else {
      throw PathTemplateError(
        .emptySegment,
        "The path template \(text.quotedForMessage) has an empty segment; remove the doubled or last slash"
      )
    }
    guard let open = part.firstIndex(where: { $0 == "{" || $0 == "}" }) else {
      return Segment(prefix: try literal(part, of: text), variable: nil, suffix: "")
    }
    let inside = part[part.index(after: open)...]
    guard part[open] == "{", let close = inside.firstIndex(where: { $0 == "{" || $0 == "}" }),
      inside[close] == "}"
    else {
      throw PathTemplateError(
        .unbalancedBraces, "The braces of the path template \(text.quotedForMessage) do not pair up"
      )
    }
    let name = inside[..<close]
    guard let first = name.utf8.first, first.isASCIILetter || first == UInt8(ascii: "_"),
      name.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") })
    else {
      throw PathTemplateError(
        .badVariableName,
        "{\(name)} in the path template \(text.quotedForMessage) is not a name of letters, digits and underscores"
      )
    }
    let rest = inside[inside.index(after: close)...]
    guard !rest.contains("{"), !rest.contains("}") else {
      throw PathTemplateError(
        .severalVariables,
        "A segment of the path template \(text.quotedForMessage) contains more than one variable or a stray brace"
      )
    }
    return Segment(
      prefix: try literal(part[..<open], of: text), variable: String(name),
      suffix: try literal(rest, of: text))
  }

  /// The literal text in the normal form of URLs, so that both sides are comparable.
  private static func literal(
    _ part: Substring, of text: String
  ) throws(PathTemplateError) -> String {
    var offset = 0
    let bytes = Array(part.utf8)
    for scalar in part.unicodeScalars {
      let isDelimiter = scalar == "?" || scalar == "#"
      guard !isDelimiter, CharacterRule.error(for: scalar, at: offset) == nil else {
        throw PathTemplateError(
          .illegalCharacter,
          "The path template \(text.quotedForMessage) contains \(scalar.spokenName), which a path cannot contain"
        )
      }
      if scalar == "%",
        !bytes[(offset + 1)...].prefix(2).allSatisfy({ $0.hexadecimalValue != nil })
          || bytes.count < offset + 3
      {
        throw PathTemplateError(
          .illegalCharacter,
          "The path template \(text.quotedForMessage) contains an incomplete percent escape")
      }
      offset += UTF8.width(scalar)
    }
    return PercentEscapes.normalize(bytes)
  }

  /// The decoded values of the variables, or `nil` if the path does not match.
  ///
  /// - Parameter path: The path of a URL's normal form.
  /// - Returns: Values by variable name; never empty text.
  public func values(in path: String) -> [String: String]? {
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= segments.count else { return nil }
    var values: [String: String] = [:]
    for (segment, part) in zip(segments, parts) {
      guard let name = segment.variable else {
        guard part == segment.prefix else { return nil }
        continue
      }
      guard part.utf8.count > segment.prefix.utf8.count + segment.suffix.utf8.count,
        part.hasPrefix(segment.prefix), part.hasSuffix(segment.suffix)
      else { return nil }
      let value = part.dropFirst(segment.prefix.count).dropLast(segment.suffix.count)
      values[name] = PercentEscapes.decode(value)
    }
    return values
  }

  /// Whether a path under a link's path can match the template.
  ///
  /// - Parameter prefix: The path of a link's normal form.
  func canMatch(below prefix: String) -> Bool {
    let trimmed = prefix.hasSuffix("/") ? prefix.dropLast() : prefix[...]
    let parts = trimmed.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    return zip(segments, parts).allSatisfy { segment, part in
      segment.variable == nil
        ? part == segment.prefix
        : part.hasPrefix(segment.prefix) && part.hasSuffix(segment.suffix)
    }
  }
}

/// An error in a path template.
public struct PathTemplateError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// A kind of mistake in a template.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let noLeadingSlash = Self(
      "no-leading-slash", .usage, "The path template does not begin with a slash.")
    public static let emptySegment = Self(
      "empty-segment", .usage, "The path template has two slashes in a row, or one at the end.")
    public static let unbalancedBraces = Self(
      "unbalanced-braces", .usage, "The path template has an unmatched brace.")
    public static let badVariableName = Self(
      "bad-variable-name", .usage,
      "A variable of the path template has no name, or one with other characters than letters, digits and `_`."
    )
    public static let severalVariables = Self(
      "several-variables", .usage, "A segment of the path template contains two variables.")
    public static let repeatedVariable = Self(
      "repeated-variable", .usage, "The path template contains a variable twice.")
    public static let illegalCharacter = Self(
      "illegal-character", .usage, "The path template contains a character forbidden in paths.")

    public static let all: [Self] = [
      .noLeadingSlash, .emptySegment, .unbalancedBraces, .badVariableName, .severalVariables,
      .repeatedVariable, .illegalCharacter,
    ]
  }

  /// The kind of mistake.
  public let code: Code
  /// The fault, as a clause without a full stop.
  public let problem: String

  init(_ code: Code, _ problem: String) {
    self.code = code
    self.problem = problem
  }

  /// The fault, in one sentence.
  public var message: String { problem.asSentence }
  /// The form of a template.
  public var hint: String { "Write it like /order/{place}/table/{table}." }
}
