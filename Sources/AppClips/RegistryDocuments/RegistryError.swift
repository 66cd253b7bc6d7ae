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
      "already-exists", .usage, "The registry already has an item of this name.")
    public static let notFound = Self(
      "not-found", .noInput, "The registry has no item of this name.")
    public static let ambiguousName = Self(
      "ambiguous-name", .usage, "The names of several codes end in the given characters.")
    public static let inUse = Self(
      "in-use", .usage, "Other items refer to the item to be removed.")
    public static let unknownClip = Self(
      "unknown-clip", .usage, "The clip is not in the registry, or none was given.")
    public static let unknownPlace = Self(
      "unknown-place", .usage, "The place is not in the registry.")
    public static let alreadyRetired = Self(
      "already-retired", .usage, "The code is already retired.")
    public static let lastItem = Self(
      "last-item", .usage, "The code has no other item: the code itself is retired.")
    public static let foreignWalk = Self(
      "foreign-walk", .notAccepted, "The walk belongs to another registry, which must extend it.")
    public static let unchangedState = Self(
      "unchanged-state", .usage, "The finding to follow up already has the state.")
    public static let walkChanged = Self(
      "walk-changed", .notAccepted, "A stop does not follow the last stop of its walk.")
    public static let invalid = Self(
      "invalid", .usage,
      "A clip, experience or place breaks a rule for registry files.")
    public static let invalidDocument = Self(
      "invalid-document", .malformedInput,
      "The file has errors, each with its line; nothing was imported.")
    public static let unknownFormat = Self(
      "unknown-format", .usage, "The file's extension is not that of a supported format.")

    public static let malformedLog = Self(
      "malformed-log", .malformedInput, "The file is not a log of a record, or is damaged.")
    public static let unreadableLog = Self(
      "unreadable-log", .noInput, "The log of a record does not exist or cannot be read.")
    public static let malformedCheckpoint = Self(
      "malformed-checkpoint", .malformedInput,
      "The file is not a checkpoint or witness, or is damaged.")
    public static let wrongSignature = Self(
      "wrong-signature", .notAccepted,
      "The checkpoint's signature does not match the given key.")
    public static let otherCheckpoint = Self(
      "other-checkpoint", .notAccepted,
      "The witness belongs to another checkpoint than the given one.")
    public static let brokenRecord = Self(
      "broken-record", .notAccepted,
      "The record to be merged is damaged: an entry was altered, or is missing.")
    public static let forkedRecord = Self(
      "forked-record", .notAccepted,
      "The record to be merged continues a chain of this registry differently.")
    public static let untrustedRecord = Self(
      "untrusted-record", .notAccepted,
      "The record to be merged has foreign entries that no trusted key has signed.")

    public static let missing = Self(
      "no-registry", .noInput, "The registry file does not exist.")
    public static let notADatabase = Self(
      "registry-not-a-database", .badSetting, "The registry file is not a database.")
    public static let notARegistry = Self(
      "registry-foreign", .badSetting, "The registry file is a database of another application.")
    public static let newerVersion = Self(
      "registry-newer", .badSetting, "A newer version of cliptag wrote the registry.")
    public static let olderVersion = Self(
      "registry-older", .badSetting,
      "The registry has an older format, which its owner must upgrade.")
    public static let unreadable = Self(
      "registry-unreadable", .badSetting, "The registry file or its folder cannot be read.")
    public static let unwritable = Self(
      "registry-unwritable", .badSetting,
      "The registry file or its folder cannot be created or written.")
    public static let readOnly = Self(
      "registry-read-only", .badSetting, "The registry was opened read-only.")
    public static let locked = Self(
      "registry-locked", .unavailable,
      "Another process or station kept the registry locked for longer than `--registry-wait`.")
    public static let unavailable = Self(
      "registry-unavailable", .unavailable,
      "The server of the registry does not respond, or refuses this login; nothing was changed."
    )
    public static let unconfirmed = Self(
      "registry-unconfirmed", .unavailable,
      "The connection to the server broke during a commit, so its outcome is unknown."
    )
    public static let notPermitted = Self(
      "registry-not-permitted", .badSetting,
      "The login of the registry's server lacks the role for the operation.")
    public static let diskFull = Self(
      "disk-full", .cannotCreate, "No space is left for the registry.")
    public static let damaged = Self(
      "registry-damaged", .badSetting,
      "The registry is damaged, or contains data that no known version writes.")
    public static let altered = Self(
      "registry-altered", .badSetting,
      "Tables or guards of the registry differ from cliptag's: another program changed them."
    )
    public static let replaced = Self(
      "registry-replaced", .badSetting,
      "Another program moved, removed or wrote over the registry file while it was open.")
    public static let failed = Self(
      "registry-failed", .badSetting, "Reading or writing the registry failed for another reason.")

    public static let batchChanged = Self(
      "batch-changed", .malformedInput,
      "The rows of the batch differ from those it was begun with.")
    public static let rowNotFree = Self(
      "row-not-free", .usage,
      "The row of the batch is in another state than the step requires, or is in use."
    )
    public static let tagInBatch = Self(
      "tag-in-batch", .badSetting, "The tag belongs to another row of the batch.")

    public static let all: [Self] = [
      .batchChanged, .rowNotFree, .tagInBatch, .alreadyExists, .notFound, .ambiguousName, .inUse,
      .unknownClip, .unknownPlace, .alreadyRetired, .lastItem, .foreignWalk, .walkChanged, .invalid,
      .invalidDocument, .unchangedState,
      .unknownFormat, .malformedLog, .unreadableLog, .malformedCheckpoint, .wrongSignature,
      .otherCheckpoint, .brokenRecord, .forkedRecord, .untrustedRecord, .missing, .notADatabase,
      .notARegistry, .newerVersion, .olderVersion, .unreadable, .unwritable, .readOnly, .locked,
      .unavailable, .unconfirmed, .notPermitted, .diskFull, .damaged, .altered,
      .replaced, .failed,
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
