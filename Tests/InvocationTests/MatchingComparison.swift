import Basics
import Invocation

/// Draws registries and URLs, and compares what a check says of them with the reference.
struct MatchingComparison {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Compares many cases, thirty in each registry.
  ///
  /// - Returns: The first differences, in words.
  mutating func differences(cases: Int) throws -> [String] {
    var differences: [String] = []
    var done = 0
    while done < cases, differences.count < 5 {
      let world = world()
      let catalog = ExperienceCatalog(
        clips: world.clips, experiences: try experiences(of: world))
      for _ in 0..<min(30, cases - done) {
        differences += try compare(world, catalog)
        done += 1
      }
    }
    return differences
  }

  private mutating func compare(
    _ world: MatchingReference, _ catalog: ExperienceCatalog
  ) throws -> [String] {
    let url = MatchingReference.Link(&generator)
    let hasFragment = Int.random(in: 0..<8, using: &generator) == 0
    let payload = url.written + (hasFragment ? "#A/" : "")
    let engine = PrefixEngine.allCases.randomElement(using: &generator)!
    let carrier: Carrier = Bool.random(using: &generator) ? .qr : .appClipCode
    let wanted = world.answer(url, fragment: hasFragment, engine: engine, carrier: carrier)
    let directories: [any ExperienceDirectory] = [catalog, ByKeys(catalog: catalog)]
    return try directories.compactMap { directory in
      let found = MatchingReference.Answer(
        try InvocationCheck(directory: directory, engine: engine)
          .examine(payload: payload, carrier: carrier))
      if found == wanted { return nil }
      let links = world.registered.map { "\($0.link.written) \($0.clip) \($0.status)" }
      return "\(payload) by \(engine) under \(links): \(found), not \(wanted)"
    }
  }

  private mutating func world() -> MatchingReference {
    let clips = ["com.example.a.Clip", "com.example.b.Clip"].map { id in
      AppClip(
        bundleID: id, appBundleID: String(id.dropLast(5)), team: "ABCDE12345",
        domains: MatchingReference.hosts.dropFirst().map(\.normal).filter { _ in
          Int.random(in: 0..<3, using: &generator) > 0
        }, locationConfirmation: false,
        defaultExperience: Bool.random(using: &generator)
          ? ExperienceCard(title: "A", subtitle: nil, action: .open) : nil)
    }
    let count = Int.random(in: 0...14, using: &generator)
    var registered: [MatchingReference.Registered] = []
    for _ in 0..<count {
      let one = MatchingReference.Registered(
        link: MatchingReference.Link(&generator),
        clip: ["com.example.a.Clip", "com.example.b.Clip", "com.example.none.Clip"]
          .randomElement(using: &generator)!,
        status: [.received, .received, .received, .deactivated, .appTransferInProgress]
          .randomElement(using: &generator)!)
      // Two experiences of one clip with one link are one.
      let isThere = registered.contains {
        $0.clip == one.clip && $0.link.normalized == one.link.normalized
      }
      if !isThere { registered.append(one) }
    }
    return MatchingReference(clips: clips, registered: registered)
  }

  private func experiences(of world: MatchingReference) throws -> [AdvancedExperience] {
    try world.registered.map { one in
      AdvancedExperience(
        clip: one.clip, link: try InvocationURL(one.link.written),
        card: ExperienceCard(title: nil, subtitle: nil, action: .view), status: one.status)
    }
  }
}

/// A directory that knows no faster way than the URL's keys.
private struct ByKeys: ExperienceDirectory {
  let catalog: ExperienceCatalog

  func clips(associatedWith host: String) -> [AppClip] { catalog.clips(associatedWith: host) }
  func clip(bundleID: String) -> AppClip? { catalog.clip(bundleID: bundleID) }
  func place(id: String) -> Place? { catalog.place(id: id) }
  func experiences(host: String, foldedKeys: Set<String>) -> [AdvancedExperience] {
    catalog.experiences(host: host, foldedKeys: foldedKeys)
  }
}
