import Invocation
import Testing

@Suite("What App Store Connect takes")
struct RegistryRulesTests {
  @Test("card texts have their limits, counted as people count")
  func cards() {
    #expect(ExperienceCard.problem(withTitle: String(repeating: "é", count: 30)) == nil)
    #expect(
      ExperienceCard.problem(withTitle: String(repeating: "a", count: 31))?
        .contains("has 31 characters; App Store Connect accepts at most 30") == true)
    #expect(ExperienceCard.problem(withSubtitle: String(repeating: "👩‍👩‍👧", count: 56)) == nil)
    #expect(ExperienceCard.problem(withSubtitle: String(repeating: "a", count: 57)) != nil)
    #expect(ExperienceCard.problem(withTitle: "") != nil)
    #expect(ExperienceCard.problem(withTitle: " ") != nil)
    #expect(ExperienceCard.problem(withSubtitle: "a\nb") != nil)
  }

  @Test("there are 32 languages")
  func languages() {
    #expect(Set(AdvancedExperience.languages).count == 32)
    #expect(AdvancedExperience.problem(withLanguage: "EN") == nil)
    for language in ["en", "EN-US", "ZZ", ""] {
      #expect(AdvancedExperience.problem(withLanguage: language) != nil)
    }
  }

  @Test("a clip's identifier is its app's, a dot and a suffix")
  func bundleIdentifiers() {
    #expect(
      AppClip.problem(withBundleID: "com.example.fruta.Clip", ofApp: "com.example.fruta") == nil)
    for clip in [
      "com.example.fruta", "com.example.frutaClip", "com.other.Clip", "com.example.fruta.",
    ] {
      #expect(AppClip.problem(withBundleID: clip, ofApp: "com.example.fruta") != nil)
    }
    for identifier in ["", "fruta", "com..fruta", ".com", "com.ex_ample", "com.é", "com.a b"] {
      #expect(AppClip.problem(withBundleID: identifier) != nil)
    }
  }

  @Test("a team is ten capital letters and digits")
  func teams() {
    #expect(AppClip.problem(withTeam: "ABCDE12345") == nil)
    for team in ["", "ABCDE1234", "ABCDE123456", "abcde12345", "ABCDE-2345", "ÀBCDE1234"] {
      #expect(AppClip.problem(withTeam: team) != nil)
    }
    #expect(AppClip.problem(withAppStoreID: "1234567890") == nil)
    #expect(AppClip.problem(withAppStoreID: "id1234567890") != nil)
    #expect(AppClip.problem(withAppStoreID: "") != nil)
  }

  @Test("a domain is a host and nothing else")
  func domains() {
    #expect(AppClip.problem(withDomain: "fruta.example.com") == nil)
    #expect(AppClip.problem(withDomain: "*.example.com")?.contains("pattern") == true)
    #expect(AppClip.problem(withDomain: "appclips:a.example")?.contains("entitlement") == true)
    for domain in [
      "https://a.example", "a.example/x", "a.example:443", "a.example?mode=developer", "localhost",
      "", "192.0.2.1",
    ] {
      #expect(AppClip.problem(withDomain: domain) != nil)
    }
  }

  @Test("a place rule must be able to work under its link")
  func placeRules() throws {
    let link = try InvocationURL("https://fruta.example.com/order")
    func path(_ text: String) throws -> PlaceRule { .path(template: try PathTemplate(text)) }
    #expect(try path("/order/{place}").problem(under: link) == nil)
    #expect(try path("/{place}").problem(under: link) == nil)
    #expect(try path("/order/menu").problem(under: link)?.contains("no {place}") == true)
    #expect(try path("/menu/{place}").problem(under: link)?.contains("matches no URL") == true)
    #expect(PlaceRule.fixed(id: "").problem(under: link) != nil)
    #expect(PlaceRule.fixed(id: "a").problem(under: link) == nil)
    #expect(PlaceRule.query(item: "").problem(under: link) != nil)
    #expect(PlaceRule.query(item: "store").problem(under: link) == nil)
    func position(_ radius: Double, _ longitude: String = "b") -> PlaceRule {
      .coordinates(latitudeItem: "a", longitudeItem: longitude, radius: radius)
    }
    #expect(position(500).problem(under: link) == nil)
    #expect(position(501).problem(under: link)?.contains("at most 500 m") == true)
    #expect(position(.nan).problem(under: link) != nil)
    #expect(position(100, "a").problem(under: link) != nil)
  }
}
