import Basics
import Invocation
import Testing

@Suite("Invocation URLs")
struct InvocationURLTests {
  struct Accepted: Sendable {
    let payload: String
    let host: String
    let key: String

    init(_ payload: String, _ host: String, _ key: String) {
      self.payload = payload
      self.host = host
      self.key = key
    }
  }

  /// The example addresses of Apple's talks and documentation.
  static let appleExamples = [
    Accepted("https://megacoffee.com/buy/paris/table/6", "megacoffee.com", "/buy/paris/table/6"),
    Accepted("https://megacoffee.com/buy/paris/table/", "megacoffee.com", "/buy/paris/table/"),
    Accepted("https://scooter.me/rent?scooter_id=3456", "scooter.me", "/rent?scooter_id=3456"),
    Accepted("https://mygreatapp.com/", "mygreatapp.com", "/"),
    Accepted("https://myrental.com/rent", "myrental.com", "/rent"),
    Accepted("https://myrental.com/rent/car", "myrental.com", "/rent/car"),
    Accepted("https://myrental.com/rent/suv", "myrental.com", "/rent/suv"),
    Accepted("https://myrental.com/rent/car/il", "myrental.com", "/rent/car/il"),
    Accepted("https://myrental.com/rent/car/jp", "myrental.com", "/rent/car/jp"),
    Accepted("https://example.com", "example.com", "/"),
    Accepted("https://example.com/menu", "example.com", "/menu"),
    Accepted("https://example.com/menu/lunch", "example.com", "/menu/lunch"),
    Accepted("https://example.com/menu/dinner", "example.com", "/menu/dinner"),
    Accepted(
      "https://example.com/menu/dinner/item/1234", "example.com", "/menu/dinner/item/1234"),
    Accepted(
      "https://example.com/menu/dinner/item/5678", "example.com", "/menu/dinner/item/5678"),
    Accepted("https://example.com/location1", "example.com", "/location1"),
    Accepted("https://example.com/location2", "example.com", "/location2"),
    Accepted("https://appclip.example.com?id=1", "appclip.example.com", "/?id=1"),
  ]

  static let normalForms = [
    Accepted("HTTPS://Example.COM/Menu", "example.com", "/Menu"),
    Accepted("https://example.com#part", "example.com", "/"),
    Accepted("https://example.com/a#b/c?d#e", "example.com", "/a"),
    Accepted("https://example.com?", "example.com", "/?"),
    Accepted("https://example.com/%7euser/%41%2d", "example.com", "/~user/A-"),
    Accepted("https://example.com/a%2fb%c3%a9", "example.com", "/a%2Fb%C3%A9"),
    Accepted("https://example.com/%25%34%31", "example.com", "/%2541"),
    Accepted("https://example.com/café?q=naïve", "example.com", "/caf%C3%A9?q=na%C3%AFve"),
    Accepted("https://example.com/東京", "example.com", "/%E6%9D%B1%E4%BA%AC"),
    Accepted("https://example.com/☕️", "example.com", "/%E2%98%95%EF%B8%8F"),
    Accepted("https://example.com//a//", "example.com", "//a//"),
    Accepted("https://example.com/.well-known/...", "example.com", "/.well-known/..."),
    Accepted("https://example.com/a?b=..", "example.com", "/a?b=.."),
    Accepted("https://example.com/a@b:c;d,e!$&'()*+=", "example.com", "/a@b:c;d,e!$&'()*+="),
    Accepted("https://bücher.example/x", "xn--bcher-kva.example", "/x"),
    Accepted("https://BÜCHER.example/x", "xn--bcher-kva.example", "/x"),
    Accepted("https://xn--bcher-kva.example/x", "xn--bcher-kva.example", "/x"),
    Accepted("https://XN--Bcher-KVA.example/x", "xn--bcher-kva.example", "/x"),
    Accepted("https://faß.de/", "xn--fa-hia.de", "/"),
    Accepted("https://例え。jp/", "xn--r8jz45g.jp", "/"),
    Accepted("https://1.2.3.4.com/", "1.2.3.4.com", "/"),
    Accepted("https://4.example/", "4.example", "/"),
  ]

  @Test("an example of Apple's is accepted as it is", arguments: appleExamples)
  func acceptsAppleExamples(example: Accepted) throws { try check(example) }

  @Test("two spellings of one URL have one normal form", arguments: normalForms)
  func normalizes(example: Accepted) throws { try check(example) }

  private func check(_ example: Accepted) throws {
    let url = try InvocationURL(example.payload)
    #expect(Array(url.payload.utf8) == Array(example.payload.utf8))
    #expect(url.host == example.host)
    #expect(url.matchingKey == example.key)
    #expect(url.normalized == "https://" + example.host + example.key)
    #expect(url.foldedKey == example.key.lowercased())
    let again = try InvocationURL(url.normalized)
    #expect(again.normalized == url.normalized, "the normal form is its own normal form")
  }

  @Test("path, query, items and fragment come apart")
  func parts() throws {
    let url = try InvocationURL("https://example.com/a%20b?x=1&y=%C3%A9+z&flag&=&x=2#frag%20ment")
    #expect(url.path == "/a%20b")
    #expect(url.query == "x=1&y=%C3%A9+z&flag&=&x=2")
    #expect(url.fragment == "frag%20ment")
    #expect(url.queryItems.map(\.name) == ["x", "y", "flag", "", "x"])
    #expect(url.queryItems.map(\.value) == ["1", "é+z", nil, "", "2"])
    let plain = try InvocationURL("https://example.com")
    #expect(plain.query == nil)
    #expect(plain.fragment == nil)
    #expect(plain.queryItems.isEmpty)
  }

  @Test("a URL of exactly the limit is accepted, one byte more is not")
  func limit() throws {
    let start = "https://example.com/"
    let filler = String(repeating: "a", count: InvocationURL.maximumLength - start.utf8.count)
    #expect(throws: Never.self) { try InvocationURL(start + filler) }
    let error = #expect(throws: InvocationURLError.self) { try InvocationURL(start + filler + "a") }
    #expect(error?.code == .tooLong)
  }

  @Test("a URL of 3,000 bytes is refused with both numbers")
  func tooLong() throws {
    let payload = "https://example.com/" + String(repeating: "a", count: 2_980)
    let error = try #require(throws: InvocationURLError.self) { try InvocationURL(payload) }
    #expect(error.code == .tooLong)
    #expect(error.description.contains("3000 bytes"))
    #expect(error.description.contains("2048"))
  }

  @Test("no text makes the parser trap, and what it accepts is in normal form")
  func fuzz() {
    var generator = SeededGenerator(seed: 7)
    let pieces = [
      "https", "http", ":", "//", "/", "example", ".", "com", "?", "#", "@", "%", "%4", "%41",
      "%2e", "..", "[", "]", "é", "。", "\u{202E}", " ", "\n", "\\", "xn--", "-", "1", "0x", "&",
      "=", "{place}", "\u{0}", "ß", "٣", "\u{1F600}",
    ]
    for _ in 0..<3_000 {
      let rest = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }
      let payload = (Bool.random(using: &generator) ? "https://a.example" : "") + rest.joined()
      guard let url = try? InvocationURL(payload) else { continue }
      #expect(url.normalized.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(payload)")
      #expect((try? InvocationURL(url.normalized))?.normalized == url.normalized, "\(payload)")
      #expect(url.matchingKey.hasPrefix("/"))
      #expect(url.foldedPrefixKeys.contains(url.foldedKey))
    }
  }
}
