public import Auditing
package import Invocation
import Registry
import Verifying

/// A code that was read from a parcel, or is missing in it: the `parcel-item` object of the
/// command's contract.
public struct ParcelItemResult: Encodable, Sendable {
  /// The type of the object.
  let type = "parcel-item"
  /// The source of the reading; `nil` for a missing code.
  let source: String?
  /// `url`, `qr`, `nfc`, `app-clip-code` or `barcode`.
  let carrier: String
  /// The text exactly as decoded; `nil` if it gave none.
  let payload: String?
  /// The UID of a tag, in hexadecimal.
  let uid: String?
  /// The stable name of the answer, such as `missing` or `incomplete`.
  public let result: String
  /// The code's name in the registry.
  let code: String?
  /// The id of the place on record.
  let place: String?
  /// The findings; none for a code that belongs in.
  public let findings: [FindingResult]
  /// The number of the code's prints or tags that were read so far; `nil` for a code that is not on
  /// the list.
  let seen: Int?
  /// The number of the code's prints or tags that belong in; `nil` for a code that is not on the
  /// list.
  let pieces: Int?

  /// States a code that was read.
  public init(_ answer: ParcelCheck.Answer) {
    source = answer.read.place
    carrier = answer.read.verification.carrier.rawValue
    payload = answer.read.verification.payload
    uid = answer.read.tag?.uid
    result = answer.result.rawValue
    code = answer.code?.id.description
    place = answer.code?.placeID
    findings = answer.findings.map(FindingResult.init)
    (seen, pieces) = (answer.count?.seen, answer.count?.pieces)
  }

  /// States a code that was not read.
  public init(missing item: PackingList.Item) {
    self.init(
      item, "missing", seen: 0,
      Finding(.parcelMissing, .error, "The code \(item.code.id) was not read from the parcel."))
  }

  /// States a code of which some prints were not read.
  ///
  /// - Parameters:
  ///   - item: The code.
  ///   - count: The numbers of its prints.
  public init(incomplete item: PackingList.Item, _ count: ParcelCheck.Count) {
    let prints = item.items.map { "\($0.name) (\($0.words))" }.joined(separator: "; ")
    self.init(
      item, "incomplete", seen: count.seen,
      Finding(
        .parcelIncomplete, .error,
        "\(count.seen) of \(count.pieces) prints of the code \(item.code.id) seen, which reading cannot "
          + "distinguish: look for \(prints)."))
  }

  private init(_ item: PackingList.Item, _ result: String, seen: Int, _ finding: Finding) {
    source = nil
    carrier = item.code.carrier.rawValue
    payload = item.code.payload
    uid = item.code.tagUID
    self.result = result
    code = item.code.id.description
    place = item.code.placeID
    findings = [FindingResult(finding)]
    (self.seen, pieces) = (seen, item.pieceCount)
  }

  /// States a symbol that was seen, and gave no text.
  ///
  /// - Parameters:
  ///   - sentence: The reason.
  ///   - place: The picture and its page.
  package init(unread sentence: String, at place: String) {
    source = place
    carrier = "qr"
    result = "unread"
    (payload, uid, code, self.place) = (nil, nil, nil, nil)
    findings = [FindingResult(Finding(.parcelUnread, .warning, sentence))]
    (seen, pieces) = (nil, nil)
  }
}

/// The sum of a parcel: the `parcel` object of the command's contract.
public struct ParcelResult: Encodable, Sendable {
  /// The type of the object.
  let type = "parcel"
  /// The place that the parcel is for.
  let place: PlaceReference
  /// Whether everything is in, and nothing else.
  public let complete: Bool
  /// The number of codes that belong in.
  let expected: Int
  /// The number of codes that were read.
  let read: Int
  /// The number of codes that were not read.
  let missing: Int
  /// The number of codes that do not belong in, or could not be read.
  let trouble: Int
  /// The findings about the whole parcel.
  let findings: [FindingResult]
  /// The number of prints and tags that belong in, with all copies.
  let pieces: Int
  /// The number of them that were read.
  let piecesRead: Int

  /// States a parcel.
  ///
  /// - Parameters:
  ///   - isComplete: Whether everything is in, and nothing else, and all of it could be read.
  ///   - findings: The findings about the whole of it.
  package init(_ check: ParcelCheck, isComplete: Bool, findings: [Finding]) {
    place = PlaceReference(check.list.place)
    complete = isComplete
    (expected, read) = (check.list.items.count, check.readCount)
    (missing, trouble) = (check.missing.count, check.troubleCount)
    self.findings = findings.map(FindingResult.init)
    (pieces, piecesRead) = (check.list.pieceCount, check.pieceCount)
  }
}
