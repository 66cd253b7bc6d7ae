import CliptagBasics
import Foundation
import Invocation
import Registry
import RegistryFixtures
import TestSupport
import Testing

/// Random sequences of operations, after which all stores must be in the same state.
@Suite("Random operations")
struct RandomOperationTests {
  /// Returns the outcome of an operation, for comparison.
  private func outcome(_ operation: () throws -> Void) -> String {
    do {
      try operation()
      return "done"
    } catch let error as RegistryError {
      return error.code.rawValue
    } catch {
      return "\(error)"
    }
  }

  @Test("all stores answer every sequence alike", arguments: 0..<8)
  func alike(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let stores = try StoreKind.allCases.map { try $0.make(in: folder) }
    var generator = SeededGenerator(seed: seed)
    var failures: Set<String> = []
    for _ in 0..<120 {
      let operation = try randomOperation(&generator)
      let outcomes = stores.map { store in outcome { try operation(store) } }
      #expect(Set(outcomes).count == 1, "\(outcomes)")
      failures.insert(outcomes[0])
    }
    for other in stores.dropFirst() {
      #expect(try stores[0].document() == other.document())
      #expect(try stores[0].counts() == other.counts())
      #expect(try stores[0].codes() == other.codes())
      for code in try stores[0].codes() {
        #expect(try stores[0].history(of: code.id) == other.history(of: code.id))
      }
      for number in 0..<4 {
        let host = "host\(number).example.com"
        let keys: Set = ["/", "/a", "/a/b", "/?x=1"]
        let sets = try [stores[0], other].map { try $0.experiences(host: host, foldedKeys: keys) }
        #expect(sets[0] == sets[1])
        #expect(try stores[0].clips(associatedWith: host) == other.clips(associatedWith: host))
      }
    }
    #expect(failures.isSuperset(of: ["done", "already-exists", "not-found"]))
  }

  @Test("what a registry holds survives export and import into an empty one", arguments: 0..<20)
  func exported(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let registry = try RegistryLocation.memory.open()
    _ = try registry.apply(try randomDocument(&generator))
    for format in RegistryDocument.Format.allCases {
      let text = try registry.document().text(as: format)
      for kind in StoreKind.allCases {
        let folder = try TemporaryFolder()
        let other = try kind.make(in: folder)
        let (report, _) = try other.importDocument(Data(text.utf8), as: format)
        let (expected, found) = (try registry.document(), try other.document())
        #expect(found.clips == expected.clips)
        #expect(found.experiences == expected.experiences)
        #expect(found.places == expected.places)
        #expect(try other.document().text(as: format) == text)
        #expect(report.experiences.added == (try registry.counts().experiences))
      }
    }
  }

  // MARK: Random values

  private func randomOperation(
    _ generator: inout SeededGenerator
  ) throws -> (any RegistryStore) throws -> Void {
    let clip = randomClip(&generator)
    let place = randomPlace(&generator)
    let experience = try randomExperience(&generator, clip: clip.bundleID)
    let code = Fixtures.code(
      UInt64.random(in: 0..<10, using: &generator),
      place: Bool.random(using: &generator) ? place.id : nil)
    let even = Bool.random(using: &generator)
    let document = RegistryDocument(clips: [clip], experiences: [experience], places: [place])
    switch Int.random(in: 0..<14, using: &generator) {
    case 0: return { try $0.add(clip) }
    case 1: return { try $0.replace(clip) }
    case 2: return { try $0.removeClip(bundleID: clip.bundleID, evenIfInUse: even) }
    case 3, 4: return { try $0.add(experience) }
    case 5: return { try $0.replace(experience) }
    case 6: return { try $0.removeExperience(link: experience.link) }
    case 7, 8: return { try $0.add(place) }
    case 9: return { try $0.replace(place) }
    case 10: return { try $0.removePlace(id: place.id, evenIfInUse: even) }
    case 11: return { try $0.issue([code], by: "cliptag") }
    case 12: return { try $0.retire(code.id, at: code.created, by: "cliptag") }
    default:
      return { _ = try $0.apply(document, even && code.placeID == nil ? .replaceAll : .merge) }
    }
  }

  private func randomDocument(_ generator: inout SeededGenerator) throws -> RegistryDocument {
    var clips: [String: AppClip] = [:]
    var places: [String: Place] = [:]
    var experiences: [String: AdvancedExperience] = [:]
    for _ in 0..<3 {
      let clip = randomClip(&generator)
      clips[clip.bundleID] = clip
    }
    for _ in 0..<6 {
      let place = randomPlace(&generator)
      places[place.id] = place
    }
    let clipIDs = clips.keys.sorted()
    for _ in 0..<8 {
      let clip = clipIDs[Int.random(in: 0..<clipIDs.count, using: &generator)]
      let experience = try randomExperience(&generator, clip: clip)
      if case .fixed(let id) = experience.place, places[id] == nil { continue }
      experiences[experience.link.normalized] = experience
    }
    return RegistryDocument(
      clips: Array(clips.values), experiences: Array(experiences.values),
      places: Array(places.values))
  }

  private func randomClip(_ generator: inout SeededGenerator) -> AppClip {
    let number = Int.random(in: 0..<3, using: &generator)
    let domains = (0..<4).filter { _ in Bool.random(using: &generator) }
    return AppClip(
      bundleID: "com.example.app\(number).Clip", appBundleID: "com.example.app\(number)",
      team: "ABCDE12345", appStoreID: Bool.random(using: &generator) ? "00123" : nil,
      domains: domains.map { "host\($0).example.com" },
      locationConfirmation: Bool.random(using: &generator),
      defaultExperience: Bool.random(using: &generator) ? randomCard(&generator) : nil)
  }

  private func randomExperience(
    _ generator: inout SeededGenerator, clip: String
  ) throws -> AdvancedExperience {
    let host = Int.random(in: 0..<4, using: &generator)
    let path = ["", "/a", "/A", "/a/b", "/?x=1", "/%7e", "/ü#f"].randomElement(using: &generator)!
    let rules: [PlaceRule?] = [
      nil, .fixed(id: "p0"), .fixed(id: "yes"), .query(item: "no: #1"),
      .coordinates(latitudeItem: "lat", longitudeItem: "1", radius: 0.1),
      path == "/a" ? .path(template: try PathTemplate("/a/{place}/x{n}")) : nil,
    ]
    return AdvancedExperience(
      clip: clip, link: try InvocationURL("https://host\(host).example.com\(path)"),
      card: randomCard(&generator),
      language: ["EN", "NO", "JA"].randomElement(using: &generator)!,
      status: ExperienceStatus.allCases.randomElement(using: &generator)!,
      place: rules.randomElement(using: &generator)!)
  }

  private func randomCard(_ generator: inout SeededGenerator) -> ExperienceCard {
    ExperienceCard(
      title: randomText(&generator), subtitle: randomText(&generator),
      action: CardAction.allCases.randomElement(using: &generator)!)
  }

  /// Returns a text that YAML or JSON could take for another value.
  private func randomText(_ generator: inout SeededGenerator) -> String? {
    let texts: [String?] = [
      nil, "null", "~", "true", "No", "y", "12", "1e3", "-", "- a", "a: b", "a:", "a #b", "#", "a ",
      " a", "\"q\"", "it's", "back\\slash", "{x}", "[x]", "a, b", "*a", "&a", "!a", "|", ">", "%a",
      "@a", "`a", "?", "? a", "=", "<<", "0x1F", "1:30", "2026-11-21", ".5", "+1", "カフェ", "🧋",
      "👩‍🍳", "🏴\u{E0067}\u{E0062}\u{E007F}", "a\u{A0}b", "a\u{2028}b", "e\u{301}",
      "a:\u{301}",
      "a: \u{301}b", "\u{301}", "é:", "/", "/a b", "x\u{200D}", "\u{E000}", "\u{FFFE}", "---",
      "...",
    ]
    return texts.randomElement(using: &generator)!
  }

  private func randomPlace(_ generator: inout SeededGenerator) -> Place {
    let id = ["p0", "p1", "yes", "007", "caf\u{E9}", "渋谷"].randomElement(using: &generator)!
    func corner() -> Coordinate {
      Coordinate(
        latitude: Double.random(in: -90...90, using: &generator),
        longitude: Double.random(in: -180...180, using: &generator))!
    }
    let circle = Region.Circle(
      centre: corner(), radius: Double.random(in: 0.001...500, using: &generator))!
    let polygon = Region.Polygon(corners: [corner(), corner(), corner(), corner()])!
    return Place(
      id: id, name: randomText(&generator) ?? "Name",
      region: Bool.random(using: &generator) ? .circle(circle) : .polygon(polygon))
  }
}
