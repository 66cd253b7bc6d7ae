/// Apple's own links, since iOS 16.4: default links, `https://appclip.apple.com/id?p=<clip>`, and
/// demo links, which App Store Connect issues in an unpublished form.
struct DefaultLink {
  let directory: any ExperienceDirectory

  /// Whether a host is Apple's own, on which clips register no experiences.
  static func isHost(_ host: String) -> Bool { host == "appclip.apple.com" }

  /// The default link of a clip.
  static func url(of clip: AppClip) -> String { "https://appclip.apple.com/id?p=\(clip.bundleID)" }

  func answer(for url: InvocationURL, carrier: Carrier) throws -> RegistryAnswer {
    guard url.path == "/id" else {
      if let clip = try directory.clip(demoLink: url) { return answer(forDemoOf: clip) }
      if let bare = url.withoutQuery, let clip = try directory.clip(demoLink: bare) {
        var answer = answer(forDemoOf: clip)
        answer.isDoubtful = true
        answer.findings.append(
          Finding(
            .demoLinkParameters, .warning,
            "A demo link accepts no parameters: write \(bare.payload), or use the default link or an "
              + "experience for the data of the query."))
        return answer
      }
      return RegistryAnswer(
        state: .unregistered,
        findings: [
          Finding(
            .unknownHost, .error,
            "\(url.host) is Apple's host, and \(url.path) is neither a default link nor a demo "
              + "link of the registry; write https://appclip.apple.com/id?p= and the clip's "
              + "bundle identifier.")
        ])
    }
    let clipID = url.queryItems.first { $0.name == "p" }?.value ?? ""
    guard !clipID.isEmpty else {
      return RegistryAnswer(
        state: .malformed,
        findings: [
          Finding(
            .defaultLinkWithoutP, .error,
            "The default link names no clip: begin its query with p= and the clip's bundle "
              + "identifier (one page of Apple's prints id?= by mistake).")
        ])
    }
    guard let clip = try directory.clip(bundleID: clipID) else {
      return RegistryAnswer(
        state: .unregistered,
        findings: [
          Finding(
            .unknownClip, .error,
            "The default link names the clip \(clipID.quotedForMessage), which the registry does "
              + "not hold" + (try nearby(clipID) ?? "."))
        ])
    }
    return answer(for: clip, carrier: carrier)
  }

  /// The clip that another identifier refers to: the app's, or one with a team prefix.
  private func nearby(_ id: String) throws -> String? {
    let withoutTeam = id.split(separator: ".", maxSplits: 1)
    if withoutTeam.count == 2, AppClip.problem(withTeam: String(withoutTeam[0])) == nil,
      try directory.clip(bundleID: String(withoutTeam[1])) != nil
    {
      return "; leave the team out: p=\(withoutTeam[1])."
    }
    return try directory.clips().first { $0.appBundleID == id }
      .map { "; that is the app. Write p=\($0.bundleID) for its clip." }
  }

  private func answer(forDemoOf clip: AppClip) -> RegistryAnswer {
    RegistryAnswer(
      state: .ok, experience: MatchedExperience(defaultOf: clip), clip: clip, kind: .demoLink,
      findings: [
        Finding(
          .demoLink, .note,
          "The URL is the demo link of \(clip.bundleID): it needs iOS 16.4, from other apps iOS 17, "
            + "passes no parameters, and works once the app is in the App Store.")
      ])
  }

  private func answer(for clip: AppClip, carrier: Carrier) -> RegistryAnswer {
    guard let experience = MatchedExperience(defaultOf: clip) else {
      return RegistryAnswer(
        state: .orphan, clip: clip,
        findings: [
          Finding(
            .defaultLinkWithoutExperience, .error,
            "The default link names \(clip.bundleID), which has no default experience; add one.")
        ])
    }
    if carrier == .appClipCode {
      return RegistryAnswer(
        state: .orphan, experience: experience, clip: clip,
        findings: [
          Finding(
            .defaultLinkInAppClipCode, .error,
            "iOS does not serve a default link from an App Clip Code; register an experience and "
              + "use its link.")
        ])
    }
    return RegistryAnswer(
      state: .ok, experience: experience, clip: clip, kind: .defaultLink,
      findings: [
        Finding(
          .defaultLink, .note,
          "The URL is the default link of \(clip.bundleID): it needs iOS 16.4, from other apps "
            + "iOS 17, and works once the app is in the App Store.")
      ])
  }
}
