public import CliptagBasics
public import Invocation

/// A registry error, with a message for the person who must correct it.
public struct RegistryError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The stable name of a kind of failure: lower case with hyphens, never renamed.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let alreadyExists = Self(
      "already-exists", .usage, "Something in the registry has this name already.")
    public static let notFound = Self(
      "not-found", .noInput, "Nothing in the registry has this name.")
    public static let inUse = Self(
      "in-use", .usage, "Something else refers to what was to be removed.")
    public static let unknownClip = Self(
      "unknown-clip", .usage, "The clip is not in the registry, or none was named.")
    public static let unknownPlace = Self(
      "unknown-place", .usage, "The place is not in the registry.")
    public static let alreadyRetired = Self(
      "already-retired", .usage, "The code was retired before.")
    public static let foreignWalk = Self(
      "foreign-walk", .notAccepted, "The walk belongs to another registry, which alone adds to it.")
    public static let walkChanged = Self(
      "walk-changed", .notAccepted, "A stop does not follow the last one of its walk.")
    public static let invalid = Self(
      "invalid", .usage,
      "A clip, experience or place breaks a rule that a registry file would be refused for.")
    public static let invalidDocument = Self(
      "invalid-document", .malformedInput,
      "The file has mistakes, each with its line; nothing of it was taken.")
    public static let unknownFormat = Self(
      "unknown-format", .usage, "The file's ending names no format that is read or written.")

    public static let malformedLog = Self(
      "malformed-log", .malformedInput, "The file is no log of a record, or a damaged one.")
    public static let unreadableLog = Self(
      "unreadable-log", .noInput, "The log of a record does not exist or cannot be read.")
    public static let malformedCheckpoint = Self(
      "malformed-checkpoint", .malformedInput,
      "The file is no checkpoint or witness, or a damaged one.")
    public static let wrongSignature = Self(
      "wrong-signature", .notAccepted,
      "The checkpoint's signature is not one of the key that was named.")
    public static let otherCheckpoint = Self(
      "other-checkpoint", .notAccepted,
      "The witness tells of another checkpoint than the one that was named.")
    public static let brokenRecord = Self(
      "broken-record", .notAccepted,
      "The record to be merged is not whole: an entry was altered, or is missing.")
    public static let forkedRecord = Self(
      "forked-record", .notAccepted,
      "The record to be merged goes on otherwise with a chain that is here.")
    public static let untrustedRecord = Self(
      "untrusted-record", .notAccepted,
      "The record to be merged has entries of others for which no trusted key vouches.")

    public static let missing = Self(
      "no-registry", .noInput, "There is no registry file where one has to be.")
    public static let notADatabase = Self(
      "registry-not-a-database", .badSetting, "The registry file is not a database.")
    public static let notARegistry = Self(
      "registry-foreign", .badSetting, "The registry file is a database of another application.")
    public static let newerVersion = Self(
      "registry-newer", .badSetting, "A newer version of cliptag wrote the registry.")
    public static let olderVersion = Self(
      "registry-older", .badSetting,
      "The registry has an older format, and its owner has to bring it up to date.")
    public static let unreadable = Self(
      "registry-unreadable", .badSetting, "The registry file or its folder cannot be read.")
    public static let unwritable = Self(
      "registry-unwritable", .badSetting,
      "The registry file or its folder cannot be created or written.")
    public static let readOnly = Self(
      "registry-read-only", .badSetting, "The registry was opened for looking things up only.")
    public static let locked = Self(
      "registry-locked", .unavailable,
      "Another process or station kept the registry locked for longer than `--registry-wait`.")
    public static let unavailable = Self(
      "registry-unavailable", .unavailable,
      "The server of the registry does not answer, or does not let this login in; nothing was changed."
    )
    public static let unconfirmed = Self(
      "registry-unconfirmed", .unavailable,
      "The server of the registry went away while it kept a change, and nobody knows whether it did."
    )
    public static let notPermitted = Self(
      "registry-not-permitted", .badSetting,
      "The login of the registry's server has not the role for what was asked.")
    public static let diskFull = Self(
      "disk-full", .cannotCreate, "No space is left for the registry.")
    public static let damaged = Self(
      "registry-damaged", .badSetting,
      "The registry is damaged, or holds something that this version cannot have written.")
    public static let altered = Self(
      "registry-altered", .badSetting,
      "Tables or guards of the registry file are not as cliptag makes them: another program changed them."
    )
    public static let failed = Self(
      "registry-failed", .badSetting, "Reading or writing the registry failed for another reason.")

    public static let batchChanged = Self(
      "batch-changed", .malformedInput,
      "The batch is to go on with other rows than it was begun with.")
    public static let rowNotFree = Self(
      "row-not-free", .usage,
      "The row of the batch is not in the state that the step begins with, or somebody works on it."
    )
    public static let tagInBatch = Self(
      "tag-in-batch", .badSetting, "The tag belongs to another row of the batch.")

    public static let all: [Self] = [
      .batchChanged, .rowNotFree, .tagInBatch, .alreadyExists, .notFound, .inUse, .unknownClip,
      .unknownPlace, .alreadyRetired, .foreignWalk, .walkChanged, .invalid, .invalidDocument,
      .unknownFormat, .malformedLog, .unreadableLog, .malformedCheckpoint, .wrongSignature,
      .otherCheckpoint, .brokenRecord, .forkedRecord, .untrustedRecord, .missing, .notADatabase,
      .notARegistry, .newerVersion, .olderVersion, .unreadable, .unwritable, .readOnly, .locked,
      .unavailable, .unconfirmed, .notPermitted, .diskFull, .damaged, .altered, .failed,
    ]
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence: what was wrong, and where.
  public let message: String
  /// One sentence: what to do next.
  public let advice: Hint
  /// The next step in the library's wording.
  public var hint: String { advice.text }
  /// The file that the failure concerns, if one does.
  public let path: String?
  /// Every problem of a document that was refused, sorted by line; empty for other failures.
  public let problems: [DocumentProblem]
  /// The error of the layer below, if there was one.
  public let underlying: (any Error)?

  /// The file that the failure concerns.
  public var subject: String? { path }

  /// Makes an error.
  package init(
    _ code: Code, _ message: String, hint: Hint, path: String? = nil,
    problems: [DocumentProblem] = [], underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    advice = hint
    self.path = path
    self.problems = problems
    self.underlying = underlying
  }
}
