internal import CCurl

/// A URL taken apart by libcurl: what is judged here is what it will connect to.
struct WebAddress: Sendable {
  /// The URL as libcurl spells it.
  let url: String
  /// Scheme and host in lower case.
  let scheme: String
  let host: String
  let port: String

  /// What credentials belong to (RFC 6454).
  var origin: String { "\(scheme)://\(host):\(port)" }

  /// Takes a URL apart. libcurl must be loaded.
  ///
  /// - Throws: `.invalidRequest` for what is no absolute URL, or names a user; `.notHTTPS`.
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
        .notHTTPS, "\"\(text)\" is not a URL of HTTPS.", hint: "Give its https:// form.",
        url: text)
    }
    guard !host.isEmpty else { throw refusal("it names no host") }
  }

  /// How another URL is related to this one.
  ///
  /// - Returns: The address when it can be fetched, and the kind of a redirect from here to there.
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
