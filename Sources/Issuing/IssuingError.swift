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
      "What was drawn does not decode to the text it was made from, so it was not written.")
    public static let noAppClipCode = Self(
      "no-app-clip-code", .notAccepted,
      "There is no App Clip Code on record for the URL, or of the name.")
    public static let foreignData = Self(
      "foreign-data", .notAccepted, "The tag holds somebody else's data.")
    public static let notGenuine = Self(
      "not-genuine", .notAccepted, "The tag's originality signature is not its maker's.")
    public static let originalityUnknown = Self(
      "originality-unknown", .notAccepted, "The tag's originality was asked for and cannot be told."
    )
    public static let notRecorded = Self(
      "not-recorded", [.unavailable, .cannotCreate, .badSetting],
      "The tag or file was written, and the registry could not take the record.")
    public static let tagInUse = Self(
      "tag-in-use", .notAccepted,
      "The tag carries another code, was given up, or was begun for another batch.")
    public static let tagDiffers = Self(
      "tag-differs", .notAccepted, "The tag of a row that is done no longer holds its URL.")
    public static let wrongTagType = Self(
      "wrong-tag-type", .notAccepted, "The tag is not of the product that was asked for.")
    public static let randomUID = Self(
      "random-uid", .notAccepted,
      "The tag has a new UID each time it is met, and cannot be one of a batch.")
    public static let mappingDiffers = Self(
      "mapping-differs", .malformedInput,
      "The mapping that came with App Clip Codes says something else than their files.")
    public static let appClipCodeConflict = Self(
      "app-clip-code-conflict", .malformedInput,
      "Two App Clip Codes have the same bits and different URLs: one of them was altered.")
    public static let foreignBadge = Self(
      "foreign-badge", .malformedInput,
      "An App Clip Code has another badge than the others of its kind: something was put in.")
    public static let unusableCollection = Self(
      "unusable-collection", .malformedInput,
      "A folder or ZIP file cannot be read, or holds no App Clip Code or too many.")
    public static let rowBusy = Self(
      "row-busy", .notAccepted, "Another station works on the row that the tag is for.")

    public static let malformedCalibration = Self(
      "malformed-calibration", .badSetting,
      "The file with the printers' calibrations cannot be understood.")

    public static let captionTooLong = Self(
      "caption-too-long", .malformedInput, "A caption has no room on its label, or cannot be set.")

    public static let all: [Self] = [
      .malformedCalibration, .cannotCreate, .unreadableRendering, .noAppClipCode, .foreignData,
      .notGenuine, .originalityUnknown, .notRecorded, .tagInUse, .tagDiffers, .wrongTagType,
      .randomUID, .mappingDiffers, .appClipCodeConflict, .foreignBadge, .unusableCollection,
      .rowBusy, .captionTooLong,
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
      hint: "Choose another place, or make room and check the permissions of its folder.")
  }
}
