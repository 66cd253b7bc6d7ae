import Invocation
import Testing

/// Which URLs the routes of an app take.
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
