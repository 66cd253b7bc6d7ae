import CliptagBasics
public import Invocation

/// A finding as results state it.
public struct FindingResult: Encodable, Hashable, Sendable {
  /// The stable name of the kind of finding.
  public let code: String
  /// `note`, `warning` or `error`.
  public let severity: String
  /// One sentence for people.
  public let message: WordedText

  init(code: String, severity: Finding.Severity, message: String) {
    self.code = code
    self.severity = severity.rawValue
    self.message = WordedText(Hint(message))
  }

  /// States a finding.
  public init(_ finding: Finding) {
    code = finding.code.rawValue
    severity = finding.severity.rawValue
    message = WordedText(finding.advice)
  }
}
