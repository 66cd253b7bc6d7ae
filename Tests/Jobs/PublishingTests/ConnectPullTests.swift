import AppStoreConnect
import Foundation
import Invocation
import Publishing
import Registry
import TestSupport
import Testing
import Verifying

private let samples = packageFolder.appending(path: "Samples/fruta")

@Suite("Taking App Store Connect's state into a registry")
struct ConnectPullTests {
  private func snapshot() async throws -> ConnectSnapshot {
    let answers = SavedAnswers(folder: samples.appending(path: "app-store-connect").path)
    return try await ConnectSnapshot.read(app: "1234567890", from: answers)
  }

  private func registry() throws -> any RegistryStore {
    let registry = try RegistryLocation.memory.open()
    let data = try Data(contentsOf: samples.appending(path: "registry.yaml"))
    _ = try registry.importDocument(data, as: .yaml)
    return registry
  }

  @Test("a pull brings in what is new, and keeps places, their rules and other apps' clips")
  func merge() async throws {
    let registry = try registry()
    let before = try registry.document()
    let snapshot = try await snapshot()
    let dry = try registry.pull(snapshot, dryRun: true)
    #expect(try registry.document() == before)
    let report = try registry.pull(snapshot)
    #expect(report.changes == dry.changes)
    #expect(report.changes.clips.changed == 1)
    #expect(report.changes.experiences.added == 1 && report.changes.experiences.changed == 3)
    let after = try registry.document()
    #expect(after.places == before.places)
    #expect(after.clips.count == 2)
    for old in before.experiences {
      let new = after.experiences.first { $0.link == old.link }
      #expect(new?.place == old.place)
    }
    #expect(try registry.pull(snapshot).changes.experiences.unchanged == 4)
  }

  @Test("what only the registry has is told, and removed where that is asked for")
  func others() async throws {
    let registry = try registry()
    let link = try InvocationURL("https://fruta.example.com/new")
    let card = ExperienceCard(title: "New", subtitle: nil, action: .open)
    try registry.add(
      AdvancedExperience(clip: "com.example.fruta.Clip", link: link, card: card))
    let snapshot = try await snapshot()
    #expect(try registry.pull(snapshot).onlyInRegistry == [link])
    #expect(try registry.experience(link: link) != nil)
    let report = try registry.pull(snapshot, removesOthers: true)
    #expect(report.changes.experiences.removed == 1)
    #expect(try registry.experience(link: link) == nil)
    #expect(try registry.experiences(ofClip: "com.example.fruta.rewards.Clip").count == 1)
  }

  @Test("a pull that cannot be finished changes nothing")
  func nothing() async throws {
    let registry = try registry()
    let before = try registry.document()
    var snapshot = try await snapshot()
    snapshot.bundleID = "no bundle identifier"
    #expect(throws: RegistryError.self) { try registry.pull(snapshot) }
    #expect(try registry.document() == before)
  }

  @Test("after a pull, nothing differs between App Store Connect and the registry")
  func comparison() async throws {
    let registry = try registry()
    let snapshot = try await snapshot()
    func differences() throws -> [DocumentDifference] {
      let document = try registry.document()
      let side = try snapshot.compared(over: document).document
      return ComparedDocument.differences(among: [ComparedDocument(document), side])
    }
    #expect(
      try differences().contains {
        $0.field == nil && $0.key.hasSuffix("/menu") && $0.missing == [0]
      }
    )
    // The registry was written by hand: what it does not state is no difference.
    #expect(try differences().filter { $0.field != nil }.map(\.field) == ["subtitle"])
    _ = try registry.pull(snapshot)
    #expect(try differences() == [])
  }

  @Test("the order of domains is no difference")
  func domains() {
    func side(_ domains: [String]) -> ComparedDocument {
      ComparedDocument(
        RegistryDocument(clips: [
          AppClip(
            bundleID: "com.a.b.Clip", appBundleID: "com.a.b", team: "ABCDE12345", domains: domains)
        ]))
    }
    let (one, other) = (
      side(["a.example.com", "b.example.com"]), side(["b.example.com", "a.example.com"])
    )
    #expect(ComparedDocument.differences(among: [one, other]) == [])
    #expect(ComparedDocument.differences(among: [one, side(["a.example.com"])]).count == 1)
  }
}
