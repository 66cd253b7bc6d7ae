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
