public import CliptagBasics

/// The reason why a simulated tag or reader could not be made, or stopped.
public struct SimulatedReaderError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The kind of failure.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let malformedUID = Self(
      "malformed-uid", .usage, "The UID is not seven bytes in hexadecimal.")
    public static let malformedMemory = Self(
      "malformed-memory", .malformedInput,
      "The memory file has the wrong size, or check bytes that contradict its UID.")
    public static let malformedFault = Self(
      "malformed-fault", .usage, "The fault that the simulated reader shall have is not understood."
    )
    public static let malformedDeck = Self(
      "malformed-deck", .malformedInput,
      "The file that lists the simulated tags cannot be read as one.")
    public static let malformedCommand = Self(
      "malformed-command", .usage, "A line for the simulated reader is not understood.")
    public static let malformedScript = Self(
      "malformed-script", .malformedInput,
      "The script for the simulated reader cannot be read as one.")
    public static let noControlChannel = Self(
      "no-control-channel", .cannotCreate,
      "The control channel cannot be opened, or another simulated reader has it.")
    public static let memoryWithoutTag = Self(
      "memory-without-tag", .usage, "A memory file was named for a simulated reader without a tag.")
    public static let memoryUnreadable = Self(
      "memory-unreadable", .noInput, "The memory file exists, and cannot be read.")
    public static let memoryUnwritable = Self(
      "memory-unwritable", .cannotCreate, "The memory file cannot be created or replaced.")
    public static let noPseudoTerminal = Self(
      "no-pseudo-terminal", .unavailable,
      "The system gave no pseudo-terminal, or no way to watch it.")

    public static let all: [Self] = [
      .malformedUID, .malformedMemory, .malformedFault, .malformedDeck, .malformedCommand,
      .malformedScript, .noControlChannel, .memoryWithoutTag, .memoryUnreadable, .memoryUnwritable,
      .noPseudoTerminal,
    ]
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
