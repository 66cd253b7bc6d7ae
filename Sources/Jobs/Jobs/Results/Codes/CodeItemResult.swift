package import Registry

/// An item of a code, one of its prints or its tag, in results about codes and parcels.
public struct CodeItemResult: Encodable, Hashable, Sendable {
  /// The name of the item, under that of its code.
  public let item: String
  /// The file of a print; `nil` for a tag, and an App Clip Code that was only taken in.
  public let output: String?
  /// The UID of a tag, in hexadecimal.
  public let uid: String?
  /// The caption beside it, else the name of its row.
  public let label: String?
  /// The number of its sheet, from 1.
  public let sheet: Int?
  /// Its first position on the sheet, from 1.
  public let position: Int?
  /// The number of its row, from 1.
  public let row: Int?
  /// The number of copies on the sheets, or 1.
  public let copies: Int
  /// The width of a printed code with its quiet zone, in millimetres.
  public let width: Double?
  /// The time at which it was made, RFC 3339 in UTC.
  public let made: String

  /// States an item.
  package init(_ item: CodeItem) {
    self.item = item.name
    (output, uid, label) = (item.output, item.tagUID, item.caption)
    (sheet, position, row, copies) = (item.sheet, item.position, item.row, item.copies)
    width = item.width
    made = item.made.registryTimestamp
  }
}
