import CliptagBasics
public import Invocation
package import TagTypes

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Finding.Code {
  public static let emptyTag = Self("empty-tag", "The tag contains no message.")
  public static let tornTag = Self(
    "torn-tag", "The tag's message exceeds its memory, as after an interrupted write.")
  public static let otherData = Self(
    "other-data", "The tag contains data that is not an NDEF message, so phones ignore it.")
  public static let malformedNDEF = Self(
    "malformed-ndef",
    "The NDEF message breaks a rule of the standard: phones refuse it, or their behaviour is not documented."
  )
  public static let noURIRecord = Self(
    "no-uri-record", "The NDEF message has no URI record, the only kind that a phone opens.")
  public static let smartPoster = Self(
    "smart-poster", "The URL is in a Smart Poster, which an iPhone does not open automatically.")
  public static let uriRecordNotFirst = Self(
    "uri-record-not-first", "The URI record is not the first record of the message.")
  public static let hiddenByPassword = Self(
    "hidden-by-password", "A password protects the message, so phones cannot read it.")
  public static let readingDenied = Self(
    "reading-denied", "The tag's capability container denies reading, so phones cannot read it.")
  public static let multipleBlocks = Self(
    "type5-multiple-blocks",
    "The container of a Type 5 tag declares support for reading several blocks at once, which prevents reading by iPhones according to users."
  )
  public static let withoutTerminator = Self(
    "type5-no-terminator",
    "The message fills the memory of a Type 5 tag to its last byte, which prevents reading by iPhones according to a user."
  )
  public static let chunkedRecord = Self(
    "chunked-record",
    "A record of the message is chunked, and the behaviour of iPhones is not documented.")
  public static let otherMaker = Self(
    "other-maker", "The chip is made by another maker than the product that it identifies as.")
  public static let severalRecords = Self(
    "several-records", "The message has more than one record; phones use the first URI record.")
  public static let mifareClassic = Self(
    "mifare-classic", "The tag is a MIFARE Classic, which no iPhone reads.")
  public static let randomUID = Self(
    "random-uid", "The tag generates a new UID at each power-up, and cannot be recognised.")

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
        tag.isContainerMended ? "Write the tag again, which permits reading." : "Use another tag."
      findings.append(
        Finding(
          .readingDenied, .error,
          "The tag's capability container (\(container.hexadecimal)) denies reading, so phones find "
            + "nothing. \(remedy)"))
    }
    if let tag = tag.type5 { findings += ofKind(tag) }
    if let version = tag.type2?.productVersion, version.vendor != 4 {
      let maker = version.vendorName.map { "\($0) (\([version.vendor].hexadecimal))" }
      findings.append(
        Finding(
          .otherMaker, .note,
          "The chip returns \(version.bytes.hexadecimal) for GET_VERSION: it is made by "
            + "\(maker ?? "maker \([version.vendor].hexadecimal)"), not by NXP."))
    }
    if tag.target.hasRandomUID {
      findings.append(
        Finding(
          .randomUID, .note,
          "The tag generates a new UID at each power-up: records cannot distinguish it from others, "
            + "and a write is read back without turning the field off."))
    }
    return findings
  }

  /// The findings that users report of iPhones and Type 5 tags. Apple documents neither.
  private static func ofKind(_ tag: Type5Tag) -> [Finding] {
    var findings: [Finding] = []
    let remedy =
      switch (Tag.type5(tag).isContainerMended, tag.lockedBlocks == nil) {
      case (false, _): "The container is locked: test the tag with a phone."
      case (true, false): "Write the tag again, which changes that."
      case (true, true):
        "Write the tag again on a reader that reports locked blocks, which changes that."
      }
    if let container = tag.capabilityContainer, container.readsSeveralBlocks {
      findings.append(
        Finding(
          .multipleBlocks, .warning,
          "The capability container (\(container.bytes.hexadecimal)) declares that several blocks can be read at "
            + "once (MBREAD). Users report that iPhones then do not read the tag in the background; Apple "
            + "does not document it. "
            + remedy))
    }
    if tag.fillsArea {
      findings.append(
        Finding(
          .withoutTerminator, .warning,
          "The message fills the tag's memory to the last byte, without a terminator. A user reports that "
            + "iPhones then find no message; Apple does not document it. "
            + "Use a shorter URL or a larger tag."))
    }
    return findings
  }

  /// Whether the finding is a report of users about the form of a tag, not about its message.
  package var isReportOfUsers: Bool { [.multipleBlocks, .withoutTerminator].contains(code) }
}
