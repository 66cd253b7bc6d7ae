import CliptagBasics
import Invocation

/// One request to App Store Connect.
public struct ConnectRequest: Hashable, Sendable {
  /// The method in capitals.
  package let method: String
  /// The path, for example `/v1/apps/1234567890`.
  package let path: String
  /// The items of the query, in order, not escaped.
  package let query: [Item]
  /// The body, in JSON.
  package let body: [UInt8]?

  /// A name and a value in the query.
  package struct Item: Hashable, Sendable {
    /// The name, for example `filter[app]`.
    package let name: String
    /// The value; several are joined with commas.
    package let value: String
  }

  /// Makes a request.
  package init(
    _ path: String, _ query: KeyValuePairs<String, String> = [:], method: String = "GET",
    body: [UInt8]? = nil
  ) {
    self.method = method
    self.path = path
    self.query = query.map { Item(name: $0.key, value: $0.value) }
    self.body = body
  }

  /// The base URL of App Store Connect.
  package static let base = "https://api.appstoreconnect.apple.com"

  /// The whole URL. Brackets are escaped: RFC 3986 does not allow them in a query.
  package var url: String {
    guard !query.isEmpty else { return Self.base + path }
    let items = query.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }
    return Self.base + path + "?" + items.joined(separator: "&")
  }

  private static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      byte.isUnreserved || byte == UInt8(ascii: ",")
        ? String(Unicode.Scalar(byte)) : "%" + byte.hexadecimal(digits: 2)
    }.joined()
  }

  /// Whether the request may be sent twice with the same effect as once.
  var isIdempotent: Bool { ["GET", "HEAD", "PUT", "DELETE"].contains(method) }

  /// Method and path, for messages.
  package var name: String { "\(method) \(path)" }
}
