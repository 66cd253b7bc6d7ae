public import CodeScanning
public import Invocation
import Registry
public import TagAuthenticity

/// One code that was read and examined: its payload, the verdict, and its carrier.
public struct VerifiedCode: Sendable {
  /// The source: a file, a reader's connection string, `argument`.
  public let source: String
  /// The page of a document, from 1; `nil` for other sources.
  public let page: Int?
  /// The behaviour of a phone that reads the code.
  public package(set) var verification: Verification
  /// The findings about the carrier, which precede those about the payload.
  package var carrierFindings: [Finding]
  /// The symbol it was read from, if any.
  public package(set) var symbol: DecodedCode?
  /// The App Clip Code it was read from, if any.
  public package(set) var appClipCode: AppClipCodeSighting?
  /// The grade of its print, if requested and if its modules could be followed.
  public package(set) var grade: PrintGrade?
  /// The tag it was read from, if any.
  public package(set) var tag: TagFacts?
  /// The text as recorded: with zeros in place of a tag's counter.
  public package(set) var recordedPayload: String
  /// The Secure Unique NFC message in it, if it was examined.
  public package(set) var secureMessage: SecureMessageFacts?
  /// The behaviour of a given phone, if requested.
  public package(set) var phone: PhoneAnswer?
  /// The issued code, if requested and if such carriers are issued.
  public package(set) var identity: CodeIdentity?
  /// The reason why its message could be neither accepted nor used up.
  public package(set) var failure: (any Error)?

  /// The grade of the print of an App Clip Code.
  public var appClipCodeGrade: AppClipCodeGrade? {
    appClipCode.map {
      AppClipCodeGrade(of: $0.seen, knownAs: $0.code?.appClipCode?.pattern)
    }
  }

  /// The corners in pixels of the source picture: those of the symbol, or of the square around an
  /// App Clip Code.
  public var corners: [PicturePoint] { symbol?.corners ?? appClipCode?.seen.corners ?? [] }

  /// A payload that was looked up, whose position is judged when it is known.
  enum Lookup: Sendable {
    case anyPhone(PayloadLookup)
    case phone(PhoneSimulation)
  }

  /// `nil` for a code without payload.
  private var lookup: Lookup?

  /// Makes the code of a payload that was looked up.
  init(source: String, page: Int?, _ lookup: Lookup, at location: LocationEvidence) {
    let phone: PhoneAnswer?
    let verification: Verification
    switch lookup {
    case .anyPhone(let payload): (phone, verification) = (nil, payload.verification(at: location))
    case .phone(let simulation):
      let answer = simulation.answer(at: location)
      (phone, verification) = (answer, answer.verification)
    }
    self.init(source: source, page: page, verification: verification)
    self.lookup = lookup
    self.phone = phone
  }

  /// Judges the position at which the code was read.
  mutating func judge(at location: LocationEvidence) {
    guard let lookup else { return }
    let judged = VerifiedCode(source: source, page: page, lookup, at: location)
    (verification, phone) = (judged.verification, judged.phone)
  }

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

  /// The verdict on the code: the worse of the verdicts on its payload and on its carrier.
  ///
  /// A carrier with an error is rejected, whatever its payload: a copied message opens the right
  /// page, too. The behaviour of a given phone counts instead of that of phones in general. A code
  /// that could not be examined completely is not accepted.
  public var verdict: Verdict {
    let carrier = carrierFindings.map(\.verdict).max() ?? .accepted
    return [
      phone?.verdict ?? verification.verdict, carrier, failure == nil ? .accepted : .undecided,
    ].max() ?? .undecided
  }

  /// All findings: about the carrier, then about the payload.
  ///
  /// If the carrier has an error, the findings that the payload is empty, and that no barcode is an
  /// invocation, are omitted as redundant.
  public var findings: [Finding] {
    let isExplained = carrierFindings.contains { $0.severity == .error }
    return carrierFindings
      + (phone?.findings ?? verification.findings).filter {
        !(isExplained && [.emptyPayload, .barcodeCarrier].contains($0.code))
      }
  }

  /// Returns the code with more findings about its carrier.
  package func adding(_ findings: [Finding]) -> VerifiedCode {
    var code = self
    code.carrierFindings += findings
    return code
  }
}

/// Facts about a tag.
public struct TagFacts: Hashable, Sendable {
  /// The UID in upper-case hexadecimal.
  public let uid: String
  /// The exact type, for example `NTAG215`.
  public let type: String
  /// The longest NDEF message it can hold, in bytes; `nil` when it is not formatted for NDEF.
  public let capacity: Int?
  /// The size of its NDEF message in bytes; `nil` if the tag is not formatted for NDEF, or if the
  /// size is unknown because a password or key protects the message or the message is torn.
  public let used: Int?
  /// Whether its data can no longer be changed.
  public let locked: Bool
  /// Whether a password protects it.
  public let passwordProtected: Bool
  /// The verdict on its originality signature; `nil` if not requested.
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
