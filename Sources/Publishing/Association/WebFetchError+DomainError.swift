import Invocation
import WebFetching

extension WebFetchError {
  /// The code that App Store Connect would show if its crawler met this; nil when it says nothing
  /// about the host but is this computer's own trouble.
  ///
  /// Apple lists the codes without a word about them: this goes by their names.
  var domainError: DomainErrorCode? {
    switch code {
    case .hostNotFound: .dnsError
    case .cannotConnect: .networkError
    case .connectionLost, .truncated: .networkErrorTemporary
    case .certificateExpired, .certificateWrongHost, .certificateUnknownIssuer,
      .certificateInvalid, .tlsFailed:
      .tlsError
    case .timedOut: .timeout
    case .badResponse: .badHTTPResponse
    case .tooLarge: .otherError
    case .crossSiteRedirect: .crossSiteRedirectsForbidden
    case .insecureRedirect: .insecureRedirectsForbidden
    case .tooManyRedirects: .tooManyRedirects
    default: nil
    }
  }

  /// Whether the host answered, so that another of its URLs may answer better.
  var isAnswerOfHost: Bool {
    [.crossSiteRedirect, .insecureRedirect, .tooManyRedirects, .badResponse].contains(code)
  }
}
