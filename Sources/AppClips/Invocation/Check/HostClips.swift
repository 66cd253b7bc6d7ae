/// The clips that claim a host, and the choice among them for a way of invocation.
struct HostClips {
  let host: String
  let way: InvocationWay
  /// The clips by bundle identifier; only the one that the page offers, if the page decides.
  let clips: [AppClip]
  /// The number of clips that claim the host.
  private let count: Int
  /// The page's banner, if the page decides and was examined.
  private let page: SmartAppBanner?

  init(of host: String, by way: InvocationWay, in directory: any ExperienceDirectory) throws {
    self.host = host
    self.way = way
    let all = try directory.clips(associatedWith: host).sorted { $0.bundleID < $1.bundleID }
    count = all.count
    let page = way.isChosenByPage ? way.page : nil
    self.page = page
    clips = page == nil ? all : all.filter { $0.bundleID == page?.clip }
  }

  /// The clips whose default experience may serve the host, without those that no phone starts this
  /// way, unless none is left.
  var withDefault: [AppClip] {
    let startable = startableDefaults
    return startable.isEmpty
      ? Array(clips.filter { $0.defaultExperience != nil }.prefix(1)) : startable
  }

  /// The clips with a default experience that phones start this way.
  var startableDefaults: [AppClip] {
    clips.filter { clip in
      let readiness = ClipReadiness(clip: clip, kind: .defaultSite, isPhysical: way.isPhysical)
      return clip.defaultExperience != nil
        && clip.listing.domainStatus(of: host)?.isValid != false
        && !readiness.findings.contains { $0.severity == .error }
    }
  }

  /// The experiences that take part: only those of the page's clip, if the page decides.
  func candidates(_ experiences: [AdvancedExperience]) -> [AdvancedExperience] {
    page == nil ? experiences : experiences.filter { $0.clip == page?.clip }
  }

  /// The answer for a page that offers a clip without the host among its domains.
  var foreignPage: RegistryAnswer? {
    guard let page, clips.isEmpty, count > 0 else { return nil }
    return RegistryAnswer(
      state: .unassociated,
      findings: [
        Finding(
          .pageOfOtherClip, .error,
          page.clip.map {
            "The page offers the clip \($0.quotedForMessage), which does not have \(host) among its domains "
              + "in the registry; correct app-clip-bundle-id in its Smart App Banner, or the clip's domains."
          } ?? "The page has no Smart App Banner with app-clip-bundle-id, so it offers no clip.")
      ])
  }

  /// The finding if it is open which of several clips is meant.
  func openChoice(matched answer: RegistryAnswer) -> Finding? {
    guard count > 1 else { return nil }
    if way.isChosenByPage {
      guard way.page == nil else { return nil }
      return Finding(
        .severalClips, .warning,
        "\(host) has \(count) clips: \(names(of: clips)). In Safari and Messages the page's Smart App Banner "
          + "selects one of them; the banner was not read.")
    }
    guard answer.state == .defaultOnly, withDefault.count > 1 else { return nil }
    return Finding(
      .severalClips, .warning,
      "\(host) has \(withDefault.count) clips with a default experience: \(names(of: withDefault)). The one "
        + "that a phone starts for a code is not documented; register an experience.")
  }

  private func names(of clips: [AppClip]) -> String {
    clips.map(\.bundleID).joined(separator: ", ")
  }
}
