public import Invocation
public import WebFetching

/// What came of asking for a host's association file.
public struct AssociationAnswer: Sendable, Hashable {
  /// Who was asked.
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// The host itself, as Apple's crawler asks it.
    case site
    /// Apple's content delivery network, which phones ask since iOS 14.
    case cdn
  }

  /// Who was asked.
  public let source: Source
  /// The host whose file was asked for.
  public let host: String
  /// The URL that gave the file, or that the failure is about.
  public let url: String
  /// The file's bytes, decompressed; nil when none was had.
  package let file: [UInt8]?
  /// The code that App Store Connect would show for the failure; nil when there is a file.
  public let domainError: DomainErrorCode?
  /// What is wrong or worth knowing; the failure is the first.
  public let findings: [AssociationFinding]
  /// The answer that decided; nil when there was none.
  public let response: WebResponse?
  /// What the network says about its own failure to fetch the file.
  public let cdnFailure: CDNFailure?

  init(
    source: Source, host: String, url: String, file: [UInt8]? = nil,
    domainError: DomainErrorCode? = nil, findings: [AssociationFinding],
    response: WebResponse? = nil,
    cdnFailure: CDNFailure? = nil
  ) {
    self.source = source
    self.host = host
    self.url = url
    self.file = file
    self.domainError = domainError
    self.findings = findings
    self.response = response
    self.cdnFailure = cdnFailure
  }
}
