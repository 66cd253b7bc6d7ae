public import CliptagBasics
import CCrypto

/// The reason why a value cannot be verified, or is not what it claims to be.
public struct AuthenticityError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The kind of failure.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let missing = Self(
      "missing", .unavailable,
      "The URL carries no Secure Unique NFC message, or only a part of one.")
    public static let notAuthentic = Self(
      "not-authentic", .unavailable, "The message does not match the tag's keys.")
    public static let invalidValue = Self(
      "invalid-value", .unavailable,
      "A key, a configuration or another value of the caller breaks a rule.")
    public static let cryptography = Self(
      "cryptography-failed", .unavailable,
      "OpenSSL failed or lacks an algorithm, so the result is unknown.")

    public static let all: [Self] = [.cryptography]
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence that names the fault and its place. It never contains a key.
  public let message: String

  /// One sentence with the next step.
  public var hint: String {
    switch code {
    case .missing: "Read the URL from the tag itself, which fills the message in."
    case .notAuthentic: "Treat the code as a copy until its tag is read."
    case .invalidValue: "Correct the value."
    default: "Check that OpenSSL's library (libssl3) is intact and current."
    }
  }

  /// Makes an error.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// An error for a failed OpenSSL call, with the text of its error queue, which is cleared.
  static func cryptography(_ task: String) -> AuthenticityError {
    var text = [CChar](repeating: 0, count: 256)
    let number = ERR_get_error()
    ERR_error_string_n(number, &text, text.count)
    ERR_clear_error()
    let reason =
      number == 0
      ? "no reason given"
      : String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return AuthenticityError(.cryptography, "OpenSSL could not \(task): \(reason).")
  }
}
