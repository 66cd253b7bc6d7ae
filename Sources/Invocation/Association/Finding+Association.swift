// The kinds of finding about association files and about the entitlements that go with them.

extension Finding.Code {
  // MARK: The file

  /// The file is larger than iOS reads.
  public static let associationTooLarge = Finding.Code(rawValue: "association-too-large")
  /// The file is signed, as iOS 9 wanted it.
  public static let associationSigned = Finding.Code(rawValue: "association-signed")
  /// The file is not UTF-8.
  public static let associationEncoding = Finding.Code(rawValue: "association-encoding")
  /// The file begins with a byte-order mark.
  public static let associationByteOrderMark = Finding.Code(
    rawValue: "association-byte-order-mark")
  /// The file is not JSON, or not an object.
  public static let associationNotJSON = Finding.Code(rawValue: "association-not-json")
  /// An object holds a key twice.
  public static let associationDuplicateKey = Finding.Code(rawValue: "association-duplicate-key")
  /// A value is of the wrong type.
  public static let associationWrongType = Finding.Code(rawValue: "association-wrong-type")
  /// A key is nearly one that has a meaning.
  public static let associationMisspelledKey = Finding.Code(
    rawValue: "association-misspelled-key")
  /// A key stands where it has no meaning, and has one elsewhere.
  public static let associationMisplacedKey = Finding.Code(rawValue: "association-misplaced-key")
  /// A key stands in a service that never looks at it.
  public static let associationDeadKey = Finding.Code(rawValue: "association-dead-key")
  /// A key has no known meaning.
  public static let associationUnknownKey = Finding.Code(rawValue: "association-unknown-key")
  /// An identifier is not a prefix, a dot and a bundle identifier.
  public static let associationIdentifierForm = Finding.Code(
    rawValue: "association-identifier-form")
  /// An identifier is listed twice.
  public static let associationRepeatedIdentifier = Finding.Code(
    rawValue: "association-repeated-identifier")
  /// A part of the file has a form from before iOS 13.
  public static let associationLegacyForm = Finding.Code(rawValue: "association-legacy-form")

  // MARK: Universal links

  /// An entry of `details` names no app.
  public static let applinksNoApp = Finding.Code(rawValue: "applinks-no-app")
  /// An entry has `appID` beside `appIDs`.
  public static let applinksBothIdentifiers = Finding.Code(rawValue: "applinks-both-identifiers")
  /// An entry has `paths` beside `components`.
  public static let applinksBothRules = Finding.Code(rawValue: "applinks-both-rules")
  /// An entry has no rules.
  public static let applinksNoRules = Finding.Code(rawValue: "applinks-no-rules")
  /// A query dictionary holds a value that is no text.
  public static let applinksQueryIgnored = Finding.Code(rawValue: "applinks-query-ignored")
  /// A substitution variable cannot be used as it is.
  public static let applinksVariable = Finding.Code(rawValue: "applinks-variable")
  /// A pattern names a variable that does not exist.
  public static let applinksUnknownVariable = Finding.Code(rawValue: "applinks-unknown-variable")
  /// A rule stands behind one that fits every URL.
  public static let applinksUnreachableRule = Finding.Code(rawValue: "applinks-unreachable-rule")
  /// The defaults hold a pattern or an exclusion.
  public static let applinksPatternInDefaults = Finding.Code(
    rawValue: "applinks-pattern-in-defaults")

  // MARK: The clip in the file

  /// The file has no `appclips`.
  public static let associationNoAppClips = Finding.Code(rawValue: "association-no-appclips")
  /// The file does not list the clip.
  public static let associationClipMissing = Finding.Code(rawValue: "association-clip-missing")
  /// The file lists the clip in another case.
  public static let associationIdentifierCase = Finding.Code(
    rawValue: "association-identifier-case")
  /// The file lists the clip's bundle identifier under another prefix.
  public static let associationOtherPrefix = Finding.Code(rawValue: "association-other-prefix")
  /// The file lists the full app beside the clip.
  public static let associationAppListed = Finding.Code(rawValue: "association-app-listed")
  /// The file lists other clips too.
  public static let associationOtherClips = Finding.Code(rawValue: "association-other-clips")
  /// The host is not among the clip's domains.
  public static let associationForeignHost = Finding.Code(rawValue: "association-foreign-host")

  // MARK: Entitlements

  /// The entitlements lack the entry for the host.
  public static let entitlementNoDomain = Finding.Code(rawValue: "entitlement-no-domain")
  /// An associated domain is malformed.
  public static let entitlementDomainForm = Finding.Code(rawValue: "entitlement-domain-form")
  /// An associated domain names a service that does not exist.
  public static let entitlementService = Finding.Code(rawValue: "entitlement-service")
  /// An associated domain is for development or managed devices.
  public static let entitlementMode = Finding.Code(rawValue: "entitlement-mode")
  /// A clip asks for a service that clips do not have.
  public static let entitlementClipService = Finding.Code(rawValue: "entitlement-clip-service")
  /// The clip does not name its app, and only it.
  public static let entitlementParentApp = Finding.Code(rawValue: "entitlement-parent-app")
  /// The clip is not marked as one.
  public static let entitlementOnDemand = Finding.Code(rawValue: "entitlement-on-demand")
  /// The app does not name its clip, and only it.
  public static let entitlementAppClip = Finding.Code(rawValue: "entitlement-app-clip")

  /// Every code about associations with its meaning, in the order of the documentation.
  package static let ofAssociation: [(code: Finding.Code, meaning: String)] =
    ofAssociationFiles + ofAppLinks + ofAssociatedClips + ofEntitlements

  private static let ofAssociationFiles: [(code: Finding.Code, meaning: String)] = [
    (.associationTooLarge, "The association file is larger than the 128 KB that iOS reads."),
    (.associationSigned, "The association file is signed, as iOS 9 wanted it."),
    (.associationEncoding, "The association file is not UTF-8, or holds bytes of zero."),
    (.associationByteOrderMark, "The association file begins with a byte-order mark."),
    (.associationNotJSON, "The association file is not JSON, or not an object."),
    (.associationDuplicateKey, "An object of the association file holds a key twice."),
    (.associationWrongType, "A value of the association file is of the wrong type, or missing."),
    (.associationMisspelledKey, "A key of the association file is nearly one with a meaning."),
    (.associationMisplacedKey, "A key of the association file has a meaning, but not there."),
    (.associationDeadKey, "A key stands in a service that never looks at it."),
    (.associationUnknownKey, "A key of the association file has no known meaning."),
    (
      .associationIdentifierForm,
      "An identifier in the association file is not a prefix, a dot and a bundle identifier."
    ),
    (.associationRepeatedIdentifier, "An identifier is listed twice in the association file."),
    (.associationLegacyForm, "A part of the association file has a form from before iOS 13."),
  ]

  private static let ofAppLinks: [(code: Finding.Code, meaning: String)] = [
    (.applinksNoApp, "An entry of `details` names no app."),
    (.applinksBothIdentifiers, "An entry of `details` has `appID` beside `appIDs`."),
    (.applinksBothRules, "An entry of `details` has `paths` beside `components`."),
    (.applinksNoRules, "An entry of `details` has no rules, so it opens no URL."),
    (
      .applinksQueryIgnored,
      "A `?` holds a value that is no text, so all of it is ignored and any query fits."
    ),
    (.applinksVariable, "A substitution variable cannot be used as it is."),
    (.applinksUnknownVariable, "A pattern names a variable that does not exist, and fits nothing."),
    (.applinksUnreachableRule, "A rule stands behind one that fits every URL."),
    (.applinksPatternInDefaults, "`defaults` hold a pattern or an exclusion."),
  ]

  private static let ofAssociatedClips: [(code: Finding.Code, meaning: String)] = [
    (.associationNoAppClips, "The association file has no `appclips`, so it invokes no clip."),
    (.associationClipMissing, "The association file does not list the clip."),
    (.associationIdentifierCase, "The association file lists the clip in another case."),
    (
      .associationOtherPrefix,
      "The association file lists the clip's bundle identifier under another prefix."
    ),
    (.associationAppListed, "The association file lists the full app among the clips."),
    (.associationOtherClips, "The association file lists other clips too."),
    (.associationForeignHost, "The host is not among the clip's domains."),
  ]

  private static let ofEntitlements: [(code: Finding.Code, meaning: String)] = [
    (.entitlementNoDomain, "The entitlements lack the `appclips:` entry for the host."),
    (.entitlementDomainForm, "An entry of the associated domains is malformed."),
    (
      .entitlementService, "An entry of the associated domains names a service that does not exist."
    ),
    (.entitlementMode, "An entry of the associated domains is for development or managed devices."),
    (.entitlementClipService, "A clip asks for a service that clips do not have."),
    (.entitlementParentApp, "The clip's entitlements do not name its app, and only it."),
    (.entitlementOnDemand, "The clip's entitlements do not say that it is installed on demand."),
    (.entitlementAppClip, "The app's entitlements do not name its clip, and only it."),
  ]
}
