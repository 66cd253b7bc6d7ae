/// Why a payload is not an acceptable invocation URL.
///
/// Two errors are equal when their codes are.
public struct InvocationURLError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The stable name of the broken rule, which a ``Finding`` carries on.
  public let code: Finding.Code
  /// Where the trouble begins, in bytes of UTF-8 from the payload's start.
  public let offset: Int
  /// What is wrong, as a clause without a full stop.
  public let problem: String
  /// What to do next, as a clause without a full stop.
  public let hint: String

  init(_ code: Finding.Code, at offset: Int, _ problem: String, hint: String) {
    self.code = code
    self.offset = offset
    self.problem = problem
    self.hint = hint
  }

  /// What is wrong, where, and what to do, in one line.
  public var description: String { "\(problem) (at byte \(offset)); \(hint)." }

  /// The error as a finding.
  package var finding: Finding { Finding(code, .error, description) }

  /// Compares by code.
  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}
