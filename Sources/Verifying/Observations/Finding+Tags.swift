public import Invocation
package import TagTypes

extension Finding.Code {
  /// The tag holds no message.
  public static let emptyTag = Finding.Code(rawValue: "empty-tag")
  /// The tag's message runs past its memory, as an interrupted write leaves it.
  public static let tornTag = Finding.Code(rawValue: "torn-tag")
  /// The tag holds data that is no NDEF message, where a phone finds nothing.
  public static let otherData = Finding.Code(rawValue: "other-data")
  /// The NDEF message breaks a rule of the standard.
  public static let malformedNDEF = Finding.Code(rawValue: "malformed-ndef")
  /// The NDEF message has no URI record, which is all that a phone opens.
  public static let noURIRecord = Finding.Code(rawValue: "no-uri-record")
  /// The URL is in a Smart Poster, which an iPhone does not open by itself.
  public static let smartPoster = Finding.Code(rawValue: "smart-poster")
  /// The URI record is not the first record of the message.
  public static let uriRecordNotFirst = Finding.Code(rawValue: "uri-record-not-first")
  /// A password guards the message against reading: a phone finds nothing.
  public static let hiddenByPassword = Finding.Code(rawValue: "hidden-by-password")
  /// The message has more than one record; a phone takes the first URI record.
  public static let severalRecords = Finding.Code(rawValue: "several-records")
  /// The tag is a MIFARE Classic, which no iPhone reads.
  public static let mifareClassic = Finding.Code(rawValue: "mifare-classic")
  /// The tag makes up a new UID each time it is powered, and cannot be recognised.
  public static let randomUID = Finding.Code(rawValue: "random-uid")

}

extension Finding {
  /// What is worth telling about a tag whatever it holds.
  package static func ofKind(_ tag: Tag) -> [Finding] {
    if case .classic = tag {
      return [
        Finding(
          .mifareClassic, .warning,
          "The tag is a \(tag.name), which no iPhone reads; use an NTAG21x or NTAG 424 DNA.")
      ]
    }
    guard tag.target.hasRandomUID else { return [] }
    return [
      Finding(
        .randomUID, .note,
        "The tag makes up a new UID each time it is powered: records cannot tell it from others, "
          + "and what was written is read back without switching the field off.")
    ]
  }
}
