import CCurl

/// What is asked of a server.
public struct WebRequest: Sendable, Hashable {
  /// The method in capitals, for example `GET`.
  public var method: String
  /// An absolute `https` URL, with no user name in it.
  public var url: String
  /// Header fields to send besides those that every request has. A field named here replaces the
  /// one that would be sent by itself, `User-Agent` for example.
  public var headers: HeaderFields
  /// What to send, or nil to send nothing.
  public var body: [UInt8]?

  /// Makes a request.
  public init(
    _ url: String, method: String = "GET", headers: HeaderFields = [:], body: [UInt8]? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

extension WebRequest {
  /// The request that follows a redirect (RFC 9110, 15.4): 303 makes a GET of everything but HEAD,
  /// 301 and 302 make one of a POST as browsers do, and nothing else changes.
  ///
  /// What identifies the caller is not told to another origin.
  func redirected(status: Int, from old: WebAddress, to new: WebAddress) -> WebRequest {
    var request = self
    request.url = new.url
    let becomesGet =
      status == 303 ? method != "HEAD" : [301, 302].contains(status) && method == "POST"
    if becomesGet {
      request.method = "GET"
      request.body = nil
      request.headers.remove("Content-Type")
    }
    if old.origin != new.origin {
      request.headers.remove("Authorization")
      request.headers.remove("Cookie")
    }
    return request
  }

  /// What would make the request another than it looks like, in words; nil when nothing does.
  var flaw: String? {
    guard !method.isEmpty, method.utf8.allSatisfy(HeaderFields.isTokenByte) else {
      return "the method \"\(method)\" is no method"
    }
    for field in headers {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(HeaderFields.isTokenByte) else {
        return "\"\(field.name)\" is no name of a header field"
      }
      guard !field.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
        return "the header field \(field.name) has a control character in it"
      }
    }
    return nil
  }
}

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
      return (address, address.host == host ? .sameSite : .crossSite)
    } catch {
      guard error.code == .notHTTPS else { throw error }
      return (nil, .insecure)
    }
  }
}
