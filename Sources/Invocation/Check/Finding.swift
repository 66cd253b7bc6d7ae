public import Basics

/// A finding about a payload: its kind, its severity, and a sentence for a person.
public struct Finding: Hashable, Sendable {
  /// The stable name of a kind of finding: lower case with hyphens, never renamed.
  ///
  /// The well-known codes are static members; each documents its meaning.
  public struct Code: ErrorCode {
    /// The name as printed in JSON, for example `bare-prefix`.
    public let rawValue: String

    /// Makes a code from its printed name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name as printed in JSON.
    public var description: String { rawValue }
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

  /// Makes a finding.
  public init(_ code: Code, _ severity: Severity, _ message: String) {
    self.code = code
    self.severity = severity
    self.message = message
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

extension Finding.Code {
  // MARK: The URL's own rules

  /// The payload is empty.
  public static let emptyPayload = Finding.Code(rawValue: "empty-payload")
  /// The payload is longer than an invocation URL may be.
  public static let tooLong = Finding.Code(rawValue: "too-long")
  /// White space precedes or follows the URL.
  public static let surroundingWhiteSpace = Finding.Code(rawValue: "surrounding-white-space")
  /// White space is inside the URL.
  public static let whiteSpace = Finding.Code(rawValue: "white-space")
  /// The URL holds a control character.
  public static let controlCharacter = Finding.Code(rawValue: "control-character")
  /// The URL holds an invisible character, such as a bidirectional mark.
  public static let invisibleCharacter = Finding.Code(rawValue: "invisible-character")
  /// The URL holds a character that RFC 3986 does not allow, such as a brace.
  public static let illegalCharacter = Finding.Code(rawValue: "illegal-character")
  /// The URL holds a backslash.
  public static let backslash = Finding.Code(rawValue: "backslash")
  /// A percent sign is not followed by two hexadecimal digits.
  public static let badEscape = Finding.Code(rawValue: "bad-escape")
  /// The payload is not a URL: it has no scheme.
  public static let noScheme = Finding.Code(rawValue: "no-scheme")
  /// The scheme is not https.
  public static let notHTTPS = Finding.Code(rawValue: "not-https")
  /// The URL has no host.
  public static let noHost = Finding.Code(rawValue: "no-host")
  /// The host is a single label, such as localhost.
  public static let hostWithoutDot = Finding.Code(rawValue: "host-without-dot")
  /// A label of the host is empty, too long, or holds a character that DNS forbids.
  public static let hostLabel = Finding.Code(rawValue: "host-label")
  /// The host is longer than DNS allows.
  public static let hostTooLong = Finding.Code(rawValue: "host-too-long")
  /// The host ends with a dot.
  public static let hostRootDot = Finding.Code(rawValue: "host-root-dot")
  /// The host is an IP address or a number.
  public static let ipAddress = Finding.Code(rawValue: "ip-address")
  /// The host is not a valid international domain name.
  public static let badInternationalHost = Finding.Code(rawValue: "bad-international-host")
  /// The URL has a user name before the host.
  public static let userInfo = Finding.Code(rawValue: "userinfo")
  /// The URL names a port.
  public static let port = Finding.Code(rawValue: "port")
  /// A path segment is `.` or `..`.
  public static let dotSegment = Finding.Code(rawValue: "dot-segment")

  // MARK: The registry

  /// No clip claims the host.
  public static let unknownHost = Finding.Code(rawValue: "unknown-host")
  /// An experience covers the URL, but its clip does not name the host among its domains.
  public static let unassociatedHost = Finding.Code(rawValue: "unassociated-host")
  /// Apple's servers did not accept the association file of a domain.
  public static let domainStatus = Finding.Code(rawValue: "domain-status")
  /// The clip that the URL or its experience names is not in the registry.
  public static let unknownClip = Finding.Code(rawValue: "unknown-clip")
  /// A clip claims the host, but no experience covers the URL.
  public static let noMatch = Finding.Code(rawValue: "no-match")
  /// Only the clip's default experience could serve the URL, which iOS does not do reliably.
  public static let defaultOnly = Finding.Code(rawValue: "default-only")
  /// An experience that covers the URL is not active.
  public static let inactiveExperience = Finding.Code(rawValue: "inactive-experience")
  /// String prefix and path-segment prefix choose different experiences.
  public static let ambiguousPrefix = Finding.Code(rawValue: "ambiguous-prefix")
  /// Several active experiences have the link that covers the URL.
  public static let duplicateLink = Finding.Code(rawValue: "duplicate-link")
  /// With a slash more or less at the path's end, another experience would cover the URL.
  public static let trailingSlash = Finding.Code(rawValue: "trailing-slash")
  /// In another case, another experience would cover the URL.
  public static let caseMismatch = Finding.Code(rawValue: "case-mismatch")
  /// The experience's link has a query, so the order of the URL's query items matters.
  public static let queryInLink = Finding.Code(rawValue: "query-in-link")
  /// The fragment takes no part in the choice of the experience.
  public static let fragmentIgnored = Finding.Code(rawValue: "fragment-ignored")
  /// The host is an international domain name; its letters may look like others.
  public static let internationalHost = Finding.Code(rawValue: "international-host")
  /// The URL holds a control character as a percent escape.
  public static let escapedControl = Finding.Code(rawValue: "escaped-control")
  /// The code is of a kind that no iPhone takes as an invocation.
  public static let barcodeCarrier = Finding.Code(rawValue: "barcode-carrier")

  /// Another order of the query's items, or fewer of them, would match a registered link.
  public static let queryMismatch = Finding.Code(rawValue: "query-mismatch")
  /// Without a doubled slash in the path, another experience would cover the URL.
  public static let doubleSlash = Finding.Code(rawValue: "double-slash")
  /// The URL's host has several clips, and it is not known which one is meant.
  public static let severalClips = Finding.Code(rawValue: "several-clips")
  /// The page at the URL offers a clip that does not claim the host.
  public static let pageOfOtherClip = Finding.Code(rawValue: "page-of-other-clip")

  // MARK: The clip itself

  /// The clip's app is not in the App Store.
  public static let clipNotReleased = Finding.Code(rawValue: "clip-not-released")
  /// A clip is larger than its minimum version of iOS allows, at least where a code or a tag is
  /// read.
  public static let clipTooLarge = Finding.Code(rawValue: "clip-too-large")
  /// The clip needs a version of iOS that many phones do not have.
  public static let clipNeedsNewerIOS = Finding.Code(rawValue: "clip-needs-newer-ios")

  // MARK: App Clip Codes

  /// The URL has a character that no App Clip Code carries.
  public static let appClipCodeCharacters = Finding.Code(rawValue: "app-clip-code-characters")
  /// The URL is too long for an App Clip Code, by an estimate.
  public static let appClipCodeLength = Finding.Code(rawValue: "app-clip-code-length")

  // MARK: Apple's default links

  /// The URL is a clip's default link on Apple's own host.
  public static let defaultLink = Finding.Code(rawValue: "default-link")
  /// The URL is a demo link that App Store Connect issued.
  public static let demoLink = Finding.Code(rawValue: "demo-link")
  /// A demo link has parameters, which it does not take.
  public static let demoLinkParameters = Finding.Code(rawValue: "demo-link-parameters")
  /// A default link lacks the name of its first query item, `p`.
  public static let defaultLinkWithoutP = Finding.Code(rawValue: "default-link-without-p")
  /// A default link names a clip that has no default experience.
  public static let defaultLinkWithoutExperience = Finding.Code(
    rawValue: "default-link-without-experience")
  /// An App Clip Code carries a default link, which iOS does not serve.
  public static let defaultLinkInAppClipCode = Finding.Code(
    rawValue: "default-link-in-app-clip-code")

  // MARK: The place

  /// The URL is the registered link alone, although the experience wants a place in it.
  public static let barePrefix = Finding.Code(rawValue: "bare-prefix")
  /// The payload names no known place.
  public static let unknownPlace = Finding.Code(rawValue: "unknown-place")
  /// A query item that names the place is in the URL more than once.
  public static let repeatedItem = Finding.Code(rawValue: "repeated-item")
  /// The URL lacks a latitude or a longitude.
  public static let coordinateMissing = Finding.Code(rawValue: "coordinate-missing")
  /// A latitude or longitude in the URL is not a decimal number.
  public static let coordinateMalformed = Finding.Code(rawValue: "coordinate-malformed")
  /// A latitude or longitude in the URL is out of range.
  public static let coordinateOutOfRange = Finding.Code(rawValue: "coordinate-out-of-range")
  /// Latitude and longitude in the URL are both zero, which indicates a missing value.
  public static let coordinateZero = Finding.Code(rawValue: "coordinate-zero")
  /// The radius of the experience's place rule is not over 0 and at most 500 m.
  public static let radiusOutOfRange = Finding.Code(rawValue: "radius-out-of-range")

  // MARK: The location confirmation

  /// The reader is outside the region where the code belongs.
  public static let outsideRegion = Finding.Code(rawValue: "outside-region")
  /// The position is not accurate enough to decide whether the code is at its place.
  public static let undecidedAccuracy = Finding.Code(rawValue: "undecided-accuracy")
  /// The clip asks for location confirmation, and the place of the code is not known.
  public static let noPlace = Finding.Code(rawValue: "no-place")
  /// The clip asks for location confirmation, and the position is not known.
  public static let noPosition = Finding.Code(rawValue: "no-position")
  /// With a sign changed or with latitude and longitude exchanged, the position would be inside.
  public static let signSuspect = Finding.Code(rawValue: "sign-suspect")
  /// The place is a polygon, which a phone cannot confirm.
  public static let polygonNotConfirmable = Finding.Code(rawValue: "polygon-not-confirmable")
  /// The place has several regions, which a phone cannot confirm.
  public static let severalRegionsNotConfirmable = Finding.Code(
    rawValue: "several-regions-not-confirmable")
  /// The location confirmation was waived.
  public static let locationWaived = Finding.Code(rawValue: "location-waived")
  /// The clip asks for location confirmation, and iOS refuses it for this kind of code.
  public static let locationDisallowed = Finding.Code(rawValue: "location-disallowed")
}
