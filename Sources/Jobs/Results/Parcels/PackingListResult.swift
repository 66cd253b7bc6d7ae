public import Auditing
public import Invocation
import Registry

/// The sum of a packing list: the `packing-list` object of the command's contract.
public struct PackingListResult: Encodable, Sendable {
  let type = "packing-list"
  let place: PlaceReference
  let codes: Int
  let printed: Int
  let tags: Int
  let output: String?
  let csv: String?
  let pages: Int?
  let recorded: Bool

  /// States a list.
  ///
  /// - Parameters:
  ///   - output: The PDF file.
  ///   - csv: The CSV file.
  ///   - pages: The number of pages of the PDF file.
  ///   - isRecorded: Whether its codes are on record as packed.
  public init(
    _ list: PackingList, output: String? = nil, csv: String? = nil, pages: Int? = nil,
    isRecorded: Bool
  ) {
    place = PlaceReference(list.place)
    codes = list.items.count
    (printed, tags) = (list.count(on: .qr), list.count(on: .nfc))
    (self.output, self.csv, self.pages, recorded) = (output, csv, pages, isRecorded)
  }
}

/// A code of a packing list: the `packing` object of the command's contract.
public struct PackingItemResult: Encodable, Sendable {
  let type = "packing"
  let place: String
  let code: String
  let carrier: String
  let uid: String?
  let url: String
  let label: String?
  let origin: String
  let sheet: Int?
  let position: Int?
  let row: Int?
  let copies: Int

  private enum CodingKeys: String, CodingKey {
    case type, place, code, carrier, uid, url, label
    case origin = "where"
    case sheet, position, row, copies
  }

  /// States a code.
  public init(_ item: PackingList.Item, of place: Place) {
    self.place = place.id
    code = item.code.id.description
    carrier = item.code.carrier.rawValue
    uid = item.code.tagUID
    url = item.code.payload
    (label, origin) = (item.label, item.origin)
    (sheet, position, row, copies) = (item.sheet, item.position, item.row, item.copies)
  }
}
