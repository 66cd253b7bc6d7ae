import Foundation
import Invocation
import Registry
import Testing

/// What an exported file looks like.
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

  @Test("an empty registry is written as empty lists")
  func empty() {
    #expect(RegistryDocument().text(as: .yaml) == "clips: []\nplaces: []\n")
    #expect(RegistryDocument().text(as: .json) == "{\n  \"clips\": [],\n  \"places\": []\n}\n")
  }
}
