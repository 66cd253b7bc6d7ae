@testable import Invocation
import Testing

private let clip = AppClip(
  bundleID: "com.example.fruta.Clip", appBundleID: "com.example.fruta", team: "ABCDE12345",
  domains: ["fruta.example.com"])

@Suite("A clip in an association file, and in entitlements")
struct SiteAssociationCheckTests {
  private func findings(_ text: String, host: String = "fruta.example.com") throws
    -> [AssociationFinding]
  {
    let association = try #require(SiteAssociation.read(text).association)
    return SiteAssociationCheck(host: host, clip: clip).findings(in: association)
  }

  @Test("a file that lists the clip is right")
  func listed() throws {
    let text = #"{"appclips": {"apps": ["ABCDE12345.com.example.fruta.Clip"]}}"#
    #expect(try findings(text) == [])
    let association = try #require(SiteAssociation.read(text).association)
    #expect(SiteAssociationCheck(host: "fruta.example.com", clip: clip).isListed(in: association))
  }

  @Test("a clip is known from its application identifier alone")
  func identifier() throws {
    let told = try #require(
      AppClip(applicationIdentifier: "ABCDE12345.com.example.fruta.Clip"))
    #expect(told.bundleID == clip.bundleID && told.appBundleID == clip.appBundleID)
    #expect(told.team == clip.team && told.domains.isEmpty)
    for text in [
      "com.example.fruta.Clip", "ABCDE12345", "ABCDE12345.Clip", "abcde12345.com.a.Clip",
    ] {
      #expect(AppClip(applicationIdentifier: text) == nil, "\(text)")
    }
    let text = #"{"appclips": {"apps": ["ABCDE12345.com.example.fruta.Clip"]}}"#
    let association = try #require(SiteAssociation.read(text).association)
    #expect(SiteAssociationCheck(host: nil, clip: told).findings(in: association) == [])
  }

  @Test(
    "a file that does not list the clip is told by what it lists instead",
    arguments: [
      (#"{}"#, Spot("association-no-appclips", 0, 0)),
      (#"{"applinks": {}}"#, Spot("association-no-appclips", 0, 0)),
      (#"{"appclips": {"apps": []}}"#, Spot("association-clip-missing", 1, 14)),
      (
        #"{"appclips": {"apps": ["ABCDE12345.com.example.fruta.clip"]}}"#,
        Spot("association-identifier-case", 1, 24)
      ),
      (
        #"{"appclips": {"apps": ["ZZZZZ12345.com.example.fruta.Clip"]}}"#,
        Spot("association-other-prefix", 1, 24)
      ),
      (
        #"{"appclips": {"apps": ["com.example.fruta.Clip"]}}"#,
        Spot("association-other-prefix", 1, 24)
      ),
    ])
  func missing(text: String, expected: Spot) throws {
    let found = try findings(text)
    #expect(found.map(Spot.init) == [expected])
    #expect(found.first?.finding.severity == .error)
    let status: DomainErrorCode =
      expected.code == "association-no-appclips"
      ? .invalidEntitlementMissingSection : .invalidEntitlementUnknownID
    #expect(found.first?.domainError == status)
    #expect(found.first?.finding.message.contains("ABCDE12345.com.example.fruta.Clip") == true)
  }

  @Test("the full app in the list, other clips and a foreign host are noted")
  func notes() throws {
    let text = #"""
      {"appclips": {"apps": [
        "ABCDE12345.com.example.fruta",
        "ABCDE12345.com.example.fruta.Clip",
        "ABCDE12345.com.example.other.Clip"]}}
      """#
    let found = try findings(text, host: "www.example.com")
    #expect(
      found.map(Spot.init) == [
        Spot("association-foreign-host", 0, 0), Spot("association-app-listed", 2, 3),
        Spot("association-other-clips", 4, 3),
      ])
    #expect(found.map(\.finding.severity) == [.warning, .note, .note])
    let other = AppClip(
      bundleID: "com.example.other.Clip", appBundleID: "com.example.other", team: "ABCDE12345",
      domains: [])
    let association = try #require(SiteAssociation.read(text).association)
    let known = SiteAssociationCheck(host: "fruta.example.com", clip: clip, otherClips: [other])
    #expect(known.findings(in: association).map(\.finding.code) == [.associationAppListed])
  }

  @Test("a clip that stands in applinks alone is told, whatever it is called")
  func linked() throws {
    let text = #"{"applinks": {"details": [{"appID": "ABCDE12345.com.example.fruta.Mini"}]}}"#
    let mini = AppClip(
      bundleID: "com.example.fruta.Mini", appBundleID: "com.example.fruta", team: "ABCDE12345",
      domains: ["fruta.example.com"])
    let association = try #require(SiteAssociation.read(text).association)
    let found = SiteAssociationCheck(host: "fruta.example.com", clip: mini)
      .findings(in: association)
    #expect(found.map(\.finding.code) == [.applinksClip, .associationNoAppClips])
  }

  // MARK: Entitlements

  private func clipFindings(
    _ domains: [String], parents: [String] = ["ABCDE12345.com.example.fruta"],
    onDemand: Bool? = true
  ) -> [AssociationFinding] {
    ClipEntitlements(
      associatedDomains: domains, parentApplicationIdentifiers: parents,
      onDemandInstallCapable: onDemand
    ).findings(for: clip, on: ["fruta.example.com"])
  }

  @Test("entitlements as Xcode makes them are right")
  func rightEntitlements() {
    #expect(clipFindings(["appclips:fruta.example.com"]) == [])
    #expect(clipFindings(["appclips:FRUTA.example.com", "webcredentials:example.com"]) == [])
    #expect(
      clipFindings(
        ["appclips:fruta.example.com"], parents: ["$(AppIdentifierPrefix)com.example.fruta"]) == [])
    let app = AppEntitlements(
      associatedDomains: ["applinks:*.example.com", "appclips:fruta.example.com"],
      associatedAppClipIdentifiers: ["ABCDE12345.com.example.fruta.Clip"])
    #expect(app.findings(for: clip, on: ["fruta.example.com"]) == [])
  }

  @Test(
    "a malformed associated domain is told (appclips: and the exact host, nothing else)",
    arguments: [
      ("appclips:fruta.example.com/", Finding.Code.entitlementDomainForm),
      ("appclips:fruta.example.com/order", .entitlementDomainForm),
      ("appclips:*.example.com", .entitlementDomainForm),
      ("appclips:fruta.example.com:443", .entitlementDomainForm),
      ("appclips:https://fruta.example.com", .entitlementDomainForm),
      ("appclips:", .entitlementDomainForm),
      ("appclips: fruta.example.com", .entitlementDomainForm),
      ("appclips:localhost", .entitlementDomainForm), ("appclips:10.0.0.1", .entitlementDomainForm),
      ("appclips:fruta.example.com?mode=develop", .entitlementDomainForm),
      ("appclips:fruta.example.com?debug", .entitlementDomainForm),
      ("fruta.example.com", .entitlementService),
      ("appClips:fruta.example.com", .entitlementService),
      ("https://fruta.example.com", .entitlementService), ("", .entitlementService),
    ])
  func malformedDomain(entry: String, code: Finding.Code) {
    let found = clipFindings([entry, "appclips:fruta.example.com"])
    #expect(found.map(\.finding.code) == [code])
    #expect(found.map(\.finding.severity) == [.error])
    let status: DomainErrorCode =
      code == .entitlementService
      ? .invalidEntitlementUnhandledSection : .invalidEntitlementSyntaxError
    #expect(found.map(\.domainError) == [status])
  }

  @Test(
    "each target needs the entry for each host, and customers need it without a mode",
    arguments: [
      ([], Finding.Code.entitlementNoDomain, Finding.Severity.error),
      (["appclips:example.com"], .entitlementNoDomain, .error),
      (["webcredentials:fruta.example.com"], .entitlementNoDomain, .error),
      (["appclips:fruta.example.com?mode=developer"], .entitlementMode, .warning),
      (["appclips:fruta.example.com?mode=developer+managed"], .entitlementMode, .warning),
      (
        ["appclips:fruta.example.com?mode=managed", "appclips:fruta.example.com"],
        .entitlementMode, .note
      ),
    ])
  func entryForHost(domains: [String], code: Finding.Code, severity: Finding.Severity) {
    let found = clipFindings(domains)
    #expect(found.map(\.finding.code) == [code])
    #expect(found.map(\.finding.severity) == [severity])
    let app = AppEntitlements(
      associatedDomains: domains,
      associatedAppClipIdentifiers: ["ABCDE12345.com.example.fruta.Clip"])
    #expect(app.findings(for: clip, on: ["fruta.example.com"]).map(\.finding.code) == [code])
  }

  @Test("a clip has one parent, is installed on demand, and has no universal links")
  func clipTarget() {
    let domains = ["appclips:fruta.example.com"]
    let wrong: [[String]] = [
      [], ["ABCDE12345.com.example"], ["com.example.fruta"],
      ["ABCDE12345.com.example.fruta", "ABCDE12345.com.example.fruta"],
    ]
    for parents in wrong {
      #expect(
        clipFindings(domains, parents: parents).map(\.finding.code) == [.entitlementParentApp])
    }
    for value in [nil, false] as [Bool?] {
      #expect(
        clipFindings(domains, onDemand: value).map(\.finding.code) == [.entitlementOnDemand])
    }
    let links = clipFindings(domains + ["applinks:fruta.example.com"])
    #expect(links.map(\.finding.code) == [.entitlementClipService])
  }

  @Test("an archived app names its clip alone; before that the entitlement is missing")
  func appTarget() {
    func found(_ clips: [String]?) -> [Finding] {
      AppEntitlements(
        associatedDomains: ["appclips:fruta.example.com"], associatedAppClipIdentifiers: clips
      ).findings(for: clip, on: ["fruta.example.com"]).map(\.finding)
    }
    #expect(found(nil).map(\.severity) == [.note])
    #expect(found([]).map(\.severity) == [.error])
    #expect(found(["ABCDE12345.com.example.fruta"]).map(\.code) == [.entitlementAppClip])
  }

  @Test("a signed app without its clip's identifier has no clip")
  func signedApp() {
    let app = AppEntitlements(
      associatedDomains: ["appclips:fruta.example.com"], isSigned: true)
    let found = app.findings(for: clip, on: ["fruta.example.com"])
    #expect(found.map(\.finding.code) == [.entitlementAppClip])
    #expect(found.map(\.finding.severity) == [.error])
  }

  @Test(
    "a build setting is named as that, where its value can be the right one",
    arguments: [
      ("appclips:$(APPCLIP_DOMAIN)", "$(AppIdentifierPrefix)$(PARENT)", ["build", "build"]),
      ("appclips:${SUB}.example.com", "${AppIdentifierPrefix}com.example.fruta", ["build"]),
      ("$(SERVICE):$(HOST:lower)", "$(DEVELOPMENT_TEAM).com.example.fruta", ["build", "build"]),
      // The text around the setting is wrong.
      ("appclips:$(SUB).example.org", "ABCDE12345.com.example.fruta", ["build", "domain"]),
      ("appclips:fruta.example.com", "$(AppIdentifierPrefix)org.$(NAME)", ["parent"]),
      ("appclips:$(HOST)?mode=developer", "ABCDE12345.com.example.fruta", ["build", "mode"]),
    ])
  func buildSettings(domain: String, parent: String, expected: [String]) {
    let names: [Finding.Code: String] = [
      .entitlementBuildSetting: "build", .entitlementNoDomain: "domain",
      .entitlementParentApp: "parent", .entitlementMode: "mode",
    ]
    let found = clipFindings([domain], parents: [parent])
    #expect(found.map { names[$0.finding.code] ?? "\($0)" } == expected)
    let first = found.first?.finding.message
    #expect(expected[0] != "build" || first?.contains("build setting") == true)
  }

  @Test("App Store Connect's 18 domain errors have a meaning and a next step each")
  func domainErrors() {
    #expect(DomainErrorCode.allCases.count == 18)
    #expect(Set(DomainErrorCode.allCases.map(\.meaning)).count == 18)
    for code in DomainErrorCode.allCases {
      #expect(code.meaning.hasSuffix(".") && code.nextStep.hasSuffix("."), "\(code)")
    }
    #expect(DomainErrorCode(rawValue: "BAD_PKCS7_SIGNATURE") == .badPKCS7Signature)
  }
}
