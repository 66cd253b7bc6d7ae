public import CodeScanning
public import Invocation
import Registry
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
  public package(set) var symbol: DecodedCode?
  /// The App Clip Code it was read from, if it was one.
  public package(set) var appClipCode: AppClipCodeSighting?
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

  /// The grade of the print of an App Clip Code.
  public var appClipCodeGrade: AppClipCodeGrade? {
    appClipCode.map {
      AppClipCodeGrade(of: $0.seen, knownAs: $0.code?.appClipCode?.pattern)
    }
  }

  /// Its corners in pixels of the picture it was seen in: those of the symbol, or of the square around
  /// an App Clip Code.
  public var corners: [PicturePoint] { symbol?.corners ?? appClipCode?.seen.corners ?? [] }

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
      + (phone?.findings ?? verification.findings).filter {
        !(isExplained && $0.code == .emptyPayload)
      }
  }

  /// The same code with more to tell of its carrier.
  package func adding(_ findings: [Finding]) -> VerifiedCode {
    var code = self
    code.carrierFindings += findings
    return code
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
  /// Bytes of the NDEF message on it; `nil` when it is not formatted for NDEF, or when that cannot be
  /// known because a password or key guards it or the message is torn.
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
