public import CliptagBasics

/// An error in reading from App Store Connect, or a refusal by it. No error contains a key or a
/// token.
public struct AppStoreConnectError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The stable name of a kind of failure: lower case with hyphens, never renamed.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let unusableKey = Self(
      "unusable-key", .badSetting,
      "The key is not a usable private key, or its identifiers are not valid.")
    public static let signingFailed = Self(
      "signing-failed", .unavailable, "OpenSSL could not sign the token for App Store Connect.")
    public static let unauthorized = Self(
      "connect-unauthorized", .badSetting,
      "App Store Connect rejects the key, or the clock is wrong (401).")
    public static let forbidden = Self(
      "connect-forbidden", .badSetting, "The key lacks the permission in App Store Connect (403).")
    public static let notFound = Self(
      "connect-not-found", .noInput,
      "The requested resource does not exist in App Store Connect (404).")
    public static let refused = Self(
      "connect-refused", .notAccepted,
      "App Store Connect refuses the request, which breaks a rule (400, 409, 422 and others).")
    public static let rateLimited = Self(
      "connect-rate-limited", .unavailable,
      "The limit of requests to App Store Connect in this hour is reached (429).")
    public static let unavailable = Self(
      "connect-unavailable", .unavailable, "App Store Connect is temporarily unavailable."
    )
    public static let malformedAnswer = Self(
      "malformed-answer", .malformedInput,
      "A response of App Store Connect does not match its documentation.")
    public static let tooMuch = Self(
      "too-many-pages", .malformedInput,
      "App Store Connect has more pages, or longer answers, than the limit.")
    public static let missingAnswer = Self(
      "missing-answer", .noInput, "A saved response of App Store Connect is missing.")
    public static let unknownTeam = Self("unknown-team", .usage, "The team of a clip is unknown.")
    public static let missingPicture = Self(
      "missing-picture", .noInput, "A new experience has no picture.")
    public static let unusablePicture = Self(
      "unusable-picture", .malformedInput, "App Store Connect does not accept the picture.")
    public static let cancelled = Self("cancelled", .interrupted, "The operation was stopped.")

    public static let all: [Self] = [
      .unusableKey, .signingFailed, .unauthorized, .forbidden, .notFound, .refused, .rateLimited,
      .unavailable, .malformedAnswer, .tooMuch, .missingAnswer, .unknownTeam, .missingPicture,
      .unusablePicture, .cancelled,
    ]
  }

  /// One of the errors of an answer (`ErrorResponse.errors`).
  public struct Detail: Hashable, Sendable {
    /// The HTTP status, for example `409`.
    public let status: String
    /// App Store Connect's own name, for example `ENTITY_ERROR.ATTRIBUTE.INVALID`.
    public let code: String
    /// The summary of the error.
    public let title: String
    /// The description of the error, in a sentence.
    public let detail: String
    /// The part of the request that caused the error: a JSON pointer or a parameter's name.
    public let source: String?

    /// Makes a detail.
    package init(status: String, code: String, title: String, detail: String, source: String?) {
      self.status = status
      self.code = code
      self.title = title
      self.detail = detail
      self.source = source
    }
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence: the fault and its place.
  public let message: String
  /// One sentence: the next step.
  public let advice: Hint
  /// The next step in the library's wording.
  public var hint: String { advice.text }
  /// The method and path of the request, or the file of a saved answer.
  public let request: String?
  /// The errors that App Store Connect returned, in its order; at most 20.
  public let details: [Detail]

  /// The maximum number of details kept of one answer.
  package static let maximumDetails = 20

  /// Makes an error.
  package init(
    _ code: Code, _ message: String, hint: Hint, request: String? = nil, details: [Detail] = []
  ) {
    self.code = code
    self.message = message
    advice = hint
    self.request = request
    self.details = details
  }
}

extension AppStoreConnectError {
  static func unusableKey(_ reason: String) -> AppStoreConnectError {
    AppStoreConnectError(
      .unusableKey, "The key of App Store Connect cannot be used: \(reason).",
      hint: "Use the .p8 file and the identifiers of the key and issuer from App Store Connect, "
        + "Users and Access, Integrations.")
  }

  static func signingFailed() -> AppStoreConnectError {
    AppStoreConnectError(
      .signingFailed, "OpenSSL could not sign with the key of App Store Connect.",
      hint: "Check that OpenSSL's library (libssl3) is intact and current.")
  }
}

extension String {
  /// The text limited to 60 characters, for a message.
  var shortened: String { count <= 60 ? self : prefix(59) + "…" }
}
