import Invocation
import Testing

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
    #expect(Finding.Code.all.contains(error.code))
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
