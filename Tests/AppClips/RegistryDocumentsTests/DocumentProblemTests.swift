import CliptagBasics
import Foundation
import Invocation
import RegistryDocuments
import Testing

/// The invalid contents of registry files, and their positions in the report.
@Suite("Problems of registry files")
struct DocumentProblemTests {
  private func problems(
    _ text: String, _ format: RegistryDocument.Format = .yaml
  ) -> [DocumentProblem] {
    do {
      _ = try RegistryDocument.read(Data(text.utf8), as: format)
      return []
    } catch {
      #expect(error.code == .invalidDocument)
      return error.problems
    }
  }

  /// Returns a file with one clip and one place, and a slot for a mistake in each.
  private func file(
    clip: String = "", experience: String = "", place: String = "", link: String = "/order",
    region: String = "{ latitude: 1, longitude: 2, radius: 100 }"
  ) -> String {
    """
    clips:
      - clip: com.example.fruta.Clip
        app: com.example.fruta
        team: ABCDE12345
        domains: [fruta.example.com]
    \(clip)
        experiences:
          - link: https://fruta.example.com\(link)
    \(experience)
    places:
      - id: cupertino
        name: Fruta Cupertino
        region: \(region)
    \(place)
    """
  }

  @Test("the frame of these tests is a sound file")
  func frame() { #expect(problems(file()) == []) }

  @Test(
    "a clip's mistakes are found on their line",
    arguments: [
      ("    titel: x", "titel"), ("    appStoreID: 1234567890", "double quotes"),
      ("    appStoreID: \"12x\"", "App Store"), ("    locationConfirmation: yes", "true or false"),
      ("    team: ABCDE12345", "Duplicate key"), ("    defaultExperience: Fruta", "mapping"),
      ("    defaultExperience: { title: 1234567890123456789012345678901 }", "double quotes"),
      ("    defaultExperience: { title: x234567890123456789012345678901 }", "at most 30"),
      (
        "    defaultExperience: { subtitle: x23456789012345678901234567890123456789012345678901234567 }",
        "at most 56"
      ),
      ("    defaultExperience: { action: open }", "OPEN, VIEW or PLAY"),
      ("    defaultExperience: { title: \"\" }", "empty"),
      ("    defaultExperience: { title: \"a\\u0007\" }", "control character"),
      ("    defaultExperience: { title: \"a\\uFEFF\" }", "byte-order mark"),
    ])
  func clip(line: String, words: String) {
    let found = problems(file(clip: line))
    #expect(found.count == 1)
    #expect(found.first?.line == 6)
    #expect(found.first?.message.contains(words) == true, "\(found)")
  }

  @Test(
    "an experience's mistakes are found on their line",
    arguments: [
      ("        status: ACTIVE", "RECEIVED, DEACTIVATED or APP_TRANSFER_IN_PROGRESS"),
      ("        language: en", "JA"), ("        language: [EN]", "a list"),
      ("        place: cupertino", "mapping"), ("        place: {}", "exactly one"),
      ("        place: { id: cupertino, query: x }", "exactly one"),
      ("        place: { id: cupertinp }", "mean “cupertino”"),
      ("        place: { path: order }", "slash"), ("        place: { path: /order }", "{place}"),
      ("        place: { path: \"/order/{place\" }", "brace"),
      ("        place: { path: \"/menu/{place}\" }", "matches no URL"),
      ("        place: { query: store, radius: 100 }", "coordinates"),
      ("        place: { coordinates: [lat, lon] }", "radius"),
      ("        place: { coordinates: [lat], radius: 10 }", "two query items"),
      ("        place: { coordinates: [lat, lat], radius: 10 }", "two query items"),
      ("        place: { coordinates: [lat, lon], radius: 501 }", "500"),
      ("        place: { coordinates: [lat, lon], radius: 0 }", "greater than 0"),
      ("        place: { coordinates: [lat, lon], radius: .nan }", "a number"),
    ])
  func experience(line: String, words: String) {
    let found = problems(file(experience: line))
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.line == 9)
    #expect(found.first?.message.contains(words) == true, "\(found)")
  }

  @Test(
    "a region's mistakes are found",
    arguments: [
      ("{ latitude: 91, longitude: 2, radius: 100 }", "-90 to 90"),
      ("{ latitude: 122.03, longitude: 37.3, radius: 100 }", "exchanged"),
      ("{ latitude: 1, longitude: -181, radius: 100 }", "-180 to 180"),
      ("{ latitude: 1, longitude: 2, radius: 501 }", "500"),
      ("{ latitude: 1, longitude: 2, radius: -1 }", "greater than 0"),
      ("{ latitude: 1, longitude: 2 }", "radius"), ("{ radius: 1 }", "latitude and longitude"),
      ("{ latitude: \"1\", longitude: 2, radius: 1 }", "quotes"),
      ("{ latitude: 37,3230, longitude: 2, radius: 1 }", "point"),
      ("{ latitude: \"37,3230\", longitude: 2, radius: 1 }", "point"),
      ("{ polygon: [[1, 2], [3, 4]] }", "three"),
      ("{ polygon: [[1, 2], [3, 4], [1, 2]] }", "three"),
      ("{ polygon: [[1, 2], [3, 4], [5]] }", "[latitude, longitude]"),
      ("{ polygon: [[1, 2], [1, 2], [3, 4], [5, 6]] }", "repeats"),
      ("{ polygon: [[1, 2], [3, 4], [5, 600]] }", "-180 to 180"),
      ("{ polygon: [[1, 2], [3, 4], [5, 6]], radius: 7 }", "not both"), ("[1, 2]", "mapping"),
    ])
  func region(region: String, words: String) {
    let found = problems(file(region: region))
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.line == 13)
    #expect(found.first?.message.contains(words) == true, "\(found)")
  }

  @Test(
    "mistakes in a list of regions are found on their line",
    arguments: [
      ("    regions: []", 14, "not both"),
      ("    regions: [{ latitude: 1, longitude: 2, radius: 100 }]", 14, "not both"),
    ])
  func regionAndRegions(line: String, number: Int, words: String) {
    let found = problems(file(place: line))
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.line == number)
    #expect(found.first?.message.contains(words) == true, "\(found)")
  }

  @Test(
    "a list of regions holds circles and polygons, each once",
    arguments: [
      ("[]", "is empty"), ("{ latitude: 1, longitude: 2, radius: 100 }", "is a list"),
      ("[{ latitude: 1, longitude: 2, radius: 501 }]", "500"),
      (
        "[{ latitude: 1, longitude: 2, radius: 5 }, { latitude: 1, longitude: 2, radius: 5 }]",
        "repeats"
      ),
      ("[{ latitude: 1, longitude: 2, radius: 5, regions: [] }]", "no key"),
    ])
  func regions(regions: String, words: String) {
    let found = problems(
      file().replacing(
        "region: { latitude: 1, longitude: 2, radius: 100 }", with: "regions: \(regions)"))
    #expect(found.first?.line == 13, "\(found)")
    #expect(found.first?.message.contains(words) == true, "\(found)")
  }

  @Test(
    "a bad link is refused with the rule it breaks",
    arguments: [
      ("http://fruta.example.com/", "https"), ("https://fruta/", "dot"),
      ("https://u@fruta.example.com/", "user"), ("https://fruta.example.com:443/", "port"),
      ("fruta.example.com", "scheme"), ("https://fruta.example.com/a b", "space"),
    ])
  func links(link: String, words: String) {
    let text = """
      clips:
        - clip: com.example.fruta.Clip
          app: com.example.fruta
          team: ABCDE12345
          domains: [fruta.example.com]
          experiences:
            - link: \(link)
      """
    let found = problems(text)
    #expect(found.count == 1)
    #expect(found.first?.line == 7 && found.first?.column == 15)
    #expect(found.first?.message.contains(words) == true, "\(found)")
  }

  @Test(
    "a domain is an exact host",
    arguments: ["\"*.example.com\"", "https://example.com", "appclips:example.com", "a", "1.2.3.4"])
  func domains(domain: String) {
    let text = "clips:\n- {clip: a.b.c, app: a.b, team: ABCDE12345, domains: [\(domain)]}\n"
    #expect(problems(text).count == 1)
  }

  @Test("one file's ten mistakes are all reported, in order")
  func many() {
    let text = """
      clips:
        - clip: com.example.other
          app: com.example.fruta
          team: abc
          domains: [fruta.example.com, fruta.example.com]
          locationConfirmation: maybe
          experiences:
            - link: http://fruta.example.com/order
              subtitle: Order a smoothie
              subtitle: Order another smoothie
              language: XX
            - link: https://fruta.example.com/a
              place: { id: nowhere }
            - link: https://FRUTA.example.com/a
      places:
        - id: cupertino
          region: { latitude: 137.3, longitude: -122.0, radius: 1000 }
        - id: cupertino
          name: Again
          region: { latitude: 1, longitude: 1, radius: 1 }
      extra: 1
      """
    #expect(problems(text).map(\.line) == [2, 4, 5, 6, 8, 10, 11, 13, 14, 16, 17, 17, 18, 21])
  }

  @Test("a duplicate key is told with both lines, in every mapping")
  func duplicateKeys() {
    let text = """
      places:
        - id: a
          name: A
          id: b
          region: { latitude: 1, latitude: 2, longitude: 3, radius: 4 }
          "name": B
          name: C
      """
    let found = problems(text)
    #expect(found.map(\.line) == [4, 5, 6, 7])
    #expect(found.first?.message.contains("first in line 2") == true)
    let json = problems("{\"places\": [],\n \"places\": []}", .json)
    #expect(json == [DocumentProblem(line: 2, column: 2, json.first?.message ?? "")])
  }

  @Test("what cannot be invoked is a warning, not an error")
  func warnings() throws {
    let text = file(link: "/order").replacing("[fruta.example.com]", with: "[other.example.com]")
    let reading = try RegistryDocument.read(Data(text.utf8), as: .yaml)
    #expect(reading.warnings.map(\.line) == [8])
    #expect(reading.document.experiences.count == 1)
  }

  @Test("a place that the registry knows may be named")
  func knownPlaces() throws {
    let text = file(experience: "        place: { id: elsewhere }")
    #expect(problems(text).count == 1)
    let reading = try RegistryDocument.read(
      Data(text.utf8), as: .yaml, knownPlaces: ["elsewhere"])
    #expect(reading.document.experiences.first?.place == .fixed(id: "elsewhere"))
  }

  @Test("an empty file is refused", arguments: RegistryDocument.Format.allCases)
  func empty(format: RegistryDocument.Format) {
    #expect(problems("", format).count == 1)
    #expect(problems(format == .json ? "null" : "# nothing\n", format).count == 1)
    #expect(problems("[]", format).count == 1)
  }

  @Test("bytes that are not UTF-8 are told with their place")
  func encoding() {
    let bytes = Data("clips: []\n# caf".utf8) + [0xE9, 0x0A]
    #expect(throws: RegistryError(.invalidDocument, "", hint: "")) {
      try RegistryDocument.read(bytes, as: .yaml)
    }
    do {
      _ = try RegistryDocument.read(bytes, as: .yaml)
    } catch {
      #expect(error.problems.map(\.line) == [2])
      #expect(error.problems.map(\.column) == [6])
    }
  }

  @Test("the ending of a name tells the format")
  func formats() {
    #expect(RegistryDocument.Format(path: "a/b.c/registry.YAML") == .yaml)
    #expect(RegistryDocument.Format(path: "r.yml") == .yaml)
    #expect(RegistryDocument.Format(path: "r.yaml.json") == .json)
    #expect(RegistryDocument.Format(path: "r.txt") == nil)
    #expect(RegistryDocument.Format(path: "") == nil)
  }
}
