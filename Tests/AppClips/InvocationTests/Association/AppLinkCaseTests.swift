import Invocation
import Testing

/// A rule and a URL under `https://example.com`, with the result by Apple's documentation or tools.
struct LinkCase: Sendable, CustomTestStringConvertible {
  let rule: String
  let url: String
  let fits: Bool

  init(_ rule: String, _ url: String, _ fits: Bool) {
    self.rule = rule
    self.url = url
    self.fits = fits
  }

  var testDescription: String { "\(rule) \(url)" }
}

/// The statements of Apple's tables and tools about single rules. Where a table is headed
/// "observed", the facts come from projects that ran `swcutil match` of macOS 27.0 over the rule
/// and the URL (sergii-ziborov/blazingly-aasa, conformance/oracle) or `swcutil verify`
/// (st-tech/universal-links-test, tests).
@Suite("What single rules of applinks fit")
struct AppLinkCaseTests {
  static let app = "ABCDE12345.com.example.app"

  private func check(_ test: LinkCase) throws {
    let text = """
      {"applinks": {"substitutionVariables": {"food": ["burrito", "pizza", "sushi", "samosa"],
          "wild": ["ab?*", "x"], "Case": ["Bistro"], "digit": ["own"]},
        "details": [{"appIDs": ["\(Self.app)"], "components": [\(test.rule)]}]}}
      """
    let links = try #require(SiteAssociation.read(text).association?.appLinks)
    let matcher = AppLinkMatcher(links, host: "example.com")
    let url = try InvocationURL("https://example.com" + test.url)
    #expect(matcher.decision(for: url, app: Self.app).opensApp == test.fits)
  }

  @Test(
    "documented: wildcards, and all parts have to fit (Apple, applinks.Details.Components)",
    arguments: [
      LinkCase(##"{"/": "/buy/*"}"##, "/buy/42", true),
      LinkCase(##"{"/": "/buy/*"}"##, "/buy/42/x", true),
      LinkCase(
        ##"{"/": "/help/*", "?": {"articleNumber": "????"}}"##, "/help/1?articleNumber=4815", true),
      LinkCase(
        ##"{"/": "/help/*", "?": {"articleNumber": "????"}}"##, "/help/1?articleNumber=481", false),
      LinkCase(
        ##"{"/": "/help/*", "?": {"articleNumber": "????"}}"##, "/help/1?articleNumber=48159", false
      ),
      LinkCase(##"{"/": "/help/*", "?": {"articleNumber": "????"}}"##, "/help/1", false),
      LinkCase(##"{"/": "abc", "?": "def", "#": "*"}"##, "/abc?def", true),
      LinkCase(##"{"/": "abc", "?": "def", "#": "*"}"##, "/abc", false),
      LinkCase(##"{"/": "abc", "?": "def", "#": "*"}"##, "?def", false),
      LinkCase(##"{"#": "promo"}"##, "/a/b?c=d#promo", true),
      LinkCase(##"{"#": "promo"}"##, "/a/b?c=d#promotion", false),
      LinkCase(##"{"/": "/a?c"}"##, "/abc", true), LinkCase(##"{"/": "/a?c"}"##, "/ac", false),
      LinkCase(##"{"/": "/a?*"}"##, "/a", false), LinkCase(##"{"/": "/a?*"}"##, "/ab", true),
      LinkCase(##"{"/": "/a?*"}"##, "/abcd", true), LinkCase(##"{"/": "/a*"}"##, "/a", true),
      LinkCase(##"{"/": "/Buy"}"##, "/buy", false),
      LinkCase(##"{"/": "/Buy", "caseSensitive": false}"##, "/buY", true),
    ])
  func documented(test: LinkCase) throws { try check(test) }

  @Test(
    "observed, rule 1: the slash in front of a path is optional, several are one",
    arguments: [
      LinkCase(##"{"/": "abc"}"##, "/abc", true), LinkCase(##"{"/": "abc"}"##, "/abcd", false),
      LinkCase(##"{"/": "abc"}"##, "/xabc", false), LinkCase(##"{"/": "buy/*"}"##, "/buy/42", true),
      LinkCase(##"{"/": "abc/*"}"##, "/abc", true), LinkCase(##"{"/": "*abc"}"##, "/xabc", true),
      LinkCase(##"{"/": "//abc"}"##, "/abc", true), LinkCase(##"{"/": "a/b"}"##, "/a/b", true),
    ])
  func leadingSlash(test: LinkCase) throws { try check(test) }

  @Test(
    "observed, rule 2: slashes at the end do not count, and /* fits the parent too",
    arguments: [
      LinkCase(##"{"/": "/buy/*"}"##, "/buy", true), LinkCase(##"{"/": "/buy/*"}"##, "/buy/", true),
      LinkCase(##"{"/": "/buy/*"}"##, "/buyer", false),
      LinkCase(##"{"/": "/buy/*"}"##, "/bu", false),
      LinkCase(##"{"/": "/a/b/*"}"##, "/a/b", true), LinkCase(##"{"/": "/buy*"}"##, "/buy", true),
      LinkCase(##"{"/": "/a/*/c"}"##, "/a/c", false), LinkCase(##"{"/": "/buy"}"##, "/buy", true),
      LinkCase(##"{"/": "/buy"}"##, "/buy/", true), LinkCase(##"{"/": "/buy/"}"##, "/buy", true),
      LinkCase(##"{"/": "/a/b/"}"##, "/a/b", true), LinkCase(##"{"/": "/buy/*"}"##, "/buy//", true),
      LinkCase(##"{"/": "/buy/"}"##, "/buy//", true), LinkCase(##"{"/": "/"}"##, "/", true),
      LinkCase(##"{"/": "/"}"##, "", true), LinkCase(##"{"/": "/id/????"}"##, "/id/481", false),
      LinkCase(##"{"/": "/id/????"}"##, "/id/4815", true),
      LinkCase(##"{"/": "/a/?*"}"##, "/a/", false),
      LinkCase(##"{"/": "/a/?*"}"##, "/a/b", true),
      LinkCase(##"{"/": "/search/"}"##, "/search/", true),
      LinkCase(##"{"/": "/search/"}"##, "/search/?q=foo#bar", true),
    ])
  func trailingSlash(test: LinkCase) throws { try check(test) }

  @Test(
    "observed, rule 3: a text is compared with the whole query, a dictionary with named items",
    arguments: [
      LinkCase(##"{"?": "a=1"}"##, "/x?a=1", true),
      LinkCase(##"{"?": "a=1"}"##, "/x?a=1&b=2", false),
      LinkCase(##"{"?": "*"}"##, "/x", true), LinkCase(##"{"?": "?*"}"##, "/x", false),
      LinkCase(##"{"?": ""}"##, "/x", true), LinkCase(##"{"?": "a=1"}"##, "/x", false),
      LinkCase(##"{"?": {"a": "1"}}"##, "/x?a=1&b=2", true),
      LinkCase(##"{"?": {"a": "1"}}"##, "/x?b=2", false),
      LinkCase(##"{"?": {"key": "value"}}"##, "/?key=value&extra=value", true),
      LinkCase(##"{"?": {"flag": ""}}"##, "/x?flag", true),
      LinkCase(##"{"?": {"a": "1=2"}}"##, "/x?a=1=2", true),
    ])
  func query(test: LinkCase) throws { try check(test) }

  @Test(
    "observed and said at WWDC19, rule 4: a missing item is empty, of a repeated one each has to fit",
    arguments: [
      LinkCase(##"{"?": {"b": "*"}}"##, "/x?a=1", true),
      LinkCase(##"{"?": {"b": "?*"}}"##, "/x?a=1", false),
      LinkCase(##"{"?": {"b": ""}}"##, "/x?a=1", true),
      LinkCase(##"{"?": {"b": "1"}}"##, "/x?a=1", false),
      LinkCase(##"{"?": {"b": "*"}}"##, "/x", true),
      LinkCase(##"{"?": {"a": "1", "b": "*"}}"##, "/x?a=1", true),
      LinkCase(##"{"?": {"id": "42"}}"##, "/x?id=42&id=7", false),
      LinkCase(##"{"?": {"id": "42"}}"##, "/x?id=7&id=42", false),
      LinkCase(##"{"?": {"id": "42"}}"##, "/x?id=7&id=42&id=9", false),
      LinkCase(##"{"?": {"id": "*"}}"##, "/x?id=7&id=42", true),
      LinkCase(##"{"?": {"id": "7,42"}}"##, "/x?id=7&id=42", false),
      LinkCase(##"{"?": {"id": ""}}"##, "/x?id=7&id=42", false),
      LinkCase(##"{"?": {"id": "?*"}}"##, "/x?id=7&id=42", true),
      LinkCase(##"{"?": {"id": "7"}}"##, "/x?id=7&id=7", true),
    ])
  func queryItems(test: LinkCase) throws { try check(test) }

  @Test(
    "observed, rule 5: a value that is no text disables the whole dictionary",
    arguments: [
      LinkCase(##"{"?": {"flag": true}}"##, "/x?flag=1", true),
      LinkCase(##"{"?": {"flag": true}}"##, "/x?other=1", true),
      LinkCase(##"{"?": {"n": 5}}"##, "/x?n=5", true),
      LinkCase(##"{"?": {"n": null}}"##, "/x?n=5", true),
      LinkCase(##"{"?": {"a": "1", "flag": true}}"##, "/x?a=2", true),
      LinkCase(##"{"?": {"a": ["1"]}}"##, "/x?a=2", true),
      LinkCase(##"{"?": {"a": {"b": "1"}}}"##, "/x?a=2", true),
      LinkCase(##"{"/": "/y", "?": {"flag": true}}"##, "/x?flag=1", false),
    ])
  func noText(test: LinkCase) throws { try check(test) }

  @Test(
    "observed, rule 6: URLs are compared as written; percentEncoded false decodes the URL alone",
    arguments: [
      LinkCase(##"{"/": "/a%20b"}"##, "/a%20b", true),
      LinkCase(##"{"/": "/a b"}"##, "/a%20b", false),
      LinkCase(##"{"/": "/a b", "percentEncoded": false}"##, "/a%20b", true),
      LinkCase(##"{"/": "/a%20b", "percentEncoded": false}"##, "/a%20b", false),
      LinkCase(##"{"/": "/a/b"}"##, "/a%2Fb", false),
      LinkCase(##"{"/": "/a/b", "percentEncoded": false}"##, "/a%2Fb", true),
      LinkCase(##"{"/": "/caf%C3%A9"}"##, "/caf%c3%a9", false),
      LinkCase(##"{"/": "/café", "percentEncoded": false}"##, "/caf%C3%A9", true),
      LinkCase(##"{"/": "/café"}"##, "/caf%C3%A9", false),
      // The treatment of a URL with letters beyond ASCII on a phone.
      LinkCase(##"{"/": "/caf%C3%A9"}"##, "/café", true),
      LinkCase(##"{"?": {"a b": "c&d"}, "percentEncoded": false}"##, "/?a%20b=c%26d", true),
      LinkCase(##"{"#": "a b", "percentEncoded": false}"##, "/#a%20b", true),
    ])
  func percentEncoded(test: LinkCase) throws { try check(test) }

  @Test(
    "documented and observed, rule 7: variables; no UK among the regions; folding reaches them",
    arguments: [
      LinkCase(##"{"/": "/$(lang)_$(region)/$(food)/"}"##, "/en_US/pizza/", true),
      LinkCase(##"{"/": "/$(lang)_$(region)/$(food)/"}"##, "/en_US/tacos/", false),
      LinkCase(##"{"/": "/$(lang)_$(region)/$(food)/"}"##, "/qq_ZZ/pizza/", false),
      LinkCase(##"{"/": "/$(food)"}"##, "/$(food)", false),
      LinkCase(##"{"/": "/$(region)/home"}"##, "/GB/home", true),
      LinkCase(##"{"/": "/$(region)/home"}"##, "/UK/home", false),
      LinkCase(##"{"/": "/$(region)"}"##, "/gb", false),
      LinkCase(##"{"/": "/$(region)", "caseSensitive": false}"##, "/gb", true),
      LinkCase(##"{"/": "/$(lang)"}"##, "/haw", true),
      LinkCase(##"{"/": "/$(lang)"}"##, "/English", false),
      LinkCase(##"{"/": "/$(alpha)"}"##, "/q", true),
      LinkCase(##"{"/": "/$(alpha)"}"##, "/7", false),
      LinkCase(##"{"/": "/$(alpha)"}"##, "/qq", false),
      LinkCase(##"{"/": "/$(upper)"}"##, "/Q", true),
      LinkCase(##"{"/": "/$(upper)"}"##, "/q", false),
      LinkCase(##"{"/": "/$(upper)", "caseSensitive": false}"##, "/q", true),
      LinkCase(##"{"/": "/$(lower)"}"##, "/q", true),
      LinkCase(##"{"/": "/$(lower)"}"##, "/Q", false),
      LinkCase(##"{"/": "/$(alnum)"}"##, "/7", true),
      LinkCase(##"{"/": "/$(alnum)"}"##, "/-", false),
      LinkCase(##"{"/": "/$(xdigit)"}"##, "/f", true),
      LinkCase(##"{"/": "/$(xdigit)"}"##, "/g", false),
      LinkCase(##"{"/": "/$(wild)/x"}"##, "/abcz/x", true),
      LinkCase(##"{"/": "/$(wild)/x"}"##, "/ab/x", false),
      LinkCase(##"{"/": "/$(Case)"}"##, "/bistro", false),
      LinkCase(##"{"/": "/$(Case)", "caseSensitive": false}"##, "/bistro", true),
      LinkCase(##"{"?": {"q": "$(food)"}}"##, "/?q=sushi", true),
      // Assumed: names are case-sensitive, an unknown name fits nothing, own variables hide others.
      LinkCase(##"{"/": "/$(case)"}"##, "/Bistro", false),
      LinkCase(##"{"/": "/$(none)*"}"##, "/x", false),
      LinkCase(##"{"/": "/$(digit)"}"##, "/7", false),
      LinkCase(##"{"/": "/$(digit)"}"##, "/own", true),
      LinkCase(##"{"/": "/$(food"}"##, "/$(food", true),
    ])
  func variables(test: LinkCase) throws { try check(test) }

  @Test(
    "observed, rule 8: unknown keys are ignored, an empty rule fits everything, keys have one case",
    arguments: [
      LinkCase(##"{"/": "/foo/*", "other": "x"}"##, "/foo/1", true),
      LinkCase(##"{"/": "/foo/*", "other": "x"}"##, "/bar", false),
      LinkCase(##"{"other": "x"}"##, "/anything", true), LinkCase(##"{}"##, "/anything?a#b", true),
      LinkCase(##"{"/": "/foo/*", "casesensitive": false}"##, "/FOO/1", false),
      LinkCase(##"{"/": "/foo/*", "future": {"a": "b"}}"##, "/foo/1", true),
      LinkCase(##"{"#": "*"}"##, "/x", true), LinkCase(##"{"#": "?*"}"##, "/x", false),
      LinkCase(##"{"#": ""}"##, "/x", true),
    ])
  func unknownKeys(test: LinkCase) throws { try check(test) }
}
