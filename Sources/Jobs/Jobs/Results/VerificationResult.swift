import CliptagBasics
import Foundation
public import Invocation
import TagAuthenticity
public import Verifying

/// The result of examining a payload: the `verification` object of the command's contract.
///
/// Absent facts are `nil` and encoded as `null`.
public struct VerificationResult: Encodable, Sendable {
  /// The type of the object.
  public let type = "verification"
  /// The source: a file, a reader's connection string, `argument`.
  public let source: String
  /// `url`, `qr`, `nfc`, `app-clip-code` or `barcode`.
  public let carrier: String
  /// The text exactly as decoded.
  public let payload: String
  /// The URL normalised for comparison.
  public let url: String?
  /// `accepted`, `rejected` or `undecided`.
  public let verdict: String
  /// The state of the payload in the registry.
  public let state: String
  /// The experience that the payload matches.
  public let experience: ExperienceResult?
  /// The place that the payload names.
  public let place: PlaceReference?
  /// The outcome of the location confirmation.
  public let location: LocationResult?
  /// The findings about the carrier, then those about the payload.
  public let findings: [FindingResult]
  /// The symbol that the payload was read from.
  public let symbol: SymbolResult?
  /// The tag that the payload was read from.
  public let tag: TagFactsResult?
  /// The page of a document, from 1.
  public let page: Int?
  /// The Secure Unique NFC message in the payload, if it was examined.
  public let secureMessage: SecureMessageResult?
  /// The parameters of the URL by their names.
  public let parameters: SortedMembers
  /// The behaviour of a given phone, if it was asked about.
  public let explanation: PhoneAnswerResult?

  /// States what was found out about a code.
  public init(_ code: VerifiedCode) {
    let found = code.verification
    source = code.source
    carrier = found.carrier.rawValue
    payload = found.payload
    url = found.url?.normalized
    verdict = code.verdict.rawValue
    state = found.state.rawValue
    experience = found.experience.map(ExperienceResult.init)
    place = found.place.map(PlaceReference.init)
    location = found.location.map(LocationResult.init)
    findings = code.findings.map(FindingResult.init)
    symbol =
      code.symbol.map { .printed(PrintedSymbolResult($0)) }
      ?? code.appClipCode.map { .appClipCode(AppClipCodeResult($0)) }
    tag = code.tag.map(TagFactsResult.init)
    page = code.page
    secureMessage = code.secureMessage.map(SecureMessageResult.init)
    parameters = SortedMembers(found.parameters)
    explanation = code.phone.map(PhoneAnswerResult.init)
  }
}

extension VerifiedCode {
  /// The result of the contract.
  public var result: VerificationResult { VerificationResult(self) }
}

/// Texts by their names, in order.
public struct SortedMembers: Encodable, Hashable, Sendable {
  /// The texts.
  public let values: [String: String]

  /// Takes texts by their names.
  public init(_ values: [String: String]) { self.values = values }

  /// Encodes the object.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: NameKey.self)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      try members.encode(value, forKey: NameKey(stringValue: name))
    }
  }
}

/// An experience that a payload matches, with its card.
public struct ExperienceResult: Encodable, Hashable, Sendable {
  /// `advanced` or `default`.
  public let kind: String
  /// The registered link; `nil` for a default experience.
  public let link: String?
  /// The title of the card.
  public let title: String?
  /// The subtitle of the card.
  public let subtitle: String?
  /// The label of the card's button.
  public let action: String
  /// The bundle identifier of the clip.
  public let clip: String

  /// States an experience.
  public init(_ experience: MatchedExperience) {
    kind = experience.kind.rawValue
    link = experience.link?.payload
    title = experience.card.title
    subtitle = experience.card.subtitle
    action = experience.card.action.rawValue
    clip = experience.clip
  }
}

/// The short form in which results name a place.
public struct PlaceReference: Encodable, Hashable, Sendable {
  /// The id of the place.
  public let id: String
  /// The name of the place.
  public let name: String

  /// Names a place.
  public init(_ place: Place) {
    id = place.id
    name = place.name
  }
}

/// The outcome of a location confirmation. Lengths are in metres.
public struct LocationResult: Encodable, Hashable, Sendable {
  /// `inside`, `outside`, `undecided`, `disallowed`, `doesNotMatch`, `noPosition`, `noPlace` or
  /// `waived`.
  public let result: String
  /// The distance of the position from the place.
  public let distance: Double?
  /// The radius of the place.
  public let radius: Double?
  /// The accuracy of the position.
  public let accuracy: Double?
  /// The source of the position.
  public let source: PositionResult?

  /// States an outcome.
  public init(_ outcome: LocationOutcome) {
    result = outcome.result.rawValue
    distance = outcome.distance
    radius = outcome.radius
    accuracy = outcome.accuracy
    source = outcome.fix.map(PositionResult.init)
  }
}

/// A position and its source.
public struct PositionResult: Encodable, Hashable, Sendable {
  /// `given`, `gpsd`, `nmea`, `exif` or `place`.
  public let kind: String?
  /// The name of the source.
  public let name: String?
  /// The latitude (WGS 84).
  public let latitude: UnroundedNumber
  /// The longitude (WGS 84).
  public let longitude: UnroundedNumber
  /// The time of the measurement, by RFC 3339.
  public let time: String?
  /// The number of a receiver's reports.
  public let reports: Int?
  /// Whether the receiver says that it simulates.
  public let simulated: Bool?
  /// The reason for trusting the position.
  public let note: String?

  /// States a position.
  public init(_ fix: LocationFix) {
    let origin = fix.origin
    kind = origin?.kind.rawValue
    name = origin?.name
    latitude = UnroundedNumber(fix.coordinate.latitude)
    longitude = UnroundedNumber(fix.coordinate.longitude)
    time = origin?.time?.ISO8601Format()
    reports = origin?.reportCount
    simulated = origin?.isSimulated
    note = origin?.note
  }
}

/// The facts about a tag.
public struct TagFactsResult: Encodable, Hashable, Sendable {
  /// The UID in hexadecimal.
  public let uid: String
  /// The product.
  public let type: String
  /// The longest NDEF message that the tag can hold, in bytes.
  public let capacity: Int?
  /// The size of the tag's NDEF message, in bytes.
  public let used: Int?
  /// Whether the tag's data can no longer be changed.
  public let locked: Bool
  /// Whether a password protects the tag.
  public let passwordProtected: Bool
  /// `genuine`, `not-genuine` or `not-checkable`; `nil` if it was not checked.
  public let originality: String?
  /// The reason why the originality signature cannot be checked.
  public let originalityReason: String?

  /// States the facts about a tag.
  public init(_ tag: TagFacts) {
    uid = tag.uid
    type = tag.type
    capacity = tag.capacity
    used = tag.used
    locked = tag.locked
    passwordProtected = tag.passwordProtected
    originality = tag.originality?.name
    originalityReason = tag.originality?.reason
  }
}

/// The examination of a Secure Unique NFC message.
public struct SecureMessageResult: Encodable, Hashable, Sendable {
  /// `valid`, `replayed`, `invalid`, `missing` or `wrong-tag`.
  public let result: String
  /// The UID of the tag that made the message, in hexadecimal.
  public let uid: String?
  /// The counter in the message.
  public let counter: Int?
  /// The last counter seen before.
  public let lastCounter: Int?
  /// The decrypted file data, in hexadecimal.
  public let fileData: String?

  /// States an examination.
  public init(_ message: SecureMessageFacts) {
    result = message.result.rawValue
    uid = message.uid
    counter = message.counter
    lastCounter = message.lastCounter
    fileData = message.fileData?.hexadecimal
  }
}
