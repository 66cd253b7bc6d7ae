public import CliptagBasics

/// An error that prevents a code from being issued or verified and that belongs to no lower layer.
public struct IssuingError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The stable name of a kind of failure: lower case with hyphens, never renamed.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let cannotCreate = Self(
      "cannot-create", .cannotCreate, "An output cannot be created.")
    public static let unreadableRendering = Self(
      "unreadable-rendering", .notAccepted,
      "The drawing does not decode to its text, so it was not written.")
    public static let noAppClipCode = Self(
      "no-app-clip-code", .notAccepted,
      "No App Clip Code is on record for the URL or name.")
    public static let foreignData = Self(
      "foreign-data", .notAccepted, "The tag contains foreign data.")
    public static let notGenuine = Self(
      "not-genuine", .notAccepted, "No key known here verifies the tag's originality signature.")
    public static let originalityUnknown = Self(
      "originality-unknown", .notAccepted, "The tag's originality cannot be determined."
    )
    public static let notRecorded = Self(
      "not-recorded", [.unavailable, .cannotCreate, .badSetting],
      "The tag or file was written, but not recorded in the registry.")
    public static let tagInUse = Self(
      "tag-in-use", .notAccepted,
      "The tag has another code, was abandoned, or belongs to another batch.")
    public static let tagDiffers = Self(
      "tag-differs", .notAccepted, "The tag of a finished row no longer contains its URL.")
    public static let wrongTagType = Self(
      "wrong-tag-type", .notAccepted, "The tag is not the requested product.")
    public static let randomUID = Self(
      "random-uid", .notAccepted,
      "The tag has a random UID, so it cannot be in a batch.")
    public static let mappingDiffers = Self(
      "mapping-differs", .malformedInput,
      "The mapping of App Clip Codes contradicts their files.")
    public static let appClipCodeConflict = Self(
      "app-clip-code-conflict", .malformedInput,
      "Two App Clip Codes have the same bits and different URLs: one of them was altered.")
    public static let foreignBadge = Self(
      "foreign-badge", .malformedInput,
      "An App Clip Code has another badge than others of its kind: it was altered.")
    public static let unusableCollection = Self(
      "unusable-collection", .malformedInput,
      "A folder or ZIP file is not readable, or contains no or too many App Clip Codes.")
    public static let provisioningKeys = Self(
      "provisioning-keys", .malformedInput,
      "The key file has no keys for tags with this URL, or contradicts its placeholders.")
    public static let rowBusy = Self(
      "row-busy", .notAccepted, "Another station works on the row of the tag.")

    public static let unusableArtwork = Self(
      "unusable-artwork", .malformedInput,
      "The artwork has several codes, a code that is not upright, or other proportions than the paper."
    )
    public static let artworkChanged = Self(
      "artwork-changed", .notAccepted,
      "The artwork is not the same beneath what was laid over it, so the file was not written.")
    public static let malformedCalibration = Self(
      "malformed-calibration", .badSetting,
      "The file with the printers' calibrations is not valid.")

    public static let captionTooLong = Self(
      "caption-too-long", .malformedInput, "A caption does not fit its label or has no font.")

    public static let all: [Self] = [
      .malformedCalibration, .cannotCreate, .unreadableRendering, .noAppClipCode, .foreignData,
      .notGenuine, .originalityUnknown, .notRecorded, .tagInUse, .tagDiffers, .wrongTagType,
      .randomUID, .mappingDiffers, .appClipCodeConflict, .foreignBadge, .unusableCollection,
      .rowBusy, .captionTooLong, .provisioningKeys, .unusableArtwork, .artworkChanged,
    ]
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence: what was wrong, and where.
  public let message: String
  /// One sentence: what to do next.
  public let advice: Hint
  /// The next step in the library's wording.
  public var hint: String { advice.text }
  /// The error of the layer below, if there was one.
  public let underlying: (any Error)?

  /// Makes an error.
  package init(
    _ code: Code, _ message: String, hint: Hint, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    advice = hint
    self.underlying = underlying
  }

  static func cannotCreate(_ path: String, reason: String) -> IssuingError {
    IssuingError(
      .cannotCreate, "\(path) cannot be written: \(reason).",
      hint: "Use another path, or free space and check the permissions of its folder.")
  }
}
