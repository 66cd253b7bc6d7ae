import CliptagBasics
package import Invocation
import NDEF
package import TagTypes

/// The URI that a phone would take from a tag, and the findings about its encoding.
package struct TagPayload: Sendable {
  /// The URI of the first URI record; `nil` if there is none.
  package let uri: String?
  /// The findings about the tag's data and its type.
  package var findings: [Finding] { dataFindings + kindFindings }
  private let dataFindings: [Finding]
  private let kindFindings: [Finding]
  /// Whether the tag holds data, with or without a URI.
  package let holdsData: Bool
  /// The URI that is the only data, in a URI record or a Smart Poster; `nil` if there is none or if
  /// there are other records.
  package let soleURI: String?
  /// ``soleURI`` as recorded: with zeros in place of the tag's counter.
  package let recordedURI: String?

  /// The part that a phone reads: a reader with the password, or one that ignores the capability
  /// container, reads more.
  package func asPhonesSee(_ tag: Tag) -> (uri: String?, findings: [Finding]) {
    guard tag.hidesMessage else {
      return (tag.containerThatDeniesReading == nil ? uri : nil, findings)
    }
    let hidden = Finding(
      .hiddenByPassword, .error,
      "A password protects the message, so phones cannot read it. It contains "
        + (uri ?? "no URL") + ".")
    return (nil, findings + [hidden])
  }

  /// Whether the tag's message violates NDEF.
  package var isDamaged: Bool { findings.contains { $0.code == .malformedNDEF } }

  /// Takes the payload from the tag's content.
  ///
  /// - Throws: `TagError` with code `not-ndef` or `tag-password`.
  package init(_ tag: Tag) throws(TagError) {
    kindFindings = Finding.ofKind(tag)
    recordedURI = tag.messageWithoutCounter.flatMap { Self.read($0).soleURI }
    switch tag.content {
    case .message(let bytes):
      let reading = Self.read(bytes, isFile: tag.type4 != nil)
      (uri, soleURI, dataFindings) = (reading.uri, reading.soleURI, reading.findings)
      holdsData = !reading.findings.contains { $0.code == .emptyTag }
    case .unformatted(let data):
      guard !data else { throw .notNDEF(tag, "it has no capability container, but contains data") }
      holdsData = false
      uri = nil
      soleURI = nil
      dataFindings = [Finding(.emptyTag, .error, "The tag is blank: not formatted for NDEF yet.")]
    case .notNDEF:
      throw .notNDEF(tag, tag.problem ?? "its capability container is not an NDEF one")
    case .noMessage, .empty:
      holdsData = false
      uri = nil
      soleURI = nil
      dataFindings = [Finding(.emptyTag, .error, "The tag is formatted and empty.")]
    case .otherData(let page):
      holdsData = true
      uri = nil
      soleURI = nil
      dataFindings = [
        Finding(
          .otherData, .error,
          "The tag is formatted for NDEF, but contains no message: other data begins "
            + (page.map { "on page \($0)." } ?? "in its memory."))
      ]
    case .torn(let page):
      holdsData = false
      uri = nil
      soleURI = nil
      dataFindings = [
        Finding(
          .tornTag, .error,
          "The message" + (page.map { " that begins on page \($0)" } ?? "")
            + " exceeds the tag's memory, as after an interrupted write. Write the tag again."
        )
      ]
    case .unreadable where tag.type2?.isMute == true:
      throw TagError(
        .tagUnsupported,
        "tag \(tag.uid.hexadecimal) was selected, but no page is readable: its kind is unknown, "
          + "or its position is bad",
        hint: "lay it flat on the reader and run the command again, or use another tag",
        uid: tag.uid)
    case .unreadable where tag.type5?.isUnreadByReader == true:
      throw TagError(
        .readerUnsupported, "\(tag.name) \(tag.uid.hexadecimal): \(tag.problem ?? "")",
        hint: "use an ACR1552U or another reader that passes ISO/IEC 15693 commands",
        uid: tag.uid)
    case .unreadable(let page) where tag.type2?.isUnreached(page) == true:
      throw TagError(
        .readerUnsupported,
        "the message continues on pages of \(tag.name) \(tag.uid.hexadecimal) that this reader does "
          + "not reach",
        hint: "use an ACR1252U, an ACR1552U, an ACR122U or another reader with a PN53x", page: page,
        uid: tag.uid)
    case .unreadable(let page):
      throw TagError(
        .tagPassword,
        (page.map { "page \($0)" } ?? "the message")
          + " of \(tag.name) cannot be read: \(tag.problem ?? "a password protects it")",
        hint: tag.type2 != nil || tag.type5?.takesPassword == true
          ? TagError.givePassword : "read it with the tool that set its key, or use another tag",
        page: page, uid: tag.uid)
    }
  }

  /// The URI of a message that has one record, or besides it only an Android Application Record;
  /// `nil` for any other message.
  package static func soleURI(of message: [UInt8]) -> String? { read(message).soleURI }

  private struct Reading {
    var uri: String?
    var soleURI: String?
    var findings: [Finding] = []
  }

  /// - Parameter isFile: Whether the message is in a file that begins with its length, as on a Type
  ///   4 tag.
  private static func read(_ bytes: [UInt8], isFile: Bool = false) -> Reading {
    var result = Reading()
    let reading: NDEFReading
    do throws(NDEFError) {
      reading = try NDEFReading(bytes, options: .lenient)
    } catch {
      result.findings = [
        Finding(.malformedNDEF, .error, "The NDEF message is malformed: \(error).")
      ]
      return result
    }
    result.findings = reading.forgiven.map { finding(about: $0, in: bytes, isFile: isFile) }
    if reading.hasChunks {
      result.findings.append(
        Finding(
          .chunkedRecord, .warning,
          "A record of the NDEF message is chunked. Android joins chunks; the behaviour of iPhones is not "
            + "documented. Write the URL again, as one record."))
    }
    let records = reading.message.records
    guard let first = reading.message.firstURIRecord else {
      let poster = records.lazy.compactMap { try? SmartPosterRecord($0, options: .lenient) }.first
      result.soleURI = records.count == 1 ? poster?.uri.uri : nil
      result.findings.append(withoutURI(reading.message, poster: poster))
      return result
    }
    let record: URIRecord
    do throws(NDEFError) {
      record = try URIRecord(first)
    } catch {
      // The first URI record decides, as on phones: a later one does not replace one that is
      // broken.
      let rest = reading.message.firstURI(options: .lenient)?.uri
      result.findings.append(
        Finding(
          .malformedNDEF, .error,
          "The first URI record, which phones use, is not readable: "
            + "\(error.message)." + (rest.map { " After that byte follows “\($0)”." } ?? "")))
      return result
    }
    result.uri = record.uri
    // After the URI, an Android Application Record does not change what it opens.
    let others = records.filter { AndroidApplicationRecord($0) == nil }
    result.soleURI = others == [record.record] && records.first == record.record ? record.uri : nil
    if record.uri.unicodeScalars.contains("\0") {
      result.findings.append(
        Finding(
          .malformedNDEF, .error,
          "The URL contains zero bytes, as after an interrupted write. Write the same URL again, or "
            + "overwrite it."))
    }
    if records.first != record.record {
      result.findings.append(
        Finding(
          .uriRecordNotFirst, .warning,
          "The URI record is not the first record of the message; put it first, alone."))
    } else if records.count > 1 {
      result.findings.append(
        Finding(
          .severalRecords, .note,
          "The message has \(records.count) records; phones use the first URI record."))
    }
    return result
  }

  /// The finding about a message that violates NDEF.
  ///
  /// Android rejects the whole message for nearly all faults (`NdefMessage(byte[])` throws a
  /// `FormatException`: MB and ME flags that are missing or repeated, bytes after the end, an empty
  /// record that is not empty, a type where none is allowed, a chunk with a type). It accepts a
  /// reserved type name format and a missing type; the behaviour of iPhones is not documented.
  private static func finding(
    about fault: NDEFError, in bytes: [UInt8], isFile: Bool
  ) -> Finding {
    let isUndocumented = [.reservedTypeNameFormat, .missingType].contains(fault.code)
    if fault.code == .trailingBytes, isFile, let end = fault.offset, bytes.count == 0x0300 | end,
      end < 0xFF
    {
      let digits = [0x03, UInt8(end)].hexadecimal
      return Finding(
        .malformedNDEF, .error,
        "The NDEF file begins with \(digits), the type and length of a TLV block, where only the length of the "
          + "message belongs (00\([UInt8(end)].hexadecimal)): phones refuse the message. Write the tag again."
      )
    }
    return Finding(
      .malformedNDEF, isUndocumented ? .warning : .error,
      isUndocumented
        ? "The NDEF message has a fault, and the behaviour of phones is unknown: \(fault)."
        : "The NDEF message is malformed, and phones refuse it: \(fault).")
  }

  /// The finding about a message without a URI record: the empty message that formatters leave, a
  /// Smart Poster, or other records.
  private static func withoutURI(
    _ message: NDEFMessage, poster: SmartPosterRecord?
  ) -> Finding {
    if message == .empty {
      return Finding(.emptyTag, .error, "The tag is formatted and contains an empty message.")
    }
    if let poster {
      return Finding(
        .smartPoster, .error,
        "The tag contains a Smart Poster for \(poster.uri.uri). Apple documents only the URI record as "
          + "opened automatically; write the URL as one.")
    }
    return Finding(
      .noURIRecord, .error,
      "The NDEF message has no URI record, the only kind that phones open automatically.")
  }
}

extension TagError {
  fileprivate static func notNDEF(_ tag: Tag, _ reason: String) -> TagError {
    TagError(
      .notNDEF, "\(tag.name) is not an NDEF tag: \(reason)",
      hint: tag.type5?.isBlankOfUnknownSize == true
        ? "write it on an ACR1552U or another reader that passes ISO/IEC 15693 commands"
        : "use another tag, or clear this one with the tool that wrote it", uid: tag.uid)
  }
}

extension TagFacts {
  /// The facts of a tag whose configuration was read.
  package init(_ tag: Tag) {
    let capacity = tag.capacity > 0 ? tag.capacity : nil
    let isUseKnown =
      switch tag.content {
      // The length of a message that cannot be read, or runs past the memory, is unknown.
      case .unreadable, .torn: false
      default: true
      }
    self.init(
      uid: tag.uid.hexadecimal, type: tag.name, capacity: capacity,
      used: isUseKnown ? capacity.map { _ in tag.used } : nil, locked: tag.isLocked,
      passwordProtected: tag.isPasswordProtected ?? false)
  }
}
