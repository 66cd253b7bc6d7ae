import Foundation
import Invocation
import Registry
import RegistryFixtures
import Testing

/// The further facts of App Store Connect, besides links and cards, in files and in stores.
@Suite("Listings")
struct ListingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let yaml = """
    clips:
      - clip: com.example.fruta.Clip
        app: com.example.fruta
        team: ABCDE12345
        domains: [fruta.example.com]
        locationConfirmation: false
        identifier: "77"
        name: Fruta
        minimumIOS: "16.4"
        released: true
        installBytes: 14200000
        demoLink: https://appclip.apple.com/id?p=com.example.fruta.Clip
        testInvocations:
          - url: https://fruta.example.com/order/test
            title: Order a test
        domainStatuses:
          - domain: fruta.example.com
            valid: false
            errorCode: BAD_JSON_CONTENT
            updated: "2026-03-01T09:30:00Z"
        defaultExperience:
          subtitle: Order a smoothie
          action: OPEN
          localizations:
            de-DE: { subtitle: Smoothie bestellen }
          image: { file: default.png, width: 1800, height: 1200 }
          changed: "2026-02-01T00:00:00Z"
        experiences:
          - link: https://fruta.example.com/order
            title: Fruta
            action: OPEN
            language: EN
            status: RECEIVED
            identifier: a-1
            localizations:
              DE: { title: Fruta, subtitle: Smoothie bestellen }
              FR: { subtitle: Commander un smoothie }
            image: { file: order.png }
            poweredBy: true
            businessCategory: FOOD_AND_DRINK
            placeStatus: NO_MATCH
            changed: "2026-03-01T09:30:00Z"
    places: []

    """

  private func problems(_ text: String) -> [DocumentProblem] {
    do {
      _ = try RegistryDocument.read(Data(text.utf8), as: .yaml)
      return []
    } catch {
      return error.problems
    }
  }

  @Test("a file with all of it is written as it was read, as YAML and as JSON")
  func files() throws {
    let document = try RegistryDocument.read(Data(Self.yaml.utf8), as: .yaml).document
    #expect(document.text(as: .yaml) == Self.yaml)
    let json = Data(document.text(as: .json).utf8)
    #expect(try RegistryDocument.read(json, as: .json).document == document)
    let experience = try #require(document.experiences.first)
    #expect(experience.listing.localizations.map(\.language) == ["DE", "FR"])
    #expect(experience.listing.changed == Date(timeIntervalSince1970: 1_772_357_400))
    #expect(document.clips.first?.listing.image?.size == HeaderImage.requiredSize)
    #expect(document.clips.first?.listing.minimumIOS == IOSVersion(16, 4))
  }

  @Test("every store gives back what was stored", arguments: StoreKind.allCases)
  func stores(kind: StoreKind) throws {
    let document = try RegistryDocument.read(Data(Self.yaml.utf8), as: .yaml).document
    let store = try kind.make(in: folder)
    #expect(try store.apply(document).experiences.added == 1)
    #expect(try store.document() == document)
    #expect(try store.apply(document).experiences.unchanged == 1, "the same again is no change")
    let demo = try #require(document.clips.first?.listing.demoLink)
    #expect(try store.clip(demoLink: demo) == document.clips.first)
    #expect(try store.clip(demoLink: try InvocationURL("https://appclip.apple.com/x")) == nil)
  }

  @Test("a registry from before has no listings, and takes them")
  func before() throws {
    let store = try StoreKind.sqlite.make(in: folder)
    try store.add(Fixtures.clip)
    try store.add(try Fixtures.experience("https://fruta.example.com/order"))
    #expect(try store.clip(bundleID: Fixtures.clip.bundleID)?.listing == ClipListing())
    var clip = Fixtures.clip
    clip.listing.name = "Fruta"
    try store.replace(clip)
    #expect(try store.clip(bundleID: clip.bundleID)?.listing.name == "Fruta")
    try store.replace(Fixtures.clip)
    #expect(try store.clip(bundleID: clip.bundleID)?.listing == ClipListing())
  }

  @Test(
    "what App Store Connect would not take is refused, in its line",
    arguments: [
      ("DE: { title: Fruta, subtitle", "de: { title: Fruta, subtitle", "“de”"),
      ("DE: { title: Fruta, subtitle", "EN: { title: Fruta, subtitle", "primary language"),
      ("de-DE: {", "German: {", "locale"), ("FOOD_AND_DRINK", "FOOD", "business category"),
      ("NO_MATCH", "MISSING", "PENDING, MATCHED or NO_MATCH"),
      ("minimumIOS: \"16.4\"", "minimumIOS: iOS16", "version of iOS"),
      ("installBytes: 14200000", "installBytes: 1.5", "positive integer"),
      ("width: 1800, ", "", "both “width” and “height”"),
      ("\"2026-02-01T00:00:00Z\"", "yesterday", "2026-03-01T09:30:00Z"),
      ("valid: false", "valid: maybe", "true or false"),
      ("demoLink: https:", "demoLink: http:", "https"),
    ])
  func refused(old: String, new: String, words: String) throws {
    let place = try #require(Self.yaml.range(of: old))
    let line = Self.yaml[..<place.lowerBound].count { $0 == "\n" } + 1
    let text = Self.yaml.replacing(old, with: new, maxReplacements: 1)
    #expect(text != Self.yaml)
    let found = problems(text)
    #expect(found.map(\.line) == [line], "\(found)")
    #expect(found.first?.message.contains(words) == true, "\(found)")
  }

  @Test("a fourth invocation for testers is one too many")
  func invocations() {
    let item = "\n      - url: https://fruta.example.com/order/test\n        title: Order a test"
    let many = String(repeating: item, count: 4)
    let text = Self.yaml.replacing(item, with: many)
    #expect(problems(text).first?.message.contains("at most 3") == true)
    #expect(problems(Self.yaml.replacing(item, with: String(repeating: item, count: 3))) == [])
  }
}
