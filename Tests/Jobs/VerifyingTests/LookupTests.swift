import Foundation
import Invocation
import PositionSources
import Synchronization
import TestSupport
import Testing
import Verifying

@Suite("Lookups of a code") struct LookupTests {
  /// A directory that counts the questions about experiences.
  private final class Counting: ExperienceDirectory {
    let catalog: ExperienceCatalog
    let count = Atomic<Int>(0)

    init(_ catalog: ExperienceCatalog) { self.catalog = catalog }

    func clips(associatedWith host: String) throws -> [AppClip] {
      catalog.clips(associatedWith: host)
    }
    func clips() throws -> [AppClip] { catalog.clips() }
    func clip(bundleID: String) throws -> AppClip? { catalog.clip(bundleID: bundleID) }
    func experiences(host: String, foldedKeys: Set<String>) throws -> [AdvancedExperience] {
      count.add(1, ordering: .relaxed)
      return catalog.experiences(host: host, foldedKeys: foldedKeys)
    }
    func place(id: String) throws -> Place? { catalog.place(id: id) }
  }

  private let directory: Counting
  private let positions: PositionWatch

  init() throws {
    let centre = try #require(Coordinate(latitude: 37.323, longitude: -122.0322))
    let circle = Region.circle(try #require(Region.Circle(centre: centre, radius: 100)))
    let clip = AppClip(
      bundleID: "com.example.a.Clip", appBundleID: "com.example.a", team: "ABCDE12345",
      domains: ["a.example.com"], locationConfirmation: true)
    let experience = AdvancedExperience(
      clip: clip.bundleID, link: try InvocationURL("https://a.example.com/order"),
      card: ExperienceCard(title: "A", subtitle: nil, action: .open), place: .fixed(id: "here"))
    directory = Counting(
      ExperienceCatalog(
        clips: [clip], experiences: [experience],
        places: [Place(id: "here", name: "Here", region: circle)]))
    // No time passes, however long the test waits for a processor: neither the report nor the search ages.
    let now = Date()
    positions = PositionWatch(staysPut: true) { decided async throws(PositionError) in
      let report = PositionReport(
        time: now, coordinate: centre, mode: .threeDimensional, horizontalError: 5, source: "test")
      return try await PositionFinder(
        source: RecordedPositions([.report(report)]), clock: ManualClock { _, _ in false },
        now: { now }
      ).find(until: decided, timeout: .seconds(30))
    }
  }

  @Test(
    "a position that comes later is judged without another lookup, on a given phone as on any",
    arguments: [nil, PhoneSituation()])
  func position(phone: PhoneSituation?) async throws {
    var verifier = Verifier(check: InvocationCheck(directory: directory))
    verifier.options.phone = phone
    let url = "https://a.example.com/order"
    let before = try await verifier.verify(url, source: "a")
    #expect(before.verdict == .undecided)
    let lookups = directory.count.exchange(0, ordering: .relaxed)
    verifier.options.positions = positions
    let after = try await verifier.verify(url, source: "a")
    #expect(after.verification.location?.result == .inside)
    #expect(after.verdict == .accepted && after.phone?.verdict ?? .accepted == .accepted)
    #expect(directory.count.load(ordering: .relaxed) == lookups)
  }
}
