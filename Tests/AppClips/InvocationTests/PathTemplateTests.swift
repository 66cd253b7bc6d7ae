import CliptagBasics
import Invocation
import TestSupport
import Testing

@Suite("Path templates")
struct PathTemplateTests {
  struct Example: Sendable {
    let template: String
    let path: String
    let values: [String: String]?

    init(_ template: String, _ path: String, _ values: [String: String]?) {
      self.template = template
      self.path = path
      self.values = values
    }
  }

  static let examples = [
    Example("/order/{place}", "/order/cupertino", ["place": "cupertino"]),
    Example("/order/{place}", "/order/cupertino/table/6", ["place": "cupertino"]),
    Example("/order/{place}", "/order/cupertino/", ["place": "cupertino"]),
    Example("/order/{place}", "/order", nil),
    Example("/order/{place}", "/order/", nil),
    Example("/order/{place}", "/orders/cupertino", nil),
    Example("/order/{place}", "/Order/cupertino", nil),
    Example("/order/{place}", "/order//cupertino", nil),
    Example("/order/{place}", "/order/S%C3%A3o%20Paulo", ["place": "São Paulo"]),
    Example("/order/{place}", "/order/a%2Fb", ["place": "a/b"]),
    Example("/order/{place}", "/order/%FF", ["place": "%FF"]),
    Example(
      "/buy/{place}/table/{table}", "/buy/paris/table/6", ["place": "paris", "table": "6"]),
    Example("/buy/{place}/table/{table}", "/buy/paris/table", nil),
    Example("/buy/{place}/table/{table}", "/buy/paris/chair/6", nil),
    Example("/store-{place}", "/store-7", ["place": "7"]),
    Example("/store-{place}", "/store-", nil),
    Example("/{place}.html", "/paris.html", ["place": "paris"]),
    Example("/a{place}a", "/aa", nil),
    Example("/a{place}a", "/aba", ["place": "b"]),
    Example("/café/{place}", "/caf%C3%A9/x", ["place": "x"]),
    Example("/%63af%c3%a9/{place}", "/caf%C3%A9/x", ["place": "x"]),
    Example("/", "/anything", [:]),
  ]

  @Test(
    "the segments of a path are compared with the template's, and values are decoded",
    arguments: examples)
  func values(example: Example) throws {
    let template = try PathTemplate(example.template)
    #expect(template.values(in: example.path) == example.values)
    #expect(template.text == example.template)
    #expect(template.description == example.template)
  }

  static let refused: [(String, PathTemplateError.Code)] = [
    ("", .noLeadingSlash),
    ("order/{place}", .noLeadingSlash),
    ("{place}", .noLeadingSlash),
    ("/order//{place}", .emptySegment),
    ("/order/{place}/", .emptySegment),
    ("/order/{place", .unbalancedBraces),
    ("/order/place}", .unbalancedBraces),
    ("/order/}place{", .unbalancedBraces),
    ("/order/{{place}}", .unbalancedBraces),
    ("/order/{}", .badVariableName),
    ("/order/{the place}", .badVariableName),
    ("/order/{1}", .badVariableName),
    ("/order/{pläce}", .badVariableName),
    ("/{place}-{table}", .severalVariables),
    ("/{place}}", .severalVariables),
    ("/{place}/{place}", .repeatedVariable),
    ("/{place}/{table}/{table}", .repeatedVariable),
    ("/order?store={place}", .illegalCharacter),
    ("/order#{place}", .illegalCharacter),
    ("/or der/{place}", .illegalCharacter),
    ("/or%2/{place}", .illegalCharacter),
    ("/or%zz/{place}", .illegalCharacter),
    ("/\u{202E}/{place}", .illegalCharacter),
    ("/a\\b", .illegalCharacter),
  ]

  @Test("a template that could not work is refused with its mistake", arguments: refused)
  func refuses(text: String, code: PathTemplateError.Code) {
    let error = #expect(throws: PathTemplateError.self) { try PathTemplate(text) }
    #expect(error?.code == code)
    #expect(error?.description.isEmpty == false)
  }

  @Test("the variables are known in order")
  func variables() throws {
    let template = try PathTemplate("/{area}/{place}/table-{table}")
    #expect(template.variables == ["area", "place", "table"])
    #expect(template.namesPlace)
    #expect(try !PathTemplate("/menu").namesPlace)
  }

  @Test("no text makes the parser trap")
  func fuzz() {
    var generator = SeededGenerator(seed: 3)
    let pieces = ["/", "{", "}", "place", "a", "%", "%4", "%41", "é", "?", " ", "-"]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...7, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined()
      _ = try? PathTemplate("/" + text).values(in: "/" + text)
    }
  }
}

/// The URLs that the routes of an app accept.
@Suite("Routes")
struct RouteTests {
  @Test(
    "a route takes the URLs that its pattern says, and no others",
    arguments: [
      ("/order", "/order", true), ("/order", "/order/", true),
      ("/order", "/order/cupertino", false),
      ("/order", "/orders", false), ("/", "", true), ("/", "/x", false),
      ("/order/{place}", "/order/cupertino", true), ("/order/{place}", "/order", false),
      ("/order/{place}", "/order/cupertino/7", false), ("/order/{place}", "/Order/x", false),
      ("/store-{place}", "/store-7", true), ("/store-{place}", "/store-", false),
      ("/menu/*", "/menu", true), ("/menu/*", "/menu/a/b", true), ("/menu/*", "/menus", false),
      ("/*", "/anything/at/all", true), ("/*", "", true),
      ("/rent?scooter_id", "/rent?scooter_id=3456", true), ("/rent?scooter_id", "/rent", false),
      ("/rent?scooter_id", "/rent?a=1&scooter_id=", true),
      ("/rent?type=bike", "/rent?type=bike&x=1", true),
      ("/rent?type=bike", "/rent?type=car", false),
      ("https://fruta.example.com/order", "/order", true),
      ("https://rewards.example.com/order", "/order", false),
      ("https://fruta.example.com", "/", true), ("/caf%C3%A9", "/caf%c3%a9", true),
    ])
  func takes(pattern: String, path: String, expected: Bool) throws {
    let url = try InvocationURL("https://fruta.example.com" + path)
    #expect(try RoutePattern(pattern).takes(url) == expected)
  }

  @Test("a file has one pattern a line, and remarks")
  func file() throws {
    let table = try RouteTable(reading: "# routes\r\n/order/{place}  # a store\n\n  /menu/*\n")
    #expect(table.patterns.map(\.text) == ["/order/{place}", "/menu/*"])
    let url = try InvocationURL("https://fruta.example.com/menu/lunch")
    #expect(table.route(for: url)?.text == "/menu/*")
    #expect(table.route(for: try InvocationURL("https://fruta.example.com/")) == nil)
  }

  @Test(
    "a line that is no pattern is told with its number",
    arguments: ["order", "/a/{b", "/a//b", "https:///x", "/a/{b}{c}", "/a b"])
  func problems(line: String) {
    do {
      _ = try RouteTable(reading: "/order\n\n\(line)\n/more")
      Issue.record("\(line) was taken")
    } catch {
      #expect(error.line == 3)
      #expect(!error.message.isEmpty)
    }
  }
}
