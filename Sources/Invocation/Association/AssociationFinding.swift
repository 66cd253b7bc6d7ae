/// A finding about an association file, about entitlements or about the banner of a page, with its
/// place and with the code that App Store Connect would probably show.
public struct AssociationFinding: Hashable, Sendable {
  /// What was found.
  public let finding: Finding
  /// Where it is in the file; `nil` when it is about something that is not there, or not in a file.
  public let position: DocumentPosition?
  /// The domain status of App Store Connect that stands for it, where one fits.
  public let domainError: DomainErrorCode?

  /// Makes a finding.
  package init(
    _ code: Finding.Code, _ severity: Finding.Severity, at position: DocumentPosition? = nil,
    as domainError: DomainErrorCode? = nil, _ message: String
  ) {
    finding = Finding(code, severity, message)
    self.position = position
    self.domainError = domainError
  }
}

extension AssociationFinding: CustomStringConvertible {
  /// `line:column: message`, the form that editors can follow, or the message alone.
  public var description: String {
    guard let position else { return finding.message }
    return "\(position.line):\(position.column): \(finding.message)"
  }
}
