import Basics

/// What the registry says about a URL, before any place or position is considered.
struct RegistryAnswer {
  var state: InvocationState
  /// The advanced experience that covers the URL.
  var advanced: AdvancedExperience?
  /// The experience that the URL matches, whether it is served or not.
  var experience: MatchedExperience?
  /// The clip that would run, or that claims the host.
  var clip: AppClip?
  var findings: [Finding] = []
}

/// Asks the directory about a URL.
struct RegistryLookup {
  let directory: any ExperienceDirectory
  let engine: PrefixEngine

  /// - Parameter channel: The way on which the URL comes; `nil` for that of any physical code.
  func answer(
    for url: InvocationURL, carrier: Carrier, channel: InvocationChannel? = nil
  ) throws -> RegistryAnswer {
    let notes = Self.notes(on: url)
    if DefaultLink.isHost(url.host) {
      var answer = try DefaultLink(directory: directory).answer(for: url, carrier: carrier)
      answer.findings += notes
      return answer
    }
    let matcher = ExperienceMatcher(
      key: url.matchingKey, engine: engine,
      candidates: try directory.experiences(near: url))
    var answer = try covered(url, by: matcher) ?? uncovered(url, carrier: carrier, channel)
    answer.findings += nearMisses(of: matcher, url: url) + notes
    return answer
  }

  // MARK: A link covers the URL

  private func covered(
    _ url: InvocationURL, by matcher: ExperienceMatcher
  ) throws -> RegistryAnswer? {
    if let other = matcher.disagreement {
      return try ambiguous(url, matcher: matcher, other: other)
    }
    guard let winner = matcher.winner else { return try inactive(matcher) }
    var answer = try associated(winner, with: url)
    if let rival = matcher.rivals.first {
      answer.findings.append(
        Finding(
          .duplicateLink, .warning,
          "\(winner.link.normalized) is registered more than once, also for \(rival.clip); "
            + "which one a phone shows is not known."))
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
          "The link \(winner.link.normalized) has a query; an item in front of it, or another "
            + "order of items, makes it miss."))
    }
    return answer
  }

  /// The answer for an experience that covers the URL, with its clip's association.
  private func associated(
    _ winner: AdvancedExperience, with url: InvocationURL
  ) throws -> RegistryAnswer {
    let clip = try directory.clip(bundleID: winner.clip)
    var answer = RegistryAnswer(
      state: .ok, advanced: winner, experience: MatchedExperience(advanced: winner), clip: clip)
    guard let clip else {
      answer.state = .unassociated
      answer.findings.append(
        Finding(
          .unknownClip, .error,
          "\(winner.link.normalized) belongs to the clip \(winner.clip), which the registry does "
            + "not hold; add the clip with its domains."))
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

  /// Apple's servers may have refused the association file of a host that the clip claims: no phone
  /// then takes a URL of it to the clip.
  private func refuse(_ answer: inout RegistryAnswer, on host: String, of clip: AppClip) {
    guard let status = clip.listing.domainStatus(of: host), !status.isValid else { return }
    answer.state = .unassociated
    answer.findings.append(
      Finding(
        .domainStatus, .error,
        "Apple's servers did not accept the association file of \(host) for \(clip.bundleID)"
          + (status.errorCode.map { " (\($0))" } ?? "")
          + "; correct the file, and have App Store Connect look again."))
  }

  private func ambiguous(
    _ url: InvocationURL, matcher: ExperienceMatcher, other: AdvancedExperience?
  ) throws -> RegistryAnswer {
    var answer = RegistryAnswer(state: .ambiguous)
    if let winner = matcher.winner {
      answer = try associated(winner, with: url)
    } else if let other {
      answer = try associated(other, with: url)
      answer.advanced = nil
      answer.experience = nil
    }
    // A host that no phone would take to the clip is certain, whichever reading holds.
    guard answer.state == .ok else { return answer }
    answer.state = .ambiguous
    let segment = engine == .segment ? matcher.winner : other
    let string = engine == .segment ? other : matcher.winner
    answer.findings.append(
      Finding(
        .ambiguousPrefix, .warning,
        "As text, \(string?.link.normalized ?? "no link") covers the URL; by whole path segments, "
          + "\(segment?.link.normalized ?? "no link") does. Apple does not say which holds: choose "
          + "names of which none begins with another."))
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
    _ url: InvocationURL, carrier: Carrier, _ channel: InvocationChannel?
  ) throws -> RegistryAnswer {
    let clips = try directory.clips(associatedWith: url.host).sorted {
      $0.bundleID < $1.bundleID
    }
    guard let first = clips.first else { return try unregistered(url) }
    // Apple serves App Clip Codes from advanced experiences and demo links only.
    if carrier != .appClipCode, let clip = clips.first(where: { $0.defaultExperience != nil }) {
      var answer = RegistryAnswer(
        state: .defaultOnly, experience: MatchedExperience(defaultOf: clip), clip: clip,
        findings: [Self.defaultOnly(url, clip, isCode: channel?.isPhysical ?? true)])
      refuse(&answer, on: url.host, of: clip)
      return answer
    }
    return RegistryAnswer(
      state: .orphan, clip: first,
      findings: [
        Finding(
          .noMatch, .error,
          "\(url.host) belongs to \(first.bundleID), but no experience covers \(url.path); an "
            + "iPhone shows an App Clip that is not available. Register an experience for it.")
      ])
  }

  /// - Parameter isCode: Whether a code carries the URL, for which a default experience is not
  ///   reliable; in Safari and Messages it is what Apple made it for.
  private static func defaultOnly(_ url: InvocationURL, _ clip: AppClip, isCode: Bool) -> Finding {
    let begins = "No experience covers \(url.path) on \(url.host); only the default experience of "
    return isCode
      ? Finding(
        .defaultOnly, .warning,
        begins + "\(clip.bundleID) could serve it, which works for codes on iOS 16.4 to 17 and is "
          + "unreliable since. Register an experience for it.")
      : Finding(.defaultOnly, .note, begins + "\(clip.bundleID) is left for it.")
  }

  private func unregistered(_ url: InvocationURL) throws -> RegistryAnswer {
    let sibling = url.host.hasPrefix("www.") ? String(url.host.dropFirst(4)) : "www." + url.host
    let isSiblingKnown = try !directory.clips(associatedWith: sibling).isEmpty
    return RegistryAnswer(
      state: .unregistered,
      findings: [
        Finding(
          .unknownHost, .error,
          "No clip claims \(url.host)"
            + (isSiblingKnown
              ? "; \(sibling) is claimed, but hosts must be equal."
              : "; the code is foreign, or the clip's domains lack the host."))
      ])
  }

  // MARK: What is worth knowing besides

  /// What is worth knowing about a URL whatever the registry holds.
  private static func notes(on url: InvocationURL) -> [Finding] {
    var notes: [Finding] = []
    if let fragment = url.fragment {
      notes.append(
        Finding(
          .fragmentIgnored, .note,
          "The fragment \(("#" + fragment).quotedForMessage) takes no part in the choice of the "
            + "experience."))
    }
    if url.host.hasPrefix("xn--") || url.host.contains(".xn--") {
      notes.append(
        Finding(
          .internationalHost, .note,
          "The host is the international domain name \(url.host); compare it letter by letter "
            + "with the one that is meant."))
    }
    if let escape = firstControlEscape(in: url.matchingKey) {
      notes.append(
        Finding(
          .escapedControl, .warning,
          "The URL holds \(escape), the escape of a control character; check what wrote it."))
    }
    return notes
  }

  private static func firstControlEscape(in key: String) -> String? {
    let bytes = Array(key.utf8)
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "%") {
      let escape = bytes[index...].prefix(3)
      if let value = [UInt8](hexadecimal: escape.dropFirst())?.first, value < 0x20 || value == 0x7F
      {
        return String(decoding: escape, as: UTF8.self)
      }
    }
    return nil
  }

  /// Links that would cover the URL if it were written a little differently.
  private func nearMisses(of matcher: ExperienceMatcher, url: InvocationURL) -> [Finding] {
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
          "\(experience.link.normalized) would cover the URL if case did not count; write both "
            + "alike."))
    }
    return findings
  }
}
