extension Finding.Code {
  /// Every code that this module gives, in the order of the documentation.
  public static let all: [Finding.Code] = meanings.map(\.code)

  /// What the code means, in one sentence; `nil` for a code of another module.
  public var meaning: String? { Self.meanings.first { $0.code == self }?.text }

  private static let meanings: [(code: Finding.Code, text: String)] = [
    // The URL's own rules.
    (.emptyPayload, "The payload is empty."),
    (.tooLong, "The payload is longer than an invocation URL may be."),
    (.surroundingWhiteSpace, "White space stands before or after the URL."),
    (.whiteSpace, "White space stands inside the URL."),
    (.controlCharacter, "The URL holds a control character."),
    (
      .invisibleCharacter,
      "The URL holds a character that nobody can see, such as a bidirectional mark."
    ),
    (.illegalCharacter, "The URL holds a character that RFC 3986 gives no place, such as a brace."),
    (.backslash, "The URL holds a backslash."),
    (.badEscape, "A percent sign is not followed by two hexadecimal digits."),
    (.noScheme, "The payload is not a URL: no scheme stands in front."),
    (.notHTTPS, "The scheme is not https."),
    (.noHost, "The URL has no host."),
    (.hostWithoutDot, "The host is a single label, such as localhost."),
    (.hostLabel, "A label of the host is empty, too long, or holds a character that DNS forbids."),
    (.hostTooLong, "The host is longer than DNS allows."),
    (.hostRootDot, "The host ends with a dot."),
    (.ipAddress, "The host is an IP address or a number."),
    (.badInternationalHost, "The host is not a valid international domain name."),
    (.userInfo, "A user name stands in front of the host."),
    (.port, "The URL names a port."),
    (.dotSegment, "A path segment is `.` or `..`."),

    // What the registry knows.
    (.unknownHost, "No clip claims the host."),
    (
      .unassociatedHost,
      "An experience covers the URL, but its clip does not name the host among its domains."
    ),
    (.domainStatus, "Apple's servers did not accept the association file of a domain."),
    (.unknownClip, "The clip that the URL or its experience names is not in the registry."),
    (.noMatch, "A clip claims the host, but no experience covers the URL."),
    (
      .defaultOnly,
      "Only the clip's default experience could serve the URL, which iOS does not do reliably."
    ),
    (.inactiveExperience, "An experience that covers the URL is not active."),
    (.ambiguousPrefix, "String prefix and path-segment prefix choose different experiences."),
    (.duplicateLink, "Several active experiences have the link that covers the URL."),
    (
      .trailingSlash,
      "With a slash more or less at the path's end, another experience would cover the URL."
    ),
    (.caseMismatch, "In another case, another experience would cover the URL."),
    (
      .queryInLink,
      "The experience's link has a query, so the order of the URL's query items matters."
    ),
    (
      .fragmentIgnored,
      "What follows the number sign takes no part in the choice of the experience."
    ),
    (
      .internationalHost,
      "The host is an international domain name; its letters may look like others."
    ),
    (.escapedControl, "The URL holds a control character as a percent escape."),
    (.barcodeCarrier, "The code is of a kind that no iPhone takes as an invocation."),

    // Apple's default links.
    (.defaultLink, "The URL is a clip's default link on Apple's own host."),
    (.demoLink, "The URL is a demo link that App Store Connect issued."),
    (.defaultLinkWithoutP, "A default link lacks the name of its first query item, `p`."),
    (.defaultLinkWithoutExperience, "A default link names a clip that has no default experience."),
    (
      .defaultLinkInAppClipCode,
      "An App Clip Code carries a default link, which iOS does not serve."
    ),

    // The place.
    (
      .barePrefix,
      "The URL is the registered link alone, although the experience wants a place in it."
    ),
    (.unknownPlace, "The payload names no known place."),
    (.repeatedItem, "A query item that names the place stands in the URL more than once."),
    (.coordinateMissing, "The URL lacks a latitude or a longitude."),
    (.coordinateMalformed, "A latitude or longitude in the URL is not a decimal number."),
    (.coordinateOutOfRange, "A latitude or longitude in the URL is out of range."),
    (
      .coordinateZero,
      "Latitude and longitude in the URL are both zero, which stands for a missing value."
    ),
    (
      .radiusOutOfRange,
      "The radius of the experience's place rule is not over 0 and at most 500 m."
    ),

    // The location confirmation.
    (.outsideRegion, "The reader stands outside the region where the code belongs."),
    (
      .undecidedAccuracy,
      "The position is not accurate enough to say whether the code is where it belongs."
    ),
    (.noPlace, "The clip asks for location confirmation, and nothing says where the code belongs."),
    (.noPosition, "The clip asks for location confirmation, and the position is not known."),
    (
      .signSuspect,
      "With a sign changed or with latitude and longitude exchanged, the position would be inside."
    ),
    (.polygonNotConfirmable, "The place is a polygon, which a phone cannot confirm."),
    (
      .severalRegionsNotConfirmable, "The place has several regions, which a phone cannot confirm."
    ),
    (.locationWaived, "The location confirmation was waived."),
    (
      .locationDisallowed,
      "The clip asks for location confirmation, and iOS refuses it for this kind of code."
    ),
  ]
}
