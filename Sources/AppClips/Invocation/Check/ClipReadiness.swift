/// The facts of a clip that keep phones from starting it, for any URL.
///
/// The finding is an error if no phone starts it, and a warning if some do not. Such findings are
/// reported for every way to the clip, so that reading, issuing and auditing agree.
struct ClipReadiness {
  let clip: AppClip
  /// The kind of experience that serves the invocation.
  let kind: ServingKind
  /// Whether a code in the physical world is read.
  let isPhysical: Bool

  var findings: [Finding] { [release, size, version].compactMap(\.self) }

  private var release: Finding? {
    guard clip.listing.isReleased == false else { return nil }
    return Finding(
      .clipNotReleased, .error,
      "\(clip.bundleID) is not in the App Store according to the registry (released: false); until then, only "
        + "developers and testers can start it.")
  }

  /// The limit depends on the clip's minimum deployment target, not on the phone.
  private var size: Finding? {
    guard let bytes = clip.listing.installBytes else { return nil }
    let minimum = clip.listing.minimumIOS
    let limit = ClipSizeLimit.bytes(minimumIOS: minimum, isPhysical: isPhysical, kind: kind)
    let size = "\(clip.bundleID) takes \(ClipSizeLimit.megabytes(bytes)) once installed"
    if bytes > limit {
      let why =
        minimum.map { "with iOS \($0) as its minimum, " } ?? "with any minimum version of iOS, "
      return Finding(
        .clipTooLarge, .error,
        "\(size); \(why)at most \(ClipSizeLimit.megabytes(limit)) are allowed for "
          + (isPhysical ? "codes and tags." : "links.")
          + (minimum != nil ? " App Store Connect refuses the upload (ITMS-90865)." : ""))
    }
    guard minimum == nil, let needed = ClipSizeLimit.minimumIOS(for: bytes) else { return nil }
    return Finding(
      .clipTooLarge, .warning,
      "\(size), which requires iOS \(needed) or newer as its minimum; the registry does "
        + "not contain the minimum.")
  }

  private var version: Finding? {
    guard let minimum = clip.listing.minimumIOS, minimum > PhoneSituation.commonVersion else {
      return nil
    }
    let needs = "\(clip.bundleID) needs iOS \(minimum)"
    guard minimum <= PhoneSituation.newestVersion else {
      return Finding(
        .clipNeedsNewerIOS, .error,
        "\(needs); the newest version is \(PhoneSituation.newestVersion).")
    }
    return Finding(
      .clipNeedsNewerIOS, .warning,
      "\(needs), and many phones have iOS \(PhoneSituation.commonVersion) or older and do not start it."
    )
  }
}

extension AppClip {
  /// The findings that keep phones from starting the clip, for any URL.
  ///
  /// - Parameter servesCodes: Whether codes and tags should start it; links alone allow a larger
  ///   clip.
  package func readinessFindings(servesCodes: Bool) -> [Finding] {
    ClipReadiness(
      clip: self, kind: servesCodes ? .advanced : .defaultSite, isPhysical: servesCodes
    ).findings
  }
}

extension InvocationURL {
  /// The findings against the URL in a new App Clip Code: its characters, and its estimated length.
  package var appClipCodeFindings: [Finding] { AppClipCodeFit(url: self).findings }
}
