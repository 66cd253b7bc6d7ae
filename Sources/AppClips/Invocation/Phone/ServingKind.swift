/// The kinds of experience that serve an invocation, as in Apple's table ("Choosing the right App
/// Clip experience", Apple developer documentation).
package enum ServingKind: String, Hashable, Sendable, CaseIterable {
  /// An advanced experience with its own link.
  case advanced
  /// The default experience, through a website that is associated with the clip.
  case defaultSite = "default-site"
  /// The default experience, through Apple's link with the clip's identifier.
  case defaultLink = "default-link"
  /// Apple's demo link.
  case demoLink = "demo-link"

  /// Whether any version of iOS serves this kind in a way.
  package func isServed(by channel: InvocationChannel) -> Bool {
    switch channel {
    case .qr, .nfc, .messages, .spotlight, .appLink: true
    case .banner: self == .advanced || self == .defaultSite
    case .appClipCode: self == .advanced || self == .demoLink
    case .maps, .siri: self == .advanced
    case .notification: self == .advanced || self == .defaultSite
    }
  }

  /// The first version of iOS that serves this kind in a way, if it is served.
  package func firstVersion(by channel: InvocationChannel) -> IOSVersion {
    // Links in other apps start clips of any kind since iOS 17 only.
    if channel == .appLink { return IOSVersion(17) }
    return switch self {
    case .advanced:
      channel == .appClipCode ? .firstWithAppClipCodes : .firstWithAppClips
    case .defaultSite: channel.isPhysical ? IOSVersion(16, 4) : .firstWithAppClips
    case .defaultLink, .demoLink: IOSVersion(16, 4)
    }
  }

  /// The kind in a sentence.
  var words: String {
    switch self {
    case .advanced: "an advanced experience"
    case .defaultSite: "a default experience with an associated site"
    case .defaultLink: "a default App Clip link"
    case .demoLink: "a demo link"
    }
  }
}

/// The limit of a clip's size.
package enum ClipSizeLimit {
  /// The maximum installed size of a clip, in bytes; a megabyte is one million bytes.
  ///
  /// The limit is 10 MB with a minimum below iOS 16, 15 MB from iOS 16 on; 100 MB only from iOS 17
  /// on, and only for a demo link or if no physical code is read (App Store Connect Help, "Maximum
  /// build file sizes"; a build over the limit is refused with ITMS-90865).
  ///
  /// - Parameter minimumIOS: The clip's minimum deployment target; `nil` if unknown, which gives
  ///   the largest limit.
  package static func bytes(minimumIOS: IOSVersion?, isPhysical: Bool, kind: ServingKind) -> Int {
    let minimum = minimumIOS ?? PhoneSituation.newestVersion
    if minimum < IOSVersion(16) { return 10_000_000 }
    if minimum < IOSVersion(17) || (isPhysical && kind != .demoLink) { return 15_000_000 }
    return 100_000_000
  }

  /// The lowest minimum deployment target that allows a size; `nil` if any does.
  static func minimumIOS(for bytes: Int) -> IOSVersion? {
    if bytes <= 10_000_000 { return nil }
    return bytes <= 15_000_000 ? IOSVersion(16) : IOSVersion(17)
  }

  /// A size in megabytes, with a decimal if it is not zero.
  package static func megabytes(_ bytes: Int) -> String {
    let tenths = (bytes + 50_000) / 100_000
    return tenths % 10 == 0 ? "\(tenths / 10) MB" : "\(tenths / 10).\(tenths % 10) MB"
  }
}
