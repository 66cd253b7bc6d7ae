/// A request to a server.
public struct WebRequest: Sendable, Hashable {
  /// The method in capitals, for example `GET`.
  public var method: String
  /// An absolute `https` URL without a user name.
  public var url: String
  /// Header fields to send in addition to the standard ones. A field given here replaces the
  /// automatic one, `User-Agent` for example.
  public var headers: HeaderFields
  /// The bytes to send, or `nil`.
  public var body: [UInt8]?

  /// Creates a request.
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
  /// Returns the request that follows a redirect (RFC 9110, 15.4): 303 turns every method except
  /// HEAD into GET, 301 and 302 turn POST into GET as browsers do, and everything else is
  /// unchanged.
  ///
  /// Credentials are not sent to another origin.
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

  /// The flaw that would corrupt the request, as a clause, or `nil`.
  var flaw: String? {
    guard !method.isEmpty, method.utf8.allSatisfy(HeaderFields.isTokenByte) else {
      return "the method \"\(method)\" is not valid"
    }
    for field in headers {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(HeaderFields.isTokenByte) else {
        return "\"\(field.name)\" is not a header field name"
      }
      guard !field.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
        return "the header field \(field.name) contains a control character"
      }
    }
    return nil
  }
}
