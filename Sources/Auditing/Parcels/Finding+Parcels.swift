public import Invocation

extension Finding.Code {
  /// A code of the packing list was not read from the parcel.
  public static let parcelMissing = Finding.Code(rawValue: "parcel-missing")
  /// The parcel holds a code that is none of ours.
  public static let parcelForeign = Finding.Code(rawValue: "parcel-foreign")
  /// A printed code was read twice.
  public static let parcelDuplicate = Finding.Code(rawValue: "parcel-duplicate")
  /// The parcel holds a code of another place.
  public static let parcelSwapped = Finding.Code(rawValue: "parcel-swapped")
  /// The parcel holds a code that was retired.
  public static let parcelRetired = Finding.Code(rawValue: "parcel-retired")
  /// Something in the parcel looks like a code and gives no text.
  public static let parcelUnread = Finding.Code(rawValue: "parcel-unread")
  /// Codes are in the parcel that were not recorded as packed.
  public static let parcelNotPacked = Finding.Code(rawValue: "parcel-not-packed")

  /// The codes that the check of a parcel gives, with their meanings, for the documentation.
  package static let ofParcels: [(code: Finding.Code, meaning: String)] = [
    (.parcelMissing, "A code of the packing list was not read from the parcel."),
    (.parcelForeign, "The parcel holds a code that is none of ours."),
    (.parcelDuplicate, "A printed code of the parcel was read twice."),
    (.parcelSwapped, "The parcel holds a code that belongs to another place."),
    (.parcelRetired, "The parcel holds a code that was retired."),
    (.parcelUnread, "Something in the parcel looks like a code and gives no text."),
    (.parcelNotPacked, "Codes of the parcel were never recorded as packed."),
  ]
}
