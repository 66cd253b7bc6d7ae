public import CodeScanning
public import Invocation
public import TagAuthenticity

/// One code that was read and examined: what it says, what that means, and what carried it.
public struct VerifiedCode: Sendable {
  /// Where it was met: a file, a reader's connection string, `argument`.
  public let source: String
  /// The page of a document, from 1; `nil` for anything else.
  public let page: Int?
  /// What a phone would do with it.
  public package(set) var verification: Verification
  /// What is worth telling about the carrier, before what the payload itself brings.
  package var carrierFindings: [Finding]
  /// The symbol it was read from, if it was one.
  public package(set) var symbol: SymbolFacts?
  /// The grade of its print, if that was asked and its modules could be followed.
  public package(set) var grade: PrintGrade?
  /// The tag it was read from, if it was one.
  public package(set) var tag: TagFacts?
  /// Its text as it is recorded: with zeros where a tag shows its counter.
  public package(set) var recordedPayload: String
  /// The Secure Unique NFC message in it, if one was looked for.
  public package(set) var secureMessage: SecureMessageFacts?
  /// What a certain phone does with it, if that was asked.
  public package(set) var phone: PhoneAnswer?
  /// Which issued code it is, if that was asked and such codes are issued.
  public package(set) var identity: CodeIdentity?
  /// Why its message could be neither accepted nor used up.
  public package(set) var failure: (any Error)?

  /// Makes a verified code.
  package init(
    source: String, page: Int? = nil, verification: Verification,
    carrierFindings: [Finding] = [], tag: TagFacts? = nil, recordedPayload: String? = nil
  ) {
    self.source = source
    self.page = page
    self.verification = verification
    self.carrierFindings = carrierFindings
    self.tag = tag
    self.recordedPayload = recordedPayload ?? verification.payload
  }

  /// The answer about the code: the worse of what its payload and what its carrier give.
  ///
  /// A carrier with an error is rejected, whatever its payload says: a copied message opens the
  /// right page, too. What a certain phone does counts instead of what phones do in general. What
  /// could not be examined to the end is not accepted.
  public var verdict: Verdict {
    let carrier = carrierFindings.map(\.verdict).max() ?? .accepted
    return [
      phone?.verdict ?? verification.verdict, carrier, failure == nil ? .accepted : .undecided,
    ].max() ?? .undecided
  }

  /// Everything worth telling: about the carrier, then about the payload.
  ///
  /// A carrier without a URL says itself why; that the payload is empty would only repeat it.
  public var findings: [Finding] {
    let isExplained = carrierFindings.contains { $0.severity == .error }
    return carrierFindings
      + verification.findings.filter { !(isExplained && $0.code == .emptyPayload) }
  }

  /// The same code with more to tell of its carrier.
  package func adding(_ findings: [Finding]) -> VerifiedCode {
    var code = self
    code.carrierFindings += findings
    return code
  }
}

/// What is known of a symbol in a picture.
public struct SymbolFacts: Hashable, Sendable {
  /// The kind of code, as in JSON: `qr`, `ean-13` …
  public var kind = "qr"
  /// Version, 1 to 40; `nil` when it could not be told with certainty.
  public let version: Int?
  /// Error-correction level `L`, `M`, `Q` or `H`; `nil` when it could not be told.
  public let errorCorrection: String?
  /// The data mask, 0 to 7; `nil` when it could not be told.
  public var mask: Int?
  /// The corners in pixels of the picture as it is displayed, clockwise from the symbol's own top
  /// left; each is `x, y`.
  public let corners: [[Double]]
  /// Pixels of the picture for one module; `nil` when it could not be told.
  public var modulePixels: Double?
  /// Codewords that error correction had to put right; `nil` when it could not be told.
  public var correctedCodewords: Int?
  /// All codewords of the symbol; `nil` when it could not be told.
  public var codewords: Int?
  /// The part of the error correction that is left in the weakest block, 0 … 1 (ISO/IEC 15415,
  /// unused error correction); `nil` when it could not be told.
  public var unusedErrorCorrection: Double?
  /// Whether the symbol is mirrored, as behind glass; `nil` when it could not be told.
  public var isMirrored: Bool?
  /// Whether it is light on dark.
  public var isInverted = false

  /// Makes the facts of a symbol.
  package init(version: Int?, errorCorrection: String?, corners: [[Double]]) {
    self.version = version
    self.errorCorrection = errorCorrection
    self.corners = corners
  }
}

/// What is known of a tag.
public struct TagFacts: Hashable, Sendable {
  /// UID in upper-case hexadecimal.
  public let uid: String
  /// The exact type, for example `NTAG215`.
  public let type: String
  /// The longest NDEF message it can hold, in bytes; `nil` when it is not formatted for NDEF.
  public let capacity: Int?
  /// Bytes of the NDEF message on it; `nil` when it holds none.
  public let used: Int?
  /// Whether its data can no longer be changed.
  public let locked: Bool
  /// Whether a password protects it.
  public let passwordProtected: Bool
  /// What its originality signature says; `nil` when nobody asked.
  public package(set) var originality: Originality?

  /// Makes the facts of a tag.
  package init(
    uid: String, type: String, capacity: Int?, used: Int?, locked: Bool, passwordProtected: Bool
  ) {
    self.uid = uid
    self.type = type
    self.capacity = capacity
    self.used = used
    self.locked = locked
    self.passwordProtected = passwordProtected
  }
}
