public import Basics

/// Why a picture could not be read, rendered or written.
public struct PictureError: CodedError {
  /// The kinds of trouble. Open: a later version may add more.
  public struct Code: ErrorCode {
    /// The stable name: lower case with hyphens, as it stands in JSON.
    public let rawValue: String

    /// Makes a code from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The picture or document does not exist.
    public static let notFound = Code(rawValue: "not-found")
    /// The picture or document exists, and cannot be read.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The path is a folder, not a picture.
    public static let isDirectory = Code(rawValue: "is-directory")
    /// The content is no kind of picture that is known here.
    public static let notAPicture = Code(rawValue: "not-a-picture")
    /// The content is a kind of picture or document that is known, but not read.
    public static let unsupportedFormat = Code(rawValue: "unsupported-format")
    /// The content begins like a picture, and is cut short, broken or contradicts itself.
    public static let malformed = Code(rawValue: "malformed-picture")
    /// The file, the picture or the document is larger than the limits allow.
    public static let tooLarge = Code(rawValue: "picture-too-large")
    /// The document opens only with a password.
    public static let passwordProtected = Code(rawValue: "password-protected")
    /// The program that renders this kind of document is not installed.
    public static let rendererMissing = Code(rawValue: "renderer-missing")
    /// The program that renders this kind of document failed for a reason of its own.
    public static let rendererFailed = Code(rawValue: "renderer-failed")
    /// zbar, which finds the codes in pictures, is not installed, or too old.
    public static let libraryMissing = Code(rawValue: "scanner-library-missing")
    /// Drawing the page took longer than the limits allow.
    public static let timedOut = Code(rawValue: "render-timed-out")
    /// Drawing the pages of a document took longer than the limits allow; those that are left were not
    /// read.
    public static let documentTimedOut = Code(rawValue: "document-timed-out")
    /// The process that read the picture crashed, was killed, or wrote nonsense.
    public static let decoderCrashed = Code(rawValue: "decoder-crashed")
    /// The work was stopped.
    public static let cancelled = Code(rawValue: "cancelled")
    /// A page was asked for that the document does not have.
    public static let noSuchPage = Code(rawValue: "no-such-page")
    /// The picture to be written has impossible dimensions, or there was no memory for it.
    public static let cannotEncode = Code(rawValue: "cannot-encode")

  }

  /// The kind of trouble.
  public let code: Code
  /// What was being read: a path, `standard input`, or the name that the caller gave.
  public let source: String
  /// What was wrong, in one sentence that names the source.
  public let message: String
  /// What to do next, in one sentence.
  public let hint: String

  /// What was being read.
  public var subject: String? { source }

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - code: the kind of trouble.
  ///   - source: what was being read.
  ///   - message: what was wrong, in one sentence.
  ///   - hint: what to do next, in one sentence.
  package init(_ code: Code, source: String, message: String, hint: String) {
    self.code = code
    self.source = source
    self.message = message
    self.hint = hint
  }
}

/// The sentences that several readers share.
extension PictureError {
  static func malformed(_ source: String, _ reason: String) -> PictureError {
    PictureError(
      .malformed, source: source, message: "\(source) cannot be read: \(reason).",
      hint: "Fetch or export the picture again; it may have been cut short on the way.")
  }

  /// The task that asked for the picture, or for the codes in it, was cancelled.
  package static func cancelled(_ source: String) -> PictureError {
    PictureError(
      .cancelled, source: source, message: "Reading \(source) was cancelled.",
      hint: "Run it again.")
  }

  static func unsupported(_ source: String, _ what: String) -> PictureError {
    PictureError(
      .unsupportedFormat, source: source, message: "\(source) is \(what), which is not read.",
      hint: "Convert it to PNG or JPEG and try again.")
  }

  /// The error for a file whose kind is known but not read, with the reason where it is a choice.
  static func unsupported(_ source: String, format: PictureFormat) -> PictureError {
    switch format.name {
    case "EPS":
      PictureError(
        .unsupportedFormat, source: source,
        message: "\(source) is \(format), a program in PostScript; such are not run here.",
        hint: "Convert it to PNG or PDF, or photograph the print, and scan that.")
    default:
      unsupported(source, "a \(format) file")
    }
  }

  static func notAPicture(_ source: String, empty: Bool) -> PictureError {
    PictureError(
      .notAPicture, source: source,
      message: empty
        ? "\(source) is empty."
        : "\(source) is not a picture: its first bytes belong to no known format.",
      hint: "Give a JPEG, PNG, HEIC, WebP, TIFF, GIF, BMP, PNM, SVG or PDF file.")
  }
}
