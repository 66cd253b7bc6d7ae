@testable import Invocation
import Testing

/// The code and position of a finding, for comparison.
struct Spot: Equatable, CustomStringConvertible {
  let code: String
  let line: Int
  let column: Int

  init(_ code: String, _ line: Int, _ column: Int) {
    self.code = code
    self.line = line
    self.column = column
  }

  init(_ finding: AssociationFinding) {
    self.init(
      finding.finding.code.rawValue, finding.position?.line ?? 0, finding.position?.column ?? 0)
  }

  var description: String { "\(code) \(line):\(column)" }
}

@Suite("Reading association files")
struct SiteAssociationReadingTests {
  private func places(_ text: String) -> [Spot] {
    SiteAssociation.read(text).findings.map(Spot.init)
  }

  @Test("a list of no apps, and a variable that never ends, are told")
  func silentMistakes() {
    #expect(
      places(#"{ "applinks": { "details": [] } }"#).map(\.code) == ["applinks-no-rules"])
    let rule = #"{ "appIDs": ["ABCDE12345.com.example.app"], "components": [{ "/": "PATTERN" }] }"#
    func found(_ pattern: String) -> [String] {
      places(
        #"{ "applinks": { "details": [DETAIL] } }"#.replacing(
          "DETAIL", with: rule.replacing("PATTERN", with: pattern))
      ).map(\.code)
    }
    #expect(found("/a/$(lang/b") == ["applinks-variable"])
    #expect(found("/$(lang)/$(region") == ["applinks-variable"])
    #expect(found("/$(lang)/b") == [])
  }

  @Test(
    "a service that is not about clips and names no app is a warning, and no bad content",
    arguments: [
      (#"{"applinks": {}}"#, 14), (#"{"applinks": null}"#, 14), (#"{"applinks": []}"#, 14),
      (#"{"webcredentials": {}}"#, 20), (#"{"webcredentials": {"x": 1}}"#, 20),
      (#"{"activitycontinuation": {}}"#, 26), (#"{"activitycontinuation": []}"#, 26),
    ])
  func emptyService(text: String, column: Int) throws {
    let finding = try #require(SiteAssociation.read(text).findings.first)
    #expect(Spot(finding) == Spot("association-empty-service", 1, column))
    #expect(finding.finding.severity == .warning && finding.domainError == nil)
    let clips = text.replacing(#"applinks"#, with: "appclips")
    let own = SiteAssociation.read(clips).findings.contains { $0.finding.severity == .error }
    #expect(own == text.contains("applinks"), "appclips itself has to list clips")
  }

  @Test("an identifier without a team is refused where clips are listed, and told elsewhere")
  func withoutTeam() {
    func severities(_ service: String) -> [Finding.Severity] {
      SiteAssociation.read("{\"\(service)\": {\"apps\": [\"jp.conference.Clip\"]}}").findings
        .map(\.finding.severity)
    }
    #expect(severities("appclips") == [.error])
    #expect(severities("webcredentials") == [.warning])
  }

  @Test(
    "a clip in applinks is told as useless there, once",
    arguments: [
      // Listed among the clips, whatever its name.
      (
        #"{"appclips": {"apps": ["ABCDE12345.com.a.b.Mini"]}, "applinks": {"details": [{"appIDs": ["ABCDE12345.com.a.b", "ABCDE12345.com.a.b.Mini"], "components": []}, {"appID": "ABCDE12345.com.a.b.Mini", "components": []}]}}"#,
        [Spot("applinks-clip", 1, 112)]
      ),
      // By its name.
      (
        #"{"applinks": {"details": [{"appID": "ABCDE12345.com.a.b.Clip", "components": []}]}}"#,
        [Spot("applinks-clip", 1, 37)]
      ),
      (
        #"{"applinks": {"details": {"ABCDE12345.com.a.b.Clip": {"components": []}}}}"#,
        [Spot("association-legacy-form", 1, 26), Spot("applinks-clip", 1, 27)]
      ),
      (
        #"{"applinks": {"apps": ["ABCDE12345.com.a.b.Clip"], "details": []}}"#,
        [
          Spot("association-dead-key", 1, 23), Spot("applinks-clip", 1, 24),
          Spot("applinks-no-rules", 1, 63),
        ]
      ),
      // An app beside its clip, and an app whose name only looks like that of a clip.
      (
        #"{"appclips": {"apps": ["ABCDE12345.com.a.b", "ABCDE12345.com.a.b.Clip"]}, "applinks": {"details": [{"appID": "ABCDE12345.com.a.b", "components": []}]}}"#,
        []
      ),
      (
        #"{"applinks": {"details": [{"appID": "ABCDE12345.com.clip", "components": []}]}}"#, []
      ),
    ])
  func clipInAppLinks(text: String, expected: [Spot]) {
    #expect(SiteAssociation.read(text).findings.map(Spot.init) == expected)
  }

  @Test("two files differ by what they say, not by their bytes")
  func differences() throws {
    func differences(_ left: String, _ right: String) throws -> [SiteAssociation.Difference] {
      let files = try [left, right].map { try #require(SiteAssociation.read($0).association) }
      return files[0].differences(from: files[1])
    }
    let one =
      #"{"appclips": {"apps": ["A.b", "C.d"]}, "applinks": {"details": [{"appIDs": ["A.b"], "components": [{"/": "/x", "comment": "x"}]}]}}"#
    let same =
      #"{"applinks": {"defaults": {"caseSensitive": true}, "details": [{"appID": "A.b", "paths": ["/x"]}]}, "webcredentials": {"apps": []}, "appclips": {"apps": ["C.d", "A.b"]}}"#
    #expect(try differences(one, same) == [])
    let other = one.replacing(#""C.d""#, with: #""E.f""#).replacing("/x", with: "/y")
    let found = try differences(one, other)
    #expect(found.map(\.service) == [.appLinks, .appClips])
    #expect(found[0].hasOtherRules && found[0].added == [] && found[0].missing == [])
    #expect(found[1].added == ["C.d"] && found[1].missing == ["E.f"])
  }

  @Test("curly quotation marks are named as what they are", arguments: ["“", "”", "‘", "„"])
  func curlyQuotes(mark: String) {
    let reading = SiteAssociation.read("{ \(mark)appclips\(mark): {} }")
    #expect(
      reading.findings.first?.finding.message.contains("the curly quotation mark \(mark)") == true)
  }

  @Test("a file with every service is read without a finding")
  func everything() throws {
    let reading = SiteAssociation.read(
      """
      { "applinks": {
          "defaults": { "caseSensitive": false, "percentEncoded": false },
          "substitutionVariables": { "food": ["burrito", "pizza*"] },
          "details": [
            { "appIDs": ["ABCDE12345.com.example.app", "ABCDE12345.com.example.app2"],
              "defaults": { "percentEncoded": true },
              "components": [
                { "#": "no_links", "exclude": true, "comment": "not these" },
                { "/": "/$(food)/*", "?": { "b": "1", "a": "????" } },
                { "/": "/x", "?": "q=*", "caseSensitive": true, "percentEncoded": false } ] } ] },
        "webcredentials": { "apps": ["ABCDE12345.com.example.app"] },
        "appclips": { "apps": ["ABCDE12345.com.example.app.Clip"] },
        "activitycontinuation": { "apps": [] } }
      """)
    #expect(reading.findings == [])
    let file = try #require(reading.association)
    #expect(file.appClips?.apps.map(\.identifier) == ["ABCDE12345.com.example.app.Clip"])
    #expect(file.appClips?.apps.first?.position == DocumentPosition(line: 12, column: 26))
    #expect(file.appClips?.apps.first?.prefix == "ABCDE12345")
    #expect(file.appClips?.apps.first?.bundleID == "com.example.app.Clip")
    #expect(file.webCredentials?.apps.map(\.identifier) == ["ABCDE12345.com.example.app"])
    #expect(file.activityContinuation?.apps == [])
    let links = try #require(file.appLinks)
    #expect(links.substitutionVariables == ["food": ["burrito", "pizza*"]])
    #expect(links.defaults.caseSensitive == false)
    #expect(links.defaults.percentEncoded == false)
    let detail = try #require(links.details.first)
    #expect(detail.appIDs == ["ABCDE12345.com.example.app", "ABCDE12345.com.example.app2"])
    #expect(detail.defaults.percentEncoded == true)
    #expect(detail.rules.map(\.origin) == [.component(0), .component(1), .component(2)])
    #expect(detail.rules[0].fragment == "no_links")
    #expect(detail.rules[0].exclude == true)
    #expect(detail.rules[0].comment == "not these")
    #expect(detail.rules[1].path == "/$(food)/*")
    #expect(
      detail.rules[1].query
        == .items([.init(name: "b", pattern: "1"), .init(name: "a", pattern: "????")]))
    #expect(detail.rules[2].query == .whole("q=*"))
    #expect(detail.rules[2].position == DocumentPosition(line: 10, column: 11))
  }

  @Test(
    "a file that cannot be read is told with its reason and place",
    arguments: [
      (Array("".utf8), Spot("association-not-json", 1, 1), DomainErrorCode.badJSONContent),
      (Array("{\n  \"a\": 1,\n}".utf8), Spot("association-not-json", 3, 1), .badJSONContent),
      (Array("{} {}".utf8), Spot("association-not-json", 1, 4), .badJSONContent),
      (Array("{} \u{1}".utf8), Spot("association-not-json", 1, 4), .badJSONContent),
      (Array("[]".utf8), Spot("association-not-json", 1, 1), .badJSONContent),
      (Array("\n <!doctype html>".utf8), Spot("association-not-json", 2, 2), .badJSONContent),
      (Array("{\"é\": \n \u{0}}".utf8), Spot("association-encoding", 2, 2), .badJSONContent),
      (Array("{\n\"é".utf8) + [0xC3, 0x28], Spot("association-encoding", 2, 3), .badJSONContent),
      ([0xFF, 0xFE, 0x7B, 0, 0x7D, 0], Spot("association-encoding", 1, 1), .badJSONContent),
      ([0x7B, 0x7D, 0], Spot("association-encoding", 1, 3), .badJSONContent),
      ([0x7B, 0, 0x7D, 0], Spot("association-encoding", 1, 1), .badJSONContent),
      ([0x30, 0x82, 0x0B, 0xAA, 6, 9], Spot("association-signed", 1, 1), .badPKCS7Signature),
      ([0x30, 0x80, 0x06, 0x09], Spot("association-signed", 1, 1), .badPKCS7Signature),
      (
        Array("-----BEGIN PKCS7-----\n".utf8), Spot("association-signed", 1, 1),
        .badPKCS7Signature
      ),
      (
        Array(repeating: 0x20, count: 1024 * 1024 + 1), Spot("association-too-large", 1, 1),
        .otherError
      ),
      (
        Array(String(repeating: "[", count: 100_000).utf8), Spot("association-not-json", 1, 65),
        .badJSONContent
      ),
    ])
  func unreadable(bytes: [UInt8], place: Spot, status: DomainErrorCode) {
    let reading = SiteAssociation.read(bytes)
    #expect(reading.association == nil)
    #expect(reading.findings.map(Spot.init) == [place])
    #expect(reading.findings.map(\.finding.severity) == [.error])
    #expect(reading.findings.map(\.domainError) == [status])
  }

  @Test("a web page in place of the file, and an empty file, are recognised")
  func hints() {
    #expect(SiteAssociation.read("<html>").findings[0].finding.message.contains("web page"))
    #expect(SiteAssociation.read(" \n").findings[0].finding.message.contains("empty"))
  }

  @Test("a file over 128 KB is refused, and still read for what else is wrong")
  func tooLarge() {
    let fits = "{}" + String(repeating: " ", count: 128 * 1024 - 2)
    #expect(SiteAssociation.read(fits).findings == [])
    let reading = SiteAssociation.read("{\"appClips\": {}}" + fits.dropFirst(2))
    #expect(
      reading.findings.map(Spot.init)
        == [Spot("association-too-large", 1, 1), Spot("association-misspelled-key", 1, 2)])
    #expect(reading.association != nil)
  }

  @Test("a byte-order mark is told, and columns count behind it")
  func byteOrderMark() {
    #expect(
      places("\u{FEFF}{\"x\": 1}")
        == [Spot("association-byte-order-mark", 1, 1), Spot("association-unknown-key", 1, 2)])
  }

  @Test(
    "what has no meaning is told at its place",
    arguments: [
      // Spelling and place of keys.
      (#"{"appClips": {"apps": []}}"#, [Spot("association-misspelled-key", 1, 2)]),
      (#"{"app-clips": {}}"#, [Spot("association-misspelled-key", 1, 2)]),
      (#"{"appclip": {}}"#, [Spot("association-misspelled-key", 1, 2)]),
      (#"{"AppLinks": {}}"#, [Spot("association-misspelled-key", 1, 2)]),
      (#"{"apps": []}"#, [Spot("association-misplaced-key", 1, 2)]),
      (#"{"details": []}"#, [Spot("association-misplaced-key", 1, 2)]),
      (#"{"$schema": "x"}"#, [Spot("association-unknown-key", 1, 2)]),
      (
        #"{"applinks": {"details": [], "appclips": {"apps": []}}}"#,
        [Spot("applinks-no-rules", 1, 26), Spot("association-misplaced-key", 1, 30)]
      ),
      (#"{"appclips": {"apps": [], "Apps": []}}"#, [Spot("association-misspelled-key", 1, 27)]),
      (
        #"{"appclips": {"apps": []}, "appclips": {"apps": []}}"#,
        [Spot("association-duplicate-key", 1, 28)]
      ),
      // `appclips` knows `apps` only.
      (
        #"{"appclips": {"apps": [], "details": [], "paths": []}}"#,
        [Spot("association-dead-key", 1, 27), Spot("association-dead-key", 1, 42)]
      ),
      (#"{"appclips": {}}"#, [Spot("association-wrong-type", 1, 14)]),
      (#"{"appclips": []}"#, [Spot("association-wrong-type", 1, 14)]),
      (#"{"appclips": {"apps": "A"}}"#, [Spot("association-wrong-type", 1, 23)]),
      (#"{"appclips": {"apps": [1]}}"#, [Spot("association-wrong-type", 1, 24)]),
      (#"{"webcredentials": {"apps": null}}"#, [Spot("association-wrong-type", 1, 29)]),
      // Identifiers.
      (
        #"{"appclips": {"apps": ["com.example.Clip", "abcde12345.com.a.Clip", "ABCDE12345", "", "ABCDE12345.x y"]}}"#,
        [
          Spot("association-identifier-form", 1, 24),
          Spot("association-identifier-form", 1, 44),
          Spot("association-identifier-form", 1, 69),
          Spot("association-identifier-form", 1, 83),
          Spot("association-identifier-form", 1, 87),
        ]
      ),
      (
        #"{"appclips": {"apps": ["ABCDE12345.com.a", "ABCDE12345.com.a"]}}"#,
        [Spot("association-repeated-identifier", 1, 44)]
      ),
      // applinks.
      (#"{"applinks": {"apps": [], "details": []}}"#, [Spot("applinks-no-rules", 1, 38)]),
      (#"{"applinks": {"apps": ["x"]}}"#, [Spot("association-dead-key", 1, 23)]),
      (#"{"applinks": {"paths": []}}"#, [Spot("association-dead-key", 1, 15)]),
      (#"{"applinks": {"details": "x"}}"#, [Spot("association-wrong-type", 1, 26)]),
      (
        #"{"applinks": {"details": [{"components": []}]}}"#, [Spot("applinks-no-app", 1, 27)]
      ),
      (
        #"{"applinks": {"details": [{"appIDs": [], "components": []}]}}"#,
        [Spot("applinks-no-app", 1, 38)]
      ),
      (
        #"{"applinks": {"details": [{"appID": "ABCDE12345.com.a", "appIDs": ["ABCDE12345.com.a"], "components": []}]}}"#,
        [Spot("applinks-both-identifiers", 1, 37)]
      ),
      (
        #"{"applinks": {"details": [{"appID": "ABCDE12345.com.a"}]}}"#,
        [Spot("applinks-no-rules", 1, 27)]
      ),
      (
        #"{"applinks": {"details": [{"appID": "ABCDE12345.com.a", "components": [], "paths": []}]}}"#,
        [Spot("applinks-both-rules", 1, 84)]
      ),
      (
        #"{"applinks": {"details": [{"appID": "ABCDE12345.com.a", "paths": ["NOT /a", 1]}]}}"#,
        [Spot("association-legacy-form", 1, 66), Spot("association-wrong-type", 1, 77)]
      ),
      (
        #"{"applinks": {"details": {"ABCDE12345.com.a": {"components": [7, {}]}}}}"#,
        [Spot("association-legacy-form", 1, 26), Spot("association-wrong-type", 1, 63)]
      ),
      (
        #"{"applinks": {"details": [{"appID": "ABCDE12345.com.a", "components": [{"/": 1, "casesensitive": true, "exclude": "true", "?": {"a": "1", "b": 2}}, {"?": []}]}]}}"#,
        [
          Spot("association-wrong-type", 1, 78), Spot("association-misspelled-key", 1, 81),
          Spot("association-wrong-type", 1, 115), Spot("applinks-query-ignored", 1, 144),
          Spot("applinks-unreachable-rule", 1, 149), Spot("association-wrong-type", 1, 155),
        ]
      ),
      (
        #"{"applinks": {"defaults": {"/": "/a", "exclude": true, "caseSensitive": true}}}"#,
        [
          Spot("applinks-pattern-in-defaults", 1, 28),
          Spot("applinks-pattern-in-defaults", 1, 39),
        ]
      ),
      (
        #"{"applinks": {"substitutionVariables": {"$(x)": ["a"], "y": ["$(alpha)"], "z": "a"}}}"#,
        [
          Spot("applinks-variable", 1, 41), Spot("applinks-variable", 1, 62),
          Spot("association-wrong-type", 1, 80),
        ]
      ),
    ])
  func meaningless(text: String, expected: [Spot]) {
    let reading = SiteAssociation.read(text)
    #expect(reading.findings.map(Spot.init) == expected)
    #expect(reading.association != nil)
  }

  @Test("appID counts only where appIDs is missing, paths only where components is missing")
  func precedence() throws {
    let reading = SiteAssociation.read(
      #"""
      {"applinks": {"details": [
        {"appID": "A", "appIDs": ["B"], "paths": ["/p"], "components": [{"/": "/c"}]},
        {"appID": "C", "appIDs": [], "components": []},
        {"appID": "D", "paths": ["/p", "NOT /q/*"]}]}}
      """#)
    let details = try #require(reading.association?.appLinks?.details)
    #expect(details.map(\.appIDs) == [["B"], [], ["D"]])
    #expect(details[0].rules.map(\.path) == ["/c"])
    #expect(details[2].rules.map(\.path) == ["/p", "/q/*"])
    #expect(details[2].rules.map(\.exclude) == [false, true])
    #expect(details[2].rules.map(\.origin) == [.path(0), .path(1)])
    let both = reading.findings.filter { $0.finding.code == .applinksBothIdentifiers }
    #expect(both.map(\.finding.severity) == [.warning, .warning])
  }

  @Test("a file full of nonsense gives at most 500 findings")
  func bounded() {
    let keys = (0..<20_000).map { "\"appclip\($0)\": 1" }.joined(separator: ",")
    #expect(SiteAssociation.read("{\(keys)}").findings.count == 500)
  }
}
