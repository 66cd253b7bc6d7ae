@testable import Invocation

extension FuzzTarget {
  /// Rules and a URL made of the bytes: the matcher against a plain reference.
  static let appLinks = FuzzTarget(name: "applinks") { bytes in
    var source = ByteSource(bytes)
    let links = source.appLinks()
    guard let url = try? InvocationURL(source.linkURL()) else { return }
    let host = source.byte() < 8 ? "other.example" : "example.com"
    let decision = AppLinkMatcher(links, host: host).decision(for: url, app: "A")
    let answer = AppLinksReference(links: links, host: host).answer(for: url, app: "A")
    let found = AppLinksReference.Answer(
      outcome: decision.outcome, detail: decision.detail, origin: decision.rule?.origin)
    try require(found == answer, "\(url.payload): \(found) is not \(answer) by \(links)")
    try require(!decision.explanation.isEmpty, "a decision has an explanation")
  }
}

extension ByteSource {
  fileprivate mutating func pick<Item>(_ items: [Item]) -> Item {
    items[Int(byte()) % items.count]
  }

  /// Up to `most` pieces in a row.
  private mutating func text(of pieces: [String], atMost most: Int) -> String {
    (0..<Int(byte()) % (most + 1)).map { _ in pick(pieces) }.joined()
  }

  private mutating func pattern() -> String {
    text(
      of: [
        "a", "b", "A", "/", "//", "*", "?", "/*", "?*", "$(v)", "$(w)", "$(digit)", "$(upper)",
        "$(none)", "%20", "%2F", " ", "é", "É", "1", "$(", ")", "$",
      ], atMost: 6)
  }

  private mutating func flag() -> Bool? { pick([nil, nil, true, false]) }

  private mutating func query() -> SiteAssociation.LinkRule.Query? {
    switch byte() % 6 {
    case 0: .whole(text(of: ["a", "=", "1", "&", "*", "?", "A", "$(v)"], atMost: 5))
    case 1: .items([.init(name: pick(["a", "A", "b", ""]), pattern: pattern())])
    case 2:
      .items([
        .init(name: "a", pattern: pattern()), .init(name: pick(["b", "é", "a b"]), pattern: "*"),
      ])
    case 3: .unreadable
    default: nil
    }
  }

  private mutating func rule(
    _ origin: SiteAssociation.LinkRule.Origin
  ) -> SiteAssociation.LinkRule {
    let has = byte()
    return SiteAssociation.LinkRule(
      origin: origin, path: has & 3 != 0 ? pattern() : nil, query: query(),
      fragment: has & 28 == 4 ? pattern() : nil, exclude: flag(), caseSensitive: flag(),
      percentEncoded: flag())
  }

  private mutating func defaults() -> SiteAssociation.LinkRule {
    switch byte() % 8 {
    case 0: rule(.defaults)
    case 1...3: .init(caseSensitive: flag(), percentEncoded: flag())
    default: .init()
    }
  }

  fileprivate mutating func appLinks() -> SiteAssociation.AppLinks {
    let values = ["a", "bA", "", "?", "*b", "1/", "é", "%20"]
    let variables = ["v": [pick(values), pick(values)], "w": [pick(values)]]
    let defaults = defaults()
    let details = (0...Int(byte()) % 2).map { _ in
      SiteAssociation.Detail(
        appIDs: pick([["A"], ["A"], ["B", "A"], ["B"]]), defaults: self.defaults(),
        rules: (0..<Int(byte()) % 4).map { rule(.component($0)) })
    }
    return SiteAssociation.AppLinks(
      defaults: defaults, substitutionVariables: variables, details: details)
  }

  fileprivate mutating func linkURL() -> String {
    let path = text(
      of: ["a", "b", "A", "1", "/", "/", "%20", "%2F", "%61", "%c3%A9", "%FF", "x"], atMost: 7)
    let query = text(of: ["a", "b", "=", "1", "&", "A", "%61", "a=1", "%20", "/"], atMost: 6)
    let fragment = text(of: ["a", "b", "1", "%20", "/", "?"], atMost: 3)
    return "https://example.com" + (path.isEmpty ? "" : "/" + path)
      + (query.isEmpty ? "" : "?" + query) + (fragment.isEmpty ? "" : "#" + fragment)
  }
}
