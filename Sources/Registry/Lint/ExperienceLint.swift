import Invocation

/// What is doubtful in the experiences of a registry.
struct ExperienceLint {
  private let document: RegistryDocument
  private let clips: [String: AppClip]
  private let placeIDs: Set<String>

  init(_ document: RegistryDocument) {
    self.document = document
    clips = Dictionary(document.clips.map { ($0.bundleID, $0) }) { first, _ in first }
    placeIDs = Set(document.places.map(\.id))
  }

  func findings() -> [Finding] {
    document.clips.compactMap(defaultMissing) + document.experiences.flatMap(references)
      + prefixes()
  }

  private func defaultMissing(_ clip: AppClip) -> Finding? {
    guard clip.defaultExperience == nil, !clip.domains.isEmpty else { return nil }
    return Finding(
      .noDefaultExperience, .note,
      "\(clip.bundleID) has no default experience: a URL on "
        + "\(clip.domains.joined(separator: " or ")) that no link covers leads nowhere.")
  }

  private func references(of experience: AdvancedExperience) -> [Finding] {
    var findings: [Finding] = []
    let link = experience.link
    if let clip = clips[experience.clip] {
      if !clip.domains.contains(link.host) {
        findings.append(
          Finding(
            .unassociatedHost, .error,
            "\(link.normalized) cannot invoke \(experience.clip): \(link.host) is not among its "
              + "domains."))
      }
    } else {
      findings.append(
        Finding(
          .unknownClip, .error,
          "\(link.normalized) belongs to \(experience.clip), which is not in the registry."))
    }
    if case .fixed(let id) = experience.place, !placeIDs.contains(id) {
      findings.append(
        Finding(
          .unknownPlace, .error,
          "\(link.normalized) names the place “\(id)”, which is not in the registry."))
    }
    if link.query != nil {
      findings.append(
        Finding(
          .queryInLink, .warning,
          "\(link.normalized) has a query: a URL with its items in another order, or with one more "
            + "in front, is not covered."))
    }
    return findings
  }

  // MARK: Prefixes

  private struct Active {
    let experience: AdvancedExperience
    let host: String
    let key: String
  }

  /// Compares every active link with those that are prefixes of it.
  ///
  /// In sorted order all links that begin with a text follow that text at once, so the prefixes of
  /// a link are a stack.
  private func prefixes() -> [Finding] {
    let links = document.experiences.filter { $0.status == .received }
      .map { Active(experience: $0, host: $0.link.host, key: $0.link.matchingKey) }
      .sorted { $0.host == $1.host ? $0.key.utf8Precedes($1.key) : $0.host.utf8Precedes($1.host) }
    var findings: [Finding] = []
    var stack: [Active] = []
    for link in links {
      while let last = stack.last,
        last.host != link.host || !PrefixEngine.string.covers(link: last.key, key: link.key)
      {
        stack.removeLast()
      }
      if let shorter = stack.last,
        !PrefixEngine.segment.covers(link: shorter.key, key: link.key)
      {
        findings.append(collision(shorter.experience, link.experience))
      }
      if let shorter = stack.last(where: {
        PrefixEngine.segment.covers(link: $0.key, key: link.key)
      }), changesNothing(link.experience, after: shorter.experience) {
        findings.append(redundancy(shorter.experience, link.experience))
      }
      stack.append(link)
    }
    return findings
  }

  private func collision(
    _ shorter: AdvancedExperience, _ longer: AdvancedExperience
  ) -> Finding {
    Finding(
      .prefixCollision, .warning,
      "\(longer.link.normalized) begins with the text of \(shorter.link.normalized), but is another "
        + "path: should one of them go, it is open whether a phone takes the other. Choose names "
        + "that cannot collide, such as /location-01 and /location-10.")
  }

  private func changesNothing(
    _ longer: AdvancedExperience, after shorter: AdvancedExperience
  ) -> Bool {
    longer.clip == shorter.clip && longer.card == shorter.card
      && longer.language == shorter.language && longer.place == shorter.place
      && longer.listing.localizations == shorter.listing.localizations
      && longer.listing.image == shorter.listing.image
  }

  private func redundancy(
    _ shorter: AdvancedExperience, _ longer: AdvancedExperience
  ) -> Finding {
    Finding(
      .redundantExperience, .note,
      "\(longer.link.normalized) shows the same card as \(shorter.link.normalized), which covers it; "
        + "it can go. Apple asks for as few and as general links as possible.")
  }
}
