public import Invocation

/// What went wrong with a registry, in words for the person who has to put it right.
///
/// Two errors are equal when their ``code`` is; the sentences may change between versions.
public struct RegistryError: Error, Sendable {
  /// The stable name of a kind of failure: lower case with hyphens, never renamed.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name as printed in JSON, for example `registry-locked`.
    public let rawValue: String

    /// Makes a code from its printed name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name as printed in JSON.
    public var description: String { rawValue }
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

extension RegistryError: Equatable {
  /// Whether both are the same kind of failure.
  public static func == (left: RegistryError, right: RegistryError) -> Bool {
    left.code == right.code
  }
}

extension RegistryError: CustomStringConvertible {
  /// The message and the hint.
  public var description: String { "\(message) \(hint)" }
}

extension RegistryError.Code {
  /// Something with this key is in the registry already.
  public static let alreadyExists = Self(rawValue: "already-exists")
  /// Nothing with this key is in the registry.
  public static let notFound = Self(rawValue: "not-found")
  /// Something else refers to what was to be removed.
  public static let inUse = Self(rawValue: "in-use")
  /// An experience names a clip that is not in the registry.
  public static let unknownClip = Self(rawValue: "unknown-clip")
  /// A place rule or a code names a place that is not in the registry.
  public static let unknownPlace = Self(rawValue: "unknown-place")
  /// The code was retired before.
  public static let alreadyRetired = Self(rawValue: "already-retired")
  /// The walk belongs to another registry, which alone adds to it.
  public static let foreignWalk = Self(rawValue: "foreign-walk")
  /// A stop does not follow the last one of its walk.
  public static let walkChanged = Self(rawValue: "walk-changed")
  /// A clip, experience or place breaks a rule that a registry file would be refused for.
  public static let invalid = Self(rawValue: "invalid")
  /// A document has problems; see ``RegistryError/problems``.
  public static let invalidDocument = Self(rawValue: "invalid-document")
  /// The file's ending names no format that is read or written.
  public static let unknownFormat = Self(rawValue: "unknown-format")

  /// A file is no log of the record, or a damaged one.
  public static let malformedLog = Self(rawValue: "malformed-log")
  /// A log of the record does not exist or cannot be read.
  public static let unreadableLog = Self(rawValue: "unreadable-log")
  /// A file is no checkpoint, or a damaged one.
  public static let malformedCheckpoint = Self(rawValue: "malformed-checkpoint")
  /// A checkpoint's signature is not one of the key that was named.
  public static let wrongSignature = Self(rawValue: "wrong-signature")
  /// A record that was to be merged is not whole: an entry was altered, or is missing.
  public static let brokenRecord = Self(rawValue: "broken-record")
  /// A record that was to be merged goes on otherwise with a chain that is here.
  public static let forkedRecord = Self(rawValue: "forked-record")

  /// The file is not a database.
  public static let notADatabase = Self(rawValue: "registry-not-a-database")
  /// The file is a database of another application.
  public static let notARegistry = Self(rawValue: "registry-foreign")
  /// A newer version of this software wrote the registry.
  public static let newerVersion = Self(rawValue: "registry-newer")
  /// The file or its folder cannot be read.
  public static let unreadable = Self(rawValue: "registry-unreadable")
  /// The file or its folder cannot be created or written.
  public static let unwritable = Self(rawValue: "registry-unwritable")
  /// The registry was opened for looking things up only.
  public static let readOnly = Self(rawValue: "registry-read-only")
  /// Another process kept the registry locked for longer than the busy time-out.
  public static let locked = Self(rawValue: "registry-locked")
  /// No space is left for the registry.
  public static let diskFull = Self(rawValue: "disk-full")
  /// The database is damaged, or holds something that this version cannot have written.
  public static let damaged = Self(rawValue: "registry-damaged")
  /// Reading or writing failed for another reason; see ``RegistryError/underlying``.
  public static let failed = Self(rawValue: "registry-failed")
}
