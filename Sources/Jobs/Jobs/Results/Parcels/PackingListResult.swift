public import Auditing
public import Invocation
import Registry

/// The sum of a packing list: the `packing-list` object of the command's contract.
public struct PackingListResult: Encodable, Sendable {
  /// The type of the object.
  let type = "packing-list"
  /// The place that the parcel is for.
  let place: PlaceReference
  /// The number of codes.
  let codes: Int
  /// The number of printed QR codes.
  let printed: Int
  /// The number of tags.
  let tags: Int
  /// The PDF file.
  let output: String?
  /// The CSV file.
  let csv: String?
  /// The number of pages of the PDF file.
  let pages: Int?
  /// Whether the codes are on record as packed.
  let recorded: Bool
  /// The number of prints and tags of the codes, with all copies.
  let pieces: Int

  /// States a list.
  ///
  /// - Parameters:
  ///   - list: The list.
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
    pieces = list.pieceCount
  }
}

/// A code of a packing list: the `packing` object of the command's contract.
public struct PackingItemResult: Encodable, Sendable {
  /// The type of the object.
  let type = "packing"
  /// The id of the place.
  let place: String
  /// The name of the code.
  let code: String
  /// `qr`, `nfc` or `app-clip-code`.
  let carrier: String
  /// The UID of a tag, in hexadecimal.
  let uid: String?
  /// The text that the code carries, exactly.
  let url: String
  /// The label of the row that it was made for.
  let label: String?
  /// The file or batch that the code is from.
  let origin: String
  /// The number of its sheet, from 1.
  let sheet: Int?
  /// Its position on the sheet, from 1.
  let position: Int?
  /// The number of its row, from 1.
  let row: Int?
  /// The number of copies.
  let copies: Int
  /// The number of its prints or tags, with all copies.
  let pieces: Int
  /// Its prints or tags, in the order in which they were made.
  let items: [CodeItemResult]

  private enum CodingKeys: String, CodingKey {
    case type, place, code, carrier, uid, url, label
    case origin = "where"
    case sheet, position, row, copies, pieces, items
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
    (pieces, items) = (item.pieceCount, item.items.map(CodeItemResult.init))
  }
}
