import Invocation

/// What is doubtful in what App Store Connect holds besides links and cards.
struct ListingLint {
  let document: RegistryDocument

  func findings() -> [Finding] {
    let experiences = Dictionary(grouping: document.experiences, by: \.clip)
    var findings: [Finding] = []
    for clip in document.clips {
      findings += statuses(of: clip)
      findings += sizes(of: clip)
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
          + "App Store Connect's debug status shows at once whether it helped.")
    }
  }

  private func sizes(of clip: AppClip) -> [Finding] {
    guard let bytes = clip.listing.installBytes else { return [] }
    let oldest = clip.listing.minimumIOS ?? IOSVersion.firstWithAppClips
    func limit(_ version: IOSVersion, _ channel: InvocationChannel) -> Int {
      ClipSizeLimit.bytes(on: version, channel: channel, kind: .advanced)
    }
    let newest = PhoneSituation.newestVersion
    let size = "\(clip.bundleID) takes \(ClipSizeLimit.megabytes(bytes)) once installed"
    if bytes > limit(newest, .messages) {
      return [Finding(.clipTooLarge, .error, size + "; no version of iOS takes more than 100 MB.")]
    }
    if bytes > limit(newest, .qr) {
      return [
        Finding(
          .clipTooLarge, .error,
          size + "; codes and tags start it only up to 15 MB, on every version of iOS.")
      ]
    }
    if oldest.major <= 15, bytes > limit(IOSVersion(15), .qr) {
      return [
        Finding(
          .clipTooLarge, .warning,
          size
            + "; phones with iOS 15 or older do not start it, as they take 10 MB. Make it smaller "
            + "or let it need iOS 16.")
      ]
    }
    return []
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
          + "takes 1800 × 1200.")
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
          + "it; codes and tags work all the same.")
    ]
  }

  /// Experiences that lack a language which most of the clip's others have.
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
