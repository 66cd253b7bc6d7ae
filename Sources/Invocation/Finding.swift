/// Something worth telling about a payload: what it is, how bad it is, and a sentence for a person.
public struct Finding: Hashable, Sendable {
  /// A stable name for a kind of finding: lower case with hyphens, never renamed.
  ///
  /// The well-known codes are static members; see `Finding+Codes.swift` for their meanings.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name as printed in JSON, for example `bare-prefix`.
    public let rawValue: String

    /// Makes a code from its printed name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name as printed in JSON.
    public var description: String { rawValue }
  }

  /// How much a finding matters.
  public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Worth knowing; nothing needs doing.
    case note
    /// Works, or may work, but somebody should look at it.
    case warning
    /// The payload is not acceptable as it is.
    case error

    /// Orders by how much a finding matters, `note` first.
    public static func < (left: Severity, right: Severity) -> Bool {
      let order = allCases
      return order.firstIndex(of: left)! < order.firstIndex(of: right)!  // every case is listed
    }
  }

  /// The stable name of the kind of finding.
  public let code: Code
  /// How much it matters.
  public let severity: Severity
  /// One sentence for a person: what was found, where, and what it means.
  public let message: String

  /// Makes a finding.
  public init(_ code: Code, _ severity: Severity, _ message: String) {
    self.code = code
    self.severity = severity
    self.message = message
  }
}
