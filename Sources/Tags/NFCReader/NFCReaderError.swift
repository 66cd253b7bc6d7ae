public import CliptagBasics

/// The reason why a reader does not open, or why a wait for a tag ended without one.
///
/// Failures of a single exchange with a tag are `TagChannelError`s.
public struct NFCReaderError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The kind of failure.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let noReader = Self(
      "no-reader", .unavailable, "No reader was found, or the given one does not open.")
    public static let readerBusy = Self(
      "reader-busy", .unavailable, "Another program holds the reader.")
    public static let noTag = Self("no-tag", .nothingFound, "No tag was found before the time-out.")
    public static let tagUnsupported = Self(
      "tag-unsupported", .exchangeFailed,
      "The only tag on the reader has an unsupported technology.")
    public static let readerFailed = Self(
      "reader-failed", .unavailable, "The reader stopped responding or was unplugged.")
    public static let libraryMissing = Self(
      "reader-library-missing", .unavailable,
      "libnfc, the driver of the readers, is not installed or too old.")
    public static let cancelled = Self("cancelled", .interrupted, "The operation was stopped.")

    public static let all: [Self] = [
      .noReader, .readerBusy, .noTag, .tagUnsupported, .readerFailed, .libraryMissing, .cancelled,
    ]
  }

  /// The kind of failure.
  public let code: Code
  /// The problem, as a clause without a full stop.
  package let problem: String
  /// The next step, as a clause, if this failure has a specific one.
  package let remedy: Hint?
  /// The requested reader, as a libnfc connection string; `nil` if none was known.
  public let connectionString: String?
  /// The unsupported tag, if that is the failure.
  public let foreignTag: ForeignTag?
  /// The status that the reader or its library reported, if it caused the failure.
  package let status: DeviceFailure?

  /// One sentence with the problem.
  public var message: String { problem.asSentence }
  /// One sentence with the next step.
  public var advice: Hint {
    if let remedy { return remedy.asSentence }
    return code == .cancelled
      ? "Run the command again." : .sentence("\(.diagnoseReader)")
  }
  /// The next step in the library's wording.
  public var hint: String { advice.text }
  /// The requested reader.
  public var subject: String? { connectionString }

  /// Makes an error.
  package init(
    _ code: Code, _ problem: String, hint remedy: Hint? = nil, connectionString: String? = nil,
    foreignTag: ForeignTag? = nil, status: DeviceFailure? = nil
  ) {
    self.code = code
    self.problem = problem
    self.remedy = remedy
    self.connectionString = connectionString
    self.foreignTag = foreignTag
    self.status = status
  }
}

/// A tag of a technology that this program detects but does not support.
public struct ForeignTag: Hashable, Sendable {
  /// The technology's name: `FeliCa`, `Jewel` or `type B`.
  public let technology: String
  /// The tag's identifier: NFCID2, the identifier of a Jewel or Topaz, or PUPI.
  public let identifier: [UInt8]
  /// A Boolean value that indicates whether the identifier may change each time, as on a type B
  /// card (ISO/IEC 14443-3, 7.9.2).
  let isIdentifierRandom: Bool

  /// Returns `true` if the other may be the same tag, detected again.
  func mayBe(_ other: ForeignTag) -> Bool {
    technology == other.technology && (isIdentifierRandom || identifier == other.identifier)
  }
}
