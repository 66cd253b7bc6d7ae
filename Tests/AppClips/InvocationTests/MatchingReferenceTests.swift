import CliptagBasics
import Foundation
import Invocation
import TestSupport
import Testing

@Suite("Matching against a reference")
struct MatchingComparisonTests {
  /// Compares the check with the reference; `CLIPTAG_MATCHING_CASES` sets more cases than the usual
  /// run.
  @Test("what a check says is what a loop over all experiences says")
  func sameAsReference() throws {
    let wanted = ProcessInfo.processInfo.environment["CLIPTAG_MATCHING_CASES"].flatMap { Int($0) }
    var comparison = MatchingComparison(seed: 6)
    #expect(try comparison.differences(cases: wanted ?? 2_000) == [])
  }
}

/// Generates registries and URLs, and compares the check's results with the reference.
struct MatchingComparison {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Compares many cases, thirty in each registry.
  ///
  /// - Returns: Descriptions of the first differences.
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
        },
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

/// A directory that looks up by the URL's keys only.
private struct ByKeys: ExperienceDirectory {
  let catalog: ExperienceCatalog

  func clips(associatedWith host: String) -> [AppClip] { catalog.clips(associatedWith: host) }
  func clips() -> [AppClip] { catalog.clips() }
  func clip(bundleID: String) -> AppClip? { catalog.clip(bundleID: bundleID) }
  func place(id: String) -> Place? { catalog.place(id: id) }
  func experiences(host: String, foldedKeys: Set<String>) -> [AdvancedExperience] {
    catalog.experiences(host: host, foldedKeys: foldedKeys)
  }
}

/// The expected results of a check, computed by brute force: every rule is a loop over all
/// experiences, and nothing is looked up, sorted beforehand or cut into prefixes.
///
/// URLs are drawn from pieces listed with their normal form, so that the reference needs no parser.
struct MatchingReference {
  /// A piece of a URL as written, and in normal form.
  typealias Piece = (written: String, normal: String)

  static let hosts: [Piece] = [
    ("fruta.example.com", "fruta.example.com"), ("FRUTA.Example.com", "fruta.example.com"),
    ("www.fruta.example.com", "www.fruta.example.com"), ("shop.example.com", "shop.example.com"),
  ]
  static let pieces: [Piece] = [
    ("/", "/"), ("/", "/"), ("/", "/"), ("a", "a"), ("A", "A"), ("%61", "a"), ("%41", "A"),
    ("b", "b"), ("1", "1"), ("10", "10"), ("%2f", "%2F"), ("%2F", "%2F"), ("é", "%C3%A9"),
    ("%c3%a9", "%C3%A9"), ("-", "-"), ("%2d", "-"), ("%0a", "%0A"), ("=", "="), ("&", "&"),
  ]

  struct Link {
    var written = ""
    var host = ""
    var key = ""

    /// A URL of at most seven pieces, perhaps with a query.
    init(_ generator: inout SeededGenerator, host: Piece? = nil) {
      let host = host ?? MatchingReference.hosts.randomElement(using: &generator)!
      self.host = host.normal
      written = ["https://", "HTTPS://"].randomElement(using: &generator)! + host.written
      let count = Int.random(in: 0...4, using: &generator)
      append("/", "/", unless: count == 0)
      for _ in 0..<count { append(MatchingReference.pieces.randomElement(using: &generator)!) }
      if key.isEmpty { key = "/" }
      guard Int.random(in: 0..<3, using: &generator) == 0 else { return }
      append("?", "?", unless: false)
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        append(MatchingReference.pieces.randomElement(using: &generator)!)
      }
    }

    private mutating func append(_ piece: Piece) {
      append(piece.written, piece.normal, unless: false)
    }

    private mutating func append(_ written: String, _ normal: String, unless isLeftOut: Bool) {
      guard !isLeftOut else { return }
      self.written += written
      key += normal
    }

    var normalized: String { "https://" + host + key }
  }

  struct Registered {
    let link: Link
    let clip: String
    let status: ExperienceStatus
  }

  let clips: [AppClip]
  let registered: [Registered]

  // MARK: The rules

  static func covers(_ link: String, _ key: String, _ engine: PrefixEngine) -> Bool {
    let link = Array(link.utf8)
    let key = Array(key.utf8)
    guard key.count >= link.count, Array(key[0..<link.count]) == link else { return false }
    if engine == .string || key.count == link.count { return true }
    let (last, next) = (Character(.init(link[link.count - 1])), Character(.init(key[link.count])))
    return link.contains(UInt8(ascii: "?"))
      ? next == "&" || last == "&" || last == "?" : next == "/" || next == "?" || last == "/"
  }

  static func toggled(_ key: String) -> String {
    let parts = key.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path = String(parts[0])
    if path == "/" { return key }
    if path.hasSuffix("/") { path.removeLast() } else { path += "/" }
    return parts.count == 2 ? path + "?" + parts[1] : path
  }

  /// Returns the longest link of a host that passes; of several, the first by text, then by clip.
  private func longest(_ host: String, where passes: (Registered) -> Bool) -> Registered? {
    var best: Registered?
    for one in registered where one.link.host == host && passes(one) {
      guard let known = best else {
        best = one
        continue
      }
      let lengths = (one.link.key.utf8.count, known.link.key.utf8.count)
      if lengths.0 > lengths.1
        || lengths.0 == lengths.1
          && (one.link.key, one.clip) < (known.link.key, known.clip)
      {
        best = one
      }
    }
    return best
  }

  /// The result of a check of a URL.
  struct Answer: Equatable {
    var state: InvocationState
    var link: String?
    var clip: String?
    var codes: Set<Finding.Code> = []
    /// The links with which the findings on case and slash begin.
    var nearMisses: [Finding.Code: String] = [:]
  }

  func answer(_ url: Link, fragment: Bool, engine: PrefixEngine, carrier: Carrier) -> Answer {
    let winner = longest(url.host) {
      $0.status == .received && Self.covers($0.link.key, url.key, engine)
    }
    let length = winner?.link.key.utf8.count ?? 0
    let sleeping = longest(url.host) {
      $0.status != .received && $0.link.key.utf8.count > length
        && Self.covers($0.link.key, url.key, engine)
    }
    var answer = decision(url, winner, sleeping, engine, carrier)
    if fragment { answer.codes.insert(.fragmentIgnored) }
    if url.key.contains("%0A") { answer.codes.insert(.escapedControl) }
    let slash = longest(url.host) {
      $0.status == .received && !Self.covers($0.link.key, url.key, engine)
        && Self.covers($0.link.key, Self.toggled(url.key), engine)
    }
    let other = longest(url.host) {
      $0.status == .received && $0.link.key.utf8.count > length
        && !Self.covers($0.link.key, url.key, engine)
        && Self.covers($0.link.key.lowercased(), url.key.lowercased(), engine)
    }
    for (code, miss) in [(Finding.Code.trailingSlash, slash), (.caseMismatch, other)] {
      guard let miss else { continue }
      answer.codes.insert(code)
      answer.nearMisses[code] = miss.link.normalized
    }
    let single = Self.collapsed(url.key)
    let covered = longest(url.host) {
      $0.status == .received && Self.covers($0.link.key, single, engine)
    }
    if single != url.key, let covered, covered.link.normalized != winner?.link.normalized {
      answer.codes.insert(.doubleSlash)
    }
    let isMissed = registered.contains { one in
      one.status == .received && one.link.host == url.host && one.link.key.utf8.count > length
        && !Self.covers(one.link.key, url.key, engine)
        && Self.reordered(url.key).contains(one.link.key.lowercased())
    }
    if isMissed { answer.codes.insert(.queryMismatch) }
    return answer
  }

  /// Returns the key with single slashes in its path.
  static func collapsed(_ key: String) -> String {
    let path = key.prefix { $0 != "?" }
    var result = String(path)
    while result.contains("//") { result = result.replacingOccurrences(of: "//", with: "/") }
    return result + key.dropFirst(path.count)
  }

  /// The key with one or two of its query items alone, of two to eight, in lower case.
  static func reordered(_ key: String) -> Set<String> {
    let parts = key.lowercased().split(separator: "?", maxSplits: 1)
    guard parts.count == 2 else { return [] }
    let items = parts[1].split(separator: "&")
    guard (2...8).contains(items.count) else { return [] }
    var keys = Set(items.map { "\(parts[0])?\($0)" })
    for (i, first) in items.enumerated() {
      for (j, second) in items.enumerated() where i != j {
        keys.insert("\(parts[0])?\(first)&\(second)")
      }
    }
    return keys
  }

  private func decision(
    _ url: Link, _ winner: Registered?, _ sleeping: Registered?, _ engine: PrefixEngine,
    _ carrier: Carrier
  ) -> Answer {
    let other = longest(url.host) {
      $0.status == .received && Self.covers($0.link.key, url.key, engine.other)
    }
    if winner?.link.key != other?.link.key, let chosen = winner ?? other {
      var answer = associated(chosen, url.host)
      if winner == nil { answer.link = nil }
      guard answer.state == .ok else { return answer }
      answer.state = .ambiguous
      answer.codes.insert(.ambiguousPrefix)
      return answer
    }
    if let winner {
      var answer = associated(winner, url.host)
      let same = registered.filter {
        $0.status == .received && $0.link.host == url.host && $0.link.key == winner.link.key
      }
      if same.count > 1 { answer.codes.insert(.duplicateLink) }
      if sleeping != nil { answer.codes.insert(.inactiveExperience) }
      if winner.link.key.contains("?") { answer.codes.insert(.queryInLink) }
      return answer
    }
    if let sleeping {
      return Answer(
        state: .inactive, link: sleeping.link.key,
        clip: clips.contains { $0.bundleID == sleeping.clip } ? sleeping.clip : nil,
        codes: [.inactiveExperience])
    }
    return uncovered(url.host, carrier)
  }

  private func associated(_ winner: Registered, _ host: String) -> Answer {
    guard let clip = clips.first(where: { $0.bundleID == winner.clip }) else {
      return Answer(state: .unassociated, link: winner.link.key, codes: [.unknownClip])
    }
    let isAssociated = clip.domains.contains(host)
    return Answer(
      state: isAssociated ? .ok : .unassociated, link: winner.link.key, clip: clip.bundleID,
      codes: isAssociated ? [] : [.unassociatedHost])
  }

  private func uncovered(_ host: String, _ carrier: Carrier) -> Answer {
    let claiming = clips.filter { $0.domains.contains(host) }.map(\.bundleID).sorted()
    guard let first = claiming.first else {
      return Answer(state: .unregistered, codes: [.unknownHost])
    }
    let willing = claiming.filter { id in
      clips.contains { $0.bundleID == id && $0.defaultExperience != nil }
    }
    if let only = willing.first, carrier != .appClipCode {
      return willing.count == 1
        ? Answer(state: .defaultOnly, clip: only, codes: [.defaultOnly])
        : Answer(state: .defaultOnly, codes: [.defaultOnly, .severalClips])
    }
    return Answer(state: .orphan, clip: first, codes: [.noMatch])
  }
}

extension MatchingReference.Answer {
  /// Takes the same facts from a check's result.
  init(_ found: Verification) {
    self.init(
      state: found.state,
      link: found.experience?.link?.matchingKey, clip: found.clip?.bundleID,
      codes: Set(found.findings.map(\.code)).subtracting([.appClipCodeCharacters]))
    for finding in found.findings where [.trailingSlash, .caseMismatch].contains(finding.code) {
      nearMisses[finding.code] = String(finding.message.prefix { $0 != " " })
    }
  }
}
