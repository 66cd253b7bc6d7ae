/// Why a picture could not be read, rendered or written.
///
/// Equal by ``code`` alone, so that a test or a caller can compare without knowing the words.
public struct PictureError: Error, Sendable {
  /// The kind of trouble.
  public let code: Code
  /// What was being read: a path, `standard input`, or the name that the caller gave.
  public let source: String
  /// What was wrong, in one sentence that names the source.
  public let message: String
  /// What to do next, in one sentence.
  public let hint: String

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

extension PictureError {
  /// The kinds of trouble. Open: a later version may add more.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable name: lower case with hyphens, as it stands in JSON.
    public let rawValue: String

    /// Makes a code from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file does not exist.
    public static let notFound = Code(rawValue: "not-found")
    /// The file exists but cannot be read.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The path is a directory.
    public static let isDirectory = Code(rawValue: "is-directory")
    /// The content is no kind of picture that is known here.
    public static let notAPicture = Code(rawValue: "not-a-picture")
    /// The content is a kind of picture or document that is known but not read.
    public static let unsupportedFormat = Code(rawValue: "unsupported-format")
    /// The content begins like a picture but is cut short, broken or contradicts itself.
    public static let malformed = Code(rawValue: "malformed-picture")
    /// The file, the picture or the document is larger than ``PictureLimits`` allow.
    public static let tooLarge = Code(rawValue: "picture-too-large")
    /// The document opens only with a password.
    public static let passwordProtected = Code(rawValue: "password-protected")
    /// The program that renders this kind of document is not installed.
    public static let rendererMissing = Code(rawValue: "renderer-missing")
    /// The program that renders this kind of document failed for a reason of its own.
    public static let rendererFailed = Code(rawValue: "renderer-failed")
    /// zbar, which finds the codes in pictures, is not installed or too old.
    public static let libraryMissing = Code(rawValue: "scanner-library-missing")
    /// Rendering took longer than ``PictureLimits`` allow.
    public static let timedOut = Code(rawValue: "render-timed-out")
    /// The process that read the picture crashed, was killed, or wrote nonsense.
    public static let decoderCrashed = Code(rawValue: "decoder-crashed")
    /// The task that asked was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// A page was asked for that the document does not have.
    public static let noSuchPage = Code(rawValue: "no-such-page")
    /// The picture to be written has impossible dimensions, or there was no memory for it.
    public static let cannotEncode = Code(rawValue: "cannot-encode")
  }
}

extension PictureError: Hashable {
  /// Whether both are the same kind of trouble.
  public static func == (left: PictureError, right: PictureError) -> Bool {
    left.code == right.code
  }

  /// Hashes the code, in step with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension PictureError: CustomStringConvertible {
  /// The message and the hint on one line.
  public var description: String { "\(message) \(hint)" }
}
