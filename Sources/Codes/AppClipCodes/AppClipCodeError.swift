public import CliptagBasics

/// The reason that a file is not accepted as an App Clip Code made by Apple's tools.
public struct AppClipCodeError: CodedError, Sendable {
  /// The kind of failure.
  public let code: Code
  /// The cause and its place.
  public let message: String
  /// The next step.
  public let hint: String

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The kinds of failure.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let notAnAppClipCode = Self(
      "not-an-app-clip-code", .malformedInput, "The file is not an SVG of an App Clip Code.")
    public static let altered = Self(
      "app-clip-code-altered", .malformedInput,
      "The file is an altered App Clip Code: a part was moved, added, removed or recoloured."
    )
    public static let reexported = Self(
      "app-clip-code-reexported", .malformedInput,
      "Another program saved the file of an App Clip Code; no part was moved or recoloured.")
    public static let foreignColours = Self(
      "app-clip-code-colours", .malformedInput,
      "The colours of the file are not a pair that Apple offers.")

    public static let all: [Self] = [
      .notAnAppClipCode, .altered, .reexported, .foreignColours,
    ]
  }

  private static let takeItAnew =
    "Use the unmodified file from App Store Connect or Apple's generator; altered codes are"
    + " not allowed, and phones may not read them."

  package static func notOne(_ reason: String) -> AppClipCodeError {
    AppClipCodeError(
      code: .notAnAppClipCode, message: "The file is not an App Clip Code: \(reason).",
      hint: "App Clip Codes are SVG files of App Store Connect or of Apple's generator.")
  }

  package static func altered(_ reason: String, line: Int? = nil) -> AppClipCodeError {
    let place = line.map { "In line \($0): " } ?? ""
    return AppClipCodeError(
      code: .altered, message: "\(place)\(reason)".asSentence, hint: takeItAnew)
  }

  /// - Parameter differences: The differences from a file of Apple's tools, such as `a description`.
  package static func reexported(_ differences: [String]) -> AppClipCodeError {
    let last = differences.count > 1 ? " and " + differences[differences.count - 1] : ""
    let first = (last.isEmpty ? differences : differences.dropLast()).joined(separator: ", ")
    return AppClipCodeError(
      code: .reexported,
      message: "Another program saved the file, and no part was moved or recoloured: it has "
        + "\(first)\(last), unlike a file of Apple's tools.",
      hint: takeItAnew)
  }

  /// Returns the error for a file whose digest cannot be computed.
  package static func noDigest(_ reason: String) -> AppClipCodeError {
    notOne("its SHA-256 cannot be computed (\(reason))")
  }

  package static func foreignColours(_ reason: String) -> AppClipCodeError {
    AppClipCodeError(
      code: .foreignColours, message: reason.asSentence,
      hint: "If Apple's generator made the file with custom colours, permit"
        + " such colours; otherwise use the unmodified file.")
  }
}
