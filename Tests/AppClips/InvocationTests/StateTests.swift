import Invocation
import Testing

@Suite("States and verdicts")
struct StateTests {
  private func examine(
    _ payload: String, _ catalog: ExperienceCatalog, carrier: Carrier = .url
  ) throws -> Verification {
    try InvocationCheck(directory: catalog).examine(payload: payload, carrier: carrier)
  }

  @Test("an active experience of an associated clip is accepted, with its card")
  func ok() throws {
    let answer = try examine("https://fruta.example.com/order/cupertino", Fixture.shop())
    #expect(answer.state == .ok)
    #expect(answer.verdict == .accepted)
    #expect(answer.experience?.kind == .advanced)
    #expect(answer.experience?.card == Fixture.card)
    #expect(answer.experience?.clip == "com.example.fruta.Clip")
    #expect(answer.place == Fixture.cupertino)
    #expect(answer.location == nil)
    #expect(answer.findings.isEmpty)
  }

  @Test("what is no URL is malformed, and keeps its payload")
  func malformed() throws {
    let answer = try examine("http://fruta.example.com/order", Fixture.shop())
    #expect(answer.state == .malformed)
    #expect(answer.verdict == .rejected)
    #expect(answer.url == nil)
    #expect(answer.payload == "http://fruta.example.com/order")
    #expect(answer.codes == [.notHTTPS])
  }

  @Test("a host that no clip claims is unregistered")
  func unregistered() throws {
    let answer = try examine("https://evil.example/order/cupertino", Fixture.shop())
    #expect(answer.state == .unregistered)
    #expect(answer.verdict == .rejected)
    #expect(answer.severity(.unknownHost) == .error)
    #expect(answer.clip == nil)
  }

  @Test("a host that differs by www. is told apart, and named")
  func wwwSibling() throws {
    let answer = try examine("https://www.fruta.example.com/order", Fixture.shop())
    #expect(answer.state == .unregistered)
    #expect(answer.message(.unknownHost)?.contains("fruta.example.com is claimed") == true)
  }

  @Test("an experience on a host that its clip's domains lack is unassociated")
  func unassociated() throws {
    let catalog = Fixture.catalog([try Fixture.experience("https://other.example.com/order")])
    let answer = try examine("https://other.example.com/order/5", catalog)
    #expect(answer.state == .unassociated)
    #expect(answer.verdict == .rejected)
    #expect(answer.experience?.link?.host == "other.example.com")
    #expect(answer.message(.unassociatedHost)?.contains("its domains: fruta.example.com") == true)
  }

  @Test("an experience of a clip that nobody registered is unassociated")
  func missingClip() throws {
    let catalog = Fixture.catalog(
      clips: [], [try Fixture.experience("https://fruta.example.com/order")])
    let answer = try examine("https://fruta.example.com/order", catalog)
    #expect(answer.state == .unassociated)
    #expect(answer.codes == [.unknownClip])
  }

  @Test("an ambiguous URL on a host that the clip lacks is unassociated: that much is certain")
  func ambiguousAndUnassociated() throws {
    let catalog = Fixture.catalog([try Fixture.experience("https://other.example.com/order1")])
    let answer = try examine("https://other.example.com/order10", catalog)
    #expect(answer.state == .unassociated)
    #expect(answer.experience == nil)
  }

  @Test(
    "an experience that is not active does not serve",
    arguments: [ExperienceStatus.deactivated, .appTransferInProgress])
  func inactive(status: ExperienceStatus) throws {
    let catalog = Fixture.catalog(
      clips: [Fixture.clip(hasDefault: true)],
      [try Fixture.experience("https://fruta.example.com/order", status: status)])
    let answer = try examine("https://fruta.example.com/order/5", catalog)
    #expect(answer.state == .inactive)
    #expect(answer.verdict == .rejected)
    #expect(answer.experience?.link?.path == "/order")
    #expect(answer.severity(.inactiveExperience) == .error)
    #expect(answer.message(.inactiveExperience)?.contains(status.rawValue) == true)
  }

  @Test("a closer experience that is not active is a warning below the one that serves")
  func inactiveBelowActive() throws {
    let catalog = Fixture.catalog([
      try Fixture.experience("https://fruta.example.com/order"),
      try Fixture.experience("https://fruta.example.com/order/old", status: .deactivated),
    ])
    let answer = try examine("https://fruta.example.com/order/old", catalog)
    #expect(answer.state == .ok)
    #expect(answer.verdict == .accepted)
    #expect(answer.experience?.link?.path == "/order")
    #expect(answer.severity(.inactiveExperience) == .warning)
  }

  @Test("an inactive experience above the one that serves is not worth a word")
  func inactiveAboveActive() throws {
    let catalog = Fixture.catalog([
      try Fixture.experience("https://fruta.example.com/order"),
      try Fixture.experience("https://fruta.example.com/", status: .deactivated),
    ])
    #expect(try examine("https://fruta.example.com/order", catalog).findings.isEmpty)
  }

  @Test("without a covering link, a default experience leaves the verdict open")
  func defaultOnly() throws {
    let catalog = Fixture.catalog(clips: [Fixture.clip(hasDefault: true)], [])
    for carrier in [Carrier.url, .qr, .nfc] {
      let answer = try examine("https://fruta.example.com/x", catalog, carrier: carrier)
      #expect(answer.state == .defaultOnly)
      #expect(answer.verdict == .undecided)
      #expect(answer.experience?.kind == .default)
      #expect(answer.experience?.link == nil)
      #expect(
        answer.message(.defaultOnly)?.contains("appclip.apple.com/id?p=com.example.fruta.Clip")
          == true)
    }
  }

  @Test("an App Clip Code never falls back to a default experience")
  func defaultOnlyInAppClipCode() throws {
    let catalog = Fixture.catalog(clips: [Fixture.clip(hasDefault: true)], [])
    let answer = try examine("https://fruta.example.com/x", catalog, carrier: .appClipCode)
    #expect(answer.state == .orphan)
    #expect(answer.verdict == .rejected)
  }

  @Test("without a covering link and a default experience, the URL is an orphan")
  func orphan() throws {
    let answer = try examine("https://fruta.example.com/x", Fixture.catalog([]))
    #expect(answer.state == .orphan)
    #expect(answer.verdict == .rejected)
    #expect(answer.severity(.noMatch) == .error)
  }

  @Test("an international host is accepted and pointed out")
  func internationalHost() throws {
    let catalog = Fixture.catalog(
      clips: [Fixture.clip(domains: ["xn--bcher-kva.example"])],
      [try Fixture.experience("https://bücher.example/")])
    let answer = try examine("https://BÜCHER.example/x", catalog)
    #expect(answer.state == .ok)
    #expect(answer.severity(.internationalHost) == .note)
  }

  @Test("findings come gravest first, each with a code that has a meaning")
  func order() throws {
    let catalog = Fixture.catalog(try Fixture.experiences(["/Menu", "/menu/"]))
    let answer = try examine("https://fruta.example.com/menu#x", catalog)
    let severities = answer.findings.map(\.severity)
    #expect(severities == severities.sorted(by: >))
    #expect(Set(severities).count == 3)
  }

  @Test("what the directory throws comes through")
  func directoryErrors() {
    #expect(throws: BrokenDirectory.Failure.self) {
      try InvocationCheck(directory: BrokenDirectory())
        .examine(payload: "https://fruta.example.com", carrier: .url)
    }
  }
}

private struct BrokenDirectory: ExperienceDirectory {
  struct Failure: Error {}

  func clips(associatedWith host: String) throws -> [AppClip] { throw Failure() }
  func clips() throws -> [AppClip] { throw Failure() }
  func clip(bundleID: String) throws -> AppClip? { throw Failure() }
  func experiences(host: String, foldedKeys: Set<String>) throws -> [AdvancedExperience] {
    throw Failure()
  }
  func place(id: String) throws -> Place? { throw Failure() }
}
