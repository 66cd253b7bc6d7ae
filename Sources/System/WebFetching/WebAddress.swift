import CliptagBasics
internal import CCurl

/// A URL parsed by libcurl, so that the checks apply to the address that it will connect to.
struct WebAddress: Sendable {
  /// The URL in libcurl's spelling.
  let url: String
  /// The scheme and the host in lower case.
  let scheme: String
  let host: String
  let port: String

  /// The origin, the scope of credentials (RFC 6454).
  var origin: String { "\(scheme)://\(host):\(port)" }

  /// Parses a URL. libcurl must be loaded.
  ///
  /// - Throws: `.invalidRequest` for a text that is not an absolute URL, or contains a user name;
  ///   `.notHTTPS`.
  init(_ text: String) throws(WebFetchError) {
    func refusal(_ reason: String) -> WebFetchError {
      WebFetchError(
        .invalidRequest, "\"\(text)\" cannot be fetched: \(reason).",
        hint: "Give a URL like https://example.com/path.", url: text)
    }
    var parts = ccurl_url()
    let code = text.utf8.contains(0) ? CURLUE_MALFORMED_INPUT : ccurl_url_parse(text, &parts)
    guard code == CURLUE_OK else { throw refusal(String(cString: ccurl_url_strerror(code))) }
    defer { ccurl_url_free(&parts) }
    func string(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? ""
    }
    url = string(parts.whole)
    scheme = string(parts.scheme).lowercased()
    host = string(parts.host).lowercased()
    port = string(parts.port)
    guard !parts.has_user else {
      throw refusal("it has a user name in it, which would be sent to the server")
    }
    guard scheme == "https" else {
      throw WebFetchError(
        .notHTTPS, "\"\(text)\" is not an HTTPS URL.", hint: "Give an https:// URL.",
        url: text)
    }
    guard !host.isEmpty else { throw refusal("it has no host") }
  }

  /// Returns the relation of another URL to this one.
  ///
  /// - Returns: The address, if it can be fetched, and the kind of a redirect from this address to
  ///   it.
  func redirect(to target: String) throws(WebFetchError) -> (WebAddress?, WebRedirect.Kind) {
    do {
      let address = try WebAddress(target)
      return (address, address.origin == origin ? .sameSite : .crossSite)
    } catch {
      guard error.code == .notHTTPS else { throw error }
      return (nil, .insecure)
    }
  }
}
