/// A finding about an association file, entitlements or the banner of a page, with its position and
/// the code that App Store Connect would probably show.
public struct AssociationFinding: Hashable, Sendable, CustomStringConvertible {
  /// The finding.
  public let finding: Finding
  /// The position in the file; `nil` if the finding is about something missing, or not about a
  /// file.
  public let position: DocumentPosition?
  /// The corresponding domain status of App Store Connect, if there is one.
  public let domainError: DomainErrorCode?

  /// Makes a finding.
  package init(
    _ code: Finding.Code, _ severity: Finding.Severity, at position: DocumentPosition? = nil,
    as domainError: DomainErrorCode? = nil, _ message: String
  ) {
    finding = Finding(code, severity, message)
    self.position = position
    self.domainError = domainError
  }

  /// The description in the form `line:column: message`, which editors can follow, or the message
  /// alone.
  public var description: String {
    guard let position else { return finding.message }
    return "\(position.line):\(position.column): \(finding.message)"
  }
}

// The kinds of finding about association files and about the entitlements that go with them.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Finding.Code {
  // MARK: The file

  public static let associationTooLarge = Self(
    "association-too-large", "The association file is larger than the 128 KB that iOS reads.")
  public static let associationSigned = Self(
    "association-signed", "The association file is signed, as iOS 9 required.")
  public static let associationEncoding = Self(
    "association-encoding", "The association file is not UTF-8, or contains zero bytes.")
  public static let associationByteOrderMark = Self(
    "association-byte-order-mark", "The association file begins with a byte-order mark.")
  public static let associationNotJSON = Self(
    "association-not-json", "The association file is not JSON, or not an object.")
  public static let associationDuplicateKey = Self(
    "association-duplicate-key", "An object of the association file has a duplicate key.")
  public static let associationWrongType = Self(
    "association-wrong-type", "A value of the association file is of the wrong type, or missing.")
  public static let associationMisspelledKey = Self(
    "association-misspelled-key", "A key of the association file is a misspelling of a known one.")
  public static let associationMisplacedKey = Self(
    "association-misplaced-key", "A key of the association file is in the wrong object.")
  public static let associationDeadKey = Self(
    "association-dead-key", "A key is in a service that ignores it.")
  public static let associationUnknownKey = Self(
    "association-unknown-key", "A key of the association file has no known meaning.")
  public static let associationIdentifierForm = Self(
    "association-identifier-form",
    "An identifier in the association file is not a prefix, a dot and a bundle identifier.")
  public static let associationRepeatedIdentifier = Self(
    "association-repeated-identifier", "An identifier is listed twice in the association file.")
  public static let associationLegacyForm = Self(
    "association-legacy-form", "A part of the association file has a form from before iOS 13.")

  public static let associationEmptyService = Self(
    "association-empty-service",
    "A service of the association file other than App Clips names no app.")

  // MARK: Universal links

  public static let applinksNoApp = Self("applinks-no-app", "An entry of `details` names no app.")
  public static let applinksBothIdentifiers = Self(
    "applinks-both-identifiers", "An entry of `details` has `appID` beside `appIDs`.")
  public static let applinksBothRules = Self(
    "applinks-both-rules", "An entry of `details` has `paths` beside `components`.")
  public static let applinksNoRules = Self(
    "applinks-no-rules", "An entry of `details` has no rules, so it opens no URL.")
  public static let applinksQueryIgnored = Self(
    "applinks-query-ignored",
    "A value in `?` is not a string, so all of `?` is ignored and any query matches.")
  public static let applinksVariable = Self(
    "applinks-variable", "A substitution variable is not usable.")
  public static let applinksUnknownVariable = Self(
    "applinks-unknown-variable", "A pattern names an undefined variable and matches no URL."
  )
  public static let applinksUnreachableRule = Self(
    "applinks-unreachable-rule", "A rule follows one that matches every URL.")
  public static let applinksPatternInDefaults = Self(
    "applinks-pattern-in-defaults", "`defaults` contains a pattern or an exclusion.")

  public static let applinksClip = Self(
    "applinks-clip", "`applinks` names a clip, which cannot have universal links.")

  // MARK: The clip in the file

  public static let associationNoAppClips = Self(
    "association-no-appclips", "The association file has no `appclips`, so it invokes no clip.")
  public static let associationClipMissing = Self(
    "association-clip-missing", "The association file does not list the clip.")
  public static let associationIdentifierCase = Self(
    "association-identifier-case", "The association file lists the clip in another letter case.")
  public static let associationOtherPrefix = Self(
    "association-other-prefix",
    "The association file lists the clip's bundle identifier under another prefix.")
  public static let associationAppListed = Self(
    "association-app-listed", "The association file lists the full app among the clips.")
  public static let associationOtherClips = Self(
    "association-other-clips", "The association file lists other clips too.")
  public static let associationForeignHost = Self(
    "association-foreign-host", "The host is not among the clip's domains.")

  // MARK: Entitlements

  public static let entitlementNoDomain = Self(
    "entitlement-no-domain", "The entitlements lack the `appclips:` entry for the host.")
  public static let entitlementDomainForm = Self(
    "entitlement-domain-form", "An entry of the associated domains is malformed.")
  public static let entitlementService = Self(
    "entitlement-service", "An entry of the associated domains names an unknown service."
  )
  public static let entitlementMode = Self(
    "entitlement-mode", "An entry of the associated domains is for development or managed devices.")
  public static let entitlementClipService = Self(
    "entitlement-clip-service", "A clip's entitlements name a service that clips do not have.")
  public static let entitlementParentApp = Self(
    "entitlement-parent-app", "The clip's entitlements do not name exactly its own app.")
  public static let entitlementOnDemand = Self(
    "entitlement-on-demand", "The clip's entitlements do not allow installation on demand.")
  public static let entitlementOtherApp = Self(
    "entitlement-other-app",
    "The entitlements are those of another app or clip, by their `application-identifier`.")
  public static let entitlementBuildSetting = Self(
    "entitlement-build-setting",
    "A value of the entitlements contains a build setting, which Xcode replaces.")
  public static let entitlementAppClip = Self(
    "entitlement-app-clip", "The app's entitlements do not name exactly its own clip.")

  /// The codes above, in the order of the documentation.
  package static let ofAssociations: [Self] = [
    .associationTooLarge, .associationSigned, .associationEncoding, .associationByteOrderMark,
    .associationNotJSON, .associationDuplicateKey, .associationWrongType,
    .associationMisspelledKey, .associationMisplacedKey, .associationDeadKey,
    .associationUnknownKey, .associationIdentifierForm, .associationRepeatedIdentifier,
    .associationLegacyForm, .associationEmptyService, .applinksNoApp, .applinksBothIdentifiers,
    .applinksBothRules, .applinksNoRules, .applinksQueryIgnored, .applinksVariable,
    .applinksUnknownVariable, .applinksUnreachableRule, .applinksPatternInDefaults, .applinksClip,
    .associationNoAppClips, .associationClipMissing, .associationIdentifierCase,
    .associationOtherPrefix, .associationAppListed, .associationOtherClips,
    .associationForeignHost, .entitlementNoDomain, .entitlementDomainForm, .entitlementService,
    .entitlementMode, .entitlementClipService, .entitlementParentApp, .entitlementOnDemand,
    .entitlementOtherApp, .entitlementBuildSetting, .entitlementAppClip,
  ]
}

/// The reason why App Store Connect could not verify a domain: the `errorCode` of an
/// `appClipDomainStatuses` resource (App Store Connect API 4.4.1).
///
/// Apple lists the codes without descriptions. ``meaning`` is derived from the names, from the
/// failures that Apple's crawler reports, and from the rules for association files.
public enum DomainErrorCode: String, Hashable, Sendable, CaseIterable {
  /// The server answered with a status other than 200.
  case badHTTPResponse = "BAD_HTTP_RESPONSE"
  /// The file is not JSON of the right shape.
  case badJSONContent = "BAD_JSON_CONTENT"
  /// The file is signed, and the signature does not verify.
  case badPKCS7Signature = "BAD_PKCS7_SIGNATURE"
  /// The association file could not be fetched.
  case cannotReachAASAFile = "CANNOT_REACH_AASA_FILE"
  /// The server redirects to another host.
  case crossSiteRedirectsForbidden = "CROSS_SITE_REDIRECTS_FORBIDDEN"
  /// The host's name does not resolve.
  case dnsError = "DNS_ERROR"
  /// The server redirects to a URL that is not https.
  case insecureRedirectsForbidden = "INSECURE_REDIRECTS_FORBIDDEN"
  /// The file lacks the section that an entitlement entry asks for.
  case invalidEntitlementMissingSection = "INVALID_ENTITLEMENT_MISSING_SECTION"
  /// An entry of the associated domains is malformed.
  case invalidEntitlementSyntaxError = "INVALID_ENTITLEMENT_SYNTAX_ERROR"
  /// An entry names an unknown service.
  case invalidEntitlementUnhandledSection = "INVALID_ENTITLEMENT_UNHANDLED_SECTION"
  /// The file's section does not list the identifier.
  case invalidEntitlementUnknownID = "INVALID_ENTITLEMENT_UNKNOWN_ID"
  /// The connection failed.
  case networkError = "NETWORK_ERROR"
  /// The connection failed, and may work later.
  case networkErrorTemporary = "NETWORK_ERROR_TEMPORARY"
  /// Another error occurred.
  case otherError = "OTHER_ERROR"
  /// The server did not answer in time.
  case timeout = "TIMEOUT"
  /// The TLS connection could not be made.
  case tlsError = "TLS_ERROR"
  /// The server redirects too many times.
  case tooManyRedirects = "TOO_MANY_REDIRECTS"
  /// Apple's service failed.
  case unexpectedError = "UNEXPECTED_ERROR"

  /// The meaning of the code, in one sentence.
  public var meaning: String { words.meaning }

  /// The next step, in one sentence.
  public var nextStep: String { words.nextStep }

  private var words: (meaning: String, nextStep: String) {
    Self.responses[self] ?? Self.contents[self] ?? Self.connections[self] ?? ("", "")
  }

  private static let responses: [DomainErrorCode: (meaning: String, nextStep: String)] = [
    .badHTTPResponse: (
      "The server did not answer with status 200.",
      "Serve the file with status 200 to all clients, including AASA-Bot and foreign addresses."
    ),
    .cannotReachAASAFile: (
      "The association file could not be fetched from the host.",
      "Put the file at /.well-known/apple-app-site-association, without an ending."
    ),
    .crossSiteRedirectsForbidden: (
      "The server redirects the request to another host.",
      "Serve the file from the host itself, without a redirect."
    ),
    .insecureRedirectsForbidden: (
      "The server redirects the request to a URL that is not https.",
      "Serve the file over https, without a redirect."
    ),
    .tooManyRedirects: (
      "The server redirects the request too many times.",
      "Serve the file without a redirect."
    ),
  ]

  private static let contents: [DomainErrorCode: (meaning: String, nextStep: String)] = [
    .badJSONContent: (
      "The file is not JSON in the required format.",
      "Correct the file; the findings name line and column."
    ),
    .badPKCS7Signature: (
      "The file is signed, and its signature is not valid.",
      "Serve the JSON unsigned: iOS 9.3 and newer require no signature."
    ),
    .invalidEntitlementMissingSection: (
      "The file has no section for the service that the entitlement names.",
      "Add \"appclips\": { \"apps\": […] } to the file."
    ),
    .invalidEntitlementSyntaxError: (
      "An entry of the associated domains entitlement is malformed.",
      "Write appclips: and the host, without scheme, port, path or wildcard."
    ),
    .invalidEntitlementUnhandledSection: (
      "An entry of the associated domains entitlement names an unknown service.",
      "Begin the entry with appclips:, applinks:, webcredentials: or activitycontinuation:."
    ),
    .invalidEntitlementUnknownID: (
      "The file does not list the identifier of the clip.",
      "Add the prefix and bundle identifier of the clip to \"apps\" of \"appclips\"."
    ),
  ]

  private static let connections: [DomainErrorCode: (meaning: String, nextStep: String)] = [
    .dnsError: (
      "The name of the host does not resolve.",
      "Correct the host's entries in the DNS, or the spelling in the entitlement."
    ),
    .networkError: (
      "The connection to the host failed.",
      "Allow Apple's crawler to reach port 443 of a public address."
    ),
    .networkErrorTemporary: (
      "The connection to the host failed temporarily.",
      "Wait for the next attempt within a day."
    ),
    .otherError: (
      "Apple reports no reason.", "Check the file, the certificate and the entitlements."
    ),
    .timeout: (
      "The server did not answer in time.", "Serve a static file, without delay."
    ),
    .tlsError: (
      "The TLS connection to the host failed.",
      "Serve a valid certificate from a public authority, with the complete chain."
    ),
    .unexpectedError: (
      "Apple's own service failed.", "Wait for the next attempt within a day."
    ),
  ]
}
