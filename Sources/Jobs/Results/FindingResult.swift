public import Invocation

/// A finding as results state it.
public struct FindingResult: Encodable, Hashable, Sendable {
  /// The stable name of the kind of finding.
  public let code: String
  /// `note`, `warning` or `error`.
  public let severity: String
  /// One sentence for people.
  public let message: String

  init(code: String, severity: Finding.Severity, message: String) {
    self.code = code
    self.severity = severity.rawValue
    self.message = message
  }

  /// States a finding.
  public init(_ finding: Finding) {
    self.init(code: finding.code.rawValue, severity: finding.severity, message: finding.message)
  }
}
