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
  /// The tag that cannot be served, when that is the failure.
  public let foreignTag: ForeignTag?
  /// What the reader or its library reported, when the failure came from there.
  package let status: DeviceFailure?

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
    foreignTag: ForeignTag? = nil, status: DeviceFailure? = nil
  ) {
    self.code = code
    self.problem = problem
    self.advice = advice
    self.connectionString = connectionString
    self.foreignTag = foreignTag
    self.status = status
  }
}

/// A tag of a technology that this program can see and not serve.
public struct ForeignTag: Hashable, Sendable {
  /// The technology's name: `FeliCa`, `Jewel` or `type B`.
  public let technology: String
  /// What the tag calls itself: NFCID2, the identifier of a Jewel or Topaz, PUPI.
  public let identifier: [UInt8]
  /// Whether the identifier may be another one each time, as on a type B card (ISO/IEC 14443-3, 7.9.2).
  let isIdentifierRandom: Bool

  /// Whether the other may be this very tag, seen again.
  func mayBe(_ other: ForeignTag) -> Bool {
    technology == other.technology && (isIdentifierRandom || identifier == other.identifier)
  }
}
