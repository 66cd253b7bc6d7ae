/// What serves an invocation, as Apple's table tells kinds apart ("Choosing the right App Clip
/// experience", Apple developer documentation).
package enum ServingKind: String, Hashable, Sendable, CaseIterable {
  /// An advanced experience with its own link.
  case advanced
  /// The default experience, through a website that is associated with the clip.
  case defaultSite = "default-site"
  /// The default experience, through Apple's link with the clip's identifier in it.
  case defaultLink = "default-link"
  /// Apple's demo link.
  case demoLink = "demo-link"

  /// Whether iOS serves this kind on a way at all, whatever its version.
  package func isServed(by channel: InvocationChannel) -> Bool {
    switch channel {
    case .qr, .nfc, .messages, .spotlight, .appLink: true
    case .banner: self == .advanced || self == .defaultSite
    case .appClipCode: self == .advanced || self == .demoLink
    case .maps, .siri: self == .advanced
    case .notification: self == .advanced || self == .defaultSite
    }
  }

  /// The first version of iOS that serves this kind on a way, where it is served.
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
