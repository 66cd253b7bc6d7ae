import CliptagBasics
public import Invocation
package import TagTypes

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Finding.Code {
  public static let emptyTag = Self("empty-tag", "The tag holds no message.")
  public static let tornTag = Self(
    "torn-tag", "The tag's message runs past its memory, as an interrupted write leaves it.")
  public static let otherData = Self(
    "other-data", "The tag holds data that is not an NDEF message; a phone finds nothing.")
  public static let malformedNDEF = Self(
    "malformed-ndef",
    "The NDEF message breaks a rule of the standard: phones refuse it, or their behaviour is not documented."
  )
  public static let noURIRecord = Self(
    "no-uri-record", "The NDEF message has no URI record, which is all that a phone opens.")
  public static let smartPoster = Self(
    "smart-poster", "The URL is in a Smart Poster, which an iPhone does not open automatically.")
  public static let uriRecordNotFirst = Self(
    "uri-record-not-first", "The URI record is not the first record of the message.")
  public static let hiddenByPassword = Self(
    "hidden-by-password", "A password guards the message against reading: a phone finds nothing.")
  public static let readingDenied = Self(
    "reading-denied", "The tag's capability container denies reading: a phone finds nothing.")
  public static let multipleBlocks = Self(
    "type5-multiple-blocks",
    "The container of a Type 5 tag declares support for reading several blocks at once, which users report to keep iPhones from reading it."
  )
  public static let withoutTerminator = Self(
    "type5-no-terminator",
    "The message fills the memory of a Type 5 tag to its last byte, which a user reports to keep iPhones from reading it."
  )
  public static let chunkedRecord = Self(
    "chunked-record",
    "A record of the message is chunked, and the behaviour of iPhones is not documented.")
  public static let otherMaker = Self(
    "other-maker", "The chip is made by another maker than the product that it identifies as.")
  public static let severalRecords = Self(
    "several-records", "The message has more than one record; a phone takes the first URI record.")
  public static let mifareClassic = Self(
    "mifare-classic", "The tag is a MIFARE Classic, which no iPhone reads.")
  public static let randomUID = Self(
    "random-uid", "The tag generates a new UID each time it is powered, and cannot be recognised.")

  /// The codes above, in the order of the documentation.
  package static let ofTags: [Self] = [
    .emptyTag, .tornTag, .otherData, .malformedNDEF, .noURIRecord, .smartPoster,
    .uriRecordNotFirst, .hiddenByPassword, .readingDenied, .multipleBlocks, .withoutTerminator,
    .chunkedRecord, .otherMaker, .severalRecords, .mifareClassic, .randomUID,
  ]
}

extension Finding {
  /// The findings about a tag that do not depend on its content.
  package static func ofKind(_ tag: Tag) -> [Finding] {
    var findings: [Finding] = []
    if let container = tag.containerThatDeniesReading {
      let remedy =
        tag.isContainerMended ? "Write the tag again, which opens it." : "Use another tag."
      findings.append(
        Finding(
          .readingDenied, .error,
          "The tag's capability container (\(container.hexadecimal)) denies reading, so a phone finds "
            + "nothing. \(remedy)"))
    }
    if let tag = tag.type5 { findings += ofKind(tag) }
    if let version = tag.type2?.productVersion, version.vendor != 4 {
      let maker = version.vendorName.map { "\($0) (\([version.vendor].hexadecimal))" }
      findings.append(
        Finding(
          .otherMaker, .note,
          "The chip answers GET_VERSION with \(version.bytes.hexadecimal): one by "
            + "\(maker ?? "maker \([version.vendor].hexadecimal)"), and not NXP's."))
    }
    if tag.target.hasRandomUID {
      findings.append(
        Finding(
          .randomUID, .note,
          "The tag makes up a new UID each time it is powered: records cannot tell it from others, "
            + "and what was written is read back without switching the field off."))
    }
    return findings
  }

  /// The findings that users report of iPhones and Type 5 tags. Apple documents neither.
  private static func ofKind(_ tag: Type5Tag) -> [Finding] {
    var findings: [Finding] = []
    let remedy =
      switch (Tag.type5(tag).isContainerMended, tag.lockedBlocks == nil) {
      case (false, _): "The container is closed: try it with a phone."
      case (true, false): "Write the tag again, which changes that."
      case (true, true):
        "Write the tag again on a reader that tells which blocks are locked, which changes that."
      }
    if let container = tag.capabilityContainer, container.readsSeveralBlocks {
      findings.append(
        Finding(
          .multipleBlocks, .warning,
          "The capability container (\(container.bytes.hexadecimal)) says that several blocks are read at "
            + "once (MBREAD). Users report that iPhones then do not read the tag in the background; Apple "
            + "documents nothing of it. "
            + remedy))
    }
    if tag.fillsArea {
      findings.append(
        Finding(
          .withoutTerminator, .warning,
          "The message fills the tag's memory to the last byte, without a terminator. A user reports that "
            + "iPhones then find no message; Apple documents nothing of it. "
            + "Use a shorter URL or a larger tag."))
    }
    return findings
  }

  /// Whether the finding is a report of users about the form of a tag, not about its message.
  package var isReportOfUsers: Bool { [.multipleBlocks, .withoutTerminator].contains(code) }
}
