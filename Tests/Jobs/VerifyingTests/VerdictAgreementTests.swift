import CliptagBasics
import Invocation
import Issuing
import Testing
import Verifying

/// `check`, issuing, reading and the phone give one answer.
@Suite("One verdict on every way")
struct VerdictAgreementTests {
  @Test("10,000 payloads of random registries get one verdict, whoever asks", arguments: 0..<4)
  func agreement(part: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(34 + part))
    var seen: [Verdict: Int] = [:]
    for _ in 0..<500 {
      let world = try RandomRegistry(&generator)
      let check = InvocationCheck(
        directory: world.catalog, engine: PrefixEngine.allCases.randomElement(using: &generator)!)
      for _ in 0..<5 {
        let payload = world.payload(&generator)
        let location = world.location(&generator)
        let found = try check.examine(payload: payload, carrier: .url, location: location)
        seen[found.verdict, default: 0] += 1
        let context =
          "\(payload) \(found.state) \(found.findings.map(\.message)) \(world.catalog.clips())"
        for channel in [InvocationChannel.qr, .nfc] {
          let phone = try PhoneSimulator(check: check)
            .play(payload, on: PhoneSituation(channel: channel), location: location)
          #expect(phone.verdict == found.verdict, "\(phone.steps.map(\.text)) \(context)")
          #expect((phone.verdict == .accepted) == phone.reasons.isEmpty || location != .notAsked)
        }
        for carrier in [Carrier.qr, .nfc] {
          let read = try await Verifier(check: check, location: location)
            .verify(payload, on: carrier, source: "")
          #expect(read.verdict == found.verdict, "\(context)")
        }
        let general = try check.examine(payload: payload, carrier: .url)
        let isIssued = (try? check.approve(payload)) != nil
        let names = general.findings.contains { $0.code == .unknownPlace }
        #expect(isIssued == (general.verdict == .accepted && !names), "\(context)")
      }
    }
    #expect(Set(seen.keys) == Set(Verdict.allCases))
    #expect(seen.values.allSatisfy { $0 > 30 }, "\(seen)")
  }
}

/// A registry of some clips on some hosts, with everything that a verdict depends on.
private struct RandomRegistry {
  let catalog: ExperienceCatalog

  private static let hosts = ["a.example.com", "b.example.com", "www.a.example.com"]
  private static let paths = [
    "", "/", "/order", "/order1", "/order/cupertino", "/Order", "/order?type=x", "/menu",
  ]
  private static let card = ExperienceCard(title: "T", subtitle: "S", action: .open)

  init(_ generator: inout SeededGenerator) throws {
    func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &generator)! }
    var clips: [AppClip] = []
    for index in 0..<Int.random(in: 1...3, using: &generator) {
      let domains = Self.hosts.filter { _ in Bool.random(using: &generator) }
      var listing = ClipListing(
        minimumIOS: pick([nil, nil, IOSVersion(14), IOSVersion(16), IOSVersion(17), IOSVersion(28)]
        ),
        isReleased: pick([nil, true, true, true, false]),
        installBytes: pick([nil, nil, 9_000_000, 12_000_000, 60_000_000, 200_000_000]),
        demoLink: pick([nil, try InvocationURL("https://appclip.apple.com/demo/\(index)")]))
      listing.domainStatuses =
        pick([true, true, false])
        ? [] : domains.map { DomainStatus(domain: $0, isValid: Bool.random(using: &generator)) }
      clips.append(
        AppClip(
          bundleID: "com.example.\(index).Clip", appBundleID: "com.example.\(index)",
          team: "ABCDE12345", domains: domains, locationConfirmation: pick([true, false]),
          defaultExperience: pick([Self.card, Self.card, Self.card, nil]), listing: listing))
    }
    var experiences: [AdvancedExperience] = []
    for _ in 0..<Int.random(in: 0...5, using: &generator) {
      experiences.append(
        AdvancedExperience(
          clip: "com.example.\(pick([0, 0, 1, 2])).Clip",
          link: try InvocationURL("https://" + pick(Self.hosts) + pick(Self.paths)),
          card: Self.card,
          status: pick([.received, .received, .received, .deactivated]),
          place: pick([
            nil, .fixed(id: "cupertino"), .path(template: try PathTemplate("/order/{place}")),
            .query(item: "place"),
          ])))
    }
    let circle = Coordinate(latitude: 37.3, longitude: -122).flatMap {
      Region.Circle(centre: $0, radius: 100)
    }
    catalog = ExperienceCatalog(
      clips: clips, experiences: experiences,
      places: [Place(id: "cupertino", name: "Cupertino", region: .circle(try #require(circle)))])
  }

  func payload(_ generator: inout SeededGenerator) -> String {
    func pick(_ values: [String]) -> String { values.randomElement(using: &generator)! }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: return "https://appclip.apple.com/id?p=com.example.\(pick(["0", "1", "9"])).Clip"
    case 1: return "https://appclip.apple.com/demo/\(pick(["0", "1"]))\(pick(["", "?a=1"]))"
    case 2: return pick(["order", "http://a.example.com/", "https://foreign.example.com/"])
    default:
      return "https://" + pick(Self.hosts) + pick(Self.paths)
        + pick(["", "/cupertino", "/elsewhere", "/x", "?place=cupertino", "&a=1"])
    }
  }

  func location(_ generator: inout SeededGenerator) -> LocationEvidence {
    let near = Coordinate(latitude: 37.3, longitude: -122).flatMap {
      LocationFix(coordinate: $0, accuracy: 5)
    }
    let far = Coordinate(latitude: 48, longitude: 11).flatMap {
      LocationFix(coordinate: $0, accuracy: 5)
    }
    let evidence: [LocationEvidence] =
      [.notAsked, .notAsked, .missing, .waived]
      + [near, far].compactMap { $0.map(LocationEvidence.fix) }
    return evidence.randomElement(using: &generator)!
  }
}
