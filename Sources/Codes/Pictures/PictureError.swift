public import CliptagBasics

/// The reason that a picture could not be read, rendered or written.
public struct PictureError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The kind of failure. The set is open: a later version may add more.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let notFound = Self(
      "not-found", .noInput, "The picture or document does not exist.")
    public static let unreadable = Self(
      "unreadable", .noInput, "The picture or document exists but cannot be read.")
    public static let isDirectory = Self(
      "is-directory", .noInput, "The path is a folder, not a picture.")
    public static let notAPicture = Self(
      "not-a-picture", .malformedInput, "The content is not a known kind of picture.")
    public static let unsupportedFormat = Self(
      "unsupported-format", .malformedInput,
      "The content is a known kind of picture or document that is not supported.")
    public static let malformed = Self(
      "malformed-picture", .malformedInput,
      "The content begins like a picture but is truncated, damaged or inconsistent.")
    public static let tooLarge = Self(
      "picture-too-large", .malformedInput,
      "The file, the picture or the document is larger than the limits allow.")
    public static let passwordProtected = Self(
      "password-protected", .malformedInput, "The document opens only with a password.")
    public static let rendererMissing = Self(
      "renderer-missing", .unavailable,
      "The program that renders this kind of document is not installed.")
    public static let rendererFailed = Self(
      "renderer-failed", .unavailable, "The program that renders this kind of document failed.")
    public static let libraryMissing = Self(
      "scanner-library-missing", .unavailable,
      "zbar, required for reading codes, is not installed or too old.")
    public static let timedOut = Self(
      "render-timed-out", .malformedInput, "Rendering the page exceeded the time limit.")
    public static let documentTimedOut = Self(
      "document-timed-out", .malformedInput,
      "Rendering the pages of a document exceeded the time limit; the remaining pages were not read."
    )
    public static let decoderCrashed = Self(
      "decoder-crashed", .malformedInput,
      "The process that read the picture crashed, was killed, or wrote invalid output.")
    public static let cancelled = Self("cancelled", .interrupted, "The operation was cancelled.")
    public static let noSuchPage = Self(
      "no-such-page", .malformedInput, "The document has no page with the requested number.")
    public static let cannotEncode = Self(
      "cannot-encode", .cannotCreate,
      "The picture to be written has invalid dimensions, or memory ran out.")

    public static let all: [Self] = [
      .notFound, .unreadable, .isDirectory, .notAPicture, .unsupportedFormat, .malformed,
      .tooLarge, .passwordProtected, .rendererMissing, .rendererFailed, .libraryMissing, .timedOut,
      .documentTimedOut, .decoderCrashed, .cancelled, .noSuchPage, .cannotEncode,
    ]
  }

  /// The kind of failure.
  public let code: Code
  /// The name of the input: a path, `standard input`, or a name given by the caller.
  public let source: String
  /// The cause, in one sentence that names the source.
  public let message: String
  /// The next step, in one sentence.
  public let hint: String

  /// The name of the input.
  public var subject: String? { source }

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: the kind of failure.
  ///   - source: the name of the input.
  ///   - message: the cause, in one sentence.
  ///   - hint: the next step, in one sentence.
  package init(_ code: Code, source: String, message: String, hint: String) {
    self.code = code
    self.source = source
    self.message = message
    self.hint = hint
  }
}

/// The errors that several readers share.
extension PictureError {
  static func malformed(_ source: String, _ reason: String) -> PictureError {
    PictureError(
      .malformed, source: source, message: "\(source) cannot be read: \(reason).",
      hint: "Fetch or export the picture again; it may be truncated.")
  }

  /// Returns the error for cancelling the task that requested the picture, or the codes in it.
  package static func cancelled(_ source: String) -> PictureError {
    PictureError(
      .cancelled, source: source, message: "Reading \(source) was cancelled.",
      hint: "Run the command again.")
  }

  static func unsupported(_ source: String, _ what: String) -> PictureError {
    PictureError(
      .unsupportedFormat, source: source, message: "\(source) is \(what), which is not supported.",
      hint: "Convert it to PNG or JPEG and try again.")
  }

  /// Returns the error for a file whose kind is known but not supported, with the reason if that is
  /// deliberate.
  static func unsupported(_ source: String, format: PictureFormat) -> PictureError {
    switch format.name {
    case "EPS":
      PictureError(
        .unsupportedFormat, source: source,
        message: "\(source) is \(format), a PostScript program, which cliptag does not run.",
        hint: "Convert it to PNG or PDF, or photograph the print, and scan the result.")
    default:
      unsupported(source, "a \(format) file")
    }
  }

  static func notAPicture(_ source: String, empty: Bool) -> PictureError {
    PictureError(
      .notAPicture, source: source,
      message: empty
        ? "\(source) is empty."
        : "\(source) is not a picture: its first bytes match no known format.",
      hint: "Give a JPEG, PNG, HEIC, WebP, TIFF, GIF, BMP, PNM, SVG or PDF file.")
  }
}
