import Foundation
import Invocation
import RegistryFixtures
@testable import RegistryDocuments
import TestSupport
import Testing

/// The format of exported files.
@Suite("Exported files")
struct WritingTests {
  private func document() throws -> RegistryDocument {
    RegistryDocument(
      clips: [Fixtures.clip],
      experiences: [
        AdvancedExperience(
          clip: Fixtures.clip.bundleID, link: try InvocationURL("https://fruta.example.com/order"),
          card: ExperienceCard(title: "Fruta: \"Oslo\"", subtitle: "Smoothie #1", action: .view),
          language: "NO", place: .path(template: try PathTemplate("/order/{place}"))),
        AdvancedExperience(
          clip: Fixtures.clip.bundleID, link: try InvocationURL("https://fruta.example.com/a#b"),
          card: ExperienceCard(title: nil, subtitle: "👩‍🍳", action: .open), status: .deactivated,
          place: .coordinates(latitudeItem: "lat", longitudeItem: "lon", radius: 12.5)),
      ],
      places: [Fixtures.sanFrancisco, Fixtures.cupertino])
  }

  @Test("YAML is what a person would write, with quotes where a reader needs them")
  func yaml() throws {
    let expected = #"""
      clips:
        - clip: com.example.fruta.Clip
          app: com.example.fruta
          team: ABCDE12345
          appStoreID: "1234567890"
          domains: [fruta.example.com, appclip.example.com]
          locationConfirmation: true
          defaultExperience:
            title: Fruta
            action: OPEN
          experiences:
            - link: https://fruta.example.com/a#b
              subtitle: "👩\u200D🍳"
              action: OPEN
              language: EN
              status: DEACTIVATED
              place: { coordinates: [lat, lon], radius: 12.5 }
            - link: https://fruta.example.com/order
              title: "Fruta: \"Oslo\""
              subtitle: "Smoothie #1"
              action: VIEW
              language: "NO"
              status: RECEIVED
              place: { path: "/order/{place}" }
      places:
        - id: cupertino
          name: Fruta cupertino
          region: { latitude: 37.323, longitude: -122.0322, radius: 100 }
        - id: san-francisco
          name: Fruta san-francisco
          region: { latitude: 37.7749, longitude: -122.4194, radius: 100 }

      """#
    #expect(try document().text(as: .yaml) == expected)
  }

  @Test("a place of several regions has one on each line")
  func severalRegions() {
    let document = RegistryDocument(places: [Fixtures.severalRegions("mall", 1, 2)])
    #expect(
      document.text(as: .yaml).hasSuffix(
        """
        places:
          - id: mall
            name: Fruta mall
            regions:
              - { latitude: 1, longitude: 2, radius: 100 }
              - { latitude: 1.01, longitude: 2, radius: 40.5 }
              - { polygon: [[1.001, 2], [1.002, 2.001], [1.002, 2]] }
            language: pt-BR

        """))
  }

  @Test("JSON is what Foundation reads, with its keys in the same order")
  func json() throws {
    let text = try document().text(as: .json)
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let places = object?["places"] as? [[String: Any]]
    #expect(places?.first?["id"] as? String == "cupertino")
    #expect(
      text.hasPrefix(
        """
        {
          "clips": [
            {
              "clip": "com.example.fruta.Clip",
              "app": "com.example.fruta",
              "team": "ABCDE12345",
              "appStoreID": "1234567890",
              "domains": ["fruta.example.com", "appclip.example.com"],
              "locationConfirmation": true,
              "defaultExperience": {
                "title": "Fruta",
                "action": "OPEN"
              },
              "experiences": [
                {
                  "link": "https://fruta.example.com/a#b",

        """))
  }

  @Test("the language of a place is read and written, and must be the tag of one")
  func placeLanguage() throws {
    func read(_ tag: String) throws -> RegistryDocument {
      try fruta(("name: Fruta Cupertino", "name: Fruta Cupertino\n    language: \(tag)"))
    }
    let document = try read("pt-BR")
    #expect(document.places.first { $0.id == "cupertino" }?.language == "pt-BR")
    #expect(document.text(as: .yaml).contains("language: pt-BR"))
    for tag in ["DE", "deutsch", "d", "de-"] {
      #expect(throws: (any Error).self) { try read(tag) }
    }
  }

  @Test("an empty registry is written as empty lists")
  func empty() {
    #expect(RegistryDocument().text(as: .yaml) == "clips: []\nplaces: []\n")
    #expect(RegistryDocument().text(as: .json) == "{\n  \"clips\": [],\n  \"places\": []\n}\n")
  }
}

private let sample = packageFolder.appending(path: "Samples/fruta/registry.yaml")

private func fruta(_ changes: (of: String, with: String)...) throws -> RegistryDocument {
  var text = try String(contentsOf: sample, encoding: .utf8)
  for change in changes {
    try #require(text.contains(change.of))
    text = text.replacingOccurrences(of: change.of, with: change.with)
  }
  return try RegistryDocument.read(Data(text.utf8), as: .yaml).document
}

@Suite("What differs between documents")
struct DifferenceTests {
  private func differences(_ documents: RegistryDocument...) -> [DocumentDifference] {
    ComparedDocument.differences(among: documents.map { ComparedDocument($0) })
  }

  @Test("the same content in another order or spelling is no difference")
  func same() throws {
    let other = try fruta(("https://fruta.example.com/order1", "https://FRUTA.example.com/order1"))
    var turned = try fruta()
    turned.experiences.reverse()
    #expect(differences(try fruta(), other, turned) == [])
  }

  @Test("a change is told by its field, with what each side says")
  func field() throws {
    let other = try fruta(
      ("Pick up your smoothie", "Collect it"), ("radius: 100 }      #", "radius: 50 }  #"))
    let found = differences(try fruta(), other)
    #expect(found.map(\.kind) == [.experience, .place])
    #expect(found.map(\.field) == ["subtitle", "region.radius"])
    #expect(found[0].key == "https://fruta.example.com/order1")
    #expect(found[0].values == ["Pick up your smoothie", "Collect it"])
    #expect(found[1].values == ["100", "50"])
  }

  @Test("what one of three lacks is told as missing there, and its fields are compared elsewhere")
  func missing() throws {
    var less = try fruta()
    less.experiences.removeAll { $0.link.path == "/order1" }
    let other = try fruta(("Pick up your smoothie", "Collect it"))
    let found = differences(try fruta(), less, other)
    #expect(found.map(\.missing) == [[1], []])
    #expect(found.map(\.field) == [nil, "subtitle"])
    #expect(found[1].values == ["Pick up your smoothie", nil, "Collect it"])
  }

  @Test("a side that speaks for some clips or fields only is not asked about others")
  func scope() throws {
    var less = try fruta(("Pick up your smoothie", "Collect it"))
    less.clips.removeAll { $0.bundleID.contains("rewards") }
    less.experiences.removeAll { $0.clip.contains("rewards") }
    less.places = []
    let side = ComparedDocument(
      less, clips: { $0.bundleID == "com.example.fruta.Clip" }, unknown: ["subtitle"])
    #expect(ComparedDocument.differences(among: [ComparedDocument(try fruta()), side]) == [])
  }
}

/// The samples that new users import.
@Suite("Sample registries")
struct SampleTests {
  static func sample(_ name: String) throws -> Data {
    try Data(contentsOf: packageFolder.appending(path: "Samples/\(name)/registry.yaml"))
  }

  @Test("every sample imports without a warning", arguments: ["fruta", "city"])
  func imports(name: String) throws {
    let reading = try RegistryDocument.read(try Self.sample(name), as: .yaml)
    #expect(reading.warnings == [])
    #expect(!reading.document.experiences.isEmpty)
  }

  @Test("what a sample says survives YAML and JSON", arguments: ["fruta", "city"])
  func roundTrips(name: String) throws {
    let document = try RegistryDocument.read(try Self.sample(name), as: .yaml).document.sorted()
    for format in RegistryDocument.Format.allCases {
      let text = document.text(as: format)
      let again = try RegistryDocument.read(Data(text.utf8), as: format).document
      #expect(again == document)
      #expect(again.text(as: format) == text)
    }
  }

  @Test("Fruta holds what the demonstration shows")
  func fruta() throws {
    let document = try RegistryDocument.read(try Self.sample("fruta"), as: .yaml).document
    #expect(document.places.contains { $0.id == "san-francisco" })
    let summer = document.experiences.first {
      $0.link.normalized == "https://fruta.example.com/summer"
    }
    #expect(summer?.status == .deactivated)
    let rewards = document.clips.filter { $0.domains.contains("rewards.example.com") }
    #expect(rewards.map(\.bundleID) == ["com.example.fruta.rewards.Clip"])
    #expect(rewards.first?.defaultExperience?.title == "Fruta Rewards")
  }
}
