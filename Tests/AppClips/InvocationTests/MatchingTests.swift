import CliptagBasics
import Invocation
import TestSupport
import Testing

@Suite("Matching")
struct MatchingTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let paths: [String]
    let url: String
    var state: InvocationState = .ok
    var link: String?
    var codes: Set<Finding.Code> = []

    var testDescription: String { "\(url) under \(paths)" }
  }

  static let examples = [
    Example(paths: ["/rent"], url: "/rent/car", link: "/rent"),
    Example(
      paths: ["/rent", "/rent/car/il", "/rent/car"], url: "/rent/car/il/5",
      link: "/rent/car/il"),
    Example(paths: ["/rent", "/rent/car/il"], url: "/rent/car/jp", link: "/rent"),
    Example(paths: ["/"], url: "", link: "/"),
    Example(paths: [""], url: "/anything?at=all", link: "/"),
    Example(paths: ["/location1", "/location10"], url: "/location10", link: "/location10"),
    Example(paths: ["/location1", "/location10"], url: "/location1/x", link: "/location1"),
    Example(
      paths: ["/location1"], url: "/location10", state: .ambiguous, codes: [.ambiguousPrefix]),
    Example(
      paths: ["/", "/location1"], url: "/location10", state: .ambiguous, link: "/",
      codes: [.ambiguousPrefix]),
    Example(paths: ["/menu"], url: "/lunch", state: .orphan, codes: [.noMatch]),
    Example(
      paths: ["/menu/"], url: "/menu", state: .orphan, codes: [.noMatch, .trailingSlash]),
    Example(
      paths: ["/menu/"], url: "/menu?x=1", state: .orphan, codes: [.noMatch, .trailingSlash]),
    Example(paths: ["/", "/menu/"], url: "/menu", link: "/", codes: [.trailingSlash]),
    Example(paths: ["/menu", "/menu/"], url: "/menu", link: "/menu", codes: [.trailingSlash]),
    Example(paths: ["/menu", "/menu/"], url: "/menu/", link: "/menu/"),
    Example(
      paths: ["/menu?x=1"], url: "/menu/?x=1", state: .orphan, codes: [.noMatch, .trailingSlash]),
    Example(paths: ["/Menu"], url: "/menu/1", state: .orphan, codes: [.noMatch, .caseMismatch]),
    Example(paths: ["/", "/Menu"], url: "/menu", link: "/", codes: [.caseMismatch]),
    Example(paths: ["/menu", "/Menu"], url: "/menu", link: "/menu"),
    Example(paths: ["/a?x=1"], url: "/a?x=1&y=2", link: "/a?x=1", codes: [.queryInLink]),
    Example(paths: ["/a", "/a?x=1"], url: "/a?y=2&x=1", link: "/a", codes: [.queryMismatch]),
    Example(paths: ["/a?x=1"], url: "/a?x=12", state: .ambiguous, codes: [.ambiguousPrefix]),
    Example(paths: ["/a"], url: "/a#table-7", link: "/a", codes: [.fragmentIgnored]),
    Example(paths: ["/a"], url: "/a?x=%0Ay", link: "/a", codes: [.escapedControl]),
    Example(paths: ["/caf%c3%a9"], url: "/café/1", link: "/caf%C3%A9"),
    Example(paths: ["/%41"], url: "/A", link: "/A"),
  ]

  @Test(
    "an escaped zero byte is an error in every part of a URL, another control character a warning",
    arguments: ["/a%S", "/a/%Sb", "/a?%S=1", "/a?x=1%S", "/a?x=%0A&y=%S", "/a#%S", "/a?x=é#%s%S"])
  func escapedZero(path: String) throws {
    let check = InvocationCheck(
      directory: Fixture.catalog(try Fixture.experiences(["/a"])))
    for (escape, severity) in [("00", Finding.Severity.error), ("1f", .warning), ("2500", nil)] {
      let url =
        "https://fruta.example.com"
        + path.replacing("%S", with: "%" + escape)
        .replacing("%s", with: "")
      let found = try check.examine(payload: url, carrier: .url)
      let severities = found.findings.filter { $0.code == .escapedControl }.map(\.severity)
      #expect(
        severities == (path.contains("%0A") ? [severity ?? .warning] : severity.map { [$0] } ?? []))
      #expect((found.verdict == .rejected) == (severity == .error), "\(url)")
    }
  }

  @Test("the longest active link that covers the URL wins", arguments: examples)
  func matches(example: Example) throws {
    let catalog = Fixture.catalog(try Fixture.experiences(example.paths))
    let answer = try InvocationCheck(directory: catalog)
      .examine(payload: "https://fruta.example.com" + example.url, carrier: .url)
    #expect(answer.state == example.state)
    #expect(answer.experience?.link?.matchingKey == example.link)
    #expect(answer.codes == example.codes)
    #expect(answer.verdict == example.state.verdict)
    #expect(answer.clip?.bundleID == "com.example.fruta.Clip")
  }

  @Test("the order of registration does not matter", arguments: examples)
  func orderIsFree(example: Example) throws {
    let payload = "https://fruta.example.com" + example.url
    let forward = Fixture.catalog(try Fixture.experiences(example.paths))
    let backward = Fixture.catalog(try Fixture.experiences(example.paths.reversed()))
    let first = try InvocationCheck(directory: forward).examine(payload: payload, carrier: .qr)
    let second = try InvocationCheck(directory: backward).examine(payload: payload, carrier: .qr)
    #expect(first == second)
  }

  @Test("both engines call the same URLs ambiguous", arguments: examples)
  func enginesAgreeOnDoubt(example: Example) throws {
    let catalog = Fixture.catalog(try Fixture.experiences(example.paths))
    let payload = "https://fruta.example.com" + example.url
    let states = try PrefixEngine.allCases.map {
      try InvocationCheck(directory: catalog, engine: $0).examine(payload: payload, carrier: .url)
        .state
    }
    #expect(states.allSatisfy { ($0 == .ambiguous) == (example.state == .ambiguous) })
  }

  @Test("an ambiguous URL tells what each reading chooses, and shows the engine's own")
  func ambiguity() throws {
    let catalog = Fixture.catalog(try Fixture.experiences(["/order1"]))
    let payload = "https://fruta.example.com/order10"
    let segment = try InvocationCheck(directory: catalog).examine(payload: payload, carrier: .url)
    #expect(segment.experience == nil)
    #expect(segment.verdict == .undecided)
    let message = try #require(segment.message(.ambiguousPrefix))
    #expect(message.contains("As text, https://fruta.example.com/order1 covers the URL"))
    #expect(message.contains("by whole path segments, no link does"))
    let string = try InvocationCheck(directory: catalog, engine: .string)
      .examine(payload: payload, carrier: .url)
    #expect(string.experience?.link?.path == "/order1")
    #expect(string.message(.ambiguousPrefix) == message)
  }

  @Test("a link of another host takes no part")
  func hostsAreExact() throws {
    let catalog = Fixture.catalog([try Fixture.experience("https://www.fruta.example.com/order")])
    let answer = try InvocationCheck(directory: catalog)
      .examine(payload: "https://fruta.example.com/order", carrier: .url)
    #expect(answer.state == .orphan)
  }

  @Test("two clips with one link are told, and the choice is always the same")
  func duplicateLinks() throws {
    let clips = [Fixture.clip(), Fixture.clip("com.example.b.Clip")]
    let experiences = try ["com.example.fruta.Clip", "com.example.b.Clip"].map {
      try Fixture.experience("https://fruta.example.com/a", clip: $0)
    }
    for order in [experiences, experiences.reversed()] {
      let answer = try InvocationCheck(directory: Fixture.catalog(clips: clips, order))
        .examine(payload: "https://fruta.example.com/a", carrier: .url)
      #expect(answer.experience?.clip == "com.example.b.Clip")
      #expect(answer.codes == [.duplicateLink])
    }
  }

  @Test("a lookup brings back the links on the way to the URL, not all of its host's")
  func lookupsAreBounded() throws {
    let catalog = Fixture.catalog(try Fixture.experiences((0..<500).map { "/location\($0)" }))
    let url = try InvocationURL("https://fruta.example.com/location499/table/6")
    let found = catalog.experiences(host: url.host, foldedKeys: url.foldedPrefixKeys)
    #expect(
      Set(found.map(\.link.path)) == ["/location4", "/location49", "/location499"])
  }
}

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
