public import Basics

/// Why a code could not be issued or verified, for reasons that belong to no lower layer.
public struct IssuingError: CodedError {
  /// The stable name of a kind of failure: lower case with hyphens, never renamed.
  public struct Code: ErrorCode {
    /// The name as printed in JSON, for example `cannot-create`.
    public let rawValue: String

    /// Makes a code from its printed name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An output cannot be created.
    public static let cannotCreate = Code(rawValue: "cannot-create")
    /// What was drawn does not decode to the text it was made from, so it was not written.
    public static let unreadableRendering = Code(rawValue: "unreadable-rendering")
    /// There is no App Clip Code on record for the URL, or of the name.
    public static let noAppClipCode = Code(rawValue: "no-app-clip-code")
    /// The tag holds somebody else's data.
    public static let foreignData = Code(rawValue: "foreign-data")
    /// The tag's originality signature is not its maker's.
    public static let notGenuine = Code(rawValue: "not-genuine")
    /// The tag's originality was asked for and cannot be told.
    public static let originalityUnknown = Code(rawValue: "originality-unknown")
    /// The tag or file was written, and the registry could not take the record.
    public static let notRecorded = Code(rawValue: "not-recorded")
    /// The tag carries another code, was given up, or was begun for another batch.
    public static let tagInUse = Code(rawValue: "tag-in-use")
    /// The tag of a row that is done no longer holds its URL.
    public static let tagDiffers = Code(rawValue: "tag-differs")
    /// The tag is not of the product that was asked for.
    public static let wrongTagType = Code(rawValue: "wrong-tag-type")
    /// The tag has a new UID each time it is met, and cannot be one of a batch.
    public static let randomUID = Code(rawValue: "random-uid")
    /// The mapping that came with App Clip Codes says something else than their files.
    public static let mappingDiffers = Code(rawValue: "mapping-differs")
    /// Two App Clip Codes have the same bits and different URLs: one of them was altered.
    public static let appClipCodeConflict = Code(rawValue: "app-clip-code-conflict")
    /// An App Clip Code has another badge than the others of its kind: something was put in.
    public static let foreignBadge = Code(rawValue: "foreign-badge")
    /// A folder or ZIP file cannot be read, or holds no App Clip Code or too many.
    public static let unusableCollection = Code(rawValue: "unusable-collection")
    /// Another station works on the row that the tag is for.
    public static let rowBusy = Code(rawValue: "row-busy")
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence: what was wrong, and where.
  public let message: String
  /// One sentence: what to do next.
  public let hint: String
  /// The error of the layer below, if there was one.
  public let underlying: (any Error)?

  /// Makes an error.
  package init(
    _ code: Code, _ message: String, hint: String, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.underlying = underlying
  }

  static func cannotCreate(_ path: String, reason: String) -> IssuingError {
    IssuingError(
      .cannotCreate, "\(path) cannot be written: \(reason).",
      hint: "Choose another place, or make room and check the permissions of its folder.")
  }
}
