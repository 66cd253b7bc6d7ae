import FoundationEssentials

/// One request to App Store Connect.
public struct ConnectRequest: Hashable, Sendable {
  /// The method in capitals.
  package let method: String
  /// The path, for example `/v1/apps/1234567890`.
  package let path: String
  /// What stands behind the question mark, in order, not escaped.
  package let query: [Item]
  /// What to send: JSON.
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

  /// Where App Store Connect is.
  package static let base = "https://api.appstoreconnect.apple.com"

  /// The whole URL. Brackets are escaped: RFC 3986 leaves no place for them in a query.
  package var url: String {
    guard !query.isEmpty else { return Self.base + path }
    let items = query.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }
    return Self.base + path + "?" + items.joined(separator: "&")
  }

  private static func escaped(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: ","):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether sending it twice does what sending it once does.
  var isIdempotent: Bool { ["GET", "HEAD", "PUT", "DELETE"].contains(method) }

  /// Method and path, for messages.
  package var name: String { "\(method) \(path)" }
}

/// What `X-Rate-Limit` says: how many requests may follow in this hour
/// ("Identifying Rate Limits").
public struct RateLimit: Hashable, Sendable {
  /// How many a user has in each hour.
  public let limit: Int
  /// How many are left.
  public let remaining: Int

  /// Reads a field such as `user-hour-lim:3600;user-hour-rem:3577;`; nil for anything else.
  package init?(_ field: String) {
    var values: [Substring: Int] = [:]
    for part in field.split(separator: ";") {
      let words = part.split(separator: ":", maxSplits: 1)
      guard words.count == 2 else { continue }
      values[words[0].drop { $0 == " " }] = Int(words[1])
    }
    guard let limit = values["user-hour-lim"], let remaining = values["user-hour-rem"] else {
      return nil
    }
    self.limit = limit
    self.remaining = remaining
  }
}

/// Reads what a server says the time is (RFC 9110, 5.6.7), in the form that servers send today:
/// `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Seconds since 1970; nil for another form.
  static func secondsSince1970(_ text: String) -> Int? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), let year = Int(words[3]),
      let month = months.firstIndex(of: String(words[2])), (1...31).contains(day),
      (1970...9999).contains(year)
    else { return nil }
    let clock = words[4].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3, clock.allSatisfy({ (0...60).contains($0) }) else { return nil }
    var components = DateComponents()
    (components.year, components.month, components.day) = (year, month + 1, day)
    (components.hour, components.minute, components.second) = (clock[0], clock[1], clock[2])
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: components).map { Int($0.timeIntervalSince1970) }
  }
}
