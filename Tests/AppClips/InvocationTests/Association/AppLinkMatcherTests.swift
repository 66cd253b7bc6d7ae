import Invocation
import Testing

/// Whole files: order, defaults, apps, hosts, and the description of a decision.
@Suite("Which app opens a URL")
struct AppLinkMatcherTests {
  static let app = "ABCDE12345.com.example.app"

  private func decision(
    _ applinks: String, _ url: String, app: String = app, host: String = "example.com"
  ) throws -> AppLinkDecision {
    let text = "{\"applinks\": \(applinks)}"
    let links = try #require(SiteAssociation.read(text).association?.appLinks)
    return AppLinkMatcher(links, host: host).decision(for: try InvocationURL(url), app: app)
  }

  private func components(_ rules: String, defaults: String = "{}", own: String = "{}") -> String {
    """
    {"defaults": \(defaults), "details": [
      {"appIDs": ["\(Self.app)"], "defaults": \(own), "components": [\(rules)]}]}
    """
  }

  @Test("documented: the first rule that fits decides, and exclude ends the search")
  func order() throws {
    let rules = ##"""
      {"#": "no_universal_links", "exclude": true}, {"/": "/buy/*"},
      {"/": "/help/website/*", "exclude": true}, {"/": "/help/*", "?": {"articleNumber": "????"}}
      """##
    let links = components(rules)
    let cases: [(String, AppLinkDecision.Outcome, Int?)] = [
      ("/buy/42", .matched, 1), ("/buy/42#no_universal_links", .excluded, 0),
      ("/help/website/faq?articleNumber=4815", .excluded, 2),
      ("/help/123?articleNumber=4815", .matched, 3), ("/elsewhere", .noRule, nil),
    ]
    for (path, outcome, rule) in cases {
      let decision = try decision(links, "https://example.com" + path)
      #expect(decision.outcome == outcome)
      #expect(decision.rule?.origin == rule.map { .component($0) })
      #expect(decision.trials.count == rule ?? 4)
    }
    let reversed = components(#"{"/": "/a/*"}, {"/": "/a/private/*", "exclude": true}"#)
    #expect(try decision(reversed, "https://example.com/a/private/x").opensApp)
  }

  @Test("an empty list of rules, and an entry without rules, open nothing (st-tech, swcutil)")
  func noRules() throws {
    #expect(try decision(components(""), "https://example.com/").outcome == .noRule)
    let none = #"{"details": [{"appIDs": ["\#(Self.app)"]}]}"#
    #expect(try decision(none, "https://example.com/").outcome == .noRule)
    #expect(try decision("{}", "https://example.com/").outcome == .notListed)
  }

  @Test(
    "documented: a rule's setting goes before its entry's, and that before the service's",
    arguments: [
      // service, entry, rule: does /FOO fit /foo?
      ("{}", "{}", "", false), (#"{"caseSensitive": false}"#, "{}", "", true),
      (#"{"caseSensitive": true}"#, #"{"caseSensitive": false}"#, "", true),
      (#"{"caseSensitive": false}"#, #"{"caseSensitive": true}"#, "", false),
      (
        #"{"caseSensitive": false}"#, #"{"caseSensitive": true}"#, #", "caseSensitive": false"#,
        true
      ),
      (#"{"caseSensitive": false}"#, "{}", #", "caseSensitive": true"#, false),
    ])
  func cascade(service: String, entry: String, rule: String, fits: Bool) throws {
    let links = components("{\"/\": \"/foo\"\(rule)}", defaults: service, own: entry)
    #expect(try decision(links, "https://example.com/FOO").opensApp == fits)
  }

  @Test("documented: percentEncoded is inherited in the same way")
  func encodedCascade() throws {
    let links = components(
      #"{"/": "/a b"}"#, defaults: #"{"percentEncoded": true}"#, own: #"{"percentEncoded": false}"#)
    #expect(try decision(links, "https://example.com/a%20b").opensApp)
  }

  @Test(
    "observed, rule 9: patterns and exclude in defaults hold for rules without their own",
    arguments: [
      (#"{"/": "/foo/*"}"#, "{}", "/bar", AppLinkDecision.Outcome.noRule),
      (#"{"/": "/foo/*"}"#, "{}", "/foo/1", .matched),
      ("{}", #"{"/": "/foo/*"}"#, "/bar", .noRule),
      (#"{"exclude": true}"#, "{}", "/bar", .excluded),
      (#"{"?": {"id": "??"}}"#, "{}", "/bar?id=7", .noRule),
      (#"{"?": {"id": "??"}}"#, "{}", "/bar?id=77", .matched),
    ])
  func patternsInDefaults(
    service: String, entry: String, path: String, outcome: AppLinkDecision.Outcome
  ) throws {
    let links = components(##"{"#": "*"}"##, defaults: service, own: entry)
    #expect(try decision(links, "https://example.com" + path).outcome == outcome)
  }

  @Test("observed, rule 10: only the host that serves the file counts, without its subdomains")
  func host() throws {
    let links = components("{}")
    #expect(try decision(links, "https://EXAMPLE.com/").opensApp)
    #expect(try decision(links, "https://www.example.com/").outcome == .foreignHost)
  }

  @Test("each app has its own entries; the first of them with a rule that fits decides")
  func apps() throws {
    let links = #"""
      {"details": [
        {"appIDs": ["A", "B"], "components": [{"/": "/a", "exclude": true}]},
        {"appIDs": ["B"], "components": [{"/": "/b"}]},
        {"appID": "A", "components": [{"/": "/*"}]}]}
      """#
    func outcome(_ path: String, _ app: String) throws -> [AnyHashable?] {
      let decision = try decision(links, "https://example.com" + path, app: app)
      return [decision.outcome, decision.detail]
    }
    #expect(try outcome("/a", "A") == [AppLinkDecision.Outcome.excluded, 0])
    #expect(try outcome("/b", "A") == [AppLinkDecision.Outcome.matched, 2])
    #expect(try outcome("/b", "B") == [AppLinkDecision.Outcome.matched, 1])
    #expect(try outcome("/c", "B") == [AppLinkDecision.Outcome.noRule, nil])
    #expect(try outcome("/c", "C") == [AppLinkDecision.Outcome.notListed, nil])
  }

  @Test("appID is ignored as soon as appIDs is there, even an empty one (st-tech, swcutil)")
  func bothIdentifiers() throws {
    let links = #"{"details": [{"appID": "A", "appIDs": ["B"], "components": [{}]}]}"#
    #expect(try decision(links, "https://example.com/", app: "A").outcome == .notListed)
    #expect(try decision(links, "https://example.com/", app: "B").opensApp)
    let empty = #"{"details": [{"appID": "A", "appIDs": [], "components": [{}]}]}"#
    #expect(try decision(empty, "https://example.com/", app: "A").outcome == .notListed)
  }

  @Test("older forms are read: details as a dictionary, paths with NOT (observed)")
  func legacy() throws {
    let links = #"""
      {"apps": [], "details": {"\#(Self.app)": {"paths": ["NOT /wwdc/20?0/*", "/wwdc/*", "/x"]}}}
      """#
    let cases: [(String, AppLinkDecision.Outcome, SiteAssociation.LinkRule.Origin?)] = [
      ("/wwdc/2015", .matched, .path(1)), ("/wwdc/2010/a", .excluded, .path(0)),
      ("/x?any#thing", .matched, .path(2)), ("/y", .noRule, nil),
    ]
    for (path, outcome, origin) in cases {
      let decision = try decision(links, "https://example.com" + path)
      #expect(decision.outcome == outcome)
      #expect(decision.rule?.origin == origin)
    }
    // iOS 13 and later do not look at paths beside components (WWDC19, session 717).
    let both = #"""
      {"details": [{"appID": "\#(Self.app)", "paths": ["/p"], "components": [{"/": "/c"}]}]}
      """#
    #expect(try decision(both, "https://example.com/c").opensApp)
    #expect(try decision(both, "https://example.com/p").outcome == .noRule)
  }

  @Test("a decision names entry, rule and line, and what did not fit before")
  func explanation() throws {
    let rules = ##"""
      {"/": "/a"}, {"?": "q"}, {"?": {"id": "7"}}, {"#": "top"},
      {"/": "/b*", "exclude": true}
      """##
    let decision = try decision(components(rules), "https://example.com/bcd?id=8")
    #expect(
      decision.explanation
        == "The app does not open the URL: components[4] of details[0] (line 3) matches and excludes "
        + "it.")
    #expect(decision.trials.map(\.mismatch) == [.path, .query, .queryItem("id"), .fragment])
    #expect(
      decision.trials.map(\.explanation) == [
        "components[0] of details[0] (line 2): the URL's path does not match “/a”.",
        "components[1] of details[0] (line 2): the URL's query does not match “q”.",
        "components[2] of details[0] (line 2): the URL's query item “id” does not match “7”.",
        "components[3] of details[0] (line 2): the URL's fragment does not match “top”.",
      ])
  }

  @Test("a rule behind one that fits everything, and an unknown variable, are told at their place")
  func lint() {
    func places(_ rules: String) -> [Spot] {
      SiteAssociation.read("{\"applinks\": \(components(rules))}").findings.map(Spot.init)
    }
    #expect(
      places(#"{"/": "/*"}, {"/": "/b"}, {"/": "/c"}"#) == [
        Spot("applinks-unreachable-rule", 2, 90)
      ])
    #expect(
      places(##"{"/": "*", "#": "*", "?": "*", "exclude": true}, {}"##).map(\.code) == [
        "applinks-unreachable-rule"
      ])
    #expect(places(#"{"/": "/*", "?": "?*"}, {"/": "/b"}, {"/": "*"}"#) == [])
    #expect(places(#"{"/": "/$(Lang)/$(digit)"}"#) == [Spot("applinks-unknown-variable", 2, 77)])
  }

  @Test("hostile patterns are decided in bounded work, or not at all")
  func hostile() throws {
    let url = "https://example.com/" + String(repeating: "a", count: 2_000)
    let stars = String(repeating: "a*", count: 50_000)
    let nested = components("{\"/\": \"/\(stars)b\"}")
    #expect(try !decision(nested, url).opensApp)
    let values = (0..<3_000).map { "\"*a*\($0 % 10)*\"" }.joined(separator: ",")
    let uses = String(repeating: "$(v)", count: 5_000)
    let huge = """
      {"substitutionVariables": {"v": [\(values), "*"]},
       "details": [{"appIDs": ["\(Self.app)"], "components": [{"/": "/\(uses)b"}, {}]}]}
      """
    let undecided = try decision(huge, url)
    #expect(undecided.outcome == .undecided)
    #expect(undecided.rule?.origin == .component(0))
  }
}
