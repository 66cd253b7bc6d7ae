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
      "malformed-fault", .usage, "The fault for the simulated reader is not valid."
    )
    public static let malformedDeck = Self(
      "malformed-deck", .malformedInput,
      "The file is not a list of simulated tags.")
    public static let malformedCommand = Self(
      "malformed-command", .usage, "A command for the simulated reader is not valid.")
    public static let malformedScript = Self(
      "malformed-script", .malformedInput,
      "The file is not a script for the simulated reader.")
    public static let noControlChannel = Self(
      "no-control-channel", .cannotCreate,
      "The control channel cannot be opened, or is in use by another simulated reader.")
    public static let memoryWithoutTag = Self(
      "memory-without-tag", .usage, "A memory file was given for a simulated reader without a tag.")
    public static let memoryUnreadable = Self(
      "memory-unreadable", .noInput, "The memory file exists, but is not readable.")
    public static let memoryUnwritable = Self(
      "memory-unwritable", .cannotCreate, "The memory file cannot be created or replaced.")
    public static let malformedSession = Self(
      "malformed-session", .malformedInput,
      "The file cannot be read as a recorded session of a reader, or not be played.")
    public static let sessionDiffers = Self(
      "session-differs", .exchangeFailed,
      "A program sent another command than the one that was recorded.")
    public static let noPseudoTerminal = Self(
      "no-pseudo-terminal", .unavailable,
      "The system provided no pseudo-terminal, or no way to watch it.")

    public static let all: [Self] = [
      .malformedUID, .malformedMemory, .malformedFault, .malformedDeck, .malformedCommand,
      .malformedScript, .malformedSession, .sessionDiffers, .noControlChannel, .memoryWithoutTag,
      .memoryUnreadable, .memoryUnwritable,
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
