public import Basics

/// Why a reader could not be opened, or why a wait for a tag ended without one.
///
/// Failures of a single exchange with a tag are `TagChannelError`s.
public struct NFCReaderError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    /// The name, as the command prints it.
    public let rawValue: String
    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No reader was found, or the one that was named does not open.
    public static let noReader = Code(rawValue: "no-reader")
    /// Another program holds the reader.
    public static let readerBusy = Code(rawValue: "reader-busy")
    /// No tag came before the time-out.
    public static let noTag = Code(rawValue: "no-tag")
    /// The only tag there is of a technology that cannot be served.
    public static let tagUnsupported = Code(rawValue: "tag-unsupported")
    /// The reader stopped answering or was unplugged.
    public static let readerFailed = Code(rawValue: "reader-failed")
    /// libnfc, which works the readers, is not installed, or too old.
    public static let libraryMissing = Code(rawValue: "reader-library-missing")
    /// The work was stopped.
    public static let cancelled = Code(rawValue: "cancelled")
  }

  /// The kind of failure.
  public let code: Code
  /// What happened, as a clause without a full stop.
  package let problem: String
  /// What to do next, as a clause, when this failure has a step of its own.
  package let advice: String?
  /// The reader that was meant, as a libnfc connection string; nil when none was known.
  public let connectionString: String?
  /// What libnfc reported, when the failure came from there.
  package let status: NFCStatus?

  /// One sentence: what happened.
  public var message: String { problem.asSentence }
  /// One sentence: what to do next.
  public var hint: String {
    if let advice { return advice.asSentence }
    return code == .cancelled
      ? "Run the same command again." : "Ask ReaderDoctor what is wrong."
  }
  /// The reader that was meant.
  public var subject: String? { connectionString }

  /// Makes an error.
  package init(
    _ code: Code, _ problem: String, hint advice: String? = nil, connectionString: String? = nil,
    status: NFCStatus? = nil
  ) {
    self.code = code
    self.problem = problem
    self.advice = advice
    self.connectionString = connectionString
    self.status = status
  }
}
