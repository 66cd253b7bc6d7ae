import CliptagBasics
import Invocation
import TestSupport
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

@Suite("Refused invocation URLs")
struct InvocationURLRefusalTests {
  struct Refused: Sendable {
    let payload: String
    let code: Finding.Code
    let offset: Int

    init(_ payload: String, _ code: Finding.Code, at offset: Int) {
      self.payload = payload
      self.code = code
      self.offset = offset
    }
  }

  static let schemes = [
    Refused("", .emptyPayload, at: 0),
    Refused("http://example.com/", .notHTTPS, at: 0),
    Refused("httpsx://example.com/", .notHTTPS, at: 0),
    Refused("WIFI:S:cafe;T:WPA;P:secret;;", .notHTTPS, at: 0),
    Refused("mailto:someone@example.com", .notHTTPS, at: 0),
    Refused("tel:+15551234", .notHTTPS, at: 0),
    Refused("example.com/menu", .noScheme, at: 0),
    Refused("example.com:8443/menu", .noScheme, at: 0),
    Refused("//example.com/menu", .noScheme, at: 0),
    Refused("hello world", .noScheme, at: 0),
    Refused("https:example.com", .noHost, at: 6),
    Refused("https:/example.com", .noHost, at: 6),
    Refused("https://", .noHost, at: 8),
    Refused("https:///menu", .noHost, at: 8),
    Refused("https://?q", .noHost, at: 8),
    Refused("https://#f", .noHost, at: 8),
  ]

  static let hosts = [
    Refused("https://mybigcup/seattle/table/17", .hostWithoutDot, at: 8),
    Refused("https://localhost", .hostWithoutDot, at: 8),
    Refused("https://example.com./", .hostRootDot, at: 19),
    Refused("https://./", .hostLabel, at: 8),
    Refused("https://.example.com/", .hostLabel, at: 8),
    Refused("https://example..com/", .hostLabel, at: 8),
    Refused("https://-example.com/", .hostLabel, at: 8),
    Refused("https://example-.com/", .hostLabel, at: 8),
    Refused("https://exa_mple.com/", .hostLabel, at: 8),
    Refused("https://ex%61mple.com/", .hostLabel, at: 8),
    Refused("https://*.example.com/", .hostLabel, at: 8),
    Refused("https://\(String(repeating: "a", count: 64)).com/", .hostLabel, at: 8),
    Refused(
      "https://" + String(repeating: "abcdefghi.", count: 25) + "abcd/", .hostTooLong, at: 8),
    Refused("https://192.0.2.1/", .ipAddress, at: 8),
    Refused("https://0x7f.1/", .ipAddress, at: 8),
    Refused("https://example.0x7f/", .ipAddress, at: 8),
    Refused("https://3232235521/", .ipAddress, at: 8),
    Refused("https://example.123/", .ipAddress, at: 8),
    Refused("https://[2001:db8::1]/", .ipAddress, at: 8),
    Refused("https://１９２.0.2.1/", .ipAddress, at: 8),
    Refused("https://xn--zzzzzzzzz9999.com/", .badInternationalHost, at: 8),
    Refused("https://xn--a.com/", .badInternationalHost, at: 8),
    Refused("https://xn--bcher-2pa.com/", .badInternationalHost, at: 8),  // of an upper-case Ü
    Refused("https://xn--62g.com/", .badInternationalHost, at: 8),  // of the Kelvin sign
    Refused("https://xn--ab-5da.com/", .badInternationalHost, at: 8),  // of a soft hyphen
    Refused("https://-ü.com/", .badInternationalHost, at: 8),
    Refused("https://אa.com/", .badInternationalHost, at: 8),
    Refused("https://ü..com/", .badInternationalHost, at: 8),
    Refused("https://ü_x.com/", .hostLabel, at: 8),
    Refused("https://user@example.com/", .userInfo, at: 8),
    Refused("https://example.com@evil.example/", .userInfo, at: 8),
    Refused("https://user:word@example.com:80/", .userInfo, at: 8),
    Refused("https://@example.com/", .userInfo, at: 8),
    Refused("https://example.com:443/", .port, at: 19),
    Refused("https://example.com:/", .port, at: 19),
    Refused("https://example.com:8443", .port, at: 19),
  ]

  static let characters = [
    Refused(" https://example.com/", .surroundingWhiteSpace, at: 0),
    Refused("https://example.com/ ", .surroundingWhiteSpace, at: 20),
    Refused("https://example.com/\n", .surroundingWhiteSpace, at: 20),
    Refused("https://example.com/\r\n", .surroundingWhiteSpace, at: 21),
    Refused("https://example.com/\u{A0}", .surroundingWhiteSpace, at: 20),
    Refused("\u{3000}https://example.com/", .surroundingWhiteSpace, at: 0),
    Refused("https://example.com/a b", .whiteSpace, at: 21),
    Refused("https://example.com/é\u{2028}b", .whiteSpace, at: 22),
    Refused("https://example.com/a\tb", .controlCharacter, at: 21),
    Refused("https://example.com/a\u{0}b", .controlCharacter, at: 21),
    Refused("https://example.com/a\u{1B}[2J", .controlCharacter, at: 21),
    Refused("https://example.com/\u{7F}b", .controlCharacter, at: 20),
    Refused("https://example.com/\u{85}b", .controlCharacter, at: 20),
    Refused("https://example.com/\u{202E}moc", .invisibleCharacter, at: 20),
    Refused("https://exam\u{AD}ple.com/", .invisibleCharacter, at: 12),
    Refused("https://example.com/\u{FEFF}", .invisibleCharacter, at: 20),
    Refused("\u{FEFF}https://example.com/", .invisibleCharacter, at: 0),
    Refused("https://example.com/\u{FFFD}", .illegalCharacter, at: 20),
    Refused("https://example.com/{place}", .illegalCharacter, at: 20),
    Refused("https://example.com/a?b[]=1", .illegalCharacter, at: 23),
    Refused("https://example.com/<a>", .illegalCharacter, at: 20),
    Refused("https://example.com/\"", .illegalCharacter, at: 20),
    Refused("https://example.com\\menu", .backslash, at: 19),
    Refused("https:\\\\example.com", .noHost, at: 6),
    Refused("https://example.com/%", .badEscape, at: 20),
    Refused("https://example.com/%4", .badEscape, at: 20),
    Refused("https://example.com/a%zz", .badEscape, at: 21),
    Refused("https://example.com/a?b=%é", .badEscape, at: 24),
    Refused("https://example.com/a#%", .badEscape, at: 22),
    Refused("https://example.com/a/../b", .dotSegment, at: 19),
    Refused("https://example.com/.", .dotSegment, at: 19),
    Refused("https://example.com/a/%2e%2E/b", .dotSegment, at: 19),
  ]

  @Test("a wrong scheme is refused where it stands", arguments: schemes)
  func refusesScheme(example: Refused) throws { try check(example) }

  @Test("a host that cannot be associated is refused", arguments: hosts)
  func refusesHost(example: Refused) throws { try check(example) }

  @Test("a character without a place is refused at its byte", arguments: characters)
  func refusesCharacter(example: Refused) throws { try check(example) }

  private func check(_ example: Refused) throws {
    let error = try #require(throws: InvocationURLError.self) {
      try InvocationURL(example.payload)
    }
    #expect(error.code == example.code)
    #expect(error.offset == example.offset)
    #expect(error.finding.code == example.code)
    #expect(error.finding.severity == .error)
    let isPrintable = error.description.unicodeScalars.allSatisfy {
      ![.control, .format].contains($0.properties.generalCategory)
    }
    #expect(isPrintable, "a message never carries a payload's control characters")
  }

  @Test("white space around the payload is named")
  func namesWhiteSpace() throws {
    let error = try #require(throws: InvocationURLError.self) {
      try InvocationURL("https://example.com/\n")
    }
    #expect(error.problem == "The payload ends with white space, line feed (U+000A)")
  }

  @Test("the error names what is wrong, where, and what to do")
  func sentence() throws {
    let error = try #require(throws: InvocationURLError.self) {
      try InvocationURL("https://mybigcup/seattle/table/17")
    }
    #expect(
      error.description
        == "The host “mybigcup” has no dot (at byte 8); use a full domain name such as "
        + "mybigcup.com.")
  }

  @Test("errors are equal by code, whatever their place")
  func equality() {
    let first = #expect(throws: InvocationURLError.self) { try InvocationURL("https://a") }
    let second = #expect(throws: InvocationURLError.self) { try InvocationURL("https://bcd/e") }
    #expect(first == second)
  }

  @Test("an associated domain keeps the rules of a host")
  func hostNames() throws {
    #expect(try HostName.parse("Fruta.Example.COM") == "fruta.example.com")
    #expect(try HostName.parse("bücher.example") == "xn--bcher-kva.example")
    #expect(throws: InvocationURLError.self) { try HostName.parse("") }
    #expect(throws: InvocationURLError.self) { try HostName.parse("a.b/c") }
    #expect(throws: InvocationURLError.self) { try HostName.parse("a.com\n") }
  }
}
