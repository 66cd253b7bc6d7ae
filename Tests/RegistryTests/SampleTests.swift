import Foundation
import Invocation
import Registry
import Testing

/// The samples that newcomers import.
@Suite("Sample registries")
struct SampleTests {
  static func sample(_ name: String) throws -> Data {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try Data(contentsOf: root.appending(path: "Samples/\(name)/registry.yaml"))
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
    let registry = try RegistryLocation.memory.open()
    _ = try registry.apply(document)
    #expect(try registry.place(id: "san-francisco") != nil)
    let summer = try registry.experience(link: InvocationURL("https://fruta.example.com/summer"))
    #expect(summer?.status == .deactivated)
    let rewards = try registry.clips(associatedWith: "rewards.example.com")
    #expect(rewards.map(\.bundleID) == ["com.example.fruta.rewards.Clip"])
    #expect(rewards.first?.defaultExperience == nil)
  }
}
