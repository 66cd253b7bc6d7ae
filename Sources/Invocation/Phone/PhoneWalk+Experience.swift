/// Local Experiences, the registered ones, and which of them wins.
extension PhoneWalk {
  mutating func lookForLocalExperience(_ url: InvocationURL) throws {
    let engine = simulator.check.engine
    let covering = situation.localExperiences.filter { local in
      local.host == url.host && engine.covers(link: local.matchingKey, key: url.matchingKey)
    }
    guard let local = covering.max(by: { $0.matchingKey.utf8.count < $1.matchingKey.utf8.count })
    else { return }
    let begins = "The Local Experience \(local.normalized) covers the URL"
    let isServed = channel.isPhysical || channel == .banner || channel == .messages
    guard isServed, situation.version >= IOSVersion(14, 2) else {
      add(
        .localExperience, .note, .documented, Source.localExperience,
        begins + ", but is not used on this way.")
      return
    }
    guard situation.installed == .clip else {
      add(
        .localExperience, .note, .documented, Source.localExperience,
        begins + ", but starts only a clip that is on the phone already.")
      return
    }
    localExperience = local
    add(
      .localExperience, .passes, .documented, Source.localExperience,
      begins + " and comes before every registered one. It starts the clip on this phone if it is "
        + "signed for development, ad hoc or TestFlight, and needs no association.")
  }

  mutating func chooseExperience(_ url: InvocationURL) throws {
    if DefaultLink.isHost(url.host) { return chooseAppleLink(url) }
    let candidates = try directory.experiences(near: url)
    let matcher = ExperienceMatcher(
      key: url.matchingKey, engine: simulator.check.engine, candidates: candidates)
    list(candidates, url)
    if let other = matcher.disagreement {
      add(
        .experience, .doubtful, .assumed, "Apple does not say where a prefix may end",
        "As text, another experience would win than by whole path segments: "
          + "\(matcher.winner?.link.normalized ?? "none") or \(other?.link.normalized ?? "none").")
    }
    if let winner = matcher.winner {
      advanced = winner
      kind = .advanced
      let others =
        matcher.rivals.isEmpty ? "" : " Another clip has the same link; which wins is not known."
      add(
        .experience, matcher.rivals.isEmpty ? .passes : .doubtful, .documented, Source.configuring,
        "\(winner.link.normalized) wins: the active experience with the longest link that the URL "
          + "begins with.\(others)")
      if verification.state == .unassociated {
        stop(
          .host, .unavailable, .documented, Source.association,
          "Its clip \(winner.clip) does not have \(url.host) among its domains.")
      }
      return
    }
    if let sleeping = matcher.inactiveWinner {
      add(
        .experience, .note, .observed, "a deactivated experience was seen to start for 48 hours",
        "\(sleeping.link.normalized) covers the URL, but its status is \(sleeping.status.rawValue)."
      )
    }
    guard let clip, clip.defaultExperience != nil else {
      stop(
        .experience, channel == .nfc || channel == .qr ? .unavailable : .browser, .observed,
        "Apple developer forums, thread 803187",
        "No experience covers the URL, and the clip has no default experience. On a clip's host an "
          + "iPhone then shows a clip that is not available instead of the page.")
      return
    }
    kind = .defaultSite
    add(
      .experience, .passes, .documented, Source.choosing,
      "No advanced experience covers the URL; the default experience of \(clip.bundleID) is left.")
  }

  /// Says which registered links cover the URL, or nearly.
  private mutating func list(_ candidates: [AdvancedExperience], _ url: InvocationURL) {
    let engine = simulator.check.engine
    let covering = candidates.filter {
      engine.covers(link: $0.link.matchingKey, key: url.matchingKey)
    }
    .sorted { $0.link.matchingKey.utf8.count > $1.link.matchingKey.utf8.count }
    guard covering.count > 1 else { return }
    let links = covering.map { experience in
      experience.link.normalized
        + (experience.status == .received ? "" : " (\(experience.status.rawValue))")
    }
    add(
      .experience, .note, .documented, Source.configuring,
      "\(covering.count) registered links cover the URL: \(links.joined(separator: ", ")).")
  }

  private mutating func chooseAppleLink(_ url: InvocationURL) {
    guard let clip else {
      return stop(
        .experience, .browser, .documented, Source.defaultLink, "The link names no known clip.")
    }
    let isDemo = clip.listing.demoLink?.matchingKey == url.matchingKey
    kind = isDemo ? .demoLink : .defaultLink
    if clip.defaultExperience == nil, !isDemo {
      stop(
        .experience, .unavailable, .documented, Source.defaultLink,
        "\(clip.bundleID) has no default experience, which a default link shows.")
      return
    }
    add(
      .experience, .passes, .documented, Source.defaultLink,
      isDemo
        ? "It is the demo link of \(clip.bundleID)."
        : "It is the default link of \(clip.bundleID) and shows its default experience.")
    switch clip.listing.isReleased {
    case false:
      stop(
        .experience, .unavailable, .documented, Source.defaultLink,
        "The link works only once the app is in the App Store, which it is not.")
    case nil:
      add(
        .experience, .note, .documented, Source.defaultLink,
        "The link works once the app is in the App Store; the registry does not say whether it is.")
    default: break
    }
  }
}
