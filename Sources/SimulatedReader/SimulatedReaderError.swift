public import Basics

/// The reason why a simulated tag or reader could not be made, or stopped.
public struct SimulatedReaderError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    /// The name, for logs.
    public let rawValue: String
    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The UID is not seven bytes in hexadecimal.
    public static let malformedUID = Code(rawValue: "malformed-uid")
    /// The memory file has the wrong size, or check bytes that contradict its UID.
    public static let malformedMemory = Code(rawValue: "malformed-memory")
    /// The fault that the simulated reader shall have is not understood.
    public static let malformedFault = Code(rawValue: "malformed-fault")
    /// The file that lists the simulated tags cannot be read as one.
    public static let malformedDeck = Code(rawValue: "malformed-deck")
    /// A line for the simulated reader is not understood.
    public static let malformedCommand = Code(rawValue: "malformed-command")
    /// The script for the simulated reader cannot be read as one.
    public static let malformedScript = Code(rawValue: "malformed-script")
    /// The control channel cannot be opened, or another simulated reader has it.
    public static let noControlChannel = Code(rawValue: "no-control-channel")
    /// A memory file was named for a simulated reader without a tag.
    public static let memoryWithoutTag = Code(rawValue: "memory-without-tag")
    /// The memory file exists, and cannot be read.
    public static let memoryUnreadable = Code(rawValue: "memory-unreadable")
    /// The memory file cannot be created or replaced.
    public static let memoryUnwritable = Code(rawValue: "memory-unwritable")
    /// The system gave no pseudo-terminal, or no way to watch it.
    public static let noPseudoTerminal = Code(rawValue: "no-pseudo-terminal")
  }

  /// The kind of failure.
  public let code: Code
  /// The fault and its place, as one sentence.
  public let message: String
  /// The next step, as one sentence.
  public let hint: String
  /// The affected file.
  public let path: String?
  /// The underlying error number of the system.
  public let systemError: Int32?

  /// The affected file.
  public var subject: String? { path }

  init(
    _ code: Code, _ message: String, hint: String, path: String? = nil, systemError: Int32? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.path = path
    self.systemError = systemError
  }
}
