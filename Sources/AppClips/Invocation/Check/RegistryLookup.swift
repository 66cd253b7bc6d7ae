import CliptagBasics

/// The registry's answer about a URL, before any place or position is considered.
struct RegistryAnswer {
  var state: InvocationState
  /// The advanced experience that covers the URL.
  var advanced: AdvancedExperience?
  /// The experience that the URL matches, whether or not it is served.
  var experience: MatchedExperience?
  /// The clip that would run, or that claims the host.
  var clip: AppClip?
  /// The kind of experience that serves the invocation, if any.
  var kind: ServingKind?
  /// Whether it is open which of several clips a phone starts, or whether it starts one.
  var isDoubtful = false
  var findings: [Finding] = []

  var verdict: Verdict {
    if findings.contains(where: { $0.severity == .error }) { return .rejected }
    return max(state.verdict, isDoubtful ? .undecided : .accepted)
  }
}

/// Asks the directory about a URL.
struct RegistryLookup {
  let directory: any ExperienceDirectory
  let engine: PrefixEngine

  func answer(
    for url: InvocationURL, carrier: Carrier, by way: InvocationWay
  ) throws -> RegistryAnswer {
    var answer = try matched(url, carrier: carrier, by: way)
    answer.findings += Self.notes(on: url)
    if let clip = answer.clip, let kind = answer.kind {
      answer.findings +=
        ClipReadiness(clip: clip, kind: kind, isPhysical: way.isPhysical).findings
    }
    if carrier == .appClipCode {
      let fit = AppClipCodeFit(url: url)
      // A code that was read or made carries its URL; the estimate applies to a code to be made.
      answer.findings += way.channel == nil ? fit.characters : fit.findings
      answer.isDoubtful =
        answer.isDoubtful || answer.findings.contains(where: \.doubtsAppClipCodeLength)
    }
    return answer
  }

  private func matched(
    _ url: InvocationURL, carrier: Carrier, by way: InvocationWay
  ) throws -> RegistryAnswer {
    if DefaultLink.isHost(url.host) {
      return try DefaultLink(directory: directory).answer(for: url, carrier: carrier)
    }
    let host = try HostClips(of: url.host, by: way, in: directory)
    if let foreign = host.foreignPage { return foreign }
    let matcher = ExperienceMatcher(
      key: url.matchingKey, engine: engine,
      candidates: host.candidates(try directory.experiences(near: url)))
    var answer = try covered(url, host, by: matcher) ?? uncovered(url, host, carrier: carrier)
    if let open = host.openChoice(matched: answer) {
      answer.findings.append(open)
      answer.isDoubtful = true
    }
    answer.findings += try nearMisses(of: matcher, url: url)
    return answer
  }

  // MARK: A link covers the URL

  private func covered(
    _ url: InvocationURL, _ host: HostClips, by matcher: ExperienceMatcher
  ) throws -> RegistryAnswer? {
    if let other = matcher.disagreement {
      return try ambiguous(url, host, matcher: matcher, other: other)
    }
    guard let winner = matcher.winner else { return try inactive(matcher) }
    var answer = try associated(winner, with: url)
    if let rival = matcher.rivals.first {
      answer.isDoubtful = matcher.hasForeignRival
      answer.findings.append(
        Finding(
          .duplicateLink, .warning,
          "\(winner.link.normalized) is registered more than once, also for \(rival.clip); "
            + "the one that a phone shows is unknown."))
    }
    if let closer = matcher.inactiveWinner {
      answer.findings.append(
        Finding(
          .inactiveExperience, .warning,
          "\(closer.link.normalized) covers the URL more closely, but its status is "
            + "\(closer.status.rawValue)."))
    }
    if winner.link.query != nil {
      answer.findings.append(
        Finding(
          .queryInLink, .warning,
          "The link \(winner.link.normalized) has a query; an item before it, or another "
            + "order of items, prevents a match."))
    }
    return answer
  }

  /// The answer for an experience that covers the URL, including its clip's association.
  private func associated(
    _ winner: AdvancedExperience, with url: InvocationURL
  ) throws -> RegistryAnswer {
    let clip = try directory.clip(bundleID: winner.clip)
    var answer = RegistryAnswer(
      state: .ok, advanced: winner, experience: MatchedExperience(advanced: winner), clip: clip,
      kind: .advanced)
    guard let clip else {
      answer.state = .unassociated
      answer.findings.append(
        Finding(
          .unknownClip, .error,
          "\(winner.link.normalized) belongs to the clip \(winner.clip), which the registry does "
            + "not contain; add the clip with its domains."))
      return answer
    }
    guard clip.domains.contains(url.host) else {
      answer.state = .unassociated
      let domains = clip.domains.isEmpty ? "none" : clip.domains.joined(separator: ", ")
      answer.findings.append(
        Finding(
          .unassociatedHost, .error,
          "\(winner.link.normalized) covers the URL, but \(clip.bundleID) is not associated with "
            + "\(url.host) (its domains: \(domains)); add the host to the clip's domains."))
      return answer
    }
    refuse(&answer, on: url.host, of: clip)
    return answer
  }

  /// Rejects the answer if Apple's servers refused the association file of a host that the clip
  /// claims: then no phone opens the clip from a URL of that host.
  private func refuse(_ answer: inout RegistryAnswer, on host: String, of clip: AppClip) {
    guard let status = clip.listing.domainStatus(of: host), !status.isValid else { return }
    answer.state = .unassociated
    answer.findings.append(
      Finding(
        .domainStatus, .error,
        "Apple's servers did not accept the association file of \(host) for \(clip.bundleID)"
          + (status.errorCode.map { " (\($0))" } ?? "")
          + "; correct the file, and let App Store Connect check again."))
  }

  private func ambiguous(
    _ url: InvocationURL, _ host: HostClips, matcher: ExperienceMatcher, other: AdvancedExperience?
  ) throws -> RegistryAnswer {
    var answer = RegistryAnswer(state: .ambiguous)
    if let winner = matcher.winner {
      answer = try associated(winner, with: url)
    } else if let other {
      answer = try associated(other, with: url)
      answer.advanced = nil
      answer.experience = nil
      // By the other engine a default experience serves the URL.
      if !host.startableDefaults.isEmpty { answer.kind = nil }
    }
    // A host from which no phone opens the clip is certain, whichever engine applies.
    guard answer.state == .ok else { return answer }
    answer.state = .ambiguous
    let segment = engine == .segment ? matcher.winner : other
    let string = engine == .segment ? other : matcher.winner
    answer.findings.append(
      Finding(
        .ambiguousPrefix, .warning,
        "As text, \(string?.link.normalized ?? "no link") covers the URL; by whole path segments, "
          + "\(segment?.link.normalized ?? "no link") does. Apple documents no rule: choose "
          + "links that are not prefixes of each other."))
    return answer
  }

  private func inactive(_ matcher: ExperienceMatcher) throws -> RegistryAnswer? {
    guard let experience = matcher.inactiveWinner else { return nil }
    return RegistryAnswer(
      state: .inactive, experience: MatchedExperience(advanced: experience),
      clip: try directory.clip(bundleID: experience.clip),
      findings: [
        Finding(
          .inactiveExperience, .error,
          "Only \(experience.link.normalized) covers the URL, and its status is "
            + "\(experience.status.rawValue); activate it or register another.")
      ])
  }

  // MARK: No link covers the URL

  private func uncovered(
    _ url: InvocationURL, _ host: HostClips, carrier: Carrier
  ) throws -> RegistryAnswer {
    guard let first = host.clips.first else { return try unregistered(url) }
    let serving = host.withDefault
    // Apple serves App Clip Codes from advanced experiences and demo links only.
    if carrier != .appClipCode, let clip = serving.first {
      let only = serving.count == 1 ? clip : nil
      var answer = RegistryAnswer(
        state: .defaultOnly, experience: only.flatMap(MatchedExperience.init(defaultOf:)),
        clip: only,
        kind: .defaultSite,
        findings: [Self.defaultOnly(url, serving, isCode: host.way.isPhysical)])
      if let only { refuse(&answer, on: url.host, of: only) }
      return answer
    }
    return RegistryAnswer(
      state: .orphan, clip: first,
      findings: [
        Finding(
          .noMatch, .error,
          "\(url.host) belongs to \(first.bundleID), but no experience covers \(url.path); an "
            + "iPhone shows the App Clip as unavailable. Register an experience for it.")
      ])
  }

  /// - Parameter isCode: Whether a code carries the URL, for which a default experience is not
  ///   reliable; it is intended for Safari and Messages.
  private static func defaultOnly(
    _ url: InvocationURL, _ clips: [AppClip], isCode: Bool
  ) -> Finding {
    let names = clips.map(\.bundleID).joined(separator: " or ")
    let begins =
      "No experience covers \(url.path) on \(url.host); only the default experience of \(names) "
    guard isCode else { return Finding(.defaultOnly, .note, begins + "is left for it.") }
    let links = clips.map { DefaultLink.url(of: $0) }.joined(separator: " or ")
    return Finding(
      .defaultOnly, .warning,
      begins
        + "could serve it. Apple guarantees that for codes with a default link only, and on the "
        + "clip's site phones differ: register an experience for it, or encode \(links)."
    )
  }

  private func unregistered(_ url: InvocationURL) throws -> RegistryAnswer {
    let claimed = try directory.clips().flatMap(\.domains)
    return RegistryAnswer(
      state: .unregistered,
      findings: [
        Finding(
          .unknownHost, .error,
          "No clip claims \(url.host)"
            + (Self.nearby(url.host, among: claimed).map { "; \($0)" }
              ?? "; the code is foreign, or the clip's domains lack the host.")
            + " Phones match the URL as scanned and do not follow its redirects.")
      ])
  }

  /// A suggestion from a claimed host that is nearly the same.
  private static func nearby(_ host: String, among claimed: [String]) -> String? {
    func isUnder(_ left: String, _ right: String) -> Bool { left.hasSuffix("." + right) }
    if let other = claimed.first(where: { isUnder(host, $0) || isUnder($0, host) }) {
      return
        "\(other) is claimed, but hosts must be equal: every subdomain, including www, needs an entry of "
        + "its own."
    }
    return claimed.first { $0.changes(to: host) == 1 }
      .map { "\($0) is claimed and differs by one letter: check the host for a typing error." }
  }

  // MARK: Further notes

  /// The notes about a URL that do not depend on the registry.
  private static func notes(on url: InvocationURL) -> [Finding] {
    var notes: [Finding] = []
    if let fragment = url.fragment {
      notes.append(
        Finding(
          .fragmentIgnored, .note,
          "The fragment \(("#" + fragment).quotedForMessage) is ignored in the choice of the "
            + "experience."))
    }
    if url.host.utf8.contains(UInt8(ascii: "-")),
      url.host.hasPrefix("xn--") || url.host.contains(".xn--")
    {
      notes.append(
        Finding(
          .internationalHost, .note,
          "The host is the international domain name \(url.host); compare it letter by letter "
            + "with the intended one."))
    }
    let escapes = controlEscapes(in: url)
    if let escape = escapes.first(where: { $0 == "%00" }) ?? escapes.first {
      let isZero = escape == "%00"
      let what =
        isZero
        ? "a zero byte, at which many programs end a text and so read another URL; remove it"
        : "a control character; check its source"
      notes.append(
        Finding(
          .escapedControl, isZero ? .error : .warning,
          "The URL contains \(escape), the escape of \(what)."))
    }
    return notes
  }

  /// The escapes of control characters, in the fragment too.
  private static func controlEscapes(in url: InvocationURL) -> [String] {
    guard url.payload.utf8.contains(UInt8(ascii: "%")) else { return [] }
    let bytes = Array(url.payload.utf8)
    return bytes.indices.compactMap { index in
      let escape = bytes[index...].prefix(3)
      guard escape.first == UInt8(ascii: "%"),
        let value = [UInt8](hexadecimal: escape.dropFirst())?.first, value < 0x20 || value == 0x7F
      else { return nil }
      return String(decoding: escape, as: UTF8.self)
    }
  }

  /// Links that would cover the URL with a small change.
  private func nearMisses(of matcher: ExperienceMatcher, url: InvocationURL) throws -> [Finding] {
    var findings: [Finding] = []
    if let experience = matcher.slashMismatch {
      findings.append(
        Finding(
          .trailingSlash, .warning,
          "\(experience.link.normalized) would cover the URL if the path's last slash were "
            + (url.path.hasSuffix("/") ? "left out." : "written.")))
    }
    if let experience = matcher.caseMismatch {
      findings.append(
        Finding(
          .caseMismatch, .warning,
          "\(experience.link.normalized) would cover the URL if case did not matter; write both "
            + "alike."))
    }
    if let experience = try withoutDoubledSlashes(url, than: matcher.winner) {
      findings.append(
        Finding(
          .doubleSlash, .warning,
          "The path has two slashes in a row; with one, \(experience.link.normalized) would cover the URL."
        ))
    }
    if let experience = try withQueryInOrder(url, than: matcher.winner) {
      findings.append(
        Finding(
          .queryMismatch, .warning,
          "\(experience.link.normalized) would cover the URL if its query began with "
            + "\((experience.link.query ?? "").quotedForMessage): an item before it, or another "
            + "order of items, prevents a match."))
    }
    return findings
  }

  /// The experience that covers the URL with single slashes, if it is another one.
  private func withoutDoubledSlashes(
    _ url: InvocationURL, than winner: AdvancedExperience?
  ) throws -> AdvancedExperience? {
    // Almost no URL has two in a row, and checking the bytes is cheap.
    let key = url.matchingBytes
    guard
      zip(key, key.dropFirst()).contains(where: {
        ($0, $1) == (UInt8(ascii: "/"), UInt8(ascii: "/"))
      }),
      url.path.contains("//"), let single = url.replacing(path: url.path.collapsingSlashes)
    else { return nil }
    let found = ExperienceMatcher(
      key: single.matchingKey, engine: engine, candidates: try directory.experiences(near: single)
    ).winner
    return found?.link == winner?.link ? nil : found
  }

  /// The maximum number of query items whose orders are tried.
  private static let mostItems = 8

  /// The experience whose link has one or two of the URL's query items, and would cover it if they
  /// came first.
  private func withQueryInOrder(
    _ url: InvocationURL, than winner: AdvancedExperience?
  ) throws -> AdvancedExperience? {
    guard url.matchingBytes.contains(UInt8(ascii: "&")), let query = url.query else { return nil }
    let items = query.split(separator: "&")
    guard (2...Self.mostItems).contains(items.count) else { return nil }
    var keys: Set<String> = []
    let path = url.path
    for (index, item) in items.enumerated() {
      keys.insert("\(path)?\(item)".lowercased())
      for (other, second) in items.enumerated() where other != index {
        keys.insert("\(path)?\(item)&\(second)".lowercased())
      }
    }
    let found = try directory.experiences(host: url.host, foldedKeys: keys).filter {
      $0.status == .received && !engine.covers(link: $0.link.matchingKey, key: url.matchingKey)
    }
    let best = found.max {
      ($0.link.normalized.utf8.count, $1.link.normalized) < (
        $1.link.normalized.utf8.count, $0.link.normalized
      )
    }
    return best.flatMap {
      $0.link.normalized.utf8.count > winner?.link.normalized.utf8.count ?? 0 ? $0 : nil
    }
  }
}
