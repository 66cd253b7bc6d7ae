/// Why a reader could not be opened, or why a wait for a tag ended without one.
///
/// Failures of a single exchange with a tag are `TagChannelError`s.
public struct NFCReaderError: Error, Sendable {
  /// The kind of failure.
  public struct Code: RawRepresentable, Hashable, Sendable {
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
  /// What happened, in one sentence without a full stop.
  public let message: String
  /// What to do next, when there is something to do.
  public let hint: String?
  /// The reader that was meant, as a libnfc connection string; nil when none was known.
  public let connectionString: String?
  /// What libnfc reported, when the failure came from there.
  package let status: NFCStatus?

  /// Makes an error.
  package init(
    _ code: Code, _ message: String, hint: String? = nil, connectionString: String? = nil,
    status: NFCStatus? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.connectionString = connectionString
    self.status = status
  }
}

extension NFCReaderError: Equatable {
  /// Two errors are equal when their codes are: the sentences are for people.
  public static func == (left: NFCReaderError, right: NFCReaderError) -> Bool {
    left.code == right.code
  }
}

extension NFCReaderError: CustomStringConvertible {
  /// Message and hint in one line.
  public var description: String {
    guard let hint else { return message }
    return "\(message); \(hint)"
  }
}
