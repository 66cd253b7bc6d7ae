/// A request to a server.
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
