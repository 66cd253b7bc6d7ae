import Invocation

/// The lint rules for the experiences of a registry.
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
    document.clips.compactMap(defaultMissing) + sharedApps() + withoutPlace()
      + document.experiences.flatMap(references) + prefixes()
  }

  private func defaultMissing(_ clip: AppClip) -> Finding? {
    guard clip.defaultExperience == nil else { return nil }
    return Finding(
      .noDefaultExperience, .error,
      "\(clip.bundleID) has no default experience here, which App Store Connect requires for every clip; "
        + "add defaultExperience with its title, subtitle and action.")
  }

  // MARK: Clips

  /// Finds apps with several clips in the registry; App Store Connect permits one.
  private func sharedApps() -> [Finding] {
    Dictionary(grouping: document.clips, by: \.appBundleID).filter { $0.value.count > 1 }
      .map { app, clips in
        let names = clips.map(\.bundleID).sorted { $0.utf8Precedes($1) }
        return Finding(
          .severalClipsOfApp, .warning,
          "\(app) has \(clips.count) clips here, \(names.joined(separator: " and ")); an app has "
            + "exactly one. Remove the clips that are not in the App Store, or correct the app.")
      }
  }

  /// Finds clips that ask for location confirmation while their active links name no place, so that
  /// codes under these links cannot be confirmed.
  private func withoutPlace() -> [Finding] {
    let active = document.experiences.filter { $0.status == .received }
    return Dictionary(grouping: active, by: \.clip).compactMap { id, experiences in
      guard clips[id]?.locationConfirmation == true else { return nil }
      let links = experiences.filter { $0.place == nil }.map(\.link.normalized)
        .sorted { $0.utf8Precedes($1) }
      guard !links.isEmpty else { return nil }
      let more = links.count > 3 ? " and \(links.count - 3) more" : ""
      return Finding(
        .noPlace, .warning,
        "\(id) requests location confirmation, but the place of codes under "
          + "\(links.prefix(3).joined(separator: ", "))\(more) is unknown, so none can be confirmed. "
          + "Give \(links.count == 1 ? "the experience" : "each experience") a place, or leave such "
          + "codes out of the clip's confirmation.")
    }
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
          "\(link.normalized) refers to the place “\(id)”, which is not in the registry."))
    }
    if link.path.contains("*") || link.query?.contains("*") == true {
      findings.append(
        Finding(
          .linkPattern, .error,
          "\(link.normalized) has a *, but a registered link is a prefix, not a pattern: it covers only URLs "
            + "with a literal *. End the link before it."))
    }
    if let fragment = link.fragment {
      findings.append(
        Finding(
          .linkPattern, .warning,
          "\(link.payload) ends with “#\(fragment.printable)”, which is ignored in matching; "
            + "leave it out."))
    }
    if experience.status == .received,
      link.appClipCodeFindings.contains(where: { $0.severity == .error })
    {
      findings.append(
        Finding(
          .appClipCodeLength, .note,
          "No App Clip Code can encode URLs under \(link.normalized), by its characters or by an estimate of its "
            + "length; QR codes and tags can."))
    }
    if link.query != nil {
      findings.append(
        Finding(
          .queryInLink, .warning,
          "\(link.normalized) has a query: a URL with its items in another order, or with another one "
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
  /// In sorted order, all links that begin with a text follow it directly, so the prefixes of a
  /// link form a stack.
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
      if let other = stack.last(where: {
        $0.experience.clip != link.experience.clip
          && PrefixEngine.segment.covers(link: $0.key, key: link.key)
      }) {
        findings.append(overlap(other.experience, link.experience))
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
        + "path: after a removal of one, phones may or may not match the other. Choose names "
        + "that cannot collide, such as /location-01 and /location-10.")
  }

  private func overlap(_ shorter: AdvancedExperience, _ longer: AdvancedExperience) -> Finding {
    guard shorter.link.normalized != longer.link.normalized else {
      return Finding(
        .duplicateLink, .error,
        "\(longer.link.normalized) is registered for \(shorter.clip) and for \(longer.clip); the one "
          + "that a phone starts is undefined. Remove one.")
    }
    return Finding(
      .overlappingClips, .warning,
      "\(longer.link.normalized) of \(longer.clip) is under \(shorter.link.normalized) of "
        + "\(shorter.clip): the end of a code's URL decides between the two apps, "
        + "and a removed experience changes the app. Give each clip a separate host or path."
    )
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
        + "remove it. Apple recommends few and general links.")
  }
}

/// The lint rules for the further facts that App Store Connect holds.
struct ListingLint {
  let document: RegistryDocument

  func findings() -> [Finding] {
    let experiences = Dictionary(grouping: document.experiences, by: \.clip)
    var findings: [Finding] = []
    for clip in document.clips {
      findings += statuses(of: clip)
      findings += readiness(of: clip, experiences[clip.bundleID] ?? [])
      findings += testInvocations(of: clip)
      findings += image(clip.listing.image, of: "The default experience of \(clip.bundleID)")
      findings += languages(of: experiences[clip.bundleID] ?? [])
    }
    for experience in document.experiences {
      findings += image(experience.listing.image, of: experience.link.normalized)
      findings += place(of: experience)
    }
    return findings
  }

  private func statuses(of clip: AppClip) -> [Finding] {
    clip.listing.domainStatuses.filter { !$0.isValid }.map { status in
      Finding(
        .domainStatus, .error,
        "Apple's servers do not accept the association file of \(status.domain) for "
          + "\(clip.bundleID)\(status.errorCode.map { " (\($0))" } ?? ""). Correct the file; "
          + "App Store Connect's debug status shows the result immediately.")
    }
  }

  /// Returns the problems that keep phones from starting the clip, as far as it is used: for codes
  /// if an experience is registered, or if only the default experience serves links.
  private func readiness(of clip: AppClip, _ experiences: [AdvancedExperience]) -> [Finding] {
    clip.readinessFindings(servesCodes: experiences.contains { $0.status == .received })
  }

  private func testInvocations(of clip: AppClip) -> [Finding] {
    clip.listing.testInvocations.filter { !clip.domains.contains($0.url.host) }.map { invocation in
      Finding(
        .unassociatedHost, .warning,
        "The TestFlight invocation \(invocation.url.normalized) is on a host that is not among the "
          + "domains of \(clip.bundleID).")
    }
  }

  private func image(_ image: HeaderImage?, of owner: String) -> [Finding] {
    guard let image, let size = image.size, size != HeaderImage.requiredSize else { return [] }
    return [
      Finding(
        .headerImageSize, .warning,
        "\(owner) shows “\(image.file)” of \(size.width) × \(size.height) pixels; App Store Connect "
          + "requires 1800 × 1200.")
    ]
  }

  private func place(of experience: AdvancedExperience) -> [Finding] {
    guard experience.listing.placeStatus == .noMatch, experience.status == .received else {
      return []
    }
    return [
      Finding(
        .placeNotInMaps, .warning,
        "Maps does not have the place of \(experience.link.normalized), so Maps and Siri never offer "
          + "it; codes and tags still work.")
    ]
  }

  /// Finds experiences that lack a language of most of the clip's other experiences.
  private func languages(of experiences: [AdvancedExperience]) -> [Finding] {
    var counts: [String: Int] = [:]
    let spoken = experiences.map { experience in
      Set(experience.listing.localizations.map(\.language) + [experience.language])
    }
    for language in spoken.flatMap({ $0 }) { counts[language, default: 0] += 1 }
    let usual = counts.filter { $0.value * 2 > experiences.count }.map(\.key).sorted()
    return zip(experiences, spoken).compactMap { experience, languages in
      let missing = usual.filter { !languages.contains($0) }
      guard !missing.isEmpty else { return nil }
      return Finding(
        .missingLocalization, .note,
        "\(experience.link.normalized) has no texts in \(missing.joined(separator: ", ")), which most "
          + "experiences of \(experience.clip) have.")
    }
  }
}
