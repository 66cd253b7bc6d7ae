/// The way in which a URL reaches a phone.
public enum InvocationChannel: String, Hashable, Sendable, CaseIterable {
  /// The Camera app or the scanner in Control Centre reads a QR code.
  case qr
  /// The phone is held near an NFC tag.
  case nfc
  /// An App Clip Code is scanned or held near.
  case appClipCode = "app-clip-code"
  /// The user taps the Smart App Banner on the page in Safari.
  case banner
  /// The user taps a link to the page in Messages.
  case messages
  /// The user taps the clip on a place card in Maps.
  case maps
  /// Siri suggests the clip at a place.
  case siri
  /// The user opens the clip from Spotlight.
  case spotlight
  /// Another app shows a preview of the link and opens it.
  case appLink = "app-link"
  /// The user taps a notification that the clip received.
  case notification

  /// Whether a code in the physical world was read; iOS confirms a location only in this case.
  public var isPhysical: Bool { [.qr, .nfc, .appClipCode].contains(self) }

  /// Whether a URL that arrives this way may be a universal link, which opens an installed app.
  var takesUniversalLinks: Bool { [.qr, .nfc, .appClipCode, .messages, .appLink].contains(self) }

  /// Whether the page's Smart App Banner chooses the clip.
  var isChosenByPage: Bool { self == .banner || self == .messages }

  /// The carrier of the payload in this way.
  public var carrier: Carrier {
    switch self {
    case .qr: .qr
    case .nfc: .nfc
    case .appClipCode: .appClipCode
    default: .url
    }
  }

  /// The event, for the beginning of a sentence.
  var event: String {
    switch self {
    case .qr: "The QR code"
    case .nfc: "The NFC tag"
    case .appClipCode: "The App Clip Code"
    case .banner: "The Smart App Banner"
    case .messages: "The link in Messages"
    case .maps: "The place card in Maps"
    case .siri: "Siri's suggestion"
    case .spotlight: "The entry in Spotlight"
    case .appLink: "The link in another app"
    case .notification: "The notification"
    }
  }
}

/// The developer's software on a phone.
public enum InstalledSoftware: String, Hashable, Sendable, CaseIterable {
  /// No software is installed.
  case none
  /// The clip is installed, from an earlier invocation.
  case clip
  /// The full app is installed, which replaces the clip.
  case app
}

/// The phone that reads a payload.
public struct PhoneSituation: Hashable, Sendable {
  /// The way in which the URL reaches it.
  public var channel: InvocationChannel
  /// Its version of iOS.
  public var version: IOSVersion
  /// The installed software.
  public var installed: InstalledSoftware
  /// Its language as a code of App Store Connect, such as `DE`; `nil` for the experience's own.
  public var language: String?
  /// The association file as the URL's host serves it; `nil` if it was not examined.
  public var association: SiteAssociation.Reading?
  /// The Smart App Banner of the page at the URL, an empty one for a page without; `nil` if it was
  /// not examined. If several clips share a host, it decides for Safari and Messages.
  public var page: SmartAppBanner?
  /// Links of Local Experiences that a developer has set up on it (Settings, Developer).
  public var localExperiences: [InvocationURL]

  /// The newest version of iOS that this software knows.
  public static let newestVersion = IOSVersion(27)
  /// The version that nearly all phones with App Clips in daily use have, or a newer one: the one
  /// before the newest. A clip that needs a newer version excludes many users.
  static let commonVersion = IOSVersion(26)

  /// Makes a situation.
  public init(
    channel: InvocationChannel = .qr, version: IOSVersion = newestVersion,
    installed: InstalledSoftware = .none, language: String? = nil,
    association: SiteAssociation.Reading? = nil, page: SmartAppBanner? = nil,
    localExperiences: [InvocationURL] = []
  ) {
    self.channel = channel
    self.version = version
    self.installed = installed
    self.language = language
    self.association = association
    self.page = page
    self.localExperiences = localExperiences
  }
}

/// A version of iOS, as far as it matters for App Clips.
public struct IOSVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The first number, for example 16.
  public let major: Int
  /// The second number, for example 4.
  public let minor: Int

  /// Makes a version.
  public init(_ major: Int, _ minor: Int = 0) {
    self.major = major
    self.minor = minor
  }

  /// Reads `16`, `16.4` or `16.4.1`; the part after the second number is ignored.
  ///
  /// - Returns: `nil` for any other text, including 19 to 25, which never existed: iOS 18 was
  ///   followed by 26.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count),
      parts.allSatisfy({ (1...3).contains($0.count) && $0.allSatisfy(\.isASCIIDigit) })
    else { return nil }
    let numbers = parts.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard !(19...25).contains(numbers[0]) else { return nil }
    self.init(numbers[0], numbers.count > 1 ? numbers[1] : 0)
  }

  /// Compares number by number.
  public static func < (left: IOSVersion, right: IOSVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }

  /// The first version with App Clips.
  public static let firstWithAppClips = IOSVersion(14)
  /// The first version that reads App Clip Codes.
  public static let firstWithAppClipCodes = IOSVersion(14, 3)

  /// The version as `16` or `16.4`.
  public var description: String { minor == 0 ? "\(major)" : "\(major).\(minor)" }
}
