import Foundation
import Testing

/// Experiences with their data of App Store Connect.
extension CommandSuite {
  @Suite("Experiences") struct ExperienceCommandTests {
    private static let link = "https://fruta.example.com/order"

    private static let registry = """
      clips:
        - clip: com.example.fruta.Clip
          app: com.example.fruta
          team: ABCDE12345
          domains: [fruta.example.com]
          locationConfirmation: false
          experiences:
            - link: \(link)
              title: Fruta
              identifier: "4711"
              localizations:
                FR: { title: Fruta, subtitle: Commandez un smoothie }
                DE: { title: Fruta, subtitle: Einen Smoothie bestellen }
              image: { file: card.png, width: 1800, height: 1200 }
              poweredBy: true
              businessCategory: FOOD_AND_DRINK
              placeStatus: MATCHED
              changed: 2026-03-04T05:06:07Z
      """

    @Test("an experience is shown with what App Store Connect holds of it")
    func listing() async throws {
      let sandbox = try Sandbox()
      try sandbox.write(Self.registry, to: "registry.yaml")
      _ = try await sandbox.run("registry", "import", "registry.yaml")
      let shown = try await sandbox.run("experience", "show", Self.link, "--json")
      let found = try #require(try shown.lines.first)
      #expect(found["identifier"] == "4711" && found["businessCategory"] == "FOOD_AND_DRINK")
      #expect(found["placeStatus"] == "MATCHED" && found["changed"] == "2026-03-04T05:06:07Z")
      #expect(shown.output.contains(#""poweredBy":true"#))
      #expect(shown.output.contains(#""image":{"file":"card.png","width":1800,"height":1200}"#))
      #expect(
        shown.output.contains(
          #"{"language":"DE","title":"Fruta","subtitle":"Einen Smoothie bestellen"},{"#))
    }

    @Test("--replace changes what its options say, and keeps the rest")
    func replace() async throws {
      let sandbox = try Sandbox()
      try sandbox.write(Self.registry, to: "registry.yaml")
      _ = try await sandbox.run("registry", "import", "registry.yaml")
      let replaced = try await sandbox.run(
        "experience", "add", Self.link, "--clip", "com.example.fruta.Clip", "--title", "Fruta Bar",
        "--replace", "--json")
      let found = try #require(try replaced.lines.first)
      #expect(found["title"] == "Fruta Bar" && found["identifier"] == "4711")
      #expect(replaced.output.contains("Commandez un smoothie"))
    }
  }
}
