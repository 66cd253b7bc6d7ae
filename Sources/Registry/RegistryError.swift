public import Basics
public import Invocation

/// What went wrong with a registry, in words for the person who has to put it right.
public struct RegistryError: CodedError {
  /// The stable name of a kind of failure: lower case with hyphens, never renamed.
  public struct Code: ErrorCode {
    /// The name as printed in JSON, for example `registry-locked`.
    public let rawValue: String

    /// Makes a code from its printed name.
    public init(rawValue: String) { self.rawValue = rawValue }

  }

  /// The kind of failure.
  public let code: Code
  /// One sentence: what was wrong, and where.
  public let message: String
  /// One sentence: what to do next.
  public let hint: String
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
    _ code: Code, _ message: String, hint: String, path: String? = nil,
    problems: [DocumentProblem] = [], underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.path = path
    self.problems = problems
    self.underlying = underlying
  }
}

extension RegistryError.Code {
  /// Something in the registry has this name already.
  public static let alreadyExists = Self(rawValue: "already-exists")
  /// Nothing in the registry has this name.
  public static let notFound = Self(rawValue: "not-found")
  /// Something else refers to what was to be removed.
  public static let inUse = Self(rawValue: "in-use")
  /// The clip is not in the registry, or none was named.
  public static let unknownClip = Self(rawValue: "unknown-clip")
  /// The place is not in the registry.
  public static let unknownPlace = Self(rawValue: "unknown-place")
  /// The code was retired before.
  public static let alreadyRetired = Self(rawValue: "already-retired")
  /// The walk belongs to another registry, which alone adds to it.
  public static let foreignWalk = Self(rawValue: "foreign-walk")
  /// A stop does not follow the last one of its walk.
  public static let walkChanged = Self(rawValue: "walk-changed")
  /// A clip, experience or place breaks a rule that a registry file would be refused for.
  public static let invalid = Self(rawValue: "invalid")
  /// The file has mistakes, each with its line; nothing of it was taken.
  public static let invalidDocument = Self(rawValue: "invalid-document")
  /// The file's ending names no format that is read or written.
  public static let unknownFormat = Self(rawValue: "unknown-format")

  /// The file is no log of a record, or a damaged one.
  public static let malformedLog = Self(rawValue: "malformed-log")
  /// The log of a record does not exist or cannot be read.
  public static let unreadableLog = Self(rawValue: "unreadable-log")
  /// The file is no checkpoint or witness, or a damaged one.
  public static let malformedCheckpoint = Self(rawValue: "malformed-checkpoint")
  /// The checkpoint's signature is not one of the key that was named.
  public static let wrongSignature = Self(rawValue: "wrong-signature")
  /// The witness tells of another checkpoint than the one that was named.
  public static let otherCheckpoint = Self(rawValue: "other-checkpoint")
  /// The record to be merged is not whole: an entry was altered, or is missing.
  public static let brokenRecord = Self(rawValue: "broken-record")
  /// The record to be merged goes on otherwise with a chain that is here.
  public static let forkedRecord = Self(rawValue: "forked-record")
  /// The record to be merged has entries of others for which no trusted key vouches.
  public static let untrustedRecord = Self(rawValue: "untrusted-record")

  /// There is no registry file where one has to be.
  public static let missing = Self(rawValue: "no-registry")
  /// The registry file is not a database.
  public static let notADatabase = Self(rawValue: "registry-not-a-database")
  /// The registry file is a database of another application.
  public static let notARegistry = Self(rawValue: "registry-foreign")
  /// A newer version of cliptag wrote the registry.
  public static let newerVersion = Self(rawValue: "registry-newer")
  /// The registry has an older format, and its owner has to bring it up to date.
  public static let olderVersion = Self(rawValue: "registry-older")
  /// The registry file or its folder cannot be read.
  public static let unreadable = Self(rawValue: "registry-unreadable")
  /// The registry file or its folder cannot be created or written.
  public static let unwritable = Self(rawValue: "registry-unwritable")
  /// The registry was opened for looking things up only.
  public static let readOnly = Self(rawValue: "registry-read-only")
  /// Another process or station kept the registry locked for longer than `--registry-wait`.
  public static let locked = Self(rawValue: "registry-locked")
  /// The server of the registry does not answer, or does not let this login in; nothing was changed.
  public static let unavailable = Self(rawValue: "registry-unavailable")
  /// The server of the registry went away while it kept a change, and nobody knows whether it did.
  public static let unconfirmed = Self(rawValue: "registry-unconfirmed")
  /// The login of the registry's server has not the role for what was asked.
  public static let notPermitted = Self(rawValue: "registry-not-permitted")
  /// No space is left for the registry.
  public static let diskFull = Self(rawValue: "disk-full")
  /// The registry is damaged, or holds something that this version cannot have written.
  public static let damaged = Self(rawValue: "registry-damaged")
  /// Tables or guards of the registry file are not as cliptag makes them: another program changed them.
  public static let altered = Self(rawValue: "registry-altered")
  /// Reading or writing the registry failed for another reason.
  public static let failed = Self(rawValue: "registry-failed")
}
