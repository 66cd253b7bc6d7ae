import Basics
import Invocation
import Testing

@Suite("Prefixes")
struct PrefixEngineTests {
  struct Example: Sendable {
    let link: String
    let key: String
    let string: Bool
    let segment: Bool

    init(_ link: String, _ key: String, string: Bool, segment: Bool) {
      self.link = link
      self.key = key
      self.string = string
      self.segment = segment
    }
  }

  static let examples = [
    Example("/", "/", string: true, segment: true),
    Example("/", "/menu", string: true, segment: true),
    Example("/", "/?id=1", string: true, segment: true),
    Example("/rent", "/rent", string: true, segment: true),
    Example("/rent", "/rent/car", string: true, segment: true),
    Example("/rent", "/rent?id=3456", string: true, segment: true),
    Example("/rent", "/rental", string: true, segment: false),
    Example("/location1", "/location10", string: true, segment: false),
    Example("/location1", "/location1", string: true, segment: true),
    Example("/location10", "/location1", string: false, segment: false),
    Example("/menu/", "/menu/lunch", string: true, segment: true),
    Example("/menu/", "/menu", string: false, segment: false),
    Example("/menu", "/Menu", string: false, segment: false),
    Example("/a?x=1", "/a?x=1", string: true, segment: true),
    Example("/a?x=1", "/a?x=1&y=2", string: true, segment: true),
    Example("/a?x=1", "/a?x=12", string: true, segment: false),
    Example("/a?x=1", "/a?x=1/2", string: true, segment: false),
    Example("/a?x=1", "/a?y=2&x=1", string: false, segment: false),
    Example("/a?x=1", "/a", string: false, segment: false),
    Example("/a?x=1&", "/a?x=1&y=2", string: true, segment: true),
    Example("/a?", "/a?x=1", string: true, segment: true),
    Example("/a?x", "/a?xy", string: true, segment: false),
    Example("/a%2F", "/a%2Fb", string: true, segment: false),
  ]

  @Test(
    "a link covers what begins with it; by segments, what ends where a part ends",
    arguments: examples)
  func covers(example: Example) {
    #expect(
      PrefixEngine.string.covers(link: example.link, key: example.key) == example.string)
    #expect(
      PrefixEngine.segment.covers(link: example.link, key: example.key) == example.segment)
  }

  @Test("every link that covers a URL is found by the URL's keys")
  func keysAreComplete() throws {
    var generator = SeededGenerator(seed: 11)
    let pieces = ["/", "a", "B", "?", "&", "=", "1", "%2f", "é", "-"]
    func path() -> String {
      "/" + (0..<8).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    }
    for _ in 0..<300 {
      let text = path()
      let url = try InvocationURL("https://a.example" + text)
      let start = text.unicodeScalars.prefix(Int.random(in: 1...9, using: &generator))
      guard let link = try? InvocationURL("https://a.example" + String(start)) else { continue }
      guard PrefixEngine.string.covers(link: link.matchingKey, key: url.matchingKey) else {
        continue
      }
      #expect(url.foldedPrefixKeys.contains(link.foldedKey))
    }
  }

  @Test("the number of keys is bounded by the URL's length", arguments: [1, 20, 500, 2_000])
  func keysAreBounded(length: Int) throws {
    for filler in ["a", "/", "%41"] {
      let text = String(repeating: filler, count: length / filler.count)
      let url = try InvocationURL("https://a.example/" + text + "?x=1")
      #expect(url.foldedPrefixKeys.count <= 2 * (url.matchingKey.utf8.count + 1))
    }
  }

  @Test("the keys of a short URL are its prefixes and those with another slash")
  func keys() throws {
    let url = try InvocationURL("https://a.example/Ab?c")
    #expect(
      url.foldedPrefixKeys == ["/", "/a", "/ab", "/ab?", "/ab?c", "/ab/", "/ab/?", "/ab/?c"])
    #expect(try InvocationURL("https://a.example").foldedPrefixKeys == ["/"])
  }
}
