import Invocation

/// The keys of one kind of mapping in a registry file or a key file: the table by which files are
/// read, and from which the reference of the keys and the JSON Schema are made.
public struct DocumentShape: Hashable, Sendable {
  /// The mapping's name in references, for example `place rule`.
  public let name: String
  /// The meaning of the mapping, as sentences.
  public let meaning: String
  /// The mapping at the beginning of a sentence, for example `A place rule`.
  let subject: String
  /// The keys, in the order of a reference.
  public let keys: [DocumentKey]
  /// The names of the keys, which every mapping that is read is compared with.
  let names: [String]
  /// Sets of keys, of which a mapping has exactly one; none if the keys are independent.
  let alternatives: [[String]]

  package init(
    _ name: String, subject: String? = nil, _ meaning: String, _ keys: [DocumentKey],
    alternatives: [[String]] = []
  ) {
    self.name = name
    self.meaning = meaning
    self.subject = subject ?? "\("aeiou".contains(name.prefix(1)) ? "An" : "A") \(name)"
    self.keys = keys
    names = keys.map(\.name)
    self.alternatives = alternatives
  }

  /// The names of the keys that every mapping of this kind has.
  public var requiredNames: [String] { keys.filter(\.isRequired).map(\.name) }
}

/// A key of a mapping.
public struct DocumentKey: Hashable, Sendable {
  /// The key as it is written.
  public let name: String
  /// The form of its value.
  public let value: Value
  /// A Boolean value that indicates whether the mapping is refused without the key.
  public let isRequired: Bool
  /// The meaning of the value, its unit and what an omitted key means, as sentences.
  public let meaning: String

  /// The forms of values.
  public indirect enum Value: Hashable, Sendable {
    /// A text; in JSON and for numbers in YAML it is in double quotes. A pattern is a regular
    /// expression (ECMA-262) that every valid text matches.
    case text(pattern: String? = nil)
    /// A URL with scheme and host.
    case url
    /// A time in UTC (RFC 3339).
    case time
    /// One of several texts.
    case choice([String])
    /// A number with its limits; the unit is part of the key's meaning.
    case number(above: Double? = nil, from: Double? = nil, to: Double? = nil)
    /// A positive integer.
    case count
    /// True or false.
    case flag
    /// A value of one of several forms.
    case either([Value])
    /// A list of values of one form.
    case list(Value, count: ClosedRange<Int>? = nil)
    /// A mapping.
    case mapping(DocumentShape)
    /// A mapping with a language as each key.
    case languages(DocumentShape, pattern: String)
  }

  package static func required(_ name: String, _ value: Value, _ meaning: String) -> Self {
    Self(name: name, value: value, isRequired: true, meaning: meaning)
  }

  package static func optional(_ name: String, _ value: Value, _ meaning: String) -> Self {
    Self(name: name, value: value, isRequired: false, meaning: meaning)
  }
}

extension DocumentShape {
  /// The kinds of mappings of a registry file: the whole file first, then each after the one that
  /// contains it.
  public static let ofRegistryFile = [
    registry, clip, defaultExperience, defaultLocalization, experience, placeRule, localization,
    image, testInvocation, domainStatus, place, region,
  ]

  /// The whole file.
  public static let registry = DocumentShape(
    "registry", subject: "The registry",
    "The whole file: one mapping. All of it is optional; a file may add or change a part.",
    [
      .optional("clips", .list(.mapping(clip)), "The App Clips, each with its experiences."),
      .optional("places", .list(.mapping(place)), "The places where codes hang."),
    ])

  private static let bundleIdentifier = "^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$"

  static let clip = DocumentShape(
    "clip", "An App Clip. Its key is “clip”: a clip of the same name is updated.",
    [
      .required(
        "clip", .text(pattern: bundleIdentifier),
        "The clip's bundle identifier: that of its app, a dot and a suffix."),
      .required("app", .text(pattern: bundleIdentifier), "The app's bundle identifier."),
      .required(
        "team", .text(pattern: "^[A-Z0-9]{10}$"),
        "The application identifier prefix, ten capital letters and digits: the team identifier."),
      .optional(
        "appStoreID", .text(pattern: "^[0-9]+$"),
        "The app's number in the App Store, for Smart App Banners and App Store Connect."),
      .required(
        "domains", .list(.text()),
        "The hosts of the clip's “appclips:” entitlements, exactly, without scheme or wildcard."),
      .optional(
        "locationConfirmation", .flag,
        "Whether the clip confirms the phone's location before it acts "
          + "(NSAppClipRequestLocationConfirmation). Without it: false."),
      .optional(
        "defaultExperience", .mapping(defaultExperience),
        "The card for URLs that no advanced experience covers; App Store Connect requires it."),
      .optional(
        "experiences", .list(.mapping(experience)), "The clip's advanced App Clip experiences."),
      .optional("identifier", .text(), "The clip's identifier in App Store Connect."),
      .optional("name", .text(), "The app's name, for posters and reports."),
      .optional(
        "minimumIOS", .either([.text(pattern: "^[0-9]+(\\.[0-9]+)*$"), .number()]),
        "The earliest version of iOS that runs the clip."),
      .optional("released", .flag, "Whether the clip is on sale."),
      .optional(
        "installBytes", .count,
        "The uncompressed size of the clip on a phone, in bytes, for the size limits."),
      .optional("demoLink", .url, "The clip's demo link, which Apple hosts."),
      .optional(
        "testInvocations",
        .list(.mapping(testInvocation), count: 0...ClipListing.maximumTestInvocations),
        "The invocations that TestFlight offers for the build."),
      .optional(
        "domainStatuses", .list(.mapping(domainStatus)),
        "The statuses of the domains in App Store Connect."),
    ])

  private static let title = DocumentKey.optional(
    "title", .text(),
    "The title of the App Clip card, at most \(ExperienceCard.maximumTitleLength) characters.")
  private static let subtitle = DocumentKey.optional(
    "subtitle", .text(),
    "The subtitle of the card, at most \(ExperienceCard.maximumSubtitleLength) characters.")
  private static let action = DocumentKey.optional(
    "action", .choice(CardAction.allCases.map(\.rawValue)),
    "The card's button: OPEN, VIEW for media and information, PLAY for games. Without it: OPEN.")
  private static let headerImage = DocumentKey.optional(
    "image", .mapping(image), "The card's header image.")
  private static let changed = DocumentKey.optional(
    "changed", .time, "The time of the last change in App Store Connect.")
  private static func localizations(_ shape: DocumentShape, _ pattern: String) -> DocumentKey {
    .optional(
      "localizations", .languages(shape, pattern: pattern),
      "The card's texts in further languages, by language.")
  }

  package static let defaultExperience = DocumentShape(
    "default experience", "The default App Clip experience of a clip.",
    [
      title, subtitle, action,
      localizations(defaultLocalization, "^[a-z]{2,3}(-[A-Za-z0-9]{2,4})?$"), headerImage, changed,
    ])

  static let defaultLocalization = DocumentShape(
    "localization of a default experience", subject: "A localization",
    "The texts in one language. The key is a locale of App Store Connect, such as de-DE or "
      + "zh-Hans; the title is the app's name in that language.",
    [subtitle])

  static let experience = DocumentShape(
    "experience",
    "An advanced App Clip experience. Its key is “link”: an experience of the same link is updated.",
    [
      .required(
        "link", .url,
        "The URL prefix that the experience covers. The most specific one wins; paths are compared "
          + "by whole segments."),
      title, subtitle, action,
      .optional(
        "language", .choice(AdvancedExperience.languages),
        "The language of title and subtitle. Without it: EN."),
      .optional(
        "status", .choice(ExperienceStatus.allCases.map(\.rawValue)),
        "The status in App Store Connect; only RECEIVED is active. Without it: RECEIVED."),
      .optional(
        "place", .mapping(placeRule),
        "The rule by which a URL names its place, for the location confirmation."),
      .optional("identifier", .text(), "The experience's identifier in App Store Connect."),
      .optional(
        "poweredBy", .flag, "Whether the card names the app as “Powered by”. Without it: false."),
      .optional(
        "businessCategory", .choice(ExperienceListing.businessCategories),
        "The category of the business in App Store Connect."),
      .optional(
        "placeStatus", .choice(PlaceStatus.allCases.map(\.rawValue)),
        "The status of the experience's place in Maps."),
      localizations(
        localization,
        "^(" + AdvancedExperience.languages.joined(separator: "|") + ")$"), headerImage, changed,
    ])

  static let placeRule = DocumentShape(
    "place rule",
    "The place of a URL under an experience's link; exactly one of “id”, “path”, “query” and "
      + "“coordinates”.",
    [
      .optional("id", .text(), "The id of the one place of all URLs under the link."),
      .optional(
        "path", .text(pattern: "\\{place\\}"),
        "A template of the path in which {place} is the segment with the place's id: "
          + "/order/{place}."),
      .optional("query", .text(), "The name of the query item whose value is the place's id."),
      .optional(
        "coordinates", .list(.text(), count: 2...2),
        "The names of the query items with latitude and longitude in degrees: "
          + "[latitude, longitude]."),
      .optional(
        "radius", .number(above: 0, to: Region.Circle.maximumRadius),
        "With “coordinates”, which needs it: the radius around the position, in metres, at most "
          + "\(Int(Region.Circle.maximumRadius))."),
    ], alternatives: [["id"], ["path"], ["query"], ["coordinates", "radius"]])

  static let localization = DocumentShape(
    "localization",
    "The texts in one language. The key is a language code of App Store Connect, such as DE.",
    [title, subtitle])

  static let image = DocumentShape(
    "image", "A header image.",
    [
      .required("file", .text(), "The name of the file."),
      .optional("width", .count, "The width in pixels; only together with “height”."),
      .optional("height", .count, "The height in pixels; only together with “width”."),
    ])

  static let testInvocation = DocumentShape(
    "test invocation", "An invocation of TestFlight.",
    [
      .required("url", .url, "The invocation URL."),
      .required("title", .text(), "The title in TestFlight."),
    ])

  static let domainStatus = DocumentShape(
    "domain status", "The status of a domain in App Store Connect.",
    [
      .required("domain", .text(), "The host."),
      .required("valid", .flag, "Whether Apple found a valid association file."),
      .optional("errorCode", .text(), "Apple's code of the error."),
      .optional("updated", .time, "The time of Apple's last look."),
    ])

  static let place = DocumentShape(
    "place",
    "A place. Its key is “id”: a place of the same id is updated. It has either “region” or "
      + "“regions”.",
    [
      .required(
        "id", .text(),
        "The short name in URLs, at most 100 bytes and without slashes: letters, digits, hyphens."),
      .required("name", .text(), "The name for people, on posters and in reports."),
      .optional(
        "region", .mapping(region),
        "Where a phone is when it is at the place. Phones use one circle; cliptag's own checks "
          + "cover all shapes."),
      .optional("regions", .list(.mapping(region)), "Several regions, such as two entrances."),
      .optional(
        "language", .text(pattern: "^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$"),
        "The language of the signs at the place (BCP 47), such as de or pt-BR."),
    ], alternatives: [["region"], ["regions"]])

  static let region = DocumentShape(
    "region", "A circle, of “latitude”, “longitude” and “radius”, or a polygon.",
    [
      .optional(
        "latitude", .number(from: -90, to: 90),
        "The latitude of the circle's centre, in degrees (WGS 84)."),
      .optional("longitude", .number(from: -180, to: 180), "Its longitude, in degrees."),
      .optional(
        "radius", .number(above: 0, to: Region.Circle.maximumRadius),
        "Its radius in metres, at most \(Int(Region.Circle.maximumRadius)) (Apple's limit)."),
      .optional(
        "polygon", .list(.list(.number(), count: 2...2)),
        "Three or more corners, each [latitude, longitude] in degrees; it closes by itself."),
    ], alternatives: [["latitude", "longitude", "radius"], ["polygon"]])
}
