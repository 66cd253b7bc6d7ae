public import CliptagBasics

/// A finding about a payload: its kind, its severity, and a sentence for a person.
public struct Finding: Hashable, Sendable {
  /// The stable name of a kind of finding: lower case with hyphens, never renamed.
  ///
  /// The well-known codes are static members, each declared with its ``meaning``.
  public struct Code: ErrorCode {
    /// The name as printed in JSON, for example `bare-prefix`.
    public let rawValue: String
    /// The meaning, in one sentence; empty for a code that was made from its name.
    public let meaning: String

    /// Makes a code from its printed name.
    public init(rawValue: String) { self.init(rawValue, "") }

    /// Declares a code.
    package init(_ name: String, _ meaning: String) {
      rawValue = name
      self.meaning = meaning
    }

    /// The definition as a failure's code: another text in place of a URL is wrong usage.
    public var definition: CodeDefinition { CodeDefinition(rawValue, [.usage], meaning) }
  }

  /// The severity of a finding.
  public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Information that requires no action.
    case note
    /// The payload works, or may work, but needs attention.
    case warning
    /// The payload is not acceptable in this form.
    case error

    /// Orders by severity, `note` first.
    public static func < (left: Severity, right: Severity) -> Bool {
      let order = allCases
      return order.firstIndex(of: left)! < order.firstIndex(of: right)!  // every case is listed
    }
  }

  /// The stable name of the kind of finding.
  public let code: Code
  /// The severity.
  public let severity: Severity
  /// One sentence for a person: the finding, its position, and its meaning.
  public let message: String
  /// The sentence where it has advice.
  private let hint: Hint?

  /// The sentence with its advice as values, which faces word in their own terms.
  public var advice: Hint { hint ?? Hint(message) }

  /// Makes a finding with advice in its sentence.
  package init(_ code: Code, _ severity: Severity, advising hint: Hint) {
    self.code = code
    self.severity = severity
    message = hint.text
    self.hint = hint
  }

  /// Makes a finding.
  public init(_ code: Code, _ severity: Severity, _ message: String) {
    self.code = code
    self.severity = severity
    self.message = message
    hint = nil
  }
}

extension [Finding] {
  /// The findings by severity: errors, then warnings, then notes; otherwise in the order of their
  /// discovery.
  var gravestFirst: [Finding] {
    Finding.Severity.allCases.reversed().flatMap { severity in
      filter { $0.severity == severity }
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Finding.Code {
  // MARK: The URL's own rules

  public static let emptyPayload = Self("empty-payload", "The payload is empty.")
  public static let tooLong = Self(
    "too-long", "The payload is longer than an invocation URL may be.")
  public static let surroundingWhiteSpace = Self(
    "surrounding-white-space", "White space precedes or follows the URL.")
  public static let whiteSpace = Self("white-space", "White space is inside the URL.")
  public static let controlCharacter = Self(
    "control-character", "The URL contains a control character.")
  public static let invisibleCharacter = Self(
    "invisible-character", "The URL contains an invisible character, such as a bidirectional mark.")
  public static let illegalCharacter = Self(
    "illegal-character", "The URL contains a character that RFC 3986 forbids, such as a brace.")
  public static let backslash = Self("backslash", "The URL contains a backslash.")
  public static let badEscape = Self(
    "bad-escape", "A percent sign is not followed by two hexadecimal digits.")
  public static let noScheme = Self("no-scheme", "The payload is not a URL: it has no scheme.")
  public static let notHTTPS = Self("not-https", "The scheme is not https.")
  public static let noHost = Self("no-host", "The URL has no host.")
  public static let hostWithoutDot = Self(
    "host-without-dot", "The host is a single label, such as localhost.")
  public static let hostLabel = Self(
    "host-label", "A label of the host is empty, too long, or has a character that DNS forbids.")
  public static let hostTooLong = Self("host-too-long", "The host is longer than DNS allows.")
  public static let hostRootDot = Self("host-root-dot", "The host ends with a dot.")
  public static let ipAddress = Self("ip-address", "The host is an IP address or a number.")
  public static let badInternationalHost = Self(
    "bad-international-host", "The host is not a valid international domain name.")
  public static let userInfo = Self("userinfo", "The URL has a user name before the host.")
  public static let port = Self("port", "The URL contains a port.")
  public static let dotSegment = Self("dot-segment", "A path segment is `.` or `..`.")

  // MARK: The registry

  public static let unknownHost = Self("unknown-host", "No clip claims the host.")
  public static let unassociatedHost = Self(
    "unassociated-host",
    "An experience covers the URL, but its clip does not name the host among its domains.")
  public static let domainStatus = Self(
    "domain-status", "Apple's servers did not accept the association file of a domain.")
  public static let unknownClip = Self(
    "unknown-clip", "The clip that the URL or its experience names is not in the registry.")
  public static let noMatch = Self(
    "no-match", "A clip claims the host, but no experience covers the URL.")
  public static let defaultOnly = Self(
    "default-only",
    "Only the clip's default experience could serve the URL, which iOS does not do reliably.")
  public static let inactiveExperience = Self(
    "inactive-experience", "An experience that covers the URL is not active.")
  public static let ambiguousPrefix = Self(
    "ambiguous-prefix", "String prefix and path-segment prefix choose different experiences.")
  public static let duplicateLink = Self(
    "duplicate-link", "Several active experiences have the link that covers the URL.")
  public static let trailingSlash = Self(
    "trailing-slash",
    "With or without a slash at the path's end, another experience would cover the URL.")
  public static let caseMismatch = Self(
    "case-mismatch", "With different capitalisation, another experience would cover the URL.")
  public static let queryInLink = Self(
    "query-in-link",
    "The experience's link has a query, so the order of the URL's query items matters.")
  public static let fragmentIgnored = Self(
    "fragment-ignored", "The fragment is ignored in the choice of the experience.")
  public static let internationalHost = Self(
    "international-host",
    "The host is an international domain name; its letters may resemble others.")
  public static let escapedControl = Self(
    "escaped-control", "The URL contains a percent-encoded control character.")
  public static let barcodeCarrier = Self(
    "barcode-carrier", "No iPhone accepts this kind of code as an invocation.")

  public static let queryMismatch = Self(
    "query-mismatch",
    "Another order of the query's items, or fewer of them, would match a registered link.")
  public static let doubleSlash = Self(
    "double-slash", "Without a doubled slash in the path, another experience would cover the URL.")
  public static let severalClips = Self(
    "several-clips", "The URL's host has several clips, and the intended one is unknown.")
  public static let pageOfOtherClip = Self(
    "page-of-other-clip", "The page at the URL offers a clip that does not claim the host.")

  // MARK: The clip itself

  public static let clipNotReleased = Self(
    "clip-not-released", "The clip's app is not in the App Store.")
  public static let clipTooLarge = Self(
    "clip-too-large",
    "A clip is larger than its minimum version of iOS allows, at least for codes and tags."
  )
  public static let clipNeedsNewerIOS = Self(
    "clip-needs-newer-ios", "The clip needs a version of iOS that many phones do not have.")

  // MARK: App Clip Codes

  public static let appClipCodeCharacters = Self(
    "app-clip-code-characters", "The URL has a character that an App Clip Code cannot encode.")
  public static let appClipCodeLength = Self(
    "app-clip-code-length", "The URL is too long for an App Clip Code, by an estimate.")

  // MARK: Apple's default links

  public static let defaultLink = Self(
    "default-link", "The URL is a clip's default link on Apple's own host.")
  public static let demoLink = Self(
    "demo-link", "The URL is a demo link that App Store Connect issued.")
  public static let demoLinkParameters = Self(
    "demo-link-parameters", "A demo link has parameters, which it does not accept.")
  public static let defaultLinkWithoutP = Self(
    "default-link-without-p", "A default link lacks the name of its first query item, `p`.")
  public static let defaultLinkWithoutExperience = Self(
    "default-link-without-experience", "A default link names a clip that has no default experience."
  )
  public static let defaultLinkInAppClipCode = Self(
    "default-link-in-app-clip-code",
    "An App Clip Code carries a default link, which iOS does not serve.")

  // MARK: The place

  public static let barePrefix = Self(
    "bare-prefix",
    "The URL is the registered link alone, although the experience requires a place in it.")
  public static let unknownPlace = Self("unknown-place", "The payload names no known place.")
  public static let repeatedItem = Self(
    "repeated-item", "A query item that names the place is in the URL more than once.")
  public static let coordinateMissing = Self(
    "coordinate-missing", "The URL lacks a latitude or a longitude.")
  public static let coordinateMalformed = Self(
    "coordinate-malformed", "A latitude or longitude in the URL is not a decimal number.")
  public static let coordinateOutOfRange = Self(
    "coordinate-out-of-range", "A latitude or longitude in the URL is out of range.")
  public static let coordinateZero = Self(
    "coordinate-zero",
    "Latitude and longitude in the URL are both zero, which indicates a missing value.")
  public static let radiusOutOfRange = Self(
    "radius-out-of-range",
    "The radius of the experience's place rule is not between 0 and 500 m.")

  // MARK: The location confirmation

  public static let outsideRegion = Self(
    "outside-region", "The reader is outside the region where the code belongs.")
  public static let undecidedAccuracy = Self(
    "undecided-accuracy",
    "The position is not accurate enough to decide whether the code is at its place.")
  public static let noPlace = Self(
    "no-place", "The clip requests location confirmation, and the place of the code is unknown.")
  public static let noPosition = Self(
    "no-position", "The clip requests location confirmation, and the position is unknown.")
  public static let signSuspect = Self(
    "sign-suspect",
    "With a sign changed or with latitude and longitude exchanged, the position would be inside.")
  public static let polygonNotConfirmable = Self(
    "polygon-not-confirmable", "The place is a polygon, which phones cannot confirm.")
  public static let severalRegionsNotConfirmable = Self(
    "several-regions-not-confirmable",
    "The place has several regions, which phones cannot confirm.")
  public static let locationWaived = Self(
    "location-waived", "The location confirmation was waived.")
  public static let locationDisallowed = Self(
    "location-disallowed",
    "The clip requests location confirmation, and iOS refuses it for this kind of code.")

  /// The codes above, in the order of the documentation.
  package static let ofPayloads: [Self] = [
    .emptyPayload, .tooLong, .surroundingWhiteSpace, .whiteSpace, .controlCharacter,
    .invisibleCharacter, .illegalCharacter, .backslash, .badEscape, .noScheme, .notHTTPS, .noHost,
    .hostWithoutDot, .hostLabel, .hostTooLong, .hostRootDot, .ipAddress, .badInternationalHost,
    .userInfo, .port, .dotSegment, .unknownHost, .unassociatedHost, .domainStatus, .unknownClip,
    .noMatch, .defaultOnly, .inactiveExperience, .ambiguousPrefix, .duplicateLink, .trailingSlash,
    .caseMismatch, .queryInLink, .fragmentIgnored, .internationalHost, .escapedControl,
    .barcodeCarrier, .queryMismatch, .doubleSlash, .severalClips, .pageOfOtherClip,
    .clipNotReleased, .clipTooLarge, .clipNeedsNewerIOS, .appClipCodeCharacters,
    .appClipCodeLength, .defaultLink, .demoLink, .demoLinkParameters, .defaultLinkWithoutP,
    .defaultLinkWithoutExperience, .defaultLinkInAppClipCode, .barePrefix, .unknownPlace,
    .repeatedItem, .coordinateMissing, .coordinateMalformed, .coordinateOutOfRange,
    .coordinateZero, .radiusOutOfRange, .outsideRegion, .undecidedAccuracy, .noPlace, .noPosition,
    .signSuspect, .polygonNotConfirmable, .severalRegionsNotConfirmable, .locationWaived,
    .locationDisallowed,
  ]
}
