import Foundation
import Invocation
import Registry
import Testing

/// A file that states a part of the registry's contents changes only that part.
@Suite("Partial files")
struct PartialImportTests {
  private static let whole = """
    clips:
      - clip: com.example.fruta.Clip
        app: com.example.fruta
        team: ABCDE12345
        appStoreID: "1234567890"
        domains: [fruta.example.com]
        locationConfirmation: true
        name: Fruta
        released: true
        installBytes: 9000000
        defaultExperience:
          title: Fruta
          subtitle: Order a smoothie
          action: VIEW
          localizations: { de-DE: { subtitle: Smoothie bestellen } }
        experiences:
          - link: https://fruta.example.com/order
            title: Fruta
            subtitle: Order
            language: EN
            status: DEACTIVATED
            identifier: e-1
            localizations: { DE: { title: Fruta } }
            place: { path: "/order/{place}" }
    """
  private static let part = """
    clips:
      - clip: com.example.fruta.Clip
        app: com.example.fruta
        team: ABCDE12345
        domains: [fruta.example.com, www.fruta.example.com]
        experiences:
          - link: https://fruta.example.com/order
            title: Fruta
            subtitle: Order now
    """

  private func registry() throws -> any RegistryStore {
    let registry = try RegistryLocation.memory.open()
    _ = try registry.importDocument(Data(Self.whole.utf8), as: .yaml)
    return registry
  }

  @Test("what a file leaves out of a clip and an experience stays, and is told")
  func kept() throws {
    let registry = try registry()
    let before = try #require(try registry.clip(bundleID: "com.example.fruta.Clip"))
    let (report, _) = try registry.importDocument(Data(Self.part.utf8), as: .yaml)
    let clip = try #require(try registry.clip(bundleID: "com.example.fruta.Clip"))
    #expect(clip.domains.count == 2)
    #expect(clip.defaultExperience == before.defaultExperience && clip.locationConfirmation)
    #expect(clip.listing == before.listing && clip.appStoreID == before.appStoreID)
    let experience = try #require(try registry.experiences().first)
    #expect(experience.card.subtitle == "Order now")
    #expect(experience.status == .deactivated && experience.place != nil)
    #expect(experience.listing.identifier == "e-1" && experience.listing.localizations.count == 1)
    #expect(report.clips.changed == 1 && report.experiences.changed == 1)
    #expect(report.dropped.isEmpty)
    #expect(
      report.kept.map(\.fields).sorted { $0.count > $1.count } == [
        [
          "appStoreID", "locationConfirmation", "name", "released", "installBytes",
          "defaultExperience",
        ],
        ["status", "place", "identifier", "localizations"],
      ])
    let (again, _) = try registry.importDocument(Data(Self.part.utf8), as: .yaml)
    #expect(again.clips.unchanged == 1 && again.experiences.unchanged == 1)
  }

  @Test("who says that the file is all there is, is told what went")
  func dropped() throws {
    let registry = try registry()
    let planned = try registry.importDocument(
      Data(Self.part.utf8), as: .yaml, keepsUnstated: false, dryRun: true
    ).report
    #expect(planned.dropped.count == 2 && planned.kept.isEmpty)
    #expect(try registry.clips().first?.locationConfirmation == true)
    let (report, _) = try registry.importDocument(
      Data(Self.part.utf8), as: .yaml, keepsUnstated: false)
    #expect(report.dropped == planned.dropped)
    let clip = try #require(try registry.clips().first)
    #expect(clip.defaultExperience == nil && !clip.locationConfirmation)
    #expect(try registry.experiences().first?.status == .received)
  }

  @Test("a default experience that is said in part keeps the rest of it")
  func nested() throws {
    let registry = try registry()
    let text = Self.part.replacing(
      "    experiences:", with: "    defaultExperience: { title: New }\n    experiences:")
    let (report, _) = try registry.importDocument(Data(text.utf8), as: .yaml)
    let clip = try #require(try registry.clips().first)
    #expect(clip.defaultExperience?.title == "New")
    #expect(clip.defaultExperience?.subtitle == "Order a smoothie")
    #expect(clip.defaultExperience?.action == .view)
    #expect(clip.listing.localizations.count == 1)
    #expect(
      report.kept.first { $0.kind == .clip }?.fields.suffix(3) == [
        "defaultExperience.subtitle", "defaultExperience.action",
        "defaultExperience.localizations",
      ])
  }

  @Test("what is said is taken, also when it is what silence means")
  func said() throws {
    let registry = try registry()
    let text = Self.part.replacing(
      "    experiences:", with: "    locationConfirmation: false\n    experiences:"
    ).replacing(
      "        subtitle: Order now", with: "        status: RECEIVED\n        language: DE")
    _ = try registry.importDocument(Data(text.utf8), as: .yaml)
    #expect(try registry.clips().first?.locationConfirmation == false)
    let experience = try #require(try registry.experiences().first)
    #expect(experience.status == .received && experience.language == "DE")
    #expect(experience.listing.localizations.isEmpty, "its own language has no texts beside it")
  }
}
