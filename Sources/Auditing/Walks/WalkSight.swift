public import Invocation
public import Registry
import TagAuthenticity
public import TagTypes
public import Verifying

/// What is seen at one stop of a walk, before it is compared with the record.
public struct WalkSight: Sendable {
  /// One code that was read.
  public struct Code: Sendable {
    /// What its payload and its carrier say.
    public var verified: VerifiedCode
    /// Its text as the record has it, where a tag changes it at each reading.
    public let recordedPayload: String
    /// The print's grade, 4 (A) to 0 (F); `nil` where it was not graded.
    public let grade: Double?

    /// Makes a code.
    public init(
      _ verified: VerifiedCode, recordedPayload: String? = nil, grade: Double? = nil
    ) {
      self.verified = verified
      self.recordedPayload = recordedPayload ?? verified.verification.payload
      self.grade = grade
    }
  }

  /// What was read.
  public let kind: WalkStop.Kind
  /// The file, the reader or the scanner.
  public let source: String
  /// The page of a document, from 1.
  public var page: Int?
  /// SHA-256 of the picture's file or of the tag's message.
  public var digest: EntryHash?
  /// Where it was read, when that was asked before anything was read.
  public var fix: LocationFix?
  /// Symbols that were seen and gave no text.
  public var unreadCount = 0
  /// What was read, from top to bottom.
  public var codes: [Code]

  /// Makes a sight.
  public init(_ kind: WalkStop.Kind, source: String, codes: [Code]) {
    self.kind = kind
    self.source = source
    self.codes = codes
  }

  /// Takes what a tag holds.
  ///
  /// - Parameters:
  ///   - tag: The tag with its configuration read, for its locks.
  ///   - source: The reader it lies on.
  ///   - check: How payloads are examined.
  ///   - evidence: What is known about the position.
  /// - Throws: As ``TagVerifier/verify(_:source:location:)``.
  public init(
    _ tag: Tag, source: String, by check: InvocationCheck, location evidence: LocationEvidence
  ) throws {
    let verified = try TagVerifier(check: check).verify(tag, source: source, location: evidence)
    self.init(
      .tag, source: source,
      codes: [Code(verified, recordedPayload: try TagPayload(tag).recordedURI)])
    if case .message(let bytes) = tag.content { digest = try EntryHash.digest(of: bytes) }
  }

  /// Takes small print that somebody typed in: a URL, with or without its scheme, or the name of a
  /// code.
  ///
  /// - Throws: What the directory or the registry throws.
  public init(
    print text: String, source: String, by check: InvocationCheck,
    location evidence: LocationEvidence, in registry: any RegistryStore
  ) throws {
    let text = text.trimmingPrefix { $0.isWhitespace }
    let named = try CodeID(String(text)).flatMap { id in try registry.code(id: id) }
    let url = named?.payload ?? (text.contains("://") ? String(text) : "https://\(text)")
    let found = try check.examine(payload: url, carrier: .url, location: evidence)
    self.init(
      .print, source: source, codes: [Code(VerifiedCode(source: source, verification: found))])
  }
}

extension EntryHash {
  /// The digest of bytes.
  ///
  /// - Throws: `AuthenticityError` without OpenSSL.
  static func digest(of bytes: [UInt8]) throws -> EntryHash? {
    EntryHash(try SHA256.digest(of: bytes))
  }
}
